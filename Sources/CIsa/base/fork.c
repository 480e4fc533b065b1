// Fork: a child that one thread of several makes can use the library as its parent can.
//
// The thread that forks takes every lock before, so that the child finds none held by a thread that
// it has not, nor anything that such a thread was changing under it. Then the child forgets the
// other threads: their sections, calls and counts, for which reclamation would wait for ever.
//
// Locks that a layer above has of its own cannot be taken, as nobody knows them all. A thread says
// instead that it is about to take one, in a guard, and the thread that forks waits for the guards:
//
//   guarded                               forks
//   G1  fork_guards = 1                   F1  forks += 1
//   G2  light barrier                     F2  heavy barrier
//   G3  load forks; not 0: undo G1, wait  F3  wait until each thread's fork_guards is 0
//   G4  fork_guards = 0 (release)         F4  copy the process
//
// As in reclaim.h, G1 and G3 fall on the same side of F2, or G1 before and G3 after. If G3 comes
// before it, so did G1: F3 sees the guard, and waits for G4, behind which (acquire) all is done
// that the guard was for. If G3 comes after it, it comes after F1, and the thread waits. A new
// thread fences before it has a record, hence before G1, and so does F2 where it knows no other.
//
// Owns:      nothing.
// Locks:     all, in the order of their ranks, while the process is copied; no guard is held while
//            one is taken, but for locks that a guarded thread takes.
// Invariant: no user code runs here: things that the other threads left are freed when the child
//            next ends a reader section. None runs in a guard either.
#define _GNU_SOURCE // usleep
#include <pthread.h>
#include <unistd.h>

#include "isa_types.h"
#include "thread.h"
#include "reclaim.h"
#include "status.h"

static uint32_t forks; // threads that are about to fork; atomic builtins

ISA_RARE void await_fork(struct isa__thread *thread)
{
    do {
        __atomic_store_n(&thread->fork_guards, 0, __ATOMIC_RELEASE);
        while (__atomic_load_n(&forks, __ATOMIC_ACQUIRE) != 0) usleep(50);
        __atomic_store_n(&thread->fork_guards, 1, __ATOMIC_RELAXED);
        isa__light_barrier();
    } while (__atomic_load_n(&forks, __ATOMIC_ACQUIRE) != 0);
}

void isa_fork_guard_begin(void)
{
    struct isa__thread *thread = isa__thread_get();
    uint32_t outer = thread->fork_guards;
    __atomic_store_n(&thread->fork_guards, outer + 1, __ATOMIC_RELAXED);
    isa__light_barrier();
    if (outer == 0 && ISA_UNLIKELY(__atomic_load_n(&forks, __ATOMIC_ACQUIRE) != 0))
        await_fork(thread);
}

void isa_fork_guard_end(void)
{
    struct isa__thread *thread = isa__thread_get();
    __atomic_store_n(&thread->fork_guards, thread->fork_guards - 1, __ATOMIC_RELEASE);
}

void isa__fork_prepare(void)
{
    __atomic_fetch_add(&forks, 1, __ATOMIC_SEQ_CST);
    isa__heavy_barrier();
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next)
        while (t != isa__current && __atomic_load_n(&t->fork_guards, __ATOMIC_ACQUIRE) != 0)
            usleep(10);
    isa__locks_take();
}

void isa__fork_parent(void)
{
    isa__locks_give();
    __atomic_fetch_sub(&forks, 1, __ATOMIC_SEQ_CST);
}

static void forget_others(void)
{
    isa__locks_reset();
    __atomic_store_n(&forks, 0, __ATOMIC_RELAXED);
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next) {
        if (t != isa__current && t->in_use) isa__retired_inherit(t);
        // Such as one that waits for the fork to be over.
        if (t != isa__current) t->fork_guards = 0;
    }
    isa__threads_forget();
    isa__census_recount();
    isa__reclaim_start();
}

isa_status isa__fork_start(void)
{
    int error = pthread_atfork(isa__fork_prepare, isa__fork_parent, forget_others);
    return error == 0 ? ISA_OK : ISA_ERR_NO_MEMORY;
}
