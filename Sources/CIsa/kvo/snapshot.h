// Immutable lists of registrations, and finding in them what a changed key concerns.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address (exactly one,
// of one key), or a snapshot's address with ISA_WORD_SNAPSHOT added. Readers load it under a mark,
// by isa__enter.
#ifndef ISA_KVO_SNAPSHOT_H
#define ISA_KVO_SNAPSHOT_H

#include "roster.h"

// Valgrind must know the snapshot by that word: eight bytes into a block are the first element of a
// C++ array to it, where the number before them divides the rest of the block.
enum { ISA_WORD_SNAPSHOT = 8, ISA_SNAPSHOT_ELEMENTS = 1 };

// What a registration is listed under: each of its keys; trigger NULL: the key alone.
struct isa__listing {
    const struct isa__key *key;
    const struct isa__trigger *trigger;
};

uint32_t isa__listing_count(const struct isa__registration *registration);
struct isa__listing isa__listing_at(const struct isa__registration *registration, uint32_t number);

// Whether a registration that is told by `trigger` has anything to do when the change is announced:
// see isa__dependent_will.
bool isa__is_announced_by(const struct isa__registration *registration,
                          const struct isa__trigger *trigger);

// What a changed key is to a snapshot: the registrations it concerns, in registration order.
struct isa__group {
    const struct isa__key *key;
    uint32_t start;   // in `grouped`
    uint32_t count;
    uint32_t options; // of all of them together that are told as the key changes
    bool is_related;  // some are told because of a trigger that is not their key alone
    bool is_announced; // and some of these have something to do before the change
};

struct isa__snapshot {
    struct isa__retired retired; // until then its `next` is ISA_SNAPSHOT_ELEMENTS
    uint32_t count;
    uint32_t group_count;
    uint32_t entry_count; // in `grouped`, where a registration stands for each of its triggers
    // Of shared observers: how many words and snapshots lead here, their collection included.
    uint64_t users; // atomic builtins; 0: one object's own
    struct isa__roster *roster; // that it shows in place of groups, and holds a use of; or NULL
    struct isa__snapshot *base; // the shared observers that `items` begins with; holds a use
    struct isa__registration **items;   // in registration order
    struct isa__registration **grouped; // key by key
    const struct isa__trigger **triggers; // beside `grouped`; NULL entries: the key alone
    struct isa__group groups[]; // and behind them the storage of the three
};

// The registrations that a change of one key concerns.
struct isa__affected {
    struct isa__registration *const *items; // in registration order
    const struct isa__trigger *const *triggers; // of each; NULL: all are told as the key changes
    uint32_t count;
    uint32_t options;               // of all that are told as the key changes
    bool is_announced;              // some of the others have something to do before it
    struct isa__registration *single; // where the word leads to one: storage for `items`
};

// The one registration that the word leads to, or NULL.
static inline struct isa__registration *isa__word_single(uintptr_t observing)
{
    return observing & ISA_WORD_SNAPSHOT ? NULL : (struct isa__registration *)observing;
}

// The snapshot that the word leads to, or NULL.
static inline struct isa__snapshot *isa__word_snapshot(uintptr_t observing)
{
    if (!(observing & ISA_WORD_SNAPSHOT)) return NULL;
    return (struct isa__snapshot *)(observing - ISA_WORD_SNAPSHOT);
}

static inline uintptr_t isa__word_of_snapshot(const struct isa__snapshot *snapshot)
{
    return (uintptr_t)snapshot + ISA_WORD_SNAPSHOT;
}

bool isa__affected_find_in_snapshot(const struct isa__snapshot *snapshot,
                                    const struct isa__key *key, struct isa__affected *out);

// Finds what a change of `key` concerns in the word `observing`, read under a mark that still
// stands. False if nothing.
static inline bool isa__affected_find(uintptr_t observing, const struct isa__key *key,
                                      struct isa__affected *out)
{
    struct isa__registration *single = isa__word_single(observing);
    if (single == NULL)
        return isa__affected_find_in_snapshot(isa__word_snapshot(observing), key, out);
    if (single->key != key) return false;
    out->single = single;
    out->items = &out->single;
    out->triggers = NULL;
    out->is_announced = false;
    out->count = 1;
    out->options = isa__registration_tag_load(single) & ISA_TAG_OPTIONS;
    return true;
}

// One of `items` of the above. In a roster's list it may be replaced at any time, so load it once.
static inline struct isa__registration *isa__item_load(struct isa__registration *const *item)
{
    return __atomic_load_n(item, __ATOMIC_ACQUIRE);
}

// Whether that has taken the place of a registration that is gone.
bool isa__registration_is_nobody(const struct isa__registration *registration);

// Whether `registration`, or one equal to it, stands in `observing`, the present value of the word
// of `object`. For an ended registration of an observer object an equal one serves, as in
// Foundation; under GNUstep's profile none does.
bool isa__registration_stands(const struct isa__registration *registration, isa_id object,
                              uintptr_t observing);

// ---- for the registry ---------------------------------------------------------------------------

// All registrations in the word; `*single` is storage for the case of one.
struct isa__registration **isa__word_items(uintptr_t observing, struct isa__registration **single,
                                           uint32_t *count);

// What the next word is made of: the shared observers' snapshot or NULL, then those of `items` that
// are not shared nor marked ISA_TAG_OUT, then `add` or NULL. Of shared observers: all of `items`.
struct isa__word_parts {
    struct isa__snapshot *base;
    struct isa__registration **items;
    uint32_t count;
    struct isa__registration *add;
    bool are_shared;
};

// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out);

// Makes the list of shared observers, with one use; takes the registrations over if it succeeds.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__snapshot_make_shared(struct isa__registration **items, uint32_t count,
                                     struct isa__snapshot **out);

// The snapshot that shows what a roster has now; NULL when memory is short.
struct isa__snapshot *isa__snapshot_show(struct isa__roster *roster);

// Lets go of what a replaced word led to, at once if no other thread holds it (`alone`), or gives
// up its use of shared observers. No lock held.
void isa__word_let_go(uintptr_t observing, bool alone);

// Gives up a use of shared observers' snapshot; the last one retires its registrations with it.
void isa__snapshot_drop(struct isa__snapshot *base);

void isa__snapshot_start(void);

#endif
