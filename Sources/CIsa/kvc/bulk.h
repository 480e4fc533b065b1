// Many keys at once.
#ifndef ISA_KVC_BULK_H
#define ISA_KVC_BULK_H

#include "kvc.h"

// Gives the root class `dictionaryWithValuesForKeys:` and `setValuesForKeysWithDictionary:`.
isa_status isa__bulk_start(void);

#endif
