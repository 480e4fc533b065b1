// Weak references: a slot points at the side record and try-retains to read; no global weak table.
#ifndef ISA_OBJECT_WEAK_H
#define ISA_OBJECT_WEAK_H

#include "isa_object.h"

// The address of the object that the slot refers to, dead or alive: a name to compare, not to use.
const void *isa__weak_address(const isa_weak *slot);

#endif
