// Ivars, the instance layout that they make, and declared properties.
//
// Owns:      each ivar and each declaration of a property, with its texts, until its class goes.
// Locks:     the model lock guards a class's ivars and properties; an ivar or a declaration itself
//            never changes.
// Invariant: instance size, alignment and the owning flag cover the superclass and the ivars of the
//            class together; they are final once the class is registered.
#include "ivar.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "selector.h"
#include "type.h"

// The offset of an ivar that has none yet.
#define NO_PLACE SIZE_MAX

isa_status isa__ivar_check(const char *name, const char *types, isa_ownership ownership,
                           struct isa__type *out)
{
    if (name == NULL || *name == 0 || types == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "an ivar or property needs name and type");
    struct isa__type type;
    isa_status status = isa__type_parse(types, &type);
    if (status != ISA_OK) return status;
    if (*type.end != 0 || !type.sized || type.type_class == ISA_TYPE_BITFIELD)
        return isa__fail(ISA_ERR_BAD_ENCODING, NULL,
                         "%s: the encoding \"%s\" is not that of one value of known size", name,
                         types);
    bool is_object = type.type_class == ISA_TYPE_SCALAR && type.letter == '@';
    if ((unsigned)ownership > ISA_OWNERSHIP_WEAK || (ownership != ISA_OWNERSHIP_NONE && !is_object))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "%s: ownership %d does not go with the encoding \"%s\"", name,
                         (int)ownership, types);
    *out = type;
    return ISA_OK;
}

static void free_ivar(isa_ivar ivar)
{
    isa__free_text(ivar->name);
    isa__free_text(ivar->types);
    isa__free(ISA_KIND_OTHER, ivar, sizeof *ivar);
}

// An ivar without an offset yet.
static isa_ivar make_ivar(const char *name, const char *types, const struct isa__type *type,
                          isa_ownership ownership)
{
    isa_ivar ivar = isa__alloc(ISA_KIND_OTHER, sizeof *ivar);
    if (ivar == NULL) return NULL;
    *ivar = (struct isa__ivar){.size = type->size, .align = type->align, .ownership = ownership};
    ivar->name = isa__copy_text(name);
    ivar->types = isa__copy_text(types);
    if (ivar->name != NULL && ivar->types != NULL) return ivar;
    free_ivar(ivar);
    return NULL;
}

// Lays instances of `cls` out as instances of its superclass.
static void lay_out_bare_locked(isa_class cls)
{
    if (isa__class_flags(cls) & ISA_CLASS_LAID_OUT) return;
    isa_class super = cls->superclass;
    cls->instance_size = super == NULL ? sizeof(struct isa_header) : super->instance_size;
    cls->instance_align = super == NULL ? _Alignof(struct isa_header) : super->instance_align;
    uint32_t owning = super == NULL ? 0 : isa__class_flags(super) & ISA_CLASS_OWNING_IVARS;
    uint32_t others = isa__class_flags(cls) & ~(uint32_t)ISA_CLASS_OWNING_IVARS;
    __atomic_store_n(&cls->flags, others | owning, __ATOMIC_RELEASE);
}

static size_t round_up(size_t size, size_t align)
{
    return (size + align - 1) / align * align;
}

// Lays instances of `cls` out with an ivar more, behind the ivar before or the superclass's ivars.
static void lay_out_locked(isa_class cls, isa_ivar ivar, const struct isa__ivar *before)
{
    if (isa__class_flags(cls) & ISA_CLASS_LAID_OUT) return;
    size_t end = before == NULL ? cls->instance_size : before->offset + before->size;
    ivar->offset = round_up(end, ivar->align);
    if (ivar->align > cls->instance_align) cls->instance_align = ivar->align;
    cls->instance_size = round_up(ivar->offset + ivar->size, cls->instance_align);
    if (ivar->ownership != ISA_OWNERSHIP_NONE)
        __atomic_fetch_or(&cls->flags, (uint32_t)ISA_CLASS_OWNING_IVARS, __ATOMIC_RELEASE);
}

// An ivar either has a place or is given one.
static isa_status check_place_locked(isa_class cls, isa_ivar ivar)
{
    bool has_layout = (isa__class_flags(cls) & ISA_CLASS_LAID_OUT) != 0;
    bool has_place = ivar->offset != NO_PLACE;
    if (has_layout != has_place)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_add_ivar: class %s lays its ivars out %s, %s needs %s offset",
                         cls->name, has_layout ? "elsewhere" : "itself", ivar->name,
                         has_layout ? "an" : "no");
    if (has_place && (ivar->offset % ivar->align != 0 || ivar->offset > cls->instance_size ||
                      ivar->size > cls->instance_size - ivar->offset))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_add_ivar_at: no place for %s at offset %zu of %zu bytes",
                         ivar->name, ivar->offset, cls->instance_size);
    return ISA_OK;
}

static isa_status ivar_add_locked(isa_class cls, isa_ivar ivar)
{
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL,
                         "isa_class_add_ivar: class %s is registered, its layout is final",
                         cls->name);
    if (isa__map_find(&cls->ivars_by_name, ivar->name) != NULL)
        return isa__fail(ISA_ERR_EXISTS, NULL, "isa_class_add_ivar: class %s has an ivar %s",
                         cls->name, ivar->name);
    size_t count = cls->ivars.count;
    isa_status status = check_place_locked(cls, ivar);
    if (status == ISA_OK) status = isa__map_set(&cls->ivars_by_name, ivar->name, ivar);
    if (status != ISA_OK) return status;
    status = isa__array_add(&cls->ivars, ivar);
    if (status != ISA_OK) isa__map_remove(&cls->ivars_by_name, ivar->name);
    else lay_out_locked(cls, ivar, count == 0 ? NULL : cls->ivars.items[count - 1]);
    return status;
}

