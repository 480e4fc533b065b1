// Registrations: one observer's claim to be notified of one key path of one object.
#ifndef ISA_OBSERVING_REGISTRATION_H
#define ISA_OBSERVING_REGISTRATION_H

#include "../base/reclaim.h"
#include "../coding/facts.h"
#include "../object/object.h"
#include "path.h"

struct isa__registration_list;
struct isa__shared_function;

// The fields that not every registration has.
struct isa__registration_rest {
    void *context;
    union {
        void (*release)(void *info);       // of a function
        struct isa__shared_function *uses; // of a shared one: has a use of the function
    };
};

// One registration. Its observer is a function, or an object held weakly or strongly.
struct isa__registration {
    union {
        struct isa__side *side; // of the observed object; held, for a function observer
        struct isa__registration_list *base; // of a shared one: the list that it stands in
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
    // The number, with ISA_TAG_NUMBERED, comes last.
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
    ISA_TAG_ENDED = 64,       // notified no more; the thread that sets it has to retire it
    ISA_TAG_REGISTERED = 128, // has been put into a registry
    ISA_TAG_RELEASED = 256,   // its token was released
    ISA_TAG_CHAINED = 512,    // has a chain: its key path is more than one key for itself
    ISA_TAG_FORWARDER = 1024, // its function serves another registration: `info` is its link
    ISA_TAG_SHARED = 2048,    // belongs to shared observers, and to many objects
    ISA_TAG_TIMED = 4096,     // it is recorded since when it stands
    ISA_TAG_BARE = 8192,      // has neither context nor release, nor time nor chain
    ISA_TAG_FOREIGN = 16384,  // its changes say so
    ISA_TAG_WAITED = 32768,   // its removal has waited: none of its callbacks starts any more
    ISA_TAG_NUMBERED = 65536, // made while the event log was on: it has a number in the log
    ISA_TAG_REFUSED = 131072, // taken back, since its key path cannot be followed
    ISA_TAG_NOTED = ISA_TAG_TIMED | ISA_TAG_NUMBERED, // has a note of its making
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

// Its number in the event log. A registration that was made while the log was off has room for
// none: its number is made of its address and how often the log has begun, and holds until the log
// ends. Registrations that are made at the address meanwhile have numbers of their own.
uint64_t isa__registration_number(const struct isa__registration *registration);

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

// ISA_TAG_TIMED and ISA_TAG_NUMBERED: what is noted of registrations that are made from now on.
extern ISA_HIDDEN uint32_t isa__registration_notes; // atomic builtins

static inline uint32_t isa__registration_notes_load(void)
{
    return __atomic_load_n(&isa__registration_notes, __ATOMIC_RELAXED);
}

// The key under which a list finds the registration first.
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

#endif
