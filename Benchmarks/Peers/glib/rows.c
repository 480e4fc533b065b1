// GObject's rows: properties that notify, handlers of `notify::<property>`.
//
// Values are set by the class's own setter, which notifies by the property's description, the
// fastest way there is; under the subject gobject-by-name, by g_object_set. A path is what a
// program writes for it: a handler for each link, those behind a replaced link being connected
// anew.
#include "../peer.h"
#include "bindings.h"
#include "person.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 3, MOST_TYPES = 64 };

struct stage {
    Person *person;
    Person *values[2];
    size_t observers;
    struct heard *heard;
    gulong handlers[DEPTH]; // of a path
    Person *links[DEPTH];   // that they are connected to, retained
    GListStore *list;
    GType types[MOST_TYPES];
    uint64_t set;
};

// ---- set ----------------------------------------------------------------------------------------

static void hear_age(Person *person, GParamSpec *spec, struct heard *heard)
{
    (void)spec;
    hear(heard, person->age);
}

static void hear_next(Person *person, GParamSpec *spec, struct heard *heard)
{
    (void)spec;
    hear(heard, person->next->age);
}

static void count_one(GObject *object, GParamSpec *spec, struct heard *heard)
{
    (void)object;
    (void)spec;
    heard->count++;
}

static bool has_counted(void *context, uint64_t count)
{
    return ((struct stage *)context)->heard[0].count == count;
}

static paired_outcome set_up_with(void **context, size_t observers, const char *signal,
                                  GCallback callback)
{
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL) return PAIRED_FAILED;
    stage->heard = calloc(observers + 1, sizeof *stage->heard);
    if (stage->heard == NULL) return PAIRED_FAILED;
    stage->observers = observers;
    stage->person = person_new();
    for (int i = 0; i < 2; i++) {
        stage->values[i] = person_new();
        stage->values[i]->age = i + 1;
    }
    for (size_t i = 0; i < observers; i++)
        g_signal_connect(stage->person, signal, callback, &stage->heard[i]);
    return PAIRED_READY;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    return set_up_with(context, *(const size_t *)self->data, "notify::age", G_CALLBACK(hear_age));
}

static paired_outcome set_up_other_key(const paired_workload *self, void **context)
{
    (void)self;
    return set_up_with(context, 1, "notify::weight", G_CALLBACK(count_one));
}

static paired_outcome set_up_object(const paired_workload *self, void **context)
{
    (void)self;
    return set_up_with(context, 1, "notify::next", G_CALLBACK(hear_next));
}

static void set_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) person_set_age(stage->person, (int64_t)i);
    stage->set = end;
}

static void set_ages_by_name(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) g_object_set(stage->person, "age", (gint64)i, NULL);
    stage->set = end;
}

static void set_objects(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) person_set_next(stage->person, stage->values[i % 2]);
    stage->set = end;
}

static bool check(void *context, uint64_t count)
{
    struct stage *stage = context;
    bool is_set = count == 0 || stage->person->age == (int64_t)count - 1;
    return is_set && all_have_heard(stage->heard, stage->observers, count);
}

static bool check_other_key(void *context, uint64_t count)
{
    struct stage *stage = context;
    return stage->heard[0].count == 0 && stage->person->age == (int64_t)count - 1;
}

static bool check_objects(void *context, uint64_t count)
{
    const struct heard *heard = ((struct stage *)context)->heard;
    uint64_t olds = count > 0 ? alternating_sum(count - 1) : 0;
    return heard->count == count && heard->sum == alternating_sum(count) + 2 * olds;
}

static void tear_down(void *context)
{
    struct stage *stage = context;
    for (int i = 0; i < 2; i++) g_object_unref(stage->values[i]);
    g_object_unref(stage->person);
    g_clear_object(&stage->list);
    free(stage->heard);
    free(stage);
}

// ---- add and remove, first observation ----------------------------------------------------------

static void add_and_remove(void *context, uint64_t count)
{
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        gulong handler = g_signal_connect(stage->person, "notify::age", G_CALLBACK(hear_age),
                                          &stage->heard[0]);
        g_signal_handler_disconnect(stage->person, handler);
    }
}

static bool check_add_remove(void *context, uint64_t count)
{
    (void)count;
    struct stage *stage = context;
    person_set_age(stage->person, 7);
    return stage->heard[0].count == 0;
}

// The nearest thing to a notifying class: an empty subclass, whose type lives as long as the
// process. Observing it is not timed; GObject needs no class for that.
static void make_types(void *context, uint64_t count)
{
    static unsigned made;
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "Person%u", made++);
        stage->types[i] = person_register_subtype(name);
        g_type_class_ref(stage->types[i]);
    }
}

static void observe_types(void *context, uint64_t count)
{
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        Person *person = g_object_new(stage->types[i], NULL);
        g_signal_connect(person, "notify::age", G_CALLBACK(count_one), &stage->heard[0]);
        person_set_age(person, 1);
        g_object_unref(person);
    }
}

