// Declarations that the harness's own files share: options, a row's result, printing.
#ifndef PAIRED_INTERNAL_H
#define PAIRED_INTERNAL_H

#include "paired.h"

struct paired_options {
    bool full;
    uint32_t samples;
    double sample_ns;  // how long one sample is to take
    double control_ns; // and each batch of plain calls beside it
    double patience_ns; // for how long a row waits for a machine that has time for it
};

struct paired_spread {
    double min, q1, median, q3, max;
};

struct paired_result {
    struct paired_spread ns;
    struct paired_spread ratio;
    double *ratios; // `samples` of them, in the order taken
    double *besides; // for each the ratio of what runs beside it; 0: nothing does
    uint32_t samples;
    uint32_t unsteady;
    bool checked;
};

// Orders `values` and reads median and quartiles, between two values where none is in the middle.
struct paired_spread paired_spread_of(double *values, size_t count);

// Finds how many plain calls take `options->control_ns`; once, before the first row. Sets up what
// runs beside the samples; returns false, and has given a reason, if that fails.
bool paired_control_calibrate(const struct paired_options *options);

// How fast the machine is at this moment.
struct paired_control {
    double ns;       // of a plain indirect call
    double slowness; // beside its best so far: 1 or more
    double beside;   // of what runs beside the samples, the ratio to a plain call; 0: nothing does
};
struct paired_control paired_control_time(void);

// Whether the plain calls arrived, all of them, and what runs beside them heard what it was told.
bool paired_control_check(void);

// Puts what is measured into what paired_surround_by named, and ends that. Returns false, and has
// given a reason, if it cannot be started, or if what was heard there is not what was done.
bool paired_surroundings_are_there(void);
bool paired_surroundings_start(void);
bool paired_surroundings_stop(void);

// Measures one row. Owner: the caller frees `result->ratios` and `result->besides`, whatever the
// outcome.
paired_outcome paired_measure(const paired_workload *workload, const struct paired_options *options,
                              struct paired_result *result);

// Runs a row once, `count` times its work, and checks it.
paired_outcome paired_once(const paired_workload *workload, uint64_t count);

// The reason given last; empty if none. Forgets it.
const char *paired_take_reason(void);

// NULL: the row has no goal, or is judged by instructions.
const bool *paired_is_met(const paired_workload *workload, const struct paired_result *result);

// The surroundings that the rows printed from now on name; NULL: none.
void paired_print_surroundings(const char *surroundings);

void paired_print_result(const paired_workload *workload, const struct paired_result *result,
                         bool full);
// A row that could not be measured: like one whose check failed, without figures.
void paired_print_failure(const paired_workload *workload, bool full);
void paired_print_left_out(const paired_workload *workload, const char *reason);
void paired_print_description(const paired_workload *workload);

#endif
