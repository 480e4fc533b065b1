// Get and set by key, the hooks for undefined keys and nil, and the change hooks that rank 5 fills.
#ifndef ISA_KVC_CODING_H
#define ISA_KVC_CODING_H

#include "../base/status.h"
#include "../model/class.h"
#include "accessor.h"
#include "kvc.h"
#include "kvc_collections.h"

struct isa__shortcut;
struct isa__one_change;

// One change of a to-many key, in the numbers of kvo.h.
struct isa__to_many_change {
    const char *key;
    int kind;                     // kvo_change_kind, of an ordered change; else 0
    const kvc_index_set *indexes; // of an ordered change
    int mutation;                 // kvo_set_mutation, of an unordered change; else 0
    isa_id objects;               // of an unordered change: a set
    const struct isa__shortcut *shortcut; // of the array, or NULL; good until user code runs
};

// What rank 5 does around a value that is set by writing an ivar; filled at start.
struct isa__coding_hooks {
    // Announces the change; false if there is nothing to announce, and `did_change` is not called
    // then.
    bool (*will_change)(isa_id object, const char *key);
    void (*did_change)(isa_id object, const char *key);
    // Runs `mutate(context)`, which changes a to-many key of `object` as `change` says, between the
    // announcement of that change and its end; the automatic announcements that `mutate` would
    // cause itself are left out. Announces nothing where nobody observes. Answers the status of
    // `mutate` or, if that succeeded, of reading what is to be told.
    isa_status (*change_to_many)(isa_id object, const struct isa__to_many_change *change,
                                 isa_status (*mutate)(void *context), void *context);
    // Fills in what rank 5 has to know of a shortcut; runs class methods.
    void (*plan_one)(isa_class cls, const char *key, struct isa__shortcut *shortcut);
    // Inserts, removes, replaces one object as `change_to_many` does, where the shortcut holds.
    // False if nothing was done, and the long way has to be taken.
    bool (*change_one[3])(isa_id object, const struct isa__one_change *change);
};
extern struct isa__coding_hooks isa__coding_hooks;

// Whether instances of `cls` answer `valueForKey:` with the root class's code; `setValue:forKey:`.
bool isa__coding_is_direct(isa_class cls);
bool isa__coding_sets_directly(isa_class cls);

// The kind of collection that instances of `cls` answer `valueForKey:` with by the accessors for
// the key's elements; OTHER where they answer otherwise. Errors: ISA_ERR_NO_MEMORY.
isa_status isa__coding_elements(isa_class cls, const char *key, kvc_kind *out);

// Fails unless there are object and key, the object answers `sel`, which is a message of the root
// class, and the guard of its class lets the caller in.
isa_status isa__coding_check(isa_id object, const char *key, isa_sel sel);

// Fails unless the guard of the object's class lets the caller in.
ISA_INLINE isa_status isa__coding_admit(isa_id object, const char *key)
{
    isa_class_guard guard = isa__class_in(object)->guard;
    return ISA_UNLIKELY(guard != NULL) ? guard(object, key) : ISA_OK;
}

// Gives the root class `valueForKey:` and so on, and sees to it that a class's cache goes with it.
isa_status isa__coding_start(void);

#endif
