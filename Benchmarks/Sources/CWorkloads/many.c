// Rows of work that is done for a great many of something: each is a point of a curve that should
// stay level. An operation is one of them.
#include "stage.h"

#include "isa_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct many_row {
    const struct many_spec *spec;
    size_t many;
    struct stage stage; // whose person the functions observe
    struct heard heard;
    isa_class cls; // of the observers, or with the keys
    isa_id *objects;
    isa_class *classes;
    kvo_token *tokens;
    size_t *order;
    uint64_t failures;
    int64_t registrations; // of the whole library, before the first run
};

struct many_spec {
    bool (*set_up)(struct many_row *row);
};

static paired_outcome set_up(const paired_workload *self, void **context)
{
    struct many_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    row->spec = self->data;
    row->many = (size_t)self->x;
    row->objects = calloc(row->many, sizeof *row->objects);
    row->classes = calloc(row->many, sizeof *row->classes);
    row->tokens = calloc(row->many, sizeof *row->tokens);
    row->order = calloc(row->many, sizeof *row->order);
    if (!row->objects || !row->classes || !row->tokens || !row->order) return PAIRED_FAILED;
    if (!row->spec->set_up(row)) return PAIRED_FAILED;
    row->registrations = isa_testing_live_counts().registrations;
    return PAIRED_READY;
}

static bool check(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    return row->failures == 0 && isa_testing_live_counts().registrations == row->registrations;
}

static void tear_down(void *context)
{
    struct many_row *row = context;
    if (row == NULL) return;
    for (size_t i = 0; row->objects != NULL && i < row->many; i++)
        if (row->objects[i] != NULL) isa_object_release(row->objects[i]);
    if (row->cls != NULL) isa_class_pair_dispose(row->cls);
    if (row->stage.cls != NULL) stage_close(&row->stage);
    free(row->objects);
    free(row->classes);
    free(row->tokens);
    free(row->order);
    free(row);
}

// ---- functions of one key, ended in another order than they came --------------------------------

static bool set_up_newest_first(struct many_row *row)
{
    for (size_t i = 0; i < row->many; i++) row->order[i] = row->many - 1 - i;
    return stage_open(&row->stage);
}

// The same order in each run.
static bool set_up_shuffled(struct many_row *row)
{
    uint64_t drawn = 1;
    for (size_t i = 0; i < row->many; i++) row->order[i] = i;
    for (size_t i = row->many; i-- > 1;) {
        drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t other = (size_t)((drawn >> 33) % (i + 1)), kept = row->order[i];
        row->order[i] = row->order[other];
        row->order[other] = kept;
    }
    return stage_open(&row->stage);
}

static void add_functions(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++) {
        isa_status status =
            observe_into(&row->heard, row->stage.person, "age", BOTH, &row->tokens[i]);
        row->failures += status != ISA_OK;
    }
}

static void end_functions(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++)
        row->failures += !kvo_token_invalidate(row->tokens[row->order[i]]);
}

static void release_functions(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++) kvo_token_release(row->tokens[i]);
}

// ---- keys of one object -------------------------------------------------------------------------

static isa_status add_key(isa_class cls, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "key%zu", number);
    const isa_property_info info = { .name = name, .types = "q" };
    return isa_class_synthesize(cls, &info);
}

static bool set_up_keys(struct many_row *row)
{
    isa_class root = isa_root_class();
    isa_status status = isa_class_pair_allocate(root, "ManyKeys", &row->cls);
    for (size_t i = 0; status == ISA_OK && i < row->many; i++) status = add_key(row->cls, i);
    if (status == ISA_OK) status = isa_class_pair_register(row->cls);
    if (status == ISA_OK) row->objects[0] = model_allocate(row->cls);
    return row->objects[0] != NULL;
}

static void observe_keys(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++) {
        char name[32];
        snprintf(name, sizeof name, "key%zu", i);
        isa_status status = observe_into(&row->heard, row->objects[0], name, BOTH, &row->tokens[i]);
        row->failures += status != ISA_OK;
    }
    for (size_t i = 0; i < row->many; i++) {
        row->failures += !kvo_token_invalidate(row->tokens[i]);
        kvo_token_release(row->tokens[i]);
    }
}

