// The fixture class: a Person whose accessors are hand-written C.
#ifndef ISA_TEST_PERSON_H
#define ISA_TEST_PERSON_H

#include "isa.h"

typedef struct isa_test_point {
    double x, y;
} isa_test_point;

typedef struct isa_test_rect {
    isa_test_point origin, size;
} isa_test_rect;

// Makes and registers a class `name` below the root class, with the keys
//   age       q               atomic, so that threads may set it at once
//   height    d               atomic
//   name      @               retained
//   position  {CGPoint=dd}
//   frame     {CGRect={CGPoint=dd}{CGPoint=dd}}
// each of which has getter, setter and the ivar _<key>.
isa_status isa_test_person_make(const char *name, isa_class *out);

// Send the setter and the getter.
void isa_test_set_age(isa_id person, int64_t age);
int64_t isa_test_age(isa_id person);
void isa_test_set_height(isa_id person, double height);
void isa_test_set_name(isa_id person, isa_id name);
isa_id isa_test_name(isa_id person); // lent
void isa_test_set_position(isa_id person, isa_test_point position);
void isa_test_set_frame(isa_id person, isa_test_rect frame);

// Writes the ivar, past the setter.
void isa_test_poke_age(isa_id person, int64_t age);

#endif
