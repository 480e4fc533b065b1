// The C engine's rows: the table of goals, the ladder, the growth curves, and the limit.
#ifndef ENGINE_WORKLOADS_H
#define ENGINE_WORKLOADS_H

#include "paired.h"

#ifdef __cplusplus
extern "C" {
#endif

// All rows, those with threads last: once a second thread has changed an observed object, removing
// an observer costs more.
//
// Owner: the caller frees the array, not the rows' texts. NULL: no memory.
paired_workload *engine_copy_workloads(size_t *count);

// The limit's row of one observer, for paired_run_beside.
const paired_workload *engine_bare_program(void);

// A program around the rows, for paired_surround_by: many keys in use, many observed objects, and a
// second thread that sets some. A process has it once.
const paired_surroundings *engine_surroundings(void);

// Answers how many heap blocks the process has asked for. NULL, as at start, leaves out the row
// that needs it: counting takes a driver that stands in front of malloc.
extern uint64_t (*engine_count_allocations)(void);

#ifdef __cplusplus
}
#endif
#endif
