// Runs scripts: all threads start together, and each operation holds the lock of its place where
// the script has locks.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define LARGEST_DRIFT 1.1 // between the plain calls before and after
#define LARGEST_SHARE 0.1 // that other programs may have of the processors

enum { LINE = 128 }; // bytes: no two locks lie in one cache line, nor in a pair of lines

union lock {
    pthread_mutex_t mutex;
    char line[LINE];
};

struct run {
    const struct application *application;
    const struct script *script;
    void *context;
    union lock *locks;
    atomic_uint ready;
};

// One thread's part.
struct part {
    struct run *run;
    unsigned thread;
    uint32_t *times; // of each operation, in nanoseconds; NULL: they are not timed
    uint64_t start;
    uint64_t end;
    pthread_t id;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// ---- one thread ---------------------------------------------------------------------------------

static inline void perform(struct run *run, unsigned thread, const struct operation *operation)
{
    const struct application *application = run->application;
    if (run->locks == NULL) {
        application->perform(run->context, thread, operation);
        return;
    }
    pthread_mutex_t *lock = &run->locks[operation->place % run->script->locks].mutex;
    pthread_mutex_lock(lock);
    application->perform(run->context, thread, operation);
    pthread_mutex_unlock(lock);
}

static void perform_all(struct part *part)
{
    const struct script *script = part->run->script;
    const struct operation *operations = script->operations[part->thread];
    for (size_t i = script->untimed; i < script->count; i++)
        perform(part->run, part->thread, &operations[i]);
}

static void time_each(struct part *part)
{
    const struct script *script = part->run->script;
    const struct operation *operations = script->operations[part->thread];
    uint64_t before = now();
    for (size_t i = script->untimed; i < script->count; i++) {
        perform(part->run, part->thread, &operations[i]);
        uint64_t after = now();
        uint64_t time = after - before;
        part->times[i - script->untimed] = time < UINT32_MAX ? (uint32_t)time : UINT32_MAX;
        before = after;
    }
}

static void *run_part(void *context)
{
    struct part *part = context;
    const struct application *application = part->run->application;
    void *entered = application->enter != NULL ? application->enter() : NULL;
    atomic_fetch_add(&part->run->ready, 1);
    while (atomic_load(&part->run->ready) < part->run->script->threads) sched_yield();
    part->start = now();
    if (part->times != NULL) time_each(part);
    else perform_all(part);
    part->end = now();
    if (application->leave != NULL) application->leave(entered);
    return NULL;
}

// ---- all threads --------------------------------------------------------------------------------

// A script of one thread runs on this one, which the objects were made on.
static void run_parts(struct part *parts, unsigned count)
{
    if (count == 1) {
        run_part(parts);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&parts[i].id, NULL, run_part, &parts[i]) != 0) abort();
    for (unsigned i = 0; i < count; i++) pthread_join(parts[i].id, NULL);
}

// Nanoseconds from the first thread's start to the last one's end.
static double span(const struct part *parts, unsigned count)
{
    uint64_t start = parts[0].start, end = parts[0].end;
    for (unsigned i = 1; i < count; i++) {
        if (parts[i].start < start) start = parts[i].start;
        if (parts[i].end > end) end = parts[i].end;
    }
    return (double)(end - start);
}

static union lock *make_locks(unsigned count)
{
    if (count == 0) return NULL;
    union lock *locks = aligned_alloc(LINE, count * sizeof *locks);
    if (locks == NULL) abort();
    for (unsigned i = 0; i < count; i++) pthread_mutex_init(&locks[i].mutex, NULL);
    return locks;
}

