// Containers: an open-addressing table with linear probing, and a growable array of addresses.
//
// The core needs tables and lists that say when memory is short. A table keeps its entries in place
// and probes for the next slot. A removed entry leaves a grave that probes pass over, and graves go
// when the table is rebuilt.
//
// Owns:      the entries and the array's storage; keys, values and items belong to their owner.
// Locks:     none; the owner's lock guards a container.
// Invariant: at least a quarter of the slots is free, so every probe ends.
#include "containers.h"

#include <string.h>

#include "alloc.h"
#include "status.h"

enum { FIRST_MAP_CAPACITY = 8 };

static const char grave;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = ISA_HASH_START;
    for (; *text != 0; text++) hash = isa__hash_letter(hash, *text);
    return hash;
}

static uint64_t hash_address(const void *address)
{
    uint64_t bits = (uint64_t)(uintptr_t)address;
    bits = (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return bits ^ bits >> 32;
}

static bool holds(const struct isa__map *map, const struct isa__map_entry *entry, const void *key)
{
    if (entry->key == key) return true;
    return map->by_text && entry->key != &grave && strcmp(entry->key, key) == 0;
}

// The entry that holds `key`, or else the free entry that ends its probe. The table is not empty.
static struct isa__map_entry *probe(const struct isa__map *map, const void *key)
{
    size_t mask = map->capacity - 1;
    size_t at = (map->by_text ? hash_text(key) : hash_address(key)) & mask;
    while (map->entries[at].key != NULL && !holds(map, &map->entries[at], key))
        at = (at + 1) & mask;
    return &map->entries[at];
}

// Rebuilds the table without graves, with room for one entry more.
static isa_status rebuild(struct isa__map *map)
{
    struct isa__map fresh = {.by_text = map->by_text, .capacity = FIRST_MAP_CAPACITY};
    while ((map->count + 1) * 2 > fresh.capacity) fresh.capacity *= 2;
    fresh.entries = isa__alloc(ISA_KIND_OTHER, fresh.capacity * sizeof *fresh.entries);
    if (fresh.entries == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a table of %zu entries",
                         fresh.capacity);
    const struct isa__map_entry *entry;
    for (size_t at = 0; (entry = isa__map_next(map, &at)) != NULL; fresh.count++)
        *probe(&fresh, entry->key) = *entry;
    fresh.used = fresh.count;
    isa__map_clear(map);
    *map = fresh;
    return ISA_OK;
}

void *isa__map_find(const struct isa__map *map, const void *key)
{
    return map->count == 0 ? NULL : probe(map, key)->value;
}

void *isa__map_find_unwritten(const struct isa__map *map, uint64_t hash, isa__map_is is,
                              const void *wanted)
{
    ISA_ASSERT(map->by_text);
    size_t mask = map->capacity - 1;
    const struct isa__map_entry *entry;
    if (map->count == 0) return NULL;
    for (size_t at = hash & mask; (entry = &map->entries[at])->key != NULL; at = (at + 1) & mask)
        if (entry->key != &grave && is(wanted, entry->key)) return entry->value;
    return NULL;
}

isa_status isa__map_set(struct isa__map *map, const void *key, void *value)
{
    ISA_ASSERT(key != NULL);
    struct isa__map_entry *entry = map->capacity == 0 ? NULL : probe(map, key);
    if (entry != NULL && entry->key != NULL) {
        entry->value = value;
        return ISA_OK;
    }
    if ((map->used + 1) * 4 > map->capacity * 3) {
        isa_status status = rebuild(map);
        if (status != ISA_OK) return status;
        entry = probe(map, key);
    }
    *entry = (struct isa__map_entry){.key = key, .value = value};
    map->count++;
    map->used++;
    return ISA_OK;
}

void *isa__map_remove(struct isa__map *map, const void *key)
{
    if (map->count == 0) return NULL;
    struct isa__map_entry *entry = probe(map, key);
    if (entry->key == NULL) return NULL;
    void *value = entry->value;
    *entry = (struct isa__map_entry){.key = &grave};
    if (--map->count == 0) isa__map_clear(map);
    return value;
}

void isa__map_clear(struct isa__map *map)
{
    isa__free(ISA_KIND_OTHER, map->entries, map->capacity * sizeof *map->entries);
    *map = (struct isa__map){.by_text = map->by_text};
}

const struct isa__map_entry *isa__map_next(const struct isa__map *map, size_t *at)
{
    while (*at < map->capacity) {
        const struct isa__map_entry *entry = &map->entries[(*at)++];
        if (entry->key != NULL && entry->key != &grave) return entry;
    }
    return NULL;
}

// ---- arrays -------------------------------------------------------------------------------------

enum { FIRST_ARRAY_CAPACITY = 4 };

isa_status isa__array_reserve(struct isa__array *array, size_t capacity)
{
    if (capacity <= array->capacity) return ISA_OK;
    void **items = NULL;
    // A collection's class of the user's may count as many as it likes.
    if (capacity <= PTRDIFF_MAX / sizeof *items)
        items = isa__realloc(ISA_KIND_OTHER, array->items, array->capacity * sizeof *items,
                             capacity * sizeof *items);
    if (items == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for an array of %zu items", capacity);
    array->items = items;
    array->capacity = capacity;
    return ISA_OK;
}

isa_status isa__array_add(struct isa__array *array, void *item)
{
    if (array->count == array->capacity) {
        size_t capacity = array->capacity == 0 ? FIRST_ARRAY_CAPACITY : 2 * array->capacity;
        isa_status status = isa__array_reserve(array, capacity);
        if (status != ISA_OK) return status;
    }
    array->items[array->count++] = item;
    return ISA_OK;
}

void isa__array_remove_at(struct isa__array *array, size_t index)
{
    ISA_ASSERT(index < array->count);
    array->count--;
    memmove(&array->items[index], &array->items[index + 1],
            (array->count - index) * sizeof *array->items);
    if (array->count == 0) isa__array_clear(array);
}

bool isa__array_remove(struct isa__array *array, const void *item)
{
    for (size_t i = 0; i < array->count; i++) {
        if (array->items[i] != item) continue;
        isa__array_remove_at(array, i);
        return true;
    }
    return false;
}

void isa__array_clear(struct isa__array *array)
{
    isa__free(ISA_KIND_OTHER, array->items, array->capacity * sizeof *array->items);
    *array = (struct isa__array){0};
}
