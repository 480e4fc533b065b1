// Traces: the event log of this process in a file, which survives it. docs/tracing.md has the file,
// the variables of the environment by which a program is traced unchanged, and what is safe.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_TRACE_H
#define ISA_TRACE_H

#include "isa_event.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is kept when a trace has reached its limit.
typedef enum isa_trace_keep {
    ISA_TRACE_KEEP_FIRST = 0,  // recording ends
    ISA_TRACE_KEEP_LATEST = 1, // the oldest events make room; the file says how many
} isa_trace_keep;

// Of which events the calls are recorded that have led to them.
typedef enum isa_trace_stacks {
    ISA_TRACE_STACKS_REGISTRATIONS = 0,
    ISA_TRACE_STACKS_NONE = 1,
    ISA_TRACE_STACKS_ALL = 2, // of sets, changes announced by hand, removals and spans too
} isa_trace_stacks;

typedef enum isa_trace_values {
    ISA_TRACE_VALUES_NUMBERS = 0,
    ISA_TRACE_VALUES_NONE = 1,
    ISA_TRACE_VALUES_ALL = 2, // texts too, which may be passwords
} isa_trace_values;

// How a trace is recorded. Zero asks for the default of each.
typedef struct isa_trace_options {
    uint64_t limit;          // of the file in bytes, from 1 MiB to 64 GiB; 0: 256 MiB
    isa_trace_keep keep;
    isa_trace_stacks stacks;
    isa_trace_values values;
    isa_event_kinds kinds;   // besides registrations, removals and deaths; 0: ISA_TRACE_CHANGES
    const char *classes;     // names, commas between them, `*` at an end for any text; NULL: all
} isa_trace_options;

// The kinds of events that tell of changes and of who is notified: not messages, methods, classes,
// the begin of a change, and what goes on within a setter.
#define ISA_TRACE_CHANGES \
    (ISA_EVENT_KINDS_ALL & \
     ~(ISA_EVENT_KIND(ISA_EVENT_CLASS_ALLOCATED) | ISA_EVENT_KIND(ISA_EVENT_CLASS_REGISTERED) | \
       ISA_EVENT_KIND(ISA_EVENT_CLASS_DISPOSED) | ISA_EVENT_KIND(ISA_EVENT_METHOD_ADDED) | \
       ISA_EVENT_KIND(ISA_EVENT_METHOD_REPLACED) | ISA_EVENT_KIND(ISA_EVENT_OBJECT_ALLOCATED) | \
       ISA_EVENT_KIND(ISA_EVENT_MESSAGE) | ISA_EVENT_KIND(ISA_EVENT_WRAPPER_ENTERED) | \
       ISA_EVENT_KIND(ISA_EVENT_WRAPPER_LEFT) | ISA_EVENT_KIND(ISA_EVENT_WILL_CHANGE) | \
       ISA_EVENT_KIND(ISA_EVENT_WEAK_CLEARED) | ISA_EVENT_KIND(ISA_EVENT_ORIGINAL_CALLED) | \
       ISA_EVENT_KIND(ISA_EVENT_ORIGINAL_RETURNED) | ISA_EVENT_KIND(ISA_EVENT_IVAR_WRITTEN) | \
       ISA_EVENT_KIND(ISA_EVENT_VALUE_READ)))

// Records the events from here on into the file at `path`; `%p` in it stands for the number of the
// process, `%%` for `%`. If another process records there, `.` and the number are added. With NULL
// as options, what the variables of the environment say.
//
// The file is complete at any moment, however the process ends; one that ends as usual stops the
// trace. A child of fork does not record.
//
// Errors: ISA_ERR_IN_USE if a trace is being recorded, or too many listeners are there;
//         ISA_ERR_INVALID_ARGUMENT for an empty path or options out of range; ISA_ERR_EXISTS for a
//         file that is no trace of this user's; ISA_ERR_FILE; ISA_ERR_NO_MEMORY. Nothing is
//         recorded then.
ISA_TRY isa_status isa_trace_start(const char *path, const isa_trace_options *options);

// Ends the trace and closes its file.
//
// Errors: ISA_ERR_NOT_FOUND if none is being recorded, as after the limit was reached.
ISA_API isa_status isa_trace_stop(void);

// The path of the file that is being recorded into; NULL if none is, or memory is short.
//
// Owner: the caller frees it with isa_free.
ISA_API char *isa_trace_copy_path(void);

// An event of the program's own. Without a listener it costs a branch.
ISA_API void isa_trace_mark(const char *text);

// A span of the calling thread's work, which is the cause of what happens in it. Spans of a thread
// lie one inside the other. `isa_trace_end` takes what `isa_trace_begin` returned, on the thread.
ISA_API uint64_t isa_trace_begin(const char *text);
ISA_API void isa_trace_end(uint64_t span, const char *text);

#ifdef __cplusplus
}
#endif
#endif
