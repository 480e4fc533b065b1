// Litmus tests of base/reclaim.h.
//
// Invariant: a reader polls what would be a violation for as long as its check or section lasts, so
//            that a remover that overtakes it is seen.
#if !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // usleep, which strict C17 hides
#endif
#include "litmus.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../Sources/CIsa/base/reclaim.h"
#include "isa_foreign.h"

enum { POLLS = 16, TURN_SPINS = 512 };

struct thing {
    struct isa__retired retired;
    uint64_t is_freed; // atomic builtins
};

struct trial {
    void (*read_once)(struct trial *trial);
    uint64_t linked;      // checks: the number of the thing that stands
    uint64_t returned;    // checks: the latest thing whose removal has returned
    struct thing *thing;  // reader sections: the thing that stands
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

bool isa_test_fences_begin(bool on)
{
    bool needed = (isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES) != 0;
    isa__slow_path_set(ISA_SLOW_PATH_FENCES, needed || on);
    return needed;
}

void isa_test_fences_end(bool needed)
{
    isa__slow_path_set(ISA_SLOW_PATH_FENCES, needed);
}

// Runs `remove_all` beside a reader.
static void run(struct trial *trial, bool fences, uint64_t rounds,
                void (*remove_all)(struct trial *trial, uint64_t rounds))
{
    bool needed = isa_test_fences_begin(fences);
    isa__thread_get();
    pthread_t reader;
    if (pthread_create(&reader, NULL, run_reader, trial) != 0) abort();
    while (__atomic_load_n(&trial->result.reads, __ATOMIC_ACQUIRE) == 0) sched_yield();
    remove_all(trial, rounds);
    __atomic_store_n(&trial->must_stop, 1, __ATOMIC_RELAXED);
    pthread_join(reader, NULL);
    isa_test_fences_end(needed);
}

// ---- forks --------------------------------------------------------------------------------------

static void guard_once(struct trial *trial)
{
    isa_fork_guard_begin();
    __atomic_store_n(&trial->linked, 1, __ATOMIC_RELEASE);
    // Longer than stores wait that a mutant has wait, or none would see the two apart.
    for (volatile int turns = 0; turns < 64 * POLLS; turns++) {}
    __atomic_store_n(&trial->linked, 0, __ATOMIC_RELEASE);
    isa_fork_guard_end();
}

// Nobody is in a guard from before the copy to behind it.
static void fork_all(struct trial *trial, uint64_t rounds)
{
    uint64_t turn = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        bool is_inside = false;
        // At another moment of the other thread's each time.
        for (volatile uint64_t turns = round * 7 % 1024; turns > 0; turns--) {}
        isa__fork_prepare();
        for (int i = 0; i < 256 * POLLS; i++) // until stores of before are seen
            is_inside |= __atomic_load_n(&trial->linked, __ATOMIC_ACQUIRE) != 0;
        isa__fork_parent();
        trial->returned += is_inside;
        await_turn(trial, round, &turn);
    }
}

isa_test_litmus isa_test_litmus_forks(uint64_t rounds, bool fences)
{
    struct trial trial = {.read_once = guard_once};
    run(&trial, fences, rounds, fork_all);
    trial.result.violations = trial.returned;
    return trial.result;
}

// ---- checks -------------------------------------------------------------------------------------

static void check_once(struct trial *trial)
{
    static const uint64_t what = 0;
    const void **slot = isa__hazard_slot(isa__thread_get(), 0);
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
        isa__wait_for_checks(0);
        __atomic_store_n(&trial->returned, i, __ATOMIC_RELEASE);
    }
}

isa_test_litmus isa_test_litmus_checks(uint64_t rounds, bool fences)
{
    struct trial trial = {.read_once = check_once, .linked = 1};
    run(&trial, fences, rounds, remove_waiting);
    return trial.result;
}

// ---- callouts -----------------------------------------------------------------------------------

static struct isa__callout callout;

static void odd(void)
{
}

static void even(void)
{
}

// The function of a number; every third is none.
static void (*function_of(uint64_t number))(void)
{
    if (number % 3 == 0) return NULL;
    return number % 2 == 0 ? even : odd;
}

// The context is the function's number.
static void set_function(uint64_t number)
{
    isa__callout_set(&callout, function_of(number), (void *)(uintptr_t)number);
}

