// Immutable lists of registrations, and finding in them what a changed key concerns.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address with bit 0
// set (exactly one, of one key), or a snapshot's address. Readers load it under a mark, see
// base/reclaim.h.
#ifndef ISA_KVO_SNAPSHOT_H
#define ISA_KVO_SNAPSHOT_H

#include "registration.h"

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
    struct isa__retired retired;
    uint32_t count;
    uint32_t group_count;
    uint32_t entry_count; // in `grouped`, where a registration stands for each of its triggers
    // Of shared observers: how many words and snapshots lead here, their collection included.
    uint64_t users; // atomic builtins; 0: one object's own
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

bool isa__affected_find_in_snapshot(const struct isa__snapshot *snapshot,
                                    const struct isa__key *key, struct isa__affected *out);

// Finds what a change of `key` concerns in the word `observing`, read under a mark that still
// stands. False if nothing.
static inline bool isa__affected_find(uintptr_t observing, const struct isa__key *key,
                                      struct isa__affected *out)
{
    if (!(observing & 1))
        return isa__affected_find_in_snapshot((const struct isa__snapshot *)observing, key, out);
    struct isa__registration *single = (struct isa__registration *)(observing - 1);
    if (single->key != key) return false;
    out->single = single;
    out->items = &out->single;
    out->triggers = NULL;
    out->count = 1;
    out->options = isa__registration_tag_load(single) & ISA_TAG_OPTIONS;
    return true;
}

static inline uintptr_t isa__observing_load(const struct isa__side *side)
{
    return __atomic_load_n(&side->observing, __ATOMIC_ACQUIRE);
}

// Whether `registration`, or one equal to it, stands in `observing`, the present value of the word
// of `object`. For an ended registration of an observer object an equal one serves, as in
// Foundation; under GNUstep's profile none does.
bool isa__registration_stands(const struct isa__registration *registration, isa_id object,
                              uintptr_t observing);

// ---- for the registry ---------------------------------------------------------------------------

// All registrations in the word; `*single` is storage for the case of one.
struct isa__registration **isa__word_items(uintptr_t observing, struct isa__registration **single,
                                           uint32_t *count);

// The snapshot that the word leads to, or NULL.
static inline struct isa__snapshot *isa__word_snapshot(uintptr_t observing)
{
    return observing & 1 ? NULL : (struct isa__snapshot *)observing;
}

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

// Retires what a replaced word led to, or gives up its use of shared observers. No lock held.
void isa__word_retire(uintptr_t observing);

// Gives up a use of shared observers' snapshot; the last one retires its registrations with it.
void isa__snapshot_drop(struct isa__snapshot *base);

void isa__snapshot_start(void);

#endif
