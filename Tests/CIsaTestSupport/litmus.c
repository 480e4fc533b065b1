// Litmus tests of base/reclaim.h.
//
// Invariant: a reader polls what would be a violation for as long as its check or mark stands, so
//            that a remover that overtakes it is seen.
#include "litmus.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "../../Sources/CIsa/base/reclaim.h"

enum { POLLS = 16, TURN_SPINS = 512 };

struct thing {
    struct isa__retired retired;
    uint64_t is_freed; // atomic builtins
};

struct trial {
    void (*read_once)(struct trial *trial);
    uint64_t linked;      // checks: the number of the thing that stands
    uint64_t returned;    // checks: the latest thing whose removal has returned
    struct thing *thing;  // marks: the thing that stands
    uint64_t must_stop;   // this, the above and `result.reads`: atomic builtins
    isa_test_litmus result; // `reads` and `violations` are the reader's
};

static uint64_t freed_things; // atomic builtins

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOWDOWN 10
#endif
#endif
#ifndef SLOWDOWN
#define SLOWDOWN 1
#endif

uint64_t isa_test_litmus_rounds(void)
{
    return 100000 / SLOWDOWN;
}

static void *run_reader(void *context)
{
    struct trial *trial = context;
    while (!__atomic_load_n(&trial->must_stop, __ATOMIC_RELAXED)) {
        trial->read_once(trial);
        __atomic_store_n(&trial->result.reads, trial->result.reads + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

// Waits until the reader has ended a read since the last turn, unless it is not running, and a
// little longer from round to round, so that removals fall on every point of a read.
static void await_turn(struct trial *trial, uint64_t round, uint64_t *turn)
{
    for (unsigned spins = 0; spins < TURN_SPINS; spins++)
        if (__atomic_load_n(&trial->result.reads, __ATOMIC_ACQUIRE) != *turn) break;
    *turn = __atomic_load_n(&trial->result.reads, __ATOMIC_ACQUIRE);
    for (uint64_t delay = round % 32; delay > 0; delay--) __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Runs `remove_all` beside a reader.
static void run(struct trial *trial, bool fences, uint64_t rounds,
                void (*remove_all)(struct trial *trial, uint64_t rounds))
{
    bool needed = (isa__detours_load() & ISA_DETOUR_FENCES) != 0;
    isa__detour_set(ISA_DETOUR_FENCES, needed || fences);
    isa__thread_get();
    pthread_t reader;
    if (pthread_create(&reader, NULL, run_reader, trial) != 0) abort();
    while (__atomic_load_n(&trial->result.reads, __ATOMIC_ACQUIRE) == 0) sched_yield();
    remove_all(trial, rounds);
    __atomic_store_n(&trial->must_stop, 1, __ATOMIC_RELAXED);
    pthread_join(reader, NULL);
    isa__detour_set(ISA_DETOUR_FENCES, needed);
}

// ---- checks -------------------------------------------------------------------------------------

static void check_once(struct trial *trial)
{
    static const uint64_t what = 0;
    const void **slot = isa__calling_slot(isa__thread_get(), 0);
    bool is_late = false;
    isa__check_begin(slot, &what);
    uint64_t linked = __atomic_load_n(&trial->linked, __ATOMIC_ACQUIRE);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&trial->returned, __ATOMIC_ACQUIRE) >= linked;
    isa__check_end(slot, NULL);
    trial->result.violations += is_late;
}

static void remove_waiting(struct trial *trial, uint64_t rounds)
{
    uint64_t turn = 0;
    for (uint64_t i = 1; i <= rounds; i++) {
        await_turn(trial, i, &turn);
        __atomic_store_n(&trial->linked, i + 1, __ATOMIC_RELEASE);
        isa__wait_for_checks();
        __atomic_store_n(&trial->returned, i, __ATOMIC_RELEASE);
    }
}

isa_test_litmus isa_test_litmus_checks(uint64_t rounds, bool fences)
{
    struct trial trial = {.read_once = check_once, .linked = 1};
    run(&trial, fences, rounds, remove_waiting);
    return trial.result;
}

// ---- marks --------------------------------------------------------------------------------------

static void mark_once(struct trial *trial)
{
    bool is_late = false;
    struct isa__thread *thread = isa__mark_enter();
    const struct thing *thing = __atomic_load_n(&trial->thing, __ATOMIC_ACQUIRE);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&thing->is_freed, __ATOMIC_ACQUIRE) != 0;
    isa__mark_leave(thread);
    trial->result.violations += is_late;
}

// The same by a mark that is the thread's first and only one.
static void mark_first_once(struct trial *trial)
{
    bool is_late = false;
    struct isa__thread *thread = isa__thread_get();
    isa__mark_enter_first(thread);
    const struct thing *thing = __atomic_load_n(&trial->thing, __ATOMIC_ACQUIRE);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&thing->is_freed, __ATOMIC_ACQUIRE) != 0;
    isa__mark_leave_last(thread);
    if (isa__mark_must_attend(thread)) isa__mark_attend(thread);
    trial->result.violations += is_late;
}

static void note_freed(struct isa__retired *retired)
{
    __atomic_store_n(&((struct thing *)retired)->is_freed, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&freed_things, 1, __ATOMIC_RELAXED);
}

static void remove_retiring(struct trial *trial, uint64_t rounds)
{
    struct thing *things = trial->thing;
    uint64_t turn = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        await_turn(trial, i, &turn);
        things[i].retired.tag = (uint32_t)ISA_RETIRED_GETTER << ISA_RETIRED_TAG_SHIFT;
        __atomic_store_n(&trial->thing, &things[i + 1], __ATOMIC_RELEASE);
        isa__retire(&things[i].retired);
    }
}

static isa_test_litmus try_marks(uint64_t rounds, bool fences,
                                 void (*read_once)(struct trial *trial))
{
    struct thing *things = calloc(rounds + 1, sizeof *things);
    if (things == NULL) abort();
    void (*usual)(struct isa__retired *) = isa__retired_free[ISA_RETIRED_GETTER];
    isa__retired_free[ISA_RETIRED_GETTER] = note_freed;
    __atomic_store_n(&freed_things, 0, __ATOMIC_RELAXED);
    struct trial trial = {.read_once = read_once, .thing = things};
    run(&trial, fences, rounds, remove_retiring);
    trial.result.freed = __atomic_load_n(&freed_things, __ATOMIC_RELAXED);
    isa__retired_free[ISA_RETIRED_GETTER] = usual;
    if (trial.result.freed == rounds) free(things); // else something still leads to them
    return trial.result;
}

isa_test_litmus isa_test_litmus_marks(uint64_t rounds, bool fences)
{
    return try_marks(rounds, fences, mark_once);
}

isa_test_litmus isa_test_litmus_first_marks(uint64_t rounds)
{
    return try_marks(rounds, false, mark_first_once);
}

// ---- a check held open --------------------------------------------------------------------------

void isa_test_check_begin(void)
{
    static const uint64_t what = 0;
    isa__check_begin(isa__calling_slot(isa__thread_get(), 0), &what);
}

void isa_test_check_end(void)
{
    isa__check_end(isa__calling_slot(isa__thread_get(), 0), NULL);
}
