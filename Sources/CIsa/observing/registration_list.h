// The registrations of one object: none, one, or a list of them that grows in place.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address (exactly one,
// of one key; a shared one stands for the list that it is alone in), or a list's address with
// ISA_WORD_LIST added. Readers load it in a reader section, by isa__enter.
#ifndef ISA_OBSERVING_REGISTRATION_LIST_H
#define ISA_OBSERVING_REGISTRATION_LIST_H

#include "registration.h"

// Valgrind must know the list by that word: eight bytes into a block are the first element of a
// C++ array to it, where the number before them divides the rest of the block.
enum { ISA_WORD_LIST = 8, ISA_LIST_ELEMENTS = 1 };

// The value of no word, for one whose address may have come to be another's.
enum { ISA_WORD_INCOMPARABLE = 1 };

// How many options of registrations are counted: new, old, prior.
enum { ISA_OPTIONS_COUNTED = 3 };

// The registrations in a list that one changed key concerns, in registration order: a run of places
// in the list's block, each with a registration's address. It is read without a lock, as follows:
//
// - Adding writes behind what is shown, and then shows one more. A change that began before goes on
//   with what it began with, so a latecomer is not notified.
// - Removing puts a registration in the place that has ended and is never notified. A reader that
//   loaded the former one did so in a reader section, before the heavy barrier of its retirement,
//   and it is kept until that section ends; a reader that loads the place after it finds the other.
//   So the argument of reclaim.h holds, with this store as U1.
// - A place is not used again while a thread may look at the list: a change that began before could
//   take the latecomer in it for what was there.
// - A run without room is copied, place by place, to a longer one in the same block. A reader loads
//   how many are used and then where they are, so a later run has all that it looks for. A reader
//   that goes on in the former run finds there what was removed meanwhile: its section covers that,
//   and the check finds that it has ended.
// - The options are the options of all registrations, or more: added before a registration is
//   shown, taken away after it is gone.
//
// Modelled in Tests/Protocol/lists.pml.
struct isa__key_run {
    const struct isa__key *key;
    isa__word64 where; // see isa__run_items; atomic builtins, as what follows
    uint32_t used;
    uint32_t gone;     // of the used ones
    uint8_t options;   // of the registrations that are notified as the key changes
    bool is_announced; // some of the others have something to do before the change
    uint32_t wanted[ISA_OPTIONS_COUNTED]; // how many ask for each; guarded by the object's lock
};

// A list is one block: the runs' heads, an entry for each place in registration order, the tables
// by which many are found, and the places. A place that has been given out stays as it is, so that
// readers find it. A list without room is made anew, without the registrations that have died
// meanwhile. A list is changed under the object's lock; a list of shared observers never changes.
struct isa__registration_list {
    struct isa__retired *next; // ISA_LIST_ELEMENTS until it is retired
    uint32_t tag;
    uint32_t used;         // entries
    uint32_t gone;         // of the used ones
    uint32_t capacity;     // of entries
    uint32_t key_count;    // atomic builtins
    uint32_t key_capacity;
    uint32_t mask;         // of its tables: one less than each has places; 0: none, for a few
    uint32_t filled;       // words of the block given out
    uint32_t size;         // of the block, in words
    uint32_t changes;      // how many registrations have been added or taken out
    union {
        isa__word64 users; // of ISA_LIST_SHARED: words, lists and a collection; atomic builtins
        struct isa__registration_list *base; // the shared observers that it begins with; has a use
    };
    struct isa__key_run keys[];
};

static_assert(offsetof(struct isa__registration_list, tag) == offsetof(struct isa__retired, tag),
              "it can be retired");

// In the tag. A worn list has a run of which most are gone, so that its readers walk past many for
// a few.
enum { ISA_LIST_SHARED = 1, ISA_LIST_WORN = 2 };

// The registrations that a change of one key concerns.
struct isa__affected {
    struct isa__registration *const *items; // in registration order
    const struct isa__dependency *const *dependencies; // of each; NULL: all as the key changes
    uint32_t count;
    uint32_t options;               // of all that are notified as the key changes
    bool is_announced;              // some of the others have something to do before it
    struct isa__registration *single; // where the word leads to one: storage for `items`
    const uint32_t *used; // what `count` was, or as many as there are by now; atomic builtins
};

// The registration that the word leads to alone, or NULL.
static inline struct isa__registration *isa__word_single(uintptr_t observing)
{
    return observing & ISA_WORD_LIST ? NULL : (struct isa__registration *)observing;
}

// The list that the word leads to, or NULL.
static inline struct isa__registration_list *isa__word_list(uintptr_t observing)
{
    if (!(observing & ISA_WORD_LIST)) return NULL;
    return (struct isa__registration_list *)(observing - ISA_WORD_LIST);
}

static inline uintptr_t isa__word_of_list(const struct isa__registration_list *list)
{
    return (uintptr_t)list + ISA_WORD_LIST;
}

bool isa__affected_find_in_list(const struct isa__registration_list *list,
                                const struct isa__key *key, struct isa__affected *out);

