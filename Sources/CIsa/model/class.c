// Classes: pairs made, registered and disposed of; their tree and their table; the root class.
//
// A class and its metaclass are made in one block and belong to the tree at once, so that a change
// of methods reaches them. Registering enters the pair into the table of names.
//
// Owns:      a class and its metaclass, one block, with name, table, methods, ivars and properties.
// Locks:     the model lock guards the tree, the class table, the lists and `owned`; name and
//            superclass never change, so the questions need none. Hooks, owned resources and events
//            run with no lock held.
// Invariant: a class's metaclass is a subclass of its superclass's metaclass. A root class's
//            metaclass is a subclass of the root class itself and the isa of all metaclasses below.
//            The tree reaches every class that is not being disposed of, registered or not.
#include "class.h"

#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "dispatch.h"
#include "ivar.h"
#include "method.h"

ISA_LOCK_DEFINE(isa__model_lock, ISA_LOCK_MODEL)
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

static void link_locked(isa_class cls)
{
    isa_class *first = siblings_of(cls);
    lead_to(&cls->next_sibling, *first);
    lead_to(first, cls);
}

static void unlink_locked(isa_class cls)
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

// A resource in a class's `owned`.
struct owned {
    void *resource;
    void (*dispose)(void *resource);
};

isa_status isa__class_copy_items(const struct isa__array *items, void **out, size_t *count)
{
    isa_status status = ISA_OK;
    isa__lock(&isa__model_lock);
    size_t size = items->count * sizeof *items->items;
    void *copy = size == 0 ? NULL : isa__alloc_public(size);
    if (copy != NULL) memcpy(copy, items->items, size);
    else if (size > 0)
        status = isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a list of %zu", items->count);
    if (status == ISA_OK) *out = copy, *count = items->count;
    isa__unlock(&isa__model_lock);
    return status;
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

static void dispose_owned(isa_class cls)
{
    while (cls->owned.count > 0) {
        struct owned *owned = cls->owned.items[--cls->owned.count];
        owned->dispose(owned->resource);
        isa__free(ISA_KIND_OTHER, owned, sizeof *owned);
    }
    isa__array_clear(&cls->owned);
}

// ---- class table --------------------------------------------------------------------------------

// Registered classes by name, each with its place in the order of their registration.
static struct isa__map classes_by_name = {.by_text = true};
static uint64_t last_registration;

// Adds a class whose name is free.
static isa_status enter_locked(isa_class cls)
{
    isa_status status = isa__map_set(&classes_by_name, cls->name, cls);
    if (status == ISA_OK) cls->registration = ++last_registration;
    return status;
}

// ---- making -------------------------------------------------------------------------------------

struct pair {
    struct isa__class cls;
    struct isa__class metaclass;
};

static isa_class root_class;

static enum isa__kind kind_for(uint32_t flags)
{
    return flags & ISA_CLASS_NOTIFYING ? ISA_KIND_NOTIFYING_CLASS : ISA_KIND_CLASS;
}

static void init_class(isa_class cls, isa_class superclass, uint32_t flags)
{
    uint32_t inherited = superclass == NULL ? 0 : isa__class_flags(superclass);
    uint32_t passed_on = ISA_CLASS_OWNING_IVARS | ISA_CLASS_GNUSTEP;
    if ((flags & ISA_CLASS_KIND_MASK) == 0) passed_on |= ISA_CLASS_KIND_MASK;
    *cls = (struct isa__class){
        .superclass = superclass,
        .original = flags & ISA_CLASS_NOTIFYING ? superclass : cls,
        .flags = flags | (inherited & passed_on),
        .hooks = superclass == NULL ? NULL : superclass->hooks,
        .guard = superclass == NULL ? NULL : superclass->guard,
        .info = superclass == NULL ? NULL : superclass->info,
        .instance_size = superclass == NULL ? sizeof(struct isa_header) : superclass->instance_size,
        .instance_align =
            superclass == NULL ? _Alignof(struct isa_header) : superclass->instance_align,
        .ivars_by_name.by_text = true,
        .properties_by_name.by_text = true,
    };
    cls->header.record = ISA_RECORD_IMMORTAL | ISA_RECORD_INLINE;
}

// A metaclass's one instance is the class, which the core alone allocates and which has no ivars.
static void init_metaclass(isa_class metaclass, isa_class cls)
{
    isa_class superclass = cls->superclass;
    isa_class above = superclass == NULL ? cls : isa__class_metaclass(superclass);
    uint32_t flags = isa__class_flags(cls) & (ISA_CLASS_REGISTERED | ISA_CLASS_LIBRARY);
    *metaclass = (struct isa__class){
        .superclass = above,
        .original = metaclass,
        .flags = flags | ISA_CLASS_META,
        .name = cls->name,
        .instance_size = sizeof(struct isa__class),
        .instance_align = _Alignof(struct isa__class),
        .ivars_by_name.by_text = true,
        .properties_by_name.by_text = true,
    };
    cls->header.isa = (uintptr_t)metaclass;
    metaclass->header.isa = superclass == NULL ? (uintptr_t)metaclass : above->header.isa;
    metaclass->header.record = ISA_RECORD_IMMORTAL | ISA_RECORD_INLINE;
}

// Frees a pair that no tree and no table leads to any more.
static void free_pair_locked(isa_class cls)
{
    struct pair *pair = (struct pair *)cls;
    isa_class halves[] = {&pair->metaclass, &pair->cls};
    for (size_t i = 0; i < 2; i++) {
        if (halves[i]->pages != NULL) isa__dispatch_destroy_locked(halves[i]);
        isa__methods_free_locked(halves[i]);
        isa__ivars_free_locked(halves[i]);
        isa__properties_free_locked(halves[i]);
    }
    isa__free_text(cls->name);
    isa__free(kind_for(isa__class_flags(cls)), pair, sizeof *pair);
}

static isa_status no_memory(const char *name)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for class %s", name);
}

