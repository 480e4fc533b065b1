// How a trace is recorded: from options, or from variables of the environment.
#ifndef ISA_TRACE_SETTINGS_H
#define ISA_TRACE_SETTINGS_H

#include "isa_trace.h"
#include "structure.h"

struct isa__trace_settings {
    uint64_t limit;
    isa_event_kinds kinds;
    isa_trace_keep keep;
    isa_trace_stacks stacks;
    isa_trace_values values;
    const char *classes; // NULL: all
};

// The settings of the variables. What they say wrongly is reported, and the default holds.
struct isa__trace_settings isa__trace_settings_of_variables(void);

// Errors: ISA_ERR_INVALID_ARGUMENT.
isa_status isa__trace_settings_of_options(const isa_trace_options *options,
                                          struct isa__trace_settings *out);

// `path` with the process's number for `%p`, in the arena; NULL if memory is short.
const char *isa__trace_path(struct isa__arena *arena, const char *path);

// Whether events about objects of the class of that name are recorded.
bool isa__trace_wants_class(const struct isa__trace_settings *settings, const char *name);

#endif
