// Registered classes by name.
#ifndef ISA_MODEL_CLASS_TABLE_H
#define ISA_MODEL_CLASS_TABLE_H

#include "class.h"

isa_class isa__class_table_find_locked(const char *name);
isa_status isa__class_table_add_locked(isa_class cls);
void isa__class_table_remove_locked(isa_class cls);
#endif
