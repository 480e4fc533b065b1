// IsaOrderedSet and IsaMutableOrderedSet.
//
// A class below them that keeps its objects elsewhere answers what boxed_array.h and set.h name,
// with `setSet:` instead of `setArray:`, and `indexOfObject:`.
#ifndef ISA_KVC_ORDERED_SET_H
#define ISA_KVC_ORDERED_SET_H

#include "box.h"

isa_status isa__ordered_sets_start(void);

#endif
