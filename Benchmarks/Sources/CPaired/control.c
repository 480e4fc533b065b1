// What stands beside every sample: plain indirect calls, of two kinds.
//
// The unit of every ratio is a call that adds its argument to a sum: the batch is checked by that,
// as each workload is, and it lasts as long as memory that was just written takes to be read again,
// like every observer that remembers something. This time hardly changes while another program has
// the other half of the processor's core, when all that is measured here takes up to twice as long.
// So the machine's speed is told by calls of the other kind, which only store: as many overlap as
// the processor can.
//
// The function's address is read from volatile memory before each call, so the compiler neither
// inlines the callee nor knows that it is always the same.
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

static void add(struct control *object, const void *selector, int64_t value)
{
    (void)selector;
    object->sum += (uint64_t)value;
}

static void store(struct control *object, const void *selector, int64_t value)
{
    (void)selector;
    object->last = value;
}

static control_function volatile adding = add;
static control_function volatile storing = store;

struct paired_control paired_control_time(void)
{
    uint64_t first = done, end = first + batch;
    uint64_t start = paired_now();
    for (uint64_t i = first; i < end; i++) storing(&control, NULL, (int64_t)i);
    uint64_t middle = paired_now();
    for (uint64_t i = first; i < end; i++) adding(&control, NULL, (int64_t)i);
    uint64_t finish = paired_now();
    done = end;
    struct paired_control time = { (double)(finish - middle) / (double)batch,
                                   (double)(middle - start) / (double)batch };
    if (best_probe == 0 || time.probe < best_probe) best_probe = time.probe;
    return time;
}

double paired_control_slowness(struct paired_control time)
{
    return time.probe / best_probe;
}

bool paired_control_check(void)
{
    return done == 0 || (control.sum == paired_sum(done) && control.last == (int64_t)done - 1);
}

void paired_control_calibrate(const struct paired_options *options)
{
    struct paired_control time = paired_control_time();
    double ns = time.unit + time.probe;
    // The clock itself would weigh in a short batch.
    while (ns * (double)batch < options->control_ns / 4) {
        batch *= 2;
        time = paired_control_time();
        ns = time.unit + time.probe;
    }
    batch = (uint64_t)(options->control_ns / ns) + 1;
    best_probe = 0;
    paired_control_time();
}
