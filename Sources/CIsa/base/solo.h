// Read-modify-writes that lock the bus only where there is somebody to lock out: while the C
// library knows that the process has one thread, a load and a store do the same. A second thread
// begins with all that the first has done.
#ifndef ISA_BASE_SOLO_H
#define ISA_BASE_SOLO_H

#include <stdbool.h>
#include <stdint.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

// Whether the C library knows that there is no other thread.
static inline bool isa__process_is_single_threaded(void)
{
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded;
#else
    return false;
#endif
}

// Adds `by`, sequentially consistent but for that; returns what was there before.
static inline uint32_t isa__fetch_add(uint32_t *word, uint32_t by)
{
    if (!isa__process_is_single_threaded()) return __atomic_fetch_add(word, by, __ATOMIC_SEQ_CST);
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    __atomic_store_n(word, before + by, __ATOMIC_RELAXED);
    return before;
}

// The same for setting bits.
static inline uint32_t isa__fetch_or(uint32_t *word, uint32_t bits)
{
    if (!isa__process_is_single_threaded()) return __atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    __atomic_store_n(word, before | bits, __ATOMIC_RELAXED);
    return before;
}

// Replaces `*seen` by `to`; false if something else is there, which `*seen` is then.
static inline bool isa__compare_exchange(uintptr_t *word, uintptr_t *seen, uintptr_t to)
{
    if (!isa__process_is_single_threaded())
        return __atomic_compare_exchange_n(word, seen, to, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    uintptr_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    bool same = before == *seen;
    if (same) __atomic_store_n(word, to, __ATOMIC_RELAXED);
    else *seen = before;
    return same;
}

#endif
