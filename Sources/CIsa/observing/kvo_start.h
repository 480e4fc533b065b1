// The parts that are connected at start: the root class's messages of key-value observing, and the
// hooks of the lower ranks; and the calls that make forwarders.
#ifndef ISA_OBSERVING_KVO_START_H
#define ISA_OBSERVING_KVO_START_H

#include "../coding/facts.h"
#include "kvo_foreign.h"

isa_status isa__kvo_start(void);

// Registers a forwarder for `key_path` on `object`: a function's registration without a public
// token, which the caller ends with isa__registration_release_token.
//
// Errors: as kvo_observe, but `release` is called then too.
isa_status isa__kvo_forward(isa_id object, const struct isa__key *key_path, uint32_t options,
                            const kvo_function *function, kvo_token *out);

// As kvo_observe, in any state of the object and its class.
isa_status isa__kvo_observe(isa_id object, const char *key_path, uint32_t options,
                            const kvo_function *function, void *context, kvo_token *out);

// Whether the object's class has its own `addObserver:forKeyPath:options:context:`.
bool isa__kvo_takes_over(isa_id object);

// Whether the root class's own code announces changes of elements for the object.
bool isa__kvo_announces_at(isa_id object);

// ---- class set by hand --------------------------------------------------------------------------

// The class of an observed object, set by hand.

// Connects the hooks of isa_object_set_class.
void isa__class_change_start(void);

// ---- collections --------------------------------------------------------------------------------

// Collections as the observed: arrays register on their elements, none can be observed itself; and
// values that cannot change have no setters to wrap.

isa_status isa__observed_collections_start(void);

// ---- introspection ------------------------------------------------------------------------------

// Objects and their observers: data for people and tools, and `observationInfo`.

// Gives the root class `observationInfo` and `setObservationInfo:`.
isa_status isa__introspection_start(void);

// ---- changes of one object ----------------------------------------------------------------------

// A change of one object of an ordered key by a proxy, with accessors of its own.

// Fills the hooks of coding/.
void isa__one_change_start(void);

#endif
