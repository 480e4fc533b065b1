// The paired harness: times a workload beside plain indirect calls, sample by sample.
//
// A machine changes its speed while it runs, and what else runs on it is not known. So every sample
// stands between two batches of plain indirect calls, and its figure is a ratio: nanoseconds per
// operation over nanoseconds per such call at that moment. Median and quartiles of these ratios are
// what runs, machines and subjects are compared by.
//
// Knows nothing of what is measured; a driver hands its workloads to `paired_main`.
#ifndef PAIRED_H
#define PAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum paired_outcome {
    PAIRED_READY = 0,
    PAIRED_FAILED = 1,  // a defect: the driver's exit code is 1
    PAIRED_MISSING = 2, // not to be had on this machine: left out by name, exit code 3
} paired_outcome;

typedef enum paired_group {
    PAIRED_TABLE = 0,  // a row of the table of goals; the only group of `--quick`
    PAIRED_LADDER = 1, // a step of the ladder that shows where the time goes
    PAIRED_GROWTH = 2, // a point of a growth curve
    PAIRED_PLAIN = 3,  // what another row is held against
    PAIRED_LIMIT = 4,  // a row of the table, as a program does it that does nothing else
} paired_group;

// The goal of a row that should cost nothing; as a row's field, 0 is no goal.
#define PAIRED_GOAL_ZERO (-1.0)

// One row. Zero means "none" in every field, so that a driver names only what it needs.
//
// Identity: subject and name; the same work has the same name whoever does it.
// Lives:    for the length of paired_main, texts included.
typedef struct paired_workload paired_workload;
struct paired_workload {
    const char *name;     // "set-one-observer"
    const char *subject;  // "isakvo", "gobject", "limit", …
    const char *language; // "C", "Swift", …
    paired_group group;
    const char *unit;     // of a row that is no time, such as "bytes"; NULL: nanoseconds
    const char *partner;  // the row of this driver that the goal is held against, by instructions
    const paired_workload *rival; // whose time the ratio is of; NULL: a plain call's
    double goal;          // on the ratio, or on the figure; 0: none
    bool at_least;        // the goal is a lower bound
    bool goal_is_count;   // of instructions, not a multiple of the partner's
    const char *series;   // the growth curve that the row is a point of
    const char *x_name;   // what grows: "observers"
    double x;
    const void *data;     // the driver's own

    double operations;      // in each of `count`; 0: one
    uint64_t largest_count; // of one run; 0: no bound
    uint32_t most_samples;  // of a row that takes long; 0: no bound

    // Makes the context; its contents are not timed. Says why it cannot by paired_reason.
    paired_outcome (*setup)(const paired_workload *self, void **context);
    // Before and after each run, not timed; may be NULL.
    void (*prepare)(void *context, uint64_t count);
    void (*finish)(void *context, uint64_t count);
    // The work, `count` times. Costs beyond the work count as the work.
    void (*run)(void *context, uint64_t count);
    // Instead of `run`, for a row that is no time: one sample of the figure.
    double (*figure)(void *context);
    // Whether what was heard is what was done: `count` is the sum over all runs since the setup,
    // for a figure the number of samples.
    bool (*check)(void *context, uint64_t count);
    void (*teardown)(void *context);
};

// Says in one line why a setup or a check failed, for the driver's error output.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void paired_reason(const char *format, ...);

// Swift cannot call a variadic function.
void paired_reason_text(const char *text);

// Has `workload` run before and after every sample, beside the plain calls: how slow the machine is
// at that moment at more than plain calls. Call it before paired_main, which sets it up, and holds
// its answer against what was done with that of every row; `workload` lives as long as that.
void paired_run_beside(const paired_workload *workload);

// The surroundings that a driver can put its rows into: all that a program has and does beside what
// is measured.
typedef struct paired_surroundings {
    // Before the first row; false: a reason is given.
    bool (*start)(void);
    // After the last row. Returns whether what was heard there is what was done.
    bool (*stop)(void);
} paired_surroundings;

// Has `--surroundings program` measure within `surroundings`. Call it before paired_main;
// `surroundings` lives as long as that.
void paired_surround_by(const paired_surroundings *surroundings);

// The driver's whole main function: reads the command line (`--help` lists it), measures, prints
// one JSON object per line.
//
// Shape:  quick form: workload, ns_median, ns_min, ns_max, ratio, goal, met. A row that is no time
//         has null nanoseconds and its figure as ratio. The full form adds subject, language,
//         group, unit, at_least, ratio_q1, ratio_q3, samples, unsteady (samples that had to be
//         taken while the machine was busy or changed its speed), beside (for each sample the
//         least ratio of what paired_run_beside names), checked; for growth curves
//         series, x_name, x; for rows judged by instructions partner and goal_is_count; for rows
//         with a rival its subject/name; where the driver has surroundings, "bare" or "program". A
//         row left out has only workload, subject and left_out; in the quick form it is named on
//         standard error only. A row whose check failed has null as met, and checked false in both
//         forms. So has a last row `surroundings`, which is printed if the check of those failed.
// Judged: `met` is false if the goal is missed by more than the spread: the first quartile is above
//         it (below it the third, for a lower bound). It is null without a goal, and for a row with
//         a partner, which is judged by counting instructions (`--once` under callgrind).
// Result: 0; 1: a goal is missed, or a check failed; 2: the command line is wrong; 3: all is well,
//         but a row was left out.
int paired_main(const paired_workload *workloads, size_t count, int argc, char **argv);

// Nanoseconds of the monotonic clock.
uint64_t paired_now(void);

// The call around every timed run, for `callgrind --toggle-collect=paired_measured`.
void paired_measured(const paired_workload *workload, void *context, uint64_t count);

// The bytes that the allocator has given out, its own headers and rounding included; less than 0
// where the C library does not tell, of which it gives a reason.
double paired_allocated_bytes(void);

// 0 + 1 + … + (count - 1): the sum heard of an observer when the values set are 0, 1, 2, …
static inline uint64_t paired_sum(uint64_t count)
{
    return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
}

#ifdef __cplusplus
}
#endif
#endif
