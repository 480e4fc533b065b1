// Where a registration has to watch: along its key path, and at all that affects a key on it.
#include "registration.h"

#include <stdlib.h>
#include <string.h>

// ---- what affects a key -------------------------------------------------------------------------

struct declaration {
    isa_class cls;
    char *key;
    char **key_paths;
    size_t count;
    struct declaration *next;
};

static struct declaration *declarations;

static struct declaration *find_declaration(isa_class cls, const char *key)
{
    for (struct declaration *each = declarations; each != NULL; each = each->next)
        if (each->cls == cls && strcmp(each->key, key) == 0) return each;
    return NULL;
}

isa_status student_depends(isa_class cls, const char *key, const char *const *key_paths,
                           size_t count)
{
    pthread_mutex_lock(&student_lock);
    struct declaration *declaration = find_declaration(cls, key);
    if (declaration == NULL) {
        declaration = calloc(1, sizeof *declaration);
        declaration->cls = cls;
        declaration->key = strdup(key);
        declaration->next = declarations;
        declarations = declaration;
    }
    declaration->key_paths = calloc(count, sizeof *declaration->key_paths);
    declaration->count = count;
    for (size_t i = 0; i < count; i++) declaration->key_paths[i] = strdup(key_paths[i]);
    pthread_mutex_unlock(&student_lock);
    return ISA_OK;
}

// ---- places -------------------------------------------------------------------------------------

struct place {
    isa_id object; // held
    char *key;
    bool is_end;
};

struct places {
    struct place *items;
    size_t count, room;
};

// False if the place was there.
static bool add_place(struct places *places, isa_id object, const char *key, bool is_end)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->items[i].object == object && strcmp(places->items[i].key, key) == 0)
            return false;
    if (places->count == places->room) {
        places->room = places->room * 2 + 4;
        places->items = realloc(places->items, places->room * sizeof *places->items);
    }
    places->items[places->count++] =
        (struct place){isa_object_retain(object), strdup(key), is_end};
    return true;
}

static void follow(struct places *places, isa_id object, const char *key_path, bool is_end);

static void follow_affecting(struct places *places, isa_id object, const char *key)
{
    isa_class cls = isa_object_get_class(object);
    for (; cls != NULL; cls = isa_class_superclass(cls)) {
        const struct declaration *declaration = find_declaration(cls, key);
        for (size_t i = 0; declaration != NULL && i < declaration->count; i++)
            follow(places, object, declaration->key_paths[i], false);
    }
}

static void follow(struct places *places, isa_id object, const char *key_path, bool is_end)
{
    if (object == NULL) return;
    const char *dot = strchr(key_path, '.');
    char *key = dot == NULL ? strdup(key_path) : strndup(key_path, (size_t)(dot - key_path));
    if (add_place(places, object, key, is_end && dot == NULL))
        follow_affecting(places, object, key);
    if (dot != NULL) {
        isa_id next = NULL;
        kvc_copy_value(object, key, &next);
        follow(places, next, dot + 1, is_end);
        isa_object_release(next);
    }
    free(key);
}

// Getters ran above, without the lock; from here on nobody else's code does.
static isa_status watch(struct registration *registration, const struct places *places)
{
    struct watch *watches = calloc(places->count, sizeof *watches);
    pthread_mutex_lock(&student_lock);
    if (registration->is_removed) {
        pthread_mutex_unlock(&student_lock);
        free(watches);
        return ISA_OK;
    }
    for (size_t i = 0; i < places->count; i++) {
        struct place place = places->items[i];
        struct table *table = table_get_locked(place.object);
        watches[i] = (struct watch){table, strdup(place.key), place.is_end};
        notifying_begin(place.object, place.key);
    }
    registration_watch_locked(registration, watches, places->count);
    pthread_mutex_unlock(&student_lock);
    return ISA_OK;
}

isa_status registration_follow(struct registration *registration)
{
    struct places places = {0};
    follow(&places, registration->object, registration->key_path, true);
    isa_status status = watch(registration, &places);
    for (size_t i = 0; i < places.count; i++) {
        isa_object_release(places.items[i].object);
        free(places.items[i].key);
    }
    free(places.items);
    return status;
}
