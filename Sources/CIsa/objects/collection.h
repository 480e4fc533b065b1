// Collections: the hash table beneath some of them, what their classes share, and the checks
// that come before a message.
#ifndef ISA_OBJECTS_COLLECTION_H
#define ISA_OBJECTS_COLLECTION_H

#include "../base/containers.h"
#include "box.h"

struct isa__entry {
    isa_id key;   // retained
    isa_id value; // retained; NULL in sets
    size_t hash;
};

// Zeroed memory is an empty table.
struct isa__table {
    struct isa__entry *entries; // in order
    uint32_t *slots;            // index of an entry + 1, or 0; open addressing
    size_t count;
    size_t capacity;            // of `entries`: a power of two, or 0; half the number of slots
    uint64_t version;           // counts the changes
};

// An instance of a set, ordered set or dictionary.
struct isa__table_box {
    struct isa_header header;
    struct isa__table table;
};

static inline struct isa__table *isa__table_of(isa_id self)
{
    return &((struct isa__table_box *)self)->table;
}

// The methods `dealloc`, `count` and `removeAllObjects` of such a class.
void isa__table_dealloc(isa_id self, isa_sel sel);
uint64_t isa__table_count(isa_id self, isa_sel sel);
isa_status isa__table_remove_all(isa_id self, isa_sel sel);

// The keys, or the values, as an array.
isa_status isa__table_copy_column(const struct isa__table *table, bool keys, isa_id *out);

// Finds the entry whose key is equal to `key`, whose hash is `hash`: KVC_NOT_FOUND without one.
// Sends `isEqual:` to keys of the same hash.
//
// Errors: ISA_ERR_IN_USE if the table changed while a key was asked.
isa_status isa__table_find(const struct isa__table *table, isa_id key, size_t hash, size_t *at);

// The same for a key that has yet to be asked for its hash; there is no entry for NULL.
static inline isa_status isa__table_find_key(const struct isa__table *table, isa_id key, size_t *at)
{
    *at = KVC_NOT_FOUND;
    return key == NULL ? ISA_OK : isa__table_find(table, key, kvc_hash(key), at);
}

// Inserts an entry that is not there, retaining key and value; runs no messages. At the end it
// costs O(1), elsewhere O(count).
isa_status isa__table_insert(struct isa__table *table, size_t at, struct isa__entry entry);

// Finds and, if there is none, adds an entry for `key` at the end: `*at` is where it stands.
isa_status isa__table_add(struct isa__table *table, isa_id key, isa_id value, size_t *at);

// Takes an entry out; its references are the caller's, to release once the table's owner is as it
// shall be. Without `keep_order` the last entry moves to its place, and it costs O(1).
struct isa__entry isa__table_take(struct isa__table *table, size_t at, bool keep_order);

// Puts another key of another hash into an entry; the old key is the caller's to release.
isa_id isa__table_exchange_key(struct isa__table *table, size_t at, isa_id key, size_t hash);

// A table of the same entries, retained once more. Runs no messages.
isa_status isa__table_copy(const struct isa__table *table, struct isa__table *out);

// Releases all entries; the table is empty before the first is released.
void isa__table_clear(struct isa__table *table);

// Gives `table` the entries of `next` instead of its own, which are released; `next` is then empty.
//
// Errors: ISA_ERR_IN_USE if `table` is no longer the `version` that `next` was made from.
isa_status isa__table_commit(struct isa__table *table, uint64_t version, struct isa__table *next);

// ---- classes ------------------------------------------------------------------------------------

// Collections: the parts that their classes share, and the checks that come before a message.
//
// A class below that keeps its objects elsewhere answers some messages itself, and the rest of them
// rest on those: arrays and ordered sets on `count`, `objectAtIndex:`, the three messages that
// change one index and the three that change many, `setArray:` or `setSet:`, and
// `removeAllObjects`; sets on `count`, `member:`, `allObjects`, `addObject:`, `removeObject:`,
// `removeAllObjects`, `setSet:`, `unionSet:`, `minusSet:` and `intersectSet:`; ordered sets on both
// and `indexOfObject:`.

// ---- checks -------------------------------------------------------------------------------------

// A message's index, of 64 bits, as an index of memory: an index too large is beyond every end.
static inline size_t isa__index_narrowed(uint64_t index)
{
    size_t narrowed = (size_t)index;
    return narrowed == index ? narrowed : SIZE_MAX;
}

// Fails with Foundation's words unless there is an object; unless `index` is below `count`; unless
// there are indexes, all below `count`; unless `other` is a collection.
isa_status isa__collection_check_object(isa_id collection, isa_sel sel, isa_id object);
isa_status isa__collection_check_index(isa_id collection, isa_sel sel, uint64_t index,
                                       size_t count);
isa_status isa__collection_check_indexes(isa_id collection, isa_sel sel,
                                         const kvc_index_set *indexes, size_t count);
isa_status isa__collection_check_other(isa_id collection, isa_sel sel, isa_id other);

// Whether `other` is of the collection's kind and has as many objects: else they are not equal.
bool isa__collection_matches(isa_id collection, isa_id other);

// ---- gather -------------------------------------------------------------------------------------

// The objects of a collection (of a dictionary, its values; its keys), each with a reference for
// the caller, who ends `*out` with isa__collection_let_go. Sends messages.
isa_status isa__collection_gather(isa_id collection, struct isa__array *out);
isa_status isa__collection_gather_keys(isa_id dictionary, struct isa__array *out);
void isa__collection_let_go(struct isa__array *objects);

// The same of an array or ordered set, whose class may be somebody else's and answer nil.
isa_status isa__ordered_gather(isa_id ordered, bool refuses_nil, struct isa__array *out);

// The same of what a message got as its argument, which may be no collection.
isa_status isa__collection_gather_other(isa_id collection, isa_sel sel, isa_id other,
                                        struct isa__array *out);

// The same for objects that go to or replace those at `indexes`: fails unless they are as many.
isa_status isa__collection_gather_for(isa_id collection, isa_sel sel, isa_id objects,
                                      const kvc_index_set *indexes, struct isa__array *out);

// ---- make ---------------------------------------------------------------------------------------

// An array, ordered set or set of `cls` that takes the gathered objects over, unless `status` is a
// failure: then that is the answer. There are none any more either way.
isa_status isa__collection_adopt(isa_status status, isa_class cls, struct isa__array *objects,
                                 isa_id *out);

// The array that takes the objects over; it fails before it has.
isa_status isa__array_adopt(isa_class cls, struct isa__array *objects, isa_id *out);

// The objects of an array that such a function has made, lent by it.
const struct isa__array *isa__array_items(isa_id array);

// A collection of `cls` with these objects.
isa_status isa__array_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out);
isa_status isa__set_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out);

// A dictionary of the same keys and values.
isa_status isa__dictionary_make_like(isa_id dictionary, bool is_mutable, isa_id *out);

// ---- classes ------------------------------------------------------------------------------------

// The messages that all collections answer: `description`, and the messages that follow from
// `count`.
extern const struct isa__box_method isa__collection_methods[4];

// The messages that follow from `count` and `objectAtIndex:`; `allObjects` by these, and
// `addObject:` by `insertObject:atIndex:`.
extern const struct isa__box_method isa__ordered_methods[3];
isa_status isa__ordered_copy_objects(isa_id self, isa_sel sel, isa_id *out);
isa_status isa__ordered_add(isa_id self, isa_sel sel, isa_id object);

extern const struct isa__library_class isa__array_classes[2], isa__set_classes[4],
    isa__dictionary_classes[2];

#endif
