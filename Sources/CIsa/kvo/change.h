// Manual changes: announced and ended by calls of their own, kept in between in the object's
// extras.
#ifndef ISA_KVO_CHANGE_H
#define ISA_KVO_CHANGE_H

#include "delivery.h"

// Announces a change of `key`. Errors: ISA_ERR_NO_MEMORY.
isa_status isa__manual_will(isa_id object, const char *key);

// Ends the latest change of `key` that this thread announced. Errors: KVO_ERR_WRONG_THREAD.
isa_status isa__manual_did(isa_id object, const char *key);

// Frees the changes announced on an object that is being deallocated.
void isa__manual_end(isa_id object);


#endif
