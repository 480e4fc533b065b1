// The accessors with which a class changes a to-many key.
#ifndef ISA_KVC_MUTATORS_H
#define ISA_KVC_MUTATORS_H

#include "key.h"

enum isa__mutator {
    ISA_MUTATOR_INSERT,       // insertObject:in<Key>AtIndex:
    ISA_MUTATOR_INSERT_MANY,  // insert<Key>:atIndexes:
    ISA_MUTATOR_REMOVE_AT,    // removeObjectFrom<Key>AtIndex:
    ISA_MUTATOR_REMOVE_MANY,  // remove<Key>AtIndexes:
    ISA_MUTATOR_REPLACE,      // replaceObjectIn<Key>AtIndex:withObject:
    ISA_MUTATOR_REPLACE_MANY, // replace<Key>AtIndexes:with<Key>:
    ISA_MUTATOR_ADD,          // add<Key>Object:
    ISA_MUTATOR_ADD_MANY,     // add<Key>:
    ISA_MUTATOR_REMOVE,       // remove<Key>Object:
    ISA_MUTATOR_REMOVE_SET,   // remove<Key>:
    ISA_MUTATOR_INTERSECT,    // intersect<Key>:
    ISA_MUTATOR_COUNT,
};

// The accessors that a class has, by inheritance too; NULL for those that it lacks.
struct isa__mutators {
    isa_method methods[ISA_MUTATOR_COUNT];
};

// Finds the accessors of `key` by name and number of arguments.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out);

// The same for an interned key, which remembers where no class can have any.
isa_status isa__mutators_find_interned(isa_class cls, const struct isa__key *key,
                                       struct isa__mutators *out);

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
