// Boxed values as objects: numbers, strings, null, arrays, ordered sets, sets, dictionaries; index
// sets.
//
// The classes are IsaValue, its subclass IsaNumber with IsaDecimalNumber below, IsaString, IsaNull,
// IsaArray, IsaOrderedSet, IsaSet and IsaDictionary; the collections that can change are instances
// of subclasses: IsaMutableArray and so on. A collection holds its objects retained, is equal to
// another by its contents, and is asked and changed by messages, which the functions below send: a
// subclass that answers `count`, `objectAtIndex:` and so on with code of its own is a collection
// like any other.
//
// Shape:   a message that can fail answers an isa_status; its result goes to a last argument behind
//          the arguments that the selector announces, and an object in it belongs to the caller.
// Order:   sets and dictionaries keep the order of insertion until something is removed.
// Threads: any thread may use a collection that cannot change. A collection that can change may be
//          used by one thread at a time. No lock is held while `isEqual:`, `hash` or another
//          message of an element runs; an element that changes the collection that is looking at it
//          makes that call fail with ISA_ERR_IN_USE.
// Errors:  unless a function says otherwise: ISA_ERR_NO_MEMORY; ISA_ERR_INVALID_ARGUMENT for NULL;
//          KVC_ERR_RANGE (NSRangeException) for an index beyond the end;
//          ISA_ERR_UNRECOGNIZED_SELECTOR (NSInvalidArgumentException) for an object of the wrong
//          class, such as a collection that cannot change. The collection is then as it was.
// NULL:    beyond that, as at the top of isa_types.h.
#ifndef KVC_COLLECTIONS_H
#define KVC_COLLECTIONS_H

#include "isa_call.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- values -------------------------------------------------------------------------------------

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
ISA_TRY isa_status kvc_box(kvc_value value, isa_id *out);

// The value inside a box; for any other object the object itself, as encoding "@".
//
// Owner: the bytes belong to the box, or are `*object` itself.
ISA_API kvc_value kvc_unbox(const isa_id *object);

// ---- what an object is --------------------------------------------------------------------------

typedef enum kvc_kind {
    KVC_KIND_OTHER = 0, // NULL, a class, or an instance of any other class
    KVC_KIND_VALUE = 1, // IsaValue: a struct, pointer, …
    KVC_KIND_NUMBER = 2,
    KVC_KIND_STRING = 3,
    KVC_KIND_NULL = 4,
    KVC_KIND_ARRAY = 5,
    KVC_KIND_ORDERED_SET = 6,
    KVC_KIND_SET = 7,
    KVC_KIND_DICTIONARY = 8,
} kvc_kind;

// Which of the boxed classes, or of their subclasses, `object` is an instance of.
ISA_API kvc_kind kvc_kind_of(isa_id object);

// Whether `object` is a collection that can change.
ISA_API bool kvc_is_mutable(isa_id object);

// The class of that kind; for a collection, the class of collections that can change if
// `is_mutable`. NULL for KVC_KIND_OTHER.
ISA_API isa_class kvc_class_of_kind(kvc_kind kind, bool is_mutable);

// Whether the objects are equal: the same one, or the first answers `isEqual:` with true. NULL is
// equal to NULL only. Collections that contain themselves are equal if nothing in them differs;
// what is nested more than 256 deep is not equal.
ISA_API bool kvc_is_equal(isa_id first, isa_id second);

// The object's answer to `hash`; 0 for NULL. Equal objects have equal hashes.
ISA_API size_t kvc_hash(isa_id object);

// Sends `compare:`: `*order` is negative, 0 or positive. Numbers compare with numbers, by value;
// strings with strings, by UTF-16 code unit.
//
// Errors: ISA_ERR_UNRECOGNIZED_SELECTOR if `first` does not answer `compare:`;
//         ISA_ERR_INVALID_ARGUMENT if `second` is not of its kind.
ISA_TRY isa_status kvc_compare(isa_id first, isa_id second, int64_t *order);

