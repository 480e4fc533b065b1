// IsaArray and IsaMutableArray, and what ordered sets share with them.
//
// A class below them that keeps its objects elsewhere answers `count`, `objectAtIndex:`, the three
// messages that change one index and the three that change many, `setArray:` and
// `removeAllObjects`; the rest of the messages rests on those.
#ifndef ISA_KVC_BOXED_ARRAY_H
#define ISA_KVC_BOXED_ARRAY_H

#include "box.h"

// Fills a fresh array.
isa_status isa__array_fill(isa_id array, const isa_id *objects, size_t count);

// An array of `count` objects that the caller fills in before anyone else sees it: each of `*items`
// is given with a reference.
isa_status isa__array_make_room(size_t count, isa_id *out, isa_id **items);

// What follows from `count` and `objectAtIndex:` for arrays and ordered sets alike.
isa_status isa__ordered_copy_objects(isa_id self, isa_sel sel, isa_id *out);
bool isa__ordered_is_equal(isa_id self, isa_sel sel, isa_id other);

isa_status isa__arrays_start(void);

#endif
