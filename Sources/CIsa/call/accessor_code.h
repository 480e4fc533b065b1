// Compiled accessors: for each scalar type and each of the first offsets a getter and a setter of
// their own, so that a synthesised property costs what a hand-written one does. An IMP must be good
// under any selector, on any object and called by anybody, so it can look nothing up; further
// offsets and other types have trampolines.
#ifndef ISA_CALL_ACCESSOR_CODE_H
#define ISA_CALL_ACCESSOR_CODE_H

#include "isa_call.h"

// The accessors of a plain value of type `letter`, `offset` bytes into the object; NULL if none has
// been compiled. `letter` 0 and others without a C type have none.
isa_imp isa__getter_code(char letter, size_t offset);
isa_imp isa__setter_code(char letter, size_t offset);

// The same for an object that the property retains.
isa_imp isa__object_getter_code(size_t offset);
isa_imp isa__retained_setter_code(size_t offset);

// Stores an object that a property retains.
void isa__retained_store(isa_id *slot, isa_id value);

// Whether `imp` is such a getter of that type: then where it reads.
bool isa__getter_code_find(isa_imp imp, char letter, size_t *offset);

#endif
