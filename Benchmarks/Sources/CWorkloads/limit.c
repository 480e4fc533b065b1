// The limit: what a setter that tells observers cannot do without, in a program that does nothing
// else. Rows of the same names as the engine's stand beside them under the subject `limit`.
//
// Kept of the contract: the setter is found by dispatch through the isa, its record through the isa
// and the selector, the observers through the object; a mark of this thread's protects the list
// while it is read; old and new are read in place, and each observer is told through a pointer,
// with a change record like the engine's, unless its registration has ended meanwhile.
#include "limit.h"

#include "engine_workloads.h"
#include "stage.h"

#include <stdlib.h>

struct limit_entry {
    const char *key;
    kvo_callback callback;
    void *info;
    void *context;
    bool is_valid;
};

struct limit_list {
    size_t count;
    bool wants_old, wants_new;
    struct limit_entry entries[];
};

struct person_with_list {
    struct limit_object object;
    struct limit_list *observers;
    int64_t age;
};

_Thread_local const void *limit_mark;
static const char *const age_key = "age";

static void set_age(struct limit_object *self, const struct limit_selector *sel, int64_t age)
{
    (void)sel;
    ((struct person_with_list *)self)->age = age;
}

static void tell(const struct limit_list *list, const char *key, kvo_change *change)
{
    const struct limit_entry *entry = list->entries + list->count;
    while (entry-- != list->entries) {
        if (entry->key != key || !__atomic_load_n(&entry->is_valid, __ATOMIC_ACQUIRE)) continue;
        change->context = entry->context;
        entry->callback(change, entry->info);
    }
}

static void set_notifying(struct limit_object *self, const struct limit_selector *sel,
                          int64_t value)
{
    const struct limit_record *record = limit_record_of(self, sel);
    const struct limit_list *list =
        __atomic_load_n(&((struct person_with_list *)self)->observers, __ATOMIC_ACQUIRE);
    const int64_t *place = (const int64_t *)((const char *)self + record->offset);
    limit_mark_enter(list);
    int64_t old = list->wants_old ? *place : 0;
    record->original(self, sel, value);
    // Observers are told the value at this moment, which may change again while they are.
    int64_t new = list->wants_new ? *place : 0;
    kvo_change change = limit_change(self, record, &old, &new);
    tell(list, record->key, &change);
    limit_mark_leave();
}

// ---- the stage ----------------------------------------------------------------------------------

struct limit_stage {
    struct person_with_list person;
    struct limit_model model;
    uint64_t set;
    struct heard *heard;
};

void limit_build(struct limit_model *model, limit_setter setter, struct limit_record record)
{
    model->record = record;
    model->records[0] = &model->record;
    model->page[0] = setter;
    model->pages[0] = model->page;
    model->cls = (struct limit_class){ model->pages, model->records };
}

static void hear(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += sum_of_both((uint64_t)*(const int64_t *)change->new_value.address,
                              (uint64_t)*(const int64_t *)change->old_value.address);
}

static void make_person(struct limit_stage *stage, bool is_observed)
{
    limit_build(&stage->model, is_observed ? set_notifying : set_age,
                (struct limit_record){ set_age, offsetof(struct person_with_list, age), age_key });
    stage->person.object.cls = &stage->model.cls;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    size_t count = *(const size_t *)self->data;
    struct limit_stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL) return PAIRED_FAILED;
    struct limit_list *list = calloc(1, sizeof *list + count * sizeof *list->entries);
    stage->person.observers = list;
    stage->heard = calloc(count + 1, sizeof *stage->heard);
    if (list == NULL || stage->heard == NULL) return PAIRED_FAILED;
    list->count = count;
    list->wants_old = list->wants_new = true;
    for (size_t i = 0; i < count; i++)
        list->entries[i] = (struct limit_entry){ age_key, hear, &stage->heard[i], NULL, true };
    make_person(stage, count > 0);
    return PAIRED_READY;
}

static void set_ages(void *context, uint64_t count)
{
    struct limit_stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        limit_send(&stage->person.object, &stage->model.sel, (int64_t)i);
    stage->set = end;
}

static bool check(void *context, uint64_t count)
{
    struct limit_stage *stage = context;
    for (size_t i = 0; i < stage->person.observers->count; i++)
        if (!has_heard(&stage->heard[i], BOTH, count)) return false;
    return limit_mark == NULL && (count == 0 || stage->person.age == (int64_t)count - 1);
}

static void tear_down(void *context)
{
    struct limit_stage *stage = context;
    free(stage->person.observers);
    free(stage->heard);
    free(stage);
}

#define LIMIT(row, n) \
    { .name = row, .subject = "limit", .language = "C", .group = PAIRED_LIMIT, \
      .setup = set_up, .run = set_ages, .check = check, .teardown = tear_down, \
      .data = &(const size_t){ n } }

static const paired_workload rows[] = {
    LIMIT(ROW_SET_UNOBSERVED, 0),
    LIMIT(ROW_SET_ONE_OBSERVER, 1),
    LIMIT(ROW_SET_TEN_OBSERVERS, 10),
    LIMIT(ROW_SET_HUNDRED_OBSERVERS, 100),
};

const paired_workload *engine_bare_program(void)
{
    return &rows[1];
}

struct row_list limit_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
