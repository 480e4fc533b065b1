// The unit of every ratio: a plain indirect call of a function that adds a number to a sum.
//
// That is the least whose doing can be checked the way all workloads are checked, by what was added
// up. The function's address is read from volatile memory before each call, so the compiler neither
// inlines the callee nor knows that it is always the same.
//
// Such a call takes as long as it takes to read a word that was just written, and hardly longer
// while another program has the other half of the processor's core; all that is measured here does
// take longer then. So each batch is timed beside one of calls that only store, which are no more
// than the loop around them and show such a program at once: a sample is good while they are as
// fast as they have been.
//
// How slow the machine is in a moment that is not good, a program of the driver's choice can show
// that is more than calls: it is timed beside each batch too.
//
// Loops and callees begin at a cache line and lie in one, whichever compiler and driver they are
// built into: a loop that straddles two lines takes a quarter longer, and every ratio would be
// less by so much.
#include "paired_internal.h"

struct control {
    uint64_t sum;
    int64_t last;
};

typedef void (*control_function)(struct control *, const void *, int64_t);

static uint64_t batch = 1000; // calls of each kind
static uint64_t done;         // of each kind, so far
static double best_probe;
static struct control control;
static struct {
    const paired_workload *workload; // NULL: nothing runs beside the samples
    void *context;
    uint64_t batch, done;
} beside;

void paired_run_beside(const paired_workload *workload)
{
    beside.workload = workload;
}

static __attribute__((noinline, aligned(64))) void add(struct control *object,
                                                      const void *selector, int64_t value)
{
    (void)selector;
    object->sum += (uint64_t)value;
}

static __attribute__((noinline, aligned(64))) void store(struct control *object,
                                                        const void *selector, int64_t value)
{
    (void)selector;
    object->last = value;
}

static control_function volatile adding = add;
static control_function volatile storing = store;

static __attribute__((noinline, aligned(64))) void make_calls(const control_function volatile *call,
                                                             uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) (*call)(&control, NULL, (int64_t)i);
}

// Nanoseconds of a batch of what runs beside the samples.
static double time_beside(void)
{
    uint64_t start = paired_now();
    beside.workload->run(beside.context, beside.batch);
    uint64_t finish = paired_now();
    beside.done += beside.batch;
    return (double)(finish - start);
}

struct paired_control paired_control_time(void)
{
    uint64_t first = done, end = first + batch;
    uint64_t start = paired_now();
    make_calls(&storing, first, end);
    uint64_t middle = paired_now();
    make_calls(&adding, first, end);
    uint64_t finish = paired_now();
    done = end;
    double probe = (double)(middle - start) / (double)batch;
    if (best_probe == 0 || probe < best_probe) best_probe = probe;
    double ns = (double)(finish - middle) / (double)batch;
    double ratio = beside.batch > 0 ? time_beside() / (double)beside.batch / ns : 0;
    return (struct paired_control){ .ns = ns, .slowness = probe / best_probe, .beside = ratio };
}

bool paired_control_check(void)
{
    uint64_t sum = done % 2 == 0 ? done / 2 * (done - 1) : (done - 1) / 2 * done;
    if (done != 0 && (control.sum != sum || control.last != (int64_t)done - 1)) return false;
    return beside.batch == 0 || beside.workload->check(beside.context, beside.done);
}

static bool calibrate_beside(double target)
{
    if (beside.workload == NULL) return true;
    if (beside.workload->setup(beside.workload, &beside.context) != PAIRED_READY) return false;
    beside.batch = 1000;
    double ns = time_beside();
    beside.batch = (uint64_t)(1000 * target / (ns > 1 ? ns : 1)) + 1;
    return true;
}

bool paired_control_calibrate(const struct paired_options *options)
{
    double ns = paired_control_time().ns;
    // The clock itself would weigh in a short batch.
    while (ns * (double)batch < options->control_ns / 4) {
        batch *= 2;
        ns = paired_control_time().ns;
    }
    batch = (uint64_t)(options->control_ns / ns) + 1;
    best_probe = 0;
    paired_control_time();
    return calibrate_beside(options->control_ns);
}
