// Message lookup beyond the inline path.
#ifndef ISA_OBJECT_MESSAGE_H
#define ISA_OBJECT_MESSAGE_H

#include "isa_object.h"

// What the unrecognised-selector hook gives for a message, NULL without a hook or if it declines.
isa_imp isa__message_ask_hook(isa_id object, isa_sel sel);

#endif
