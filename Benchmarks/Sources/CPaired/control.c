// The unit of every ratio: a plain indirect call of a setter that stores one word.
//
// The function's address is read from volatile memory before each call, so the compiler neither
// inlines the callee nor knows that it is always the same. Each call stores its own number, which
// the batch is checked by. It does not add to a sum: such a call takes as long as memory that was
// just written takes to be read again, which does not change when another program shares the
// processor's core, while all that is measured here does; ratios to it differ by two between a busy
// and a quiet machine, ratios to a store by a fifth.
#include "paired_internal.h"

struct control {
    int64_t value;
};

static uint64_t control_count = 1000;
static uint64_t control_made;
static struct control control_object;

static void control_set(struct control *object, const void *selector, int64_t value)
{
    (void)selector;
    object->value = value;
}

static void (*volatile control_call)(struct control *, const void *, int64_t) = control_set;

double paired_control_time(void)
{
    uint64_t first = control_made;
    uint64_t last = first + control_count;
    uint64_t start = paired_now();
    for (uint64_t i = first; i < last; i++) control_call(&control_object, NULL, (int64_t)i);
    uint64_t end = paired_now();
    control_made = last;
    return (double)(end - start) / (double)control_count;
}

bool paired_control_check(void)
{
    return control_made == 0 || control_object.value == (int64_t)control_made - 1;
}

void paired_control_calibrate(const struct paired_options *options)
{
    double ns = paired_control_time();
    // The clock itself would weigh in a short batch.
    while (ns * (double)control_count < options->control_ns / 4) {
        control_count *= 2;
        ns = paired_control_time();
    }
    control_count = (uint64_t)(options->control_ns / ns) + 1;
    paired_control_time();
}
