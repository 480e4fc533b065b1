// Calls of accessors by signature: a class may declare an index with any integer type.
//
// A signature is the letter of the result and the letters of the arguments behind the selector: `@`
// for an object, `Q` for an integer of any type, `^` for an index set, `v` for a result that nobody
// asks for. No signature has two arguments of one letter.
#ifndef ISA_CALL_SIGNATURE_H
#define ISA_CALL_SIGNATURE_H

#include "isa_call.h"

struct isa__accessor_arguments {
    isa_id object;
    uint64_t index;
    const void *pointer; // of an index set
};

union isa__accessor_answer {
    isa_id object; // lent
    uint64_t index;
};

enum { ISA_ACCESSOR_LETTERS = 3 };

// How a method meets a signature.
struct isa__accessor_signature {
    const char *types;                 // the method's encoding
    const char *letters;               // the signature
    char actual[ISA_ACCESSOR_LETTERS]; // the method's letters in their places; 0: no scalar
    bool fits;                         // it can be called by the signature
    bool is_exact;                     // it passes all as the signature says, nothing converted
};

// Lends both texts. A method that could answer with nothing fits with any answer.
struct isa__accessor_signature isa__accessor_signature_of(const char *types, const char *letters);

// Reads what a closure of the method was called with.
struct isa__accessor_arguments
isa__accessor_arguments_read(const struct isa__accessor_signature *signature,
                             void *const *arguments);

// Calls what meets the signature exactly. `answer` is not looked at where the signature begins with
// `v`.
void isa__accessor_call_exact(const char *letters, isa_imp imp, isa_id object, isa_sel sel,
                              const struct isa__accessor_arguments *arguments,
                              union isa__accessor_answer *answer);

// Calls `method` of `object`, overridden or not, as its own encoding says. A method that could
// answer with nothing may answer an isa_status (`i`).
//
// Errors: KVC_ERR_TYPE for an encoding that does not fit; KVC_ERR_RANGE for an index that its type
//         cannot be; the errors of a call through libffi; the method's own.
isa_status isa__accessor_send(isa_id object, isa_method method, const char *letters,
                              const struct isa__accessor_arguments *arguments,
                              union isa__accessor_answer *answer);

#endif
