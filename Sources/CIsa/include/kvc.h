// Key-value coding: values by key.
//
// NULL: as at the top of isa_types.h.
#ifndef KVC_H
#define KVC_H

#include "kvc_collections.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- methods ------------------------------------------------------------------------------------

// The methods of the messages that a class may override, of those for a key path, too.
typedef isa_status (*kvc_get_imp)(isa_id self, isa_sel sel, const char *key, isa_id *out);
typedef isa_status (*kvc_set_imp)(isa_id self, isa_sel sel, isa_id value, const char *key);
// `setNilValueForKey:`, and in kvo.h `willChangeValueForKey:` and `didChangeValueForKey:`.
typedef isa_status (*kvc_key_imp)(isa_id self, isa_sel sel, const char *key);
typedef isa_status (*kvc_validate_imp)(isa_id self, isa_sel sel, isa_id *value, const char *key,
                                       isa_id *error, bool *is_valid);

// ---- values -------------------------------------------------------------------------------------

// The value for `key`, boxed: sends `valueForKey:`, whose default searches `get<Key>`, `<key>`,
// `is<Key>`, `_get<Key>`, `_<key>`, then the ivars `_key`, `_isKey`, `key`, `isKey` if the class
// answers `accessInstanceVariablesDirectly` with true, and then sends `valueForUndefinedKey:`.
//
// Owner:  the caller releases `*out`, which is NULL for nil.
// Errors: KVC_ERR_UNDEFINED_KEY, also for a key of a type that KVC does not box (pointers, C
//         strings, selectors, unions, long double): kvc_read reads it; ISA_ERR_NO_MEMORY.
// Source: valueForKey:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_copy_value(isa_id object, const char *key, isa_id *out);

// Sets the value for `key` from a box or object: sends `setValue:forKey:`, whose default searches
// `set<Key>:`, `_set<Key>:`, `setIs<Key>:` (except under the GNUstep profile), then the ivars as
// above, and then sends `setValue:forUndefinedKey:`. Numbers are converted to the key's number
// type; nil for a type that is not an object sends `setNilValueForKey:`. A key of a type that KVC
// does not box is undefined; kvc_write sets it.
//
// Errors: KVC_ERR_UNDEFINED_KEY; KVC_ERR_NIL_VALUE; KVC_ERR_TYPE; ISA_ERR_NO_MEMORY.
// Source: setValue:forKey:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_set_value(isa_id object, const char *key, isa_id value);

// Reads the value for `key` into `buffer` without boxing it. The value may have any type.
//
// Shape:  `*types` is the value's encoding, owned by the class; an object is retained for the
//         caller.
// Errors: KVC_ERR_UNDEFINED_KEY; KVC_ERR_TYPE if `capacity` is less than the value's size.
ISA_TRY isa_status kvc_read(isa_id object, const char *key, void *buffer, size_t capacity,
                            const char **types);

// Writes the value for `key` from a value in place, without boxing it.
//
// Errors: as kvc_set_value.
ISA_TRY isa_status kvc_write(isa_id object, const char *key, kvc_value value);

// How instances of a class answer for a key.
typedef enum kvc_way {
    KVC_WAY_NONE,
    KVC_WAY_METHOD, // an accessor, or accessors of a to-many key's elements
    KVC_WAY_IVAR,
} kvc_way;

// Finds how instances of `cls` read `key`, or set it if `sets`, by the searches above. Asks the
// class `accessInstanceVariablesDirectly`.
//
// Shape:  `*types`, unless `types` is NULL, is the value's encoding, which lasts for ever; NULL for
//         no way and for accessors of elements.
// Errors: ISA_ERR_NO_MEMORY.
ISA_TRY isa_status kvc_class_find_way(isa_class cls, const char *key, bool sets, kvc_way *way,
                                      const char **types);

// ---- key paths ----------------------------------------------------------------------------------

// The value at the end of `key_path`, keys joined by dots: sends `valueForKeyPath:`, whose default
// asks the object for the first key and what it answers for the rest. nil on the way answers nil.
// Arrays, sets and ordered sets answer a key with the values of their members, and `@` operators:
// `@count`, `@sum`, `@avg`, `@min`, `@max`, `@distinctUnionOfObjects`, `@distinctUnionOfArrays`,
// `@distinctUnionOfSets`, of arrays alone `@unionOfObjects`, `@unionOfArrays`, `@unionOfSets`, or a
// method `<operator>ForKeyPath:` ("i@:*^@") of their class. Another word behind an `@` at the
// path's end is a key of the collection's own. A dictionary looks for the whole path as a key
// first.
//
// Owner:  the caller releases `*out`, which is NULL for nil.
// Errors: KVC_ERR_UNDEFINED_KEY; ISA_ERR_INVALID_ARGUMENT for text that is not UTF-8, for an
//         operator that does not exist or meets members that it does not understand, for
//         collections nested more than 256 deep, and for NULL: but that is an undefined key of what
//         an array or set contains, and nil of a dictionary; KVC_ERR_OVERFLOW
//         (NSDecimalNumberOverflowException) for an average of what is no number; and the errors of
//         the messages sent on the way.
// Source: valueForKeyPath:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_copy_value_for_path(isa_id object, const char *key_path, isa_id *out);

