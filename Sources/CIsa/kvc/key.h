// Interned keys: equal texts, equal address, for the life of the process.
#ifndef ISA_KVC_KEY_H
#define ISA_KVC_KEY_H

#include "../base/directory.h"
#include "../model/selector.h"

// Groups of names that are made from a key; most keys have most of them for no method anywhere.
enum isa__key_names {
    ISA_NAMES_MUTATORS,
    ISA_NAMES_AFFECTING,
    ISA_NAMES_AUTOMATIC,
    ISA_NAMES_COUNT,
};

struct isa__key {
    uint64_t hash; // of the text
    size_t length;
    // How many selectors there were when none had such a name, 0: not known; atomic builtins.
    uint32_t unnamed[ISA_NAMES_COUNT];
    char text[];
};

// Whether a selector has one of the names; the key remembers if none has.
bool isa__key_is_named(const struct isa__key *key, enum isa__key_names names);

// The key of that text, made if need be; NULL when memory is short.
const struct isa__key *isa__key_intern(const char *text);

// The key of that text if it was ever interned, else NULL. Takes no lock and needs no mark.
const struct isa__key *isa__key_find(const char *text);

// A table of keys, zeroed while empty. There is one but for tests, of which these are as the above.
struct isa__keys {
    struct isa__directory directory;
    // Outgrown blocks, which stay, for a reader may be in one: together less than the present one.
    struct isa__directory_block *outgrown;
};
const struct isa__key *isa__keys_intern(struct isa__keys *keys, const char *text);
const struct isa__key *isa__keys_find(const struct isa__keys *keys, const char *text);

#endif
