// Manual changes: announced and ended by calls of their own, kept in between in the object's
// extras.
#ifndef ISA_KVO_CHANGE_H
#define ISA_KVO_CHANGE_H

#include "deliver.h"

// Announces a change of `key`; `shape` NULL: it is set. Errors: ISA_ERR_NO_MEMORY.
isa_status isa__manual_will(isa_id object, const char *key, struct isa__change_shape *shape);

// Ends the latest change of `key` that this thread announced. Errors: KVO_ERR_WRONG_THREAD; of
// reading the value after a change that was announced with a shape.
isa_status isa__manual_did(isa_id object, const char *key);

// Frees the changes announced on an object that is being deallocated.
void isa__manual_end(isa_id object);

// Whether a change of `key` has been announced, by whatever thread, and not ended.
bool isa__manual_is_announced(struct isa__side *side, const struct isa__key *key);

// Whether this thread has announced a change of `key` and not ended it: under GNUstep's profile
// what comes in between is part of that change.
bool isa__manual_is_pending(struct isa__side *side, const struct isa__key *key);

// Copies what is pending, latest first, into `infos`, which has room for `capacity`. Returns how
// many there are.
size_t isa__manual_copy(isa_id object, kvo_pending_info *infos, size_t capacity);

#endif
