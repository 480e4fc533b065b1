// Calls by Swift's own calling convention.
#include "swift_memory.h"

typedef __attribute__((swiftcall)) void (*swift_getter)(
    __attribute__((swift_indirect_result)) void *result,
    __attribute__((swift_context)) void *object);

void swift_memory_call_getter(const void *getter, void *object, void *result)
{
    ((swift_getter)getter)(result, object);
}
