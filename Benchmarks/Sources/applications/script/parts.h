// The parts of the applications beside their observed objects, the same for every subject and for
// the plain models: a list of rows, a stack of what can be undone, labels, subscriptions.
#ifndef APPLICATIONS_PARTS_H
#define APPLICATIONS_PARTS_H

#include "script.h"

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- the inventory's list -----------------------------------------------------------------------

// The numbers of the items in the order of their rows.
struct rows {
    int64_t *numbers;
    size_t count;
    size_t capacity;
};

static inline void *grown(void *memory, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return memory;
    *capacity = *capacity == 0 ? 1024 : *capacity * 2;
    memory = realloc(memory, *capacity * size);
    if (memory == NULL) abort();
    return memory;
}

static inline void rows_insert(struct rows *rows, size_t row, int64_t number)
{
    rows->numbers =
        (int64_t *)grown(rows->numbers, rows->count, &rows->capacity, sizeof *rows->numbers);
    int64_t *place = rows->numbers + row;
    memmove(place + 1, place, (rows->count++ - row) * sizeof *place);
    *place = number;
}

static inline int64_t rows_remove(struct rows *rows, size_t row)
{
    int64_t *place = rows->numbers + row;
    int64_t number = *place;
    memmove(place, place + 1, (--rows->count - row) * sizeof *place);
    return number;
}

// ---- undo ---------------------------------------------------------------------------------------

// One operation that can be undone. The item of a removal is kept alive by the record.
struct undo {
    enum inventory_operation done;
    uint32_t row;  // of an insertion or removal
    void *item;    // the subject's own
    int64_t value; // before a set
};

struct undo_stack {
    struct undo *records;
    size_t count;
    size_t capacity;
    bool is_undoing; // then nothing is noted
};

static inline void undo_push(struct undo_stack *stack, struct undo record)
{
    stack->records = (struct undo *)grown(stack->records, stack->count, &stack->capacity,
                                          sizeof *stack->records);
    stack->records[stack->count++] = record;
}

static inline struct undo undo_pop(struct undo_stack *stack)
{
    return stack->records[--stack->count];
}

// ---- the inventory's office ---------------------------------------------------------------------

// The parts around the inventory: each function below is called by the observer of its name.
struct office {
    struct told told[MOST_OBSERVERS];
    struct rows list;
    struct undo_stack undo;
};

// The document's, of a price, a quantity or the discount (number -1) that was set.
static inline void office_note_set(struct office *office, enum inventory_operation kind,
                                   void *item, int64_t number, int64_t old)
{
    struct undo record = { kind, 0, item, old };
    tell(&office->told[INVENTORY_UNDOER], kind, number, old);
    if (!office->undo.is_undoing) undo_push(&office->undo, record);
}

// The document's, of an item that came or went. Returns whether the record was kept: it has to
// keep a removed item alive then.
static inline bool office_note_row(struct office *office, enum inventory_operation kind,
                                   void *item, int64_t number, size_t row)
{
    struct undo record = { kind, (uint32_t)row, item, 0 };
    tell(&office->told[INVENTORY_UNDOER], kind, number, (int64_t)row);
    if (!office->undo.is_undoing) undo_push(&office->undo, record);
    return !office->undo.is_undoing;
}

static inline void office_add(struct office *office, int64_t number, int64_t old, int64_t value)
{
    tell(&office->told[INVENTORY_ADDER], number, old, value);
}

static inline void office_show_total(struct office *office, int64_t total)
{
    tell(&office->told[INVENTORY_WINDOW], total, 0, 0);
}

static inline void office_insert_row(struct office *office, size_t row, int64_t number)
{
    tell(&office->told[INVENTORY_LIST], INVENTORY_INSERT, (int64_t)row, number);
    rows_insert(&office->list, row, number);
}

static inline void office_remove_row(struct office *office, size_t row)
{
    int64_t number = rows_remove(&office->list, row);
    tell(&office->told[INVENTORY_LIST], INVENTORY_REMOVE, (int64_t)row, number);
}

// The answer is what was told, and a hash of `total`, the list, and each item's values, which are
// added in the order of the rows.
static inline void office_answer(const struct office *office, int64_t total, struct answer *out)
{
    struct told values = { 0, 0 };
    memcpy(out->observers, office->told, sizeof office->told);
    tell(&values, total, (int64_t)office->list.count, (int64_t)office->undo.count);
    for (size_t i = 0; i < office->list.count; i++) tell(&values, office->list.numbers[i], 0, 0);
    out->values = values.hash;
}

static inline void answer_add_item(struct answer *answer, int64_t number, int64_t price,
                                   int64_t quantity)
{
    struct told values = { 0, answer->values };
    tell(&values, number, price, quantity);
    answer->values = values.hash;
}

static inline void office_free(struct office *office)
{
    free(office->list.numbers);
    free(office->undo.records);
}

// ---- the graph editor's labels ------------------------------------------------------------------

// A label is drawn anew where what it shows has changed: not all means tell of changes only.
struct label {
    struct told told;
    int64_t shown;
};

