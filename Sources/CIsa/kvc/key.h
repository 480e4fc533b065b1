// Interned keys: equal texts, equal address, for the life of the process.
#ifndef ISA_KVC_KEY_H
#define ISA_KVC_KEY_H

#include "../model/selector.h"

// Groups of names that are made from a key; most keys have most of them for no method anywhere.
enum isa__key_names {
    ISA_NAMES_MUTATORS,
    ISA_NAMES_AFFECTING,
    ISA_NAMES_AUTOMATIC,
    ISA_NAMES_COUNT,
};

struct isa__key {
    size_t length;
    // How many selectors there were when none had such a name, 0: not known; atomic builtins.
    uint32_t unnamed[ISA_NAMES_COUNT];
    char text[];
};

// Whether a selector has one of the names; the key remembers if none has.
bool isa__key_is_named(const struct isa__key *key, enum isa__key_names names);

// The key of that text, made if need be; NULL when memory is short.
const struct isa__key *isa__key_intern(const char *text);

// The key of that text if it was ever interned, else NULL.
const struct isa__key *isa__key_find(const char *text);

#endif
