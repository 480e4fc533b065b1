// Ivars: name, encoding, offset, ownership; and a class's instance layout.
#ifndef ISA_MODEL_IVAR_H
#define ISA_MODEL_IVAR_H

#include "class.h"

struct isa_ivar {
    char *name;
    char *types;
    size_t offset;
    size_t size;
    isa_ownership ownership;
};

// Frees the ivars and properties of a class that goes. Model lock held.
void isa__ivars_free_locked(isa_class cls);
void isa__properties_free_locked(isa_class cls);

#endif
