// The GObject peer's model: a person with age, weight, a sum that both affect, and a next person.
#ifndef PEER_PERSON_H
#define PEER_PERSON_H

#include <gio/gio.h>
#include <stdint.h>

typedef struct person {
    GObject parent;
    int64_t age;
    int64_t weight;
    struct person *next;
} Person;

GType person_get_type(void);
Person *person_new(void);

// Setters as a class of GLib's has them: store, and notify by the property's description.
void person_set_age(Person *person, int64_t age);
void person_set_weight(Person *person, int64_t weight);
void person_set_next(Person *person, Person *next);

// Registers an empty subclass of that name.
GType person_register_subtype(const char *name);

#endif
