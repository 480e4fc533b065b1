// What is found out about a class and key, so that it is looked for once.
#ifndef ISA_KVC_CODING_CACHE_H
#define ISA_KVC_CODING_CACHE_H

#include "accessor.h"
#include "key.h"

// How instances of `cls` answer for `key`, cached per class and key until a method changes.
isa_status isa__coding_getter(isa_class cls, const char *key, struct isa__accessor *out);
isa_status isa__coding_setter(isa_class cls, const char *key, struct isa__accessor *out);

// The getter's or setter's accessor if it is one of those asked for lately, else NULL, which tells
// nothing. Takes no lock. Under a mark, which must cover its use.
const struct isa__accessor *isa__coding_find_recent(isa_class cls, const char *key, bool sets);

// The same for the getter of an interned key, found by its address; the second only where instances
// of the class leave both `valueForKey:` and `valueForKeyPath:` to the root class, and it has no
// guard.
const struct isa__accessor *isa__coding_find_by_key(isa_class cls, const struct isa__key *key);
const struct isa__accessor *isa__coding_find_direct(isa_class cls, const struct isa__key *key);

// The first, copied, where there is no mark; false tells nothing.
bool isa__coding_recall_recent(isa_class cls, const char *key, bool sets,
                               struct isa__accessor *out);

// The getter's or setter's accessor if it was found before and still answers; asks the class
// nothing. False tells nothing.
bool isa__coding_recall_accessor(isa_class cls, const char *key, bool setter,
                                 struct isa__accessor *out);

// What else is found out about a class and key, kept beside its accessors: plain bytes.
enum isa__coding_slot {
    ISA_SLOT_ELEMENTS,
    ISA_SLOT_ORDERED,
    ISA_SLOT_UNORDERED,
    ISA_SLOT_COUNT,
};

// Copies what is kept, `size` bytes; false if there is nothing, or a method has changed since
// `epoch`. Keeps a copy, if there is memory to.
bool isa__coding_recall(isa_class cls, const char *key, enum isa__coding_slot slot, void *out,
                        size_t size);
void isa__coding_remember(isa_class cls, const char *key, enum isa__coding_slot slot,
                          const void *bytes, size_t size, uint64_t epoch);

// Sees to it that a class's cache goes with it.
void isa__coding_cache_start(void);

#endif