// ---- key paths ----------------------------------------------------------------------------------

static void hear_path(Person *person, GParamSpec *spec, struct stage *stage);

static void disconnect_from(struct stage *stage, int depth)
{
    for (int i = depth; i < DEPTH && stage->links[i] != NULL; i++) {
        g_signal_handler_disconnect(stage->links[i], stage->handlers[i]);
        g_object_unref(stage->links[i]);
        stage->links[i] = NULL;
    }
}

static void connect_from(struct stage *stage, int depth, Person *person)
{
    for (int i = depth; i < DEPTH && person != NULL; i++, person = person->next) {
        const char *signal = i < DEPTH - 1 ? "notify::next" : "notify::age";
        stage->links[i] = g_object_ref(person);
        stage->handlers[i] = g_signal_connect(person, signal, G_CALLBACK(hear_path), stage);
    }
}

static void hear_path(Person *person, GParamSpec *spec, struct stage *stage)
{
    (void)spec;
    for (int i = 0; i < DEPTH - 1; i++) {
        if (stage->links[i] != person) continue;
        disconnect_from(stage, i + 1);
        connect_from(stage, i + 1, person->next);
        break;
    }
    if (stage->links[DEPTH - 1] != NULL) hear(stage->heard, stage->links[DEPTH - 1]->age);
}

// The person's next is the first of two middles, each before a leaf of its own: ages 1 and 2.
static paired_outcome set_up_path(const paired_workload *self, void **context)
{
    (void)self;
    paired_outcome outcome = set_up_with(context, 0, NULL, NULL);
    struct stage *stage = *context;
    if (outcome != PAIRED_READY) return outcome;
    for (int i = 0; i < 2; i++) {
        Person *leaf = person_new();
        leaf->age = i + 1;
        person_set_next(stage->values[i], leaf);
        g_object_unref(leaf);
    }
    person_set_next(stage->person, stage->values[1]);
    connect_from(stage, 0, stage->person);
    return PAIRED_READY;
}

static void set_leaves(void *context, uint64_t count)
{
    struct stage *stage = context;
    Person *leaf = stage->values[1]->next;
    uint64_t first = stage->set, end = first + count;
    for (uint64_t i = first; i < end; i++) person_set_age(leaf, (int64_t)i);
    stage->set = end;
}

static bool check_leaves(void *context, uint64_t count)
{
    return has_heard(((struct stage *)context)->heard, count);
}

static void tear_down_path(void *context)
{
    disconnect_from(context, 0);
    tear_down(context);
}

// ---- dependent keys -----------------------------------------------------------------------------

static void notify_sum(GObject *object, GParamSpec *spec, gpointer data)
{
    (void)spec;
    (void)data;
    g_object_notify(object, "sum");
}

static paired_outcome set_up_sum(const paired_workload *self, void **context)
{
    (void)self;
    paired_outcome outcome = set_up_with(context, 1, "notify::sum", G_CALLBACK(count_one));
    struct stage *stage = *context;
    if (outcome != PAIRED_READY) return outcome;
    g_signal_connect(stage->person, "notify::age", G_CALLBACK(notify_sum), NULL);
    g_signal_connect(stage->person, "notify::weight", G_CALLBACK(notify_sum), NULL);
    return PAIRED_READY;
}

static void set_sources(void *context, uint64_t count)
{
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        person_set_age(stage->person, (int64_t)i);
        person_set_weight(stage->person, (int64_t)i);
    }
}

static bool check_sources(void *context, uint64_t count)
{
    return has_counted(context, 2 * count);
}

// ---- an ordered collection ----------------------------------------------------------------------

static void hear_items(GListModel *list, guint position, guint removed, guint added,
                       struct heard *heard)
{
    (void)list;
    (void)removed;
    if (added == 0) return;
    heard->count++;
    heard->sum += position;
}

static paired_outcome set_up_list(const paired_workload *self, void **context)
{
    (void)self;
    paired_outcome outcome = set_up_with(context, 0, NULL, NULL);
    struct stage *stage = *context;
    if (outcome != PAIRED_READY) return outcome;
    stage->list = g_list_store_new(person_get_type());
    g_signal_connect(stage->list, "items-changed", G_CALLBACK(hear_items), stage->heard);
    return PAIRED_READY;
}

static void insert(void *context, uint64_t count)
{
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) g_list_store_insert(stage->list, (guint)i, stage->person);
}

static void remove_all(void *context, uint64_t count)
{
    struct stage *stage = context;
    stage->set += paired_sum(count);
    g_list_store_remove_all(stage->list);
}

static bool check_list(void *context, uint64_t count)
{
    const struct stage *stage = context;
    return stage->heard[0].count == count && stage->heard[0].sum == stage->set;
}

// ---- bytes --------------------------------------------------------------------------------------

