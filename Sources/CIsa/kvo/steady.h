// Adding and ending in the steady state: a function for a plain key that objects of the class have
// been observed for before, on an object that nobody else observes. What the long way asks of the
// class it has asked already, and nothing has changed since.
#ifndef ISA_KVO_STEADY_H
#define ISA_KVO_STEADY_H

#include "observation.h"
#include "subclass.h"

// As kvo_observe, which goes the long way if this is not the steady state or memory is short.
isa_status isa__steady_observe(isa_id object, const char *key_path, uint32_t options,
                               const kvo_function *function, void *context, kvo_token *out);

// Takes a registration that has just ended, its tag having been `before`, out of its registry and
// retires it, with `release_token` its token too; false and nothing done if this is not the steady
// state.
bool isa__steady_end(struct isa__registration *registration, uint32_t before,
                     bool release_token);

#endif