// Nanoseconds of the timed operations; `times`, unless NULL, has room for one of each.
static double run_once(const struct application *application, const struct script *script,
                       uint32_t *times, struct answer *answer)
{
    struct run run = { .application = application, .script = script,
                       .context = application->make(), .locks = make_locks(script->locks) };
    size_t each = script->count - script->untimed;
    struct part parts[MOST_THREADS];
    for (size_t i = 0; i < script->untimed; i++) perform(&run, 0, &script->operations[0][i]);
    for (unsigned i = 0; i < script->threads; i++)
        parts[i] = (struct part){ .run = &run, .thread = i,
                                  .times = times != NULL ? times + i * each : NULL };
    run_parts(parts, script->threads);
    application->answer(run.context, answer);
    application->end(run.context);
    free(run.locks);
    return span(parts, script->threads);
}

// ---- figures ------------------------------------------------------------------------------------

static int compare_times(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

// The middle one of many readings that follow one another.
static double time_of_clock(void)
{
    enum { READINGS = 1001 };
    uint32_t times[READINGS];
    for (size_t i = 0; i < READINGS; i++) {
        uint64_t before = now();
        times[i] = (uint32_t)(now() - before);
    }
    qsort(times, READINGS, sizeof *times, compare_times);
    return times[READINGS / 2];
}

// The time that `percent` of the ordered times do not exceed, without that of reading the clock.
static double percentile(const uint32_t *times, size_t count, size_t percent, double clock)
{
    double time = times[(count - 1) * percent / 100];
    return time > clock ? time - clock : 0;
}

// ---- the machine --------------------------------------------------------------------------------

static uint64_t sum;

static void add_to_sum(uint64_t number)
{
    sum += number;
}

static void (*volatile plain_call)(uint64_t) = add_to_sum;

// The nanoseconds of a plain indirect call, the least of some batches.
static double time_of_call(void)
{
    enum { BATCHES = 20, CALLS = 200000 };
    double least = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        uint64_t start = now();
        for (uint64_t i = 0; i < CALLS; i++) plain_call(i);
        double time = (double)(now() - start) / CALLS;
        if (batch == 0 || time < least) least = time;
    }
    return least;
}

// What the processors have done so far, in seconds: for anybody, a rented machine's other tenants
// included, and for this process. 0 where the system does not tell.
struct work {
    double all;
    double own;
    double wall;
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static struct work work_so_far(void)
{
    unsigned long long user = 0, nice = 0, system = 0, idle, wait, irq = 0, soft = 0, steal = 0;
    struct work work = { .wall = (double)now() / 1e9 };
    struct rusage usage;
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) return work;
    int count = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
                       &idle, &wait, &irq, &soft, &steal);
    fclose(file);
    if (count != 8 || getrusage(RUSAGE_SELF, &usage) != 0) return work;
    double ticks = (double)sysconf(_SC_CLK_TCK);
    work.all = (double)(user + nice + system + irq + soft + steal) / ticks;
    work.own = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return work;
}

// The share of all processors that others had since then.
static double share_of_others(const struct work *start)
{
    struct work end = work_so_far();
    double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = (end.all - start->all) - (end.own - start->own);
    double whole = (end.wall - start->wall) * processors;
    return others > 0 && whole > 0 ? others / whole : 0;
}

bool application_measure(const struct application *application, const struct script *script,
                         struct measured *out)
{
    size_t count = script->threads * (script->count - script->untimed);
    uint32_t *times = calloc(count, sizeof *times);
    if (times == NULL) return false;
    *out = (struct measured){ .operations = count };
    struct work start = work_so_far();
    double before = time_of_call();
    double span = run_once(application, script, NULL, &out->answers[0]);
    run_once(application, script, times, &out->answers[1]);
    double after = time_of_call();
    out->call_ns = (before + after) / 2;
    out->others = share_of_others(&start);
    out->is_steady = before < after * LARGEST_DRIFT && after < before * LARGEST_DRIFT &&
                     out->others < LARGEST_SHARE;
    qsort(times, count, sizeof *times, compare_times);
    double clock = time_of_clock();
    out->per_second = (double)count / span * 1e9;
    out->p50 = percentile(times, count, 50, clock);
    out->p99 = percentile(times, count, 99, clock);
    free(times);
    return true;
}
