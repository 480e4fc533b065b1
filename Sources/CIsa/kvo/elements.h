// Collections as the observed: arrays register on their elements, none can be observed itself; and
// values that cannot change have no setters to wrap.
#ifndef ISA_KVO_ELEMENTS_H
#define ISA_KVO_ELEMENTS_H

#include "kvo.h"

isa_status isa__elements_start(void);

#endif