// Makes a pair and hangs it into the tree, so that changes of its superclass reach it.
static isa_status make_locked(isa_class superclass, const char *name, uint32_t flags,
                              isa_class *out)
{
    struct pair *pair = isa__alloc_unset(kind_for(flags), sizeof *pair);
    if (pair == NULL) return no_memory(name);
    isa_class cls = &pair->cls;
    init_class(cls, superclass, flags);
    cls->name = isa__copy_text(name);
    init_metaclass(&pair->metaclass, cls);
    isa_status status = cls->name == NULL ? no_memory(name) : isa__dispatch_create_locked(cls);
    if (status == ISA_OK) status = isa__dispatch_create_locked(&pair->metaclass);
    if (status == ISA_OK && flags & ISA_CLASS_REGISTERED) status = enter_locked(cls);
    if (status != ISA_OK) {
        free_pair_locked(cls);
        return status;
    }
    link_locked(cls);
    link_locked(&pair->metaclass);
    *out = cls;
    return ISA_OK;
}

static isa_status check_new(isa_class superclass, const char *name)
{
    if (name == NULL || *name == 0)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "a class needs a name");
    if (superclass == NULL) return ISA_OK;
    if (isa_class_is_metaclass(superclass))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "class %s: its superclass, %s, is a metaclass", name, superclass->name);
    if (!isa_class_is_registered(superclass))
        return isa__fail(ISA_ERR_NOT_REGISTERED, NULL,
                         "class %s: its superclass, %s, is not registered", name, superclass->name);
    return ISA_OK;
}

static isa_status check_free_locked(const char *name)
{
    if (isa__map_find(&classes_by_name, name) == NULL) return ISA_OK;
    return isa__fail(ISA_ERR_EXISTS, NULL, "a class named %s is registered already", name);
}

// Makes a pair unless the name is taken, and reports it.
static isa_status pair_make(isa_class superclass, const char *name, uint32_t flags, isa_class *out)
{
    isa_status status = check_new(superclass, name);
    if (status != ISA_OK) return status;
    isa_class cls = NULL;
    isa__lock(&isa__model_lock);
    status = check_free_locked(name);
    if (status == ISA_OK) status = make_locked(superclass, name, flags, &cls);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) return status;
    *out = cls;
    ISA_EVENT(.kind = ISA_EVENT_CLASS_ALLOCATED, .cls = cls, .other = superclass);
    return ISA_OK;
}

isa_status isa_class_pair_allocate(isa_class superclass, const char *name, isa_class *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return pair_make(superclass, name, 0, out);
}

