// Misuse as the core reports it, for Swift, which cannot call variadic functions.
#ifndef ISA_TEST_MISUSE_H
#define ISA_TEST_MISUSE_H

#include "isa.h"

// Reports a misuse whose reason is `reason`, by the core's own isa__misuse.
isa_status isa_test_report_misuse(isa_status status, const char *reason);

#endif
