// Threads that keep a great population of observed objects turning over, for so many seconds.
//
// Holds: memory is flat once the population stands; nobody is told behind release; an object that
//        one thread alone sets tells each observer of each set once; in the end nothing is left.
// Arguments: seconds; threads; objects; the number that the random acts begin from.
// Output:    memory over time, and how much was made.
#include <inttypes.h>
#include <malloc.h>
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

enum { MOST_THREADS = 64, MOST = 3, SAMPLES = 40 };

static isa_class person_class, node_class, observer_class;
static int is_over; // atomic builtins

static void note_misuse(const isa_error *error, void *context)
{
    (void)context;
    fail(error->reason);
}

static kvo_function function_of(struct watched *watched)
{
    return (kvo_function){told, watched, release};
}

// ---- the population -----------------------------------------------------------------------------

struct registration {
    kvo_token token; // NULL: there is none
    struct watched *watched;
    int64_t sets; // since it began
};

// A place in the population, whose object its thread replaces. Others may set the object of an even
// place: whoever comes to the place first holds it for as long as it takes to retain.
struct place {
    isa_id object;
    isa_weak weak;
    struct registration registrations[MOST];
    char is_held, is_weak;
};

static struct place *places;
static size_t place_count;

static void hold(struct place *place)
{
    while (__atomic_exchange_n(&place->is_held, 1, __ATOMIC_ACQUIRE)) continue;
}

static void let_go(struct place *place)
{
    __atomic_store_n(&place->is_held, 0, __ATOMIC_RELEASE);
}

// A thread, its places, its random numbers, and how much it has made.
struct worker {
    pthread_t thread;
    uint64_t random;
    size_t first, count;
    int number;
    int64_t objects, registrations, sets, classes;
};

static uint64_t draw(struct worker *worker, uint64_t limit)
{
    return draw_number(&worker->random, limit);
}

static struct place *draw_own(struct worker *worker)
{
    return &places[worker->first + draw(worker, worker->count)];
}

static bool is_private(const struct place *place)
{
    return (place - places) % 2 == 1;
}

static void set(struct worker *worker, struct place *place)
{
    isa_test_set_age(place->object, (int64_t)draw(worker, 100));
    for (int i = 0; i < MOST; i++) place->registrations[i].sets++;
    worker->sets++;
}

// The info goes with the object, if that goes first.
static void compare(const struct place *place, const struct registration *registration)
{
    if (registration->token == NULL || !is_private(place)) return;
    int64_t deliveries = __atomic_load_n(&registration->watched->told, __ATOMIC_RELAXED);
    if (deliveries != registration->sets) fail("not told once");
}

static void end_registration(struct registration *registration)
{
    if (registration->token == NULL) return;
    kvo_token_invalidate(registration->token);
    kvo_token_release(registration->token);
    registration->token = NULL;
}

static void observe(struct worker *worker, const struct place *place,
                    struct registration *registration)
{
    static const kvo_options options[] = {0, KVO_OPTION_NEW, KVO_OPTION_OLD | KVO_OPTION_NEW};
    registration->watched = new_watched();
    registration->sets = 0;
    kvo_function function = function_of(registration->watched);
    must(kvo_observe(place->object, "age", options[draw(worker, 3)], &function, NULL,
                     &registration->token));
    worker->registrations++;
}

static void associate(struct worker *worker, const struct place *place)
{
    isa_id value = draw(worker, 2) == 0 ? NULL : make(observer_class);
    must(isa_object_set_associated(place->object, &places, value, ISA_ASSOCIATION_RETAIN));
    isa_object_release(value);
    worker->objects += value != NULL;
}

static void empty(struct worker *worker, struct place *place)
{
    bool ends_first = draw(worker, 2) == 0;
    for (int i = 0; i < MOST; i++) {
        compare(place, &place->registrations[i]);
        if (ends_first) end_registration(&place->registrations[i]);
    }
    hold(place);
    isa_id object = place->object;
    place->object = NULL;
    let_go(place);
    isa_object_release(object);
    for (int i = 0; i < MOST; i++) end_registration(&place->registrations[i]);
    if (place->is_weak) isa_weak_destroy(&place->weak);
    place->is_weak = 0;
}

