// Reference counts: retain, release, try-retain, and the check against counting below zero.
#ifndef ISA_OBJECT_REFCOUNT_H
#define ISA_OBJECT_REFCOUNT_H

#include "side.h"

// Adds a reference to the count in `cell`, a record word without a side record or a side record's
// count, unless its object is being deallocated.
bool isa__count_try_retain(uintptr_t *cell);

// Whether the object's last reference has gone, or it is being abandoned.
static inline bool isa__object_is_deallocating(isa_id object)
{
    uintptr_t word = isa_header_record((const struct isa_header *)object);
    const struct isa__side *side = isa__side_find(object);
    if (side != NULL && !(isa__side_flags(side) & ISA_SIDE_HOOKED))
        word = __atomic_load_n(&side->count, __ATOMIC_ACQUIRE);
    return (word & ISA_RECORD_DEALLOCATING) != 0;
}

// The references in `cell`.
static inline uintptr_t isa__count_references(uintptr_t cell)
{
    return cell / ISA_RECORD_COUNT_UNIT;
}

#endif
