// From a method encoding to what libffi needs for a call, prepared once per signature.
#ifndef ISA_CALL_FFI_TYPE_H
#define ISA_CALL_FFI_TYPE_H

#include <ffi.h>

#include "isa_call.h"

// How calls of one signature are made; equal for encodings that pass alike. Permanent.
struct isa__call_interface {
    ffi_cif cif;
    size_t count;       // arguments, receiver and selector included
    ffi_type **types;   // theirs
    size_t *sizes;      // and the bytes at each argument's address; an array's: a pointer's
    size_t result_size; // bytes that a result takes at the caller's; 0 for void
    bool has_structs;   // among the arguments
    char result_letter; // of an integer result narrower than ffi_arg, which libffi widens; else 0
    const char *signature; // canonical, see isa__encoding_copy_canonical
};

// The interface for calls of the method encoding `types`.
//
// An argument of array type is passed as C does: as a pointer to the first element.
// Errors: as isa_call_check.
isa_status isa__call_interface_get(const char *types, const struct isa__call_interface **out);

#endif