static void fill(struct worker *worker, struct place *place)
{
    isa_id object = make(person_class);
    hold(place);
    place->object = object;
    let_go(place);
    worker->objects++;
    for (uint64_t i = draw(worker, MOST + 1); i > 0; i--)
        observe(worker, place, &place->registrations[i - 1]);
    associate(worker, place);
    if (draw(worker, 8) == 0) {
        must(isa_weak_init(&place->weak, object));
        place->is_weak = 1;
    }
}

// ---- acts ---------------------------------------------------------------------------------------

static void replace(struct worker *worker)
{
    struct place *place = draw_own(worker);
    empty(worker, place);
    fill(worker, place);
}

static void observe_anew(struct worker *worker)
{
    struct place *place = draw_own(worker);
    struct registration *registration = &place->registrations[draw(worker, MOST)];
    if (registration->token == NULL) return;
    compare(place, registration);
    end_registration(registration);
    observe(worker, place, registration);
}

static void set_own(struct worker *worker)
{
    struct place *place = draw_own(worker);
    for (int i = 0; i < 4; i++) set(worker, place);
}

// The owner may give the object up meanwhile: then it dies here.
static void set_anyones(struct worker *worker)
{
    struct place *place = &places[draw(worker, place_count / 2) * 2];
    hold(place);
    isa_id object = isa_object_retain(place->object);
    let_go(place);
    if (object == NULL) return;
    isa_test_set_age(object, 1);
    isa_object_release(object);
    worker->sets++;
}

static void associate_own(struct worker *worker)
{
    associate(worker, draw_own(worker));
}

static void read_weak(struct worker *worker)
{
    struct place *place = draw_own(worker);
    if (!place->is_weak) return;
    isa_id copy = isa_weak_copy(&place->weak);
    if (copy != place->object) fail("a weak reference is lost");
    isa_object_release(copy);
}

// A path to an object of the population, and an observer object that dies before it is removed.
static void follow(struct worker *worker)
{
    struct place *place = draw_own(worker);
    isa_id root = make(node_class), observer = make(observer_class);
    kvo_function function = function_of(new_watched());
    isa_test_observer_set(observer, &function);
    must(kvc_set_value(root, "child", place->object));
    must(kvo_add_observer(root, observer, "child.age", KVO_OPTION_NEW, NULL));
    set(worker, place);
    isa_object_release(observer);
    isa_object_release(root);
    worker->objects += 2;
    worker->registrations++;
}

static void use_class(struct worker *worker)
{
    char name[32];
    isa_class cls;
    snprintf(name, sizeof name, "Own%d", worker->number);
    must(isa_test_person_make(name, &cls));
    isa_id object = make(cls);
    kvo_function function = function_of(new_watched());
    kvo_token token;
    must(kvo_observe(object, "height", 0, &function, NULL, &token));
    isa_test_set_height(object, 1);
    isa_object_release(object);
    kvo_token_release(token);
    must(isa_class_pair_dispose(cls));
    worker->classes++;
    worker->objects++;
    worker->registrations++;
}

static const struct act {
    void (*make)(struct worker *worker);
    unsigned weight;
} acts[] = {
    {replace, 100}, {observe_anew, 200}, {set_own, 200}, {set_anyones, 200},
    {read_weak, 50}, {follow, 30}, {associate_own, 10}, {use_class, 1},
};
enum { ACTS = sizeof acts / sizeof *acts };

static void act(struct worker *worker)
{
    unsigned total = 0;
    for (size_t i = 0; i < ACTS; i++) total += acts[i].weight;
    unsigned drawn = (unsigned)draw(worker, total);
    size_t which = 0;
    while (drawn >= acts[which].weight) drawn -= acts[which++].weight;
    acts[which].make(worker);
}

static pthread_barrier_t stands;

static void *work(void *context)
{
    struct worker *worker = context;
    for (size_t i = 0; i < worker->count; i++) fill(worker, &places[worker->first + i]);
    pthread_barrier_wait(&stands);
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) act(worker);
    pthread_barrier_wait(&stands);
    for (size_t i = 0; i < worker->count; i++) empty(worker, &places[worker->first + i]);
    return NULL;
}

