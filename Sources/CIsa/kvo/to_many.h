// To-many changes: their values, and the change hook of the proxies.
#ifndef ISA_KVO_TO_MANY_H
#define ISA_KVO_TO_MANY_H

#include "deliver.h"

// The objects of `whole`, an ordered collection, at `indexes`, as an array.
//
// Errors: KVC_ERR_RANGE if it has none at one of them, or is no ordered collection; `key` names it.
isa_status isa__objects_at(isa_id whole, const kvc_index_set *indexes, const char *key,
                           isa_id *out);

// The same of the array that `object` makes up of the accessors in `shape`.
isa_status isa__objects_by_accessors(isa_id object, const struct isa__change_shape *shape,
                                     const char *key, isa_id *out);

// What has to be known of `whole`, an ordered set, to find out after an insertion or replacement
// which objects did change: all that it has, or those at the indexes. NULL where all of them do:
// for a removal, and for any other collection.
isa_status isa__ordered_before(isa_id whole, const struct isa__change_shape *shape,
                               const char *key, isa_id *out);

// Trims the indexes of a shape that has `before` to those where `whole`, the value after the
// change, has an object that is new (insertion) or another one (replacement). `*old` is an array of
// the objects replaced there, for the caller to release, or NULL.
//
// Errors: of the collections; the indexes stay as announced then.
isa_status isa__shape_trim(struct isa__change_shape *shape, isa_id whole, const char *key,
                           isa_id *old);

// Gives up what a change that was announced has kept in its shape.
void isa__shape_end(struct isa__change_shape *shape);

// What a mutation by `objects` adds to and removes from `whole`, NULL being empty: sets, or NULL
// where the mutation never has any.
isa_status isa__set_difference(isa_id whole, kvo_set_mutation mutation, isa_id objects,
                               isa_id *added, isa_id *removed);

// The kind of notification that a mutation is told by.
kvo_change_kind isa__mutation_kind(kvo_set_mutation mutation);

// Whether the class has code of its own for a message that announces to-many changes; sending them.
bool isa__to_many_is_overridden(isa_class cls);
isa_status isa__to_many_send_will(isa_id object, const char *key,
                                  const struct isa__change_shape *shape);
isa_status isa__to_many_send_did(isa_id object, const char *key,
                                 const struct isa__change_shape *shape);

// Checks what a manual change is announced with, and makes its shape of it.
//
// Errors: ISA_ERR_INVALID_ARGUMENT.
isa_status isa__shape_at(kvo_change_kind kind, const kvc_index_set *indexes,
                         struct isa__change_shape *out);
isa_status isa__shape_set(kvo_set_mutation mutation, isa_id objects,
                          struct isa__change_shape *out);

// Fills the change hook of rank 4.
void isa__to_many_hook_start(void);

#endif
