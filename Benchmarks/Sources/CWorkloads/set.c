// Rows that set a scalar or an object: unobserved, observed under another key, with one to a
// thousand observers, with each option; while a trace is recorded.
#include "stage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- integers -----------------------------------------------------------------------------------

struct set_spec {
    size_t observers;
    uint32_t options;
    kvo_wrapping wrapping;
    bool by_another_thread; // the observers are added
};

// What another thread does, which is waited for.
struct addition {
    struct stage *stage;
    const struct set_spec *spec;
    bool is_done;
};

static void *add_observers(void *context)
{
    struct addition *addition = context;
    struct stage *stage = addition->stage;
    const struct set_spec *spec = addition->spec;
    addition->is_done =
        stage_observe(stage, stage->person, "age", spec->options, spec->observers);
    return NULL;
}

static void add_observers_beside(struct addition *addition)
{
    pthread_t other;
    if (pthread_create(&other, NULL, add_observers, addition) != 0) return;
    pthread_join(other, NULL);
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    const struct set_spec *spec = self->data;
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL || !stage_open(stage)) return PAIRED_FAILED;
    kvo_wrapping before = kvo_get_wrapping();
    kvo_set_wrapping(spec->wrapping);
    struct addition addition = { stage, spec, false };
    if (spec->by_another_thread) add_observers_beside(&addition);
    else add_observers(&addition);
    kvo_set_wrapping(before);
    return addition.is_done ? PAIRED_READY : PAIRED_FAILED;
}

static void set_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_id person = stage->person;
    isa_sel set_age = stage->sel.set_age;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) send_age(person, set_age, (int64_t)i);
    stage->set = end;
}

static bool is_last_age(const struct stage *stage, uint64_t count)
{
    if (count == 0 || ((struct person *)stage->person)->age == (int64_t)count - 1) return true;
    paired_reason("the property does not have the value that was set last");
    return false;
}

static bool check_ages(void *context, uint64_t count)
{
    return is_last_age(context, count) && stage_has_heard(context, count);
}

// ---- while a trace is recorded ------------------------------------------------------------------

// Each run is a trace of its own, as it is by default but for its limit: the latest events stay.
static void begin_trace(void *context, uint64_t count)
{
    (void)count;
    char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/isakvo-bench-%%p.kvotrace", folder == NULL ? "/tmp" : folder);
    isa_trace_options options = { .limit = 64 << 20, .keep = ISA_TRACE_KEEP_LATEST };
    struct stage *stage = context;
    if (isa_trace_start(path, &options) == ISA_OK) return;
    paired_reason("%s", isa_last_error()->reason);
    stage->lacks_trace = true;
}

static void end_trace(void *context, uint64_t count)
{
    struct stage *stage = context;
    char *path = isa_trace_copy_path();
    struct stat file = {0};
    bool is_written = path != NULL && stat(path, &file) == 0 && unlink(path) == 0;
    // The file has more than its first chunk, unless there was hardly anything to record.
    if (isa_trace_stop() != ISA_OK || !is_written || (file.st_size < 100000 && count > 10000))
        stage->lacks_trace = true;
    isa_free(path);
}

static bool check_traced_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    return !stage->lacks_trace && check_ages(context, count);
}

// ---- nobody observes the key --------------------------------------------------------------------

static __attribute__((noinline)) void send_one(isa_id person, isa_sel set_age, int64_t age)
{
    send_age(person, set_age, age);
}

static void send_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        send_one(stage->person, stage->sel.set_age, (int64_t)i);
    stage->set = end;
}

static set_integer volatile plain_setter = model_set_age;

static __attribute__((noinline)) void call_one(isa_id person, isa_sel set_age, int64_t age)
{
    plain_setter(person, set_age, age);
}

static void call_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        call_one(stage->person, stage->sel.set_age, (int64_t)i);
    stage->set = end;
}

// The person's weight is observed, and the age of another person, so that setAge: is wrapped.
struct other_key {
    struct stage stage;
    isa_id other;
    struct heard heard;
    kvo_token token;
};

static paired_outcome set_up_other_key(const paired_workload *self, void **context)
{
    struct other_key *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    row->other = model_allocate(row->stage.cls);
    if (row->other == NULL) return PAIRED_FAILED;
    if (!stage_observe(&row->stage, row->stage.person, "weight", BOTH, 1)) return PAIRED_FAILED;
    kvo_wrapping before = kvo_get_wrapping();
    kvo_set_wrapping(*(const kvo_wrapping *)self->data);
    isa_status status = observe_into(&row->heard, row->other, "age", BOTH, &row->token);
    kvo_set_wrapping(before);
    return status == ISA_OK ? PAIRED_READY : PAIRED_FAILED;
}

static bool check_other_key(void *context, uint64_t count)
{
    struct other_key *row = context;
    bool is_wrapped = isa_object_get_class(row->stage.person) != row->stage.cls;
    return is_wrapped && row->heard.count == 0 && row->stage.heard[0].count == 0 &&
           is_last_age(&row->stage, count);
}

static void tear_down_other_key(void *context)
{
    struct other_key *row = context;
    kvo_token_release(row->token);
    isa_object_release(row->other);
    stage_close(&row->stage);
    free(row);
}

// ---- a retained object --------------------------------------------------------------------------

enum { VALUE_COUNT = 2 };

// The person's next is set to the first value, the second, the first, …; their ages are 1 and 2.
struct object_row {
    struct stage stage;
    isa_id values[VALUE_COUNT];
    struct heard heard;
    kvo_token token;
};

static uint64_t age_in(kvc_value value)
{
    isa_id object = *(const isa_id *)value.address;
    return object != NULL ? (uint64_t)((const struct person *)object)->age : 0;
}

static void hear_objects(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += sum_of_both(age_in(change->new_value), age_in(change->old_value));
}

