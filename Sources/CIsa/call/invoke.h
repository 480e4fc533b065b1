// Calls through a prepared call interface.
#ifndef ISA_CALL_INVOKE_H
#define ISA_CALL_INVOKE_H

#include "ffi_type.h"

// Calls `imp` as isa_invoke does, without looking anything up. `imp` has the interface's signature.
void isa__call_interface_invoke(const struct isa__call_interface *interface, isa_imp imp,
                                void *const *arguments, void *result);

#endif
