// Validation: asking an object whether it would take a value.
#ifndef ISA_KVC_VALIDATION_H
#define ISA_KVC_VALIDATION_H

#include "kvc.h"

// Gives the root class `validateValue:forKey:error:` and its form for key paths.
isa_status isa__validation_start(void);

#endif
