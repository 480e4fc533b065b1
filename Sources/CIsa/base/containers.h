// Containers: a growable array of addresses, and a table from a text or an address to an address.
#ifndef ISA_BASE_CONTAINERS_H
#define ISA_BASE_CONTAINERS_H

#include "isa_types.h"

// Zeroed memory is an empty array.
struct isa__array {
    void **items;
    size_t count;
    size_t capacity;
};

isa_status isa__array_reserve(struct isa__array *array, size_t capacity);
isa_status isa__array_add(struct isa__array *array, void *item);

// Keeps the order. Removing the last item frees the storage, so that an undo leaves nothing behind.
void isa__array_remove_at(struct isa__array *array, size_t index);

bool isa__array_remove(struct isa__array *array, const void *item); // its first occurrence
void isa__array_clear(struct isa__array *array); // frees the storage, not the items

// ---- tables -------------------------------------------------------------------------------------

// Open-addressing table from a text or an address to an address.

struct isa__map_entry {
    const void *key; // NULL: free; lent, must outlive the entry
    void *value;
};

// Zeroed memory is an empty map; `by_text` is set before the first insertion and then kept.
struct isa__map {
    struct isa__map_entry *entries;
    size_t count;
    size_t used;     // entries and graves
    size_t capacity; // power of two, or 0
    bool by_text;    // keys are compared as texts, else as addresses
};

void *isa__map_find(const struct isa__map *map, const void *key); // NULL if absent

// The same by a text that is written nowhere: `is` compares it with the text of an entry. Its hash
// is made letter by letter, from ISA_HASH_START on.
typedef bool (*isa__map_is)(const void *wanted, const char *text);
void *isa__map_find_unwritten(const struct isa__map *map, uint64_t hash, isa__map_is is,
                              const void *wanted);

#define ISA_HASH_START UINT64_C(0xCBF29CE484222325)

static inline uint64_t isa__hash_letter(uint64_t hash, char letter)
{
    return (hash ^ (unsigned char)letter) * UINT64_C(0x100000001B3);
}

isa_status isa__map_set(struct isa__map *map, const void *key, void *value); // or ISA_ERR_NO_MEMORY

// The value that `key` had, or NULL. Removing the last entry frees the table, so that an undo
// leaves nothing behind.
void *isa__map_remove(struct isa__map *map, const void *key);

void isa__map_clear(struct isa__map *map); // frees the table, not what it leads to

// Walks the entries in no particular order: start with `*at` 0; NULL ends.
const struct isa__map_entry *isa__map_next(const struct isa__map *map, size_t *at);

#endif
