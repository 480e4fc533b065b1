// The class of an observed object, set by hand: the object goes to the notifying class of the new
// one, so that its observers are told as before.
//
// Owns:      nothing.
// Locks:     isa__lock_for(object) while the registrations are looked at. The new class is asked
//            with none.
// Invariant: the class that is set has been prepared for every key that is registered then: who
//            registers another one meanwhile makes the caller prepare anew.
#include "class_change.h"

#include "../base/status.h"
#include "observation.h"
#include "subclass.h"

// The registrations of an object. The object's lock is held, or nobody else knows the word.
static struct isa__registration **items_of(isa_id object, struct isa__registration **single,
                                           uint32_t *count)
{
    struct isa__side *side = isa__side_find(object);
    *count = 0;
    return side == NULL ? NULL : isa__word_items(isa__observing_value(side), single, count);
}

static isa_status no_memory(void)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to set the class of an observed object");
}

static bool is_known(const struct isa__array *known, const struct isa__key *key)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->items[i] == key) return true;
    return false;
}

// Adds the keys registered on the object to `known`.
static isa_status gather(isa_id object, struct isa__array *known)
{
    struct isa__registration *single;
    uint32_t count;
    isa_status status = ISA_OK;
    struct isa__lock *lock = isa__lock_object(object);
    struct isa__registration **items = items_of(object, &single, &count);
    for (uint32_t i = 0; i < count && status == ISA_OK; i++)
        if (!isa__registration_is_nobody(items[i]) && !is_known(known, items[i]->key))
            status = isa__array_add(known, (void *)items[i]->key);
    isa__unlock(lock);
    return status == ISA_OK ? ISA_OK : no_memory();
}

static isa_status prepare(isa_id object, isa_class cls, struct isa__array *known, isa_class *to)
{
    *to = cls;
    if (isa__notifying_find(cls) != NULL) return ISA_OK;
    isa_status status = gather(object, known);
    if (status != ISA_OK || known->count == 0) return status;
    struct isa__observed *observed = isa__observed_get(cls);
    if (observed == NULL)
        return no_memory();
    for (size_t i = 0; i < known->count && status == ISA_OK; i++) {
        struct isa__known_path path;
        status = isa__observed_prepare(observed, known->items[i], &path);
        if (status == ISA_OK && path.notifying != NULL) *to = path.notifying;
    }
    return status;
}

static bool choose_locked(isa_id object, isa_class cls, const struct isa__array *known,
                          isa_class *to)
{
    struct isa__registration *single;
    uint32_t count;
    struct isa__registration **items = items_of(object, &single, &count);
    if (count == 0) *to = cls->original;
    if (isa__notifying_find(cls) != NULL) return true;
    for (uint32_t i = 0; i < count; i++)
        if (!isa__registration_is_nobody(items[i]) && !is_known(known, items[i]->key))
            return false;
    return true;
}

void isa__class_change_start(void)
{
    isa__object_hooks.prepare_class = prepare;
    isa__object_hooks.choose_class_locked = choose_locked;
}
