// A change: collect the observers, tell them before it, then after it in the opposite order.
#include "change.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local struct change *announced; // by hand, the latest first

static int by_number(const void *first, const void *second)
{
    const struct pending *a = first, *b = second;
    return a->registration->number < b->registration->number ? -1 : 1;
}

// Both must live until the change is over. An observer that is gone already is told nothing.
static bool hold(struct pending *pending, struct registration *registration)
{
    if (!isa_object_try_retain(registration->object)) return false;
    pending->observer = isa_weak_copy(&registration->observer);
    registration->references++;
    pending->registration = registration;
    return true;
}

static void collect(struct change *change)
{
    pthread_mutex_lock(&student_lock);
    struct table *table = table_find_locked(change->object);
    size_t count = table == NULL ? 0 : table->count;
    change->pending = calloc(count + 1, sizeof *change->pending);
    for (size_t i = 0; i < count; i++) {
        const struct watch *watch =
            registration_find_watch(table->watching[i], table, change->key);
        if (watch == NULL) continue;
        struct pending *pending = &change->pending[change->count];
        pending->is_end = watch->is_end;
        if (hold(pending, table->watching[i])) change->count++;
    }
    pthread_mutex_unlock(&student_lock);
    qsort(change->pending, change->count, sizeof *change->pending, by_number);
}

// The element, where the change is one of elements and this registration is of the collection.
static bool is_of_elements(const struct change *change, const struct pending *pending)
{
    return change->kind != STUDENT_SETTING && pending->is_end;
}

static isa_id read_value(const struct change *change, const struct pending *pending)
{
    isa_id value = NULL, element = NULL;
    kvc_copy_value_for_path(pending->registration->object, pending->registration->key_path, &value);
    if (!is_of_elements(change, pending)) return value;
    if (value != NULL && change->index < kvc_collection_count(value))
        kvc_ordered_copy_object(value, change->index, &element);
    isa_object_release(value);
    return element;
}

static student_change begin_telling(const struct change *change, const struct pending *pending)
{
    const struct registration *registration = pending->registration;
    bool of_elements = is_of_elements(change, pending);
    bool has_old = !of_elements || change->kind != STUDENT_INSERTION;
    return (student_change){
        .object = registration->object, .key_path = registration->key_path,
        .context = registration->context,
        .has_old = has_old && (registration->options & STUDENT_OLD),
        .old_value = pending->old,
        .kind = of_elements ? change->kind : STUDENT_SETTING,
        .index = of_elements ? change->index : 0,
    };
}

// No lock is held while the observer runs, so it may do whatever it likes.
static void tell(const struct pending *pending, const student_change *change)
{
    if (pending->observer == NULL) return;
    pthread_mutex_lock(&student_lock);
    bool is_removed = pending->registration->is_removed;
    pthread_mutex_unlock(&student_lock);
    if (!is_removed) pending->registration->tell(pending->observer, change);
}

void change_begin(struct change *change)
{
    collect(change);
    for (size_t i = 0; i < change->count; i++) {
        struct pending *pending = &change->pending[i];
        student_change told = begin_telling(change, pending);
        if (told.has_old) pending->old = told.old_value = read_value(change, pending);
        told.is_prior = true;
        if (pending->registration->options & STUDENT_PRIOR) tell(pending, &told);
    }
}

static void let_go(struct pending *pending)
{
    isa_id object = pending->registration->object;
    isa_object_release(pending->old);
    isa_object_release(pending->observer);
    pthread_mutex_lock(&student_lock);
    registration_release(pending->registration);
    pthread_mutex_unlock(&student_lock);
    isa_object_release(object);
}

void change_end(struct change *change)
{
    for (size_t i = 0; i < change->count; i++)
        registration_follow(change->pending[i].registration);
    for (size_t i = change->count; i-- > 0;) {
        struct pending *pending = &change->pending[i];
        student_change told = begin_telling(change, pending);
        told.has_new = (pending->registration->options & STUDENT_NEW) != 0
                       && told.kind != STUDENT_REMOVAL;
        if (told.has_new) told.new_value = read_value(change, pending);
        tell(pending, &told);
        isa_object_release(told.new_value);
    }
    for (size_t i = 0; i < change->count; i++) let_go(&change->pending[i]);
    free(change->pending);
}

// ---- by hand ------------------------------------------------------------------------------------

void student_will_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    struct change *change = calloc(1, sizeof *change);
    *change = (struct change){.object = object, .kind = kind, .index = index, .outer = announced};
    change->key = strdup(key);
    announced = change;
    change_begin(change);
}

void student_did_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    (void)kind, (void)index;
    for (struct change **place = &announced; *place != NULL; place = &(*place)->outer) {
        struct change *change = *place;
        if (change->object != object || strcmp(change->key, key) != 0) continue;
        *place = change->outer;
        change_end(change);
        free((char *)change->key);
        free(change);
        return;
    }
}