// Finds what a change of `key` concerns in the word `observing`, read in a reader section that
// still stands. False if nothing.
static inline bool isa__affected_find(uintptr_t observing, const struct isa__key *key,
                                      struct isa__affected *out)
{
    struct isa__registration *single = isa__word_single(observing);
    if (single == NULL) return isa__affected_find_in_list(isa__word_list(observing), key, out);
    if (single->key != key) return false;
    out->single = single;
    out->items = &out->single;
    out->dependencies = NULL;
    out->is_announced = false;
    out->count = 1;
    out->used = &out->count;
    out->options = isa__registration_tag_load(single) & ISA_TAG_OPTIONS;
    return true;
}

// Whether more may have been registered for the key since that was found in the word `seen`, which
// is `now`.
static inline bool isa__affected_may_have_grown(const struct isa__affected *affected,
                                                uintptr_t seen, uintptr_t now)
{
    return now != seen || __atomic_load_n(affected->used, __ATOMIC_ACQUIRE) != affected->count;
}

// One of `items` of the above. It may be replaced at any time, so load it once.
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

// ---- for the registry: the object's lock held ---------------------------------------------------

// The registrations that the word leads to, one after the other in registration order, shared ones
// first; `*at` is 0 at first. NULL once all have been answered.
struct isa__registration *isa__word_next(uintptr_t observing, uint32_t *at);

// Which registration to look for.
struct isa__seeking {
    uint32_t hash; // its isa__seeking_hash
    bool (*is)(const struct isa__registration *registration, const void *wanted);
    const void *wanted;
    bool oldest; // instead of the latest
};

// A function's registration is found by its own address, an observer object's by its side record
// and the key path.
uint32_t isa__seeking_hash(const void *identity, const struct isa__key *key);

// Finds a registration, NULL if there is none.
struct isa__registration *isa__word_seek(uintptr_t observing, const struct isa__seeking *seeking);

// Where the registration stands, for isa__list_remove; ISA_NOWHERE if it does not.
enum { ISA_NOWHERE = UINT32_MAX };
uint32_t isa__word_find(uintptr_t observing, const struct isa__registration *registration);

// Whether the registration is all that the word leads to, and there are no shared observers.
bool isa__word_has_only(uintptr_t observing, const struct isa__registration *registration);

// The word with a list of shared observers in the place of a registration that stands for it.
uintptr_t isa__word_in_full(uintptr_t observing);

// The list that may be changed in place, NULL if there is none; the shared observers' list, or
// NULL.
struct isa__registration_list *isa__word_own_list(uintptr_t observing);
struct isa__registration_list *isa__word_base(uintptr_t observing);

// Adds a registration at the end: in place, or to a list that is made of none or one. False and
// nothing done if the word has to be made anew: there is no room, or one of a few has died. Dead
// ones among many wait until their list is made anew.
bool isa__word_add(uintptr_t *observing, struct isa__registration *registration);

// Takes the registration that stands at a place out of a list. Where no thread looks at the list,
// `is_unwatched`, the place is used again if it is the last. A registration that another thread may
// be about to notify has ended before: a reader in a run that was moved finds it there still, and
// may have loaded the options without the registration's own.
void isa__list_remove(struct isa__registration_list *list, uint32_t place, bool is_unwatched);

// The word for what is left of a list, which may take none: 0, a registration's, or that of shared
// observers, to which a use is added.
uintptr_t isa__word_settled(uintptr_t observing);

// Whether a word should be made anew after a removal: one of a few has died, or few of many are
// left, of all or of one key. `leaving` is to go, or has gone if it is NULL.
bool isa__word_is_worn(uintptr_t observing, const struct isa__registration *leaving);

// Ends a registration that has left its registry, and puts it in front of `*ended`, to be retired,
// unless the thread that ended it before does that.
void isa__registration_leave(struct isa__registration *registration, struct isa__retired **ended);

// The parts of the next word, where it is made anew: the shared observers' list or NULL; then the
// registrations that `former` leads to, except shared ones, `drop` and the dead; then `add` or
// NULL. Registrations left out are put in front of `*ended`; with `ended` NULL the dead stay.
struct isa__word_parts {
    struct isa__registration_list *base;
    uintptr_t former;
    const struct isa__registration *drop;
    struct isa__registration *add;
    struct isa__retired **ended;
    bool is_optional; // a word that cannot be made is no failure to report
};

// Errors: ISA_ERR_NO_MEMORY, and nothing changed.
isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out);

// ---- with no lock held --------------------------------------------------------------------------

// Makes the list of shared observers, with one use; takes the registrations over if it succeeds.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__list_make_shared(struct isa__registration **items, uint32_t count,
                                 struct isa__registration_list **out);

// Lets go of what a replaced word, in full, led to, at once if no other thread holds it (`alone`),
// or gives up its use of shared observers.
void isa__word_let_go(uintptr_t observing, bool alone);

// Adds a use of shared observers' list; gives one up, and the last one retires its registrations
// with it.
void isa__list_use(struct isa__registration_list *base);
void isa__list_drop(struct isa__registration_list *base);

void isa__list_start(void);

#endif
