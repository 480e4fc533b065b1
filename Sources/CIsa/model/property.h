// Declared properties.
#ifndef ISA_MODEL_PROPERTY_H
#define ISA_MODEL_PROPERTY_H

#include "class.h"

struct isa__property {
    isa_property_info info; // every text is a copy of its own
};

// Takes a declaration back, for an undo: the caller sees to it that nobody uses `property` any
// more.
void isa__property_remove(isa_class cls, isa_property property);

// Frees the properties of a class that goes. Model lock held.
void isa__properties_free_locked(isa_class cls);

#endif
