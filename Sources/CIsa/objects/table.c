// Hash table from objects to objects, in an order.
//
// Owns:      its storage and a reference to each key and value.
// Locks:     none. Only isa__table_find and isa__table_add run messages of keys, and look at the
//            table again afterwards; releases come last, when the table is whole.
// Invariant: each entry is found from its hash's slot onwards without a free slot in between; at
//            most half of the slots are taken.
#include "collection.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"

enum { FIRST_CAPACITY = 4 };

// ---- slots --------------------------------------------------------------------------------------

static size_t slot_mask(const struct isa__table *table)
{
    return 2 * table->capacity - 1;
}

// Where the search for a hash begins. Identities and small numbers differ in few bits: they are
// spread by the golden ratio.
static size_t home_of(const struct isa__table *table, size_t hash)
{
    return (size_t)((hash * 0x9E3779B97F4A7C15u) >> 32) & slot_mask(table);
}

static void link_entry(struct isa__table *table, size_t index)
{
    size_t slot = home_of(table, table->entries[index].hash);
    while (table->slots[slot] != 0) slot = (slot + 1) & slot_mask(table);
    table->slots[slot] = (uint32_t)index + 1;
}

static size_t slot_of(const struct isa__table *table, size_t index)
{
    size_t slot = home_of(table, table->entries[index].hash);
    while (table->slots[slot] != index + 1) slot = (slot + 1) & slot_mask(table);
    return slot;
}

// Frees the entry's slot and closes the gap: entries behind it move up, none before its home.
static void unlink_entry(struct isa__table *table, size_t index)
{
    size_t mask = slot_mask(table);
    size_t gap = slot_of(table, index);
    for (size_t slot = (gap + 1) & mask; table->slots[slot] != 0; slot = (slot + 1) & mask) {
        size_t home = home_of(table, table->entries[table->slots[slot] - 1].hash);
        if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
        table->slots[gap] = table->slots[slot];
        gap = slot;
    }
    table->slots[gap] = 0;
}

static void link_all(struct isa__table *table)
{
    memset(table->slots, 0, 2 * table->capacity * sizeof *table->slots);
    for (size_t i = 0; i < table->count; i++) link_entry(table, i);
}

// ---- storage ------------------------------------------------------------------------------------

static isa_status reserve(struct isa__table *table, size_t count)
{
    size_t capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity;
    while (capacity < count) capacity *= 2;
    if (capacity == table->capacity) return ISA_OK;
    size_t size = 2 * capacity * sizeof *table->slots;
    uint32_t *slots = capacity > UINT32_MAX / 4 ? NULL : isa__alloc(ISA_KIND_OTHER, size);
    struct isa__entry *entries =
        slots == NULL ? NULL
                      : isa__realloc(ISA_KIND_OTHER, table->entries,
                                     table->capacity * sizeof *entries, capacity * sizeof *entries);
    if (entries == NULL) {
        isa__free(ISA_KIND_OTHER, slots, size);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a collection of %zu objects",
                         count);
    }
    isa__free(ISA_KIND_OTHER, table->slots, 2 * table->capacity * sizeof *table->slots);
    table->slots = slots;
    table->entries = entries;
    table->capacity = capacity;
    link_all(table);
    return ISA_OK;
}

static void free_storage(struct isa__table *table)
{
    isa__free(ISA_KIND_OTHER, table->slots, 2 * table->capacity * sizeof *table->slots);
    isa__free(ISA_KIND_OTHER, table->entries, table->capacity * sizeof *table->entries);
    *table = (struct isa__table){.version = table->version};
}

static void release_entry(struct isa__entry entry)
{
    isa_object_release(entry.key);
    isa_object_release(entry.value);
}

// ---- find ---------------------------------------------------------------------------------------

static isa_status changed(void)
{
    return isa__fail(ISA_ERR_IN_USE, "NSGenericException",
                     "the collection was mutated while being enumerated");
}

// Compares with a key that its own `isEqual:` may remove from the table.
static bool is_key(const struct isa__entry *entry, isa_id key)
{
    if (entry->key == key) return true;
    isa_id held = isa_object_retain(entry->key);
    bool equal = kvc_is_equal(held, key);
    isa_object_release(held);
    return equal;
}

isa_status isa__table_find(const struct isa__table *table, isa_id key, size_t hash, size_t *at)
{
    *at = KVC_NOT_FOUND;
    if (table->count == 0) return ISA_OK;
    uint64_t version = table->version;
    size_t slot = home_of(table, hash);
    for (; table->slots[slot] != 0; slot = (slot + 1) & slot_mask(table)) {
        size_t index = table->slots[slot] - 1;
        if (table->entries[index].hash != hash) continue;
        bool found = is_key(&table->entries[index], key);
        if (table->version != version) return changed();
        if (!found) continue;
        *at = index;
        break;
    }
    return ISA_OK;
}

