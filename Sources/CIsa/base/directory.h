// Directories: tables from ids to addresses that are read without a lock.
//
// A directory is open-addressed. It gets more items, and another item in the place of one, but
// loses none: the owner's lock is held for that. When half of its places are taken a larger block
// of places takes the place of the former, whole.
//
// The protocol, and why it holds:
//
//   reader                                 writer, with the owner's lock
//   R1  begin a section (reclaim.h)        W1  make the item whole
//   R2  load the block                     W2  outgrown: fill a larger block, then store that
//   R3  go from place to place, from the   W3  store the item in the place that has its id, else
//       place that the id names, to the id     in the first free place
//       or a free place                    W4  give up the lock, and retire the block that was
//   R4  use the item, end the section          outgrown and the item that was replaced
//
//   An item is read whole: W3 releases what W1 wrote, and R3 acquires it.
//
//   An item that was put is found from then on, or the item that has replaced it is: nobody takes
//   an id out of its place, W3 replaces an item by one store, and W2 releases a block in which all
//   items of the former stand. A reader that loads a block before W2 and looks into it after finds
//   what was there when it loaded it; it finds an item put behind its back into the next block when
//   it looks once more, as if it had looked a moment earlier now.
//
//   A reader's block and item are there until its section ends: by reclaim.h, since R1 comes before
//   R2 and both were unlinked before W4.
//
//   A reader comes to an end: half of a block's places are free.
//
//   Two writers would put two items into one place, or into a block that is being outgrown: hence
//   the lock.
//
// `make test-facts` runs readers beside writers, and does so on sources that lack one of the steps.
#ifndef ISA_BASE_DIRECTORY_H
#define ISA_BASE_DIRECTORY_H

#include "isa_types.h"
#include "reclaim.h"

struct isa__place {
    isa__word64 id; // 0: free; atomic builtins, as the item
    void *item;
};

struct isa__directory_block {
    struct isa__retired retired;
    uint32_t shift; // of a hash, to the place that an id has unless it is taken
    uint32_t mask;  // one less than there are places
    uint32_t count; // places taken; the writer's
    struct isa__place places[];
};

// Zeroed memory is an empty directory.
struct isa__directory {
    struct isa__directory_block *block; // NULL: empty; atomic builtins
};

// The hash of an id: its upper bits say where it stands.
typedef uint64_t (*isa__id_hash)(uint64_t id);

// The item with that id, which is not 0, and whose hash is `hash`; NULL if there is none. In a
// reader section, which must cover its use, unless blocks and items stay for ever.
ISA_INLINE void *isa__directory_find(const struct isa__directory *directory, uint64_t id,
                                     uint64_t hash)
{
    const struct isa__directory_block *block = __atomic_load_n(&directory->block, __ATOMIC_ACQUIRE);
    if (ISA_UNLIKELY(block == NULL)) return NULL;
    for (uint32_t at = (uint32_t)(hash >> block->shift);; at = (at + 1) & block->mask) {
        const struct isa__place *place = &block->places[at];
        uint64_t seen = __atomic_load_n(&place->id, __ATOMIC_RELAXED);
        if (seen == id) return __atomic_load_n(&place->item, __ATOMIC_ACQUIRE);
        if (seen == 0) return NULL;
    }
}

// Makes room for one item more; `hash` hashes ids. `*outgrown` is the block to retire, once the
// lock is given up, or to keep for as long as somebody may read it outside of a section; NULL if
// there is none. False when memory is short.
bool isa__directory_reserve(struct isa__directory *directory, isa__id_hash hash,
                            struct isa__directory_block **outgrown);

// Puts the item, for which there is room, and answers the item that had its id, or NULL.
void *isa__directory_put(struct isa__directory *directory, uint64_t id, uint64_t hash, void *item);

// The items in no particular order: start with `*at` 0; NULL ends. Nobody puts any meanwhile.
void *isa__directory_next(const struct isa__directory *directory, uint32_t *at);

// Frees the block of a directory that nobody reads any more; its items belong to the owner.
void isa__directory_end(struct isa__directory *directory);

void isa__directories_start(void);

#endif
