// Interned keys: equal texts, equal address, for the life of the process.
#ifndef ISA_KVC_KEY_H
#define ISA_KVC_KEY_H

#include "../model/selector.h"

// Names of methods that are made from a key; most keys have most of them for no method anywhere.
enum isa__key_names {
    ISA_NAMES_MUTATORS,  // mutators.h
    ISA_NAMES_AFFECTING, // keyPathsForValuesAffecting<Key>
    ISA_NAMES_AUTOMATIC, // automaticallyNotifiesObserversOf<Key>
    ISA_NAMES_COUNT,
};

struct isa__key {
    size_t length;
    // How many selectors there were when none had such a name, 0: not known; atomic builtins.
    uint32_t unnamed[ISA_NAMES_COUNT];
    char text[];
};

// Whether no selector has such a name: selectors only become more.
static inline bool isa__key_is_unnamed(const struct isa__key *key, enum isa__key_names names)
{
    return __atomic_load_n(&key->unnamed[names], __ATOMIC_RELAXED) == isa__selector_count();
}

// Notes it; `selectors` is their count from before they were looked at.
static inline void isa__key_note_unnamed(const struct isa__key *key, enum isa__key_names names,
                                         uint32_t selectors)
{
    __atomic_store_n(&((struct isa__key *)key)->unnamed[names], selectors, __ATOMIC_RELAXED);
}

// The key of that text, made if need be; NULL when memory is short.
const struct isa__key *isa__key_intern(const char *text);

// The key of that text if it was ever interned, else NULL.
const struct isa__key *isa__key_find(const char *text);

#endif
