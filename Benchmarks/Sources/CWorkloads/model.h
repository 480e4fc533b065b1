// The classes whose objects are measured, with accessors written by hand.
#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "isa.h"

// An instance of a class made here, as its accessors see it.
struct person {
    struct isa_header header;
    int64_t age;
    int64_t weight;
    isa_id next; // retained
};

typedef void (*set_integer)(isa_id self, isa_sel sel, int64_t value);
typedef void (*set_object)(isa_id self, isa_sel sel, isa_id value);

// The selectors setAge:, setWeight:, setNext: and setHeight:.
struct model_selectors {
    isa_sel set_age, set_weight, set_next, set_height;
};
struct model_selectors model_selectors(void);

// The IMP behind setAge:, for what calls it without a message.
void model_set_age(isa_id self, isa_sel sel, int64_t age);

// Makes and registers a class with the properties age, weight and next, the key `sum`, which age
// and weight affect, and the property height, whose accessors are synthesised. Its name is used for
// the first time. NULL, with a reason given, if that fails.
isa_class model_make_person(void);

// The same class not yet registered.
isa_class model_allocate_person(void);

// Makes and registers a class with the ordered to-many key `items`, whose accessors insert and
// remove at the end in constant time.
isa_class model_make_shelf(void);

// An instance; NULL, with a reason given, if there is none to be had.
isa_id model_allocate(isa_class cls);

// How many items a shelf has; takes those from `count` on away, past its accessors.
size_t model_shelf_count(isa_id shelf);
void model_shelf_truncate(isa_id shelf, size_t count);

// Disposes of the class, which must have no instances any more.
bool model_dispose(isa_class cls);

#endif
