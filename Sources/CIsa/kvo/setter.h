// Wrapped setters: will change → original IMP → did change.
#ifndef ISA_KVO_SETTER_H
#define ISA_KVO_SETTER_H

#include "wrapper.h"

// Wraps the setter `method` of `key` in the notifying class, unless that has been done under the
// present policy. `*out` is its record. Observing lock held.
//
// Errors: KVO_ERR_NOT_WRAPPED if the policy or the signature leaves it alone; ISA_ERR_NO_MEMORY.
isa_status isa__setter_wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                                   isa_method method, struct isa__wrapper **out);

#endif
