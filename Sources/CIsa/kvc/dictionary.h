// IsaDictionary and IsaMutableDictionary.
#ifndef ISA_KVC_DICTIONARY_H
#define ISA_KVC_DICTIONARY_H

#include "box.h"

// A dictionary of the same keys and values.
isa_status isa__dictionary_make_like(isa_id dictionary, bool is_mutable, isa_id *out);

isa_status isa__dictionaries_start(void);

#endif
