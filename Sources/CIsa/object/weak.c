// Weak references.
//
// Lives:     a slot holds the side record, which therefore outlives the object; whether the object
//            still lives is asked of the count in the record, never of the object's memory.
// Invariant: from the moment the last counted reference goes, every slot reads NULL.
#include "isa_object.h"

#include "../base/status.h"
#include "side.h"

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