// ---- the run ------------------------------------------------------------------------------------

static double resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) abort();
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

// The memory of the process, and the part that is the core's, in MiB.
struct sample {
    double resident, core;
};

static struct sample measure(void)
{
    isa_live_counts counts = isa_testing_live_counts();
    return (struct sample){resident(), (double)counts.bytes / (1 << 20)};
}

static struct sample most(const struct sample *samples, int count)
{
    struct sample most = {0};
    for (int i = 0; i < count; i++) {
        if (samples[i].resident > most.resident) most.resident = samples[i].resident;
        if (samples[i].core > most.core) most.core = samples[i].core;
    }
    return most;
}

// The first quarter lets the allocator find its size.
static void check_flat(const struct sample *samples)
{
    enum { QUARTER = SAMPLES / 4 };
    struct sample early = most(samples + QUARTER, QUARTER);
    struct sample late = most(samples + 3 * QUARTER, QUARTER);
    if (late.resident > early.resident * 1.02) fail("the process's memory grows");
    if (late.core > early.core * 1.02) fail("the core's memory grows");
}

static void run(struct worker *workers, int count, double seconds, uint64_t seed)
{
    struct sample samples[SAMPLES];
    pthread_barrier_init(&stands, NULL, (unsigned)count + 1);
    for (int i = 0; i < count; i++) {
        size_t share = place_count / (size_t)count;
        workers[i].number = i;
        workers[i].first = (size_t)i * share;
        workers[i].count = i == count - 1 ? place_count - workers[i].first : share;
        workers[i].random = (seed + (uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) abort();
    }
    pthread_barrier_wait(&stands);
    printf("%8s %14s %10s\n", "seconds", "resident, MiB", "core, MiB");
    for (int i = 0; i < SAMPLES; i++) {
        usleep((useconds_t)(seconds / SAMPLES * 1e6));
        samples[i] = measure();
        if (i % (SAMPLES / 8) != SAMPLES / 8 - 1) continue;
        printf("%8.0f %14.1f %10.1f\n", seconds / SAMPLES * (i + 1), samples[i].resident,
               samples[i].core);
        fflush(stdout);
    }
    check_flat(samples);
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    pthread_barrier_wait(&stands);
    for (int i = 0; i < count; i++) pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&stands);
}

int main(int count, char **words)
{
    double seconds = count > 1 ? atof(words[1]) : 10;
    int threads = count > 2 ? atoi(words[2]) : 4;
    place_count = count > 3 ? strtoul(words[3], NULL, 10) : 1000000;
    uint64_t seed = count > 4 ? strtoull(words[4], NULL, 10) : (uint64_t)time(NULL);
    static struct worker workers[MOST_THREADS];
    struct worker sum = {0};
    if (threads < 1 || threads > MOST_THREADS || place_count < 2 * (size_t)threads) return 2;
    places = calloc(place_count, sizeof *places);
    if (places == NULL) abort();
    isa_set_misuse_handler(note_misuse, NULL);
    isa_live_counts before = isa_testing_live_counts();
    must(isa_test_person_make("Inhabitant", &person_class));
    must(isa_test_node_make("Root", &node_class));
    must(isa_test_observer_make("Watcher", &observer_class));
    printf("%d threads, %zu objects, seed %" PRIu64 "\n", threads, place_count, seed);
    run(workers, threads, seconds, seed);
    must(isa_class_pair_dispose(person_class));
    must(isa_class_pair_dispose(node_class));
    must(isa_class_pair_dispose(observer_class));
    free(places);
    check_left(before);
    malloc_trim(0);
    struct sample after = measure();
    printf("%8s %14.1f %10.1f\n", "ended", after.resident, after.core);
    for (int i = 0; i < threads; i++) {
        sum.objects += workers[i].objects, sum.registrations += workers[i].registrations;
        sum.sets += workers[i].sets, sum.classes += workers[i].classes;
    }
    printf("%" PRId64 " objects, %" PRId64 " registrations, %" PRId64 " sets, %" PRId64
           " classes\n%d violations\n", sum.objects, sum.registrations, sum.sets, sum.classes,
           (int)violations);
    return violations > 0;
}