// Sends `description`: a string for people, such as `(1, "two words", {a = <null>})`; `...` stands
// for a collection within itself. A class whose `description` is a property is described by that.
//
// Owner: the caller releases `*out`, an IsaString.
ISA_TRY isa_status kvc_copy_description(isa_id object, isa_id *out);

// ---- numbers ------------------------------------------------------------------------------------

// Numbers from C's types; kvc_box makes them from any other. A number is equal to every number of
// its value, of any type.
//
// Owner: the caller releases `*out`.
ISA_TRY isa_status kvc_number_make_integer(int64_t value, isa_id *out);
ISA_TRY isa_status kvc_number_make_double(double value, isa_id *out);

// A number, an instance of IsaDecimalNumber, of more digits than a double has: it is read and
// hashed as `nearest`, described by `digits`, and compared by all of these.
//
// Owner: the text is copied; the caller releases `*out`.
ISA_TRY isa_status kvc_number_make_decimal(double nearest, const char *digits, isa_id *out);

// A number as an instance of `cls`: IsaNumber or a class below it, or IsaDecimalNumber or a class
// below that if there are `digits`. Its value is that at `bytes`, of the type of an encoding
// letter; with digits, the nearest to the digits.
//
// Owner:  the text is copied; the caller releases `*out`.
// Errors: ISA_ERR_INVALID_ARGUMENT for a letter that is no number's.
ISA_TRY isa_status kvc_number_make_in(isa_class cls, char letter, const void *bytes,
                                      const char *digits, isa_id *out);

// The digits of such a number, which owns them; NULL for any other object.
ISA_API const char *kvc_number_digits(isa_id number);

// Reads a number, or a string that begins with one, as the type of an encoding letter: "32 apples"
// reads as 32, "apples" as 0, a string beyond an integer's range as its end.
//
// Errors: KVC_ERR_TYPE if `object` is neither or `letter` is not a number's.
// Source: intValue, doubleValue, boolValue of NSNumber and NSString.
ISA_TRY isa_status kvc_number_read(isa_id object, char letter, void *out);

// ---- strings ------------------------------------------------------------------------------------

// An immutable string of UTF-8 text.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for bytes that are not UTF-8.
// Owner:  the text is copied; the caller releases `*out`.
ISA_TRY isa_status kvc_string_make(const char *text, isa_id *out);
ISA_TRY isa_status kvc_string_make_bytes(const char *bytes, size_t size, isa_id *out);

// The same as an instance of `cls`, which is IsaString or a class below it.
ISA_TRY isa_status kvc_string_make_in(isa_class cls, const char *bytes, size_t size, isa_id *out);

// The string's text, followed by a NUL byte, and its size in bytes without it; NULL and 0 for any
// other object.
//
// Owner: the string.
ISA_API const char *kvc_string_text(isa_id string);
ISA_API size_t kvc_string_size(isa_id string);

// The string's length in UTF-16 code units, as its message `length` answers; 0 for others.
ISA_API size_t kvc_string_length(isa_id string);

// ---- null ---------------------------------------------------------------------------------------

// The only instance of IsaNull itself, which stands for nil in collections. It is immortal, and
// answers itself for every key.
ISA_API isa_id kvc_null(void);

// ---- index sets ---------------------------------------------------------------------------------

// Where there is no index. No index is as large.
#define KVC_NOT_FOUND ((size_t)PTRDIFF_MAX)

typedef struct kvc_range {
    size_t start;
    size_t count;
} kvc_range;

// A set of indexes as ascending ranges that do not touch. Zeroed memory is the empty set.
//
// Owner: the maker, who ends it with kvc_index_set_destroy.
typedef struct kvc_index_set {
    kvc_range *ranges;
    size_t range_count;
    size_t count; // of indexes
} kvc_index_set;

