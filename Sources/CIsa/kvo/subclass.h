// Notifying classes: NSKVONotifying_…, one per original class, and what it watches.
#ifndef ISA_KVO_SUBCLASS_H
#define ISA_KVO_SUBCLASS_H

#include "../kvc/facts.h"
#include "kvo.h"

struct isa__legacy;
struct isa__path;
struct isa__wrapper;

// What is known of a registered key path, for instances of a class and of its notifying class.
struct isa__known_path {
    const struct isa__path *path; // lives as long as the class
    isa_class notifying;          // the class to swap the isa to; NULL: the isa is to stay
};

// What a notifying class wraps, by selector: open addressing, replaced whole when it grows.
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
    struct isa__legacy *legacy; // guarded in dependency.c
    struct isa__array setters; // every setter record ever made, in order
    uint64_t overrides; // enum isa__overrides, above the method epoch that they hold for; atomic
                        // builtins
};

// Messages that the class answers itself.
enum isa__overrides {
    ISA_OVERRIDES_CHANGES = 1, // willChangeValueForKey: or didChangeValueForKey:
    ISA_OVERRIDES_INFO = 2,    // observationInfo
    ISA_IS_UNUSUAL = 4, // setObservationInfo:, or it is a collection, or follows GNUstep's profile
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
// Errors: those of isa__path_make, and of the search and of wrapping for want of memory; nothing is
//         half-done then.
isa_status isa__observed_prepare(struct isa__observed *observed, const struct isa__key *key_path,
                                 struct isa__known_path *out);

// As kvo_class_copy_setters.
isa_status isa__observed_copy_setters(struct isa__observed *observed, kvo_setter_info **out,
                                      size_t *count);

// What the class overrides, as enum isa__overrides.
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

#endif
