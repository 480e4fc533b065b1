// Notifying classes: NSKVONotifying_…, one per original class, what it watches, and its wrappers.
#ifndef ISA_OBSERVING_NOTIFYING_CLASS_H
#define ISA_OBSERVING_NOTIFYING_CLASS_H

#include "../base/event.h"
#include "../base/status.h"
#include "../call/call.h"
#include "../call/signature.h"
#include "../coding/facts.h"
#include "../coding/to_many.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "kvo_foreign.h"

struct isa__older_declarations;
struct isa__path;
struct isa__wrapper;

// The facts of a registered key path, for instances of a class and of its notifying class.
struct isa__known_path {
    const struct isa__path *path; // lives as long as the class
    isa_class notifying;          // the class to swap the isa to; NULL: the isa is to stay
};

// The wrappers of a notifying class, by selector: open addressing, replaced whole when it grows.
struct isa__wrapper_table {
    uint32_t mask;
    uint32_t count;
    struct isa__wrapper_table *outgrown; // a thunk may be inside; freed with the class
    struct isa__wrapper *slots[];
};

// One class that has been observed. Lives as long as the class.
struct isa__observed {
    isa_class original;
    isa_class notifying;     // NULL: not made yet
    bool name_taken;         // somebody else's class has its name
    struct isa__array paths; // all that were ever made: registrations may still refer to them
    struct isa__map reported; // keys whose setters are left alone, as was reported
    struct isa__older_declarations *older_declarations; // guarded in dependency.c
    struct isa__array setters; // every setter record ever made, in order
    isa__word64 overrides; // enum isa__overrides, above the method epoch that they hold for; atomic
                        // builtins
};

// Messages that the class answers itself.
enum isa__overrides {
    ISA_OVERRIDES_CHANGES = 1, // willChangeValueForKey: or didChangeValueForKey:
    ISA_OVERRIDES_INFO = 2,    // observationInfo
    // setObservationInfo: or addObserver:…, or it is a collection, or follows GNUstep's profile
    ISA_IS_UNUSUAL = 4,
};
enum { ISA_OVERRIDES_BITS = 3, ISA_OVERRIDES_MASK = (1 << ISA_OVERRIDES_BITS) - 1 };

// The notifying class on the chain of `cls`, itself included; NULL if none.
isa_class isa__notifying_find(isa_class cls);

// The record of a class that may be observed: of its notifying class's original if it has one on
// its chain, else of itself. Made at the first call; NULL when memory is short.
struct isa__observed *isa__observed_get(isa_class cls);

// The notifying class's record; NULL for any other class.
struct isa__observed *isa__observed_of_notifying(isa_class cls);

// Prepares `key_path` of the class for observation, unless that is known: works out which of the
// class's keys it has to do with, how each is read, and if one is automatic the notifying class
// with its setters and accessors wrapped.
//
// Runs class methods of the observed class, so call it with no lock held.
// Errors: the errors of isa__path_make, and of the search and of wrapping for want of memory;
//         nothing is half-done then.
isa_status isa__observed_prepare(struct isa__observed *observed, const struct isa__key *key_path,
                                 struct isa__known_path *out);

// As kvo_class_copy_setters.
isa_status isa__observed_copy_setters(struct isa__observed *observed, kvo_setter_info **out,
                                      size_t *count);

// The methods that the class overrides, as enum isa__overrides.
uint32_t isa__observed_check_overrides(struct isa__observed *observed, uint64_t epoch);

static inline uint32_t isa__observed_overrides(struct isa__observed *observed)
{
    uint64_t epoch = isa__method_epoch();
    uint64_t known = __atomic_load_n(&observed->overrides, __ATOMIC_ACQUIRE);
    if (known >> ISA_OVERRIDES_BITS == epoch) return (uint32_t)known & ISA_OVERRIDES_MASK;
    return isa__observed_check_overrides(observed, epoch);
}

// Whether it is known that registering on objects of the class concerns nobody but their registry,
// and nobody listens to the event log.
static inline bool isa__observed_is_usual(const struct isa__observed *observed)
{
    uint64_t known = __atomic_load_n(&observed->overrides, __ATOMIC_ACQUIRE);
    return known >> ISA_OVERRIDES_BITS == isa__ways_load() && !(known & ISA_IS_UNUSUAL);
}

// Whether changes of `key` are announced automatically by `cls`: asks the class.
bool isa__class_notifies_automatically(isa_class cls, const char *key);

// The same for an interned key, which remembers where no class can have a method for it alone.
bool isa__key_notifies_automatically(isa_class cls, const struct isa__key *key);

// Gives the root's metaclass the methods that decide; connects the class hooks.
isa_status isa__subclass_start(void);

// ---- wrappers -----------------------------------------------------------------------------------

// Wrappers: methods of a notifying class that announce what the original does. One record for each;
// setter.c and accessor_wrapper.c make them.

