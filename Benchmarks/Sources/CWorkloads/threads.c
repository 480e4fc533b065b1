// Rows of two threads: on objects of their own, on one object, and what a removal costs while
// another thread is told of changes.
//
// Two threads on one machine share caches, power and, on rented ones, a core's other half. So what
// two threads reach is divided by what two threads of plain calls on memory of their own reach, in
// the same sample: 1 means that the engine shares nothing that the machine does not.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "stage.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREAD_COUNT = 2, LINE = 128 }; // bytes that no two threads may share: two cache lines
enum { LARGEST_REPEAT = 8 };
#define LARGEST_DRIFT 1.1
static const double phase_ns = 3e6;

struct crew;
typedef bool (*labour)(struct crew *crew, uint64_t count, uint64_t *ns); // false: not what was done

// The threads of one phase. `ready` and `go` let them start together, once each has what it needs.
struct crew {
    labour work;
    uint64_t count; // for each
    unsigned size;
    isa_class cls;
    isa_id shared;
    isa_sel set_age;
    atomic_uint ready;
    atomic_uint failures;
};

struct member {
    struct crew *crew;
    uint64_t ns;
    pthread_t thread;
};

struct threads_row {
    struct stage stage;
    labour work;
    kvo_token token;
    uint64_t work_count;    // whose phase takes about phase_ns
    uint64_t control_count; // likewise
    uint64_t failures;
};

