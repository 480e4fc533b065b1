// Boxed values: instances of IsaValue, and the way into and out of a box.
#ifndef ISA_KVC_VALUE_H
#define ISA_KVC_VALUE_H

#include "box.h"
#include "kvc.h"

// The start of an instance of IsaValue or IsaNumber.
struct isa__box {
    struct isa_header header;
    const char *types;
    const void *bytes;
};

extern const struct isa__library_class isa__value_classes[1];

#endif
