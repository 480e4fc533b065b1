// Interned keys: equal texts, equal address, for the life of the process.
#ifndef ISA_KVC_KEY_H
#define ISA_KVC_KEY_H

#include "isa_types.h"

struct isa__key {
    size_t length;
    char text[];
};

// The key of that text, made if need be; NULL when memory is short.
const struct isa__key *isa__key_intern(const char *text);

// The key of that text if it was ever interned, else NULL.
const struct isa__key *isa__key_find(const char *text);

// Forgets all keys, for isa_testing_reset.
void isa__keys_stop(void);

#endif
