// The words that readers without a lock look at: why they may have to take the slow path, their
// sections, and which records they are in; and the freeing of what they may still hold.
#ifndef ISA_BASE_RECLAIM_H
#define ISA_BASE_RECLAIM_H

#include "thread.h"

// ---- reasons for the slow path ------------------------------------------------------------------

// Code that uses what was worked out beforehand looks at this word only. It says how often methods
// have changed, and above that why the code may have to take the slow path.

// Reasons for the slow path.
enum isa__slow_path {
    ISA_SLOW_PATH_EVENTS = 1, // somebody listens to the event log
    ISA_SLOW_PATH_FENCES = 2, // no membarrier here: readers pay, see below
    ISA_SLOW_PATH_STEPS = 4,  // somebody listens to the steps of a set, which only it makes
};

enum { ISA_SLOW_PATH_SHIFT = 56 };

// The reasons from bit ISA_SLOW_PATH_SHIFT on, the method epoch below; atomic builtins.
extern ISA_HIDDEN isa__word64 isa__ways;

static inline uint64_t isa__ways_load(void)
{
    return __atomic_load_n(&isa__ways, __ATOMIC_ACQUIRE);
}

static inline uint32_t isa__slow_path_reasons(void)
{
    return (uint32_t)(__atomic_load_n(&isa__ways, __ATOMIC_RELAXED) >> ISA_SLOW_PATH_SHIFT);
}

static inline void isa__slow_path_set(enum isa__slow_path which, bool on)
{
    uint64_t bits = (uint64_t)which << ISA_SLOW_PATH_SHIFT;
    if (on) __atomic_fetch_or(&isa__ways, bits, __ATOMIC_SEQ_CST);
    else __atomic_fetch_and(&isa__ways, ~bits, __ATOMIC_SEQ_CST);
}

// Counts every change of a method anywhere, so that caches know when they are stale.
static inline uint64_t isa__method_epoch(void)
{
    return isa__ways_load() & ((UINT64_C(1) << ISA_SLOW_PATH_SHIFT) - 1);
}

// Makes those caches stale: after what changed can be seen.
static inline void isa__method_epoch_advance(void)
{
    __atomic_fetch_add(&isa__ways, 1, __ATOMIC_RELEASE);
}

// ---- reader sections ----------------------------------------------------------------------------

// Reader sections, barrier, and the freeing of what lock-free readers may still hold.
//
// A reader begins a section, loads a shared pointer, and uses what the pointer leads to until the
// section ends; it writes nothing but its own thread record and takes no lock. A thread that
// unlinks such a thing retires it, and it is freed when no section can cover it any more. In its
// section a thread is *checking* while it decides whether a registration still stands, and
// *calling* from then on; its hazard slot says which. A removal waits for checking to end, so that
// no call starts after it, but not for calls that have started.
//
// The protocol, and why it holds:
//
//   reader                                remover
//   R1  reader_epoch = epoch              U1  unlink (store)
//   R2  light barrier                     U2  heavy barrier
//   R3  load the pointer                  U3  read every thread's epoch
//   R4  reader_epoch = 0 (release)
//
//   The heavy barrier makes every running thread execute a full barrier (membarrier), so each
//   reader's R1 and R3 fall on the same side of the barrier, or R1 before and R3 after. If R3 comes
//   before it, so did R1, and U3 sees the reader: the remover waits or keeps the thing. If R3 comes
//   after it, it comes after U1, and the reader does not see the thing. The light barrier need only
//   stop the compiler. Where there is no membarrier the light barrier is a full fence, U2 is one
//   too, and the same two cases follow from their order.
//
//   Skipped barrier: a remover that is the only thread with a record needs no U2. Another thread
//   counts itself and fences before it has a record, hence before R1; the remover fences and then
//   reads the count. If it reads 1, the other's fence comes after its own, and so R3 after U1.
//
//   Epochs: a batch is closed by adding one to the epoch after its things were unlinked. A reader
//   with a later epoch loaded it after that (acquire), so its R3 sees the unlinking. A batch is
//   freed when every reader's epoch is 0 or later than the batch. A reader may have too early an
//   epoch; that only delays.
//
//   Nothing is left behind: a remover that finds a reader in the way sets that thread's
//   `attend_on_leave`, makes a heavy barrier and looks once more. Either it now sees the reader
//   gone, or the thread's R4 and its look at the flag behind it come after the barrier, and it sees
//   the flag. Where it finds the flag set it does neither: the thread has set it itself, or another
//   remover under the lock of the batches, which made the barrier before it gave that up. A thread
//   takes its flag away once it has left, and then takes that lock and looks at the batch itself:
//   before this remover, which then sees the reader gone, or after it.

// The head of a retired thing. `next` may share its place with a field that no reader in its
// section looks at. The top byte of `tag` says what it is; the rest is its owner's.
struct isa__retired {
    struct isa__retired *next;
    uint32_t tag;
};

