// Rows that set one of many observed objects, one after the other or at random: what a set costs
// when nothing of the object is in the cache.
//
// At random the next object is known beforehand, so that the processor can begin with it while it
// waits for this one, or it is read from the object that has just been set, as in a program that
// follows pointers. The order is made while the row is set up.
//
// A set touches, of its object alone, what is in three blocks of the heap: the object itself, with
// its class, the value and the address of the next; the side record, 40 bytes; the registration,
// 40 bytes. All else is the class's and the observer's, and stays in the cache.
#include "crowd.h"

#include <stdlib.h>

struct crowd_spec {
    size_t count;
    crowd_order order;
    uint32_t options;
};

struct crowd {
    struct stage stage;
    const struct crowd_spec *spec;
    size_t count;
    isa_id *persons; // in the order in which they are set
    kvo_token *tokens;
    struct heard heard;
    isa_id next; // in a chain
};

// Fisher and Yates's shuffle over a xorshift of a constant seed: each run takes the same order.
void crowd_shuffle(void **objects, size_t count)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t i = count; i > 1; i--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        size_t j = (size_t)(state % i);
        void *object = objects[i - 1];
        objects[i - 1] = objects[j];
        objects[j] = object;
    }
}

static bool make_persons(struct crowd *crowd)
{
    for (; crowd->count < crowd->spec->count; crowd->count++) {
        isa_id person = model_allocate(crowd->stage.cls);
        kvo_token *token = &crowd->tokens[crowd->count];
        crowd->persons[crowd->count] = person;
        if (person == NULL) return false;
        if (observe_into(&crowd->heard, person, "age", crowd->spec->options, token) != ISA_OK)
            return false;
    }
    return true;
}

// The address is kept as a number, the weight, which nobody observes: no object holds another.
static void chain(struct crowd *crowd)
{
    for (size_t i = 0; i < crowd->count; i++)
        ((struct person *)crowd->persons[i])->weight =
            (int64_t)(intptr_t)crowd->persons[(i + 1) % crowd->count];
    crowd->next = crowd->persons[0];
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    *context = crowd;
    if (crowd == NULL || !stage_open(&crowd->stage)) return PAIRED_FAILED;
    crowd->spec = self->data;
    crowd->persons = calloc(crowd->spec->count, sizeof *crowd->persons);
    crowd->tokens = calloc(crowd->spec->count, sizeof *crowd->tokens);
    if (crowd->persons == NULL || crowd->tokens == NULL || !make_persons(crowd))
        return PAIRED_FAILED;
    if (crowd->spec->order != CROWD_IN_ORDER)
        crowd_shuffle((void **)crowd->persons, crowd->count);
    if (crowd->spec->order == CROWD_IN_CHAIN) chain(crowd);
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

static void follow(void *context, uint64_t count)
{
    struct crowd *crowd = context;
    isa_sel set_age = crowd->stage.sel.set_age;
    isa_id person = crowd->next;
    uint64_t first = crowd->stage.set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        send_age(person, set_age, (int64_t)i);
        person = (isa_id)(intptr_t)((struct person *)person)->weight;
    }
    crowd->next = person;
    crowd->stage.set = end;
}

static bool check(void *context, uint64_t count)
{
    struct crowd *crowd = context;
    return has_heard_in_turn(&crowd->heard, crowd->spec->options, count, crowd->count);
}

// A chain that were shorter than the crowd would not have come to its beginning again just now.
static bool check_chain(void *context, uint64_t count)
{
    struct crowd *crowd = context;
    return check(context, count) && crowd->next == crowd->persons[count % crowd->count];
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

// ---- the rows -----------------------------------------------------------------------------------

#define CROWD(n, text, order) \
    { .name = "set-one-of-" #n "-" text, GROWTH("objects-" text, "observed objects", n), ISAKVO, \
      .setup = set_up, .run = set_each, .check = check, .teardown = tear_down, \
      .data = &(const struct crowd_spec){ n, order, KVO_OPTION_NEW } }
#define RANDOM(order) \
    .goal = GOAL_SET_RANDOM, ISAKVO, .setup = set_up, .teardown = tear_down, \
        .data = &(const struct crowd_spec){ 100000, order, BOTH }

static const paired_workload rows[] = {
    { .name = ROW_SET_RANDOM_INDEPENDENT, .rival = &crowd_bare_independent, .run = set_each,
      .check = check, RANDOM(CROWD_AT_RANDOM) },
    { .name = ROW_SET_RANDOM_DEPENDENT, .rival = &crowd_bare_dependent, .run = follow,
      .check = check_chain, RANDOM(CROWD_IN_CHAIN) },
    CROWD(1, "in-order", CROWD_IN_ORDER),
    CROWD(1000, "in-order", CROWD_IN_ORDER),
    CROWD(100000, "in-order", CROWD_IN_ORDER),
    CROWD(1000000, "in-order", CROWD_IN_ORDER),
    CROWD(1, "at-random", CROWD_AT_RANDOM),
    CROWD(1000, "at-random", CROWD_AT_RANDOM),
    CROWD(100000, "at-random", CROWD_AT_RANDOM),
    CROWD(1000000, "at-random", CROWD_AT_RANDOM),
};

struct row_list crowd_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
