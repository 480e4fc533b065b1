// Reclamation of what lock-free readers may hold; the protocol and its argument are in reclaim.h.
//
// Owns:      two batches of retired things: `collecting`, and `waiting`, closed with
//            `waiting_epoch`; and what each thread keeps until its section ends.
// Lives:     a batch waits until every reader's epoch is later than its own; then its things are
//            freed.
// Locks:     `reclaim_lock` guards the batches; things are freed with no lock held. `callout_lock`
//            guards a replacement while it is written, never while it is waited for.
// Invariant: a thread that leaves a batch waiting has told each thread in its way to look again on
//            leaving, and made a heavy barrier since; or another has, or the thread itself. Who
//            finds all of them told need not make one.
#define _GNU_SOURCE // usleep
#include "reclaim.h"

#include <sched.h>
#include <unistd.h>

#include "thread.h"

isa__word64 isa__epoch = 1;
void (*isa__retired_free[ISA_RETIRED_KINDS])(struct isa__retired *thing);

static ISA_LOCK_DEFINE(reclaim_lock, ISA_LOCK_RECLAIM)
static ISA_LOCK_DEFINE(callout_lock, ISA_LOCK_THREAD)
static struct isa__retired *collecting;
static struct isa__retired *waiting;
static uint64_t waiting_epoch;
static uint32_t barrier_time = 1000; // atomic builtins; a hint

void isa__reclaim_start(void)
{
    isa__slow_path_set(ISA_SLOW_PATH_FENCES, !isa__system_has_barrier());
}

// A sandbox that the process has entered since it began refuses the barrier. Readers fence from
// here on, and those that have not seen that yet have their stores done long before this returns.
ISA_RARE void fence_from_now_on(void)
{
    isa__slow_path_set(ISA_SLOW_PATH_FENCES, true);
    usleep(1000);
}

// The system's barrier, and how long such take, the latest counting for a quarter.
static void measured_barrier(void)
{
    uint64_t start = isa__system_clock();
    if (!isa__system_barrier()) fence_from_now_on();
    uint64_t took = isa__system_clock() - start;
    uint32_t before = isa__barrier_time();
    uint32_t latest = took > UINT16_MAX ? UINT16_MAX : (uint32_t)took;
    __atomic_store_n(&barrier_time, (3 * before + latest) / 4, __ATOMIC_RELAXED);
}

uint32_t isa__barrier_time(void)
{
    return __atomic_load_n(&barrier_time, __ATOMIC_RELAXED);
}

// U2. True if other threads have records, and their epochs need a look.
bool isa__heavy_barrier(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint64_t alone = isa__thread_is_known() ? 1 : 0;
    if (isa__thread_count() <= alone) return false;
    if (!(isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES)) measured_barrier();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return true;
}

// One turn of waiting for another thread, which may need this processor to go on.
static void pause_turn(unsigned *turns)
{
    if (++*turns < 64) __atomic_signal_fence(__ATOMIC_SEQ_CST);
    else if (*turns < 1024) sched_yield();
    else usleep(50);
}

// Waits for checks: in any of the slots in use, or the next.
static void wait_for_slots(struct isa__thread *thread)
{
    uint32_t count = __atomic_load_n(&thread->hazard_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i <= count && i <= ISA_HAZARD_SLOTS; i++) {
        uintptr_t slot = (uintptr_t)__atomic_load_n(&thread->hazards[i], __ATOMIC_ACQUIRE);
        unsigned turns = 0;
        if (slot % 2 == 0) continue;
        while ((uintptr_t)__atomic_load_n(&thread->hazards[i], __ATOMIC_ACQUIRE) == slot)
            pause_turn(&turns);
    }
}

enum isa__readers isa__wait_for_checks(uint64_t epoch)
{
    enum isa__readers readers = ISA_READERS_NONE;
    if (!isa__heavy_barrier()) return readers;
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next) {
        if (t == isa__current) continue;
        wait_for_slots(t);
        uint64_t reader = __atomic_load_n(&t->reader_epoch, __ATOMIC_ACQUIRE);
        if (reader != 0 && reader <= epoch) readers = ISA_READERS_EARLIER;
        else if (reader != 0 && readers == ISA_READERS_NONE) readers = ISA_READERS_LATER;
    }
    return readers;
}

