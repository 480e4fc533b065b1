// Makes classes.
#include "object.h"

#include <stdio.h>

void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "application: %s\n", isa_last_error()->reason);
    abort();
}

isa_class make_class(const char *name, const struct field *fields, size_t field_count,
                     const struct method *methods, size_t method_count)
{
    isa_class cls = NULL;
    must(isa_class_pair_allocate(isa_root_class(), name, &cls));
    for (size_t i = 0; i < field_count; i++)
        must(isa_class_add_ivar(cls, fields[i].name, fields[i].types, fields[i].ownership));
    for (size_t i = 0; i < method_count; i++)
        must(isa_class_add_method(cls, isa_sel_register(methods[i].selector), methods[i].imp,
                                  methods[i].types));
    must(isa_class_pair_register(cls));
    return cls;
}

void declare_dependent(isa_class cls, const char *first, const char *second, const char *dependent)
{
    isa_id keys[2], array = NULL;
    must(kvc_string_make(first, &keys[0]));
    must(kvc_string_make(second, &keys[1]));
    must(kvc_array_make(keys, 2, &array));
    must(kvo_class_set_keys(cls, array, dependent));
    for (int i = 0; i < 2; i++) isa_object_release(keys[i]);
    isa_object_release(array);
}
