// Fork: a child that one thread of several makes can use the library as its parent can.
//
// The thread that forks takes every lock before, so that the child finds none held by a thread that
// it has not, nor anything that such a thread was changing under it. Then the child forgets the
// other threads: their sections, calls and counts, for which reclamation would wait for ever.
//
// Owns:      nothing.
// Locks:     all, in the order of their ranks, while the process is copied.
// Invariant: no user code runs here: things that the other threads left are freed when the child
//            next ends a reader section.
#include <pthread.h>

#include "reclaim.h"
#include "status.h"
#include "thread.h"

static void forget_others(void)
{
    isa__locks_reset();
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next)
        if (t != isa__current && t->in_use) isa__retired_inherit(t);
    isa__threads_forget();
    isa__census_recount();
    isa__reclaim_start();
}

isa_status isa__fork_start(void)
{
    int error = pthread_atfork(isa__locks_take, isa__locks_give, forget_others);
    return error == 0 ? ISA_OK : ISA_ERR_NO_MEMORY;
}
