// The bare programs beside the rows of a random object of 100 000: what a set of an object that is
// not in the cache costs where nothing is done but the unavoidable, see limit.c.
//
// They touch the same lines of memory as the library: for each object three blocks of the same size
// as the library's, asked for in the same order, and of each the words that a set there reads or
// writes. The object has its class, the address of the record, the value and the address of the
// next object. The record has the word that leads to the only registration. The registration has
// the key, whether it stands, and the function with its info.
#include "crowd.h"

#include "limit.h"

#include <assert.h>
#include <stdlib.h>

enum { CROWD_COUNT = 100000 };

struct bare_registration {
    struct bare_record *record;
    uint32_t is_valid;
    uint32_t references;
    const char *key;
    kvo_callback callback;
    void *info;
};

struct bare_record {
    uint64_t holders;
    struct bare_person *person;
    uint64_t count;
    struct bare_registration *only;
    void *extras;
};

struct bare_person {
    struct limit_object object;
    struct bare_record *record;
    int64_t age;
    struct bare_person *next_set;
    void *next;
    int64_t height;
};

static_assert(sizeof(struct bare_record) == 40 && sizeof(struct bare_registration) == 40,
              "the sizes of the library's own");

struct bare_crowd {
    struct limit_model model;
    struct bare_person **persons; // in the order in which they are set
    struct bare_person *next;     // in a chain
    struct heard heard;
    uint64_t set;
};

static const char *const age_key = "age";

static void set_age(struct limit_object *self, const struct limit_selector *sel, int64_t age)
{
    (void)sel;
    ((struct bare_person *)self)->age = age;
}

static void set_notifying(struct limit_object *self, const struct limit_selector *sel,
                          int64_t value)
{
    const struct limit_record *record = limit_record_of(self, sel);
    const int64_t *place = (const int64_t *)((const char *)self + record->offset);
    const struct bare_record *side = ((struct bare_person *)self)->record;
    limit_mark_enter(side);
    const struct bare_registration *only = __atomic_load_n(&side->only, __ATOMIC_ACQUIRE);
    int64_t old = *place;
    record->original(self, sel, value);
    int64_t new = *place;
    kvo_change change = limit_change(self, record, &old, &new);
    if (only->key == record->key && __atomic_load_n(&only->is_valid, __ATOMIC_ACQUIRE))
        only->callback(&change, only->info);
    limit_mark_leave();
}

static void hear(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += sum_of_both((uint64_t)*(const int64_t *)change->new_value.address,
                              (uint64_t)*(const int64_t *)change->old_value.address);
}

// ---- the crowd ----------------------------------------------------------------------------------

static struct bare_person *make_person(struct bare_crowd *crowd)
{
    struct bare_person *person = calloc(1, sizeof *person);
    struct bare_record *record = calloc(1, sizeof *record);
    struct bare_registration *registration = calloc(1, sizeof *registration);
    if (person == NULL || record == NULL || registration == NULL) abort();
    *registration = (struct bare_registration){ .record = record, .is_valid = 1, .references = 2,
                                                .key = age_key, .callback = hear,
                                                .info = &crowd->heard };
    *record = (struct bare_record){ .holders = 2, .person = person, .only = registration };
    person->object.cls = &crowd->model.cls;
    person->record = record;
    return person;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    struct bare_crowd *crowd = calloc(1, sizeof *crowd);
    *context = crowd;
    (void)self;
    if (crowd == NULL) return PAIRED_FAILED;
    limit_build(&crowd->model, set_notifying,
                (struct limit_record){ set_age, offsetof(struct bare_person, age), age_key });
    crowd->persons = calloc(CROWD_COUNT, sizeof *crowd->persons);
    if (crowd->persons == NULL) return PAIRED_FAILED;
    for (size_t i = 0; i < CROWD_COUNT; i++) crowd->persons[i] = make_person(crowd);
    crowd_shuffle((void **)crowd->persons, CROWD_COUNT);
    for (size_t i = 0; i < CROWD_COUNT; i++)
        crowd->persons[i]->next_set = crowd->persons[(i + 1) % CROWD_COUNT];
    crowd->next = crowd->persons[0];
    return PAIRED_READY;
}

static void set_each(void *context, uint64_t count)
{
    struct bare_crowd *crowd = context;
    uint64_t first = crowd->set, end = first + count;
    size_t place = (size_t)(first % CROWD_COUNT);
    for (uint64_t i = first; i < end; i++) {
        limit_send(&crowd->persons[place]->object, &crowd->model.sel, (int64_t)i);
        if (++place == CROWD_COUNT) place = 0;
    }
    crowd->set = end;
}

static void follow(void *context, uint64_t count)
{
    struct bare_crowd *crowd = context;
    struct bare_person *person = crowd->next;
    uint64_t first = crowd->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        limit_send(&person->object, &crowd->model.sel, (int64_t)i);
        person = person->next_set;
    }
    crowd->next = person;
    crowd->set = end;
}

static bool check(void *context, uint64_t count)
{
    struct bare_crowd *crowd = context;
    return has_heard_in_turn(&crowd->heard, BOTH, count, CROWD_COUNT);
}

static bool check_chain(void *context, uint64_t count)
{
    struct bare_crowd *crowd = context;
    return check(context, count) && crowd->next == crowd->persons[count % CROWD_COUNT];
}

static void tear_down(void *context)
{
    struct bare_crowd *crowd = context;
    for (size_t i = 0; i < CROWD_COUNT; i++) {
        free(crowd->persons[i]->record->only);
        free(crowd->persons[i]->record);
        free(crowd->persons[i]);
    }
    free(crowd->persons);
    free(crowd);
}

#define BARE(row) \
    .name = row, .subject = "limit", .language = "C", .group = PAIRED_LIMIT, .setup = set_up, \
        .teardown = tear_down

const paired_workload crowd_bare_independent = { BARE(ROW_SET_RANDOM_INDEPENDENT), .run = set_each,
                                                 .check = check };
const paired_workload crowd_bare_dependent = { BARE(ROW_SET_RANDOM_DEPENDENT), .run = follow,
                                               .check = check_chain };
