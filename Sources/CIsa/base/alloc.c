// The allocator, the live counts and the failure countdown.
//
// Owns:      nothing; the counts stand in the thread records, each written by its thread alone.
// Locks:     none. A reader adds the counts of all threads up, which is exact while they rest.
// Invariant: a block is counted where it is allocated and uncounted where it is freed, perhaps by
//            another thread, so one thread's count may be negative and only the sum has a meaning.
#include "alloc.h"

#include <stdlib.h>
#include <string.h>

#include "isa_testing.h"
#include "status.h"
#include "thread.h"

// The C libraries align blocks to two words, and on i386 to 16 bytes all the same; elsewhere, as on
// 32-bit Arm, blocks are asked for by their alignment.
#if UINTPTR_MAX > UINT32_MAX || defined(__i386__)
#define MALLOC_ALIGNS 1
#else
#define MALLOC_ALIGNS 0
#endif

enum { ALIGNMENT = 16 };

// The head of a public block, which lets it be freed without its size. A length of exactly eight
// bytes is a form in which valgrind knows a block by a pointer behind its head.
struct public_head {
    uint64_t size; // of the bytes that follow
};

// Only the calling thread writes `*count`; a plain store suffices, and readers see no torn value.
static void count_add(isa__count64 *count, int64_t by)
{
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + by, __ATOMIC_RELAXED);
}

ISA_INLINE void count_in(struct isa__thread *thread, enum isa__kind kind, int64_t blocks,
                         int64_t bytes)
{
    count_add(&thread->counts[kind], blocks);
    count_add(&thread->blocks, blocks);
    count_add(&thread->bytes, bytes);
}

static void count_block(enum isa__kind kind, int64_t blocks, int64_t bytes)
{
    count_in(isa__thread_get(), kind, blocks, bytes);
}

ISA_INLINE bool must_fail(struct isa__thread *thread)
{
    if (__builtin_expect(thread->fail_after < 0, 1)) return false;
    if (thread->fail_after == 0) {
        thread->has_failed = true;
        return true;
    }
    thread->fail_after--;
    return false;
}

bool isa__alloc_must_fail(void)
{
    return must_fail(isa__thread_get());
}

static void *allocate_unset(size_t size)
{
    void *memory = MALLOC_ALIGNS ? malloc(size) : aligned_alloc(ALIGNMENT, size);
    ISA_ASSERT((uintptr_t)memory % ALIGNMENT == 0);
    return memory;
}

// The C library has a short way for small blocks, but glibc 2.36 has none for zeroed ones. The
// fence keeps compilers from making a calloc of the two calls.
static void *allocate_zeroed(size_t size)
{
    if (MALLOC_ALIGNS && size > 512) return calloc(1, size);
    void *memory = allocate_unset(size);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return memory == NULL ? NULL : memset(memory, 0, size);
}

// As realloc, which may lose the alignment that it did not give.
static void *reallocate(void *memory, size_t old_size, size_t size)
{
    if (MALLOC_ALIGNS) return realloc(memory, size);
    void *moved = allocate_unset(size);
    if (moved == NULL) return NULL;
    memcpy(moved, memory, old_size < size ? old_size : size);
    free(memory);
    return moved;
}

void *isa__alloc(enum isa__kind kind, size_t size)
{
    if (isa__alloc_must_fail()) return NULL;
    void *memory = allocate_zeroed(size);
    if (memory != NULL) count_block(kind, 1, (int64_t)size);
    return memory;
}

void *isa__alloc_unset(enum isa__kind kind, size_t size)
{
    struct isa__thread *thread = isa__thread_get();
    if (must_fail(thread)) return NULL;
    void *memory = allocate_unset(size);
    if (memory != NULL) count_in(thread, kind, 1, (int64_t)size);
    return memory;
}

void *isa__realloc(enum isa__kind kind, void *memory, size_t old_size, size_t size)
{
    if (memory == NULL) return isa__alloc(kind, size);
    if (isa__alloc_must_fail()) return NULL;
    char *moved = reallocate(memory, old_size, size);
    if (moved == NULL) return NULL;
    if (size > old_size) memset(moved + old_size, 0, size - old_size);
    count_block(kind, 0, (int64_t)size - (int64_t)old_size);
    return moved;
}

void isa__free(enum isa__kind kind, void *memory, size_t size)
{
    if (memory == NULL) return;
    count_block(kind, -1, -(int64_t)size);
    free(memory);
}

char *isa__copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = isa__alloc(ISA_KIND_OTHER, size);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

void isa__free_text(char *text)
{
    if (text != NULL) isa__free(ISA_KIND_OTHER, text, strlen(text) + 1);
}

void *isa__alloc_public(size_t size)
{
    struct public_head *head = isa__alloc(ISA_KIND_OTHER, sizeof *head + size);
    if (head == NULL) return NULL;
    head->size = size;
    return head + 1;
}

void isa_free(void *memory)
{
    if (memory == NULL) return;
    struct public_head *head = (struct public_head *)memory - 1;
    isa__free(ISA_KIND_OTHER, head, sizeof *head + head->size);
}

void isa__count(enum isa__kind kind, int64_t by)
{
    count_add(&isa__thread_get()->counts[kind], by);
}

bool isa_testing_fail_allocation(int64_t after)
{
    struct isa__thread *thread = isa__thread_get();
    bool has_failed = thread->has_failed;
    thread->has_failed = false;
    thread->fail_after = after;
    return has_failed;
}

// Adds up, over all threads, the count that stands `offset` bytes into the record.
static int64_t sum(size_t offset)
{
    int64_t total = 0;
    for (struct isa__thread *thread = isa__thread_list(); thread != NULL; thread = thread->next)
        total += __atomic_load_n((isa__count64 *)((char *)thread + offset), __ATOMIC_RELAXED);
    return total;
}

static int64_t sum_kind(enum isa__kind kind)
{
    return sum(offsetof(struct isa__thread, counts) + kind * sizeof(isa__count64));
}

// The changes that stand in a thread's record, and have no block.
static int64_t count_spare_changes(void)
{
    int64_t total = 0;
    for (struct isa__thread *thread = isa__thread_list(); thread != NULL; thread = thread->next)
        total += __atomic_load_n(&thread->spare_change_used, __ATOMIC_ACQUIRE);
    return total;
}

isa_live_counts isa_testing_live_counts(void)
{
    return (isa_live_counts){
        .bytes = sum(offsetof(struct isa__thread, bytes)),
        .blocks = sum(offsetof(struct isa__thread, blocks)),
        .objects = sum_kind(ISA_KIND_OBJECT),
        .classes = sum_kind(ISA_KIND_CLASS),
        .side_records = sum_kind(ISA_KIND_SIDE),
        .registrations = sum_kind(ISA_KIND_REGISTRATION),
        .lists = sum_kind(ISA_KIND_LIST),
        .pending = sum_kind(ISA_KIND_PENDING) + count_spare_changes(),
        .trampolines = sum_kind(ISA_KIND_TRAMPOLINE),
        .selectors = sum_kind(ISA_KIND_SELECTOR),
        .call_interfaces = sum_kind(ISA_KIND_CALL_INTERFACE),
        .notifying_classes = sum_kind(ISA_KIND_NOTIFYING_CLASS),
        .spare_trampolines = sum_kind(ISA_KIND_SPARE_TRAMPOLINE),
    };
}
