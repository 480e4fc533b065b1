// IsaKVO's C core: objects whose class pointer can be swapped, classes made at run time, calls by
// type encoding, values by key, and key-value observing.
//
// Threads: any function may be called from any thread unless its contract says otherwise.
// Errors:  functions that can fail return an isa_status; after a failure the state is as before the
//          call, and `isa_last_error` has the details.
// NULL:    the top of isa_types.h says how functions take it.
#ifndef ISA_H
#define ISA_H

#include "isa_types.h"
#include "isa_event.h"
#include "isa_class.h"
#include "isa_object.h"
#include "isa_call.h"
#include "kvc_collections.h"
#include "kvc.h"
#include "kvc_typed.h"
#include "kvo.h"
#include "isa_trace.h"

#endif
