// Growable array of addresses.
//
// Owns:  its storage; the items belong to whoever added them.
// Locks: none; the owner's lock guards it.
#include "array.h"

#include <string.h>

#include "alloc.h"
#include "status.h"

enum { FIRST_CAPACITY = 4 };

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
        size_t capacity = array->capacity == 0 ? FIRST_CAPACITY : 2 * array->capacity;
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
