// Calls of to-many accessors, whatever integer type a class declares an index with.
#ifndef ISA_KVC_ELEMENT_CALL_H
#define ISA_KVC_ELEMENT_CALL_H

#include "kvc_collections.h"

// An argument or a result.
union isa__element_value {
    isa_id object;
    uint64_t index;
    const void *pointer; // of an index set
};

// Calls `method` of `object`, overridden or not, as its own encoding says.
//
// Shape:  `shape` has the letter of the result and those of the arguments behind the selector: `@`
//         for an object, `Q` for an integer of any type, `^` for an index set, `v` for a result
//         that nobody asks for; an accessor that could answer with nothing may answer with an
//         isa_status (`i`).
// Owner:  an object in `*result` is lent. `result` is not looked at where `shape` begins with `v`.
// Errors: KVC_ERR_TYPE for an encoding that does not fit the shape; those of a call through libffi;
//         the accessor's own.
isa_status isa__element_call(isa_id object, isa_method method, const char *shape,
                             const union isa__element_value *arguments,
                             union isa__element_value *result);

// Whether such a call passes everything as the method declares it, and nothing is converted.
bool isa__element_call_is_direct(isa_method method, const char *shape);

#endif
