#include "misuse.h"

#include "isa_testing.h"

isa_status isa_test_report_misuse(isa_status status, const char *reason)
{
    return isa__misuse(status, NULL, "%s", reason);
}
