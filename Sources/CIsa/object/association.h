// Associated objects: values kept beside an object, by key and policy.
#ifndef ISA_OBJECT_ASSOCIATION_H
#define ISA_OBJECT_ASSOCIATION_H

#include "side.h"

struct isa__association {
    const void *key;
    union {
        isa_id value;
        isa_weak weak;
    };
    isa_association_policy policy;
};

// How many objects are associated with `object`.
uint32_t isa__association_count(isa_id object);

#endif
