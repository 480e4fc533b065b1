// Declared properties.
//
// Owns:  each declaration and its texts, until its class goes.
// Locks: the model lock guards a class's properties; a declaration itself never changes.
#include "property.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "ivar.h"
#include "name.h"

static isa_property find_own_locked(isa_class cls, const char *name)
{
    for (size_t i = 0; i < cls->properties.count; i++) {
        isa_property property = cls->properties.items[i];
        if (strcmp(property->info.name, name) == 0) return property;
    }
    return NULL;
}

// Whether `selector` names a method of that many arguments, all colons in their place.
static bool is_accessor(const char *selector, size_t colons)
{
    size_t length = strlen(selector);
    const char *colon = strchr(selector, ':');
    if (colons == 0) return length > 0 && colon == NULL;
    return length > 1 && colon == selector + length - 1;
}

static isa_status check_info(isa_class cls, const isa_property_info *info)
{
    if (info == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_add_property: class %s: no info", cls->name);
    struct isa__type type;
    isa_status status = isa__ivar_check(info->name, info->types, info->ownership, &type);
    if (status != ISA_OK) return status;
    const char *wrong = NULL;
    if (info->getter != NULL && !is_accessor(info->getter, 0)) wrong = "getter takes no argument";
    if (info->setter != NULL && !is_accessor(info->setter, 1)) wrong = "setter takes one argument";
    if (info->setter != NULL && info->readonly) wrong = "read-only property has no setter";
    if (info->ivar != NULL && *info->ivar == 0) wrong = "backing ivar has a name";
    if (wrong == NULL) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "isa_class_add_property: property %s of class %s: a %s", info->name, cls->name,
                     wrong);
}

// The texts were allocated by make_property and are nobody else's, hence the casts.
static void free_property(isa_property property)
{
    isa__free_text((char *)property->info.name);
    isa__free_text((char *)property->info.types);
    isa__free_text((char *)property->info.getter);
    isa__free_text((char *)property->info.setter);
    isa__free_text((char *)property->info.ivar);
    isa__free(ISA_KIND_OTHER, property, sizeof *property);
}

// A copy of `info` with its defaults filled in; NULL when memory is short.
static isa_property make_property(const isa_property_info *info)
{
    isa_property property = isa__alloc(ISA_KIND_OTHER, sizeof *property);
    if (property == NULL) return NULL;
    isa_property_info *copy = &property->info;
    *copy = (isa_property_info){.ownership = info->ownership, .readonly = info->readonly};
    copy->name = isa__copy_text(info->name);
    copy->types = isa__copy_text(info->types);
    copy->getter = isa__copy_text(info->getter != NULL ? info->getter : info->name);
    if (info->setter != NULL) copy->setter = isa__copy_text(info->setter);
    else if (!info->readonly) copy->setter = isa__name_copy(ISA_NAME_SET, info->name);
    if (info->ivar != NULL) copy->ivar = isa__copy_text(info->ivar);
    bool is_whole = copy->name != NULL && copy->types != NULL && copy->getter != NULL &&
                    (copy->setter != NULL || info->readonly) &&
                    (copy->ivar != NULL || info->ivar == NULL);
    if (is_whole) return property;
    free_property(property);
    return NULL;
}

isa_status isa_class_add_property(isa_class cls, const isa_property_info *info)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    isa_status status = check_info(cls, info);
    if (status != ISA_OK) return status;
    isa_property property = make_property(info);
    if (property == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for property %s of class %s",
                         info->name, cls->name);
    isa__lock(&isa__model_lock);
    if (find_own_locked(cls, info->name) == NULL)
        status = isa__array_add(&cls->properties, property);
    else
        status = isa__fail(ISA_ERR_EXISTS, NULL,
                           "isa_class_add_property: class %s has a property %s", cls->name,
                           info->name);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) free_property(property);
    return status;
}

void isa__property_remove(isa_class cls, isa_property property)
{
    isa__lock(&isa__model_lock);
    isa__array_remove(&cls->properties, property);
    isa__unlock(&isa__model_lock);
    free_property(property);
}

isa_property isa_class_find_property(isa_class cls, const char *name)
{
    ISA_REQUIRE_NOT_NULL(cls);
    if (name == NULL) return NULL;
    isa_property property = NULL;
    isa__lock(&isa__model_lock);
    for (; cls != NULL && property == NULL; cls = cls->superclass)
        property = find_own_locked(cls, name);
    isa__unlock(&isa__model_lock);
    return property;
}

isa_status isa_class_copy_properties(isa_class cls, isa_property **out, size_t *count)
{
    if (cls == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "cls, out or count");
    void *items;
    isa__lock(&isa__model_lock);
    isa_status status = isa__class_copy_items_locked(&cls->properties, &items, count);
    isa__unlock(&isa__model_lock);
    if (status == ISA_OK) *out = items;
    return status;
}

const isa_property_info *isa_property_get_info(isa_property property)
{
    ISA_REQUIRE_NOT_NULL(property);
    return &property->info;
}

void isa__properties_free_locked(isa_class cls)
{
    for (size_t i = 0; i < cls->properties.count; i++) free_property(cls->properties.items[i]);
    isa__array_clear(&cls->properties);
}
