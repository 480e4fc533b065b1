// Gives the root class the messages of key-value observing, and connects the lower ranks' hooks.
#ifndef ISA_KVO_START_H
#define ISA_KVO_START_H

#include "kvo.h"

isa_status isa__kvo_start(void);

#endif
