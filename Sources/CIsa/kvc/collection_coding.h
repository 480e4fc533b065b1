// Key-value coding of collections: arrays and sets ask their members, dictionaries look up.
#ifndef ISA_KVC_COLLECTION_CODING_H
#define ISA_KVC_COLLECTION_CODING_H

#include "box.h"

// The dictionary's value for a key path of `size` bytes taken as one key, or NULL. Sends
// `objectForKey:`, unless the dictionary is one of the core's own and has no key of that size.
isa_status isa__dictionary_copy_for_path(isa_id dictionary, const char *path, size_t size,
                                         isa_id *out);

// The collection's own value for `key`, as of any object: by accessors, not from what it contains.
isa_status isa__collection_copy_own_value(isa_id collection, const char *key, isa_id *out);

isa_status isa__collection_coding_start(void);

#endif
