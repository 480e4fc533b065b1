// Facts.
//
// Owns:  each class's facts, which go with the class; one that is replaced, until base/reclaim.h
//        says that no reader holds it.
// Locks: `facts_lock` orders those who keep one, never while user code runs. Reading takes none.
#include "facts.h"

#include "../base/alloc.h"

static struct isa__lock facts_lock = ISA_LOCK_INIT(ISA_LOCK_CODING);

static uint64_t hash_of(uint64_t id)
{
    return isa__fact_hash((const struct isa__key *)(uintptr_t)(id & ~UINT64_C(15)), id & 15);
}

bool isa__fact_recall_former(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                             void *out, size_t size)
{
    struct isa__thread *thread = isa__mark_enter();
    const struct isa__fact *fact = isa__fact_find_any(cls, key, subject);
    if (fact != NULL) memcpy(out, fact->bytes, size);
    isa__mark_leave(thread);
    return fact != NULL;
}

enum { BYTES_MASK = (1 << ISA_RETIRED_TAG_SHIFT) - 1 };

static void free_fact(struct isa__retired *thing)
{
    isa__free(ISA_KIND_OTHER, thing, sizeof(struct isa__fact) + (thing->tag & BYTES_MASK));
}

static struct isa__fact *make_fact(const void *bytes, size_t size, uint64_t epoch)
{
    struct isa__fact *made = isa__alloc(ISA_KIND_OTHER, sizeof *made + size);
    if (made == NULL) return NULL;
    made->retired.tag = (uint32_t)ISA_RETIRED_FACT << ISA_RETIRED_TAG_SHIFT | (uint32_t)size;
    made->epoch = epoch;
    memcpy(made->bytes, bytes, size);
    return made;
}

// Brings a fact up to date that says the same.
static bool renew_locked(struct isa__fact *fact, const void *bytes, size_t size, uint64_t epoch)
{
    if (fact == NULL || memcmp(fact->bytes, bytes, size) != 0) return false;
    __atomic_store_n(&fact->epoch, epoch, __ATOMIC_RELEASE);
    return true;
}

void isa__fact_keep(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                    const void *bytes, size_t size, uint64_t epoch)
{
    uint64_t id = isa__fact_id(key, subject), hash = isa__fact_hash(key, subject);
    struct isa__directory_block *outgrown = NULL;
    isa__lock(&facts_lock);
    struct isa__fact *former = isa__fact_find_any(cls, key, subject), *made = NULL;
    if (renew_locked(former, bytes, size, epoch)) former = NULL;
    else if (isa__directory_reserve(&cls->facts, hash_of, &outgrown))
        made = make_fact(bytes, size, epoch);
    if (made != NULL) isa__directory_put(&cls->facts, id, hash, made);
    isa__unlock(&facts_lock);
    if (outgrown != NULL) isa__retire(&outgrown->retired);
    if (former != NULL && made != NULL) isa__retire(&former->retired);
}

static void dispose(isa_class cls)
{
    uint32_t at = 0;
    for (struct isa__fact *fact; (fact = isa__directory_next(&cls->facts, &at)) != NULL;)
        free_fact(&fact->retired);
    isa__directory_end(&cls->facts);
}

void isa__facts_start(void)
{
    isa__class_hooks.dispose_facts = dispose;
    isa__retired_free[ISA_RETIRED_FACT] = free_fact;
}
