// Methods made at run time that a class owns: synthesised accessors and callbacks. All that others
// use is public, see isa_call.h.
#ifndef ISA_CALL_SYNTHESIZE_H
#define ISA_CALL_SYNTHESIZE_H

#include "trampoline.h"

#endif
