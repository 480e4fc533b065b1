// What libffi can pass by value, and why it cannot pass the rest.
//
// Owns:  nothing.
// Locks: none.
#include "passable.h"

#include <ffi.h>

#include "../base/status.h"

// What a signature may move by value, since a call takes it from the stack.
enum { MAX_PASSED = 256 * 1024 };

isa_status isa__passable_refuse(const struct isa__type *type, const char *reason)
{
    return isa__fail(ISA_ERR_NOT_PASSABLE, NULL, "type \"%.*s\" cannot be passed by value: %s",
                     isa__type_quoted_length(type), type->start, reason);
}

static const char *unpassable_leaf(const struct isa__type *type)
{
    switch (type->type_class) {
    case ISA_TYPE_INT128:
        return "libffi has no 128-bit integers";
    case ISA_TYPE_UNION:
        return "libffi has no unions";
    case ISA_TYPE_BITFIELD:
        return "libffi has no bit-fields";
    case ISA_TYPE_UNKNOWN:
        return "nothing is known of it";
    case ISA_TYPE_VOID:
        return "void has no value";
#ifndef FFI_TARGET_HAS_COMPLEX_TYPE
    case ISA_TYPE_COMPLEX:
        return "libffi has no complex numbers on this system";
#endif
    default:
        return type->members == NULL && type->type_class == ISA_TYPE_STRUCT
                   ? "the struct's members are not known"
                   : NULL;
    }
}

// Refuses what libffi cannot pass, wherever in `type` it is. An array's elements are all alike, so
// the first one stands for them.
//
// libffi places members by their own size and alignment, so one without size but with an alignment
// would shift what follows unnoticed.
static isa_status check_by_value(const struct isa__type *type)
{
    const char *reason = unpassable_leaf(type);
    if (reason != NULL) return isa__passable_refuse(type, reason);
    if (type->members == NULL) return ISA_OK;
    struct isa__member_walk walk = {.parent = type, .cursor = type->members};
    struct isa__type member;
    size_t offset;
    while (isa__member_next(&walk, &member, &offset)) {
        isa_status status = check_by_value(&member);
        if (status != ISA_OK) return status;
        if (member.size == 0 && member.align > 1)
            return isa__passable_refuse(type, "it has an aligned member without size");
        if (type->type_class == ISA_TYPE_ARRAY) break;
    }
    return ISA_OK;
}

static isa_status check_passable(const struct isa__type *type)
{
    isa_status status = check_by_value(type);
    if (status != ISA_OK) return status;
    if (type->size == 0) return isa__passable_refuse(type, "an empty struct has no value");
    if (type->size > MAX_PASSED) return isa__passable_refuse(type, "it is larger than 256 KiB");
    return ISA_OK;
}

isa_status isa__passable_check(const char *types)
{
    struct isa__type type;
    size_t total = 0;
    for (size_t index = 0; isa__type_next(&types, &type); index++) {
        isa_status status = ISA_OK;
        if (index == 0 && type.type_class == ISA_TYPE_VOID) continue;
        if (type.type_class != ISA_TYPE_ARRAY)
            status = check_passable(&type);
        else if (index == 0)
            status = isa__passable_refuse(&type, "C functions do not return arrays");
        if (status != ISA_OK) return status;
        total += type.size > sizeof(void *) && type.type_class != ISA_TYPE_ARRAY ? type.size
                                                                                  : sizeof(void *);
        if (total > MAX_PASSED)
            return isa__passable_refuse(&type, "with it the call passes more than 256 KiB");
    }
    return ISA_OK;
}
