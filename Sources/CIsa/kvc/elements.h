// The accessors with which a class answers for the elements of a to-many key.
#ifndef ISA_KVC_ELEMENTS_H
#define ISA_KVC_ELEMENTS_H

#include "../model/name.h"
#include "kvc_collections.h"

enum isa__element {
#define ISA_ELEMENT_CONSTANT(name, ...) ISA_ELEMENT_##name,
    ISA_ELEMENT_NAMES(ISA_ELEMENT_CONSTANT)
#undef ISA_ELEMENT_CONSTANT
    ISA_ELEMENT_COUNT,
};

// The accessors that a class has, by inheritance too; NULL for those that it lacks. Without
// `countOf<Key>` the others are not looked for.
struct isa__elements {
    isa_method methods[ISA_ELEMENT_COUNT];
};

// What an answer of countOf<Key> is taken for: 0 where no collection can have as many, as for -1.
static inline size_t isa__elements_count(uint64_t answer)
{
    return answer < KVC_NOT_FOUND / 64 ? (size_t)answer : 0;
}

// Finds the accessors of `key` by name and number of arguments.
void isa__elements_find(isa_class cls, const char *key, struct isa__elements *out);

// The collection that the accessors make up: an ordered set before an array before a set.
// KVC_KIND_OTHER if they do not suffice for any.
kvc_kind isa__elements_kind(const struct isa__elements *elements);

#endif
