// The limit: what a setter that tells observers cannot do without, in a program that does nothing
// else. Rows of the same names as the engine's stand beside them under the subject `limit`.
//
// Kept of the contract: the setter is found by dispatch through the isa, its record through the isa
// and the selector, the observers through the object; a mark of this thread's protects the list
// while it is read; old and new are read in place, and each observer is told through a pointer,
// with a change record like the engine's, unless its registration has ended meanwhile.
#include "engine_workloads.h"
#include "stage.h"

#include <stdlib.h>

struct limit_object;
struct limit_selector;

typedef void (*limit_setter)(struct limit_object *self, const struct limit_selector *sel,
                             int64_t value);

struct limit_selector {
    uint32_t page_offset;
    uint32_t slot_offset;
};

struct limit_record {
    limit_setter original;
    size_t offset; // of the value in the object
    const char *key;
};

struct limit_class {
    limit_setter *const *pages;
    struct limit_record *const *records; // by the selector's slot
};

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

struct limit_object {
    const struct limit_class *cls;
    struct limit_list *observers;
    int64_t age;
};

// What the reclaiming side would look at: 0, or the list that this thread reads.
static _Thread_local const void *mark;
static const char *const age_key = "age";

static void set_age(struct limit_object *self, const struct limit_selector *sel, int64_t age)
{
    (void)sel;
    self->age = age;
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
    const struct limit_record *record = *(struct limit_record *const *)
        ((const char *)self->cls->records + sel->slot_offset);
    const struct limit_list *list = __atomic_load_n(&self->observers, __ATOMIC_ACQUIRE);
    const int64_t *place = (const int64_t *)((const char *)self + record->offset);
    __atomic_store_n(&mark, list, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    int64_t old = list->wants_old ? *place : 0;
    record->original(self, sel, value);
    // What observers are told is the value at this moment, and may change again while they are.
    int64_t new = list->wants_new ? *place : 0;
    kvo_change change = { .object = (isa_id)self, .key_path = record->key,
                          .kind = KVO_CHANGE_SETTING, .old_value = { "q", &old },
                          .new_value = { "q", &new }, .cause = record->key };
    tell(list, record->key, &change);
    __atomic_store_n(&mark, NULL, __ATOMIC_RELEASE);
}

// ---- the stage ----------------------------------------------------------------------------------

struct limit_stage {
    struct limit_object object;
    struct limit_class cls;
    struct limit_selector sel;
    struct limit_record record;
    struct limit_record *records[1];
    limit_setter page[1];
    limit_setter *pages[1];
    uint64_t set;
    struct heard *heard;
};

static void hear(const kvo_change *change, void *info)
{
    struct heard *heard = info;
    heard->count++;
    heard->sum += sum_of_both((uint64_t)*(const int64_t *)change->new_value.address,
                              (uint64_t)*(const int64_t *)change->old_value.address);
}

static void build_class(struct limit_stage *stage, size_t observers)
{
    stage->record = (struct limit_record){ set_age, offsetof(struct limit_object, age), age_key };
    stage->records[0] = &stage->record;
    stage->page[0] = observers > 0 ? set_notifying : set_age;
    stage->pages[0] = stage->page;
    stage->cls = (struct limit_class){ stage->pages, stage->records };
    stage->object.cls = &stage->cls;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    size_t count = *(const size_t *)self->data;
    struct limit_stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL) return PAIRED_FAILED;
    struct limit_list *list = calloc(1, sizeof *list + count * sizeof *list->entries);
    stage->object.observers = list;
    stage->heard = calloc(count + 1, sizeof *stage->heard);
    if (list == NULL || stage->heard == NULL) return PAIRED_FAILED;
    list->count = count;
    list->wants_old = list->wants_new = true;
    for (size_t i = 0; i < count; i++)
        list->entries[i] = (struct limit_entry){ age_key, hear, &stage->heard[i], NULL, true };
    build_class(stage, count);
    return PAIRED_READY;
}

static inline limit_setter look_up(struct limit_object *object, const struct limit_selector *sel)
{
    const struct limit_class *cls = __atomic_load_n(&object->cls, __ATOMIC_ACQUIRE);
    const char *pages = (const char *)__atomic_load_n(&cls->pages, __ATOMIC_ACQUIRE);
    const char *page =
        (const char *)__atomic_load_n((limit_setter *const *)(pages + sel->page_offset),
                                      __ATOMIC_ACQUIRE);
    return __atomic_load_n((const limit_setter *)(page + sel->slot_offset), __ATOMIC_ACQUIRE);
}

static void set_ages(void *context, uint64_t count)
{
    struct limit_stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++)
        look_up(&stage->object, &stage->sel)(&stage->object, &stage->sel, (int64_t)i);
    stage->set = end;
}

static bool check(void *context, uint64_t count)
{
    struct limit_stage *stage = context;
    for (size_t i = 0; i < stage->object.observers->count; i++)
        if (!has_heard(&stage->heard[i], BOTH, count)) return false;
    return mark == NULL && (count == 0 || stage->object.age == (int64_t)count - 1);
}

static void tear_down(void *context)
{
    struct limit_stage *stage = context;
    free(stage->object.observers);
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
