// The accessors with which a class changes a to-many key.
#ifndef ISA_KVC_MUTATORS_H
#define ISA_KVC_MUTATORS_H

#include "../model/name.h"
#include "isa_class.h"

enum isa__mutator {
#define ISA_MUTATOR_CONSTANT(name, ...) ISA_MUTATOR_##name,
    ISA_MUTATOR_NAMES(ISA_MUTATOR_CONSTANT)
#undef ISA_MUTATOR_CONSTANT
    ISA_MUTATOR_COUNT,
};

// The accessors that a class has, by inheritance too; NULL for those that it lacks.
struct isa__mutators {
    isa_method methods[ISA_MUTATOR_COUNT];
};

// Finds the accessors of `key` by name and number of arguments.
void isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out);

// Whether the accessors suffice to change an ordered key: one that inserts and one that removes;
// under GNUstep's profile one that inserts.
static inline bool isa__mutators_are_ordered(const struct isa__mutators *mutators, bool gnustep)
{
    const isa_method *methods = mutators->methods;
    bool insert = methods[ISA_MUTATOR_INSERT] != NULL || methods[ISA_MUTATOR_INSERT_MANY] != NULL;
    bool remove = methods[ISA_MUTATOR_REMOVE_AT] != NULL ||
                  methods[ISA_MUTATOR_REMOVE_MANY] != NULL;
    return insert && (remove || gnustep);
}

// Whether they suffice to change an unordered key: one that adds and one that removes.
static inline bool isa__mutators_are_unordered(const struct isa__mutators *mutators)
{
    const isa_method *methods = mutators->methods;
    return (methods[ISA_MUTATOR_ADD] != NULL || methods[ISA_MUTATOR_ADD_MANY] != NULL) &&
           (methods[ISA_MUTATOR_REMOVE] != NULL || methods[ISA_MUTATOR_REMOVE_SET] != NULL);
}

#endif