// ---- change -------------------------------------------------------------------------------------

isa_status isa__table_insert(struct isa__table *table, size_t at, struct isa__entry entry)
{
    ISA_ASSERT(at <= table->count);
    isa_status status = reserve(table, table->count + 1);
    if (status != ISA_OK) return status;
    isa_object_retain(entry.key);
    isa_object_retain(entry.value);
    memmove(&table->entries[at + 1], &table->entries[at],
            (table->count - at) * sizeof *table->entries);
    table->entries[at] = entry;
    table->version++;
    if (at == table->count++) link_entry(table, at);
    else link_all(table);
    return ISA_OK;
}

isa_status isa__table_add(struct isa__table *table, isa_id key, isa_id value, size_t *at)
{
    size_t hash = kvc_hash(key);
    isa_status status = isa__table_find(table, key, hash, at);
    if (status != ISA_OK || *at != KVC_NOT_FOUND) return status;
    *at = table->count;
    return isa__table_insert(table, *at,
                             (struct isa__entry){.key = key, .value = value, .hash = hash});
}

struct isa__entry isa__table_take(struct isa__table *table, size_t at, bool keep_order)
{
    ISA_ASSERT(at < table->count);
    struct isa__entry taken = table->entries[at];
    size_t last = table->count - 1;
    table->version++;
    unlink_entry(table, at);
    if (at != last && !keep_order) {
        table->slots[slot_of(table, last)] = (uint32_t)at + 1;
        table->entries[at] = table->entries[last];
    }
    if (keep_order)
        memmove(&table->entries[at], &table->entries[at + 1], (last - at) * sizeof *table->entries);
    table->count = last;
    if (at != last && keep_order) link_all(table);
    if (last == 0) free_storage(table);
    return taken;
}

isa_id isa__table_exchange_key(struct isa__table *table, size_t at, isa_id key, size_t hash)
{
    unlink_entry(table, at);
    isa_id old = table->entries[at].key;
    table->entries[at].key = isa_object_retain(key);
    table->entries[at].hash = hash;
    table->version++;
    link_entry(table, at);
    return old;
}

// ---- whole --------------------------------------------------------------------------------------

isa_status isa__table_copy(const struct isa__table *table, struct isa__table *out)
{
    struct isa__table made = {0};
    if (table->count > 0) {
        isa_status status = reserve(&made, table->count);
        if (status != ISA_OK) return status;
        memcpy(made.entries, table->entries, table->count * sizeof *table->entries);
        made.count = table->count;
        link_all(&made);
    }
    for (size_t i = 0; i < made.count; i++) {
        isa_object_retain(made.entries[i].key);
        isa_object_retain(made.entries[i].value);
    }
    *out = made;
    return ISA_OK;
}

void isa__table_clear(struct isa__table *table)
{
    struct isa__table old = *table;
    *table = (struct isa__table){.version = old.version + 1};
    for (size_t i = 0; i < old.count; i++) release_entry(old.entries[i]);
    free_storage(&old);
}

isa_status isa__table_commit(struct isa__table *table, uint64_t version, struct isa__table *next)
{
    if (table->version != version) return changed();
    struct isa__table old = *table;
    *table = *next;
    table->version = version + 1;
    *next = (struct isa__table){0};
    isa__table_clear(&old);
    return ISA_OK;
}

// ---- collections --------------------------------------------------------------------------------

void isa__table_dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__table_clear(isa__table_of(self));
}

uint64_t isa__table_count(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa__table_of(self)->count;
}

isa_status isa__table_remove_all(isa_id self, isa_sel sel)
{
    isa__table_dealloc(self, sel);
    return ISA_OK;
}

isa_status isa__table_copy_column(const struct isa__table *table, bool keys, isa_id *out)
{
    struct isa__array column = {0};
    isa_status status = isa__array_reserve(&column, table->count);
    if (status != ISA_OK) return status;
    column.count = table->count;
    void **items = column.items;
    for (size_t i = 0; i < column.count; i++) {
        const struct isa__entry *entry = &table->entries[i];
        items[i] = isa_object_retain(keys ? entry->key : entry->value);
    }
    return isa__collection_adopt(ISA_OK, isa__box_classes[ISA_BOX_ARRAY], &column, out);
}
