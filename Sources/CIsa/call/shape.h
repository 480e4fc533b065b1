// Calls of accessors by shape, whatever integer type a class declares an index with.
//
// A shape is the letter of the result and those of the arguments behind the selector: `@` for an
// object, `Q` for an integer of any type, `^` for an index set, `v` for a result that nobody asks
// for. No shape has two arguments of one letter.
#ifndef ISA_CALL_SHAPE_H
#define ISA_CALL_SHAPE_H

#include "isa_call.h"

struct isa__shape_arguments {
    isa_id object;
    uint64_t index;
    const void *pointer; // of an index set
};

union isa__shape_answer {
    isa_id object; // lent
    uint64_t index;
};

enum { ISA_SHAPE_LETTERS = 3 };

// How a method meets a shape.
struct isa__shape {
    const char *types;              // the method's encoding
    const char *letters;            // the shape
    char actual[ISA_SHAPE_LETTERS]; // the method's letters in their places; 0: no scalar
    bool fits;                      // it can be called by the shape
    bool is_exact;                  // it passes everything as the shape says: nothing is converted
};

// Lends both texts. A method that could answer with nothing fits whatever it answers.
struct isa__shape isa__shape_of(const char *types, const char *letters);

// Reads what a closure of the method was called with.
struct isa__shape_arguments isa__shape_read(const struct isa__shape *shape, void *const *arguments);

// Calls what meets the shape exactly. `answer` is not looked at where the shape begins with `v`.
void isa__shape_call_exact(const char *letters, isa_imp imp, isa_id object, isa_sel sel,
                           const struct isa__shape_arguments *arguments,
                           union isa__shape_answer *answer);

// Calls `method` of `object`, overridden or not, as its own encoding says. One that could answer
// with nothing may answer an isa_status (`i`).
//
// Errors: KVC_ERR_TYPE for an encoding that does not fit; KVC_ERR_RANGE for an index that its type
//         cannot be; those of a call through libffi; the method's own.
isa_status isa__shape_send(isa_id object, isa_method method, const char *letters,
                           const struct isa__shape_arguments *arguments,
                           union isa__shape_answer *answer);

#endif