// Makes a set of the indexes, in any order and repeated or not; of one range.
//
// Errors: KVC_ERR_RANGE for an index of KVC_NOT_FOUND or more; ISA_ERR_NO_MEMORY.
ISA_TRY isa_status kvc_index_set_make(const size_t *indexes, size_t count, kvc_index_set *out);
ISA_TRY isa_status kvc_index_set_make_range(size_t start, size_t count, kvc_index_set *out);
ISA_TRY isa_status kvc_index_set_copy(const kvc_index_set *set, kvc_index_set *out);

// Frees the ranges; the set is then empty.
ISA_API void kvc_index_set_destroy(kvc_index_set *set);

ISA_API bool kvc_index_set_contains(const kvc_index_set *set, size_t index);
ISA_API bool kvc_index_set_equal(const kvc_index_set *first, const kvc_index_set *second);
ISA_API size_t kvc_index_set_last(const kvc_index_set *set); // KVC_NOT_FOUND if empty

// Walks the indexes upwards: start with a zeroed walk; false ends.
typedef struct kvc_index_walk {
    size_t range;
    size_t offset;
} kvc_index_walk;
ISA_API bool kvc_index_set_next(const kvc_index_set *set, kvc_index_walk *walk, size_t *index);

// ---- collections --------------------------------------------------------------------------------

// Collections of `count` objects; a set takes the first of objects that are equal. `objects` may be
// NULL for a count of 0.
//
// Owner: the caller releases `*out`; the objects are retained.
ISA_TRY isa_status kvc_array_make(const isa_id *objects, size_t count, isa_id *out);
ISA_TRY isa_status kvc_mutable_array_make(const isa_id *objects, size_t count, isa_id *out);
ISA_TRY isa_status kvc_ordered_set_make(const isa_id *objects, size_t count, isa_id *out);
ISA_TRY isa_status kvc_mutable_ordered_set_make(const isa_id *objects, size_t count, isa_id *out);
ISA_TRY isa_status kvc_set_make(const isa_id *objects, size_t count, isa_id *out);
ISA_TRY isa_status kvc_mutable_set_make(const isa_id *objects, size_t count, isa_id *out);

// A collection with the objects of `other`, any collection (of a dictionary, its values): an array,
// ordered set or set.
ISA_TRY isa_status kvc_collection_make(kvc_kind kind, bool is_mutable, isa_id other, isa_id *out);

// A collection of the same kind and contents that cannot change (`copy`), or that can
// (`mutableCopy`). The objects are shared.
ISA_TRY isa_status kvc_collection_copy(isa_id collection, isa_id *out);
ISA_TRY isa_status kvc_collection_mutable_copy(isa_id collection, isa_id *out);

// How many objects, or keys, `collection` has; 0 for any other object. Sends `count`.
ISA_API size_t kvc_collection_count(isa_id collection);

// The objects at this moment as an array that does not change: `allObjects`, and of a dictionary
// `allValues`.
ISA_TRY isa_status kvc_collection_copy_objects(isa_id collection, isa_id *out);

// Told of one object; false ends the walk.
typedef bool (*kvc_visitor)(isa_id object, size_t index, void *context);

// Tells `visit` of each object that the collection has when it is called, even if the collection
// changes meanwhile.
ISA_TRY isa_status kvc_collection_enumerate(isa_id collection, kvc_visitor visit, void *context);

// Whether an object of the collection is equal to `object`; of a dictionary, a value.
ISA_API bool kvc_collection_contains(isa_id collection, isa_id object);

// Adds an object at the end; a set that has an equal one stays as it is. `addObject:`.
ISA_TRY isa_status kvc_collection_add(isa_id collection, isa_id object);

// Removes every object that is equal to `object`, if there is one. `removeObject:`.
ISA_TRY isa_status kvc_collection_remove(isa_id collection, isa_id object);

// Removes everything. `removeAllObjects`.
ISA_TRY isa_status kvc_collection_remove_all(isa_id collection);

// Gives an array, ordered set or set the objects of `other`, any collection, instead of its own.
// `setArray:` or `setSet:`.
ISA_TRY isa_status kvc_collection_set_objects(isa_id collection, isa_id other);

