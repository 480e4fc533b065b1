// The ladder: what each layer adds to a store, from the ivar to will and did without a setter.

#define ISA_UNCHECKED // what fails shows in the answers
#include "stage.h"

#include <stdlib.h>

// ---- messages -----------------------------------------------------------------------------------

static paired_outcome set_up(const paired_workload *self, void **context)
{
    (void)self;
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    return stage != NULL && stage_open(stage) ? PAIRED_READY : PAIRED_FAILED;
}

static bool check_age(void *context, uint64_t count)
{
    struct stage *stage = context;
    return count == 0 || ((struct person *)stage->person)->age == (int64_t)count - 1;
}

// Makes the compiler believe that the person is looked at here.
static inline void publish(isa_id person)
{
    __asm__ volatile("" : : "r"(person) : "memory");
}

static void store_ivars(void *context, uint64_t count)
{
    struct stage *stage = context;
    struct person *person = (struct person *)stage->person;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        person->age = (int64_t)i;
        publish(stage->person);
    }
    stage->set = end;
}

static set_integer volatile plain_setter = model_set_age;

static void call_setters(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        plain_setter(stage->person, stage->sel.set_age, (int64_t)i);
    stage->set = end;
}

static void send(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_id person = stage->person;
    isa_sel set_age = stage->sel.set_age;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) send_age(person, set_age, (int64_t)i);
    stage->set = end;
}

// As a runtime without dispatch tables would: the method by search, then its code.
static void send_by_method(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_sel set_age = stage->sel.set_age;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        isa_method method = isa_class_find_method(isa_object_get_class(stage->person), set_age);
        ((set_integer)isa_method_imp(method))(stage->person, set_age, (int64_t)i);
    }
    stage->set = end;
}

static void send_by_name(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        send_age(stage->person, isa_sel_find("setAge:"), (int64_t)i);
    stage->set = end;
}

static void invoke(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_imp imp = isa_class_find_imp(stage->cls, stage->sel.set_age);
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        int64_t age = (int64_t)i;
        void *arguments[] = { &stage->person, &stage->sel.set_age, &age };
        isa_invoke(imp, "v@:q", arguments, NULL);
    }
    stage->set = end;
}

static void write_by_key(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        int64_t age = (int64_t)i;
        kvc_write(stage->person, "age", (kvc_value){ "q", &age });
    }
    stage->set = end;
}

static void send_heights(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_sel set_height = stage->sel.set_height;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        ISA_SEND(set_integer, stage->person, set_height, (int64_t)i);
    stage->set = end;
}

static bool check_height(void *context, uint64_t count)
{
    struct stage *stage = context;
    int64_t height = -1;
    const char *types = NULL;
    isa_status status = kvc_read(stage->person, "height", &height, sizeof height, &types);
    return status == ISA_OK && (count == 0 || height == (int64_t)count - 1) &&
           stage_has_heard(stage, count);
}

static paired_outcome set_up_height(const paired_workload *self, void **context)
{
    paired_outcome outcome = set_up(self, context);
    struct stage *stage = *context;
    if (outcome != PAIRED_READY) return outcome;
    return stage_observe(stage, stage->person, "height", BOTH, 1) ? PAIRED_READY : PAIRED_FAILED;
}

// ---- libffi alone -------------------------------------------------------------------------------

struct closure_row {
    struct stage stage;
    isa_imp imp;
};

static void take_age(void *result, void *const *arguments, void *context)
{
    (void)result;
    (void)context;
    (*(struct person **)arguments[0])->age = *(const int64_t *)arguments[2];
}

static paired_outcome set_up_closure(const paired_workload *self, void **context)
{
    (void)self;
    struct closure_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    isa_status status = isa_imp_make("v@:q", take_age, NULL, NULL, &row->imp);
    if (status == ISA_OK) return PAIRED_READY;
    paired_reason("no closure: %s", isa_last_error()->reason);
    return status == ISA_ERR_NO_TRAMPOLINE ? PAIRED_MISSING : PAIRED_FAILED;
}

static void call_closure(void *context, uint64_t count)
{
    struct closure_row *row = context;
    set_integer imp = (set_integer)row->imp;
    uint64_t first = row->stage.set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        imp(row->stage.person, row->stage.sel.set_age, (int64_t)i);
    row->stage.set = end;
}

static void tear_down_closure(void *context)
{
    struct closure_row *row = context;
    isa_imp_dispose(row->imp);
    stage_tear_down(&row->stage);
}

// ---- will and did by hand -----------------------------------------------------------------------

static paired_outcome set_up_observers(const paired_workload *self, void **context)
{
    size_t count = *(const size_t *)self->data;
    paired_outcome outcome = set_up(self, context);
    struct stage *stage = *context;
    if (outcome != PAIRED_READY) return outcome;
    return stage_observe(stage, stage->person, "age", BOTH, count) ? PAIRED_READY : PAIRED_FAILED;
}

static void announce(void *context, uint64_t count)
{
    struct stage *stage = context;
    struct person *person = (struct person *)stage->person;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        kvo_will_change(stage->person, "age");
        person->age = (int64_t)i;
        kvo_did_change(stage->person, "age");
    }
    stage->set = end;
}

static bool check_announced(void *context, uint64_t count)
{
    return check_age(context, count) && stage_has_heard(context, count);
}

// ---- the rows -----------------------------------------------------------------------------------

#define STEP(text, function) \
    { .name = "ladder-" text, .group = PAIRED_LADDER, ISAKVO, .setup = set_up, .run = function, \
      .check = check_age, .teardown = stage_tear_down }
#define ANNOUNCED(count) \
    ISAKVO, .setup = set_up_observers, .run = announce, .check = check_announced, \
        .teardown = stage_tear_down, .data = &(const size_t){ count }

static const paired_workload rows[] = {
    STEP("ivar-store", store_ivars),
    STEP("indirect-call", call_setters),
    STEP("dispatch", send),
    STEP("dispatch-uncached", send_by_method),
    STEP("dispatch-by-name", send_by_name),
    { .name = "ladder-synthesized-setter", .group = PAIRED_LADDER, ISAKVO, .setup = set_up,
      .run = send_heights, .check = check_height, .teardown = stage_tear_down },
    { .name = "ladder-ffi-closure", .group = PAIRED_LADDER, ISAKVO, .setup = set_up_closure,
      .run = call_closure, .check = check_age, .teardown = tear_down_closure },
    STEP("ffi-call", invoke),
    STEP("write-by-key", write_by_key),
    { .name = ROW_WILL_DID, .goal = GOAL_WILL_DID, ANNOUNCED(1) },
    { .name = "ladder-will-did-nobody", .group = PAIRED_LADDER, ANNOUNCED(0) },
    { .name = "ladder-will-did-one-observer", .group = PAIRED_LADDER, ANNOUNCED(1) },
    { .name = "ladder-synthesized-setter-one-observer", .group = PAIRED_LADDER, ISAKVO,
      .setup = set_up_height, .run = send_heights, .check = check_height,
      .teardown = stage_tear_down },
};

struct row_list ladder_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
