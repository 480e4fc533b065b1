// Threads that do everything at once, on the same objects and on their own, for so many seconds.
//
// Holds: each set of a shared object is told once to the observer that stays; nothing is told
//        behind invalidate_and_wait, nor once what is told has been released; a private object's
//        observers are told of its sets alone, each once; in the end nothing is left.
// Arguments: seconds; threads; the number that the random acts begin from.
// Output:    how often each act was done.
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ground.h"
#include "node.h"
#include "observer.h"
#include "person.h"

enum { SHARED = 4, MOST_THREADS = 64, OWN = 24 };

static isa_class person_class, node_class, observer_class;
static isa_id shared[SHARED], leaving;
static int64_t misuses;
static int is_over; // atomic builtins, as the counts

static void note_misuse(const isa_error *error, void *context)
{
    (void)context;
    // A thread that ends in a callback is reported, and nothing else is.
    if (error->status != ISA_ERR_UNSUPPORTED) fail(error->reason);
    __atomic_fetch_add(&misuses, 1, __ATOMIC_RELAXED);
}

// ---- acts ---------------------------------------------------------------------------------------

// A thread, its random numbers, and how often it has done each act.
struct worker {
    pthread_t thread;
    uint64_t random;
    int64_t number;
    int64_t sets[SHARED];
    int64_t acts[16];
};

static uint64_t draw(struct worker *worker, uint64_t limit)
{
    return draw_number(&worker->random, limit);
}

static struct watched *watch(isa_id object, const char *path, kvo_options options,
                             kvo_token *token)
{
    struct watched *watched = new_watched();
    must(kvo_observe(object, path, options, &(kvo_function){told, watched, release}, NULL, token));
    return watched;
}

static void set(struct worker *worker)
{
    uint64_t which = draw(worker, SHARED);
    isa_test_set_age(shared[which], (int64_t)draw(worker, 100));
    worker->sets[which]++;
}

static void set_often(struct worker *worker)
{
    for (int i = 0; i < 200; i++) set(worker);
}

static void observe_shared(struct worker *worker)
{
    kvo_token token;
    const char *key = draw(worker, 2) == 0 ? "age" : "height";
    watch(shared[draw(worker, SHARED)], key, (kvo_options)draw(worker, 16), &token);
    set(worker);
    kvo_token_invalidate(token);
    kvo_token_release(token);
}

// A registration keeps what it is told with until the end is noted.
static void keep(void *info)
{
    (void)info;
}

static void observe_and_wait(struct worker *worker)
{
    struct watched watched = {.state = ALIVE};
    kvo_token token;
    must(kvo_observe(shared[draw(worker, SHARED)], "age", (kvo_options)draw(worker, 8),
                     &(kvo_function){told, &watched, keep}, NULL, &token));
    for (uint64_t i = draw(worker, 20); i > 0; i--) set(worker);
    kvo_token_invalidate_and_wait(token);
    __atomic_store_n(&watched.is_closed, 1, __ATOMIC_RELEASE);
    set(worker);
    kvo_token_release(token);
    __atomic_store_n(&watched.state, POISON, __ATOMIC_RELEASE);
}

// An observer object dies with its registration, or ends it.
static void observe_by_object(struct worker *worker)
{
    isa_id observer = make(observer_class), object = shared[draw(worker, SHARED)];
    struct watched *watched = new_watched();
    isa_test_observer_set(observer, &(kvo_function){told, watched, release});
    must(kvo_add_observer(object, observer, "age", KVO_OPTION_NEW, NULL));
    set(worker);
    if (draw(worker, 2) == 0) must(kvo_remove_observer(object, observer, "age"));
    isa_object_release(observer);
}

static void use_own(struct worker *worker, isa_class cls)
{
    enum { SETS = 5 };
    isa_id object = make(cls);
    kvo_token tokens[OWN];
    struct watched *watched[OWN];
    uint64_t count = 1 + draw(worker, OWN);
    for (uint64_t i = 0; i < count; i++) watched[i] = watch(object, "age", 0, &tokens[i]);
    for (int i = 0; i < SETS; i++) isa_test_set_age(object, i);
    for (uint64_t i = 0; i < count; i++)
        if (__atomic_load_n(&watched[i]->told, __ATOMIC_RELAXED) != SETS) fail("not told once");
    bool dies_first = draw(worker, 2) == 0;
    if (dies_first) isa_object_release(object);
    for (uint64_t i = count; i > 0; i--) kvo_token_release(tokens[i - 1]);
    if (!dies_first) isa_object_release(object);
}

