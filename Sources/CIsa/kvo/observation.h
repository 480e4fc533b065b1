// Registrations, and the registry of one object: an immutable list, swapped whole at each change.
//
// The side record's `observing` word is 0 (nobody observes), a registration's address with bit 0
// set (exactly one), or a snapshot's address. Readers load it under a mark, see base/reclaim.h.
#ifndef ISA_KVO_OBSERVATION_H
#define ISA_KVO_OBSERVATION_H

#include "../base/reclaim.h"
#include "../kvc/key.h"
#include "../object/side.h"
#include "kvo.h"

// One registration. Its observer is a function, or an object held weakly or strongly.
struct isa__registration {
    union {
        struct isa__side *side;    // of the observed object; held, for a function observer
        struct isa__retired *next; // once retired; nobody looks for the side then
    };
    uint32_t tag;        // enum isa__registration_tag, below ISA_RETIRED_TAG_SHIFT; atomic builtins
    uint32_t references; // being registered counts one; the token, a pending change one each
    const struct isa__key *key;
    void *context;
    union {
        kvo_function function;
        struct {
            isa_weak weak; // always, to compare by
            isa_id strong; // with KVO_OPTION_RETAIN_OBSERVER
        } observer;
    };
};

static_assert(sizeof(struct isa__registration) == 56, "an observed object pays for every word");
static_assert(offsetof(struct isa__registration, tag) == offsetof(struct isa__retired, tag),
              "it can be retired");

enum isa__registration_tag {
    ISA_TAG_OPTIONS = 15,     // KVO_OPTION_NEW … KVO_OPTION_PRIOR
    ISA_TAG_STRONG = 16,      // holds its observer strongly
    ISA_TAG_FUNCTION = 32,
    ISA_TAG_ENDED = 64,       // may not be told any more; whoever sets it has the duty to retire it
    ISA_TAG_REGISTERED = 128, // has been put into a registry
    ISA_TAG_OUT = 256,        // left out of the next snapshot; used under the object's lock
    ISA_TAG_RELEASED = 1024, // its token was released
    ISA_TAG_ORPHAN = 512,     // ended, but still linked: whoever takes it out retires it
};

// What a changed key is to a snapshot: the registrations it concerns, in registration order.
struct isa__group {
    const struct isa__key *key;
    uint32_t start;   // in `grouped`
    uint32_t count;
    uint32_t options; // of all of them together
};

struct isa__snapshot {
    struct isa__retired retired;
    uint32_t count;
    uint32_t group_count;
    struct isa__registration **items;   // in registration order
    struct isa__registration **grouped; // key by key; `items` itself where there is one key
    uint32_t *slots;  // where there are many keys: by hash, the group's number and one, 0: none
    uint32_t slot_mask;
    struct isa__group groups[]; // and behind them the storage of both
};

// The registrations that a change of one key concerns.
struct isa__affected {
    struct isa__registration *const *items; // in registration order
    uint32_t count;
    uint32_t options;               // of all of them together
    struct isa__registration *single; // where the word leads to one: storage for `items`
};

bool isa__affected_find_in_snapshot(const struct isa__snapshot *snapshot,
                                    const struct isa__key *key, struct isa__affected *out);

static inline uint32_t isa__registration_tag_load(const struct isa__registration *registration)
{
    return __atomic_load_n(&registration->tag, __ATOMIC_ACQUIRE);
}

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
    out->count = 1;
    out->options = isa__registration_tag_load(single) & ISA_TAG_OPTIONS;
    return true;
}

static inline uintptr_t isa__observing_load(const struct isa__side *side)
{
    return __atomic_load_n(&side->observing, __ATOMIC_ACQUIRE);
}

// Whether `registration`, or one equal to it, stands in `observing`, the word's present value. For
// an ended registration of an observer object an equal one serves, as in Foundation.
bool isa__registration_stands(const struct isa__registration *registration, uintptr_t observing);

// Makes a registration, not registered yet; two references for a function's (one is the token's).
// Errors: ISA_ERR_NO_MEMORY; ISA_ERR_DEALLOCATING for an observer that is being deallocated.
isa_status isa__registration_make(struct isa__side *side, const struct isa__key *key,
                                  uint32_t options, void *context, isa_id observer,
                                  const kvo_function *function, struct isa__registration **out);

// Undoes isa__registration_make for a registration that never was registered: its function's
// release is not called. Gives up the token's reference too, unless the token was released already.
void isa__registration_discard(struct isa__registration *registration);

// Adds a reference.
void isa__registration_hold(struct isa__registration *registration);

// Ends the registration if it stands, and gives up the token's reference.
void isa__registration_release_token(struct isa__registration *registration);

// Gives up a reference; the last one frees. The registration must have ended.
void isa__registration_drop(struct isa__registration *registration);

// Puts a registration in, and takes out those whose observer has died. `notifying`, if not NULL, is
// the class that the object's isa becomes unless a notifying class is on its chain already.
//
// A registration that ended meanwhile (inside its initial notification) is not put in but retired.
//
// Errors: ISA_ERR_NO_MEMORY, and nothing changed.
isa_status isa__registry_add(isa_id object, struct isa__registration *registration,
                             isa_class notifying);

// Which registration to remove: the latest of `observer` for `key`, with exactly `*context` unless
// `context` is NULL.
struct isa__removal {
    isa_id observer;
    const struct isa__key *key;
    void *const *context;
};

// Takes one registration out. Once this has returned no callback of it starts.
//
// Errors: KVO_ERR_NOT_REGISTERED, without setting the last error; ISA_ERR_NO_MEMORY.
isa_status isa__registry_remove(isa_id object, const struct isa__removal *removal);

// Ends a function's registration, wherever it stands. False if it had ended.
bool isa__registration_end(struct isa__registration *registration);

// Takes out all registrations of an object that is being deallocated.
void isa__registry_end(isa_id object);

// Takes out nothing but shows all: calls `visit` for each in registration order, with the lock
// held.
void isa__registry_visit(isa_id object, void (*visit)(struct isa__registration *, void *),
                         void *context);

// The observer object's address, or the function's info: only a name.
const void *isa__registration_observer_name(const struct isa__registration *registration);

// Frees registrations and snapshots when their time has come. At start.
void isa__observation_start(void);

#endif
