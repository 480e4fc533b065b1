// References from one object to another: associated objects, and weak references.
//
// Associated objects are a short list in the extension of the object's side record. A weak slot
// holds the side record, which therefore outlives the object. A thread asks the count in the record
// whether the object still lives, and never looks at the object's memory for it.
//
// Owns:      the values, as each policy says, until replaced, removed, or the object dies.
// Locks:     isa__lock_for(object) guards the list; values are retained before it is taken and
//            released after it is given up, since both run user code.
// Invariant: from the moment the last counted reference goes, every weak slot reads NULL.
#include "object.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "isa_object.h"

static struct isa__association *find_locked(struct isa__side_extension *extension, const void *key)
{
    if (extension == NULL) return NULL;
    for (uint32_t i = 0; i < extension->association_count; i++)
        if (extension->associations[i].key == key) return &extension->associations[i];
    return NULL;
}

static isa_status take_value(isa_id value, isa_association_policy policy,
                             struct isa__association *out)
{
    out->policy = policy;
    out->value = value;
    switch (policy) {
    case ISA_ASSOCIATION_ASSIGN: return ISA_OK;
    case ISA_ASSOCIATION_RETAIN: isa_object_retain(value); return ISA_OK;
    case ISA_ASSOCIATION_WEAK: return isa_weak_init(&out->weak, value);
    case ISA_ASSOCIATION_COPY:
        if (value != NULL && !isa__object_copies(value))
            return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL, "%s does not respond to copy, so "
                             "the object cannot be associated as a copy",
                             isa_class_name(isa_object_get_class(value)));
        if (value != NULL) out->value = ISA_SEND(isa_id (*)(isa_id, isa_sel), value, isa__sel_copy);
        return ISA_OK;
    }
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "%d is not an association policy",
                     (int)policy);
}

static void association_let_go(struct isa__association *association)
{
    if (association->policy == ISA_ASSOCIATION_WEAK) isa_weak_destroy(&association->weak);
    else if (association->policy != ISA_ASSOCIATION_ASSIGN) isa_object_release(association->value);
}

// Makes room for one more; false when memory is short.
static bool association_reserve_locked(struct isa__side_extension *extension)
{
    if (extension->association_count < extension->association_capacity) return true;
    uint32_t capacity = extension->association_capacity * 2 + 2;
    size_t unit = sizeof *extension->associations;
    void *grown = isa__realloc(ISA_KIND_OTHER, extension->associations,
                               extension->association_capacity * unit, capacity * unit);
    if (grown == NULL) return false;
    extension->associations = grown;
    extension->association_capacity = capacity;
    return true;
}

// Puts `association` in, swapping out what stood under its key. False when memory is short.
static bool put_locked(struct isa__side *side, struct isa__association *association)
{
    struct isa__side_extension *extension = isa__side_extension_locked(side);
    if (extension == NULL) return false;
    struct isa__association *found = find_locked(extension, association->key);
    if (found == NULL) {
        if (!association_reserve_locked(extension)) return false;
        found = &extension->associations[extension->association_count++];
        *found = (struct isa__association){.key = association->key};
    }
    struct isa__association old = *found;
    *found = *association;
    *association = old;
    return true;
}

// Takes out what stands under `key`; false if nothing does.
static bool remove_locked(struct isa__side *side, const void *key, struct isa__association *out)
{
    struct isa__association *found = find_locked(side->extension, key);
    if (found == NULL) return false;
    *out = *found;
    *found = side->extension->associations[--side->extension->association_count];
    return true;
}

static isa_status remove_association(isa_id object, const void *key)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return ISA_OK;
    struct isa__association old;
    struct isa__lock *lock = isa__lock_object(object);
    bool removed = remove_locked(side, key, &old);
    isa__unlock(lock);
    if (removed) association_let_go(&old);
    return ISA_OK;
}

