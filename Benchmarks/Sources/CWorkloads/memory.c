// Rows that are no times: bytes per observed object, heap blocks per set.
#include "stage.h"

#include "engine_workloads.h"

#include <stdlib.h>

uint64_t (*engine_count_allocations)(void);

// ---- bytes --------------------------------------------------------------------------------------

enum { FRESH_COUNT = 100000 };

struct fresh_row {
    struct stage stage;
    isa_id *persons;
    kvo_token *tokens;
    struct heard heard;
    uint64_t failures;
    bool counts_objects;
};

static paired_outcome set_up(const paired_workload *self, void **context)
{
    struct fresh_row *row = calloc(1, sizeof *row);
    *context = row;
    if (paired_allocated_bytes() < 0) {
        free(row);
        return PAIRED_MISSING;
    }
    if (row == NULL || !stage_open(&row->stage)) return PAIRED_FAILED;
    row->counts_objects = *(const bool *)self->data;
    row->persons = calloc(FRESH_COUNT, sizeof *row->persons);
    row->tokens = calloc(FRESH_COUNT, sizeof *row->tokens);
    if (row->persons == NULL || row->tokens == NULL) return PAIRED_FAILED;
    // The class pair is the class's and no object's.
    return stage_observe(&row->stage, row->stage.person, "age", BOTH, 1) ? PAIRED_READY
                                                                        : PAIRED_FAILED;
}

static void observe_fresh(struct fresh_row *row)
{
    for (size_t i = 0; i < FRESH_COUNT; i++) {
        isa_status status =
            observe_into(&row->heard, row->persons[i], "age", BOTH, &row->tokens[i]);
        row->failures += status != ISA_OK;
    }
}

static void end_fresh(struct fresh_row *row)
{
    for (size_t i = 0; i < FRESH_COUNT; i++) {
        send_age(row->persons[i], row->stage.sel.set_age, 1);
        kvo_token_release(row->tokens[i]);
        isa_object_release(row->persons[i]);
    }
}

static double bytes_per_object(void *context)
{
    struct fresh_row *row = context;
    double empty = paired_allocated_bytes();
    for (size_t i = 0; i < FRESH_COUNT; i++) row->persons[i] = model_allocate(row->stage.cls);
    double allocated = paired_allocated_bytes();
    observe_fresh(row);
    double observed = paired_allocated_bytes();
    end_fresh(row);
    return (observed - (row->counts_objects ? empty : allocated)) / FRESH_COUNT;
}

static bool check(void *context, uint64_t count)
{
    struct fresh_row *row = context;
    uint64_t sets = count * FRESH_COUNT; // each of a 1 over a 0
    return row->failures == 0 && row->heard.count == sets && row->heard.sum == sets;
}

static void tear_down(void *context)
{
    struct fresh_row *row = context;
    free(row->persons);
    free(row->tokens);
    stage_tear_down(&row->stage);
}

// ---- heap blocks --------------------------------------------------------------------------------

enum { SETS_PER_SAMPLE = 10000 };

static paired_outcome set_up_counting(const paired_workload *self, void **context)
{
    (void)self;
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (engine_count_allocations == NULL) {
        paired_reason("this driver does not count allocations");
        free(stage);
        return PAIRED_MISSING;
    }
    if (stage == NULL || !stage_open(stage)) return PAIRED_FAILED;
    bool is_observed =
        stage_observe(stage, stage->person, "age", BOTH | KVO_OPTION_PRIOR, 10);
    return is_observed ? PAIRED_READY : PAIRED_FAILED;
}

static double allocations_per_set(void *context)
{
    struct stage *stage = context;
    uint64_t before = engine_count_allocations();
    for (uint64_t i = 0; i < SETS_PER_SAMPLE; i++)
        send_age(stage->person, stage->sel.set_age, (int64_t)stage->set++);
    return (double)(engine_count_allocations() - before) / SETS_PER_SAMPLE;
}

static bool check_counting(void *context, uint64_t count)
{
    // The count is one of this process's: it sees a block that is certainly made.
    uint64_t before = engine_count_allocations();
    void *volatile block = malloc(16);
    free(block);
    return engine_count_allocations() == before + 1 &&
           stage_has_heard(context, count * SETS_PER_SAMPLE);
}

// ---- the rows -----------------------------------------------------------------------------------

#define FRESH(includes_object) \
    ISAKVO, .unit = "bytes", .most_samples = 3, .setup = set_up, .figure = bytes_per_object, \
        .check = check, .teardown = tear_down, .data = &(const bool){ includes_object }

static const paired_workload rows[] = {
    { .name = ROW_BYTES_PER_OBJECT, .goal = GOAL_BYTES_PER_OBJECT, FRESH(false) },
    { .name = "bytes-with-object", .group = PAIRED_LADDER, FRESH(true) },
    { .name = ROW_ALLOCATIONS_PER_SET, .unit = "blocks", .goal = PAIRED_GOAL_ZERO, ISAKVO,
      .setup = set_up_counting, .figure = allocations_per_set, .check = check_counting,
      .teardown = stage_tear_down },
};

struct row_list memory_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
