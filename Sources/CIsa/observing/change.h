// Changes that are announced and ended by calls of their own, and changes of to-many keys.
#ifndef ISA_OBSERVING_CHANGE_H
#define ISA_OBSERVING_CHANGE_H

#include "deliver.h"

// Announces a change of `key`; `elements` NULL: it is set. Errors: ISA_ERR_NO_MEMORY.
isa_status isa__manual_will(isa_id object, const char *key, struct isa__element_change *elements);

// Ends the latest change of `key` that this thread announced. Errors: KVO_ERR_WRONG_THREAD; of
// reading the value after a change of elements that was announced.
isa_status isa__manual_did(isa_id object, const char *key);

// Frees the changes announced on an object that is being deallocated.
void isa__manual_end(isa_id object);

// Whether a change of `key` has been announced, by any thread, and not ended.
bool isa__manual_is_announced(struct isa__side *side, const struct isa__key *key);

// Whether this thread has announced a change of `key` and not ended it: under GNUstep's profile
// what comes in between is part of that change.
bool isa__manual_is_pending(struct isa__side *side, const struct isa__key *key);

// Copies what is pending, latest first, into `infos`, which has room for `capacity`. Returns how
// many there are.
size_t isa__manual_copy(isa_id object, kvo_pending_info *infos, size_t capacity);

// ---- to-many changes ----------------------------------------------------------------------------

// To-many changes: their values, and the change hook of the proxies.

// The objects of `whole`, an ordered collection, at `indexes`, as an array.
//
// Errors: KVC_ERR_RANGE if it has none at one of them, or is no ordered collection; `key` names it.
isa_status isa__objects_at(isa_id whole, const kvc_index_set *indexes, const char *key,
                           isa_id *out);

// The same of the array that `object` makes up of the accessors in `elements`.
isa_status isa__objects_by_accessors(isa_id object, const struct isa__element_change *elements,
                                     const char *key, isa_id *out);

// The objects of `whole`, an ordered set, that show after an insertion or replacement which objects
// did change: all that it has, or those at the indexes. NULL where all of them do: for a removal,
// and for any other collection.
isa_status isa__ordered_before(isa_id whole, const struct isa__element_change *elements,
                               const char *key, isa_id *out);

// Trims the indexes of a change of elements that has `before` to those where `whole`, the value
// after the change, has an object that is new (insertion) or another one (replacement). `*old` is
// an array of the objects replaced there, for the caller to release, or NULL.
//
// Errors: of the collections; the indexes stay as announced then.
isa_status isa__element_change_trim(struct isa__element_change *elements, isa_id whole,
                                    const char *key, isa_id *old);

// Gives up what a change that was announced has kept of its elements.
void isa__element_change_end(struct isa__element_change *elements);

// The objects that a mutation by `objects` adds to and removes from `whole`, NULL being empty:
// sets, or NULL where the mutation never has any.
isa_status isa__set_difference(isa_id whole, kvo_set_mutation mutation, isa_id objects,
                               isa_id *added, isa_id *removed);

// The kind of notification that a mutation is notified by.
kvo_change_kind isa__mutation_kind(kvo_set_mutation mutation);

// Whether the class has code of its own for a message that announces to-many changes; sending them.
bool isa__to_many_is_overridden(isa_class cls);
isa_status isa__to_many_send_will(isa_id object, const char *key,
                                  const struct isa__element_change *elements);
isa_status isa__to_many_send_did(isa_id object, const char *key,
                                 const struct isa__element_change *elements);

// Checks what a manual change is announced with, and makes an element change from that.
//
// Errors: ISA_ERR_INVALID_ARGUMENT.
isa_status isa__element_change_at(kvo_change_kind kind, const kvc_index_set *indexes,
                                  struct isa__element_change *out);
isa_status isa__element_change_set(kvo_set_mutation mutation, isa_id objects,
                                   struct isa__element_change *out);

// Fills the change hook of coding/.
void isa__to_many_hook_start(void);

#endif
