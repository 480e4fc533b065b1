// Presence: which threads may be looking at what a record's word leads to, so that a remover knows
// when nobody else is. Then no barrier is needed, and what was removed is freed at once.
//
// A record has a state beside its word. It is written under the record's lock, by release stores. A
// reader marks itself (reclaim.h), loads the state with acquire, and loads the word only then:
//
//   state      readers                                   a remover, once it has unlinked
//   NEW        nobody has been in; the first one makes   the first to add owns the record
//              it OPEN
//   OWNED t    only thread t, unannounced; another       t: nothing. Another: as OPEN
//              makes it OPEN first
//   OPEN       anyone, unannounced                       PENDING, barrier, look at the marks
//   PENDING u  count themselves; some older ones may     the same; if no mark is in the way and u
//              not have                                  is itself: COUNTED
//   COUNTED    all have counted themselves               fence, look at the counts; 0: nobody else
//                                                        is inside
//
// A thread is *inside* from its look at the state until it leaves its outermost mark, and loads the
// word as often as it likes.
//
// The protocol is modelled in Tests/Protocol/removal.pml. Why it holds:
//
// 0. Contract. When a removal has returned, no callback of it starts. ENDED is set by a locked
//    instruction, then the word is changed and the state read in one critical section. A second
//    removal of the same makes the barrier and waits for checks, unless the first says that it has
//    waited.
// 1. OWNED by the remover's thread. Another reader takes the lock before it loads the word. If it
//    does before the removal, the state is not OWNED any more. If it does after it, it does not
//    find the registration.
// 2. COUNTED. The remover unlinks, fences and looks at the counts. The reader adds, fences and
//    loads the word. One of them sees the other. A remover that sees a reader sends newcomers to
//    the other of two counters, and waits a little until it has seen each of them empty.
// 3. OPEN, PENDING, OWNED by another. As in reclaim.h: a barrier, checks waited for, marks.
// 4. To COUNTED. The remover sets PENDING, then closes an epoch, then makes the barrier. A reader
//    that has not counted itself looked at the state before PENDING was there. So its mark is not
//    later than the epoch, and the remover sees it. The remover's own mark is in the way too,
//    unless it has counted itself. PENDING must still be the remover's own: else the record may
//    have been OPEN meanwhile.
// 5. From COUNTED or PENDING to OPEN. A reader that does not count itself has read OPEN, hence
//    comes after every unlinking in COUNTED. In PENDING removers look at marks anyway.
// 6. From COUNTED to OWNED. The new owner stores the state, fences and looks at the counts. A
//    reader adds, fences and looks at the state once more. One of them sees the other.
// 7. Freeing. Where nobody else is inside, nobody else holds what was unlinked: it is freed at
//    once, or when the own mark is left. What is reached by other ways than the word as well counts
//    the threads that come by those: see observing/chain.h.
// 8. Waiting for calls comes after all this: nobody inside is nobody calling.
// 9. No deadlock. Nobody waits with the lock held. A look at the counts gives up after a while, and
//    step 3 follows. A reader that takes the lock holds none of its rank or above.
//
// Which state is best is a matter of speed only: hints, which may be wrong, say when to change it.
#ifndef ISA_BASE_PRESENCE_H
#define ISA_BASE_PRESENCE_H

#include "reclaim.h"
#include "thread.h"

// The states. OWNED is the owner's `own_state`, PENDING that of the remover that set it last, with
// ISA_PRESENCE_PENDING added.
enum isa__presence {
    ISA_PRESENCE_NEW = 0,
    ISA_PRESENCE_OPEN = 1,
    ISA_PRESENCE_COUNTED = 2,
    ISA_PRESENCE_PENDING = 0x8000,
};

// Whether the thread may load the word at once, without joining.
static inline bool isa__presence_is_own(const struct isa__thread *thread, const uint16_t *state)
{
    return __atomic_load_n(state, __ATOMIC_ACQUIRE) == thread->own_state;
}

// What a thread does else, before it loads the word: it counts itself, or changes the state so that
// it need not. The thread is marked; `record` names the lock, which it does not hold.
void isa__presence_join(struct isa__thread *thread, uint16_t *state, const void *record);

// Leaves all that was entered, and frees what was kept. The mark has been left.
void isa__presence_leave(struct isa__thread *thread);

// What a change of the word finds, for isa__presence_await or isa__presence_is_alone, once the lock
// is given up. The record's lock is held.
static inline uint16_t isa__presence_adding_locked(const struct isa__thread *thread,
                                                   uint16_t *state)
{
    if (*state == ISA_PRESENCE_NEW && thread->own_state != ISA_THREAD_NO_NAME)
        __atomic_store_n(state, thread->own_state, __ATOMIC_RELEASE);
    return *state;
}

// The same where something is removed: readers announce themselves from here on.
static inline uint16_t isa__presence_removing_locked(const struct isa__thread *thread,
                                                     uint16_t *state)
{
    if (*state != thread->own_state && *state != ISA_PRESENCE_COUNTED)
        __atomic_store_n(state, ISA_PRESENCE_PENDING | thread->own_state, __ATOMIC_RELEASE);
    return *state;
}

bool isa__presence_await_others(struct isa__thread *thread, uint16_t *state, const void *record,
                                uint16_t found);
bool isa__presence_look(const struct isa__thread *thread, const uint16_t *state, uint16_t found);

// After a removal: returns when no check that may have seen what was unlinked is under way. True if
// moreover no other thread holds it. The state is still there; no lock is held.
static inline bool isa__presence_await(struct isa__thread *thread, uint16_t *state,
                                       const void *record, uint16_t found)
{
    return __builtin_expect(found == thread->own_state, 1) ||
           isa__presence_await_others(thread, state, record, found);
}

// After another change: true if no other thread holds what was unlinked.
static inline bool isa__presence_is_alone(const struct isa__thread *thread, const uint16_t *state,
                                          uint16_t found)
{
    return __builtin_expect(found == thread->own_state, 1) ||
           isa__presence_look(thread, state, found);
}

#endif
