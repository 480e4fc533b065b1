// A thread that keeps a pace: it sleeps between two rounds, so that it leaves the processors to the
// measured thread. A round that comes late is not made up for.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "companion.h"

#include "paired.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

static unsigned processor_count(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

bool companion_is_possible(void)
{
    if (processor_count() >= 2) return true;
    paired_reason("two threads need two processors; there is one");
    return false;
}

// Linux lets a sleep take 50 µs longer unless the thread objects.
static void sleep_exactly(void)
{
#if defined(__linux__)
    prctl(PR_SET_TIMERSLACK, 1UL);
#endif
}

static void sleep_until(uint64_t moment)
{
    uint64_t now = paired_now();
    if (now >= moment) return;
    struct timespec left = { (time_t)((moment - now) / 1000000000u),
                             (long)((moment - now) % 1000000000u) };
    nanosleep(&left, NULL);
}

static void *run(void *context)
{
    struct companion *companion = context;
    sleep_exactly();
    while (!atomic_load_explicit(&companion->is_over, memory_order_relaxed)) {
        uint64_t next = companion->every_ns > 0 ? paired_now() + companion->every_ns : 0;
        companion->step(companion->context);
        atomic_fetch_add_explicit(&companion->rounds, 1, memory_order_release);
        if (next > 0) sleep_until(next);
    }
    return NULL;
}

bool companion_start(struct companion *companion, void (*step)(void *), void *context,
                     uint64_t every_ns)
{
    companion->step = step;
    companion->context = context;
    companion->every_ns = every_ns;
    companion->is_running = pthread_create(&companion->thread, NULL, run, companion) == 0;
    if (!companion->is_running) paired_reason("no second thread to be had");
    while (companion->is_running && atomic_load(&companion->rounds) == 0) sched_yield();
    return companion->is_running;
}

void companion_stop(struct companion *companion)
{
    if (!companion->is_running) return;
    atomic_store(&companion->is_over, true);
    pthread_join(companion->thread, NULL);
    companion->is_running = false;
}