static void call_once(struct trial *trial)
{
    struct isa__callout_call call;
    bool is_late = false;
    if (!isa__callout_enter(&callout, &call)) return;
    uintptr_t number = (uintptr_t)call.context;
    bool is_torn = call.function == NULL || call.function != function_of(number);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&trial->returned, __ATOMIC_ACQUIRE) >= number;
    isa__callout_leave(&call);
    trial->result.violations += is_late || is_torn;
}

static void replace_waiting(struct trial *trial, uint64_t rounds)
{
    uint64_t turn = 0;
    for (uint64_t i = 1; i <= rounds; i++) {
        await_turn(trial, i, &turn);
        set_function(i + 1);
        __atomic_store_n(&trial->returned, i, __ATOMIC_RELEASE);
    }
}

isa_test_litmus isa_test_litmus_callouts(uint64_t rounds, bool fences)
{
    struct trial trial = {.read_once = call_once};
    set_function(1);
    run(&trial, fences, rounds, replace_waiting);
    isa__callout_set(&callout, NULL, NULL);
    return trial.result;
}

// ---- reader sections ----------------------------------------------------------------------------

static void enter_once(struct trial *trial)
{
    bool is_late = false;
    struct isa__thread *thread = isa__reader_enter();
    const struct thing *thing = __atomic_load_n(&trial->thing, __ATOMIC_ACQUIRE);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&thing->is_freed, __ATOMIC_ACQUIRE) != 0;
    isa__reader_leave(thread);
    trial->result.violations += is_late;
}

// The same in a section that is the thread's first and only one.
static void enter_first_once(struct trial *trial)
{
    bool is_late = false;
    struct isa__thread *thread = isa__thread_get();
    isa__reader_enter_first(thread);
    const struct thing *thing = __atomic_load_n(&trial->thing, __ATOMIC_ACQUIRE);
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&thing->is_freed, __ATOMIC_ACQUIRE) != 0;
    isa__reader_leave_last(thread);
    if (isa__reader_must_attend(thread)) isa__reader_attend(thread);
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
        things[i].retired.tag = (uint32_t)ISA_RETIRED_FACT << ISA_RETIRED_TAG_SHIFT;
        __atomic_store_n(&trial->thing, &things[i + 1], __ATOMIC_RELEASE);
        isa__retire(&things[i].retired);
    }
}

static isa_test_litmus try_readers(uint64_t rounds, bool fences,
                                   void (*read_once)(struct trial *trial))
{
    struct thing *things = calloc(rounds + 1, sizeof *things);
    if (things == NULL) abort();
    void (*usual)(struct isa__retired *) = isa__retired_free[ISA_RETIRED_FACT];
    isa__retired_free[ISA_RETIRED_FACT] = note_freed;
    __atomic_store_n(&freed_things, 0, __ATOMIC_RELAXED);
    struct trial trial = {.read_once = read_once, .thing = things};
    run(&trial, fences, rounds, remove_retiring);
    trial.result.freed = __atomic_load_n(&freed_things, __ATOMIC_RELAXED);
    isa__retired_free[ISA_RETIRED_FACT] = usual;
    if (trial.result.freed == rounds) free(things); // else something still leads to them
    return trial.result;
}

isa_test_litmus isa_test_litmus_readers(uint64_t rounds, bool fences)
{
    return try_readers(rounds, fences, enter_once);
}

isa_test_litmus isa_test_litmus_first_readers(uint64_t rounds)
{
    return try_readers(rounds, false, enter_first_once);
}

// ---- the readers' census ------------------------------------------------------------------------

// The things that a record's word leads to: two at a time, number `word` and the next.
struct item {
    struct isa__retired retired;
    uint64_t has_ended, has_returned, is_freed; // atomic builtins
};

struct record {
    uint16_t state;
    uint64_t word;      // atomic builtins, as what follows
    struct item *items; // more than are removed
    uint64_t violations;
};

static uint64_t enter(struct isa__thread *thread, struct record *record)
{
    if (!isa__census_lets_in(thread, &record->state))
        isa__census_join(thread, &record->state, record);
    return __atomic_load_n(&record->word, __ATOMIC_ACQUIRE);
}

