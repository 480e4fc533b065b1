// Growable array of addresses.
#ifndef ISA_BASE_ARRAY_H
#define ISA_BASE_ARRAY_H

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

#endif