static void use_own_object(struct worker *worker)
{
    use_own(worker, person_class);
}

static void use_own_class(struct worker *worker)
{
    char name[32];
    isa_class cls;
    snprintf(name, sizeof name, "Own%" PRId64, worker->number);
    must(isa_test_person_make(name, &cls));
    use_own(worker, cls);
    must(isa_class_pair_dispose(cls));
}

// A path of this thread's own object that leads to shared ones.
static void follow_path(struct worker *worker)
{
    kvo_token token;
    isa_id root = make(node_class);
    watch(root, "child.age", KVO_OPTION_OLD | KVO_OPTION_NEW, &token);
    for (int i = 0; i < 3; i++) {
        must(kvc_set_value(root, "child", shared[draw(worker, SHARED)]));
        set(worker);
    }
    must(kvc_set_value(root, "child", NULL));
    kvo_token_release(token);
    isa_object_release(root);
}

static void set_age_too(isa_id self, isa_sel sel, int64_t age)
{
    (void)sel;
    isa_test_poke_age(self, age);
}

// The setter's code is another under the threads that set, and is told of all the same.
static void replace_setter(struct worker *worker)
{
    static isa_imp usual;
    isa_sel sel = isa_sel_register("setAge:");
    isa_imp old = NULL, other = (isa_imp)set_age_too;
    isa_imp first = __atomic_load_n(&usual, __ATOMIC_ACQUIRE);
    if (first == NULL) first = isa_class_find_imp(person_class, sel);
    isa_imp next = draw(worker, 2) == 0 ? other : first;
    must(isa_class_replace_method(person_class, sel, next, "v@:q", &old));
    if (old != other) __atomic_store_n(&usual, old, __ATOMIC_RELEASE);
    set(worker);
}

static void add_method(struct worker *worker)
{
    char name[32];
    snprintf(name, sizeof name, "added%d", (int)draw(worker, 2000));
    isa_sel sel = isa_sel_register(name);
    must(isa_class_replace_method(person_class, sel, (isa_imp)set_age_too, "v@:q", NULL));
    if (!isa_object_responds_to(shared[0], sel)) fail("an added method is not found");
}

static void use_relations(struct worker *worker)
{
    isa_id object = shared[draw(worker, SHARED)], value = make(person_class);
    isa_weak weak;
    must(isa_weak_init(&weak, object));
    isa_id copy = isa_weak_copy(&weak);
    if (copy != object) fail("a weak reference is lost");
    must(isa_object_set_associated(copy, worker, value, ISA_ASSOCIATION_RETAIN));
    isa_object_release(value);
    value = isa_object_copy_associated(copy, worker);
    if (value == NULL) fail("an association is lost");
    isa_object_release(value);
    must(isa_object_set_associated(copy, worker, NULL, ISA_ASSOCIATION_RETAIN));
    isa_object_release(copy);
    isa_weak_destroy(&weak);
}

static void share_observers(struct worker *worker)
{
    kvo_shared_observers observers;
    struct watched *watched = new_watched();
    isa_id object = make(person_class);
    must(kvo_shared_observers_make(person_class, &observers));
    must(kvo_shared_observers_add_function(observers, &(kvo_function){told, watched, release},
                                           "age", 0, NULL));
    must(kvo_set_shared_observers(object, observers));
    for (int i = 0; i < 3; i++) isa_test_set_age(object, i);
    if (__atomic_load_n(&watched->told, __ATOMIC_RELAXED) != 3) fail("not told once by sharing");
    kvo_shared_observers_release(observers);
    isa_object_release(object);
    set(worker);
}

static void look(struct worker *worker)
{
    isa_id object = shared[draw(worker, SHARED)], value;
    must(kvc_copy_value(object, "age", &value));
    isa_object_release(value);
    kvo_registration_info *registrations;
    size_t count;
    must(kvo_copy_registrations(object, &registrations, &count));
    if (count == 0) fail("the observer that stays is not shown");
    isa_free(registrations);
}

// ---- threads that end inside --------------------------------------------------------------------

static void leave(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    pthread_exit(NULL);
}

static void *end_inside(void *way)
{
    kvo_token token;
    if (way == NULL) {
        must(kvo_observe(leaving, "age", 0, &(kvo_function){leave, NULL, NULL}, NULL, &token));
        kvo_token_invalidate(token);
        kvo_token_release(token);
        return NULL;
    }
    isa_test_set_age(leaving, 1); // the observer that is there ends this thread
    fail("a thread goes on behind pthread_exit");
    return NULL;
}