isa_status isa_object_set_associated(isa_id object, const void *key, isa_id value,
                                     isa_association_policy policy)
{
    if (object == NULL) return isa__fail_null(__func__, "object");
    if (value == NULL) return remove_association(object, key);
    struct isa__association association = {.key = key};
    isa_status status = take_value(value, policy, &association);
    if (status != ISA_OK) return status;
    struct isa__side *side = isa__side_get(object);
    bool done = false;
    if (side != NULL) {
        struct isa__lock *lock = isa__lock_object(object);
        done = put_locked(side, &association);
        isa__unlock(lock);
    }
    association_let_go(&association); // the old value, or on failure the new one
    return done ? ISA_OK
                : isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to associate an object with %p",
                            (void *)object);
}

isa_id isa_object_copy_associated(isa_id object, const void *key)
{
    ISA_REQUIRE_NOT_NULL(object);
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return NULL;
    struct isa__lock *lock = isa__lock_object(object);
    struct isa__association *found = find_locked(side->extension, key);
    isa_id value = NULL;
    // Neither runs user code of the core's own objects; hooks are required not to call back.
    if (found != NULL)
        value = found->policy == ISA_ASSOCIATION_WEAK ? isa_weak_copy(&found->weak)
                                                      : isa_object_retain(found->value);
    isa__unlock(lock);
    return value;
}

uint32_t isa__association_count(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return 0;
    struct isa__lock *lock = isa__lock_object(object);
    uint32_t count = side->extension == NULL ? 0 : side->extension->association_count;
    isa__unlock(lock);
    return count;
}

void isa_object_remove_associated(isa_id object)
{
    ISA_REQUIRE_NOT_NULL(object);
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return;
    struct isa__lock *lock = isa__lock_object(object);
    struct isa__association *list = NULL;
    uint32_t count = 0;
    uint32_t capacity = 0;
    if (side->extension != NULL) {
        list = side->extension->associations;
        count = side->extension->association_count;
        capacity = side->extension->association_capacity;
        side->extension->associations = NULL;
        side->extension->association_count = 0;
        side->extension->association_capacity = 0;
    }
    isa__unlock(lock);
    for (uint32_t i = 0; i < count; i++) association_let_go(&list[i]);
    isa__free(ISA_KIND_OTHER, list, capacity * sizeof *list);
}

// ---- weak references ----------------------------------------------------------------------------

static isa_status make_record(isa_id object, struct isa__side **out)
{
    *out = NULL;
    if (object == NULL) return ISA_OK;
    struct isa__side *side = isa__side_get(object);
    if (side == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a weak reference to %p",
                         (void *)object);
    isa_id alive = isa__side_copy_object(side);
    if (alive == NULL)
        return isa__fail(ISA_ERR_DEALLOCATING, NULL,
                         "object %p is being deallocated: it can get no weak reference",
                         (void *)object);
    isa__side_hold(side);
    isa_object_release(alive);
    *out = side;
    return ISA_OK;
}

isa_status isa_weak_init(isa_weak *slot, isa_id object)
{
    if (slot == NULL) return isa__fail_null(__func__, "slot");
    struct isa__side *side;
    isa_status status = make_record(object, &side);
    slot->record = side;
    return status;
}

isa_status isa_weak_store(isa_weak *slot, isa_id object)
{
    if (slot == NULL) return isa__fail_null(__func__, "slot");
    struct isa__side *side;
    isa_status status = make_record(object, &side);
    if (status != ISA_OK) return status;
    struct isa__side *old = __atomic_exchange_n(&slot->record, (void *)side, __ATOMIC_ACQ_REL);
    if (old != NULL) isa__side_drop(old);
    return ISA_OK;
}

isa_id isa_weak_copy(const isa_weak *slot)
{
    ISA_REQUIRE_NOT_NULL(slot);
    struct isa__side *side = __atomic_load_n(&slot->record, __ATOMIC_ACQUIRE);
    return side == NULL ? NULL : isa__side_copy_object(side);
}

void isa_weak_destroy(isa_weak *slot)
{
    ISA_REQUIRE_NOT_NULL(slot);
    struct isa__side *old = __atomic_exchange_n(&slot->record, NULL, __ATOMIC_ACQ_REL);
    if (old != NULL) isa__side_drop(old);
}
