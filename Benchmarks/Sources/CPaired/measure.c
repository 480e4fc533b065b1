// Takes the samples of one row: finds the count, warms up, times runs between two batches of plain
// calls, checks what was heard.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "paired_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST_REPEAT = 8 }; // of one sample that the machine spoilt

// Of the machine's speed: between the two batches beside a sample, and against its best.
static const double largest_drift = 1.10, largest_slowness = 1.20;

static char reason[512];

void paired_reason(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
}

void paired_reason_text(const char *text)
{
    paired_reason("%s", text);
}

const char *paired_take_reason(void)
{
    static char taken[sizeof reason];
    memcpy(taken, reason, sizeof taken);
    reason[0] = 0;
    return taken;
}

uint64_t paired_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) void paired_measured(const paired_workload *workload, void *context,
                                               uint64_t count)
{
    workload->run(context, count);
    // Not a tail call: callgrind has to see this function end after the run.
    __asm__ volatile("" ::: "memory");
}

// A row in the course of being measured.
struct session {
    const paired_workload *workload;
    struct session *rival; // whose time the ratio is of; NULL: a plain call's
    void *context;
    uint64_t count; // of one run
    uint64_t done;  // over all runs
    uint64_t patient_until;
};

// Nanoseconds of one run.
static double time_run(struct session *session, uint64_t count)
{
    const paired_workload *workload = session->workload;
    if (workload->prepare != NULL) workload->prepare(session->context, count);
    uint64_t start = paired_now();
    paired_measured(workload, session->context, count);
    uint64_t end = paired_now();
    if (workload->finish != NULL) workload->finish(session->context, count);
    session->done += count;
    return (double)(end - start);
}

// Finds the count whose run takes about `target` nanoseconds; its runs warm up what is measured.
static void calibrate(struct session *session, double target)
{
    uint64_t largest = session->workload->largest_count;
    if (largest == 0) largest = UINT64_MAX / 4;
    uint64_t count = 1;
    double ns = time_run(session, count);
    while (ns < target / 4 && count < largest) {
        count = count * 2 < largest ? count * 2 : largest;
        ns = time_run(session, count);
    }
    double wanted = (double)count * target / (ns > 1 ? ns : 1);
    if (wanted < 1) wanted = 1;
    session->count = wanted < (double)largest ? (uint64_t)wanted : largest;
    time_run(session, session->count);
}

static bool is_steady(double before, double after)
{
    return before < after * largest_drift && after < before * largest_drift;
}

// Nanoseconds of one operation, over one run.
static double time_operation(struct session *session)
{
    double operations = session->workload->operations;
    if (operations <= 0) operations = 1;
    return time_run(session, session->count) / ((double)session->count * operations);
}

// The time that the ratio is of, at this moment.
static double time_unit(struct session *session, const struct paired_control *control)
{
    return session->rival != NULL ? time_operation(session->rival) : control->ns;
}

// One sample between two batches of plain calls, taken again if the machine changed its speed
// meanwhile, and for as long as the row has patience if the machine is busy with something else.
// Returns whether the machine was steady and at its best.
static bool take_sample(struct session *session, double *ns, double *ratio, double *beside)
{
    for (int i = 0;;) {
        struct paired_control before = paired_control_time();
        double unit_before = time_unit(session, &before);
        *ns = time_operation(session);
        struct paired_control after = paired_control_time();
        *ratio = *ns / ((unit_before + time_unit(session, &after)) / 2);
        *beside = before.beside < after.beside ? before.beside : after.beside;
        bool steady = is_steady(before.ns, after.ns);
        bool busy = before.slowness > largest_slowness || after.slowness > largest_slowness;
        if (steady && !busy) return true;
        if (paired_now() < session->patient_until) continue;
        if (steady || i++ == LARGEST_REPEAT) return false;
    }
}

