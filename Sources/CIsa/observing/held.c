// Held values: reading a value, and keeping it while observers look at it.
//
// Owns:  a held value owns what its duty says.
// Locks: none; reading runs getters.
#include "held.h"

#include "../base/alloc.h"
#include "../base/thread.h"
#include "../coding/accessor.h"
#include "../coding/coding.h"
#include "../objects/box.h"
#include "path.h"

// Holds what has been read into the box.
static isa_status hold_box(isa_status status, struct isa__held *held)
{
    if (status != ISA_OK) return status;
    held->value = kvc_unbox(&held->box);
    held->duty = ISA_HELD_BOX;
    return ISA_OK;
}

isa_status isa__hold_message(isa_id object, const char *key, struct isa__held *held)
{
    return hold_box(kvc_copy_value(object, key, &held->box), held);
}

isa_status isa__hold_path(isa_id object, const char *key_path, struct isa__held *held)
{
    return hold_box(kvc_copy_value_for_path(object, key_path, &held->box), held);
}

// How the object answers for a key, if that is known and the root class's code answers keys and
// paths for it; else NULL. Good for as long as the reader section lasts, so NULL outside of any.
static const struct isa__accessor *find_direct(isa_id object, const struct isa__key *key)
{
    if (isa__thread_get()->reader_epoch == 0) return NULL;
    const struct isa__answer *known = isa__answer_known(isa__class_in(object), key);
    return known != NULL && known->is_walked && known->accessor.reader != NULL ? &known->accessor
                                                                               : NULL;
}

isa_status isa__copy_related(isa_id object, const struct isa__key *key, isa_id *out)
{
    const struct isa__accessor *found = find_direct(object, key);
    if (found == NULL || found->letter != '@') return kvc_copy_value(object, key->text, out);
    found->reader(found, object, out);
    return ISA_OK;
}

bool isa__leads_to(isa_id object, const struct isa__key *key, isa_id related)
{
    const struct isa__accessor *found = find_direct(object, key);
    // A value that is only compared needs no reference.
    if (found != NULL && found->letter == '@' && found->kind == ISA_ACCESSOR_METHOD)
        return ISA_SEND(isa_id (*)(isa_id, isa_sel), object, found->selector) == related;
    isa_id value = NULL;
    bool same = isa__copy_related(object, key, &value) != ISA_OK || value == related;
    isa_object_release(value);
    return same;
}

// Whether values of that type are boxed as they are: a class is told as an object.
static bool is_plain(const struct isa__accessor *accessor)
{
    const struct isa__scalar *scalar = isa__scalar(accessor->letter);
    return scalar->is_boxed && scalar->kind != ISA_SCALAR_CLASS;
}

// As if it had been boxed and unboxed: a number object is told as the number in it.
static isa_status hold_last(isa_id object, const struct isa__accessor *accessor,
                            struct isa__held *held)
{
    if (accessor->letter != '@') {
        isa__accessor_note(accessor, object, false);
        return isa__hold_accessor(object, accessor, held);
    }
    accessor->reader(accessor, object, &held->box);
    return hold_box(ISA_OK, held);
}

// Reads what is left of the path from its key number `first` on.
ISA_OUTLINE isa_status hold_rest(isa_id object, const struct isa__path *path, uint32_t first,
                                 struct isa__held *held)
{
    const char *rest = path->text->text;
    for (uint32_t i = 0; i < first; i++) rest += path->keys[i]->length + 1;
    return isa__hold_path(object, rest, held);
}

isa_status isa__hold_along(isa_id object, const struct isa__path *path, struct isa__held *held)
{
    isa_id at = object, next;
    uint32_t i = 0;
    for (; i + 1 < path->key_count && at != NULL; i++, at = next) {
        const struct isa__accessor *found = find_direct(at, path->keys[i]);
        if (found == NULL || found->letter != '@') break;
        found->reader(found, at, &next);
        if (i > 0) isa_object_release(at);
    }
    const struct isa__accessor *found =
        at != NULL && i + 1 == path->key_count ? find_direct(at, path->keys[i]) : NULL;
    isa_status status = ISA_OK;
    if (found != NULL && is_plain(found)) status = hold_last(at, found, held);
    else if (at == NULL) isa__hold_object(NULL, held);
    else status = hold_rest(at, path, i, held);
    if (i > 0) isa_object_release(at);
    return status;
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
    // First: what is released may be the user's, and leave.
    enum isa__held_duty duty = held->duty;
    held->duty = ISA_HELD_NOTHING;
    switch (duty) {
    case ISA_HELD_NOTHING: break;
    case ISA_HELD_OBJECT: isa_object_release(*(isa_id *)held->bytes); break;
    case ISA_HELD_BLOCK:
        isa__free(ISA_KIND_OTHER, (void *)(uintptr_t)held->value.address, held->size);
        break;
    case ISA_HELD_BOX: isa_object_release(held->box); break;
    }
}

void isa__held_move(struct isa__held *from, struct isa__held *to)
{
    *to = *from;
    if (from->value.address == from->bytes) to->value.address = to->bytes;
    if (from->value.address == &from->box) to->value.address = &to->box;
    from->value.address = NULL;
    from->duty = ISA_HELD_NOTHING;
}