enum isa__retired_kind {
    ISA_RETIRED_REGISTRATION,
    ISA_RETIRED_LIST,
    ISA_RETIRED_CACHED_SETTER,
    ISA_RETIRED_DIRECTORY,
    ISA_RETIRED_FACT,
    ISA_RETIRED_KINDS,
};

enum { ISA_RETIRED_TAG_SHIFT = 24 };

// How to free each kind, filled at start. Called with no lock held, on the thread that retired the
// thing or another; may run user code.
extern void (*isa__retired_free[ISA_RETIRED_KINDS])(struct isa__retired *thing);

extern ISA_HIDDEN isa__word64 isa__epoch; // 1, 2, 3, …

static inline void isa__light_barrier(void)
{
    if (__builtin_expect((isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES) != 0, 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// U2. True if other threads have records, and their epochs need a look.
bool isa__heavy_barrier(void);

// R1 and R2. Sections nest; only the outermost counts.
static inline struct isa__thread *isa__reader_enter(void)
{
    struct isa__thread *thread = isa__thread_get();
    if (thread->reader_epoch != 0) {
        thread->reader_depth++;
        return thread;
    }
    uint64_t epoch = __atomic_load_n(&isa__epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&thread->reader_epoch, epoch, __ATOMIC_RELAXED);
    isa__light_barrier();
    return thread;
}

void isa__reclaim(void);

// Does the work that was put off until the section ends.
void isa__reader_attend(struct isa__thread *thread);

static inline bool isa__reader_must_attend(const struct isa__thread *thread)
{
    return __builtin_expect(__atomic_load_n(&thread->on_leave, __ATOMIC_RELAXED) != 0, 0);
}

// R4.
static inline void isa__reader_leave(struct isa__thread *thread)
{
    if (thread->reader_depth > 0) {
        thread->reader_depth--;
        return;
    }
    __atomic_store_n(&thread->reader_epoch, 0, __ATOMIC_RELEASE);
    isa__light_barrier();
    if (isa__reader_must_attend(thread)) isa__reader_attend(thread);
}

// The same two for a thread that is in no section, where isa__slow_path_reasons says that no fences
// are needed.
static inline void isa__reader_enter_first(struct isa__thread *thread)
{
    uint64_t epoch = __atomic_load_n(&isa__epoch, __ATOMIC_ACQUIRE);
    __atomic_store_n(&thread->reader_epoch, epoch, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Afterwards isa__reader_must_attend.
static inline void isa__reader_leave_last(struct isa__thread *thread)
{
    __atomic_store_n(&thread->reader_epoch, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// A hazard slot names what a thread checks or calls: a thread has one for each depth of calls
// within one another. Bit 0 of the slot is set while the thread checks what the slot names. A
// thread that waits for checks looks at the slot behind those in use too. So `hazard_count` need
// not count this one before the check begins, but must before it ends: a thread that waits for
// calls has to find it.

// The hazard slot `depth` calls deep. Calls that are too deep for a slot of their own share the
// last.
static inline const void **isa__hazard_slot(struct isa__thread *thread, uint32_t depth)
{
    return &thread->hazards[depth < ISA_HAZARD_SLOTS ? depth : ISA_HAZARD_SLOTS];
}

// Begins to check `what`: what is loaded from here on is newer than any removal that has returned.
// No user code runs inside a check. The first is for where isa__slow_path_reasons says that no
// fences are needed.
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
static inline void isa__hazard_count_set(struct isa__thread *thread, uint32_t count)
{
    __atomic_store_n(&thread->hazard_count, count, __ATOMIC_RELEASE);
}

// Other threads in reader sections, as seen behind a heavy barrier.
enum isa__readers {
    ISA_READERS_NONE,
    ISA_READERS_LATER,   // each of a later epoch than was asked about
    ISA_READERS_EARLIER,
};

// After an unlink: waits until every check that may have seen the thing has ended. Call with no
// lock held and not inside a check.
enum isa__readers isa__wait_for_checks(uint64_t epoch);

// Ends the present epoch and answers it: a reader of a later one sees what was done before.
uint64_t isa__epoch_close(void);

// How long a heavy barrier has taken lately, in ns.
uint32_t isa__barrier_time(void);

// Waits until no other thread is calling `what`, which has been unlinked and waited for as above.
void isa__wait_for_calls(const void *what);

// Whether another thread is in a reader section at this moment. A heavy barrier comes first: a
// thread whose work in its section has been seen, on any processor, is seen in the section too,
// unless it has done all of that work and ended the section.
bool isa__others_are_reading(void);

// Frees the thing, already unlinked, once no section covers it: now if none does.
void isa__retire(struct isa__retired *thing);

// The same where it may be known that no other thread holds it: if `alone`, it is freed now, or
// when this thread's own section ends.
void isa__let_go(struct isa__retired *thing, bool alone);

// Frees what was kept until the own section ends.
void isa__free_kept(struct isa__thread *thread);

// In a child, of a thread that is not there: the things that it kept wait for the next batch.
void isa__retired_inherit(struct isa__thread *thread);

// Finds out what the system's barriers can do. At start, and in a child.
void isa__reclaim_start(void);

// ---- callouts -----------------------------------------------------------------------------------

// A function that user code replaces while others call it. A caller is in a reader section, and a
// slot has the place of `replacements` that is the present one's. Callouts have slots of their own:
// a thread too deep in calls to tell which must not be taken to be inside a callout. Zeroed memory
// is a callout without a function; all are static.
//
//   caller                                who replaces it
//   C1  load the generation, even         S1  generation + 1
//   C2  slot = the generation's place     S2  store function and context
//   C3  light barrier                     S3  generation + 1
//   C4  load function and context         S4  heavy barrier
//   C5  load the generation once more     S5  wait for calls of the former place
//
// The caller calls if both generations are one, and there is a function: the function that it saw
// before C1 may have been taken away. Modelled in Tests/Protocol/callouts.pml.
//
//   The copy of C4 is of one piece: a caller that loads what a later S2 stores sees its S1 in C5,
//   and starts over. Nobody stays in the former function: if C5 comes before the barrier of S4, so
//   does C2, and S5 sees the slot; if it comes after it, C5 sees another generation. A thread does
//   not wait for itself; and of two that replace while they are inside, the later one replaces what
//   the former has set, which neither is inside. So it is of as many as there are places.
struct isa__callout {
    void (*function)(void); // this and the rest: atomic builtins
    void *context;
    isa__word64 generation; // twice the number of replacements; odd while one is being written
    uint16_t replacements[64]; // never read or written
};

// A call of a callout, in the stack of the function that makes it.
struct isa__callout_call {
    void (*function)(void);
    void *context;
    uint32_t depth; // how many calls of callouts it is inside
};

// Copies function and context for the caller to call, who is inside until it leaves: calls within
// one another are left innermost first. False, and nothing to leave, where no function is set.
bool isa__callout_enter(struct isa__callout *callout, struct isa__callout_call *call);
void isa__callout_leave(struct isa__callout_call *call);

// Replaces the function; returns once nobody is inside the previous one, this thread excepted. Call
// with no lock held.
void isa__callout_set(struct isa__callout *callout, void (*function)(void), void *context);

// ---- the readers' census ------------------------------------------------------------------------

// The readers' census: which threads may be looking at what a record's word leads to, so that a
// remover knows when nobody else is. Then no barrier is needed, and what was removed is freed at
// once.
//
// A record has a state beside its word. It is written under the record's lock, by release stores. A
// reader begins a section (above), loads the state with acquire, and loads the word only then:
//
//   state      readers                                   a remover, once it has unlinked
//   NEW        nobody has been in; the first one makes   the first to add owns the record
//              it OPEN
//   OWNED t    only thread t, unannounced; another       t: nothing. Another: as OPEN
//              makes it OPEN first
//   OPEN       anyone, unannounced                       PENDING, barrier, look at readers
//   PENDING e  count themselves; some may not have,      if e is quiet: COUNTED; else the same, and
//              none of a later epoch than e              COUNTED if none is in the way; e is
//                                                        renewed before its 15 bits come round
//   COUNTED    all have counted themselves               fence, look at the counts; 0: nobody else
//                                                        is inside
//
// A thread is *inside* from its look at the state until it leaves its outermost section, and loads
// the word as often as it likes. It uses a reference that it has kept from an earlier section
// inside only.
//
// An epoch is *quiet* once a remover that is in no section has closed it or a later one, made a
// barrier, and then seen no reader of it or of an earlier one. Who adds to an OPEN record makes it
// PENDING, since what is added is going to be removed: by then another removal may have made the
// barrier, one for all that were pending. Removals from inside callbacks make no epoch quiet.
//
// The protocol is modelled in Tests/Protocol/removal.pml. Why it holds:
//
// 0. Contract. When a removal has returned, no callback of its registration starts. ENDED is set by
//    a locked instruction, then the word is changed and the state read in one critical section. A
//    second removal of the same registration makes the barrier and waits for checks, unless the
//    first says that it has waited.
// 1. OWNED by the remover's thread. Another reader takes the lock before it loads the word. If it
//    does before the removal, the state is not OWNED any more. If it does after it, it does not
//    find the registration.
// 2. COUNTED. The remover unlinks, fences and looks at the counts. The reader adds, fences and
//    loads the word. One of them sees the other. A remover that sees a reader sends newcomers to
//    the other of two counters, and waits a little until it has seen each of them empty.
// 3. OPEN, PENDING not known to be quiet, OWNED by another. As above: a barrier, checks waited for,
//    readers.
// 4. To COUNTED. PENDING is set, and then the epoch e read by a change of it, under the lock. A
//    reader of a later epoch has read what was changed after that, and sees PENDING: so the epoch
//    of a reader that has not counted itself is not later than e. Somebody closes e or a later one,
//    and then makes the barrier: a reader that it does not see begins behind it, and sees PENDING.
//    The remover's own section is in the way too, unless it has counted itself. What is judged is
//    the PENDING that stands there, under the lock: where the record was OPEN meanwhile, its e is
//    a later one.
// 5. From COUNTED or PENDING to OPEN. A reader that does not count itself has read OPEN, hence
//    comes after every unlinking in COUNTED. Removers that leave PENDING look at readers anyway.
// 6. From COUNTED to OWNED. The new owner stores the state, fences and looks at the counts. A
//    reader adds, fences and looks at the state once more. One of them sees the other.
// 7. Freeing. Where nobody else is inside, nobody else holds what was unlinked: it is freed at
//    once, or when the own section ends. A registration that is reached by other ways than the word
//    as well counts the threads that come by those: see observing/chain.h.
// 8. Waiting for calls comes after all this: nobody inside is nobody calling.
// 9. No deadlock. Nobody waits with the lock held. A look at the counts gives up after a while, and
//    step 3 follows. A reader that takes the lock holds none of its rank or above.
//
// Which state is best is a matter of speed only: hints, which may be wrong, say when to change it.

// The states. OWNED is the owner's `own_state`, PENDING the last 15 bits of its epoch, with
// ISA_CENSUS_PENDING added.
enum isa__census {
    ISA_CENSUS_NEW = 0,
    ISA_CENSUS_OPEN = 1,
    ISA_CENSUS_COUNTED = 2,
    ISA_CENSUS_PENDING = 0x8000,
};

// Whether the thread owns the record.
static inline bool isa__census_is_own(const struct isa__thread *thread, const uint16_t *state)
{
    return __atomic_load_n(state, __ATOMIC_ACQUIRE) == thread->own_state;
}

// Whether it may load the word at once, without joining.
static inline bool isa__census_lets_in(const struct isa__thread *thread, const uint16_t *state)
{
    uint16_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
    return __builtin_expect(seen == thread->own_state, 1) || seen == ISA_CENSUS_OPEN;
}

// Prepares a thread that may not, before it loads the word: it counts itself, or changes the state
// so that it need not. The thread is in a reader section; `record` names the lock, which it does
// not hold.
void isa__census_join(struct isa__thread *thread, uint16_t *state, const void *record);

// Leaves all that was entered, and frees what was kept. The section has ended.
void isa__census_leave(struct isa__thread *thread);

// In a child: nobody is inside but the calling thread.
void isa__census_recount(void);

// Has readers count themselves from here on; they all have if the state is COUNTED then.
void isa__census_pend_locked(uint16_t *state);

// The state that a change of the word is judged by, for isa__census_await or isa__census_is_alone,
// once the lock is given up: as it is from here on. The record's lock is held.
static inline uint16_t isa__census_adding_locked(const struct isa__thread *thread,
                                                 uint16_t *state)
{
    if (*state == thread->own_state) return *state;
    if (*state == ISA_CENSUS_NEW) {
        if (thread->own_state != ISA_THREAD_NO_NAME)
            __atomic_store_n(state, thread->own_state, __ATOMIC_RELEASE);
    } else if (*state == ISA_CENSUS_OPEN || *state >= ISA_CENSUS_PENDING) {
        isa__census_pend_locked(state);
    }
    return *state;
}

// The same where something is removed.
static inline uint16_t isa__census_removing_locked(const struct isa__thread *thread,
                                                   uint16_t *state)
{
    if (*state != thread->own_state && *state != ISA_CENSUS_COUNTED) isa__census_pend_locked(state);
    return *state;
}

bool isa__census_await_others(struct isa__thread *thread, uint16_t *state, const void *record,
                              uint16_t found);
bool isa__census_look(const struct isa__thread *thread, const uint16_t *state, uint16_t found);

// After a removal: returns when no check that may have seen what was unlinked is under way. True if
// moreover no other thread holds it. The state is still there; no lock is held.
static inline bool isa__census_await(struct isa__thread *thread, uint16_t *state,
                                     const void *record, uint16_t found)
{
    return __builtin_expect(found == thread->own_state, 1) ||
           isa__census_await_others(thread, state, record, found);
}

// After another change: true if no other thread holds what was unlinked.
static inline bool isa__census_is_alone(const struct isa__thread *thread, const uint16_t *state,
                                        uint16_t found)
{
    return __builtin_expect(found == thread->own_state, 1) ||
           isa__census_look(thread, state, found);
}

#endif
