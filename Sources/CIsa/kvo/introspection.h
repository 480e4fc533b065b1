// Who observes what: data for people and tools, and `observationInfo`.
#ifndef ISA_KVO_INTROSPECTION_H
#define ISA_KVO_INTROSPECTION_H

#include "kvo.h"

// Gives the root class `observationInfo` and `setObservationInfo:`.
isa_status isa__introspection_start(void);

#endif