isa_status isa__class_pair_make(isa_class superclass, const char *name, uint32_t flags,
                                isa_class *out)
{
    isa_status status = pair_make(superclass, name, flags | ISA_CLASS_REGISTERED, out);
    if (status == ISA_OK) ISA_EVENT(.kind = ISA_EVENT_CLASS_REGISTERED, .cls = *out);
    return status;
}

// ---- registering --------------------------------------------------------------------------------

static isa_status register_locked(isa_class cls)
{
    if (isa_class_is_registered(cls))
        return isa__fail(ISA_ERR_REGISTERED, NULL, "isa_class_pair_register: %s is registered",
                         cls->name);
    isa_status status = check_free_locked(cls->name);
    if (status == ISA_OK) status = enter_locked(cls);
    if (status != ISA_OK) return status;
    __atomic_fetch_or(&isa__class_metaclass(cls)->flags, ISA_CLASS_REGISTERED, __ATOMIC_RELEASE);
    __atomic_fetch_or(&cls->flags, ISA_CLASS_REGISTERED, __ATOMIC_RELEASE);
    return ISA_OK;
}

isa_status isa_class_pair_register(isa_class cls)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_class_pair_register: %s is a metaclass; its class is registered",
                         cls->name);
    isa__lock(&isa__model_lock);
    isa_status status = register_locked(cls);
    isa__unlock(&isa__model_lock);
    if (status == ISA_OK) ISA_EVENT(.kind = ISA_EVENT_CLASS_REGISTERED, .cls = cls);
    return status;
}

// ---- disposing ----------------------------------------------------------------------------------

static isa_class find_notifying_locked(isa_class cls)
{
    isa_class at = cls->first_subclass;
    while (at != NULL && !(isa__class_flags(at) & ISA_CLASS_NOTIFYING)) at = at->next_sibling;
    return at;
}

// A subclass of `cls` that stands in the way of its disposal, or NULL: its notifying class does
// not, nor does a root class's own metaclass.
static isa_class find_subclass_locked(isa_class cls)
{
    isa_class notifying = find_notifying_locked(cls), at = cls->first_subclass;
    while (at != NULL && (at == notifying || at == isa__class_metaclass(cls)))
        at = at->next_sibling;
    return at != NULL || notifying == NULL ? at : find_subclass_locked(notifying);
}

static isa_status check_unused_locked(isa_class cls)
{
    int64_t instances = __atomic_load_n(&cls->instances, __ATOMIC_ACQUIRE);
    if (instances != 0)
        return isa__fail(ISA_ERR_IN_USE, NULL,
                         "isa_class_pair_dispose: class %s has %lld instances", cls->name,
                         (long long)instances);
    isa_class subclass = find_subclass_locked(cls);
    if (subclass != NULL)
        return isa__fail(ISA_ERR_IN_USE, NULL,
                         "isa_class_pair_dispose: class %s has a subclass, %s", cls->name,
                         subclass->name);
    return ISA_OK;
}

isa_status isa_class_set_profile(isa_class cls, isa_profile profile)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if ((unsigned)profile > ISA_PROFILE_GNUSTEP)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "there is no profile %d", (int)profile);
    isa__lock(&isa__model_lock);
    bool registered = isa_class_is_registered(cls);
    uint32_t others = isa__class_flags(cls) & ~(uint32_t)ISA_CLASS_GNUSTEP;
    uint32_t flag = profile == ISA_PROFILE_GNUSTEP ? ISA_CLASS_GNUSTEP : 0;
    if (!registered) __atomic_store_n(&cls->flags, others | flag, __ATOMIC_RELEASE);
    isa__unlock(&isa__model_lock);
    if (!registered) return ISA_OK;
    return isa__fail(ISA_ERR_REGISTERED, NULL,
                     "isa_class_set_profile: %s is registered, its profile cannot change",
                     cls->name);
}

isa_profile isa_class_get_profile(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return isa__class_is_gnustep(cls) ? ISA_PROFILE_GNUSTEP : ISA_PROFILE_APPLE;
}

// Takes the pair out of the tree and the table: from here on nothing new can reach it.
static void unlink_pair_locked(isa_class cls)
{
    if (isa_class_is_registered(cls)) isa__map_remove(&classes_by_name, cls->name);
    unlink_locked(isa__class_metaclass(cls));
    unlink_locked(cls);
}