// One wrapped method of one notifying class.
struct isa__wrapper {
    isa_sel selector;
    isa_class notifying;
    struct isa__observed *observed; // the notifying class's
    const struct isa__key *key; // atomic builtins: "x" and "X" share setX:, the latest key wins
    isa_imp imp;
    struct isa__trampoline *closure;          // NULL: a typed thunk
    bool is_planted;                          // the notifying class's method leads here
    uint8_t kind;                             // enum isa__wrapper_kind
    char letter;                              // of a setter's argument where it is a scalar, else 0
    uint8_t passed;                           // as what: enum isa__passed
    struct isa__accessor_signature signature; // of a mutator
    kvo_wrapping wrapping;                    // the policy that it was wrapped under
    const char *types;                        // the method's encoding, interned
    struct isa__cached_setter *cached;        // of a setter; atomic builtins
};

// The kind of a wrapped method: below these, enum isa__mutator.
enum isa__wrapper_kind {
    ISA_WRAPS_SETTER = 16,
    ISA_WRAPS_DICTIONARY_SET,        // setObject:forKey:
    ISA_WRAPS_DICTIONARY_REMOVE,     // removeObjectForKey:
    ISA_WRAPS_DICTIONARY_REMOVE_ALL, // removeAllObjects
};

// ---- finding ------------------------------------------------------------------------------------

static inline struct isa__wrapper *isa__wrapper_in_table(const struct isa__wrapper_table *table,
                                                         isa_sel sel)
{
    for (uint32_t at = sel->index & table->mask;; at = (at + 1) & table->mask) {
        struct isa__wrapper *wrapper = __atomic_load_n(&table->slots[at], __ATOMIC_ACQUIRE);
        if (wrapper == NULL || wrapper->selector == sel) return wrapper;
    }
}

// The record behind a notifying class's own method; NULL if it has none.
static inline struct isa__wrapper *isa__wrapper_in(isa_class cls, isa_sel sel)
{
    const struct isa__wrapper_table *table = __atomic_load_n(&cls->setters, __ATOMIC_ACQUIRE);
    return table == NULL ? NULL : isa__wrapper_in_table(table, sel);
}

// The same if it stands where it is looked for first; else NULL, which says nothing.
static inline struct isa__wrapper *isa__wrapper_first(isa_class cls, isa_sel sel)
{
    const struct isa__wrapper_table *table = __atomic_load_n(&cls->setters, __ATOMIC_ACQUIRE);
    if (table == NULL) return NULL;
    struct isa__wrapper *wrapper =
        __atomic_load_n(&table->slots[sel->index & table->mask], __ATOMIC_ACQUIRE);
    return wrapper != NULL && wrapper->selector == sel ? wrapper : NULL;
}

// The same for any object: looks further up too, under somebody else's subclass.
struct isa__wrapper *isa__wrapper_above(isa_id self, isa_sel sel);

// The key whose changes it announces at this moment.
static inline const struct isa__key *isa__wrapper_key(const struct isa__wrapper *wrapper)
{
    return __atomic_load_n(&wrapper->key, __ATOMIC_ACQUIRE);
}

// The IMP that the wrapper calls at this moment: the original class's present code, so that a patch
// counts.
static inline isa_imp isa__wrapper_original(const struct isa__wrapper *wrapper)
{
    return isa__dispatch_get(wrapper->notifying->superclass, wrapper->selector);
}

// ---- when the isa has gone back -----------------------------------------------------------------

// A wrapper may run although the isa no longer leads to a notifying class: a thread had fetched it
// just before, or other code kept its address. The message is sent again through the present isa;
// should that come back to a wrapper, the original is called.
struct isa__resend {
    uint32_t count; // of such messages that the thread is inside
};

// The IMP to call instead of `wrapper`. Notes that the message is being sent again. Never NULL.
isa_imp isa__resend_begin(struct isa__resend *resend, isa_id self, isa_sel sel, isa_imp wrapper);
void isa__resend_end(const struct isa__resend *resend);

// ---- cached setters -----------------------------------------------------------------------------

// A cached setter is what a typed setter needs where nothing is out of the ordinary, worked out
// beforehand.

// How one wrapped setter of a scalar announces. Replaced whole when it is stale, retired like a
// registration; its epochs alone are brought up to date in place, where all else is as before.
struct isa__cached_setter {
    struct isa__retired retired;
    isa__word64 ways;  // isa__ways while it may be followed, else never; atomic builtins
    isa__word64 epoch; // isa__method_epoch when it was worked out; atomic builtins
    isa_class notifying; // a change goes on by this while the object's isa leads here
    const struct isa__key *key;
    isa_imp original;
    isa_imp getter; // NULL: an ivar
    isa_sel getter_selector;
    size_t offset;     // of the ivar
    const char *types; // of the value, interned
};

// A wrapper's cached setter before it has one: never holds.
extern struct isa__cached_setter isa__no_cached_setter;

