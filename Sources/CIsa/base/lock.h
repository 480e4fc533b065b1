// Mutexes with a rank. A thread may take a lock only of a higher rank than those it holds; debug
// builds assert it.
#ifndef ISA_BASE_LOCK_H
#define ISA_BASE_LOCK_H

#include <pthread.h>

#include "isa_types.h"

enum isa__lock_rank {
    ISA_LOCK_OBSERVING = 1, // making notifying classes, wrapping setters
    ISA_LOCK_CODING = 2,    // keeping facts
    ISA_LOCK_MODEL = 3,     // classes, methods, class table
    ISA_LOCK_CALL = 4,      // call interfaces, trampoline pool
    ISA_LOCK_OBJECT = 5,    // one object's registrations, associations (see isa__lock_for)
    ISA_LOCK_SELECTOR = 6,
    ISA_LOCK_RECLAIM = 7,
    ISA_LOCK_THREAD = 8,
};

struct isa__lock {
    pthread_mutex_t mutex;
    enum isa__lock_rank rank;
};

#define ISA_LOCK_INIT(rank) {PTHREAD_MUTEX_INITIALIZER, (rank)}

void isa__lock(struct isa__lock *lock);
void isa__unlock(struct isa__lock *lock);

// The lock that guards the object record at `address`: one of a fixed set, all of rank
// ISA_LOCK_OBJECT, so a thread may hold one only.
struct isa__lock *isa__lock_for(const void *address);

// Takes that lock.
static inline struct isa__lock *isa__lock_object(const void *address)
{
    struct isa__lock *lock = isa__lock_for(address);
    isa__lock(lock);
    return lock;
}

#endif