uint64_t isa__epoch_close(void)
{
    return __atomic_fetch_add(&isa__epoch, 1, __ATOMIC_SEQ_CST);
}

// Whether `what` is in one of `*used` slots, of which there are `room`.
static bool is_in(const void *what, const void **slots, const uint32_t *used, uint32_t room)
{
    uint32_t count = __atomic_load_n(used, __ATOMIC_ACQUIRE);
    if (count > room) return true; // too deep to tell: assume it
    for (uint32_t i = 0; i < count; i++)
        if (__atomic_load_n(&slots[i], __ATOMIC_ACQUIRE) == what) return true;
    return false;
}

// Waits until no other thread is in `what`: a call, or a callout.
static void wait_until_left(const void *what, bool is_callout)
{
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next) {
        if (t == isa__current) continue;
        unsigned turns = 0;
        while (is_callout ? is_in(what, t->callouts, &t->callout_count, ISA_CALLOUT_SLOTS)
                          : is_in(what, t->hazards, &t->hazard_count, ISA_HAZARD_SLOTS))
            pause_turn(&turns);
    }
}

void isa__wait_for_calls(const void *what)
{
    wait_until_left(what, false);
}

// ---- callouts -----------------------------------------------------------------------------------

static const void *place_of(const struct isa__callout *callout, uint64_t generation)
{
    size_t count = sizeof callout->replacements / sizeof *callout->replacements;
    return &callout->replacements[generation / 2 % count];
}

static void begin_callout(struct isa__thread *thread, struct isa__callout_call *call,
                          const void *place)
{
    uint32_t depth = call->depth = thread->callout_count;
    if (depth < ISA_CALLOUT_SLOTS)
        __atomic_store_n(&thread->callouts[depth], place, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->callout_count, depth + 1, __ATOMIC_RELEASE);
}

bool isa__callout_enter(struct isa__callout *callout, struct isa__callout_call *call)
{
    while (__atomic_load_n(&callout->function, __ATOMIC_ACQUIRE) != NULL) {
        uint64_t generation = __atomic_load_n(&callout->generation, __ATOMIC_ACQUIRE);
        struct isa__thread *thread = isa__reader_enter();
        begin_callout(thread, call, place_of(callout, generation));
        isa__light_barrier();
        call->function = __atomic_load_n(&callout->function, __ATOMIC_ACQUIRE);
        call->context = __atomic_load_n(&callout->context, __ATOMIC_ACQUIRE);
        // The function that was there may have been taken away since.
        if (call->function != NULL && generation % 2 == 0 &&
            __atomic_load_n(&callout->generation, __ATOMIC_ACQUIRE) == generation)
            return true;
        isa__callout_leave(call);
        sched_yield();
    }
    return false;
}

void isa__callout_leave(struct isa__callout_call *call)
{
    struct isa__thread *thread = isa__current;
    __atomic_store_n(&thread->callout_count, call->depth, __ATOMIC_RELEASE);
    isa__reader_leave(thread);
}

void isa__callout_set(struct isa__callout *callout, void (*function)(void), void *context)
{
    isa__lock(&callout_lock);
    uint64_t generation = callout->generation;
    __atomic_store_n(&callout->generation, generation + 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&callout->function, function, __ATOMIC_RELEASE);
    __atomic_store_n(&callout->context, context, __ATOMIC_RELEASE);
    __atomic_store_n(&callout->generation, generation + 2, __ATOMIC_SEQ_CST);
    isa__unlock(&callout_lock);
    isa__heavy_barrier();
    wait_until_left(place_of(callout, generation), true);
}

// ---- batches ------------------------------------------------------------------------------------

// Whether a reader has the waiting batch's epoch or an earlier one. Each such thread that does not
// know it yet is told to look again, and *told set.
static bool is_covered_locked(bool *told)
{
    bool covered = false;
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next) {
        uint64_t reader = __atomic_load_n(&t->reader_epoch, __ATOMIC_ACQUIRE);
        if (reader == 0 || reader > waiting_epoch) continue;
        covered = true;
        if (__atomic_load_n(&t->attend_on_leave, __ATOMIC_ACQUIRE) != 0) continue;
        __atomic_store_n(&t->attend_on_leave, 1, __ATOMIC_SEQ_CST);
        *told = true;
    }
    return covered;
}