static void end_threads(struct worker *worker)
{
    pthread_t thread;
    void *way = draw(worker, 4) == 0 ? worker : NULL;
    if (pthread_create(&thread, NULL, end_inside, way) == 0) pthread_join(thread, NULL);
}

// ---- the run ------------------------------------------------------------------------------------

static const struct act {
    const char *name;
    void (*make)(struct worker *worker);
    unsigned weight;
} acts[] = {
    {"runs of 200 sets", set_often, 20},
    {"observers ended", observe_shared, 40},
    {"observers ended and waited for", observe_and_wait, 30},
    {"observer objects", observe_by_object, 20},
    {"objects of one thread", use_own_object, 20},
    {"classes made and disposed of", use_own_class, 4},
    {"key paths to shared objects", follow_path, 15},
    {"setters replaced", replace_setter, 3},
    {"methods added", add_method, 3},
    {"weak and associated objects", use_relations, 10},
    {"shared observers", share_observers, 10},
    {"reads", look, 20},
    {"threads that end", end_threads, 2},
};
enum { ACTS = sizeof acts / sizeof *acts };

static size_t draw_act(struct worker *worker)
{
    unsigned total = 0;
    for (size_t i = 0; i < ACTS; i++) total += acts[i].weight;
    unsigned drawn = (unsigned)draw(worker, total);
    size_t act = 0;
    while (drawn >= acts[act].weight) drawn -= acts[act++].weight;
    return act;
}

static void *work(void *context)
{
    struct worker *worker = context;
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
        size_t act = draw_act(worker);
        acts[act].make(worker);
        worker->acts[act]++;
    }
    return NULL;
}

static void run(struct worker *workers, int count, unsigned seconds, uint64_t seed)
{
    for (int i = 0; i < count; i++) {
        workers[i].number = i;
        workers[i].random = (seed + (uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) abort();
    }
    sleep(seconds);
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < count; i++) pthread_join(workers[i].thread, NULL);
}

static void begin(struct watched *staying[SHARED], kvo_token tokens[SHARED + 1])
{
    must(isa_test_person_make("Shared", &person_class));
    must(isa_test_node_make("Root", &node_class));
    must(isa_test_observer_make("Watcher", &observer_class));
    for (int i = 0; i < SHARED; i++) {
        shared[i] = make(person_class);
        staying[i] = watch(shared[i], "age", 0, &tokens[i]);
    }
    leaving = make(person_class);
    must(kvo_observe(leaving, "age", 0, &(kvo_function){leave, NULL, NULL}, NULL,
                     &tokens[SHARED]));
}

static int64_t end(struct watched *staying[SHARED], kvo_token tokens[SHARED + 1],
                   const struct worker *workers, int count)
{
    int64_t total = 0;
    for (int i = 0; i < SHARED; i++) {
        int64_t sets = 0;
        for (int w = 0; w < count; w++) sets += workers[w].sets[i];
        if (staying[i]->told != sets) fail("sets and deliveries differ");
        total += sets;
    }
    for (int i = 0; i <= SHARED; i++) kvo_token_release(tokens[i]);
    for (int i = 0; i < SHARED; i++) isa_object_release(shared[i]);
    isa_object_release(leaving);
    must(isa_class_pair_dispose(person_class));
    must(isa_class_pair_dispose(node_class));
    must(isa_class_pair_dispose(observer_class));
    return total;
}

int main(int count, char **words)
{
    unsigned seconds = count > 1 ? (unsigned)atoi(words[1]) : 10;
    int threads = count > 2 ? atoi(words[2]) : 6;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : (uint64_t)time(NULL);
    static struct worker workers[MOST_THREADS];
    struct watched *staying[SHARED];
    kvo_token tokens[SHARED + 1];
    if (threads < 1 || threads > MOST_THREADS) return 2;
    isa_set_misuse_handler(note_misuse, NULL);
    isa_live_counts before = isa_testing_live_counts();
    begin(staying, tokens);
    run(workers, threads, seconds, seed);
    int64_t told = end(staying, tokens, workers, threads);
    check_left(before);
    printf("%d threads, %u seconds, seed %" PRIu64 ": %" PRId64 " sets of shared objects, each told"
           " once\n", threads, seconds, seed, told);
    for (size_t a = 0; a < ACTS; a++) {
        int64_t done = 0;
        for (int w = 0; w < threads; w++) done += workers[w].acts[a];
        printf("%12" PRId64 " %s\n", done, acts[a].name);
    }
    printf("%12" PRId64 " changes that a thread's end left\n", misuses);
    printf("%d violations\n", (int)violations);
    return violations > 0;
}
