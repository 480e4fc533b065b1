// Moving forwarders: when another object has come to stand on a key path, what observed the former
// one is put into the registry of the new one, as it is, where that is the usual case.
#ifndef ISA_OBSERVING_MOVE_H
#define ISA_OBSERVING_MOVE_H

#include "chain.h"

// Moves the forwarder in `attachment`, and those that it has on the rest of the path, to `related`.
// `attachment` has been taken out of `hop`. True if it now is one of `related`; if not it is empty
// or as it was, and the caller attaches anew and detaches that.
bool isa__forwarders_move(struct isa__attachment *attachment, isa_id related);

// Whether this thread delivers nothing but the change of an object's own key in whose course a hop
// is attached anew: only then may forwarders be moved.
bool isa__forwarders_may_move(isa_id object);

#endif
