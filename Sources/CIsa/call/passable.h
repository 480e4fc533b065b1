// Which types a call can pass by value.
#ifndef ISA_CALL_PASSABLE_H
#define ISA_CALL_PASSABLE_H

#include "../model/encoding.h"

// Whether libffi can pass every type of `types`, a method encoding that has been checked.
//
// Errors: ISA_ERR_NOT_PASSABLE, with the type and the reason in last error.
isa_status isa__passable_check(const char *types);

// Fails with ISA_ERR_NOT_PASSABLE for `type`.
isa_status isa__passable_refuse(const struct isa__type *type, const char *reason);

#endif
