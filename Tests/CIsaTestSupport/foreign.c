#include "foreign.h"

#include <stdlib.h>

struct isa_test_foreign {
    int64_t strong;
    int64_t unowned; // the strong ones together count as one
    bool gives_up_when_read;
    struct isa_header header;
};

static int64_t live;

static isa_test_foreign *foreign_of(isa_id object)
{
    return (isa_test_foreign *)((char *)object - offsetof(isa_test_foreign, header));
}

static void drop(isa_id object)
{
    isa_test_foreign *foreign = foreign_of(object);
    if (__atomic_sub_fetch(&foreign->unowned, 1, __ATOMIC_ACQ_REL) > 0) return;
    free(foreign);
    __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
}

static void keep(isa_id object)
{
    __atomic_fetch_add(&foreign_of(object)->unowned, 1, __ATOMIC_RELAXED);
}

static void retain(isa_id object)
{
    __atomic_fetch_add(&foreign_of(object)->strong, 1, __ATOMIC_RELAXED);
}

static void release(isa_id object)
{
    if (__atomic_sub_fetch(&foreign_of(object)->strong, 1, __ATOMIC_ACQ_REL) > 0) return;
    isa_object_abandon(object);
    drop(object);
}

static bool try_retain(isa_id object)
{
    int64_t *strong = &foreign_of(object)->strong;
    int64_t seen = __atomic_load_n(strong, __ATOMIC_RELAXED);
    do {
        if (seen == 0) return false;
    } while (!__atomic_compare_exchange_n(strong, &seen, seen + 1, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    if (__atomic_exchange_n(&foreign_of(object)->gives_up_when_read, false, __ATOMIC_ACQ_REL))
        release(object);
    return true;
}

static size_t count(isa_id object)
{
    return (size_t)isa_test_foreign_strong(foreign_of(object));
}

const isa_memory_hooks *isa_test_foreign_hooks(void)
{
    static const isa_memory_hooks hooks = {.retain = retain,
                                           .release = release,
                                           .try_retain = try_retain,
                                           .keep = keep,
                                           .drop = drop,
                                           .count = count};
    return &hooks;
}

isa_test_foreign *isa_test_foreign_make(isa_class cls)
{
    isa_test_foreign *foreign = calloc(1, sizeof *foreign);
    isa_id object;
    if (foreign == NULL) return NULL;
    if (isa_object_adopt(cls, &foreign->header, &object) != ISA_OK) {
        free(foreign);
        return NULL;
    }
    foreign->strong = foreign->unowned = 1;
    __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
    return foreign;
}

isa_id isa_test_foreign_object(isa_test_foreign *foreign)
{
    return (isa_id)&foreign->header;
}

void isa_test_foreign_give_up_when_read(isa_test_foreign *foreign)
{
    __atomic_store_n(&foreign->gives_up_when_read, true, __ATOMIC_RELEASE);
}

int64_t isa_test_foreign_strong(const isa_test_foreign *foreign)
{
    return __atomic_load_n(&foreign->strong, __ATOMIC_RELAXED);
}

int64_t isa_test_foreign_unowned(const isa_test_foreign *foreign)
{
    return __atomic_load_n(&foreign->unowned, __ATOMIC_RELAXED);
}

int64_t isa_test_foreign_live(void)
{
    return __atomic_load_n(&live, __ATOMIC_RELAXED);
}