bool isa__others_are_reading(void)
{
    if (!isa__heavy_barrier()) return false;
    for (struct isa__thread *t = isa__thread_list(); t != NULL; t = t->next)
        if (t != isa__current && __atomic_load_n(&t->reader_epoch, __ATOMIC_ACQUIRE) != 0)
            return true;
    return false;
}

// Whether the waiting batch may go.
static bool is_free_locked(void)
{
    for (;;) {
        bool told = false;
        if (!is_covered_locked(&told)) return true;
        if (!told) return false;
        isa__heavy_barrier();
    }
}

// Takes the next batch that may go, or NULL.
static struct isa__retired *take_batch_locked(void)
{
    if (waiting == NULL && collecting != NULL) {
        waiting = collecting;
        collecting = NULL;
        waiting_epoch = isa__epoch_close();
        // Once is enough: no later look can miss a reader that holds any of it.
        isa__heavy_barrier();
    }
    if (waiting == NULL || !is_free_locked()) return NULL;
    struct isa__retired *batch = waiting;
    waiting = NULL;
    return batch;
}

static void free_thing(struct isa__retired *thing)
{
    uint32_t tag = __atomic_load_n(&thing->tag, __ATOMIC_ACQUIRE);
    isa__retired_free[tag >> ISA_RETIRED_TAG_SHIFT](thing);
}

// Frees all of a chain that nobody can read any more.
static void free_all(struct isa__retired *things)
{
    while (things != NULL) {
        struct isa__retired *next = things->next;
        free_thing(things);
        things = next;
    }
}

// The free function may be the user's, and set a property: so the thread leaves first all that it
// has entered.
void isa__reader_attend(struct isa__thread *thread)
{
    bool attends = __atomic_load_n(&thread->attend_on_leave, __ATOMIC_RELAXED) != 0;
    if (thread->parts_on_leave) isa__census_leave(thread);
    if (!attends) return;
    thread->endless = 0;
    isa__reclaim();
}

void isa__free_kept(struct isa__thread *thread)
{
    struct isa__retired *kept = thread->kept;
    thread->kept = NULL;
    free_all(kept);
}

void isa__reclaim(void)
{
    if (isa__thread_is_known())
        __atomic_store_n(&isa__current->attend_on_leave, isa__current->endless != 0,
                         __ATOMIC_RELAXED);
    for (;;) {
        isa__lock(&reclaim_lock);
        struct isa__retired *batch = take_batch_locked();
        isa__unlock(&reclaim_lock);
        if (batch == NULL) return;
        free_all(batch);
    }
}

static bool is_reading(void)
{
    return isa__thread_is_known() && isa__current->reader_epoch != 0;
}

void isa__retire(struct isa__retired *thing)
{
    isa__lock(&reclaim_lock);
    thing->next = collecting;
    collecting = thing;
    isa__unlock(&reclaim_lock);
    // A section of this thread's own is in the way of everything: it looks when it leaves that.
    if (is_reading()) __atomic_store_n(&isa__current->attend_on_leave, 1, __ATOMIC_RELAXED);
    else isa__reclaim();
}

// Has this thread free the thing when its section ends.
static void retired_keep(struct isa__retired *thing)
{
    thing->next = isa__current->kept;
    isa__current->kept = thing;
    isa__current->parts_on_leave = 1;
}

void isa__let_go(struct isa__retired *thing, bool alone)
{
    if (!alone) isa__retire(thing);
    else if (is_reading()) retired_keep(thing);
    else free_thing(thing);
}

void isa__retired_inherit(struct isa__thread *thread)
{
    while (thread->kept != NULL) {
        struct isa__retired *thing = thread->kept;
        thread->kept = thing->next;
        thing->next = collecting;
        collecting = thing;
    }
    // Nobody else will look at the batches for the threads that were to.
    if (isa__thread_is_known())
        __atomic_store_n(&isa__current->attend_on_leave, 1, __ATOMIC_RELAXED);
}