static inline void label_show(struct label *label, int64_t position)
{
    if (label->shown == position) return;
    label->shown = position;
    tell(&label->told, position, 0, 0);
}

// The parts around the graph.
struct canvas {
    struct told told;
    struct label labels[GRAPH_LABELS];
};

static inline struct canvas *canvas_make(void)
{
    struct canvas *canvas = (struct canvas *)calloc(1, sizeof *canvas);
    if (canvas == NULL) abort();
    for (size_t i = 0; i < GRAPH_LABELS; i++) canvas->labels[i].shown = GRAPH_NOTHING;
    return canvas;
}

static inline void canvas_draw(struct canvas *canvas, int64_t node, int64_t position)
{
    tell(&canvas->told, node, position, 0);
}

static inline struct label *canvas_label(struct canvas *canvas, size_t label)
{
    return &canvas->labels[label];
}

// The answer is what was told; each node's values are added by answer_add_node.
static inline void canvas_answer(const struct canvas *canvas, struct answer *out)
{
    struct told labels = { 0, 0 };
    for (size_t i = 0; i < GRAPH_LABELS; i++) {
        const struct told *told = &canvas->labels[i].told;
        labels.count += told->count;
        labels.hash += scramble(told->hash + i);
    }
    out->observers[GRAPH_CANVAS] = canvas->told;
    out->observers[GRAPH_LABEL] = labels;
}

// `next` is the number of the node that it leads to; -1: none.
static inline void answer_add_node(struct answer *answer, int64_t position, int64_t next)
{
    struct told values = { 0, answer->values };
    tell(&values, position, next, 0);
    answer->values = values.hash;
}

// ---- the feed's observers -----------------------------------------------------------------------

// A shard of the ranking: what it was told under one of the application's locks. Threads raise an
// entry in any order, so hashes are added up.
struct shard {
    struct told told;
    char rest[128 - sizeof(struct told)]; // no two locks' shards lie in one cache line
};

static inline void shard_rank(struct shard *shard, int64_t entry, int64_t score)
{
    shard->told.count++;
    shard->told.hash += scramble((uint64_t)entry << 32 ^ (uint64_t)score);
}

// A subscriber that was told of all scores of its time and of no others has counted those that
// came since, and added them up.
struct subscriber {
    uint64_t count;
    uint64_t sum;
    int64_t first; // the score when it began
};

static inline void subscriber_begin(struct subscriber *subscriber, int64_t score)
{
    subscriber->count = 0;
    subscriber->sum = 0;
    subscriber->first = score;
}

static inline void subscriber_hear(struct subscriber *subscriber, int64_t score)
{
    subscriber->count++;
    subscriber->sum += (uint64_t)score;
}

static inline bool subscriber_has_heard_all(const struct subscriber *subscriber, int64_t score)
{
    uint64_t count = (uint64_t)(score - subscriber->first);
    uint64_t sum = count * (uint64_t)subscriber->first + count * (count + 1) / 2;
    return subscriber->count == count && subscriber->sum == sum;
}

// The parts around the feed.
struct audience {
    struct shard shards[FEED_LOCKS];
    struct subscriber subscribers[FEED_THREADS][FEED_SLOTS];
    bool is_taken[FEED_THREADS][FEED_SLOTS]; // the slot
    struct told ended[FEED_THREADS];         // subscriptions: those that heard what they had to
};

static inline void audience_begin(struct audience *audience, unsigned thread, unsigned slot,
                                  int64_t score)
{
    audience->is_taken[thread][slot] = true;
    subscriber_begin(&audience->subscribers[thread][slot], score);
}

// Once its observing has ended.
static inline void audience_end(struct audience *audience, unsigned thread, unsigned slot,
                                int64_t score)
{
    audience->is_taken[thread][slot] = false;
    audience->ended[thread].count +=
        subscriber_has_heard_all(&audience->subscribers[thread][slot], score);
}

// Where the parts of an audience are, for a language that cannot take the address of an element.
static inline struct shard *audience_shard(struct audience *audience, size_t entry)
{
    return &audience->shards[entry % FEED_LOCKS];
}

static inline struct subscriber *audience_subscriber(struct audience *audience, unsigned thread,
                                                     unsigned slot)
{
    return &audience->subscribers[thread][slot];
}

// The answer is what was told; each entry's score is added by answer_add_score.
static inline void audience_answer(const struct audience *audience, struct answer *out)
{
    for (size_t i = 0; i < FEED_LOCKS; i++) {
        out->observers[FEED_RANKING].count += audience->shards[i].told.count;
        out->observers[FEED_RANKING].hash += audience->shards[i].told.hash;
    }
    for (size_t i = 0; i < FEED_THREADS; i++)
        out->observers[FEED_SUBSCRIBERS].count += audience->ended[i].count;
}

static inline void answer_add_score(struct answer *answer, int64_t score)
{
    struct told values = { 0, answer->values };
    tell(&values, score, 0, 0);
    answer->values = values.hash;
}

#ifdef __cplusplus
}
#endif
#endif