static paired_outcome set_up_object(const paired_workload *self, void **context)
{
    (void)self;
    struct object_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    for (int i = 0; i < VALUE_COUNT; i++) {
        row->values[i] = model_allocate(row->stage.cls);
        if (row->values[i] == NULL) return PAIRED_FAILED;
        ((struct person *)row->values[i])->age = i + 1;
    }
    kvo_function function = { hear_objects, &row->heard, NULL };
    isa_status status = kvo_observe(row->stage.person, "next", BOTH, &function, NULL, &row->token);
    return status == ISA_OK ? PAIRED_READY : PAIRED_FAILED;
}

static void set_objects(void *context, uint64_t count)
{
    struct object_row *row = context;
    isa_id person = row->stage.person;
    isa_sel set_next = row->stage.sel.set_next;
    uint64_t first = row->stage.set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        ISA_SEND(set_object, person, set_next, row->values[i % VALUE_COUNT]);
    row->stage.set = end;
}

// 1 + 2 + 1 + 2 + …
static uint64_t alternating_sum(uint64_t count)
{
    return count + count / 2;
}

static bool check_objects(void *context, uint64_t count)
{
    struct object_row *row = context;
    uint64_t olds = count > 0 ? alternating_sum(count - 1) : 0;
    return row->heard.count == count &&
           row->heard.sum == sum_of_both(alternating_sum(count), olds);
}

static void tear_down_object(void *context)
{
    struct object_row *row = context;
    kvo_token_release(row->token);
    for (int i = 0; i < VALUE_COUNT; i++) isa_object_release(row->values[i]);
    stage_close(&row->stage);
    free(row);
}

// ---- the rows -----------------------------------------------------------------------------------

#define SPEC(...) .data = &(const struct set_spec){ __VA_ARGS__ }
#define SET_AGE(...) \
    ISAKVO, .setup = set_up, .run = set_ages, .check = check_ages, .teardown = stage_tear_down, \
        SPEC(__VA_ARGS__)
#define OTHER_KEY(wrapping) \
    ISAKVO, .setup = set_up_other_key, .run = set_ages, .check = check_other_key, \
        .teardown = tear_down_other_key, .data = &(const kvo_wrapping){ wrapping }
#define OBSERVERS(n) \
    { .name = "set-observers-" #n, GROWTH("set", "observers", n), SET_AGE(n, BOTH, 0, false) }
#define OPTION(text, bits) \
    { .name = "ladder-option-" text, .group = PAIRED_LADDER, SET_AGE(1, bits, 0, false) }

static const paired_workload untraced = { .name = ROW_SET_ONE_OBSERVER,
                                          SET_AGE(1, BOTH, 0, false) };

static const paired_workload rows[] = {
    { .name = ROW_SET_UNOBSERVED, .goal = GOAL_SET_UNOBSERVED, .partner = "set-plain-call", ISAKVO,
      .setup = set_up, .run = send_ages, .check = check_ages, .teardown = stage_tear_down,
      SPEC(0, 0, 0, false) },
    { .name = "set-plain-call", .group = PAIRED_PLAIN, .subject = "control", .language = "C",
      .setup = set_up, .run = call_ages, .check = check_ages, .teardown = stage_tear_down,
      SPEC(0, 0, 0, false) },
    { .name = ROW_SET_OTHER_KEY, .goal = GOAL_SET_OTHER_KEY, OTHER_KEY(KVO_WRAP_AUTOMATIC) },
    { .name = "ladder-thunk-nobody", .group = PAIRED_LADDER, OTHER_KEY(KVO_WRAP_AUTOMATIC) },
    { .name = "ladder-closure-nobody", .group = PAIRED_LADDER, OTHER_KEY(KVO_WRAP_LIBFFI) },
    { .name = ROW_SET_ONE_OBSERVER, .goal = GOAL_SET_ONE_OBSERVER, SET_AGE(1, BOTH, 0, false) },
    { .name = ROW_SET_BY_ANOTHER_THREAD, .goal = GOAL_SET_BY_ANOTHER_THREAD,
      SET_AGE(1, BOTH, 0, true) },
    { .name = ROW_SET_ONE_OBSERVER_CLOSURE, .goal = GOAL_SET_ONE_OBSERVER_CLOSURE,
      SET_AGE(1, BOTH, KVO_WRAP_LIBFFI, false) },
    { .name = ROW_SET_TEN_OBSERVERS, .goal = GOAL_SET_TEN_OBSERVERS, SET_AGE(10, BOTH, 0, false) },
    { .name = ROW_SET_HUNDRED_OBSERVERS, .goal = GOAL_SET_HUNDRED_OBSERVERS,
      SET_AGE(100, BOTH, 0, false) },
    { .name = ROW_SET_OBJECT_ONE_OBSERVER, .goal = GOAL_SET_OBJECT_ONE_OBSERVER, ISAKVO,
      .setup = set_up_object, .run = set_objects, .check = check_objects,
      .teardown = tear_down_object },
    { .name = ROW_SET_TRACED, .rival = &untraced, ISAKVO, .setup = set_up,
      .prepare = begin_trace, .run = set_ages, .finish = end_trace, .check = check_traced_ages,
      .teardown = stage_tear_down, SPEC(1, BOTH, 0, false) },
    OPTION("none", 0),
    OPTION("new", KVO_OPTION_NEW),
    OPTION("old", KVO_OPTION_OLD),
    OPTION("old-new", BOTH),
    OPTION("prior", KVO_OPTION_PRIOR),
    OPTION("prior-old-new", KVO_OPTION_PRIOR | BOTH),
    OBSERVERS(1),
    OBSERVERS(10),
    OBSERVERS(100),
    OBSERVERS(1000),
};

struct row_list set_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
