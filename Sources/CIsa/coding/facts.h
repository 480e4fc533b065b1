// Interned keys, and facts: answers about a class and a key.
#ifndef ISA_CODING_FACTS_H
#define ISA_CODING_FACTS_H

#include <string.h>

#include "../base/directory.h"
#include "../base/reclaim.h"
#include "../model/class.h"
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

// The key of that text if it was ever interned, else NULL. Takes no lock and needs no reader
// section.
const struct isa__key *isa__key_find(const char *text);

// A table of keys, zeroed while empty. There is one but for tests, of which these are as the above.
struct isa__keys {
    struct isa__directory directory;
    // Outgrown blocks, which stay, for a reader may be in one: together less than the present one.
    struct isa__directory_block *outgrown;
};
const struct isa__key *isa__keys_intern(struct isa__keys *keys, const char *text);
const struct isa__key *isa__keys_find(const struct isa__keys *keys, const char *text);

// ---- facts --------------------------------------------------------------------------------------

// Facts: answers about a class and a key, asked for once and then read without a lock.
//
// A fact is one answer about one class, one key and one subject, as plain bytes, which never
// change. It holds as long as no method has changed anywhere since before the class was asked; a
// fact that says something else then takes its place. It only saves time: where there is none, the
// class is asked.
//
// Facts stand in the class's directory, whose protocol is that of base/directory.h. Beyond that:
//
//   asker                                  reader, in a section
//   F1  load the method epoch              F4  find the fact
//   F2  ask                                F5  load its epoch, and the method epoch; if they are
//   F3  keep the fact, with that epoch         one, the fact holds
//
//   A thread that changes a method advances the epoch afterwards. So the answer of F2 counts every
//   change that F1 has seen counted, and maybe later ones; a fact that holds at F5 tells of no
//   earlier state than that of F5's epoch.
//
//   F3 stores the new epoch into a fact that says the same already, and replaces any other: its
//   bytes were true of the former epoch and are so of the new one.
//
// Only what a class answers for, or what is registered, becomes a fact: keys that are merely asked
// for take no memory.

// The question that a fact answers, and the type of its bytes.
enum isa__subject {
    ISA_FACT_GETTER,    // struct isa__answer
    ISA_FACT_SETTER,    // struct isa__answer
    ISA_FACT_ELEMENTS,  // struct isa__elements
    ISA_FACT_ORDERED,   // struct isa__way
    ISA_FACT_UNORDERED, // struct isa__way
    ISA_FACT_PATH,      // observing/: of a class and a registered key path
    ISA_SUBJECTS,
};

struct isa__fact {
    struct isa__retired retired; // the tag has the number of bytes
    isa__word64 epoch;           // isa__method_epoch before the class was asked; atomic builtins
    char bytes[];
};

// Keys are blocks of their own, so that the low bits of their addresses are 0.
static inline uint64_t isa__fact_id(const struct isa__key *key, enum isa__subject subject)
{
    static_assert(ISA_SUBJECTS <= 16, "a block is aligned to 16 bytes");
    return (uint64_t)(uintptr_t)key + subject;
}

static inline uint64_t isa__fact_hash(const struct isa__key *key, enum isa__subject subject)
{
    return key->hash + subject * UINT64_C(0x9E3779B97F4A7C15);
}

// The fact, whether it holds or not; NULL if there is none. In a reader section, which must cover
// its use.
ISA_INLINE struct isa__fact *isa__fact_find_any(isa_class cls, const struct isa__key *key,
                                                enum isa__subject subject)
{
    return isa__directory_find(&cls->facts, isa__fact_id(key, subject),
                               isa__fact_hash(key, subject));
}

// The fact's bytes if there is one and it holds, else NULL. In a reader section, as above.
ISA_INLINE const void *isa__fact_find(isa_class cls, const struct isa__key *key,
                                      enum isa__subject subject)
{
    const struct isa__fact *fact = isa__fact_find_any(cls, key, subject);
    if (fact == NULL || __atomic_load_n(&fact->epoch, __ATOMIC_ACQUIRE) != isa__method_epoch())
        return NULL;
    return fact->bytes;
}

// The same, copied, outside of any reader section.
ISA_INLINE bool isa__fact_recall(isa_class cls, const struct isa__key *key,
                                 enum isa__subject subject, void *out, size_t size)
{
    struct isa__thread *thread = isa__reader_enter();
    const void *bytes = isa__fact_find(cls, key, subject);
    if (bytes != NULL) memcpy(out, bytes, size);
    isa__reader_leave(thread);
    return bytes != NULL;
}

// The same whether it holds or not: the answer when the class was last asked.
bool isa__fact_recall_former(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                             void *out, size_t size);

// Keeps a copy of `bytes`, which the class was asked for when the method epoch was `epoch` or
// later; nothing if memory is short. No lock held.
void isa__fact_keep(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                    const void *bytes, size_t size, uint64_t epoch);

// Sees to it that a class's facts go with it.
void isa__facts_start(void);

#endif
