// Values kept while observers look at them.
#ifndef ISA_OBSERVING_HELD_H
#define ISA_OBSERVING_HELD_H

#include <string.h>

#include "../base/status.h"
#include "../coding/accessor.h"
#include "../coding/facts.h"
#include "kvc.h"

struct isa__path;

enum { ISA_HELD_INLINE = 64 };

// The duty when a held value is dropped.
enum isa__held_duty {
    ISA_HELD_NOTHING,
    ISA_HELD_OBJECT, // a reference, in `bytes`
    ISA_HELD_BLOCK,  // `value.address`, of `size` bytes
    ISA_HELD_BOX,    // `box`, a value that came through valueForKey:
};

// A value kept while observers look at it. Moved by isa__held_move only.
struct isa__held {
    kvc_value value; // address NULL: nothing held
    enum isa__held_duty duty;
    size_t size;
    isa_id box;
    _Alignas(16) char bytes[ISA_HELD_INLINE];
};

// Reads through the message `valueForKey:`, or along a key path.
//
// Errors: the errors of the messages; nothing is held then.
isa_status isa__hold_message(isa_id object, const char *key, struct isa__held *held);
isa_status isa__hold_path(isa_id object, const char *key_path, struct isa__held *held);

// The same along `path`, key by key where the objects on the way leave that to the root class.
isa_status isa__hold_along(isa_id object, const struct isa__path *path, struct isa__held *held);

// The related object that `key` leads to, with a reference for the caller.
//
// Errors: as kvc_copy_value.
isa_status isa__copy_related(isa_id object, const struct isa__key *key, isa_id *out);

// Whether the value of `key` is the object at the address `related`, or cannot be read.
bool isa__leads_to(isa_id object, const struct isa__key *key, isa_id related);

// Reads a value that is no scalar.
isa_status isa__hold_large(isa_id object, const struct isa__accessor *accessor,
                           struct isa__held *held);

// Holds an object, whose reference it takes over; NULL is nil.
void isa__hold_object(isa_id object, struct isa__held *held);

// Moves a held value: a value that stands inline is told by its address.
void isa__held_move(struct isa__held *from, struct isa__held *to);
void isa__held_free(struct isa__held *held);

static inline void isa__held_clear(struct isa__held *held)
{
    held->value = (kvc_value){NULL, NULL};
    held->duty = ISA_HELD_NOTHING;
}

static inline void isa__held_drop(struct isa__held *held)
{
    if (held->duty != ISA_HELD_NOTHING) isa__held_free(held);
    held->value.address = NULL;
}

ISA_INLINE isa_status isa__hold_accessor(isa_id object, const struct isa__accessor *accessor,
                                         struct isa__held *held)
{
    if (ISA_UNLIKELY(accessor->reader == NULL)) return isa__hold_large(object, accessor, held);
    accessor->reader(accessor, object, held->bytes);
    held->value = (kvc_value){accessor->types, held->bytes};
    held->duty = isa__accessor_is_object(accessor) ? ISA_HELD_OBJECT : ISA_HELD_NOTHING;
    return ISA_OK;
}

#endif
