// Immutable lists of registrations, and finding in them what a changed key concerns.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address (exactly one,
// of one key), or a snapshot's address with ISA_WORD_SNAPSHOT added. Readers load it under a mark,
// by isa__enter.
#ifndef ISA_KVO_SNAPSHOT_H
#define ISA_KVO_SNAPSHOT_H

#include "registration.h"

// Valgrind must know the snapshot by that word: eight bytes into a block are the first element of a
// C++ array to it, where the number before them divides the rest of the block.
enum { ISA_WORD_SNAPSHOT = 8, ISA_SNAPSHOT_ELEMENTS = 1 };

// What a changed key is to a snapshot: the registrations it concerns, in registration order.
struct isa__group {
    const struct isa__key *key;
    uint32_t start;   // in `grouped`
    uint32_t count;
    uint32_t options; // of all of them together that are told as the key changes
    bool is_related;  // some are told because of a trigger that is not their key alone
    bool is_announced; // and some of these have something to do before the change
};

// The registrations of functions for one key, in registration order, where there are many of them:
// what would otherwise be copied at each change. It only grows, and a snapshot shows the first
// `count` of it:
//
// - Adding writes behind what any snapshot shows, then publishes a snapshot that shows one more. A
//   change that began before shows what it began with, so a latecomer is not told.
// - Removing puts a registration in the place that has ended and is never told. A reader that
//   loaded the former one did so under a mark, before the heavy barrier of its retirement, and it
//   is kept until that mark is left; one that loads the place after it finds the other. So the
//   argument of reclaim.h holds, with this store as U1.
// - A place is never used again: a change that began before could take the latecomer in it for what
//   was there.
//
// When there is no room, or as many are gone as are left, the next snapshot has a list of its own.
struct isa__list {
    uint32_t users;    // snapshots that show it; atomic builtins
    uint32_t capacity; // guarded by the object's lock, as what follows
    uint32_t used;
    uint32_t gone;     // of those used
    uint32_t first;    // none before it is still there
    bool is_stale;     // one that has ended is still there: make another list at the next change
    uint32_t wanted[4]; // how many ask for each option
    struct isa__registration *items[]; // atomic builtins
};

enum { ISA_LIST_LEAST = 8, ISA_LIST_OPTIONS = 4 };

struct isa__snapshot {
    struct isa__retired retired; // until then its `next` is ISA_SNAPSHOT_ELEMENTS
    uint32_t count;
    uint32_t group_count;
    uint32_t entry_count; // in `grouped`, where a registration stands for each of its triggers
    // Of shared observers: how many words and snapshots lead here, their collection included.
    uint64_t users; // atomic builtins; 0: one object's own
    struct isa__list *list;     // that `items` is; NULL: its own
    struct isa__snapshot *base; // the shared observers that `items` begins with; holds a use
    struct isa__registration **items;   // in registration order
    struct isa__registration **grouped; // key by key; `items` itself where there is one key
    const struct isa__trigger **triggers; // beside `grouped`; NULL entries: the key alone
    uint32_t *slots;  // where there are many keys: by hash, the group's number and one, 0: none
    uint32_t slot_mask;
    struct isa__group groups[]; // and behind them the storage of both
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

// The group of a key, NULL if none: where there is more than one group.
const struct isa__group *isa__group_search(const struct isa__snapshot *snapshot,
                                           const struct isa__key *key);

static inline const struct isa__group *isa__group_find(const struct isa__snapshot *snapshot,
                                                       const struct isa__key *key)
{
    if (__builtin_expect(snapshot->groups[0].key == key, 1)) return &snapshot->groups[0];
    return snapshot->group_count == 1 ? NULL : isa__group_search(snapshot, key);
}

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

// One of `items` of the above. In a list it may be replaced at any time, so load it once.
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
// are not shared nor marked ISA_TAG_OUT, then `add` or NULL.
struct isa__word_parts {
    struct isa__snapshot *base;
    struct isa__registration **items;
    uint32_t count;
    struct isa__registration *add;
};

// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out);

// Makes the list of shared observers, with one use; takes the registrations over if it succeeds.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__snapshot_make_shared(struct isa__registration **items, uint32_t count,
                                     struct isa__snapshot **out);

// ---- lists: list.c. The object's lock held ------------------------------------------------------

// Whether a list of their own suits these, none of which is nobody.
bool isa__list_suits(struct isa__registration *const *items, uint32_t count);

// Makes an empty list for `count` and as many again, with no user; NULL when memory is short.
struct isa__list *isa__list_make(uint32_t count);
void isa__list_add(struct isa__list *list, struct isa__registration *registration);
void isa__list_drop(struct isa__list *list);

// Whether the registration can be added to the list of the snapshot, the object's present one.
bool isa__list_takes(const struct isa__snapshot *snapshot,
                     const struct isa__registration *registration);

// Takes a registration out of the list of the snapshot, the object's present one.
enum isa__list_removal {
    ISA_LIST_REMOVED,
    ISA_LIST_MISSING, // it is not there
    ISA_LIST_REPLACE, // it is; make another snapshot without it
};
enum isa__list_removal isa__list_remove(const struct isa__snapshot *snapshot,
                                        const struct isa__registration *registration);

// The snapshot that shows one registration more, which the list takes; NULL when memory is short.
struct isa__snapshot *isa__snapshot_extend(const struct isa__snapshot *snapshot,
                                           struct isa__registration *add);

// Lets go of what a replaced word led to, at once if no other thread holds it (`alone`), or gives
// up its use of shared observers. No lock held.
void isa__word_let_go(uintptr_t observing, bool alone);

// Gives up a use of shared observers' snapshot; the last one retires its registrations with it.
void isa__snapshot_drop(struct isa__snapshot *base);

void isa__snapshot_start(void);

#endif
