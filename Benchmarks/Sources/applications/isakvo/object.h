// Classes written in C, as this library's users write them.
#ifndef APPLICATIONS_OBJECT_H
#define APPLICATIONS_OBJECT_H

#include "../script/parts.h"
#include "../script/run.h"
#include "isa.h"

struct field {
    const char *name;
    const char *types;
    isa_ownership ownership;
};

struct method {
    const char *selector;
    isa_imp imp;
    const char *types;
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// Nothing here fails but for want of memory, and by mistake: ends the process with the reason.
void must(isa_status status);

isa_class make_class(const char *name, const struct field *fields, size_t field_count,
                     const struct method *methods, size_t method_count);

// Declares that each of two keys affects `dependent`.
void declare_dependent(isa_class cls, const char *first, const char *second,
                       const char *dependent);

static inline isa_id make_object(isa_class cls)
{
    isa_id object = NULL;
    must(isa_object_allocate(cls, &object));
    return object;
}

static inline int64_t integer_in(kvc_value value)
{
    return *(const int64_t *)value.address;
}

typedef void (*set_integer)(isa_id, isa_sel, int64_t);
typedef void (*set_object)(isa_id, isa_sel, isa_id);

extern const struct application isakvo_inventory, isakvo_graph, isakvo_feed;

#endif
