// Null: the object that stands for nil in collections.
#ifndef ISA_KVC_NULL_H
#define ISA_KVC_NULL_H

#include "box.h"

extern const struct isa__library_class isa__null_classes[1];

// Makes the instance, once there is the class.
void isa__null_start(void);

#endif