static void note_violation(struct record *record, bool is_one)
{
    if (is_one) __atomic_fetch_add(&record->violations, 1, __ATOMIC_RELAXED);
}

// Looks whether an item that stands is freed, or its removal returns, while it is checked and used.
static void use(struct isa__thread *thread, struct record *record, uint64_t number)
{
    struct item *item = &record->items[number];
    const void **slot = isa__hazard_slot(thread, 0);
    bool is_late = false;
    isa__check_begin(slot, item);
    bool has_ended = __atomic_load_n(&item->has_ended, __ATOMIC_ACQUIRE) != 0;
    for (int i = 0; i < POLLS; i++)
        is_late |= __atomic_load_n(&item->has_returned, __ATOMIC_ACQUIRE) != 0;
    isa__check_end(slot, NULL);
    note_violation(record, is_late && !has_ended);
    for (int i = 0; i < POLLS; i++)
        note_violation(record, __atomic_load_n(&item->is_freed, __ATOMIC_ACQUIRE) != 0);
}

static void add_first(struct record *record)
{
    struct isa__lock *lock = isa__lock_for(record);
    isa__lock(lock);
    isa__census_adding_locked(isa__thread_get(), &record->state);
    isa__unlock(lock);
}

static void remove_first(struct record *record)
{
    struct isa__thread *thread = isa__thread_get();
    struct isa__lock *lock = isa__lock_for(record);
    isa__lock(lock);
    struct item *item = &record->items[record->word];
    __atomic_store_n(&item->has_ended, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&record->word, record->word + 1, __ATOMIC_RELEASE);
    uint16_t found = isa__census_removing_locked(thread, &record->state);
    isa__unlock(lock);
    bool alone = isa__census_await(thread, &record->state, record, found);
    __atomic_store_n(&item->has_returned, 1, __ATOMIC_RELEASE);
    item->retired.tag = (uint32_t)ISA_RETIRED_FACT << ISA_RETIRED_TAG_SHIFT;
    isa__let_go(&item->retired, alone);
}

static void free_item(struct isa__retired *retired)
{
    __atomic_store_n(&((struct item *)retired)->is_freed, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&freed_things, 1, __ATOMIC_RELAXED);
}

// One thread beside the one that calls. They take steps in turn, or both go on at once.
struct pair {
    struct record *record;
    void (*beside)(struct pair *pair);
    pthread_t other;    // that runs it
    uint64_t rounds;
    uint64_t step;      // atomic builtins, as the next
    uint64_t must_stop;
};

static void set_step(struct pair *pair, uint64_t step)
{
    __atomic_store_n(&pair->step, step, __ATOMIC_RELEASE);
}

static void await_step(struct pair *pair, uint64_t step)
{
    for (unsigned spins = 0; __atomic_load_n(&pair->step, __ATOMIC_ACQUIRE) < step; spins++)
        if (spins >= TURN_SPINS) sched_yield();
}

static bool must_stop(struct pair *pair)
{
    return __atomic_load_n(&pair->must_stop, __ATOMIC_ACQUIRE) != 0;
}

static void *run_beside(void *context)
{
    struct pair *pair = context;
    pair->beside(pair);
    return NULL;
}

enum { REMOVALS = 128 }; // at most, of a round

// How a trial goes: what either thread does, and in which state the record is at first.
struct trial_of_two {
    void (*here)(struct pair *pair);
    void (*beside)(struct pair *pair);
    uint16_t state;
    uint64_t removals; // of a round; 0: four at most
};