static void take_times(struct session *session, const struct paired_options *options,
                       struct paired_result *result, double *times)
{
    calibrate(session, options->sample_ns);
    // It runs before and after each sample. By halves it does as much as the row, and what lies in
    // the caches of either's memory has lain there for as long.
    if (session->rival != NULL) session->rival->count = session->count / 2 + 1;
    session->patient_until = paired_now() + (uint64_t)options->patience_ns;
    for (uint32_t i = 0; i < result->samples; i++)
        if (!take_sample(session, &times[i], &result->ratios[i], &result->besides[i]))
            result->unsteady++;
}

static void take_figures(struct session *session, struct paired_result *result)
{
    for (uint32_t i = 0; i < result->samples; i++)
        result->ratios[i] = session->workload->figure(session->context);
    session->done = result->samples;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *ordered, size_t count, double part)
{
    double place = part * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count) return ordered[count - 1];
    return ordered[below] + (place - (double)below) * (ordered[below + 1] - ordered[below]);
}

struct paired_spread paired_spread_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (struct paired_spread){ values[0], quantile(values, count, 0.25),
                                   quantile(values, count, 0.5), quantile(values, count, 0.75),
                                   values[count - 1] };
}

// Works out the spreads; `result->ratios` keeps the order in which the samples were taken.
static bool summarize(struct paired_result *result, double *times)
{
    size_t size = result->samples * sizeof(double);
    double *ordered = malloc(size);
    if (ordered == NULL) return false;
    memcpy(ordered, result->ratios, size);
    result->ratio = paired_spread_of(ordered, result->samples);
    result->ns = paired_spread_of(times, result->samples);
    free(ordered);
    return true;
}

static paired_outcome set_up(struct session *session)
{
    return session->workload->setup(session->workload, &session->context);
}

// Holds what was heard against what was done, and ends the row.
static bool finish(struct session *session)
{
    bool is_right = session->workload->check(session->context, session->done);
    session->workload->teardown(session->context);
    return is_right;
}

static paired_outcome measure_into(struct session *session, const struct paired_options *options,
                                   struct paired_result *result, double *times)
{
    struct session *rival = session->rival;
    paired_outcome outcome = rival != NULL ? set_up(rival) : PAIRED_READY;
    if (outcome == PAIRED_READY) outcome = set_up(session);
    if (outcome != PAIRED_READY) return outcome;
    if (session->workload->figure != NULL) take_figures(session, result);
    else take_times(session, options, result, times);
    bool is_right = finish(session);
    if (rival != NULL) is_right = finish(rival) && is_right;
    result->checked = is_right && paired_control_check();
    return summarize(result, times) ? PAIRED_READY : PAIRED_FAILED;
}

paired_outcome paired_measure(const paired_workload *workload, const struct paired_options *options,
                              struct paired_result *result)
{
    struct session rival = { .workload = workload->rival };
    struct session session = { .workload = workload,
                               .rival = rival.workload != NULL ? &rival : NULL };
    *result = (struct paired_result){ .samples = options->samples };
    if (workload->most_samples != 0 && workload->most_samples < result->samples)
        result->samples = workload->most_samples;
    result->ratios = calloc(result->samples, sizeof(double));
    result->besides = calloc(result->samples, sizeof(double));
    double *times = calloc(result->samples, sizeof(double));
    paired_outcome outcome = PAIRED_FAILED;
    if (result->ratios != NULL && result->besides != NULL && times != NULL)
        outcome = measure_into(&session, options, result, times);
    free(times);
    return outcome;
}

paired_outcome paired_once(const paired_workload *workload, uint64_t count)
{
    struct session session = { .workload = workload };
    paired_outcome outcome = set_up(&session);
    if (outcome != PAIRED_READY) return outcome;
    if (workload->figure != NULL) {
        for (; session.done < count; session.done++) workload->figure(session.context);
    } else {
        time_run(&session, count);
    }
    return finish(&session) ? PAIRED_READY : PAIRED_FAILED;
}
