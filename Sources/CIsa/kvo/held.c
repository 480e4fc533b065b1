// Held values.
//
// Owns:  a held value owns what its duty says.
// Locks: none; reading runs getters.
#include "held.h"

#include "../base/alloc.h"

isa_status isa__hold_message(isa_id object, const char *key, struct isa__held *held)
{
    isa_status status = kvc_copy_value(object, key, &held->box);
    if (status != ISA_OK) return status;
    held->value = kvc_unbox(&held->box);
    held->duty = ISA_HELD_BOX;
    return ISA_OK;
}

isa_status isa__hold_path(isa_id object, const char *key_path, struct isa__held *held)
{
    isa_status status = kvc_copy_value_for_path(object, key_path, &held->box);
    if (status != ISA_OK) return status;
    held->value = kvc_unbox(&held->box);
    held->duty = ISA_HELD_BOX;
    return ISA_OK;
}

isa_status isa__hold_large(isa_id object, const struct isa__accessor *accessor,
                           struct isa__held *held)
{
    bool fits = accessor->size <= ISA_HELD_INLINE;
    void *address = fits ? held->bytes : isa__alloc(ISA_KIND_OTHER, accessor->size);
    if (address == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a value of %zu bytes",
                         accessor->size);
    isa_status status = isa__accessor_read(accessor, object, address);
    if (status != ISA_OK) {
        if (!fits) isa__free(ISA_KIND_OTHER, address, accessor->size);
        return status;
    }
    held->value = (kvc_value){accessor->types, address};
    held->size = accessor->size;
    held->duty = fits ? ISA_HELD_NOTHING : ISA_HELD_BLOCK;
    return ISA_OK;
}

void isa__hold_object(isa_id object, struct isa__held *held)
{
    held->box = object;
    held->value = (kvc_value){"@", &held->box};
    held->duty = ISA_HELD_BOX;
}

void isa__held_free(struct isa__held *held)
{
    switch (held->duty) {
    case ISA_HELD_NOTHING: break;
    case ISA_HELD_OBJECT: isa_object_release(*(isa_id *)held->bytes); break;
    case ISA_HELD_BLOCK:
        isa__free(ISA_KIND_OTHER, (void *)(uintptr_t)held->value.address, held->size);
        break;
    case ISA_HELD_BOX: isa_object_release(held->box); break;
    }
    held->duty = ISA_HELD_NOTHING;
}

void isa__held_move(struct isa__held *from, struct isa__held *to)
{
    *to = *from;
    if (from->value.address == from->bytes) to->value.address = to->bytes;
    if (from->value.address == &from->box) to->value.address = &to->box;
    from->value.address = NULL;
    from->duty = ISA_HELD_NOTHING;
}