// The wrapper's cached setter. In a reader section, which must cover its use.
static inline const struct isa__cached_setter *
isa__cached_setter_of(const struct isa__wrapper *wrapper)
{
    return __atomic_load_n(&wrapper->cached, __ATOMIC_ACQUIRE);
}

// The value of isa__ways while the cached setter holds.
static inline uint64_t isa__cached_setter_ways(const struct isa__cached_setter *cached)
{
    return __atomic_load_n(&cached->ways, __ATOMIC_RELAXED);
}

// Whether the cached setter may be used at this moment: it is not stale, nothing in it is unusual,
// and there is no reason for the slow path.
static inline bool isa__cached_setter_holds(const struct isa__cached_setter *cached)
{
    return __builtin_expect(isa__cached_setter_ways(cached) == isa__ways_load(), 1);
}

// The value of isa__ways while it may be used although somebody listens to the event log, but not
// to the steps of a set.
static inline uint64_t isa__cached_setter_logged_ways(const struct isa__cached_setter *cached)
{
    return isa__cached_setter_ways(cached) | (uint64_t)ISA_SLOW_PATH_EVENTS << ISA_SLOW_PATH_SHIFT;
}

// Works the cached setter out if it is stale. None may be used where the class has its own will-
// and didChangeValueForKey: or observationInfo, follows GNUstep's profile, or reads the key
// otherwise than by a method or ivar of the setter's type. Without memory things stay as they are.
//
// Call with no lock held.
void isa__cached_setter_renew(struct isa__wrapper *wrapper);

void isa__cached_setters_start(void);

// ---- making -------------------------------------------------------------------------------------

// The record that serves `sel` under the present policy with this encoding, given to `key`; NULL if
// one has to be made. Observing lock held, as for the rest.
struct isa__wrapper *isa__wrapper_reuse_locked(struct isa__observed *observed,
                                               const struct isa__key *key, isa_sel sel,
                                               const char *types);

// Makes a record for `sel`, not planted yet; ends a record that never was planted.
struct isa__wrapper *isa__wrapper_make_locked(struct isa__observed *observed,
                                              const struct isa__key *key, isa_sel sel,
                                              const char *types);
void isa__wrapper_free(struct isa__wrapper *wrapper);

// Makes the notifying class's method lead to the record, which it takes over, also if it fails.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__wrapper_plant_locked(struct isa__observed *observed, struct isa__wrapper *wrapper);

// As kvo_class_copy_setters.
isa_status isa__wrappers_copy_locked(const struct isa__observed *observed, kvo_setter_info **out,
                                     size_t *count);

// Frees the records and tables of a class that goes.
void isa__wrappers_dispose(struct isa__observed *observed);

// ---- events -------------------------------------------------------------------------------------

// Reports that the wrapper was entered, making that the cause of what follows; and left.
uint64_t isa__wrapper_report_entered(isa_id self, const struct isa__wrapper *wrapper);
void isa__wrapper_report_left(isa_id self, const struct isa__wrapper *wrapper, uint64_t cause);

// The call of an original that is being reported: that it is called, makes that the cause of what
// follows, that it wrote the ivar behind the key, and that it has returned.
enum { ISA_LOGGED_BYTES = 64 }; // of an ivar, by which it shows that it was written
struct isa__original_log {
    uint64_t cause;
    isa_ivar ivar; // NULL: the key has none
    unsigned char before[ISA_LOGGED_BYTES];
};
void isa__original_log_begin(struct isa__original_log *log, isa_id self,
                             const struct isa__wrapper *wrapper);
void isa__original_log_end(const struct isa__original_log *log, isa_id self,
                           const struct isa__wrapper *wrapper);

// ---- setters ------------------------------------------------------------------------------------

// Wrapped setters: will change → original IMP → did change.

// Wraps the setter `method` of `key` in the notifying class, unless that has been done under the
// present policy. `*out` is its record. Observing lock held.
//
// Errors: KVO_ERR_NOT_WRAPPED if the policy or the signature leaves it alone; ISA_ERR_NO_MEMORY.
isa_status isa__setter_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                   isa_method method, struct isa__wrapper **out);

// ---- accessors ----------------------------------------------------------------------------------

// Wrapped to-many accessors, and messages that change a dictionary: will change → original IMP →
// did change.

// The messages that change a dictionary; NULL for a class that is none that can change.
struct isa__dictionary_methods {
    isa_method set, remove, remove_all;
};

// Wraps what there is of `mutators` for `key`, if it suffices to change an ordered or an unordered
// key, and of `dictionary`. Observing lock held.
//
// Errors: ISA_ERR_NO_MEMORY. An accessor whose signature has no wrapper is left alone.
isa_status isa__mutators_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                     const struct isa__mutators *mutators);
isa_status isa__dictionary_wrap_locked(struct isa__observed *observed,
                                       const struct isa__key *key,
                                       const struct isa__dictionary_methods *methods);

#endif
