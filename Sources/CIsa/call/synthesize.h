// What other ranks need to know of synthesised accessors.
#ifndef ISA_CALL_SYNTHESIZE_H
#define ISA_CALL_SYNTHESIZE_H

#include "isa_call.h"

// The ivar that `imp` reads if it is a synthesised getter of a weak property, else NULL.
isa_ivar isa__synthesized_weak_ivar(isa_imp imp);

#endif
