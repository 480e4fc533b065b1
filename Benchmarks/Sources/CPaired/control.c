// The unit of every ratio: a plain indirect call of a setter that stores one word.
//
// The function's address is read from volatile memory before each call, so the compiler neither
// inlines the callee nor knows that it is always the same. Each call stores its own number, by
// which the batch is checked.
//
// Loop and callee begin at a cache line and lie in one, whichever compiler and driver they are
// built into: a loop that straddles two lines takes a quarter longer, and every ratio would be
// less by so much.
//
// It does not add to a sum. Such a call waits for memory that was just written, and how long that
// takes changes by two from one second to the next on processors that sometimes forward such
// memory at no cost; nor does it grow longer, as all that is measured here does, while another
// program has the other half of the processor's core.
#include "paired_internal.h"

struct control {
    int64_t last;
};

static uint64_t batch = 1000; // calls
static uint64_t done;         // calls so far
static double best;
static struct control control;

static __attribute__((noinline, aligned(64))) void store(struct control *object,
                                                        const void *selector, int64_t value)
{
    (void)selector;
    object->last = value;
}

static void (*volatile call)(struct control *, const void *, int64_t) = store;

static __attribute__((noinline, aligned(64))) void make_calls(uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) call(&control, NULL, (int64_t)i);
}

double paired_control_time(void)
{
    uint64_t first = done, end = first + batch;
    uint64_t start = paired_now();
    make_calls(first, end);
    uint64_t finish = paired_now();
    done = end;
    double ns = (double)(finish - start) / (double)batch;
    if (best == 0 || ns < best) best = ns;
    return ns;
}

double paired_control_slowness(double ns)
{
    return ns / best;
}

bool paired_control_check(void)
{
    return done == 0 || control.last == (int64_t)done - 1;
}

void paired_control_calibrate(const struct paired_options *options)
{
    double ns = paired_control_time();
    // The clock itself would weigh in a short batch.
    while (ns * (double)batch < options->control_ns / 4) {
        batch *= 2;
        ns = paired_control_time();
    }
    batch = (uint64_t)(options->control_ns / ns) + 1;
    best = 0;
    paired_control_time();
}