static isa_test_litmus try_two(const struct trial_of_two *trial, uint64_t rounds, bool fences)
{
    uint64_t removals = trial->removals != 0 ? trial->removals : 4;
    struct item *items = calloc(removals * rounds + 2, sizeof *items);
    if (items == NULL) abort();
    struct record records[2] = {{.state = trial->state, .items = items}}; // and one elsewhere
    struct record *record = records;
    struct pair pair = {.record = record, .beside = trial->beside, .rounds = rounds};
    bool needed = isa_test_fences_begin(fences);
    void (*usual)(struct isa__retired *) = isa__retired_free[ISA_RETIRED_FACT];
    isa__retired_free[ISA_RETIRED_FACT] = free_item;
    __atomic_store_n(&freed_things, 0, __ATOMIC_RELAXED);
    isa__thread_get();
    if (pthread_create(&pair.other, NULL, run_beside, &pair) != 0) abort();
    trial->here(&pair);
    __atomic_store_n(&pair.must_stop, 1, __ATOMIC_RELEASE);
    pthread_join(pair.other, NULL);
    isa__reclaim();
    isa__retired_free[ISA_RETIRED_FACT] = usual;
    isa_test_fences_end(needed);
    isa_test_litmus result = {.reads = __atomic_load_n(&pair.step, __ATOMIC_RELAXED),
                              .violations = record->violations,
                              .freed = __atomic_load_n(&freed_things, __ATOMIC_RELAXED)};
    result.left = record->word - result.freed;
    if (result.left == 0) free(items); // else something still leads to them
    return result;
}

// Reads as fast as it can, for a while that differs.
static void read_all_along(struct pair *pair)
{
    for (uint64_t round = 0; !must_stop(pair); round++) {
        struct isa__thread *thread = isa__reader_enter();
        uint64_t word = enter(thread, pair->record);
        for (uint64_t i = 0; i <= round % 8; i++) {
            use(thread, pair->record, word);
            use(thread, pair->record, word + 1);
        }
        isa__reader_leave(thread);
        set_step(pair, round + 1);
    }
}

static void remove_all_along(struct pair *pair)
{
    add_first(pair->record);
    await_step(pair, 1);
    for (uint64_t i = 0; i < pair->rounds; i++) {
        remove_first(pair->record);
        for (uint64_t delay = i % 64; delay > 0; delay--) __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

isa_test_litmus isa_test_litmus_census(uint64_t rounds, bool is_owned, bool fences)
{
    const struct trial_of_two trial = {
        .here = remove_all_along,
        .beside = read_all_along,
        .state = is_owned ? ISA_CENSUS_NEW : ISA_CENSUS_OPEN,
    };
    return try_two(&trial, rounds, fences);
}

// ---- rounds -------------------------------------------------------------------------------------

// Only while nobody is inside.
static void renew(struct record *record, uint16_t state)
{
    __atomic_store_n(&record->state, state, __ATOMIC_RELEASE);
}

static void delay(uint64_t turns)
{
    while (turns-- > 0) __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void read_once(struct pair *pair)
{
    struct isa__thread *thread = isa__reader_enter();
    uint64_t word = enter(thread, pair->record);
    use(thread, pair->record, word);
    use(thread, pair->record, word + 1);
    isa__reader_leave(thread);
}

static void read_in_each(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        await_step(pair, 2 * round + 1);
        delay(round * 7 % 128);
        read_once(pair);
        set_step(pair, 2 * round + 2);
    }
}

static void remove_new(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        renew(pair->record, ISA_CENSUS_NEW);
        set_step(pair, 2 * round + 1);
        delay(round / 256 % 128);
        add_first(pair->record);
        delay(round % 256);
        remove_first(pair->record);
        remove_first(pair->record);
        await_step(pair, 2 * round + 2);
    }
}

isa_test_litmus isa_test_litmus_new_records(uint64_t rounds, bool fences)
{
    const struct trial_of_two trial = {.here = remove_new, .beside = read_in_each};
    return try_two(&trial, rounds, fences);
}

// How often the thread reads until it owns the record.
static uint64_t read_until_owner(struct pair *pair)
{
    uint64_t reads = 0;
    do {
        read_once(pair);
        reads++;
    } while (!isa__census_is_own(isa__thread_get(), &pair->record->state));
    return reads;
}

// Becomes the owner by the last of its reads, while the other thread comes in, and removes at once.
static void remove_once_owner(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        renew(pair->record, ISA_CENSUS_COUNTED);
        remove_first(pair->record);
        uint64_t reads = read_until_owner(pair);
        renew(pair->record, ISA_CENSUS_COUNTED);
        remove_first(pair->record);
        while (--reads > 0) read_once(pair);
        set_step(pair, 2 * round + 1);
        delay(round % 256);
        read_once(pair);
        remove_first(pair->record);
        remove_first(pair->record);
        await_step(pair, 2 * round + 2);
    }
}

