// Marks, barrier, and the freeing of what lock-free readers may still hold.
//
// A reader marks its thread, loads a shared pointer, and uses what it leads to until it unmarks; it
// writes nothing but its own thread record and takes no lock. Whoever unlinks such a thing retires
// it, and it is freed when no mark can cover it any more. The mark has two states: *checking* while
// the reader decides whether a registration still stands, *calling* from then on. A removal waits
// for checking to end, so that no call starts after it, but not for calls that have started.
//
// The protocol, and why it holds:
//
//   reader                                remover
//   R1  mark_epoch = epoch                U1  unlink (store)
//   R2  light barrier                     U2  heavy barrier
//   R3  load the pointer                  U3  read every thread's mark
//   R4  mark_epoch = 0 (release)
//
//   The heavy barrier makes every running thread execute a full barrier (membarrier), so each
//   reader's R1 and R3 fall on the same side of it or R1 before and R3 after. If R3 comes before
//   it, so did R1, and U3 sees the mark: the remover waits or keeps the thing. If R3 comes after
//   it, it comes after U1, and the reader does not see the thing. The light barrier need only stop
//   the compiler. Where there is no membarrier the light barrier is a full fence, U2 is one too,
//   and the same two cases follow from their order.
//
//   Skipped barrier: a remover that is the only thread with a record needs no U2. Another thread
//   counts itself and fences before it has a record, hence before R1; the remover fences and then
//   reads the count. If it reads 1, the other's fence comes after its own, and so R3 after U1.
//
//   Epochs: a batch is closed by adding one to the epoch after its things were unlinked. A mark
//   that holds a later epoch read it after that (acquire), so its R3 sees the unlinking. A batch is
//   freed when every mark is 0 or later than the batch. A mark may hold too early an epoch; that
//   only delays.
//
//   Nothing is left behind: who finds a mark in the way sets that thread's `attend_on_leave`,
//   makes a heavy barrier and looks once more. Either it now sees the mark gone, or the thread's R4
//   and its look at the flag behind it come after the barrier, and it sees the flag.
#ifndef ISA_BASE_RECLAIM_H
#define ISA_BASE_RECLAIM_H

#include "thread.h"
#include "ways.h"

// What a retired thing starts with. `next` may share its place with a field that no reader under a
// mark looks at. The top byte of `tag` says what it is; the rest is its owner's.
struct isa__retired {
    struct isa__retired *next;
    uint32_t tag;
};

enum isa__retired_kind {
    ISA_RETIRED_REGISTRATION,
    ISA_RETIRED_SNAPSHOT,
    ISA_RETIRED_LIST,
    ISA_RETIRED_PLAN,
    ISA_RETIRED_DIRECTORY,
    ISA_RETIRED_FACT,
    ISA_RETIRED_KINDS,
};

enum { ISA_RETIRED_TAG_SHIFT = 24 };

// How to free each kind, filled at start. Called with no lock held, on the thread that retired the
// thing or another; may run user code.
extern void (*isa__retired_free[ISA_RETIRED_KINDS])(struct isa__retired *thing);

extern ISA_HIDDEN uint64_t isa__epoch; // 1, 2, 3, …

