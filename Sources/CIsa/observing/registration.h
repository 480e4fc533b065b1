// Registrations: one of them, lists of many by key, and the snapshots that readers see.
#ifndef ISA_OBSERVING_REGISTRATION_H
#define ISA_OBSERVING_REGISTRATION_H

#include "../base/directory.h"
#include "../base/reclaim.h"
#include "../coding/facts.h"
#include "../object/object.h"
#include "path.h"

struct isa__snapshot;
struct isa__shared_function;

// The fields that not every registration has.
struct isa__registration_rest {
    void *context;
    union {
        void (*release)(void *info);       // of a function
        struct isa__shared_function *uses; // of a shared one: has a use of it
    };
};

// One registration. Its observer is a function, or an object held weakly or strongly.
struct isa__registration {
    union {
        struct isa__side *side; // of the observed object; held, for a function observer
        struct isa__snapshot *base; // of a shared one: the list that it stands in
        struct isa__retired *next; // once retired; nobody looks for the others then
    };
    uint32_t tag;        // enum isa__registration_tag, below ISA_RETIRED_TAG_SHIFT; atomic builtins
    uint32_t references; // being registered counts one; the token, a pending change one each
    const struct isa__key *key;
    union {
        struct {
            kvo_callback callback;
            void *info;
        } function;
        struct {
            isa_weak weak; // always, to compare by
            isa_id strong; // with KVO_OPTION_RETAIN_OBSERVER
        } observer;
    };
    // One, without ISA_TAG_BARE. The time comes behind it with ISA_TAG_TIMED, and then the chain.
    struct isa__registration_rest rest[];
};

static_assert(sizeof(struct isa__registration) == 8 + 4 * sizeof(void *),
              "an observed object pays for every word");
static_assert(offsetof(struct isa__registration, tag) == offsetof(struct isa__retired, tag),
              "it can be retired");

enum isa__registration_tag {
    ISA_TAG_OPTIONS = 15,     // KVO_OPTION_NEW … KVO_OPTION_PRIOR
    ISA_TAG_STRONG = 16,      // holds its observer strongly
    ISA_TAG_FUNCTION = 32,
    ISA_TAG_ENDED = 64,       // may not be told any more; the thread that sets it has to retire it
    ISA_TAG_REGISTERED = 128, // has been put into a registry
    ISA_TAG_OUT = 256,        // left out of the next snapshot; used under the object's lock
    ISA_TAG_ORPHAN = 512,     // ended, but still linked: the one that takes it out retires it
    ISA_TAG_RELEASED = 1024,  // its token was released
    ISA_TAG_CHAINED = 2048,   // has a chain: its key path is more than one key for itself
    ISA_TAG_FORWARDER = 4096, // its function serves another registration: `info` is its hop
    ISA_TAG_SHARED = 8192,    // belongs to shared observers, and to many objects
    ISA_TAG_TIMED = 16384,    // it is recorded since when it stands
    ISA_TAG_BARE = 32768,     // has neither context nor release, nor time nor chain
    ISA_TAG_FOREIGN = 65536,  // its changes say so
    ISA_TAG_WAITED = 131072,  // its removal has waited: no callback of it starts any more
};

static inline uint32_t isa__registration_tag_load(const struct isa__registration *registration)
{
    return __atomic_load_n(&registration->tag, __ATOMIC_ACQUIRE);
}

static inline void *isa__registration_context(const struct isa__registration *registration)
{
    if (isa__registration_tag_load(registration) & ISA_TAG_BARE) return NULL;
    return registration->rest[0].context;
}

// Adds a use of a shared function; gives one up, and the last one lets go of its info.
struct isa__shared_function *isa__shared_function_use(struct isa__shared_function *function);
void isa__shared_function_drop(struct isa__shared_function *function);

// Lets go of a function's info.
static inline void isa__registration_release_info(const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_BARE) return;
    if (tag & ISA_TAG_SHARED) {
        isa__shared_function_drop(registration->rest[0].uses);
        return;
    }
    void (*release)(void *info) = registration->rest[0].release;
    if (release != NULL) release(registration->function.info);
}

// When it was made, with ISA_TAG_TIMED.
static inline uint64_t *isa__registration_since(const struct isa__registration *registration)
{
    return (uint64_t *)(uintptr_t)(registration->rest + 1);
}

// Whether a registration of that tag holds its side record: its token may outlive the object.
static inline bool isa__registration_holds_side(uint32_t tag)
{
    return (tag & ISA_TAG_FUNCTION) != 0 && !(tag & ISA_TAG_SHARED);
}

// The parts that a registration is made of.
struct isa__registration_parts {
    struct isa__side *side; // of the observed object; NULL: shared
    const struct isa__path *path;
    uint32_t options;
    void *context;
    isa_id observer; // NULL: `function`
    const kvo_function *function;
    struct isa__shared_function *uses; // of a shared function
    bool is_forwarder;
};

