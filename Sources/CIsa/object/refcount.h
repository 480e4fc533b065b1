// Reference counts: retain, release, try-retain, and the check against counting below zero.
#ifndef ISA_OBJECT_REFCOUNT_H
#define ISA_OBJECT_REFCOUNT_H

#include "isa_object.h"

// Adds a reference to the count in `cell`, a record word without a side record or a side record's
// count, unless its object is being deallocated.
bool isa__count_try_retain(uintptr_t *cell);

// Whether the object's last reference has gone, or it is being abandoned.
bool isa__object_is_deallocating(isa_id object);

// The references in `cell`.
static inline uintptr_t isa__count_references(uintptr_t cell)
{
    return cell / ISA_RECORD_COUNT_UNIT;
}

#endif
