// Stands in front of the C library's allocator and counts, for the calling thread, how often it is
// asked for a block. Everything that the process links is counted, libffi too.
//
// glibc only: it gives its own functions a second name each, so that nothing has to be looked up
// while the process starts.
#include "allocations.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

// A sanitizer stands there itself.
#if defined(__GLIBC__) && !HAS_SANITIZER

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t count;

void *malloc(size_t size)
{
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    count++;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    count++;
    *out = __libc_memalign(alignment, size);
    return *out != NULL ? 0 : ENOMEM;
}

static uint64_t allocations_so_far(void)
{
    return count;
}

uint64_t (*allocation_counter(void))(void)
{
    return allocations_so_far;
}

#else

uint64_t (*allocation_counter(void))(void)
{
    return NULL;
}

#endif