// Makes a registration, not registered yet; two references for a function's (one is the token's).
// Errors: ISA_ERR_NO_MEMORY; ISA_ERR_DEALLOCATING for an observer that is being deallocated.
isa_status isa__registration_make(const struct isa__registration_parts *parts,
                                  struct isa__registration **out);

// The same for a function and one key that nothing affects, of which no time is recorded. NULL when
// memory is short.
struct isa__registration *isa__registration_make_plain(struct isa__side *side,
                                                       const struct isa__key *key,
                                                       uint32_t options, void *context,
                                                       const kvo_function *function);

extern ISA_HIDDEN bool isa__times_are_recorded; // atomic builtins

static inline bool isa__registration_times_are_recorded(void)
{
    return __atomic_load_n(&isa__times_are_recorded, __ATOMIC_RELAXED);
}

// The key under which a snapshot finds the registration first.
const struct isa__key *isa__registration_first_key(const struct isa__registration *registration);

// Undoes isa__registration_make for a registration that never was registered: its function's
// release is not called. Gives up the token's reference too, unless the token was released already.
void isa__registration_discard(struct isa__registration *registration);

// Adds a reference.
void isa__registration_hold(struct isa__registration *registration);

// Whether the caller's reference is the only one: nobody can add to it.
static inline bool isa__registration_is_last(const struct isa__registration *registration)
{
    return __atomic_load_n(&registration->references, __ATOMIC_ACQUIRE) == 1;
}

// Gives up a reference, or `count` of them; the last one frees. The registration must have ended.
void isa__registration_drop(struct isa__registration *registration);
void isa__registration_drop_many(struct isa__registration *registration, uint32_t count);

// The observer object's address, or the function's info: only a name.
const void *isa__registration_observer_name(const struct isa__registration *registration);

// Writes the observer as `<Person 0x…>`; as `<0x…>` what is a function's info, or has died.
enum { ISA_OBSERVER_TEXT_SIZE = 160 };
void isa__registration_write_observer(const struct isa__registration *registration,
                                      char text[ISA_OBSERVER_TEXT_SIZE]);

// Whether both are registrations of one observer for one key path with equal options and context.
bool isa__registration_equal(const struct isa__registration *first,
                             const struct isa__registration *second);

// Ended, or its observer is gone.
bool isa__registration_is_dead(const struct isa__registration *registration);

static inline void isa__registration_tag_set(struct isa__registration *registration, uint32_t bits)
{
    __atomic_fetch_or(&registration->tag, bits, __ATOMIC_SEQ_CST);
}

void isa__registration_start(void);

// ---- rosters ------------------------------------------------------------------------------------

// The table of an object with many registrations, in place of a snapshot's own places: a list for
// each key and one of all, which its snapshots share while they grow and shrink.

// The fewest places that a roster is made for.
enum { ISA_ROSTER_LEAST = 9, ISA_LIST_OPTIONS = 4 };

// The registrations for one key, or all, in registration order. It is read without a lock, as
// follows:
//
// - Adding writes behind what is shown, and then shows one more. A change that began before goes on
//   with what it began with, so a latecomer is not told.
// - Removing puts a registration in the place that has ended and is never told. A reader that
//   loaded the former one did so under a mark, before the heavy barrier of its retirement, and it
//   is kept until that mark is left; one that loads the place after it finds the other. So the
//   argument of reclaim.h holds, with this store as U1.
// - A place is never used again: a change that began before could take the latecomer in it for what
//   was there.
// - The options are those of all, or more: added before one is shown, taken away after it is gone.
//
// A list of one key without room is replaced in its roster by a longer one, and retired; where that
// of all has none the whole roster is made anew, without those that have died meanwhile.
struct isa__list {
    struct isa__retired retired;
    const struct isa__key *key; // NULL: of all
    const struct isa__trigger **triggers; // beside `items`; NULL: the key alone, of each
    uint32_t used; // atomic builtins, as what follows
    uint32_t gone; // of those used
    uint32_t options; // of those that are told as the key changes
    bool is_announced; // some of the others have something to do before the change
    uint32_t capacity;  // guarded by the object's lock, as what follows
    uint32_t first;     // none before it is still there
    uint32_t wanted[ISA_LIST_OPTIONS]; // how many ask for each option
    struct isa__list_index *index; // NULL until one was looked for in vain near both ends
    struct isa__registration *items[]; // atomic builtins
};

struct isa__roster {
    uint32_t users; // snapshots that show it; atomic builtins
    struct isa__list *all;
    struct isa__directory lists; // by key
};

// Finds what a change of `key` concerns. False if nothing.
struct isa__affected;
bool isa__roster_find(const struct isa__roster *roster, const struct isa__key *key,
                      struct isa__affected *out);