static isa_status ivar_add(isa_class cls, const char *name, const char *types,
                           isa_ownership ownership, size_t offset)
{
    if (isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_add_ivar: %s is a metaclass; class objects have no ivars",
                         cls->name);
    struct isa__type type = {0};
    isa_status status = isa__ivar_check(name, types, ownership, &type);
    if (status != ISA_OK) return status;
    isa_ivar ivar = make_ivar(name, types, &type, ownership);
    if (ivar == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for ivar %s of class %s", name,
                         cls->name);
    ivar->offset = offset;
    isa__lock(&isa__model_lock);
    status = ivar_add_locked(cls, ivar);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) free_ivar(ivar);
    return status;
}

isa_status isa_class_add_ivar(isa_class cls, const char *name, const char *types,
                              isa_ownership ownership)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    return ivar_add(cls, name, types, ownership, NO_PLACE);
}

isa_status isa_class_add_ivar_at(isa_class cls, const char *name, const char *types, size_t offset)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (offset == NO_PLACE)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_class_add_ivar_at: no offset");
    return ivar_add(cls, name, types, ISA_OWNERSHIP_NONE, offset);
}

static isa_status set_layout_locked(isa_class cls, size_t size)
{
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL,
                         "isa_class_set_layout: class %s is registered, its layout is final",
                         cls->name);
    size_t least = cls->superclass == NULL ? sizeof(struct isa_header)
                                           : cls->superclass->instance_size;
    if (cls->hooks == NULL || cls->ivars.count > 0 || size < least)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_set_layout: class %s %s", cls->name,
                         cls->hooks == NULL     ? "has no memory hooks"
                         : cls->ivars.count > 0 ? "has ivars already"
                                                : "cannot be smaller than its superclass");
    cls->instance_size = size;
    __atomic_fetch_or(&cls->flags, (uint32_t)ISA_CLASS_LAID_OUT, __ATOMIC_RELEASE);
    return ISA_OK;
}

isa_status isa_class_set_layout(isa_class cls, size_t size)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    isa__lock(&isa__model_lock);
    isa_status status = set_layout_locked(cls, size);
    isa__unlock(&isa__model_lock);
    return status;
}

void isa__ivar_remove_last(isa_class cls)
{
    isa__lock(&isa__model_lock);
    size_t last = cls->ivars.count - 1;
    isa_ivar ivar = cls->ivars.items[last];
    isa__map_remove(&cls->ivars_by_name, ivar->name);
    isa__array_remove_at(&cls->ivars, last);
    free_ivar(ivar);
    lay_out_bare_locked(cls);
    for (size_t i = 0; i < last; i++)
        lay_out_locked(cls, cls->ivars.items[i], i == 0 ? NULL : cls->ivars.items[i - 1]);
    isa__unlock(&isa__model_lock);
}

isa_ivar isa__ivar_find_named(isa_class cls, enum isa__name name, const char *key)
{
    isa_ivar ivar = NULL;
    isa__lock(&isa__model_lock);
    for (; cls != NULL && ivar == NULL; cls = cls->superclass)
        ivar = isa__name_find(&cls->ivars_by_name, name, key);
    isa__unlock(&isa__model_lock);
    return ivar;
}

isa_ivar isa_class_find_ivar(isa_class cls, const char *name)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return name == NULL ? NULL : isa__ivar_find_named(cls, ISA_NAME_KEY, name);
}

isa_status isa_class_copy_ivars(isa_class cls, isa_ivar **out, size_t *count)
{
    if (cls == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "cls, out or count");
    void *items;
    isa_status status = isa__class_copy_items(&cls->ivars, &items, count);
    if (status == ISA_OK) *out = items;
    return status;
}

const char *isa_ivar_name(isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(ivar);
    return ivar->name;
}

const char *isa_ivar_types(isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(ivar);
    return ivar->types;
}

size_t isa_ivar_offset(isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(ivar);
    return ivar->offset;
}

size_t isa_ivar_size(isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(ivar);
    return ivar->size;
}

isa_ownership isa_ivar_ownership(isa_ivar ivar)
{
    ISA_REQUIRE_NOT_NULL(ivar);
    return ivar->ownership;
}

void isa__ivars_free_locked(isa_class cls)
{
    for (size_t i = 0; i < cls->ivars.count; i++) free_ivar(cls->ivars.items[i]);
    isa__array_clear(&cls->ivars);
    isa__map_clear(&cls->ivars_by_name);
}

// ---- properties ---------------------------------------------------------------------------------

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

static isa_status add_property_locked(isa_class cls, isa_property property)
{
    const char *name = property->info.name;
    if (isa__map_find(&cls->properties_by_name, name) != NULL)
        return isa__fail(ISA_ERR_EXISTS, NULL,
                         "isa_class_add_property: class %s has a property %s", cls->name, name);
    isa_status status = isa__map_set(&cls->properties_by_name, name, property);
    if (status != ISA_OK) return status;
    status = isa__array_add(&cls->properties, property);
    if (status != ISA_OK) isa__map_remove(&cls->properties_by_name, name);
    return status;
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
    status = add_property_locked(cls, property);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) free_property(property);
    return status;
}

void isa__property_remove(isa_class cls, isa_property property)
{
    isa__lock(&isa__model_lock);
    isa__map_remove(&cls->properties_by_name, property->info.name);
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
        property = isa__map_find(&cls->properties_by_name, name);
    isa__unlock(&isa__model_lock);
    return property;
}

isa_status isa_class_copy_properties(isa_class cls, isa_property **out, size_t *count)
{
    if (cls == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "cls, out or count");
    void *items;
    isa_status status = isa__class_copy_items(&cls->properties, &items, count);
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
    isa__map_clear(&cls->properties_by_name);
}