static double bytes_per_object(void *context)
{
    struct stage *stage = context;
    Person **persons = calloc(FRESH_COUNT, sizeof *persons);
    if (persons == NULL) abort();
    for (size_t i = 0; i < FRESH_COUNT; i++) persons[i] = person_new();
    double before = paired_allocated_bytes();
    for (size_t i = 0; i < FRESH_COUNT; i++)
        g_signal_connect(persons[i], "notify::age", G_CALLBACK(count_one), stage->heard);
    double after = paired_allocated_bytes();
    for (size_t i = 0; i < FRESH_COUNT; i++) {
        person_set_age(persons[i], 1);
        g_object_unref(persons[i]);
    }
    free(persons);
    return (after - before) / FRESH_COUNT;
}

static bool check_bytes(void *context, uint64_t count)
{
    return has_counted(context, count * FRESH_COUNT);
}

// ---- the rows -----------------------------------------------------------------------------------

#define GOBJECT .subject = "gobject", .language = "C"
#define OBSERVERS(n) .data = &(const size_t){ n }
#define SET(row, n) \
    { .name = row, GOBJECT, .setup = set_up, .run = set_ages, .check = check, \
      .teardown = tear_down, OBSERVERS(n) }
#define SET_BY_NAME(row, n) \
    { .name = row, .subject = "gobject-by-name", .language = "C", .setup = set_up, \
      .run = set_ages_by_name, .check = check, .teardown = tear_down, OBSERVERS(n) }

#define BOUND(row, way) \
    .name = row, GOBJECT, .setup = bound_set_up, .run = bound_set_ages, .check = bound_check, \
        .teardown = bound_tear_down, .data = &(const enum bound_way){ way }

static const paired_workload one_observer = SET(ROW_SET_ONE_OBSERVER, 1);

static const paired_workload rows[] = {
    SET(ROW_SET_UNOBSERVED, 0),
    SET(ROW_SET_ONE_OBSERVER, 1),
    SET(ROW_SET_TEN_OBSERVERS, 10),
    SET(ROW_SET_HUNDRED_OBSERVERS, 100),
    SET_BY_NAME(ROW_SET_UNOBSERVED, 0),
    SET_BY_NAME(ROW_SET_ONE_OBSERVER, 1),
    { .name = ROW_SET_OTHER_KEY, GOBJECT, .setup = set_up_other_key, .run = set_ages,
      .check = check_other_key, .teardown = tear_down },
    { .name = ROW_SET_OBJECT_ONE_OBSERVER, GOBJECT, .setup = set_up_object, .run = set_objects,
      .check = check_objects, .teardown = tear_down },
    { .name = ROW_ADD_REMOVE, GOBJECT, .setup = set_up, .run = add_and_remove,
      .check = check_add_remove, .teardown = tear_down, OBSERVERS(0) },
    { .name = ROW_PATH_LEAF, GOBJECT, .setup = set_up_path, .run = set_leaves,
      .check = check_leaves, .teardown = tear_down_path },
    { .name = ROW_PATH_INTERMEDIATE, GOBJECT, .setup = set_up_path, .run = set_objects,
      .check = check_objects, .teardown = tear_down_path },
    { .name = ROW_DEPENDENT, GOBJECT, .operations = 2, .setup = set_up_sum, .run = set_sources,
      .check = check_sources, .teardown = tear_down },
    { .name = ROW_ORDERED_INSERT, GOBJECT, .largest_count = 20000, .setup = set_up_list,
      .run = insert, .finish = remove_all, .check = check_list, .teardown = tear_down },
    { .name = ROW_FIRST_OBSERVATION, GOBJECT, .largest_count = MOST_TYPES, .setup = set_up,
      .run = make_types, .finish = observe_types, .check = has_counted, .teardown = tear_down,
      OBSERVERS(0) },
    { .name = ROW_BYTES_PER_OBJECT, GOBJECT, .unit = "bytes", .most_samples = 3, .setup = set_up,
      .figure = bytes_per_object, .check = check_bytes, .teardown = tear_down, OBSERVERS(0) },
    { BOUND(ROW_BIND_ONE_WAY, BOUND_ONE_WAY), .rival = &one_observer },
    { BOUND(ROW_BIND_ONE_WAY_IN_CALLS, BOUND_ONE_WAY) },
    { BOUND(ROW_BIND_TWO_WAYS, BOUND_TWO_WAYS), .rival = &one_observer },
    { BOUND(ROW_BIND_TWO_WAYS_BACK, BOUND_TWO_WAYS_BACK), .rival = &one_observer },
    { .name = ROW_BIND_UNBIND, GOBJECT, .rival = &one_observer, .setup = bound_set_up_nothing,
      .run = bound_bind_and_unbind, .check = bound_check_unbound, .teardown = bound_tear_down },
    { .name = ROW_BYTES_PER_BINDING, GOBJECT, .unit = "bytes", .most_samples = 3,
      .setup = bound_set_up_nothing, .figure = bound_bytes, .check = bound_check_bytes,
      .teardown = bound_tear_down },
};

int main(int argc, char **argv)
{
    return paired_main(rows, sizeof rows / sizeof *rows, argc, argv);
}
