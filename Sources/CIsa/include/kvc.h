// Key-value coding: values by key.
#ifndef KVC_H
#define KVC_H

#include "isa_call.h"

#ifdef __cplusplus
extern "C" {
#endif

// A value in place: its type encoding, and where it stands. An address of NULL means no value; an
// object value's address leads to the isa_id, which may be NULL (nil). The address is aligned for
// the type.
//
// Owner: lent; how long is said where one is handed out.
typedef struct kvc_value {
    const char *types;
    const void *address;
} kvc_value;

// Boxes a value as an object: an object is retained and answered itself (nil gives NULL), anything
// else becomes an instance of IsaValue holding a copy of its bytes.
//
// Owner:  the caller releases `*out`.
// Errors: ISA_ERR_BAD_ENCODING; ISA_ERR_NO_MEMORY.
ISA_API isa_status kvc_box(kvc_value value, isa_id *out);

// The value inside a box; for any other object the object itself, as encoding "@".
//
// Owner: the bytes belong to the box, or are `*object` itself.
ISA_API kvc_value kvc_unbox(const isa_id *object);

// The value for `key`, boxed: sends `valueForKey:`, whose default searches `get<Key>`, `<key>`,
// `is<Key>`, `_get<Key>`, `_<key>`, then the ivars `_key`, `_isKey`, `key`, `isKey` if the class
// answers `accessInstanceVariablesDirectly` with true, and then sends `valueForUndefinedKey:`.
//
// Owner:  the caller releases `*out`, which is NULL for nil.
// Errors: KVC_ERR_UNDEFINED_KEY; KVC_ERR_TYPE for a type that KVC does not box (pointers, C
//         strings, selectors, unions, long double); ISA_ERR_NO_MEMORY.
// Source: valueForKey:, NSKeyValueCoding.h.
ISA_API isa_status kvc_copy_value(isa_id object, const char *key, isa_id *out);

// Sets the value for `key` from a box or object: sends `setValue:forKey:`, whose default searches
// `set<Key>:`, `_set<Key>:`, `setIs<Key>:`, then the ivars as above, and then sends
// `setValue:forUndefinedKey:`. Numbers are converted to the key's number type; nil for a type that
// is not an object sends `setNilValueForKey:`.
//
// Errors: KVC_ERR_UNDEFINED_KEY; KVC_ERR_NIL_VALUE; KVC_ERR_TYPE; ISA_ERR_NO_MEMORY.
// Source: setValue:forKey:, NSKeyValueCoding.h.
ISA_API isa_status kvc_set_value(isa_id object, const char *key, isa_id value);

// Reads the value for `key` into `buffer` without boxing it, whatever its type.
//
// Shape:  `*types` is the value's encoding, owned by the class; an object is retained for the
//         caller.
// Errors: KVC_ERR_UNDEFINED_KEY; KVC_ERR_TYPE if `capacity` is less than the value's size.
ISA_API isa_status kvc_read(isa_id object, const char *key, void *buffer, size_t capacity,
                            const char **types);

// Writes the value for `key` from a value in place, without boxing it.
//
// Errors: as kvc_set_value.
ISA_API isa_status kvc_write(isa_id object, const char *key, kvc_value value);

#ifdef __cplusplus
}
#endif
#endif
