// Rows of key paths and of dependent keys.
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>

enum { MIDDLE_COUNT = 2 };

// ---- key paths ----------------------------------------------------------------------------------

// A chain of persons; `path` leads from the first along `next` to the age of the last.
struct chain {
    struct stage stage; // whose person is the first
    isa_id leaf;        // lent
    isa_id middles[MIDDLE_COUNT];
    row_path path;
};

// A person whose next is `next`; the caller releases it.
static isa_id make_person_before(const struct stage *stage, isa_id next)
{
    isa_id person = model_allocate(stage->cls);
    if (person != NULL) ISA_SEND(set_object, person, stage->sel.set_next, next);
    return person;
}

static paired_outcome set_up_chain(const paired_workload *self, void **context)
{
    struct chain *chain = calloc(1, sizeof *chain);
    *context = chain;
    if (chain == NULL || !stage_open(&chain->stage)) return PAIRED_FAILED;
    chain->leaf = stage_lead(&chain->stage, *(const size_t *)self->data, chain->path);
    if (chain->leaf == NULL) return PAIRED_FAILED;
    bool is_observed = stage_observe(&chain->stage, chain->stage.person, chain->path, BOTH, 1);
    return is_observed ? PAIRED_READY : PAIRED_FAILED;
}

static void set_leaves(void *context, uint64_t count)
{
    struct chain *chain = context;
    isa_id leaf = chain->leaf;
    isa_sel set_age = chain->stage.sel.set_age;
    uint64_t first = chain->stage.set, end = first + count;
    for (uint64_t i = first; i < end; i++) send_age(leaf, set_age, (int64_t)i);
    chain->stage.set = end;
}

static bool check_chain(void *context, uint64_t count)
{
    return stage_has_heard(&((struct chain *)context)->stage, count);
}

// Two middles, each before a leaf of its own: the ages at the end are 1 and 2.
static paired_outcome set_up_middles(const paired_workload *self, void **context)
{
    (void)self;
    struct chain *chain = calloc(1, sizeof *chain);
    *context = chain;
    if (chain == NULL || !stage_open(&chain->stage)) return PAIRED_FAILED;
    for (int i = 0; i < MIDDLE_COUNT; i++) {
        isa_id leaf = model_allocate(chain->stage.cls);
        if (leaf == NULL) return PAIRED_FAILED;
        ((struct person *)leaf)->age = i + 1;
        chain->middles[i] = make_person_before(&chain->stage, leaf);
        isa_object_release(leaf);
        if (chain->middles[i] == NULL) return PAIRED_FAILED;
    }
    isa_id person = chain->stage.person;
    bool is_observed = stage_observe(&chain->stage, person, "next.next.age", KVO_OPTION_NEW, 1);
    return is_observed ? PAIRED_READY : PAIRED_FAILED;
}

static void replace_middles(void *context, uint64_t count)
{
    struct chain *chain = context;
    isa_sel set_next = chain->stage.sel.set_next;
    uint64_t first = chain->stage.set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        ISA_SEND(set_object, chain->stage.person, set_next, chain->middles[i % MIDDLE_COUNT]);
    chain->stage.set = end;
}

static bool check_middles(void *context, uint64_t count)
{
    const struct heard *heard = ((struct chain *)context)->stage.heard;
    return heard->count == count && heard->sum == count + count / 2;
}

static void tear_down_chain(void *context)
{
    struct chain *chain = context;
    for (int i = 0; i < MIDDLE_COUNT; i++) isa_object_release(chain->middles[i]);
    stage_tear_down(&chain->stage);
}

// ---- dependent keys -----------------------------------------------------------------------------

// The key `sum` of age and weight, observed by one who counts; both are set in turn.
static paired_outcome set_up_sum(const paired_workload *self, void **context)
{
    (void)self;
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL || !stage_open(stage)) return PAIRED_FAILED;
    return stage_observe(stage, stage->person, "sum", 0, 1) ? PAIRED_READY : PAIRED_FAILED;
}

static void set_sources(void *context, uint64_t count)
{
    struct stage *stage = context;
    isa_id person = stage->person;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        ISA_SEND(set_integer, person, stage->sel.set_age, (int64_t)i);
        ISA_SEND(set_integer, person, stage->sel.set_weight, (int64_t)i);
    }
    stage->set = end;
}

