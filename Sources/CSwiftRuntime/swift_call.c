// Calls by Swift's own calling convention.
#include "swift_runtime.h"

typedef __attribute__((swiftcall)) void (*swift_getter)(
    __attribute__((swift_indirect_result)) void *result,
    __attribute__((swift_context)) void *object);

// The function that the optimiser puts in the place of a method that it has taken out.
extern void swift_deletedMethodError(void);

bool swift_runtime_is_deleted_method(const void *code)
{
    return code == (const void *)swift_deletedMethodError;
}

void swift_runtime_call_getter(const void *getter, void *object, void *result)
{
    ((swift_getter)getter)(result, object);
}
