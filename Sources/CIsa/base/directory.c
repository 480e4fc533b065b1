// Directories; the protocol and its argument are in directory.h.
//
// Owns:  a directory's block; the items belong to the directory's owner.
// Locks: the owner's orders writers; readers take none.
#include "directory.h"

#include "alloc.h"

enum { FIRST_PLACES_LOG2 = 3 };

static size_t size_of(uint32_t mask)
{
    return sizeof(struct isa__directory_block) + ((size_t)mask + 1) * sizeof(struct isa__place);
}

static struct isa__directory_block *make_block(uint32_t places_log2)
{
    uint32_t mask = (UINT32_C(1) << places_log2) - 1;
    struct isa__directory_block *made = isa__alloc(ISA_KIND_OTHER, size_of(mask));
    if (made == NULL) return NULL;
    made->retired.tag = (uint32_t)ISA_RETIRED_DIRECTORY << ISA_RETIRED_TAG_SHIFT;
    made->shift = 64 - places_log2;
    made->mask = mask;
    return made;
}

// The place of the id, or the free place that the id is to have.
static struct isa__place *place_for(struct isa__directory_block *block, uint64_t id, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> block->shift);
    while (block->places[at].id != 0 && block->places[at].id != id) at = (at + 1) & block->mask;
    return &block->places[at];
}

static void fill(struct isa__directory_block *block, const struct isa__directory_block *former,
                 isa__id_hash hash)
{
    for (const struct isa__place *place = former->places; place <= &former->places[former->mask];
         place++)
        if (place->id != 0) *place_for(block, place->id, hash(place->id)) = *place;
    block->count = former->count;
}

bool isa__directory_reserve(struct isa__directory *directory, isa__id_hash hash,
                            struct isa__directory_block **outgrown)
{
    struct isa__directory_block *present = directory->block;
    *outgrown = NULL;
    if (present != NULL && (present->count + 1) * 2 <= present->mask + 1) return true;
    struct isa__directory_block *made =
        make_block(present == NULL ? FIRST_PLACES_LOG2 : 64 - present->shift + 1);
    if (made == NULL) return false;
    if (present != NULL) fill(made, present, hash);
    __atomic_store_n(&directory->block, made, __ATOMIC_RELEASE);
    *outgrown = present;
    return true;
}

void *isa__directory_put(struct isa__directory *directory, uint64_t id, uint64_t hash, void *item)
{
    struct isa__place *place = place_for(directory->block, id, hash);
    void *former = place->item;
    if (place->id == 0) directory->block->count++;
    __atomic_store_n(&place->id, id, __ATOMIC_RELAXED);
    __atomic_store_n(&place->item, item, __ATOMIC_RELEASE);
    return former;
}

void *isa__directory_next(const struct isa__directory *directory, uint32_t *at)
{
    const struct isa__directory_block *block = directory->block;
    while (block != NULL && *at <= block->mask) {
        void *item = block->places[(*at)++].item;
        if (item != NULL) return item;
    }
    return NULL;
}

static void free_block(struct isa__retired *thing)
{
    struct isa__directory_block *block = (struct isa__directory_block *)thing;
    isa__free(ISA_KIND_OTHER, block, size_of(block->mask));
}

void isa__directory_end(struct isa__directory *directory)
{
    if (directory->block != NULL) free_block(&directory->block->retired);
    directory->block = NULL;
}

void isa__directories_start(void)
{
    isa__retired_free[ISA_RETIRED_DIRECTORY] = free_block;
}
