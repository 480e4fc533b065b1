// Class pairs: allocate, register, dispose of a class and its metaclass.
#ifndef ISA_MODEL_CLASS_PAIR_H
#define ISA_MODEL_CLASS_PAIR_H

#include "class.h"

// As isa_class_pair_allocate and isa_class_pair_register in one, with flags set before anyone can
// see the class: for the classes that the library makes itself, notifying ones among them. A
// notifying class has `original` set to `superclass`, its instances are counted there, and the pair
// counts as a notifying class instead of a class.
isa_status isa__class_pair_make(isa_class superclass, const char *name, uint32_t flags,
                                isa_class *out);

// Disposes of a class whatever its flags; it must have no instances and no subclasses but its
// notifying class.
void isa__class_pair_destroy(isa_class cls);

// Makes the root class, which higher ranks then give its methods.
isa_status isa__classes_start(void);

#endif