// ---- objects that observe one key ---------------------------------------------------------------

static void observe_value(isa_id self, isa_sel sel, const char *path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)self, (void)sel, (void)path, (void)object, (void)change, (void)context;
}

static bool set_up_observers(struct many_row *row)
{
    isa_sel sel = isa_sel_register("observeValueForKeyPath:ofObject:change:context:");
    isa_status status = isa_class_pair_allocate(isa_root_class(), "ManyObservers", &row->cls);
    if (status == ISA_OK)
        status = isa_class_add_method(row->cls, sel, (isa_imp)observe_value, "v@:*@^v^v");
    if (status == ISA_OK) status = isa_class_pair_register(row->cls);
    for (size_t i = 0; status == ISA_OK && i < row->many; i++) {
        row->objects[i] = model_allocate(row->cls);
        if (row->objects[i] == NULL) return false;
    }
    return status == ISA_OK && stage_open(&row->stage);
}

static void add_and_remove_observers(void *context, uint64_t count)
{
    struct many_row *row = context;
    isa_id person = row->stage.person;
    (void)count;
    for (size_t i = 0; i < row->many; i++)
        row->failures += kvo_add_observer(person, row->objects[i], "age", BOTH, NULL) != ISA_OK;
    for (size_t i = 0; i < row->many; i++)
        row->failures += kvo_remove_observer(person, row->objects[i], "age") != ISA_OK;
}

// ---- classes that have been observed ------------------------------------------------------------

static bool set_up_classes(struct many_row *row)
{
    (void)row;
    return true;
}

static void make_observed_class(struct many_row *row, isa_class *out)
{
    isa_id person = NULL;
    kvo_token token = NULL;
    *out = model_make_person();
    if (*out != NULL) person = model_allocate(*out);
    if (person == NULL || observe_into(&row->heard, person, "age", BOTH, &token) != ISA_OK) abort();
    row->failures += !kvo_token_invalidate(token);
    kvo_token_release(token);
    isa_object_release(person);
}

static void make_observed_classes(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++) make_observed_class(row, &row->classes[i]);
}

static void dispose_classes(void *context, uint64_t count)
{
    struct many_row *row = context;
    (void)count;
    for (size_t i = 0; i < row->many; i++) row->failures += !model_dispose(row->classes[i]);
}

// ---- the rows -----------------------------------------------------------------------------------

#define MANY(what, axis, n, begin, before, work, after) \
    { .name = what "-" #n, GROWTH(what, axis, n), ISAKVO, .operations = n, .largest_count = 1, \
      .most_samples = n > 10000 ? 5 : 0, .setup = set_up, .prepare = before, .run = work, \
      .finish = after, .check = check, .teardown = tear_down, \
      .data = &(const struct many_spec){ .set_up = begin } }
#define NEWEST(n) \
    MANY("end-newest-first", "functions", n, set_up_newest_first, add_functions, end_functions, \
         release_functions)
#define SHUFFLED(n) \
    MANY("end-shuffled", "functions", n, set_up_shuffled, add_functions, end_functions, \
         release_functions)
#define KEYS(n) MANY("observe-keys", "keys", n, set_up_keys, NULL, observe_keys, NULL)
#define OBSERVERS(n) \
    MANY("observer-objects", "observers", n, set_up_observers, NULL, add_and_remove_observers, NULL)
#define CLASSES(n) \
    MANY("dispose-classes", "classes", n, set_up_classes, make_observed_classes, dispose_classes, \
         NULL)

// Keys come last: their selectors stay, and each class's table has a word for 32 of them.
static const paired_workload rows[] = {
    CLASSES(100),    CLASSES(1000),    CLASSES(10000),    CLASSES(100000),  CLASSES(1000000),
    NEWEST(1000),    NEWEST(10000),    NEWEST(100000),    NEWEST(1000000),
    SHUFFLED(1000),  SHUFFLED(10000),  SHUFFLED(100000),  SHUFFLED(1000000),
    OBSERVERS(1000), OBSERVERS(10000), OBSERVERS(100000), OBSERVERS(1000000),
    KEYS(100),       KEYS(1000),       KEYS(10000),       KEYS(100000),     KEYS(1000000),
};

struct row_list many_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
