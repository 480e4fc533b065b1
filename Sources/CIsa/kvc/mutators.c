// Search for the accessors of a to-many key.
//
// Owns:  nothing.
// Locks: none held.
#include "mutators.h"

#include "../model/method.h"

void isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out)
{
    for (size_t i = 0; i < ISA_MUTATOR_COUNT; i++)
        out->methods[i] = isa__method_find_named(cls, ISA_NAME_INSERT + i, key);
}
