// The one word that code which goes by what was worked out beforehand has to look at: how often
// methods have changed, and above that why it may have to make a detour.
#ifndef ISA_BASE_WAYS_H
#define ISA_BASE_WAYS_H

#include <stdbool.h>
#include <stdint.h>

// Reasons for a detour.
enum isa__detour {
    ISA_DETOUR_EVENTS = 1, // somebody listens to the event log
    ISA_DETOUR_FENCES = 2, // no membarrier here: readers pay, see reclaim.h
};

enum { ISA_DETOUR_SHIFT = 56 };

// Symbols that no other library may interpose, so that they are reached without a detour.
#define ISA_HIDDEN __attribute__((visibility("hidden")))

// The reasons from bit ISA_DETOUR_SHIFT on, the method epoch below; atomic builtins.
extern ISA_HIDDEN uint64_t isa__ways;

static inline uint64_t isa__ways_load(void)
{
    return __atomic_load_n(&isa__ways, __ATOMIC_ACQUIRE);
}

static inline uint32_t isa__detours_load(void)
{
    return (uint32_t)(__atomic_load_n(&isa__ways, __ATOMIC_RELAXED) >> ISA_DETOUR_SHIFT);
}

static inline void isa__detour_set(enum isa__detour which, bool on)
{
    uint64_t bits = (uint64_t)which << ISA_DETOUR_SHIFT;
    if (on) __atomic_fetch_or(&isa__ways, bits, __ATOMIC_SEQ_CST);
    else __atomic_fetch_and(&isa__ways, ~bits, __ATOMIC_SEQ_CST);
}

// Counts every change of a method anywhere, so that caches know when they are stale.
static inline uint64_t isa__method_epoch(void)
{
    return isa__ways_load() & ((UINT64_C(1) << ISA_DETOUR_SHIFT) - 1);
}

// Makes those caches stale: after what changed can be seen.
static inline void isa__method_epoch_advance(void)
{
    __atomic_fetch_add(&isa__ways, 1, __ATOMIC_RELEASE);
}

#endif
