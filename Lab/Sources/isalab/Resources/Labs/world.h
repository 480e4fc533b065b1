// Declarations that the two halves of the grader share. Nothing of it can be called from outside.
#ifndef GRADER_WORLD_H
#define GRADER_WORLD_H

#include <isa.h>
#include <isa_event.h>

// A line of what happened.
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the scene with a line that the grader takes for its own failure.
_Noreturn static void stop(const char *what, const char *about);
static void must(isa_status status, const char *about);

static void make_classes(isa_imp selfish);
static void note_thing(const char *name, isa_id object, isa_class cls);
static isa_id find_object(const char *name);
static isa_class class_made_as(isa_id object);
static const char *name_of(isa_id object);
static bool is_dead(isa_id object);
static void note_death(isa_id object);

static void describe_value(isa_id value, char *out, size_t room);
static isa_id make_value(const char *word);
static void set_value(isa_id object, const char *key, const char *word);
static void append_bare(isa_id shelf, isa_id element);

#endif