static bool check_sum(void *context, uint64_t count)
{
    return stage_has_heard(context, 2 * count);
}

// Keys d0, d1, … that each depend on age, each observed by one who counts.
struct dependents {
    struct stage stage;
    size_t count;
    struct heard *heard;
    kvo_token *tokens;
};

static isa_status declare_dependent(isa_class cls, const char *key)
{
    isa_id age = NULL, keys = NULL;
    isa_status status = kvc_string_make("age", &age);
    if (status == ISA_OK) status = kvc_array_make(&age, 1, &keys);
    if (status == ISA_OK) status = kvo_class_set_keys(cls, keys, key);
    isa_object_release(age);
    isa_object_release(keys);
    return status;
}

static paired_outcome set_up_dependents(const paired_workload *self, void **context)
{
    struct dependents *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    size_t count = *(const size_t *)self->data;
    row->heard = calloc(count, sizeof *row->heard);
    row->tokens = calloc(count, sizeof *row->tokens);
    if (row->heard == NULL || row->tokens == NULL) return PAIRED_FAILED;
    for (; row->count < count; row->count++) {
        char key[32];
        size_t i = row->count;
        snprintf(key, sizeof key, "d%zu", i);
        isa_status status = declare_dependent(row->stage.cls, key);
        if (status == ISA_OK)
            status = observe_into(&row->heard[i], row->stage.person, key, 0, &row->tokens[i]);
        if (status == ISA_OK) continue;
        paired_reason("%s: %s", key, isa_last_error()->reason);
        return PAIRED_FAILED;
    }
    return PAIRED_READY;
}

static void set_source(void *context, uint64_t count)
{
    struct stage *stage = &((struct dependents *)context)->stage;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        send_age(stage->person, stage->sel.set_age, (int64_t)i);
    stage->set = end;
}

static bool check_dependents(void *context, uint64_t count)
{
    struct dependents *row = context;
    for (size_t i = 0; i < row->count; i++)
        if (!has_heard(&row->heard[i], 0, count)) return false;
    return true;
}

static void tear_down_dependents(void *context)
{
    struct dependents *row = context;
    for (size_t i = 0; i < row->count; i++) kvo_token_release(row->tokens[i]);
    free(row->tokens);
    free(row->heard);
    stage_tear_down(&row->stage);
}

// ---- the rows -----------------------------------------------------------------------------------

#define LEAF(n) \
    ISAKVO, .setup = set_up_chain, .run = set_leaves, .check = check_chain, \
        .teardown = tear_down_chain, .data = &(const size_t){ n }
#define DEPTH(n) \
    { .name = "set-leaf-depth-" #n, GROWTH("path", "keys in the path", n), LEAF(n) }
#define DEPENDENTS(n) \
    { .name = "set-dependents-" #n, GROWTH("dependents", "dependent keys", n), ISAKVO, \
      .setup = set_up_dependents, .run = set_source, .check = check_dependents, \
      .teardown = tear_down_dependents, .data = &(const size_t){ n } }

static const paired_workload rows[] = {
    { .name = ROW_PATH_LEAF, .goal = GOAL_PATH_LEAF, LEAF(3) },
    { .name = ROW_PATH_INTERMEDIATE, .goal = GOAL_PATH_INTERMEDIATE, ISAKVO,
      .setup = set_up_middles, .run = replace_middles, .check = check_middles,
      .teardown = tear_down_chain },
    { .name = ROW_DEPENDENT, .goal = GOAL_DEPENDENT, .operations = 2, ISAKVO,
      .setup = set_up_sum, .run = set_sources, .check = check_sum, .teardown = stage_tear_down },
    DEPTH(1), DEPTH(2), DEPTH(3), DEPTH(4), DEPTH(8), DEPTH(32), DEPTH(128), DEPTH(512),
    DEPTH(1024),
    DEPENDENTS(1), DEPENDENTS(2), DEPENDENTS(5), DEPENDENTS(10), DEPENDENTS(100),
    DEPENDENTS(1000), DEPENDENTS(10000),
};

struct row_list path_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
