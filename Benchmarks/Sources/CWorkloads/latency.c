// Rows of single sets: how long one takes at the median, at the 99th and at the 99.9th percentile,
// while another thread registers and removes observers as fast as it can.
//
// Each set is timed by itself, by the processor's own clock, and counted in a histogram. Every
// figure has the cost of reading the clock in it, which is a row too. The rows of plain sets show
// how the machine treats any two threads, such as by taking a processor away for a while: there
// each of the two calls a plain setter on memory of its own.
#include "companion.h"
#include "stage.h"

#include "isa_testing.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 100000, MOST_SAMPLES = 7 };

// ---- the clock ----------------------------------------------------------------------------------

// Ticks of a clock that is read without a system call; what stands before it is done by then, and
// what stands behind it has not begun.
static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lfence" ::: "memory");
    uint64_t now = __builtin_ia32_rdtsc();
    __asm__ volatile("lfence" ::: "memory");
    return now;
#elif defined(__aarch64__)
    uint64_t now;
    __asm__ volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(now) : : "memory");
    return now;
#else
    return paired_now();
#endif
}

static double find_ns_per_tick(void)
{
    uint64_t start_ns = paired_now(), start = ticks(), now_ns;
    do now_ns = paired_now();
    while (now_ns < start_ns + 2000000);
    return (double)(now_ns - start_ns) / (double)(ticks() - start);
}

// ---- the histogram ------------------------------------------------------------------------------

// Up to 64 ticks a place each, above that 32 places for each doubling: to 3 %.
enum { PLACE_BITS = 5, PLACE_COUNT = (64 - PLACE_BITS + 1) << PLACE_BITS };

struct histogram {
    uint32_t counts[PLACE_COUNT];
};

static inline unsigned shift_of(uint64_t value)
{
    unsigned width = 64 - (unsigned)__builtin_clzll(value | 1);
    return width > PLACE_BITS + 1 ? width - (PLACE_BITS + 1) : 0;
}

static inline void count_in(struct histogram *histogram, uint64_t value)
{
    unsigned shift = shift_of(value);
    histogram->counts[((uint64_t)shift << PLACE_BITS) + (value >> shift)]++;
}

// The middle of a place.
static double value_at(size_t place)
{
    size_t shift = place >> PLACE_BITS;
    if (shift <= 1) return (double)place;
    shift--;
    uint64_t low = (uint64_t)(place - (shift << PLACE_BITS)) << shift;
    return (double)low + (double)((UINT64_C(1) << shift) - 1) / 2;
}

// The least value that so many of the counted ones do not exceed.
static double percentile(const struct histogram *histogram, double part)
{
    double wanted = part * BATCH, seen = 0;
    for (size_t place = 0; place < PLACE_COUNT; place++) {
        seen += histogram->counts[place];
        if (seen >= wanted) return value_at(place);
    }
    return (double)UINT64_MAX;
}

// ---- what is timed ------------------------------------------------------------------------------

struct latency_row;

struct latency_spec {
    double part; // 0.99 for the 99th percentile
    void (*time_batch)(struct latency_row *row);
    void (*step)(void *context); // of the second thread; NULL: there is none
};

struct latency_row {
    struct stage stage;
    const struct latency_spec *spec;
    double ns_per_tick;
    int64_t registrations; // of the whole library, before the second thread came
    struct histogram histogram;
    struct person plain;
    // From here on the second thread's, in lines of its own.
    alignas(LINE) struct person others_plain;
    isa_id shared;
    isa_id other; // a person that nobody sets
    struct heard heard;
    uint64_t set, failures;
    struct companion companion;
};

static void time_sets(struct latency_row *row)
{
    struct stage *stage = &row->stage;
    for (uint64_t end = stage->set + BATCH; stage->set < end; stage->set++) {
        uint64_t start = ticks();
        send_age(stage->person, stage->sel.set_age, (int64_t)stage->set);
        count_in(&row->histogram, ticks() - start);
    }
}

static set_integer volatile plain_setter = model_set_age;

static void time_plain_sets(struct latency_row *row)
{
    struct stage *stage = &row->stage;
    for (uint64_t end = stage->set + BATCH; stage->set < end; stage->set++) {
        uint64_t start = ticks();
        plain_setter((isa_id)&row->plain, stage->sel.set_age, (int64_t)stage->set);
        count_in(&row->histogram, ticks() - start);
    }
}