isa_test_litmus isa_test_litmus_new_owners(uint64_t rounds, bool fences)
{
    const struct trial_of_two trial = {.here = remove_once_owner, .beside = read_in_each};
    return try_two(&trial, rounds, fences);
}

static bool is_counted(const struct record *record)
{
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == ISA_CENSUS_COUNTED;
}

// Removes, so that reads are counted from here on, and reads until it is enough of them to own the
// record.
static void read_until_not_counted(struct record *record)
{
    struct isa__thread *thread = isa__thread_get();
    remove_first(record);
    while (is_counted(record)) {
        isa__reader_enter();
        enter(thread, record);
        isa__reader_leave(thread);
    }
}

// How the thread that stays inside has come in.
enum {
    AS_OWNER,         // uncounted
    WHERE_OPEN,       // the same, and has removed once itself
    BEFORE_THE_FIRST, // before anything was added, by the other thread
    COUNTED,          // and the other thread reads until it would own the record
    WAYS_IN,
};

static void read_lastingly(struct pair *pair)
{
    static const uint16_t states[WAYS_IN] = {ISA_CENSUS_NEW, ISA_CENSUS_OPEN,
                                             ISA_CENSUS_NEW, ISA_CENSUS_COUNTED};
    for (uint64_t round = 0; round < pair->rounds; round++) {
        renew(pair->record, states[round % WAYS_IN]);
        if (round % WAYS_IN == AS_OWNER) add_first(pair->record);
        struct isa__thread *thread = isa__reader_enter();
        uint64_t word = enter(thread, pair->record);
        if (round % WAYS_IN == WHERE_OPEN) remove_first(pair->record);
        set_step(pair, 2 * round + 1);
        await_step(pair, 2 * round + 2);
        use(thread, pair->record, word);
        use(thread, pair->record, word + 1);
        isa__reader_leave(thread);
    }
}

static void remove_in_section(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        await_step(pair, 2 * round + 1);
        if (round % WAYS_IN == BEFORE_THE_FIRST) add_first(pair->record);
        if (round % WAYS_IN == COUNTED) read_until_not_counted(pair->record);
        remove_first(pair->record);
        remove_first(pair->record);
        set_step(pair, 2 * round + 2);
    }
}

isa_test_litmus isa_test_litmus_lasting_reads(uint64_t rounds, bool fences)
{
    const struct trial_of_two trial = {.here = remove_in_section, .beside = read_lastingly};
    return try_two(&trial, rounds, fences);
}

// ---- a reader that is stopped -------------------------------------------------------------------

static uint64_t stops, goes; // atomic builtins: how often the reader was stopped, and let go on

static uint64_t read_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Not for ever: the reader may be stopped with a lock that the other thread wants.
static void stand(int number)
{
    (void)number;
    uint64_t end = read_clock() + 2000000;
    uint64_t stop = __atomic_add_fetch(&stops, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&goes, __ATOMIC_ACQUIRE) < stop && read_clock() < end) {}
}

static void stop_other(struct pair *pair)
{
    uint64_t before = __atomic_load_n(&goes, __ATOMIC_RELAXED);
    if (pthread_kill(pair->other, SIGUSR1) != 0) abort();
    while (__atomic_load_n(&stops, __ATOMIC_ACQUIRE) == before) sched_yield();
}

static void let_go_on(void)
{
    __atomic_fetch_add(&goes, 1, __ATOMIC_RELEASE);
}

static void read_briefly(struct pair *pair)
{
    // The thread that made this one may block all signals.
    sigset_t stopping;
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGUSR1);
    if (pthread_sigmask(SIG_UNBLOCK, &stopping, NULL) != 0) abort();
    for (uint64_t round = 0; !must_stop(pair); round++) {
        struct isa__thread *thread = isa__reader_enter();
        use(thread, pair->record, enter(thread, pair->record));
        isa__reader_leave(thread);
        set_step(pair, round + 1);
    }
}