static unsigned processor_count(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

// ---- one phase ----------------------------------------------------------------------------------

static void wait_for_crew(struct crew *crew)
{
    atomic_fetch_add(&crew->ready, 1);
    while (atomic_load(&crew->ready) < crew->size) sched_yield();
}

static void *run_member(void *context)
{
    struct member *member = context;
    if (!member->crew->work(member->crew, member->crew->count, &member->ns))
        atomic_fetch_add(&member->crew->failures, 1);
    return NULL;
}

static struct crew make_crew(const struct threads_row *row, labour work, unsigned size,
                             uint64_t count)
{
    return (struct crew){ .work = work, .count = count, .size = size, .cls = row->stage.cls,
                   .shared = row->stage.person, .set_age = row->stage.sel.set_age };
}

// Operations per nanosecond of `size` threads together.
static double rate(struct threads_row *row, labour work, unsigned size, uint64_t count)
{
    struct crew crew = make_crew(row, work, size, count);
    struct member members[THREAD_COUNT];
    double sum = 0;
    for (unsigned i = 0; i < size; i++) {
        members[i] = (struct member){ .crew = &crew };
        if (pthread_create(&members[i].thread, NULL, run_member, &members[i]) != 0) abort();
    }
    for (unsigned i = 0; i < size; i++) {
        pthread_join(members[i].thread, NULL);
        sum += (double)count / (double)(members[i].ns > 0 ? members[i].ns : 1);
    }
    row->failures += atomic_load(&crew.failures);
    return sum;
}

// ---- what the threads do ------------------------------------------------------------------------

static set_integer volatile plain_setter = model_set_age;

static bool call_plainly(struct crew *crew, uint64_t count, uint64_t *ns)
{
    struct person *person = aligned_alloc(LINE, LINE);
    if (person == NULL) return false;
    *person = (struct person){ .age = -1 };
    wait_for_crew(crew);
    uint64_t start = paired_now();
    for (uint64_t i = 0; i < count; i++) plain_setter((isa_id)person, crew->set_age, (int64_t)i);
    *ns = paired_now() - start;
    bool is_right = person->age == (int64_t)count - 1;
    free(person);
    return is_right;
}

static uint64_t time_sets(struct crew *crew, isa_id person, uint64_t count)
{
    wait_for_crew(crew);
    uint64_t start = paired_now();
    for (uint64_t i = 0; i < count; i++) send_age(person, crew->set_age, (int64_t)i);
    return paired_now() - start;
}

// Object, observer and what it hears are this thread's own, in memory that this thread asked for.
static bool set_own(struct crew *crew, uint64_t count, uint64_t *ns)
{
    struct heard *heard = aligned_alloc(LINE, LINE);
    isa_id person = model_allocate(crew->cls);
    kvo_token token = NULL;
    if (heard == NULL || person == NULL) return false;
    *heard = (struct heard){ 0 };
    if (observe_into(heard, person, "age", BOTH, &token) != ISA_OK) return false;
    *ns = time_sets(crew, person, count);
    bool is_right = has_heard(heard, BOTH, count);
    kvo_token_release(token);
    isa_object_release(person);
    free(heard);
    return is_right;
}

static _Thread_local uint64_t heard_here;

static void hear_here(const kvo_change *change, void *info)
{
    (void)change;
    (void)info;
    heard_here++;
}

// Which of two racing values an observer is told is anyone's; that it is told each time is not.
static bool set_shared(struct crew *crew, uint64_t count, uint64_t *ns)
{
    heard_here = 0;
    *ns = time_sets(crew, crew->shared, count);
    return heard_here == count;
}

// ---- throughput ---------------------------------------------------------------------------------

static uint64_t count_for_phase(struct threads_row *row, labour work)
{
    enum { TRIAL = 20000 };
    rate(row, work, 1, TRIAL);
    double count = rate(row, work, 1, TRIAL) * phase_ns;
    return count < TRIAL ? TRIAL : (uint64_t)count;
}

static bool has_processors(void)
{
    if (processor_count() >= THREAD_COUNT) return true;
    paired_reason("two threads need two processors; there is one");
    return false;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    if (!has_processors()) return PAIRED_MISSING;
    struct threads_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    row->work = *(const labour *)self->data;
    kvo_function function = { hear_here, NULL, NULL };
    isa_status status =
        kvo_observe(row->stage.person, "age", BOTH, &function, NULL, &row->token);
    if (status != ISA_OK) return PAIRED_FAILED;
    row->work_count = count_for_phase(row, row->work);
    row->control_count = count_for_phase(row, call_plainly);
    return PAIRED_READY;
}

// How fast `size` threads do the work, over how fast they do the control's: before it and after it,
// and again if the two differ, since the machine did something else then.
static double share(struct threads_row *row, unsigned size)
{
    for (int i = 0;; i++) {
        double before = rate(row, call_plainly, size, row->control_count);
        double work = rate(row, row->work, size, row->work_count);
        double after = rate(row, call_plainly, size, row->control_count);
        bool is_steady = before < after * LARGEST_DRIFT && after < before * LARGEST_DRIFT;
        if (is_steady || i == LARGEST_REPEAT) return work / ((before + after) / 2);
    }
}

static double throughput(void *context)
{
    struct threads_row *row = context;
    double alone = share(row, 1);
    return share(row, THREAD_COUNT) / alone;
}

static bool check(void *context, uint64_t count)
{
    (void)count;
    return ((struct threads_row *)context)->failures == 0;
}

static void tear_down(void *context)
{
    struct threads_row *row = context;
    kvo_token_release(row->token);
    stage_tear_down(&row->stage);
}

// ---- add and remove beside a thread that is told ------------------------------------------------

struct beside_row {
    struct stage stage;
    struct heard heard;
    uint64_t failures;
    atomic_bool is_over;
    atomic_ullong sets; // that the other thread has made
    bool is_right;      // what it heard
    bool is_running;
    pthread_t thread;
};

static void *set_until_over(void *context)
{
    struct beside_row *row = context;
    struct heard heard = { 0 };
    kvo_token token = NULL;
    isa_id person = model_allocate(row->stage.cls);
    if (person == NULL || observe_into(&heard, person, "age", BOTH, &token) != ISA_OK) return NULL;
    uint64_t count = 0;
    while (!atomic_load_explicit(&row->is_over, memory_order_relaxed)) {
        send_age(person, row->stage.sel.set_age, (int64_t)count++);
        atomic_store_explicit(&row->sets, count, memory_order_relaxed);
    }
    row->is_right = has_heard(&heard, BOTH, count);
    kvo_token_release(token);
    isa_object_release(person);
    return NULL;
}

static paired_outcome set_up_beside(const paired_workload *self, void **context)
{
    (void)self;
    if (!has_processors()) return PAIRED_MISSING;
    struct beside_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    row->is_running = pthread_create(&row->thread, NULL, set_until_over, row) == 0;
    if (!row->is_running) return PAIRED_FAILED;
    while (atomic_load(&row->sets) == 0) sched_yield();
    return PAIRED_READY;
}

static void add_and_remove(void *context, uint64_t count)
{
    struct beside_row *row = context;
    for (uint64_t i = 0; i < count; i++) {
        kvo_token token = NULL;
        row->failures +=
            observe_into(&row->heard, row->stage.person, "age", BOTH, &token) != ISA_OK;
        kvo_token_release(token);
    }
}

static bool check_beside(void *context, uint64_t count)
{
    struct beside_row *row = context;
    (void)count;
    atomic_store(&row->is_over, true);
    pthread_join(row->thread, NULL);
    row->is_running = false;
    return row->is_right && row->failures == 0 && row->heard.count == 0 &&
           !kvo_is_observed(row->stage.person);
}

// ---- the rows -----------------------------------------------------------------------------------

#define THREADS(function) \
    ISAKVO, .unit = "of a share-nothing control", .at_least = true, .setup = set_up, \
        .figure = throughput, .check = check, .teardown = tear_down, \
        .data = &(const labour){ function }

static const paired_workload rows[] = {
    { .name = ROW_THREADS_OWN_OBJECTS, .goal = GOAL_THREADS_OWN_OBJECTS, THREADS(set_own) },
    { .name = "two-threads-shared-object", .group = PAIRED_LADDER, THREADS(set_shared) },
    { .name = "add-remove-beside-a-thread", .group = PAIRED_LADDER, ISAKVO,
      .setup = set_up_beside, .run = add_and_remove, .check = check_beside,
      .teardown = stage_tear_down },
};

struct row_list thread_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
