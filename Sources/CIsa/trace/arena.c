// The recorder's memory comes from the system, and not from the core's allocator: a recorded
// program has the same blocks, and the same failures of allocations in its tests, as any other.
//
// Owns: an arena owns its blocks.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "arena.h"

#include <sys/mman.h>

struct isa__arena_block {
    struct isa__arena_block *next;
    size_t size;
};

enum { BLOCK = 256 * 1024, ALIGNMENT = 16 };

static bool add_block(struct isa__arena *arena, size_t needed)
{
    size_t size = needed > BLOCK / 4 ? (needed + 4095) & ~(size_t)4095 : BLOCK;
    struct isa__arena_block *block =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return false;
    *block = (struct isa__arena_block){arena->last, size};
    arena->last = block;
    arena->at = (char *)block + ((sizeof *block + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
    arena->end = (char *)block + size;
    return true;
}

void *isa__arena_allocate(struct isa__arena *arena, size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    size_t left = (size_t)(arena->end - arena->at);
    if (size > left && !add_block(arena, size + 2 * ALIGNMENT)) return NULL;
    void *piece = arena->at;
    arena->at += size;
    return piece;
}

void isa__arena_free(struct isa__arena *arena)
{
    for (struct isa__arena_block *block = arena->last, *next; block != NULL; block = next) {
        next = block->next;
        munmap(block, block->size);
    }
    *arena = (struct isa__arena){0};
}
