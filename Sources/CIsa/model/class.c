// Classes: the tree of superclasses and subclasses, what a class owns, and the plain questions.
//
// Locks:     `isa__model_lock` guards the tree, the lists and `owned`; name and superclass never
//            change, so the questions need no lock.
// Invariant: the tree reaches every class that is not being disposed of, registered or not.
#include "class.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"

// A resource in a class's `owned`.
struct owned {
    void *resource;
    void (*dispose)(void *resource);
};

struct isa__lock isa__model_lock = ISA_LOCK_INIT(ISA_LOCK_MODEL);
struct isa__class_hooks isa__class_hooks;

static isa_class first_root;

// ---- the tree -----------------------------------------------------------------------------------

static isa_class *siblings_of(isa_class cls)
{
    return cls->superclass == NULL ? &first_root : &cls->superclass->first_subclass;
}

// Makes `*at` lead to `cls`, which may be NULL.
static void lead_to(isa_class *at, isa_class cls)
{
    *at = cls;
    if (cls != NULL) cls->sibling_link = at;
}

void isa__class_link_locked(isa_class cls)
{
    isa_class *first = siblings_of(cls);
    lead_to(&cls->next_sibling, *first);
    lead_to(first, cls);
}

void isa__class_unlink_locked(isa_class cls)
{
    lead_to(cls->sibling_link, cls->next_sibling);
    cls->next_sibling = NULL;
}

isa_class isa__class_first_locked(void)
{
    return first_root;
}

isa_class isa__class_next_locked(isa_class cls, isa_class top, bool descend)
{
    if (descend && cls->first_subclass != NULL) return cls->first_subclass;
    for (; cls != NULL && cls != top; cls = cls->superclass) {
        if (cls->next_sibling != NULL) return cls->next_sibling;
    }
    return NULL;
}

// ---- lists and resources ------------------------------------------------------------------------

isa_status isa__class_copy_items_locked(const struct isa__array *items, void **out, size_t *count)
{
    void **copy = NULL;
    if (items->count > 0) {
        copy = isa__alloc_public(items->count * sizeof *copy);
        if (copy == NULL)
            return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a list of %zu", items->count);
        memcpy(copy, items->items, items->count * sizeof *copy);
    }
    *out = copy;
    *count = items->count;
    return ISA_OK;
}

isa_status isa__class_own(isa_class cls, void *resource, void (*dispose)(void *resource))
{
    struct owned *owned = isa__alloc(ISA_KIND_OTHER, sizeof *owned);
    if (owned == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a resource of class %s",
                         cls->name);
    *owned = (struct owned){.resource = resource, .dispose = dispose};
    isa__lock(&isa__model_lock);
    isa_status status = isa__array_add(&cls->owned, owned);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) isa__free(ISA_KIND_OTHER, owned, sizeof *owned);
    return status;
}

void isa__class_disown(isa_class cls, void *resource)
{
    struct owned *found = NULL;
    isa__lock(&isa__model_lock);
    for (size_t i = cls->owned.count; i > 0 && found == NULL; i--) {
        struct owned *owned = cls->owned.items[i - 1];
        if (owned->resource != resource) continue;
        found = owned;
        isa__array_remove_at(&cls->owned, i - 1);
    }
    isa__unlock(&isa__model_lock);
    isa__free(ISA_KIND_OTHER, found, sizeof *found);
}

void isa__class_dispose_owned(isa_class cls)
{
    while (cls->owned.count > 0) {
        struct owned *owned = cls->owned.items[--cls->owned.count];
        owned->dispose(owned->resource);
        isa__free(ISA_KIND_OTHER, owned, sizeof *owned);
    }
    isa__array_clear(&cls->owned);
}

// ---- questions ----------------------------------------------------------------------------------

const char *isa_class_name(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->name;
}

isa_class isa_class_superclass(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->superclass;
}

isa_class isa_class_metaclass(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return isa__class_metaclass(cls);
}

bool isa_class_is_metaclass(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return (isa__class_flags(cls) & ISA_CLASS_META) != 0;
}

bool isa_class_is_registered(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return (isa__class_flags(cls) & ISA_CLASS_REGISTERED) != 0;
}

bool isa_class_is_subclass(isa_class cls, isa_class ancestor)
{
    while (cls != NULL && cls != ancestor) cls = cls->superclass;
    return cls != NULL;
}

size_t isa_class_instance_size(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->instance_size;
}

isa_status isa_class_set_info(isa_class cls, const void *info)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_class_set_info: %s is a metaclass",
                         cls->name);
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL, "isa_class_set_info: class %s is registered",
                         cls->name);
    cls->info = info;
    return ISA_OK;
}

const void *isa_class_get_info(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->info;
}

isa_status isa_class_set_memory_hooks(isa_class cls, const isa_memory_hooks *hooks)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_set_memory_hooks: %s is a metaclass", cls->name);
    if (hooks == NULL || hooks->retain == NULL || hooks->release == NULL ||
        hooks->try_retain == NULL || hooks->keep == NULL || hooks->drop == NULL ||
        hooks->count == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_set_memory_hooks: %s needs all six hooks", cls->name);
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL,
                         "isa_class_set_memory_hooks: class %s is registered", cls->name);
    cls->hooks = hooks;
    return ISA_OK;
}

isa_status isa_class_set_guard(isa_class cls, isa_class_guard guard)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL, "isa_class_set_guard: class %s is registered",
                         cls->name);
    cls->guard = guard;
    return ISA_OK;
}
