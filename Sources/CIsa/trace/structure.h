// Structure: what the records of events name by number, and what is kept when the oldest events
// make room. Texts, stacks, modules, and the objects that were seen.
#ifndef ISA_TRACE_STRUCTURE_H
#define ISA_TRACE_STRUCTURE_H

#include "kvo.h"
#include "writer.h"

struct isa__trace_text {
    uint64_t hash;
    uint32_t number;
    char text[];
};

// Open addressing by hash; `size` is a power of two.
struct isa__trace_texts {
    struct isa__trace_text **places;
    size_t size, count;
};

struct isa__trace_stacks {
    struct isa__trace_stack {
        uint64_t hash; // 0: no stack
        uint64_t number;
    } *places;
    size_t size, count;
};

// Addresses of objects, each with bit 0 set once the object is being deallocated. Read without the
// lock: a table that was replaced stays as it was.
struct isa__trace_objects {
    struct isa__trace_object_table {
        size_t size;
        uintptr_t places[]; // atomic builtins
    } *table;               // atomic builtins
    size_t count;
};

struct isa__trace_structure {
    struct isa__trace_file *file;
    struct isa__arena *arena;
    enum isa__trace_value_wish values;
    struct isa__trace_writer writer; // guarded by isa__trace_lock, as all below
    struct isa__trace_texts texts;
    struct isa__trace_stacks stacks;
    struct isa__trace_objects objects;
    uint64_t modules[512][2];        // the first address, and the one behind the last
    size_t module_count;
};

enum { ISA_TRACE_MOST_CALLS = 48, ISA_TRACE_TEXT_ROOM = 4096 };

// False if memory is short.
bool isa__structure_start(struct isa__trace_structure *structure, struct isa__trace_file *file,
                          struct isa__arena *arena);

// The text's number, which the file has from here on, and the text itself as the arena keeps it.
// NULL: the file has no room for it, and its number is 0.
const struct isa__trace_text *isa__structure_text(struct isa__trace_structure *structure,
                                                  const char *text);

// The number of the stack of those calls, `hash` being isa__stack_hash's answer; 0: no room.
uint64_t isa__structure_stack(struct isa__trace_structure *structure, uint64_t hash,
                              const uintptr_t *calls, size_t count);
uint64_t isa__stack_hash(const uintptr_t *calls, size_t count);

// Whether the object has been seen: 0 no; 1 it has; 2 it has, and has been deallocated since.
int isa__structure_has_object(const struct isa__trace_structure *structure, const void *object);

// Notes that an object was seen for the first time, in the course of that event. `is_anew` takes an
// object at the address of one that was deallocated for another.
void isa__structure_add_object(struct isa__trace_structure *structure, const void *object,
                               const char *class_name, uint64_t event, bool is_anew);

// Notes that an object that was seen is being deallocated.
void isa__structure_end_object(struct isa__trace_structure *structure, const void *object);

// Notes a registration that was there before the object was seen.
void isa__structure_add_registration(struct isa__trace_structure *structure, isa_id object,
                                     const kvo_registration_info *info);

// Notes the modules that are loaded.
void isa__structure_find_modules(struct isa__trace_structure *structure);

// Notes a fact about the whole trace.
void isa__structure_note(struct isa__trace_structure *structure, const char *name,
                         const char *text);

// Appends the record of an event. False if structure has no more room: the event is for the other
// stream then, as all from here on.
bool isa__structure_write_event(struct isa__trace_structure *structure, const isa_event *event,
                                const struct isa__trace_numbers *numbers);

#endif
