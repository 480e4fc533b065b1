// Threads: the litmus tests of reclamation, and changes beside observers that come and go.
#include <pthread.h>

#include "check.h"
#include "litmus.h"
#include "observer.h"
#include "person.h"

enum { LITMUS_ROUNDS = 300, ROUNDS = 2000, SETTERS = 2, ENDERS = 2 };

static void check_litmus(bool fences)
{
    const isa_test_litmus results[] = {
        isa_test_litmus_checks(LITMUS_ROUNDS, fences),
        isa_test_litmus_callouts(LITMUS_ROUNDS, fences),
        isa_test_litmus_readers(LITMUS_ROUNDS, fences),
        isa_test_litmus_census(LITMUS_ROUNDS, true, fences),
        isa_test_litmus_census(LITMUS_ROUNDS, false, fences),
        isa_test_litmus_new_records(LITMUS_ROUNDS, fences),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        CHECK(results[i].violations == 0 && results[i].left == 0);
}

static isa_id person;

static void *set_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) isa_test_set_age(person, i);
    return NULL;
}

// Observes and ends; no notification comes after the end.
static void *end_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS / 4; i++) {
        isa_test_tally tally = {0};
        kvo_token token;
        must(kvo_observe(person, "age", KVO_OPTION_NEW,
                         &(kvo_function){isa_test_tally_change, &tally, isa_test_tally_release},
                         NULL, &token));
        CHECK(kvo_token_invalidate_and_wait(token));
        isa_test_tally_close(&tally);
        kvo_token_release(token);
        CHECK(isa_test_tally_read(&tally).late == 0);
        while (isa_test_tally_read(&tally).releases == 0) {}
    }
    return NULL;
}

// A registration that stays is told of every change.
static void check_stress(void)
{
    isa_class cls;
    isa_test_tally tally = {0};
    kvo_token token;
    pthread_t threads[SETTERS + ENDERS];
    must(isa_test_person_make("Shared", &cls));
    person = make_object(cls);
    must(kvo_observe(person, "age", 0, &(kvo_function){isa_test_tally_change, &tally, NULL}, NULL,
                     &token));
    for (int i = 0; i < SETTERS + ENDERS; i++)
        CHECK(pthread_create(&threads[i], NULL, i < SETTERS ? set_often : end_often, NULL) == 0);
    for (int i = 0; i < SETTERS + ENDERS; i++) pthread_join(threads[i], NULL);
    CHECK(isa_test_tally_read(&tally).changes == SETTERS * ROUNDS);
    kvo_token_release(token);
    isa_object_release(person);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

void check_threads(void)
{
    check_litmus(false);
    check_litmus(true);
    check_stress();
}
