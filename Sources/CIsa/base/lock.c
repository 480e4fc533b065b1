// Ranked mutexes, and the fixed set of locks that object records share.
//
// Owns:      the object locks, for the life of the process.
// Invariant: bit r of `held_ranks` is set while the thread holds a lock of rank r; it holds at most
//            one of each rank, because each lock taken outranks all that it holds.
#include "lock.h"

#include "status.h"

enum { OBJECT_LOCKS_LOG2 = 6, OBJECT_LOCKS = 1 << OBJECT_LOCKS_LOG2 };

// Two objects' locks never share a cache line.
struct padded_lock {
    _Alignas(64) struct isa__lock lock;
};

#define ONE_LOCK {ISA_LOCK_INIT(ISA_LOCK_OBJECT)}
#define FOUR_LOCKS ONE_LOCK, ONE_LOCK, ONE_LOCK, ONE_LOCK
#define SIXTEEN_LOCKS FOUR_LOCKS, FOUR_LOCKS, FOUR_LOCKS, FOUR_LOCKS
static struct padded_lock object_locks[OBJECT_LOCKS] = {SIXTEEN_LOCKS, SIXTEEN_LOCKS,
                                                        SIXTEEN_LOCKS, SIXTEEN_LOCKS};

#ifndef NDEBUG
static _Thread_local uint32_t held_ranks;
#endif

void isa__lock(struct isa__lock *lock)
{
    ISA_ASSERT(held_ranks >> lock->rank == 0);
#ifndef NDEBUG
    held_ranks |= 1u << lock->rank;
#endif
    int error = pthread_mutex_lock(&lock->mutex);
    ISA_REQUIRE(error == 0, "isa__lock: lock of rank %d: error %d", (int)lock->rank, error);
}

void isa__unlock(struct isa__lock *lock)
{
    ISA_ASSERT((held_ranks >> lock->rank & 1) != 0);
#ifndef NDEBUG
    held_ranks &= ~(1u << lock->rank);
#endif
    pthread_mutex_unlock(&lock->mutex);
}

struct isa__lock *isa__lock_for(const void *address)
{
    // Objects are aligned to 16 bytes; the multiplication spreads what is left over the top bits.
    uint64_t mixed = ((uint64_t)(uintptr_t)address >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return &object_locks[mixed >> (64 - OBJECT_LOCKS_LOG2)].lock;
}
