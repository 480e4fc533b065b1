// One change under way: of one key of one object.
#ifndef CHANGE_H
#define CHANGE_H

#include "registration.h"

struct pending {
    struct registration *registration; // this and the observer: held
    isa_id observer;
    isa_id old;
    bool is_end;
};

struct change {
    isa_id object;
    const char *key;
    student_kind kind;
    size_t index;
    struct pending *pending;
    size_t count;
    struct change *outer; // announced by hand before this one and not ended
};

void change_begin(struct change *change);
void change_end(struct change *change);

#endif