// Sets the last key of `key_path` on the object that the others lead to; nil on the way swallows
// the value. Sends `setValue:forKeyPath:`.
//
// Errors: as kvc_set_value; ISA_ERR_INVALID_ARGUMENT for NULL and for text that is not UTF-8.
// Source: setValue:forKeyPath:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_set_value_for_path(isa_id object, const char *key_path, isa_id value);

// ---- validation ---------------------------------------------------------------------------------

// Asks whether `*value` may be set for `key`: sends `validateValue:forKey:error:`, whose default
// calls `validate<Key>:error:`, a method of two arguments that answers a bool ("B@:^@^@"), and says
// yes where there is none. The method may put another value into `*value` and an error object into
// `*error`. Setting a value never validates it. nil on the way to the last key says no.
//
// Shape:  `value` is handed on as it is, NULL included; `error` may be NULL.
// Owner:  what is put into `*value` and `*error` comes with a reference for the caller; what was in
//         `*value` stays the caller's.
// Errors: of the search; ISA_ERR_INVALID_ARGUMENT for a method `validate<Key>:error:` that takes
//         two arguments other than pointers, or answers something else than a number (a method that
//         answers nothing, or takes more, is no validation method); of the walk, for the path.
// Source: validateValue:forKey:error:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_validate_value(isa_id object, const char *key, isa_id *value, isa_id *error,
                                      bool *is_valid);
ISA_TRY isa_status kvc_validate_value_for_path(isa_id object, const char *key_path, isa_id *value,
                                               isa_id *error, bool *is_valid);

// ---- many keys ----------------------------------------------------------------------------------

// A dictionary of the values for `keys`, an array of strings; null stands for nil. Sends
// `dictionaryWithValuesForKeys:`, which sends `valueForKey:`.
//
// Owner:  the caller releases `*out`.
// Errors: of the first value that cannot be had.
ISA_TRY isa_status kvc_copy_values(isa_id object, isa_id keys, isa_id *out);

// Sets each key of the dictionary to its value, nil for null (null under the GNUstep profile), by
// `setValue:forKey:`. Sends `setValuesForKeysWithDictionary:`.
//
// Errors: of the first value that cannot be set; those before it stay set.
ISA_TRY isa_status kvc_set_values(isa_id object, isa_id dictionary);

// ---- to-many proxies ----------------------------------------------------------------------------

// A collection through which the to-many key `key` is read and changed, element by element. It is a
// mutable array, ordered set or set like any other, holds the object retained, and looks at it anew
// with each message. It changes the object by the first of these that its class has:
//
//   1. accessors: one of `insertObject:in<Key>AtIndex:` (`add<Key>Object:` for a set) and
//      `insert<Key>:atIndexes:` (`add<Key>:`) with one of `removeObjectFrom<Key>AtIndex:`
//      (`remove<Key>Object:`) and `remove<Key>AtIndexes:` (`remove<Key>:`), and the accessors that
//      replace or intersect if there are any;
//   2. `set<Key>:`, which is given a changed copy;
//   3. an ivar `_<key>` or `<key>`, if the class allows it, whose collection is changed in place;
//   4. `setValue:forUndefinedKey:`.
//
// Sends `mutableArrayValueForKey:` and so on ("i@:*^@"); the forms for paths ask the object that
// all but the last key lead to. An object that is observed announces each change with its indexes
// or objects, whichever way it takes.
//
// Owner:  the caller releases `*out`.
// Errors: of the proxy's messages: the errors of the accessors, KVC_ERR_UNDEFINED_KEY where there
//         is none, ISA_ERR_UNRECOGNIZED_SELECTOR for an ivar whose collection cannot change.
// Source: mutableArrayValueForKey:, NSKeyValueCoding.h.
ISA_TRY isa_status kvc_proxy_make_array(isa_id object, const char *key, isa_id *out);
ISA_TRY isa_status kvc_proxy_make_ordered_set(isa_id object, const char *key, isa_id *out);
ISA_TRY isa_status kvc_proxy_make_set(isa_id object, const char *key, isa_id *out);
ISA_TRY isa_status kvc_proxy_make_array_for_path(isa_id object, const char *key_path, isa_id *out);
ISA_TRY isa_status kvc_proxy_make_ordered_set_for_path(isa_id object, const char *key_path,
                                                       isa_id *out);
ISA_TRY isa_status kvc_proxy_make_set_for_path(isa_id object, const char *key_path, isa_id *out);

#ifdef __cplusplus
}
#endif
#endif
