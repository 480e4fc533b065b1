// Side records.
//
// Owns:      the record, and its extension, which is emptied by the object's deallocation.
// Lives:     until the object and all weak references and tokens have let go.
// Locks:     `holders` and `count` are atomic; isa__lock_for(object) guards the rest.
// Invariant: once an object's record word leads to a side record it does so until the memory goes.
#include "object.h"

#include "../base/alloc.h"

static struct isa__side *make_side(isa_id object)
{
    struct isa__side *side = isa__alloc(ISA_KIND_SIDE, sizeof *side);
    if (side == NULL) return NULL;
    isa_class cls = isa_object_get_class(object);
    side->object = object;
    side->holders = 1;
    if (cls->hooks != NULL) {
        side->flags = ISA_SIDE_HOOKED;
        if (isa__object_is_deallocating(object)) side->flags |= ISA_SIDE_DEAD;
        side->hooks = cls->hooks;
        cls->hooks->keep(object);
    }
    return side;
}

void isa__side_free(struct isa__side *side)
{
    if (isa__side_flags(side) & ISA_SIDE_HOOKED) side->hooks->drop(side->object);
    if (side->extension != NULL)
        isa__free(ISA_KIND_OTHER, side->extension, sizeof *side->extension);
    isa__free(ISA_KIND_SIDE, side, sizeof *side);
}

struct isa__side *isa__side_get(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side != NULL) return side;
    side = make_side(object);
    if (side == NULL) return NULL;
    uintptr_t *word = &((struct isa_header *)object)->record;
    uintptr_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    bool is_hooked = (side->flags & ISA_SIDE_HOOKED) != 0;
    uintptr_t hooked = ISA_RECORD_DEALLOCATING | ISA_RECORD_WATCHED | ISA_RECORD_ASKED;
    uintptr_t kept = ISA_RECORD_IMMORTAL | (is_hooked ? hooked : 0);
    do {
        if (!(old & ISA_RECORD_INLINE)) {
            isa__side_free(side);
            return isa__side_find(object);
        }
        if (!is_hooked) side->count = old;
    } while (!__atomic_compare_exchange_n(word, &old, (uintptr_t)side | (old & kept), false,
                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return side;
}

struct isa__side_extension *isa__side_extension_locked(struct isa__side *side)
{
    struct isa__side_extension *extension = side->extension;
    if (extension == NULL) extension = isa__alloc(ISA_KIND_OTHER, sizeof *extension);
    if (side->extension == NULL) __atomic_store_n(&side->extension, extension, __ATOMIC_RELEASE);
    return extension;
}

isa_id isa__side_copy_object(struct isa__side *side)
{
    uint32_t flags = isa__side_flags(side);
    if (!(flags & ISA_SIDE_HOOKED))
        return isa__count_try_retain(&side->count) ? side->object : NULL;
    if (flags & ISA_SIDE_DEAD) return NULL;
    return side->hooks->try_retain(side->object) ? side->object : NULL;
}
