// The program that rows are measured in, once a process: what a row has around it where it is not
// alone.
//
// - 2 000 pairs of a class and a key are in use: 100 classes of 20 properties each, an instance of
//   each class observed under all its keys, each pair set by message and by key and read by key.
// - 100 000 objects of these classes are alive and observed, each under one key.
// - A second thread has registered observers of 1 000 objects of its own, and sets 50 of them every
//   millisecond. It sleeps in between, on a quiet machine on another processor than the measured
//   thread: it takes about a thirtieth of that.
//
// When all rows are measured the thread is joined, each object is set once more, and what the
// observers heard is held against what was set.
#include "surroundings.h"

#include "companion.h"
#include "engine_workloads.h"

#include <stdlib.h>

enum { ALIVE_COUNT = 100000, OWN_COUNT = 1000, SETS_A_ROUND = 50 };
static const uint64_t round_ns = 1000000;

// The second thread's own things. Nobody else touches them while the thread runs.
struct own {
    isa_class cls;
    isa_sel set_age;
    isa_id persons[OWN_COUNT];
    kvo_token tokens[OWN_COUNT];
    struct heard heard;
    uint64_t set; // how many values: 0, 1, 2, …
    uint64_t failures;
};

struct program {
    struct vocabulary vocabulary;
    isa_id *alive; // of the classes and keys in turn
    kvo_token *tokens;
    struct heard heard; // of those
    struct own own;
    struct companion companion;
};

static struct program *program;

struct vocabulary *surroundings_vocabulary(void)
{
    return program != NULL ? &program->vocabulary : NULL;
}

// ---- objects that are alive ---------------------------------------------------------------------

// One class after the other, so that neighbours in memory are of different classes.
static const struct pair *pair_of(size_t object)
{
    size_t cls = object % VOCABULARY_CLASS_COUNT;
    size_t key = object / VOCABULARY_CLASS_COUNT % KEYS_PER_CLASS;
    return &program->vocabulary.pairs[cls * KEYS_PER_CLASS + key];
}

static bool make_alive(size_t i)
{
    isa_class cls = program->vocabulary.classes[i % VOCABULARY_CLASS_COUNT];
    isa_status status = isa_object_allocate(cls, &program->alive[i]);
    if (status == ISA_OK)
        status = observe_into(&program->heard, program->alive[i], pair_of(i)->key, BOTH,
                              &program->tokens[i]);
    if (status != ISA_OK) paired_reason("an observed object: %s", isa_last_error()->reason);
    return status == ISA_OK;
}

static bool open_alive(void)
{
    program->alive = calloc(ALIVE_COUNT, sizeof *program->alive);
    program->tokens = calloc(ALIVE_COUNT, sizeof *program->tokens);
    if (program->alive == NULL || program->tokens == NULL) return false;
    for (size_t i = 0; i < ALIVE_COUNT; i++)
        if (!make_alive(i)) return false;
    return true;
}

// Each is set to its number, over 0, and heard of.
static bool check_alive(void)
{
    for (size_t i = 0; i < ALIVE_COUNT; i++)
        ISA_SEND(set_integer, program->alive[i], pair_of(i)->setter, (int64_t)i);
    if (program->heard.count == ALIVE_COUNT && program->heard.sum == paired_sum(ALIVE_COUNT))
        return true;
    paired_reason("%d objects were set and %llu heard of, or other values were", ALIVE_COUNT,
                  (unsigned long long)program->heard.count);
    return false;
}

static void close_alive(void)
{
    for (size_t i = 0; i < ALIVE_COUNT; i++) {
        kvo_token_release(program->tokens[i]);
        isa_object_release(program->alive[i]);
    }
    free(program->tokens);
    free(program->alive);
}

// ---- the second thread --------------------------------------------------------------------------

static void open_own(struct own *own)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        own->persons[i] = model_allocate(own->cls);
        if (own->persons[i] == NULL) abort();
        own->failures += observe_into(&own->heard, own->persons[i], "age", BOTH,
                                      &own->tokens[i]) != ISA_OK;
    }
}

static void set_own(void *context)
{
    struct own *own = context;
    if (own->persons[0] == NULL) open_own(own);
    for (size_t i = 0; i < SETS_A_ROUND; i++, own->set++)
        send_age(own->persons[own->set % OWN_COUNT], own->set_age, (int64_t)own->set);
}

static bool check_own(const struct own *own)
{
    return own->failures == 0 && has_heard_in_turn(&own->heard, BOTH, own->set, OWN_COUNT);
}

static bool close_own(struct own *own)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        kvo_token_release(own->tokens[i]);
        isa_object_release(own->persons[i]);
    }
    return model_dispose(own->cls);
}

static bool start_thread(void)
{
    struct own *own = &program->own;
    own->cls = model_make_person();
    own->set_age = model_selectors().set_age;
    return own->cls != NULL &&
           companion_start(&program->companion, set_own, own, round_ns);
}

// ---- start and stop -----------------------------------------------------------------------------

static bool start(void)
{
    program = calloc(1, sizeof *program);
    return program != NULL && vocabulary_open(&program->vocabulary) &&
           vocabulary_use(&program->vocabulary) && open_alive() && start_thread();
}

static bool stop(void)
{
    companion_stop(&program->companion);
    bool is_right = vocabulary_has_heard(&program->vocabulary) && check_alive() &&
                    check_own(&program->own);
    close_alive();
    is_right &= close_own(&program->own);
    is_right &= vocabulary_close(&program->vocabulary);
    free(program);
    program = NULL;
    return is_right;
}

const paired_surroundings *engine_surroundings(void)
{
    static const paired_surroundings surroundings = { start, stop };
    return &surroundings;
}
