// Notifying classes: NSKVONotifying_…, one per original class, and what it watches.
#ifndef ISA_KVO_SUBCLASS_H
#define ISA_KVO_SUBCLASS_H

#include "../base/reclaim.h"
#include "../kvc/accessor.h"
#include "../kvc/key.h"
#include "kvo.h"

struct isa__legacy;
struct isa__path;
struct isa__wrapper;

// How a class's key is read: replaced whole when it is stale, retired like a snapshot.
struct isa__getter {
    struct isa__retired retired;
    struct isa__accessor accessor; // kind NONE: through the message, as for an own valueForKey:
    bool by_message;
};

// One key of one class that has been observed.
struct isa__watched {
    struct isa__observed *observed; // the class's
    const struct isa__key *key;
    struct isa__getter *getter; // atomic builtins
    struct isa__wrapper *setter; // NULL: nothing to wrap; guarded by the observing lock
    bool reported;              // that its setter is left alone
};

// One key path that has been registered on objects of one class.
struct isa__known_path {
    struct isa__path *path;      // the present one; those before it are in `former`
    struct isa__array former;    // registrations may still refer to them
    struct isa__array watched;   // of each of its triggers
    uint64_t epoch;              // isa__method_epoch when the class was last asked, before wrapping
    kvo_wrapping wrapping;       // and the policy then
    bool automatic;              // one of its keys is
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
    struct isa__map watched; // key → struct isa__watched
    struct isa__map paths;   // key path → struct isa__known_path
    const struct isa__path *recent; // one of the paths, see steady.h; atomic builtins
    struct isa__legacy *legacy; // guarded in dependency.c
    struct isa__array setters; // every setter record ever made, in order
    uint64_t checked_epoch;  // when `overrides` was looked up; atomic builtins, as it
    uint32_t overrides;     // enum isa__overrides
};

// Messages that the class answers itself.
enum isa__overrides {
    ISA_OVERRIDES_CHANGES = 1, // willChangeValueForKey: or didChangeValueForKey:
    ISA_OVERRIDES_INFO = 2,    // observationInfo
};

// The notifying class on the chain of `cls`, itself included; NULL if none.
isa_class isa__notifying_find(isa_class cls);

// The record of a class that may be observed: of its notifying class's original if it has one on
// its chain, else of itself. Made at the first call; NULL when memory is short.
struct isa__observed *isa__observed_get(isa_class cls);

// The notifying class's record; NULL for any other class.
struct isa__observed *isa__observed_of_notifying(isa_class cls);

// Prepares `key_path` of the class for observation: works out which of the class's keys it has to
// do with, and for each its getter, and if one is automatic the notifying class with its setters
// and accessors wrapped. `*notifying` is the class to swap the isa to, NULL if the isa is to stay;
// `*out` lives as long as the class.
//
// Runs class methods of the observed class, so call it with no lock held.
// Errors: those of isa__path_make, and of the search and of wrapping for want of memory; nothing is
//         half-done then.
isa_status isa__observed_prepare(struct isa__observed *observed, const struct isa__key *key_path,
                                 const struct isa__path **out, isa_class *notifying);

// Makes `path`, known when the method epoch was `epoch`, the recent one.
void isa__observed_note_recent(struct isa__observed *observed, const struct isa__path *path,
                               uint64_t epoch);

// As kvo_class_copy_setters.
isa_status isa__observed_copy_setters(struct isa__observed *observed, kvo_setter_info **out,
                                      size_t *count);

// What the class overrides, as enum isa__overrides.
uint32_t isa__observed_check_overrides(struct isa__observed *observed, uint64_t epoch);

static inline uint32_t isa__observed_overrides(struct isa__observed *observed)
{
    uint64_t epoch = isa__method_epoch();
    if (__atomic_load_n(&observed->checked_epoch, __ATOMIC_ACQUIRE) == epoch)
        return __atomic_load_n(&observed->overrides, __ATOMIC_RELAXED);
    return isa__observed_check_overrides(observed, epoch);
}

// The getter for a watched key, renewed if stale. Under a mark, which must cover its use. NULL when
// memory is short.
const struct isa__getter *isa__watched_renew(struct isa__watched *watched);

static inline const struct isa__getter *isa__watched_getter(struct isa__watched *watched)
{
    const struct isa__getter *getter = __atomic_load_n(&watched->getter, __ATOMIC_ACQUIRE);
    if (!isa__accessor_is_stale(&getter->accessor)) return getter;
    return isa__watched_renew(watched);
}

// Whether changes of `key` are announced automatically by `cls`: asks the class.
bool isa__class_notifies_automatically(isa_class cls, const char *key);

// The same for an interned key, which remembers where no class can have a method for it alone.
bool isa__key_notifies_automatically(isa_class cls, const struct isa__key *key);

// Gives the root's metaclass the methods that decide; connects the class hooks.
isa_status isa__subclass_start(void);

#endif
