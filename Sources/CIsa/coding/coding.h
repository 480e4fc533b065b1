// Key-value coding: by key, along key paths, of collections, validation, many keys at once; the
// hooks for undefined keys and nil, and the hooks that observing/ fills.
#ifndef ISA_CODING_CODING_H
#define ISA_CODING_CODING_H

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/class.h"
#include "../objects/box.h"
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

// The part of observing/ in setting a value by writing an ivar; filled at start.
struct isa__coding_hooks {
    // Announces the change; false if there is nothing to announce, and `did_change` is not called
    // then.
    bool (*will_change)(isa_id object, const char *key);
    void (*did_change)(isa_id object, const char *key);
    // Runs `mutate(context)`, which changes a to-many key of `object` as `change` says, between the
    // announcement of that change and its end; the automatic announcements that `mutate` would
    // cause itself are left out. Announces nothing where nobody observes. Answers the status of
    // `mutate` or, if that succeeded, of reading the values to tell.
    isa_status (*change_to_many)(isa_id object, const struct isa__to_many_change *change,
                                 isa_status (*mutate)(void *context), void *context);
    // Fills in what observing/ has to know of a shortcut; runs class methods.
    void (*prepare_one)(isa_class cls, const char *key, struct isa__shortcut *shortcut);
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

// Sets the key by its setter or, announcing the change, in its ivar, from the value at `bytes`,
// whose type is the accessor's.
isa_status isa__coding_write(const struct isa__accessor *accessor, isa_id self, const char *key,
                             const void *bytes);

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

// ---- key paths ----------------------------------------------------------------------------------

// Key paths: keys joined by dots, and the walk along them.

// The object that the first keys of a path lead to, and the rest of the path.
struct isa__destination {
    isa_id object;    // retained; NULL: nil on the way
    const char *path; // the last key, or more if `overridden`; good until the end
    bool overridden;  // the object answers the message with code of its own: send it the rest
    struct isa__scratch text; // of the path, cut at the dots
};

// Follows `path` from `object`, by the message `valueForKey:`, to the object that has its last key,
// or before that to the first one whose code for `sel` is not `usual`: the rest of the path is its
// own affair. Neither recursive nor slower than linear, however long the path. `object` itself is
// taken to answer with `usual`.
//
// Owner:  the caller ends `*out` with isa__destination_end, unless it fails.
// Errors: of the values on the way; ISA_ERR_UNRECOGNIZED_SELECTOR if one does not know `sel`.
isa_status isa__destination_find(isa_id object, isa_sel sel, isa_imp usual, const char *path,
                                 struct isa__destination *out);
void isa__destination_end(struct isa__destination *destination);

// The checks before a message with a path: an object that answers `sel`, a path, and UTF-8.
isa_status isa__key_path_check(isa_id object, isa_sel sel, const char *path);

// Whether instances of `cls` answer `valueForKeyPath:` and `valueForKey:` with the root class's
// code: they take a path key by key.
bool isa__key_path_is_direct(isa_class cls);

// Enters a collection's members or a class's own walk, in which further ones may lie. Collections
// that contain themselves would have no end.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if it is the 257th within one another; there is nothing to leave
// then.
isa_status isa__nesting_enter(isa_id object, const char *path, uint32_t *depth);
void isa__nesting_leave(uint32_t depth);

// Sends a message that reads a path, with the signature of `valueForKeyPath:`, within that. A
// method that answers without writing means nil.
isa_status isa__nested_copy_value(isa_id object, isa_sel sel, const char *path, isa_id *out);

isa_status isa__key_paths_start(void);

// ---- operators ----------------------------------------------------------------------------------

// Collection operators: `@sum.price` and the like.

// Computes a key path that begins with `@`: sends `<operator>ForKeyPath:` or, where the class has
// none, `_<operator>ForKeyPath:` with the path behind the operator. Without a dot behind it, what
// follows `@` is a key of the collection's own: `@count`.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for an operator that the class lacks; KVC_ERR_UNDEFINED_KEY for
//         a key that it lacks; of the computation.
isa_status isa__operator_compute(isa_id collection, const char *path, isa_id *out);

// Gives the boxed collections their operators.
isa_status isa__operators_start(void);

// ---- collections --------------------------------------------------------------------------------

// Key-value coding of collections: arrays and sets ask their members, dictionaries look up.

// The dictionary's value for a key path of `size` bytes taken as one key, or NULL. Sends
// `objectForKey:`, unless the dictionary is one of the core's own and has no key of that size.
isa_status isa__dictionary_copy_for_path(isa_id dictionary, const char *path, size_t size,
                                         isa_id *out);

// The collection's own value for `key`, as of any object: by accessors, not from what it contains.
isa_status isa__collection_copy_own_value(isa_id collection, const char *key, isa_id *out);

isa_status isa__collection_coding_start(void);

// ---- many keys, validation ----------------------------------------------------------------------

// Many keys at once; and asking an object whether it would take a value.

// Gives the root class `dictionaryWithValuesForKeys:` and `setValuesForKeysWithDictionary:`, and
// `validateValue:forKey:error:` with its form for key paths.
isa_status isa__bulk_start(void);

#endif
