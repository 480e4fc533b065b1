// The keys of a program that has many: classes with properties, no two keys of one name.
#ifndef ENGINE_VOCABULARY_H
#define ENGINE_VOCABULARY_H

#include "stage.h"

enum { VOCABULARY_CLASS_COUNT = 100, KEYS_PER_CLASS = 20,
       PAIR_COUNT = VOCABULARY_CLASS_COUNT * KEYS_PER_CLASS };

// A class and one of its keys.
struct pair {
    char key[16];
    isa_sel setter;
    isa_id watched; // an instance, whose keys are all observed
    isa_id plain;   // another, which nobody observes
    kvo_token token;
};

struct vocabulary {
    isa_class classes[VOCABULARY_CLASS_COUNT];
    struct pair pairs[PAIR_COUNT]; // those of a class stand together
    struct heard heard;            // of the watched objects
};

// Makes the classes and two instances of each, and observes the first. Returns false, and has given
// a reason, if that fails.
bool vocabulary_open(struct vocabulary *vocabulary);

// Has each pair used once in each way: set by message and by key, read by key. Once.
bool vocabulary_use(struct vocabulary *vocabulary);

// Whether the observers heard of that use, and of no other change.
bool vocabulary_has_heard(const struct vocabulary *vocabulary);

// Ends observers, instances and classes. Returns false if a class has instances still.
bool vocabulary_close(struct vocabulary *vocabulary);

#endif
