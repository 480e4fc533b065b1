// Begins with one thread, observes, and goes on with two: what was counted and locked without a
// locked instruction must be right with them. Built by itself, since a test runner has threads from
// the start.
#include <kvo.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 20000 };

static isa_id shared;
static isa_sel set_age;

static void told(const kvo_change *change, void *info)
{
    __atomic_fetch_add((int64_t *)info, *(const int64_t *)change->new_value.address,
                       __ATOMIC_RELAXED);
}

// Sets, observes and stops, retains and releases; answers how often something failed.
static intptr_t work(void)
{
    int64_t sum = 0;
    intptr_t failures = 0;
    const kvo_function observer = {told, &sum, NULL};
    for (int64_t i = 0; i < ROUNDS; i++) {
        kvo_token token;
        isa_object_retain(shared);
        failures += kvo_observe(shared, "age", KVO_OPTION_NEW, &observer, NULL, &token) != ISA_OK;
        ISA_SEND(void (*)(isa_id, isa_sel, int64_t), shared, set_age, 1);
        failures += !kvo_token_invalidate_and_wait(token);
        kvo_token_release(token);
        isa_object_release(shared);
    }
    return failures + (sum < ROUNDS);
}

static void *run(void *unused)
{
    (void)unused;
    return (void *)work();
}

// A thread that begins inside a callback, while its change is under way.
static void start_thread(const kvo_change *change, void *info)
{
    (void)change;
    pthread_t *thread = info;
    if (*thread == 0 && pthread_create(thread, NULL, run, NULL) != 0) *thread = 0;
}

static isa_status make(void)
{
    isa_class person;
    isa_status status = isa_class_pair_allocate(isa_root_class(), "Person", &person);
    if (status == ISA_OK)
        status = isa_class_synthesize(person, &(isa_property_info){.name = "age", .types = "q"});
    if (status == ISA_OK) status = isa_class_pair_register(person);
    if (status == ISA_OK) status = isa_object_allocate(person, &shared);
    set_age = isa_sel_register("setAge:");
    return status;
}

int main(void)
{
    pthread_t thread = 0;
    void *failed = NULL;
    kvo_token token;
    const kvo_function starter = {start_thread, &thread, NULL};
    if (make() != ISA_OK) return fprintf(stderr, "%s\n", isa_last_error()->reason);
    intptr_t failures = work();
    if (kvo_observe(shared, "age", 0, &starter, NULL, &token) != ISA_OK) return 1;
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), shared, set_age, 1);
    failures += work();
    failures += thread == 0 || pthread_join(thread, &failed) != 0;
    failures += (intptr_t)failed + work();
    kvo_token_release(token);
    size_t count = isa_object_retain_count(shared);
    isa_object_release(shared);
    return printf("failures: %d, references: %zu\n", (int)failures, count) < 0;
}
