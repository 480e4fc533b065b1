// Rows of two threads: on objects of their own, on one object, and what adding and removing costs
// while another thread sets.
//
// Two threads on one machine share caches, power and, on rented ones, a core's other half. So what
// two threads reach is divided by what two threads of plain calls on memory of their own reach, in
// the same sample: 1 means that the engine shares nothing that the machine does not.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "companion.h"
#include "stage.h"

#include "isa_testing.h"

#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_COUNT = 2 };
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

static paired_outcome set_up(const paired_workload *self, void **context)
{
    if (!companion_is_possible()) return PAIRED_MISSING;
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

// ---- add and remove beside a thread that sets ---------------------------------------------------

// The second thread sets a person that it alone uses, and that is observed throughout; or the very
// person whose observer comes and goes.
struct beside_row {
    struct stage stage;
    isa_id other; // NULL: the person is shared
    kvo_token token;
    struct heard heard; // of the one that comes and goes
    uint64_t failures;
    int64_t registrations; // of the whole library, before the first run
    // From here on the second thread's, in lines of its own.
    alignas(LINE) struct heard others_heard;
    isa_id person;
    isa_sel set_age;
    uint64_t set; // 0, 1, 2, …
    struct companion companion;
};

struct beside_spec {
    bool is_shared;
    uint64_t every_ns; // between two sets
};

static void set_one(void *context)
{
    struct beside_row *row = context;
    send_age(row->person, row->set_age, (int64_t)row->set++);
}

static bool observe_other(struct beside_row *row)
{
    row->other = model_allocate(row->stage.cls);
    return row->other != NULL &&
           observe_into(&row->others_heard, row->other, "age", BOTH, &row->token) == ISA_OK;
}

static paired_outcome set_up_beside(const paired_workload *self, void **context)
{
    const struct beside_spec *spec = self->data;
    if (!companion_is_possible()) return PAIRED_MISSING;
    struct beside_row *row = aligned_alloc(LINE, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    memset(row, 0, sizeof *row);
    if (!stage_open(&row->stage)) return PAIRED_FAILED;
    if (!spec->is_shared && !observe_other(row)) return PAIRED_FAILED;
    row->person = spec->is_shared ? row->stage.person : row->other;
    row->set_age = row->stage.sel.set_age;
    row->registrations = isa_testing_live_counts().registrations;
    bool is_running = companion_start(&row->companion, set_one, row, spec->every_ns);
    return is_running ? PAIRED_READY : PAIRED_FAILED;
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

// Whether the observer that came and went heard nothing, where nobody set its person, or else no
// more than was set while it was there.
static bool is_heard_right(const struct beside_row *row)
{
    if (row->other != NULL)
        return row->heard.count == 0 && has_heard(&row->others_heard, BOTH, row->set);
    return row->heard.count <= row->set &&
           ((struct person *)row->stage.person)->age == (int64_t)row->set - 1;
}

static bool check_beside(void *context, uint64_t count)
{
    struct beside_row *row = context;
    (void)count;
    companion_stop(&row->companion);
    return row->failures == 0 && is_heard_right(row) && !kvo_is_observed(row->stage.person) &&
           isa_testing_live_counts().registrations == row->registrations;
}

static void tear_down_beside(void *context)
{
    struct beside_row *row = context;
    companion_stop(&row->companion);
    kvo_token_release(row->token);
    isa_object_release(row->other);
    stage_tear_down(&row->stage);
}

// ---- the rows -----------------------------------------------------------------------------------

#define THREADS(function) \
    ISAKVO, .unit = "of a share-nothing control", .at_least = true, .setup = set_up, \
        .figure = throughput, .check = check, .teardown = tear_down, \
        .data = &(const labour){ function }

#define BESIDE(...) \
    ISAKVO, .setup = set_up_beside, .run = add_and_remove, .check = check_beside, \
        .teardown = tear_down_beside, .data = &(const struct beside_spec){ __VA_ARGS__ }

static const paired_workload rows[] = {
    { .name = ROW_THREADS_OWN_OBJECTS, .goal = GOAL_THREADS_OWN_OBJECTS, THREADS(set_own) },
    { .name = "two-threads-shared-object", .group = PAIRED_LADDER, THREADS(set_shared) },
    { .name = ROW_ADD_REMOVE_SHARED, .goal = GOAL_ADD_REMOVE_SHARED, BESIDE(true, 50000) },
    { .name = "add-remove-beside-a-thread", .group = PAIRED_LADDER, BESIDE(false, 0) },
};

struct row_list thread_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
