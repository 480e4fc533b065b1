// Gives the root class the messages of key-value observing, and connects the lower ranks' hooks;
// and what forwarders are made with.
#ifndef ISA_KVO_START_H
#define ISA_KVO_START_H

#include "../kvc/key.h"
#include "kvo.h"

isa_status isa__kvo_start(void);

// Registers a forwarder for `key_path` on `object`: a function's registration without a public
// token, which the caller ends with isa__registration_release_token.
//
// Errors: as kvo_observe, but `release` is called then too.
isa_status isa__kvo_forward(isa_id object, const struct isa__key *key_path, uint32_t options,
                            const kvo_function *function, kvo_token *out);

// As kvo_observe, whatever the state of the object and its class.
isa_status isa__kvo_observe(isa_id object, const char *key_path, uint32_t options,
                            const kvo_function *function, void *context, kvo_token *out);

// Whether the object's class has its own `addObserver:forKeyPath:options:context:`.
bool isa__kvo_takes_over(isa_id object);

// Whether the root class's own code announces changes of elements for the object.
bool isa__kvo_announces_at(isa_id object);

#endif
