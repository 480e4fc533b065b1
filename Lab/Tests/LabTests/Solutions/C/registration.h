// Registrations: one of them, the places where it watches, and the table of each object.
#ifndef REGISTRATION_H
#define REGISTRATION_H

#include "student_kvo.h"

#include <pthread.h>

// The registrations that watch an object, in no order. It goes with the object, to which it is
// associated.
struct table {
    isa_id object; // not held
    struct registration **watching;
    size_t count, room;
};

// A key of an object whose change a registration is told of.
struct watch {
    struct table *table;
    char *key;
    bool is_end; // the registered key itself, not one that affects it or leads to it
};

struct registration {
    isa_id object, observer_address; // not held
    isa_weak observer;
    char *key_path;
    unsigned options;
    void *context;
    student_tell tell;
    unsigned long number; // in the order of registration
    int references;
    bool is_removed;
    struct watch *watches;
    size_t watch_count;
};

// Guards tables, registrations and declarations; never held while somebody else's code runs.
extern pthread_mutex_t student_lock;

struct table *table_find_locked(isa_id object);
struct table *table_get_locked(isa_id object);

void registration_release(struct registration *registration);
const struct watch *registration_find_watch(const struct registration *registration,
                                            const struct table *table, const char *key);

// Works out anew where the registration has to watch, and watches there.
isa_status registration_follow(struct registration *registration);
void registration_watch_locked(struct registration *registration, struct watch *watches,
                               size_t count);
void registration_end_locked(struct registration *registration);

// Moves the object's isa to the notifying class, whose setters of `key` announce; and back.
void notifying_begin(isa_id object, const char *key);
void notifying_end(isa_id object);

#endif
