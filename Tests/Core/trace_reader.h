// Reads a trace by docs/tracing.md alone, and finds out whether it is what the page says.
#ifndef ISA_CORE_TRACE_READER_H
#define ISA_CORE_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_event {
    uint64_t id, cause, time, thread, object, registration, serves, stack, flags, status;
    uint64_t observer, line, count;
    const char *name, *cls, *file; // NULL: none
    unsigned kind;
    bool in_structure;
    char value;            // the letter; 0: none
    int64_t number;        // of an integer value
    char text[64];         // of a text value
    char old_value;
};

struct trace_object {
    uint64_t address, first;
    const char *cls;
};

struct trace_registration {
    uint64_t object, number;
    const char *key_path;
};

struct trace {
    uint64_t process, chunk_count, lost_events, lost_chunks, structure_end;
    uint32_t keep, end_reason, end_error;
    struct trace_event *events; // by id
    size_t event_count;
    struct trace_object *objects;
    size_t object_count;
    struct trace_registration *registrations; // that were there before
    size_t registration_count;
    char **texts; // by number - 1
    size_t text_count;
    size_t stack_count, module_count, longest_stack;
    uint64_t stack_modules; // calls of stacks that stand in a module
    uint64_t stack_calls;
    uint64_t bytes;         // of all records of events
    char mistake[256];      // empty: none
};

// Reads the file; false, with a sentence, if it is no trace or not as the page says. Free it either
// way.
bool trace_read(const char *path, struct trace *trace);
void trace_free(struct trace *trace);

// How many events have that kind.
size_t trace_count(const struct trace *trace, unsigned kind);

// The event of that id; NULL if there is none.
const struct trace_event *trace_find(const struct trace *trace, uint64_t id);

#endif