static void time_nothing(struct latency_row *row)
{
    for (int i = 0; i < BATCH; i++) {
        uint64_t start = ticks();
        count_in(&row->histogram, ticks() - start);
    }
}

// ---- the second thread --------------------------------------------------------------------------

static void come_and_go(struct latency_row *row, isa_id person)
{
    kvo_token token = NULL;
    row->failures += observe_into(&row->heard, person, "age", BOTH, &token) != ISA_OK;
    kvo_token_release(token);
}

// An observer of the person that is set comes and goes, and one of another.
static void register_and_remove(void *context)
{
    struct latency_row *row = context;
    come_and_go(row, row->shared);
    come_and_go(row, row->other);
}

static void set_plainly(void *context)
{
    struct latency_row *row = context;
    plain_setter((isa_id)&row->others_plain, NULL, (int64_t)row->set++);
}

// ---- the rows' life -----------------------------------------------------------------------------

static bool open_row(struct latency_row *row)
{
    if (!stage_open(&row->stage)) return false;
    row->shared = row->stage.person;
    row->other = model_allocate(row->stage.cls);
    row->ns_per_tick = find_ns_per_tick();
    return row->other != NULL && stage_observe(&row->stage, row->shared, "age", BOTH, 1);
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    if (!companion_is_possible()) return PAIRED_MISSING;
    struct latency_row *row = aligned_alloc(LINE, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    memset(row, 0, sizeof *row);
    row->spec = self->data;
    if (!open_row(row)) return PAIRED_FAILED;
    row->registrations = isa_testing_live_counts().registrations;
    if (row->spec->step == NULL) return PAIRED_READY;
    bool is_running = companion_start(&row->companion, row->spec->step, row, 0);
    return is_running ? PAIRED_READY : PAIRED_FAILED;
}

static double time_one_batch(void *context)
{
    struct latency_row *row = context;
    memset(&row->histogram, 0, sizeof row->histogram);
    row->spec->time_batch(row);
    return percentile(&row->histogram, row->spec->part) * row->ns_per_tick;
}

static bool check_sets(struct latency_row *row, uint64_t count)
{
    return stage_has_heard(&row->stage, count) && row->failures == 0 &&
           row->heard.count <= count &&
           isa_testing_live_counts().registrations == row->registrations;
}

static bool check_plain_sets(const struct latency_row *row, uint64_t count)
{
    return row->plain.age == (int64_t)count - 1 && row->others_plain.age == (int64_t)row->set - 1;
}

static bool check(void *context, uint64_t count)
{
    struct latency_row *row = context;
    companion_stop(&row->companion);
    if (row->spec->time_batch == time_sets) return check_sets(row, count * BATCH);
    if (row->spec->time_batch == time_plain_sets) return check_plain_sets(row, count * BATCH);
    return row->ns_per_tick > 0;
}

static void tear_down(void *context)
{
    struct latency_row *row = context;
    companion_stop(&row->companion);
    isa_object_release(row->other);
    stage_tear_down(&row->stage);
}

#define LATENCY(...) \
    .language = "C", .unit = "nanoseconds", .most_samples = MOST_SAMPLES, .setup = set_up, \
        .figure = time_one_batch, .check = check, .teardown = tear_down, \
        .data = &(const struct latency_spec){ __VA_ARGS__ }
#define SET(percent, part) \
    { .name = ROW_LATENCY_SET "-p" percent, .subject = "isakvo", \
      LATENCY(part, time_sets, register_and_remove) }
#define PLAIN(percent, part) \
    { .name = ROW_LATENCY_PLAIN "-p" percent, .subject = "control", \
      LATENCY(part, time_plain_sets, set_plainly) }

static const paired_workload rows[] = {
    { .name = ROW_LATENCY_CLOCK, .subject = "control", LATENCY(0.5, time_nothing, NULL) },
    PLAIN("50", 0.5), PLAIN("99", 0.99), PLAIN("99.9", 0.999),
    SET("50", 0.5),   SET("99", 0.99),   SET("99.9", 0.999),
};

struct row_list latency_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