// Stops the reader at any of its instructions. Meanwhile reads until it would own the record, most
// often where the reader has not counted itself. Lets it go on, and removes.
static void own_beside_stopped(struct pair *pair)
{
    const struct isa__thread *thread = isa__thread_get();
    struct record *record = pair->record;
    await_step(pair, 1);
    for (uint64_t round = 0; round < pair->rounds; round++) {
        uint64_t left = REMOVALS - 1;
        for (; left > REMOVALS / 2 && !is_counted(record); left--) remove_first(record);
        stop_other(pair);
        bool alone = isa__census_is_alone(thread, &record->state, ISA_CENSUS_COUNTED);
        bool must_own = is_counted(record) && (alone || round % 8 == 0);
        if (must_own) read_until_not_counted(record);
        let_go_on();
        for (; must_own && left > 0; left--) remove_first(record);
    }
}

isa_test_litmus isa_test_litmus_stopped_readers(uint64_t rounds)
{
    const struct trial_of_two trial = {own_beside_stopped, read_briefly, ISA_CENSUS_OPEN,
                                       REMOVALS};
    struct sigaction usual, action = {.sa_handler = stand, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGUSR1, &action, &usual) != 0) abort();
    isa_test_litmus result = try_two(&trial, rounds, false);
    sigaction(SIGUSR1, &usual, NULL);
    return result;
}

// ---- pending records ----------------------------------------------------------------------------

// A removal from another record, with its barrier.
static void remove_elsewhere(struct pair *pair)
{
    struct record *elsewhere = pair->record + 1;
    struct isa__thread *thread = isa__thread_get();
    renew(elsewhere, ISA_CENSUS_OPEN);
    struct isa__lock *lock = isa__lock_for(elsewhere);
    isa__lock(lock);
    uint16_t found = isa__census_removing_locked(thread, &elsewhere->state);
    isa__unlock(lock);
    isa__census_await(thread, &elsewhere->state, elsewhere, found);
}

enum { PENDING_STEPS = 4 };

static void begin_pending(struct pair *pair, uint64_t round)
{
    renew(pair->record, ISA_CENSUS_OPEN);
    set_step(pair, PENDING_STEPS * round + 1);
    await_step(pair, PENDING_STEPS * round + 2);
    // Behind an epoch that is quiet by more than the state can tell.
    if (round % 2 == 1) __atomic_fetch_add(&isa__epoch, 20000, __ATOMIC_SEQ_CST);
    add_first(pair->record);
}

static void end_pending(struct pair *pair, uint64_t round)
{
    set_step(pair, PENDING_STEPS * round + 3);
    await_step(pair, PENDING_STEPS * round + 4);
}

static void add_and_remove(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        remove_elsewhere(pair);
        begin_pending(pair, round);
        if (round % 2 == 0) remove_elsewhere(pair);
        remove_first(pair->record);
        end_pending(pair, round);
    }
}

// Is inside since before the record was pending.
static void read_beside_adding(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        await_step(pair, PENDING_STEPS * round + 1);
        struct isa__thread *thread = isa__reader_enter();
        uint64_t word = enter(thread, pair->record);
        set_step(pair, PENDING_STEPS * round + 2);
        await_step(pair, PENDING_STEPS * round + 3);
        use(thread, pair->record, word);
        use(thread, pair->record, word + 1);
        isa__reader_leave(thread);
        set_step(pair, PENDING_STEPS * round + 4);
    }
}

// Itself is inside since before that, and has another removal's barrier made.
static void add_inside(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        renew(pair->record, ISA_CENSUS_OPEN);
        struct isa__thread *thread = isa__reader_enter();
        uint64_t word = enter(thread, pair->record);
        begin_pending(pair, 2 * round);
        remove_elsewhere(pair);
        end_pending(pair, 2 * round);
        use(thread, pair->record, word);
        use(thread, pair->record, word + 1);
        isa__reader_leave(thread);
        set_step(pair, PENDING_STEPS * (2 * round + 1));
    }
}

static void remove_beside_adding(struct pair *pair)
{
    for (uint64_t round = 0; round < pair->rounds; round++) {
        await_step(pair, PENDING_STEPS * 2 * round + 1);
        set_step(pair, PENDING_STEPS * 2 * round + 2);
        await_step(pair, PENDING_STEPS * 2 * round + 3);
        remove_first(pair->record);
        set_step(pair, PENDING_STEPS * 2 * round + 4);
    }
}

isa_test_litmus isa_test_litmus_pending(uint64_t rounds, bool is_inside)
{
    const struct trial_of_two beside = {add_and_remove, read_beside_adding, ISA_CENSUS_OPEN, 0};
    const struct trial_of_two inside = {add_inside, remove_beside_adding, ISA_CENSUS_OPEN, 0};
    return try_two(is_inside ? &inside : &beside, rounds, false);
}

