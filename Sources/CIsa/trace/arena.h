// An arena: memory that is given out piece by piece and taken back all at once.
#ifndef ISA_TRACE_ARENA_H
#define ISA_TRACE_ARENA_H

#include "../base/status.h"

struct isa__arena {
    char *at, *end;             // of the block that pieces are cut from
    struct isa__arena_block *last; // the blocks, newest first
};

// Zeroed memory, aligned to 16 bytes, until isa__arena_free; NULL where the system has none.
void *isa__arena_allocate(struct isa__arena *arena, size_t size);

void isa__arena_free(struct isa__arena *arena);

#endif
