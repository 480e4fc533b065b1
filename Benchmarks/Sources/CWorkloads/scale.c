// Rows that set one of many observed objects, one after the other or at random: what a set costs
// when nothing of the object is in the cache.
#include "stage.h"

#include <stdlib.h>

struct crowd_spec {
    size_t count;
    bool is_random;
};

struct crowd {
    struct stage stage;
    size_t count;
    isa_id *persons; // in the order in which they are set
    kvo_token *tokens;
    struct heard heard;
    uint64_t failures;
};

// Fisher and Yates's shuffle over a xorshift of a constant seed: each run takes the same order.
static void shuffle(isa_id *persons, size_t count)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t i = count; i > 1; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        size_t j = (size_t)(state % i);
        isa_id person = persons[i - 1];
        persons[i - 1] = persons[j];
        persons[j] = person;
    }
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    const struct crowd_spec *spec = self->data;
    struct crowd *crowd = calloc(1, sizeof *crowd);
    *context = crowd;
    if (crowd == NULL || !stage_open(&crowd->stage)) return PAIRED_FAILED;
    crowd->persons = calloc(spec->count, sizeof *crowd->persons);
    crowd->tokens = calloc(spec->count, sizeof *crowd->tokens);
    if (crowd->persons == NULL || crowd->tokens == NULL) return PAIRED_FAILED;
    for (; crowd->count < spec->count; crowd->count++) {
        isa_id person = model_allocate(crowd->stage.cls);
        kvo_token *token = &crowd->tokens[crowd->count];
        crowd->persons[crowd->count] = person;
        if (person == NULL) return PAIRED_FAILED;
        if (observe_into(&crowd->heard, person, "age", KVO_OPTION_NEW, token) != ISA_OK)
            return PAIRED_FAILED;
    }
    if (spec->is_random) shuffle(crowd->persons, crowd->count);
    return PAIRED_READY;
}

static void set_each(void *context, uint64_t count)
{
    struct crowd *crowd = context;
    isa_sel set_age = crowd->stage.sel.set_age;
    uint64_t first = crowd->stage.set, end = first + count;
    size_t place = (size_t)(first % crowd->count);
    for (uint64_t i = first; i < end; i++) {
        send_age(crowd->persons[place], set_age, (int64_t)i);
        if (++place == crowd->count) place = 0;
    }
    crowd->stage.set = end;
}

static bool check(void *context, uint64_t count)
{
    return has_heard(&((struct crowd *)context)->heard, KVO_OPTION_NEW, count);
}

static void tear_down(void *context)
{
    struct crowd *crowd = context;
    for (size_t i = 0; i < crowd->count; i++) {
        kvo_token_release(crowd->tokens[i]);
        isa_object_release(crowd->persons[i]);
    }
    free(crowd->persons);
    free(crowd->tokens);
    stage_tear_down(&crowd->stage);
}

#define CROWD(n, order, random) \
    { .name = "set-one-of-" #n "-" order, GROWTH("objects-" order, "observed objects", n), ISAKVO, \
      .setup = set_up, .run = set_each, .check = check, .teardown = tear_down, \
      .data = &(const struct crowd_spec){ n, random } }

static const paired_workload rows[] = {
    CROWD(1, "in-order", false),      CROWD(1000, "in-order", false),
    CROWD(100000, "in-order", false), CROWD(1000000, "in-order", false),
    CROWD(1, "at-random", true),      CROWD(1000, "at-random", true),
    CROWD(100000, "at-random", true), CROWD(1000000, "at-random", true),
};

struct row_list scale_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