static void *be_known(void *context)
{
    struct pair *pair = context;
    isa__thread_get();
    set_step(pair, 1);
    await_step(pair, 2);
    return NULL;
}

uint64_t isa_test_litmus_shared_barrier(uint64_t records, uint64_t age)
{
    struct record *pending = calloc(records + 2, sizeof *pending);
    struct pair pair = {.record = &pending[records]};
    uint64_t counted = 0;
    if (pending == NULL || pthread_create(&pair.other, NULL, be_known, &pair) != 0) abort();
    await_step(&pair, 1);
    isa__thread_get();
    for (uint64_t i = 0; i < records; i++) {
        renew(&pending[i], ISA_CENSUS_OPEN);
        add_first(&pending[i]);
    }
    __atomic_fetch_add(&isa__epoch, age, __ATOMIC_SEQ_CST);
    // The first of these finds its record too old, or makes the barrier for all others.
    for (uint64_t i = 0; i < records; i++) add_first(&pending[i]);
    remove_elsewhere(&pair);
    for (uint64_t i = 0; i < records; i++) {
        add_first(&pending[i]);
        counted += pending[i].state == ISA_CENSUS_COUNTED;
    }
    set_step(&pair, 2);
    pthread_join(pair.other, NULL);
    free(pending);
    return counted;
}

// ---- two removers -------------------------------------------------------------------------------

// Leaves the thread no room to note that it counts itself.
static void enter_many(struct isa__thread *thread)
{
    static _Alignas(16) uint16_t states[ISA_ENTERED];
    for (int i = 0; i < ISA_ENTERED; i++) {
        states[i] = ISA_CENSUS_PENDING;
        isa__census_join(thread, &states[i], states);
    }
}

// A removal that is held up once it has seen that one thread is in no section: by another's check.
struct held_up {
    struct record record;
    struct isa__thread *threads[2]; // in the order in which a removal looks at them
    uint64_t rounds;
    uint64_t begun, arrived;        // threads; atomic builtins, as the next
    uint64_t step;                  // of the round: see below
};

enum held_up_step { HELD_CHECKING = 1, HELD_REMOVED, HELD_DONE, HELD_STEPS };

static void reach(struct held_up *trial, uint64_t round, enum held_up_step step)
{
    __atomic_store_n(&trial->step, round * HELD_STEPS + step, __ATOMIC_RELEASE);
}

static void await(struct held_up *trial, uint64_t round, enum held_up_step step)
{
    while (__atomic_load_n(&trial->step, __ATOMIC_ACQUIRE) < round * HELD_STEPS + step)
        sched_yield();
}

static void await_word(struct held_up *trial, uint64_t word)
{
    while (__atomic_load_n(&trial->record.word, __ATOMIC_ACQUIRE) < word) sched_yield();
    usleep(1000); // until who has changed it waits for the check
}

// Checks until both removals wait for it.
static void hold_up(struct held_up *trial)
{
    for (uint64_t round = 0; round < trial->rounds; round++) {
        if (round > 0) await(trial, round - 1, HELD_DONE);
        isa_test_check_begin();
        reach(trial, round, HELD_CHECKING);
        await_word(trial, 4 * round + 2);
        isa_test_check_end();
    }
}

// Comes in where it was seen not to be, makes the record open, removes, and is still inside during
// the next removals.
static void read_and_remove(struct held_up *trial)
{
    struct isa__thread *thread = isa__thread_get();
    for (uint64_t round = 0; round < trial->rounds; round++) {
        await_word(trial, 4 * round + 1);
        enter_many(thread);
        isa__reader_enter();
        uint64_t word = enter(thread, &trial->record);
        remove_first(&trial->record);
        reach(trial, round, HELD_REMOVED);
        await_word(trial, 4 * round + 4);
        use(thread, &trial->record, word);
        use(thread, &trial->record, word + 1);
        isa__reader_leave(thread);
        reach(trial, round, HELD_DONE);
    }
}

