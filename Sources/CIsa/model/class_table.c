// Registered classes by name, and in the order of their registration.
//
// Owns:  the table; the classes belong to class_pair.c.
// Locks: the model lock guards it.
#include "class_table.h"

#include "../base/status.h"

static struct isa__map classes_by_name = {.by_text = true};
static struct isa__array classes_in_order;

isa_class isa__class_table_find_locked(const char *name)
{
    return isa__map_find(&classes_by_name, name);
}

isa_status isa__class_table_add_locked(isa_class cls)
{
    if (isa__class_table_find_locked(cls->name) != NULL)
        return isa__fail(ISA_ERR_EXISTS, NULL, "a class named %s is registered already", cls->name);
    isa_status status = isa__array_add(&classes_in_order, cls);
    if (status != ISA_OK) return status;
    status = isa__map_set(&classes_by_name, cls->name, cls);
    if (status != ISA_OK) isa__array_remove(&classes_in_order, cls);
    return status;
}

void isa__class_table_remove_locked(isa_class cls)
{
    isa__map_remove(&classes_by_name, cls->name);
    isa__array_remove(&classes_in_order, cls);
}

isa_class isa_class_find(const char *name)
{
    if (name == NULL) return NULL;
    isa__lock(&isa__model_lock);
    isa_class cls = isa__class_table_find_locked(name);
    isa__unlock(&isa__model_lock);
    return cls;
}

isa_status isa_class_copy_list(isa_class **out, size_t *count)
{
    if (out == NULL || count == NULL) return isa__fail_null(__func__, "out or count");
    void *items;
    isa__lock(&isa__model_lock);
    isa_status status = isa__class_copy_items_locked(&classes_in_order, &items, count);
    isa__unlock(&isa__model_lock);
    if (status == ISA_OK) *out = items;
    return status;
}
