// The start of traces, for start.c.
#ifndef ISA_TRACE_TRACE_H
#define ISA_TRACE_TRACE_H

#include "isa_types.h"

// Has children of fork leave a trace to their parents, and begins one if the environment says so. A
// trace that cannot begin is reported to the misuse handler.
//
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__trace_start(void);

#endif
