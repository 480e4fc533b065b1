// Registrations: adding, removing, and the table of each object.
#include "registration.h"

#include <stdlib.h>
#include <string.h>

pthread_mutex_t student_lock = PTHREAD_MUTEX_INITIALIZER;

static const char table_key;
static unsigned long latest_number;

// ---- tables -------------------------------------------------------------------------------------

static struct table **table_place(isa_id holder)
{
    isa_class cls = isa_class_find("StudentTable");
    return isa_object_ivar_address(holder, isa_class_find_ivar(cls, "table"));
}

static void drop_watches(struct registration *registration, const struct table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < registration->watch_count; i++) {
        if (registration->watches[i].table == table) free(registration->watches[i].key);
        else registration->watches[kept++] = registration->watches[i];
    }
    registration->watch_count = kept;
}

// The object dies: its own registrations end, others lose a place.
static void table_dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    struct table *table = *table_place(self);
    if (table == NULL) return;
    pthread_mutex_lock(&student_lock);
    while (table->count > 0) {
        struct registration *registration = table->watching[--table->count];
        drop_watches(registration, table);
        if (registration->object == table->object) registration_end_locked(registration);
    }
    pthread_mutex_unlock(&student_lock);
    free(table->watching);
    free(table);
}

static isa_class table_class(void)
{
    isa_class cls = isa_class_find("StudentTable");
    if (cls != NULL) return cls;
    isa_class_pair_allocate(isa_root_class(), "StudentTable", &cls);
    isa_class_add_ivar(cls, "table", "^v", ISA_OWNERSHIP_NONE);
    isa_class_add_method(cls, isa_sel_register("dealloc"), (isa_imp)table_dealloc, "v@:");
    isa_class_pair_register(cls);
    return cls;
}

struct table *table_find_locked(isa_id object)
{
    isa_id holder = isa_object_copy_associated(object, &table_key);
    if (holder == NULL) return NULL;
    struct table *table = *table_place(holder);
    isa_object_release(holder);
    return table;
}

struct table *table_get_locked(isa_id object)
{
    struct table *table = table_find_locked(object);
    if (table != NULL) return table;
    isa_id holder;
    if (isa_object_allocate(table_class(), &holder) != ISA_OK) return NULL;
    table = calloc(1, sizeof *table);
    table->object = object;
    *table_place(holder) = table;
    isa_object_set_associated(object, &table_key, holder, ISA_ASSOCIATION_RETAIN);
    isa_object_release(holder);
    return table;
}

static void table_add(struct table *table, struct registration *registration)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->watching[i] == registration) return;
    if (table->count == table->room) {
        table->room = table->room * 2 + 4;
        table->watching = realloc(table->watching, table->room * sizeof *table->watching);
    }
    table->watching[table->count++] = registration;
}

static void table_take(struct table *table, const struct registration *registration)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->watching[i] != registration) continue;
        table->watching[i] = table->watching[--table->count];
        if (table->count == 0) notifying_end(table->object);
        return;
    }
}

// ---- registrations ------------------------------------------------------------------------------

void registration_release(struct registration *registration)
{
    if (--registration->references > 0) return;
    isa_weak_destroy(&registration->observer);
    free(registration->watches);
    free(registration->key_path);
    free(registration);
}

const struct watch *registration_find_watch(const struct registration *registration,
                                            const struct table *table, const char *key)
{
    for (size_t i = 0; i < registration->watch_count; i++) {
        const struct watch *watch = &registration->watches[i];
        if (watch->table == table && strcmp(watch->key, key) == 0) return watch;
    }
    return NULL;
}

void registration_end_locked(struct registration *registration)
{
    registration->is_removed = true;
    while (registration->watch_count > 0) {
        struct watch watch = registration->watches[registration->watch_count - 1];
        drop_watches(registration, watch.table);
        table_take(watch.table, registration);
    }
    registration_release(registration);
}

static struct registration *make(isa_id object, isa_id observer, const char *key_path)
{
    struct registration *made = calloc(1, sizeof *made);
    made->object = object;
    made->observer_address = observer;
    made->key_path = strdup(key_path);
    made->references = 1;
    isa_weak_init(&made->observer, observer);
    return made;
}

// Told before it is registered, as Foundation does.
static void tell_initial(struct registration *registration, isa_id observer)
{
    student_change change = {
        .object = registration->object, .key_path = registration->key_path,
        .context = registration->context, .kind = STUDENT_SETTING,
        .has_new = registration->options & STUDENT_NEW,
    };
    if (change.has_new)
        kvc_copy_value_for_path(change.object, change.key_path, &change.new_value);
    registration->tell(observer, &change);
    isa_object_release(change.new_value);
}

isa_status student_add(isa_id object, isa_id observer, const char *key_path, unsigned options,
                       void *context, student_tell tell)
{
    if (object == NULL || observer == NULL || key_path == NULL || *key_path == '\0')
        return ISA_ERR_INVALID_ARGUMENT;
    struct registration *made = make(object, observer, key_path);
    made->options = options;
    made->context = context;
    made->tell = tell;
    if (options & STUDENT_INITIAL) tell_initial(made, observer);
    pthread_mutex_lock(&student_lock);
    made->number = ++latest_number;
    pthread_mutex_unlock(&student_lock);
    return registration_follow(made);
}

static struct registration *find_latest(const struct table *table, isa_id observer,
                                        const char *key_path, const void *const *context)
{
    struct registration *latest = NULL;
    for (size_t i = 0; i < table->count; i++) {
        struct registration *each = table->watching[i];
        if (each->object != table->object || each->observer_address != observer) continue;
        if (strcmp(each->key_path, key_path) != 0) continue;
        if (context != NULL && each->context != *context) continue;
        if (latest == NULL || each->number > latest->number) latest = each;
    }
    return latest;
}

static isa_status remove_latest(isa_id object, isa_id observer, const char *key_path,
                                const void *const *context)
{
    pthread_mutex_lock(&student_lock);
    struct table *table = table_find_locked(object);
    struct registration *found =
        table == NULL ? NULL : find_latest(table, observer, key_path, context);
    if (found != NULL) registration_end_locked(found);
    pthread_mutex_unlock(&student_lock);
    return found == NULL ? ISA_ERR_NOT_FOUND : ISA_OK;
}

isa_status student_remove(isa_id object, isa_id observer, const char *key_path)
{
    return remove_latest(object, observer, key_path, NULL);
}

isa_status student_remove_context(isa_id object, isa_id observer, const char *key_path,
                                  void *context)
{
    return remove_latest(object, observer, key_path, &(const void *){context});
}

// ---- watching -----------------------------------------------------------------------------------

// Takes over `watches`, whose tables are those of living objects.
void registration_watch_locked(struct registration *registration, struct watch *watches,
                               size_t count)
{
    struct watch *before = registration->watches;
    size_t count_before = registration->watch_count;
    registration->watches = watches;
    registration->watch_count = count;
    for (size_t i = 0; i < count; i++) table_add(watches[i].table, registration);
    for (size_t i = 0; i < count_before; i++) {
        bool is_kept = false;
        for (size_t j = 0; j < count; j++) is_kept |= watches[j].table == before[i].table;
        if (!is_kept) table_take(before[i].table, registration);
        free(before[i].key);
    }
    free(before);
}
