// The scripts of three applications: what is done, and what observers have to be told.
//
// A plain model that observes nothing draws the operations from a fixed seed, carries each out on
// numbers of its own and notes what has to be told. A subject carries out the same operations by
// its own means. Its answer is right if each of its observers was told as often as the plain
// model's, of the same values in the same order, and if its objects end with the same values.
#ifndef APPLICATIONS_SCRIPT_H
#define APPLICATIONS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- facts --------------------------------------------------------------------------------------

// The changes that an observer was told: how many, and a hash of them, in their order.
struct told {
    uint64_t count;
    uint64_t hash;
};

static inline uint64_t scramble(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

static inline void tell(struct told *told, int64_t first, int64_t second, int64_t third)
{
    uint64_t what = (uint64_t)first * 0x9e3779b97f4a7c15u ^ (uint64_t)second * 0xc2b2ae3d27d4eb4fu;
    told->count++;
    told->hash = (told->hash ^ what ^ (uint64_t)third << 17) * 0xff51afd7ed558ccdu;
    told->hash ^= told->hash >> 29;
}

enum { MOST_OBSERVERS = 4, MOST_THREADS = 4 };

// The result of a script: what each observer was told, and a hash of the values at the end.
struct answer {
    struct told observers[MOST_OBSERVERS];
    uint64_t values;
};

// ---- operations ---------------------------------------------------------------------------------

struct operation {
    uint32_t kind;
    uint32_t place;
    uint32_t other;
    int64_t value;
};

struct script {
    const char *name;
    const char *observers[MOST_OBSERVERS]; // their names; NULL behind the last
    unsigned threads;
    unsigned locks;        // the application's own, each for the places of one remainder; 0: none
    size_t count;          // of each thread's operations
    size_t untimed;        // the first of them, which set up
    struct operation *operations[MOST_THREADS];
    struct answer expected;
};

// Write the three scripts; false: no memory.
bool inventory_write(struct script *out);
bool graph_write(struct script *out);
bool feed_write(struct script *out);
void script_free(struct script *script);

// ---- the inventory ------------------------------------------------------------------------------
//
// Items have a price, a quantity and a value that depends on both. The document watches all items:
// it keeps the inventory's net sum up to date by their values, and notes for undo what price and
// quantity were. The inventory's total depends on the net sum and a discount, and a window shows
// it. A list shows the items, by what it is told of insertions and removals.

enum { INVENTORY_ITEMS = 10000, INVENTORY_EDITS = 100000 };

enum inventory_operation {
    INVENTORY_SET_PRICE,    // of the item in row `place` to `value`
    INVENTORY_SET_QUANTITY, // likewise
    INVENTORY_SET_DISCOUNT, // to `value`
    INVENTORY_INSERT,       // the item of number `value` in row `place`
    INVENTORY_REMOVE,       // the item in row `place`
    INVENTORY_UNDO,         // the latest of the above that was not undone
};

enum inventory_observer { INVENTORY_UNDOER, INVENTORY_ADDER, INVENTORY_WINDOW, INVENTORY_LIST };

// The price with which an item of that number begins.
static inline int64_t inventory_price(int64_t number)
{
    return 1 + (int64_t)(scramble((uint64_t)number) % 1000);
}

static inline int64_t inventory_quantity(int64_t number)
{
    return 1 + (int64_t)((scramble((uint64_t)number) >> 32) % 100);
}

// ---- the graph editor ---------------------------------------------------------------------------
//
// Nodes stand in four layers, and each but those of the last may lead to one of the next. The
// canvas watches the position of every node. Each node of the first layer has a label that shows
// the position three steps on: it watches a path of four keys, and shows nothing where that ends.

enum { GRAPH_NODES = 1000, GRAPH_LAYERS = 4, GRAPH_LABELS = 640, GRAPH_EDITS = 100000 };

// The numbers at which the layers begin, and the end: a node of a layer further on stands at the
// end of more paths.
static const uint32_t graph_layers[GRAPH_LAYERS + 1] = { 0, GRAPH_LABELS, 880, 960, GRAPH_NODES };

static inline unsigned graph_layer(uint32_t node)
{
    unsigned layer = 0;
    while (node >= graph_layers[layer + 1]) layer++;
    return layer;
}

enum graph_operation {
    GRAPH_MOVE,       // node `place` to position `value`
    GRAPH_CONNECT,    // node `place` to node `other`
    GRAPH_DISCONNECT, // node `place`
};

enum graph_observer { GRAPH_CANVAS, GRAPH_LABEL };

#define GRAPH_NOTHING INT64_MIN // what a label shows where its path ends

// ---- the feed -----------------------------------------------------------------------------------
//
// Four threads raise the scores of entries, any thread those of any entry. The ranking watches all
// entries throughout; one operation of a hundred begins or ends a subscription to a single one. As
// an application does whose threads share objects, each operation holds a lock of the application's
// own that stands for the entry, and for one in so many others; observers are told under it.

enum {
    FEED_THREADS = 4,
    FEED_ENTRIES = 100000,
    FEED_OPERATIONS = 100000, // of each thread
    FEED_SLOTS = 256,         // subscriptions that a thread can have at one time
    FEED_LOCKS = 64,
};

enum feed_operation {
    FEED_RAISE,     // the score of entry `place` by 1
    FEED_SUBSCRIBE, // the thread's slot `other` to entry `place`
    FEED_END,       // the subscription in the thread's slot `other`, which is one to entry `place`
};

// Of the subscribers those are counted that heard of all changes of their time, and of no others.
enum feed_observer { FEED_RANKING, FEED_SUBSCRIBERS };

#ifdef __cplusplus
}
#endif
#endif
