// GObject's rows of bindings: the age of a view is bound to that of a model.
#include "bindings.h"

#include "person.h"

#include <stdlib.h>

struct bound {
    Person *model, *view;
    bool sets_view;
    uint64_t set;
    uint64_t sum; // of the ages that were read
};

paired_outcome bound_set_up_nothing(const paired_workload *self, void **context)
{
    struct bound *bound = calloc(1, sizeof *bound);
    (void)self;
    *context = bound;
    if (bound == NULL) return PAIRED_FAILED;
    bound->model = person_new();
    bound->view = person_new();
    return PAIRED_READY;
}

static GBinding *bind(Person *model, Person *view, GBindingFlags flags)
{
    return g_object_bind_property(model, "age", view, "age", G_BINDING_SYNC_CREATE | flags);
}

paired_outcome bound_set_up(const paired_workload *self, void **context)
{
    enum bound_way way = *(const enum bound_way *)self->data;
    if (bound_set_up_nothing(self, context) != PAIRED_READY) return PAIRED_FAILED;
    struct bound *bound = *context;
    bound->sets_view = way == BOUND_TWO_WAYS_BACK;
    bind(bound->model, bound->view,
         way == BOUND_ONE_WAY ? G_BINDING_DEFAULT : G_BINDING_BIDIRECTIONAL);
    return PAIRED_READY;
}

void bound_set_ages(void *context, uint64_t count)
{
    struct bound *bound = context;
    Person *set = bound->sets_view ? bound->view : bound->model;
    const Person *read = bound->sets_view ? bound->model : bound->view;
    uint64_t first = bound->set, end = first + count;
    for (uint64_t i = first; i < end; i++) {
        person_set_age(set, (int64_t)i);
        bound->sum += (uint64_t)read->age;
    }
    bound->set = end;
}

bool bound_check(void *context, uint64_t count)
{
    return ((struct bound *)context)->sum == paired_sum(count);
}

void bound_bind_and_unbind(void *context, uint64_t count)
{
    struct bound *bound = context;
    for (uint64_t i = 0; i < count; i++)
        g_binding_unbind(bind(bound->model, bound->view, G_BINDING_DEFAULT));
}

bool bound_check_unbound(void *context, uint64_t count)
{
    struct bound *bound = context;
    (void)count;
    person_set_age(bound->model, 7);
    return bound->view->age == 0;
}

double bound_bytes(void *context)
{
    struct bound *bound = context;
    Person **persons = calloc(2 * FRESH_COUNT, sizeof *persons);
    if (persons == NULL) abort();
    for (size_t i = 0; i < 2 * FRESH_COUNT; i++) persons[i] = person_new();
    double before = paired_allocated_bytes();
    for (size_t i = 0; i < 2 * FRESH_COUNT; i += 2)
        bind(persons[i], persons[i + 1], G_BINDING_DEFAULT);
    double after = paired_allocated_bytes();
    for (size_t i = 0; i < 2 * FRESH_COUNT; i += 2) {
        person_set_age(persons[i], 1);
        bound->sum += (uint64_t)persons[i + 1]->age;
    }
    for (size_t i = 0; i < 2 * FRESH_COUNT; i++) g_object_unref(persons[i]);
    free(persons);
    return (after - before) / FRESH_COUNT;
}

bool bound_check_bytes(void *context, uint64_t count)
{
    return ((struct bound *)context)->sum == count * FRESH_COUNT;
}

void bound_tear_down(void *context)
{
    struct bound *bound = context;
    g_object_unref(bound->model);
    g_object_unref(bound->view);
    free(bound);
}
