// Null: the object that stands for nil in collections.
#ifndef ISA_KVC_NULL_H
#define ISA_KVC_NULL_H

#include "box.h"

isa_status isa__null_start(void);
#endif
