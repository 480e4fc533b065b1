// Declarations that the two halves of the grader share.
#ifndef GRADER_WORLD_H
#define GRADER_WORLD_H

#include <isa.h>

// A line of what happened.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the scene with a line that the grader takes for its own failure.
_Noreturn void stop(const char *what, const char *about);
void must(isa_status status, const char *about);

void make_classes(isa_imp selfish_dealloc);
void note_thing(const char *name, isa_id object, isa_class cls);
isa_id find_object(const char *name);
isa_class class_made_as(isa_id object);
const char *name_of(isa_id object);
bool is_dead(isa_id object);

void describe_value(isa_id value, char *out, size_t room);
isa_id make_value(const char *word);
void set_value(isa_id object, const char *key, const char *word);
void append_bare(isa_id shelf, isa_id element);

#endif
