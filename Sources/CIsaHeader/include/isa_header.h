// The 16 bytes at the start of every object, and their inline reader.
//
// A target of its own because the code that reads a header is inlined into users of the Swift
// layer, which must not see the rest of the core.
#ifndef ISA_HEADER_H
#define ISA_HEADER_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The first two words of an object.
//
// `isa`    is the object's true class: a `struct isa__class *`, replaced by an isa swap.
// `record` is an inline reference count (in units of ISA_RECORD_COUNT_UNIT) when ISA_RECORD_INLINE
//          is set, and else the address of the object's side record. The count of an object whose
//          class has memory hooks is always 0.
//
// Both are read and written with atomic builtins only; they are plain fields because Swift does not
// import `_Atomic` ones.
struct isa_header {
    uintptr_t isa;
    uintptr_t record;
};

#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L // C99 has no word for it
static_assert(sizeof(struct isa_header) == 2 * sizeof(void *), "two words, as Swift lays it out");
#endif

enum {
    ISA_RECORD_WATCHED = 1,     // of an object with memory hooks: who sets it directly must ask it
    ISA_RECORD_ASKED = 2,       // of a watched object: who reads it directly must ask it, too
    ISA_RECORD_IMMORTAL = 2,    // of any other: never counted, never freed, as class objects are
    ISA_RECORD_DEALLOCATING = 4, // the last reference went; the count is of those taken since
    ISA_RECORD_INLINE = 8,      // the rest of the word is a count; else the side record's address
    ISA_RECORD_FLAG_MASK = 15,  // side records are aligned to 16 bytes
    ISA_RECORD_COUNT_UNIT = 16, // one reference
};

// The isa word of `header`, as stored at this moment.
static inline uintptr_t isa_header_isa(const struct isa_header *header)
{
    return __atomic_load_n(&header->isa, __ATOMIC_ACQUIRE);
}

// The record word of `header`, as stored at this moment.
static inline uintptr_t isa_header_record(const struct isa_header *header)
{
    return __atomic_load_n(&header->record, __ATOMIC_ACQUIRE);
}

// Whether the storage of the object with memory hooks whose header begins at `header` must not be
// written directly: the object is to be sent the setter.
static inline bool isa_header_is_watched(const void *header)
{
    return (isa_header_record((const struct isa_header *)header) & ISA_RECORD_WATCHED) != 0;
}

// Whether it must not be read directly either: the class may have getters of its own.
static inline bool isa_header_is_asked(const void *header)
{
    return (isa_header_record((const struct isa_header *)header) & ISA_RECORD_ASKED) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