static void *run_in_order(void *context)
{
    struct held_up *trial = context;
    struct isa__thread *self = isa__thread_get();
    trial->threads[__atomic_fetch_add(&trial->begun, 1, __ATOMIC_RELAXED)] = self;
    __atomic_fetch_add(&trial->arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&trial->arrived, __ATOMIC_ACQUIRE) < 2) sched_yield();
    struct isa__thread *first = isa__thread_list();
    while (first != trial->threads[0] && first != trial->threads[1]) first = first->next;
    if (first == self) read_and_remove(trial);
    else hold_up(trial);
    return NULL;
}

isa_test_litmus isa_test_litmus_removers(uint64_t rounds)
{
    struct held_up trial = {.rounds = rounds};
    trial.record.items = calloc(4 * rounds + 2, sizeof *trial.record.items);
    if (trial.record.items == NULL) abort();
    void (*usual)(struct isa__retired *) = isa__retired_free[ISA_RETIRED_FACT];
    isa__retired_free[ISA_RETIRED_FACT] = free_item;
    __atomic_store_n(&freed_things, 0, __ATOMIC_RELAXED);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run_in_order, &trial) != 0) abort();
    for (uint64_t round = 0; round < rounds; round++) {
        await(&trial, round, HELD_CHECKING);
        renew(&trial.record, ISA_CENSUS_OPEN);
        remove_first(&trial.record);
        await(&trial, round, HELD_REMOVED);
        remove_first(&trial.record);
        remove_first(&trial.record);
        await(&trial, round, HELD_DONE);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    isa__reclaim();
    isa__retired_free[ISA_RETIRED_FACT] = usual;
    isa_test_litmus result = {.violations = trial.record.violations,
                              .freed = __atomic_load_n(&freed_things, __ATOMIC_RELAXED)};
    result.left = trial.record.word - result.freed;
    if (result.left == 0) free(trial.record.items); // else something still leads to them
    return result;
}

// ---- leaving ------------------------------------------------------------------------------------

static struct record *left; // that the things below were removed from

static void *look_at_left(void *out)
{
    *(bool *)out = isa__census_is_alone(isa__thread_get(), &left->state, ISA_CENSUS_COUNTED);
    return NULL;
}

// A thing that is freed looks from another thread whether anybody is inside, and goes in and out
// itself.
static void free_and_enter(struct isa__retired *thing)
{
    bool is_alone;
    pthread_t other;
    if (pthread_create(&other, NULL, look_at_left, &is_alone) != 0) abort();
    pthread_join(other, NULL);
    note_violation(left, !is_alone);
    struct isa__thread *thread = isa__reader_enter();
    enter(thread, left);
    isa__reader_leave(thread);
    free_item(thing);
}

isa_test_litmus isa_test_litmus_leaving(void)
{
    struct item items[2] = {0};
    struct record record = {.state = ISA_CENSUS_COUNTED, .items = items};
    void (*usual)(struct isa__retired *) = isa__retired_free[ISA_RETIRED_FACT];
    isa__retired_free[ISA_RETIRED_FACT] = free_and_enter;
    __atomic_store_n(&freed_things, 0, __ATOMIC_RELAXED);
    left = &record;
    struct isa__thread *thread = isa__reader_enter();
    enter(thread, &record);
    for (int i = 0; i < 2; i++) {
        items[i].retired.tag = (uint32_t)ISA_RETIRED_FACT << ISA_RETIRED_TAG_SHIFT;
        isa__let_go(&items[i].retired, i == 0);
    }
    note_violation(&record, items[0].is_freed || items[1].is_freed);
    isa__reader_leave(thread);
    isa__reclaim();
    bool is_alone = isa__census_is_alone(thread, &record.state, ISA_CENSUS_COUNTED);
    note_violation(&record, !is_alone);
    isa__retired_free[ISA_RETIRED_FACT] = usual;
    return (isa_test_litmus){.violations = record.violations,
                             .freed = __atomic_load_n(&freed_things, __ATOMIC_RELAXED)};
}

// ---- a check held open --------------------------------------------------------------------------

void isa_test_check_begin(void)
{
    static const uint64_t what = 0;
    isa__check_begin(isa__hazard_slot(isa__thread_get(), 0), &what);
}

void isa_test_check_end(void)
{
    isa__check_end(isa__hazard_slot(isa__thread_get(), 0), NULL);
}