// ---- for the registry: the object's lock held ---------------------------------------------------

// Makes an empty roster with no user and room for `count` registrations and as many again; NULL
// when memory is short.
struct isa__roster *isa__roster_make(uint32_t count);

// Makes room for a registration. False if the roster has to be made anew, or memory is short. Lists
// that were replaced are put in front of `*outdated`, to be retired.
bool isa__roster_reserve(struct isa__roster *roster, const struct isa__registration *registration,
                         struct isa__retired **outdated);

// Adds a registration that there is room for.
void isa__roster_add(struct isa__roster *roster, struct isa__registration *registration);

// Takes a registration out. False if it is not there.
bool isa__roster_remove(struct isa__roster *roster, const struct isa__registration *registration,
                        struct isa__retired **outdated);

// Whether so many have gone that the roster has to be made anew, or end.
bool isa__roster_is_worn(const struct isa__roster *roster);

// Which registration to look for.
struct isa__seeking {
    uint32_t hash; // isa__seeking_hash of it
    bool (*is)(const struct isa__registration *registration, const void *wanted);
    const void *wanted;
    bool oldest; // instead of the latest
};

// A function's registration is found by its own address, an observer object's by its side record
// and the key path.
uint32_t isa__seeking_hash(const void *identity, const struct isa__key *key);

// Finds a registration, NULL if there is none.
struct isa__registration *isa__roster_seek(struct isa__roster *roster,
                                           const struct isa__seeking *seeking);

// Gives up a use; the last one frees the roster and its lists.
void isa__roster_drop(struct isa__roster *roster);

void isa__roster_start(void);

// ---- snapshots ----------------------------------------------------------------------------------

// Immutable lists of registrations, and finding in them what a changed key concerns.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address (exactly one,
// of one key; a shared one stands for the list that it is alone in), or a snapshot's address with
// ISA_WORD_SNAPSHOT added. Readers load it under a mark, by isa__enter.

// Valgrind must know the snapshot by that word: eight bytes into a block are the first element of a
// C++ array to it, where the number before them divides the rest of the block.
enum { ISA_WORD_SNAPSHOT = 8, ISA_SNAPSHOT_ELEMENTS = 1 };

// The value of no word, for one whose address may have come to be another's.
enum { ISA_WORD_INCOMPARABLE = 1 };

// One of the keys that a registration is listed under; trigger NULL: the key alone.
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

// The registrations in a snapshot that one changed key concerns, in registration order.
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
    uint32_t capacity; // of `grouped`, where a registration stands for each of its triggers
    // Of shared observers: how many words and snapshots lead here, their collection included.
    isa__word64 users; // atomic builtins; 0: one object's own
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

// The word with a snapshot of shared observers in the place of a registration that stands for it.
// The object's lock is held: the registration is there.
static inline uintptr_t isa__word_in_full(uintptr_t observing)
{
    const struct isa__registration *single = isa__word_single(observing);
    if (single == NULL || !(isa__registration_tag_load(single) & ISA_TAG_SHARED)) return observing;
    return isa__word_of_snapshot(single->base);
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

// The parts of the next word: the shared observers' snapshot or NULL, then those of `items` that
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

// Whether a word leads to registrations of one object's own, and to no roster. The object's lock is
// held.
static inline bool isa__word_is_simple(uintptr_t observing)
{
    const struct isa__snapshot *snapshot = isa__word_snapshot(isa__word_in_full(observing));
    return snapshot == NULL || (snapshot->roster == NULL && snapshot->base == NULL &&
                                __atomic_load_n(&snapshot->users, __ATOMIC_RELAXED) == 0);
}

// Takes `drop` out of what the word leads to, or puts `add` in at its end, as it stands: no thread
// may be looking at it. False and nothing done if the word has to be made anew, or has no `drop`.
bool isa__word_change(uintptr_t observing, const struct isa__registration *drop,
                      struct isa__registration *add);

// Makes the list of shared observers, with one use; takes the registrations over if it succeeds.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__snapshot_make_shared(struct isa__registration **items, uint32_t count,
                                     struct isa__snapshot **out);

// The snapshot that shows what a roster has now; NULL when memory is short.
struct isa__snapshot *isa__snapshot_show(struct isa__roster *roster);

// Lets go of what a replaced word, in full, led to, at once if no other thread holds it (`alone`),
// or gives up its use of shared observers. No lock held.
void isa__word_let_go(uintptr_t observing, bool alone);

// Adds a use of shared observers' snapshot; gives one up, and the last one retires its
// registrations with it.
void isa__snapshot_use(struct isa__snapshot *base);
void isa__snapshot_drop(struct isa__snapshot *base);

void isa__snapshot_start(void);

#endif