// ---- arrays and ordered sets --------------------------------------------------------------------

// The object at `index`. `objectAtIndex:`.
//
// Owner: the caller releases `*out`.
ISA_TRY isa_status kvc_ordered_copy_object(isa_id ordered, size_t index, isa_id *out);

// The first index of an object that is equal to `object`, or KVC_NOT_FOUND. `indexOfObject:`.
ISA_API size_t kvc_ordered_index_of(isa_id ordered, isa_id object);

// Inserts at `index`, at most the count; an ordered set that has an equal object stays as it is.
// `insertObject:atIndex:`.
ISA_TRY isa_status kvc_ordered_insert(isa_id ordered, isa_id object, size_t index);

// `removeObjectAtIndex:`; `replaceObjectAtIndex:withObject:`. An ordered set that has an equal
// object elsewhere is left without the object that would be replaced.
ISA_TRY isa_status kvc_ordered_remove(isa_id ordered, size_t index);
ISA_TRY isa_status kvc_ordered_replace(isa_id ordered, size_t index, isa_id object);

// The same for many. Indexes to insert at are the indexes that the objects have afterwards;
// `objects` is an array of as many objects as there are indexes. `insertObjects:atIndexes:`,
// `removeObjectsAtIndexes:`, `replaceObjectsAtIndexes:withObjects:`.
//
// Errors: ISA_ERR_INVALID_ARGUMENT if the counts differ.
ISA_TRY isa_status kvc_ordered_insert_many(isa_id ordered, isa_id objects,
                                           const kvc_index_set *indexes);
ISA_TRY isa_status kvc_ordered_remove_many(isa_id ordered, const kvc_index_set *indexes);
ISA_TRY isa_status kvc_ordered_replace_many(isa_id ordered, const kvc_index_set *indexes,
                                            isa_id objects);

// ---- sets and ordered sets ----------------------------------------------------------------------

// The object of the set that is equal to `object`; NULL if there is none. `member:`.
//
// Owner: the caller releases `*out`.
ISA_TRY isa_status kvc_set_copy_member(isa_id set, isa_id object, isa_id *out);

// Adds the objects of `other`, any collection; removes them; keeps only the objects that `other`
// has too. `unionSet:`, `minusSet:`, `intersectSet:`.
ISA_TRY isa_status kvc_set_unite(isa_id set, isa_id other);
ISA_TRY isa_status kvc_set_subtract(isa_id set, isa_id other);
ISA_TRY isa_status kvc_set_intersect(isa_id set, isa_id other);

// ---- dictionaries -------------------------------------------------------------------------------

// A dictionary of `count` values and the keys that lead to them. Keys are copied by the message
// `copy`; of equal keys the last counts.
//
// Owner: the caller releases `*out`; the values are retained.
// Errors: ISA_ERR_UNRECOGNIZED_SELECTOR for a key that cannot be copied.
ISA_TRY isa_status kvc_dictionary_make(const isa_id *keys, const isa_id *values, size_t count,
                                       isa_id *out);
ISA_TRY isa_status kvc_mutable_dictionary_make(const isa_id *keys, const isa_id *values,
                                               size_t count, isa_id *out);

// The value for `key`, or NULL. `objectForKey:`.
//
// Owner: the caller releases `*out`.
ISA_TRY isa_status kvc_dictionary_copy_value(isa_id dictionary, isa_id key, isa_id *out);

// The keys at this moment as an array that does not change, in the order of the values.
ISA_TRY isa_status kvc_dictionary_copy_keys(isa_id dictionary, isa_id *out);

// `setObject:forKey:`; `removeObjectForKey:`, which does nothing if there is no such key.
ISA_TRY isa_status kvc_dictionary_set(isa_id dictionary, isa_id key, isa_id value);
ISA_TRY isa_status kvc_dictionary_remove(isa_id dictionary, isa_id key);

#ifdef __cplusplus
}
#endif
#endif
