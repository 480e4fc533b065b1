// Collections as the observed: arrays register on their elements, none can be observed itself; and
// values that cannot change have no setters to wrap.
#ifndef ISA_KVO_COLLECTIONS_H
#define ISA_KVO_COLLECTIONS_H

#include "kvo.h"

isa_status isa__observed_collections_start(void);

#endif
