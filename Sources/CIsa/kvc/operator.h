// Collection operators: `@sum.price` and the like.
#ifndef ISA_KVC_OPERATOR_H
#define ISA_KVC_OPERATOR_H

#include "box.h"

// Computes a key path that begins with `@`: sends `<operator>ForKeyPath:` or, where the class has
// none, `_<operator>ForKeyPath:` with the path behind the operator. Without a dot behind it, what
// follows `@` is a key of the collection's own: `@count`.
//
// Errors: ISA_ERR_INVALID_ARGUMENT for an operator that the class lacks; KVC_ERR_UNDEFINED_KEY for
//         a key that it lacks; of the computation.
isa_status isa__operator_compute(isa_id collection, const char *path, isa_id *out);

// Gives the boxed collections their operators.
isa_status isa__operators_start(void);

#endif
