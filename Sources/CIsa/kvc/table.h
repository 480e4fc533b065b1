// Hash table from objects to objects, in an order: what sets, ordered sets and dictionaries are.
#ifndef ISA_KVC_TABLE_H
#define ISA_KVC_TABLE_H

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
size_t isa__table_count(isa_id self, isa_sel sel);
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

#endif
