// The core's one allocator: every block is zeroed, counted by kind, and made to fail where a test
// wants it.
#ifndef ISA_BASE_ALLOC_H
#define ISA_BASE_ALLOC_H

#include "isa_types.h"
#include "word.h"

// The kind of a block, or of a counted thing without a block of its own.
enum isa__kind {
    ISA_KIND_OTHER,
    ISA_KIND_OBJECT,
    ISA_KIND_CLASS,
    ISA_KIND_SIDE,
    ISA_KIND_REGISTRATION,
    ISA_KIND_LIST,
    ISA_KIND_PENDING,
    ISA_KIND_TRAMPOLINE,       // counted only: bound to a context at this moment
    ISA_KIND_SELECTOR,
    ISA_KIND_CALL_INTERFACE,
    ISA_KIND_NOTIFYING_CLASS,  // counted only
    ISA_KIND_SPARE_TRAMPOLINE, // counted only: waiting in the pool
    ISA_KIND_COUNT,
};

// Zeroed memory, aligned to 16 bytes; NULL when there is none or a test wants it so.
void *isa__alloc(enum isa__kind kind, size_t size);

// The same, with anything in it, for a caller that writes every byte.
void *isa__alloc_unset(enum isa__kind kind, size_t size);

// `memory` grown or shrunk from `old_size` to `size`, new bytes zeroed; NULL leaves it as it was.
void *isa__realloc(enum isa__kind kind, void *memory, size_t old_size, size_t size);

// Frees a block; kind and size are the same as when it was allocated. NULL is ignored.
void isa__free(enum isa__kind kind, void *memory, size_t size);

// A copy of `text` (kind OTHER), and its end. NULL when there is no memory.
char *isa__copy_text(const char *text);
void isa__free_text(char *text);

// A block, aligned to 8 bytes, for the caller of the library, who frees it with isa_free and not by
// size.
void *isa__alloc_public(size_t size);

// Memory for the time of a call, where it fits on the stack.
struct isa__scratch {
    void *address;
    size_t size;
    _Alignas(16) char bytes[96];
};

// Answers `size` bytes with anything in them, to be closed; NULL when there is no memory.
static inline void *isa__scratch_open(struct isa__scratch *scratch, size_t size)
{
    scratch->size = size;
    scratch->address =
        size <= sizeof scratch->bytes ? scratch->bytes : isa__alloc(ISA_KIND_OTHER, size);
    return scratch->address;
}

static inline void isa__scratch_close(struct isa__scratch *scratch)
{
    if (scratch->address != scratch->bytes)
        isa__free(ISA_KIND_OTHER, scratch->address, scratch->size);
}

// Counts a thing of a kind that has no block of its own: +1 or -1.
void isa__count(enum isa__kind kind, int64_t by);

// Whether the test's failure countdown is over: for allocations that libffi makes for us.
bool isa__alloc_must_fail(void);

#endif
