// Rows of observers that come and go, and of the first observation of a class.
#include "stage.h"

#include "isa_testing.h"

#include <stdlib.h>

// ---- add and remove -----------------------------------------------------------------------------

struct add_row {
    struct stage stage;
    struct heard heard; // of the one that comes and goes
    uint64_t failures;
    row_path path;
    uint32_t options;
    isa_id last; // whose age the path ends at; lent
    uint64_t others_hear; // of hears_in_between, each
    int64_t registrations; // of the whole library, before the first run
};

struct add_spec {
    size_t others; // that observe the path all the time
    uint32_t options;
    size_t keys; // of the path
    const char *other; // what the others observe, if not that
};

static paired_outcome set_up(const paired_workload *self, void **context)
{
    const struct add_spec *spec = self->data;
    struct add_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    row->last = stage_lead(&row->stage, spec->keys, row->path);
    if (row->last == NULL) return PAIRED_FAILED;
    const char *path = spec->other == NULL ? row->path : spec->other;
    if (!stage_observe(&row->stage, row->stage.person, path, BOTH, spec->others))
        return PAIRED_FAILED;
    row->others_hear = spec->other == NULL ? 3 : 0;
    row->options = spec->options;
    row->registrations = isa_testing_live_counts().registrations;
    return PAIRED_READY;
}

static void add_and_remove(void *context, uint64_t count)
{
    struct add_row *row = context;
    for (uint64_t i = 0; i < count; i++) {
        kvo_token token = NULL;
        isa_status status =
            observe_into(&row->heard, row->stage.person, row->path, row->options, &token);
        row->failures += status != ISA_OK;
        kvo_token_release(token);
    }
}

// An observer that comes and goes once more hears one change: of the set in between, and no other.
static bool hears_in_between(struct add_row *row)
{
    struct heard heard = { 0 };
    kvo_token token = NULL;
    isa_id person = row->stage.person;
    send_age(row->last, row->stage.sel.set_age, 1);
    if (observe_into(&heard, person, row->path, KVO_OPTION_NEW, &token) != ISA_OK) return false;
    send_age(row->last, row->stage.sel.set_age, 2);
    kvo_token_release(token);
    send_age(row->last, row->stage.sel.set_age, 3);
    return heard.count == 1 && heard.sum == 2;
}

static bool check(void *context, uint64_t count)
{
    struct add_row *row = context;
    uint64_t initial = (row->options & KVO_OPTION_INITIAL) != 0 ? count : 0;
    if (row->failures != 0 || row->heard.count != initial) return false;
    if (isa_testing_live_counts().registrations != row->registrations) return false;
    if (kvo_is_observed(row->stage.person) != (row->stage.count > 0)) return false;
    if (!hears_in_between(row)) return false;
    for (size_t i = 0; i < row->stage.count; i++)
        if (row->stage.heard[i].count != row->others_hear) return false;
    return true;
}

// ---- the first observation of a class -----------------------------------------------------------

enum { MOST_CLASSES = 256 };

struct first_row {
    isa_class classes[MOST_CLASSES];
    isa_id persons[MOST_CLASSES];
    kvo_token tokens[MOST_CLASSES];
    struct heard heard;
    isa_sel set_age;
    uint64_t failures;
};

static paired_outcome set_up_first(const paired_workload *self, void **context)
{
    (void)self;
    struct first_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    row->set_age = model_selectors().set_age;
    return PAIRED_READY;
}

static void make_classes(void *context, uint64_t count)
{
    struct first_row *row = context;
    for (uint64_t i = 0; i < count; i++) {
        row->classes[i] = model_make_person();
        if (row->classes[i] != NULL) row->persons[i] = model_allocate(row->classes[i]);
        if (row->persons[i] == NULL) abort();
    }
}

static void observe_first(void *context, uint64_t count)
{
    struct first_row *row = context;
    for (uint64_t i = 0; i < count; i++) {
        isa_status status =
            observe_into(&row->heard, row->persons[i], "age", BOTH, &row->tokens[i]);
        row->failures += status != ISA_OK;
    }
}

static void dispose_classes(void *context, uint64_t count)
{
    struct first_row *row = context;
    for (uint64_t i = 0; i < count; i++) {
        row->failures += isa_object_get_class(row->persons[i]) == row->classes[i];
        send_age(row->persons[i], row->set_age, 7);
        kvo_token_release(row->tokens[i]);
        isa_object_release(row->persons[i]);
        row->persons[i] = NULL;
        row->failures += !model_dispose(row->classes[i]);
    }
}

static bool check_first(void *context, uint64_t count)
{
    struct first_row *row = context;
    return row->failures == 0 && row->heard.count == count && row->heard.sum == 7 * count;
}

// ---- the rows -----------------------------------------------------------------------------------

#define ADD_REMOVE(...) \
    ISAKVO, .setup = set_up, .run = add_and_remove, .check = check, .teardown = stage_tear_down, \
        .data = &(const struct add_spec){ __VA_ARGS__ }
#define BESIDE(n) \
    { .name = "add-remove-beside-" #n, GROWTH("add-remove", "observers", n), \
      ADD_REMOVE(n, BOTH, 1, NULL) }
#define DEPTH(n) \
    { .name = "add-remove-depth-" #n, GROWTH("add-remove-path", "keys in the path", n), \
      ADD_REMOVE(0, BOTH, n, NULL) }

static const paired_workload rows[] = {
    { .name = ROW_ADD_REMOVE, .goal = GOAL_ADD_REMOVE, ADD_REMOVE(0, BOTH, 1, NULL) },
    { .name = ROW_ADD_REMOVE_SECOND, .goal = GOAL_ADD_REMOVE_SECOND,
      ADD_REMOVE(1, BOTH, 1, NULL) },
    { .name = ROW_ADD_REMOVE_PATH, .goal = GOAL_ADD_REMOVE_PATH,
      ADD_REMOVE(0, BOTH, 2, NULL) },
    { .name = "ladder-add-remove-initial", .group = PAIRED_LADDER,
      ADD_REMOVE(0, BOTH | KVO_OPTION_INITIAL, 1, NULL) },
    { .name = "ladder-add-remove-other-key", .group = PAIRED_LADDER,
      ADD_REMOVE(1, BOTH, 1, "height") },
    { .name = ROW_FIRST_OBSERVATION, .goal = GOAL_FIRST_OBSERVATION, ISAKVO,
      .largest_count = MOST_CLASSES, .setup = set_up_first, .prepare = make_classes,
      .run = observe_first, .finish = dispose_classes, .check = check_first, .teardown = free },
    BESIDE(1), BESIDE(10), BESIDE(100), BESIDE(1000), BESIDE(10000), BESIDE(100000),
    DEPTH(1), DEPTH(2), DEPTH(4), DEPTH(8), DEPTH(32), DEPTH(128), DEPTH(512), DEPTH(1024),
};

struct row_list registration_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