static void dispose_records(isa_class cls)
{
    struct isa__class_hooks hooks = isa__class_hooks;
    bool is_observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE) != NULL;
    if (is_observed && hooks.dispose_observing != NULL) hooks.dispose_observing(cls);
    if (hooks.dispose_facts != NULL) hooks.dispose_facts(cls);
    if (hooks.end_object != NULL) hooks.end_object(cls);
    dispose_owned(cls);
}

// Ends an unlinked pair. No lock held.
static void end_pair(isa_class cls)
{
    if (!isa__event_forget(cls))
        ISA_EVENT(.kind = ISA_EVENT_CLASS_DISPOSED, .cls = cls, .name = cls->name);
    dispose_records(cls);
    dispose_records(isa__class_metaclass(cls));
    isa__lock(&isa__model_lock);
    free_pair_locked(cls);
    isa__unlock(&isa__model_lock);
    // Answers about the class must not pass for answers about another class at its address.
    isa__method_epoch_advance();
}

// Disposes of an unused pair, of its notifying class first.
static isa_status dispose_of(isa_class cls)
{
    isa__lock(&isa__model_lock);
    isa_class notifying = find_notifying_locked(cls);
    isa_status status = check_unused_locked(cls);
    if (status == ISA_OK && notifying != NULL) unlink_pair_locked(notifying);
    if (status == ISA_OK) unlink_pair_locked(cls);
    isa__unlock(&isa__model_lock);
    if (status != ISA_OK) return status;
    if (notifying != NULL) end_pair(notifying);
    end_pair(cls);
    return ISA_OK;
}

isa_status isa_class_pair_dispose(isa_class cls)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    uint32_t flags = isa__class_flags(cls);
    if (flags & (ISA_CLASS_META | ISA_CLASS_LIBRARY | ISA_CLASS_NOTIFYING))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         flags & ISA_CLASS_META
                             ? "isa_class_pair_dispose: %s is a metaclass; dispose of its class"
                             : "isa_class_pair_dispose: class %s belongs to the library",
                         cls->name);
    return dispose_of(cls);
}

void isa__class_pair_destroy(isa_class cls)
{
    isa_status status = dispose_of(cls);
    ISA_REQUIRE(status == ISA_OK, "isa__class_pair_destroy: %s", isa_last_error()->reason);
}

// ---- start --------------------------------------------------------------------------------------

isa_class isa_root_class(void)
{
    return root_class;
}

isa_status isa__classes_start(void)
{
    return isa__class_pair_make(NULL, "IsaObject", ISA_CLASS_LIBRARY, &root_class);
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

const void *isa_class_find_info(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    return cls->info;
}

bool isa_class_is_changed(isa_class cls)
{
    ISA_REQUIRE_NOT_NULL(cls);
    for (; cls != NULL; cls = cls->superclass)
        if (isa__class_flags(cls) & ISA_CLASS_CHANGED) return true;
    return false;
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

// ---- by name ------------------------------------------------------------------------------------

isa_class isa_class_find(const char *name)
{
    if (name == NULL) return NULL;
    isa__lock(&isa__model_lock);
    isa_class cls = isa__map_find(&classes_by_name, name);
    isa__unlock(&isa__model_lock);
    return cls;
}

static int compare_registrations(const void *one, const void *other)
{
    uint64_t first = (*(const isa_class *)one)->registration;
    uint64_t second = (*(const isa_class *)other)->registration;
    return first < second ? -1 : first > second;
}

static isa_status copy_list_locked(isa_class **out, size_t *count)
{
    isa_class *copy = isa__alloc_public(classes_by_name.count * sizeof(isa_class));
    if (copy == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a list of %zu",
                         classes_by_name.count);
    size_t at = 0, copied = 0;
    const struct isa__map_entry *entry;
    while ((entry = isa__map_next(&classes_by_name, &at)) != NULL) copy[copied++] = entry->value;
    qsort(copy, copied, sizeof *copy, compare_registrations);
    *out = copy;
    *count = copied;
    return ISA_OK;
}

isa_status isa_class_copy_list(isa_class **out, size_t *count)
{
    if (out == NULL || count == NULL) return isa__fail_null(__func__, "out or count");
    isa__lock(&isa__model_lock);
    isa_status status = copy_list_locked(out, count);
    isa__unlock(&isa__model_lock);
    return status;
}