static inline void isa__light_barrier(void)
{
    if (__builtin_expect((isa__detours_load() & ISA_DETOUR_FENCES) != 0, 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// R1 and R2. Marks nest; only the outermost counts.
static inline struct isa__thread *isa__mark_enter(void)
{
    struct isa__thread *thread = isa__thread_get();
    if (thread->mark_epoch != 0) {
        thread->mark_depth++;
        return thread;
    }
    uint64_t epoch = __atomic_load_n(&isa__epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&thread->mark_epoch, epoch, __ATOMIC_RELAXED);
    isa__light_barrier();
    return thread;
}

void isa__reclaim(void);

// What was put off until the mark is left.
void isa__mark_attend(struct isa__thread *thread);

static inline bool isa__mark_must_attend(const struct isa__thread *thread)
{
    return __builtin_expect(__atomic_load_n(&thread->on_leave, __ATOMIC_RELAXED) != 0, 0);
}

// R4.
static inline void isa__mark_leave(struct isa__thread *thread)
{
    if (thread->mark_depth > 0) {
        thread->mark_depth--;
        return;
    }
    __atomic_store_n(&thread->mark_epoch, 0, __ATOMIC_RELEASE);
    isa__light_barrier();
    if (isa__mark_must_attend(thread)) isa__mark_attend(thread);
}

// The same two for a thread that is not marked, where isa__detours says that no fences are needed.
static inline void isa__mark_enter_first(struct isa__thread *thread)
{
    uint64_t epoch = __atomic_load_n(&isa__epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&thread->mark_epoch, epoch, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Afterwards isa__mark_must_attend.
static inline void isa__mark_leave_last(struct isa__thread *thread)
{
    __atomic_store_n(&thread->mark_epoch, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// What a thread checks, and what it calls, stands in a slot: one for each depth of calls within one
// another. A slot has bit 0 set while what it names is being checked. Who waits for checks looks at
// the slot behind those in use too, so `calling_count` need not count this one before the check
// begins; it must before it ends, for then who waits for calls is to find it.

// The slot `depth` calls deep. Those that are too deep for one of their own share the last.
static inline const void **isa__calling_slot(struct isa__thread *thread, uint32_t depth)
{
    return &thread->calling[depth < ISA_CALLING_SLOTS ? depth : ISA_CALLING_SLOTS];
}

// Begins to check `what`: what is loaded from here on is newer than any removal that has returned.
// No user code runs inside a check. The first is for where isa__detours says that no fences are
// needed.
static inline void isa__check_begin_unfenced(const void **slot, const void *what)
{
    __atomic_store_n(slot, (const void *)((uintptr_t)what + 1), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void isa__check_begin(const void **slot, const void *what)
{
    isa__check_begin_unfenced(slot, what);
    isa__light_barrier();
}

// Ends the check, or the call: `what` is going to be called; NULL: nothing is.
static inline void isa__check_end(const void **slot, const void *what)
{
    __atomic_store_n(slot, what, __ATOMIC_RELEASE);
}

// How many calls within one another this thread is inside, from now on.
static inline void isa__calling_set(struct isa__thread *thread, uint32_t count)
{
    __atomic_store_n(&thread->calling_count, count, __ATOMIC_RELEASE);
}

// The marks that other threads have, as seen behind a heavy barrier.
enum isa__marks {
    ISA_MARKS_NONE,
    ISA_MARKS_LATER,   // each of a later epoch than was asked about
    ISA_MARKS_EARLIER,
};

// After an unlink: waits until every check that may have seen the thing has ended. Call with no
// lock held and not inside a check.
enum isa__marks isa__wait_for_checks(uint64_t epoch);

// Ends the present epoch and answers it: a mark of a later one sees what was done before.
uint64_t isa__epoch_close(void);

// How long a heavy barrier has taken lately, in ns.
uint32_t isa__barrier_time(void);

// Waits until no other thread is calling `what`, which has been unlinked and waited for as above.
void isa__wait_for_calls(const void *what);

// Whether another thread is marked at this moment. A heavy barrier comes first, so that a thread
// whose work under its mark has been seen, on any processor, is seen marked too, unless it has done
// all of that work and left its mark.
bool isa__others_are_marked(void);

// Frees the thing, already unlinked, once no mark covers it: now if none does.
void isa__retire(struct isa__retired *thing);

// The same where it may be known that no other thread holds it: if `alone`, it is freed now, or
// when this thread's own mark is left.
void isa__let_go(struct isa__retired *thing, bool alone);

// Frees all of a chain that nobody can read any more.
void isa__free_retired(struct isa__retired *things);

// Frees what was kept until the own mark is left.
void isa__free_kept(struct isa__thread *thread);

// Finds out what the system's barriers can do. At start.
void isa__reclaim_start(void);

#endif
