// For tests alone: live counts, allocation failure, and functions of the core under direct test.
// Not installed.
#ifndef ISA_TESTING_H
#define ISA_TESTING_H

#include "isa_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The things that the core keeps alive at this moment, over all threads.
typedef struct isa_live_counts {
    int64_t bytes;
    int64_t blocks;
    int64_t objects;       // instances, classes left out
    int64_t classes;       // class pairs, notifying ones left out
    int64_t side_records;
    int64_t registrations;
    int64_t lists;
    int64_t pending;       // changes announced and not yet ended
    int64_t trampolines;   // bound ones
    // Permanent by design.
    int64_t selectors;
    int64_t call_interfaces;
    int64_t notifying_classes;
    int64_t spare_trampolines;
} isa_live_counts;

// Exact when no other thread is inside the core.
isa_live_counts isa_testing_live_counts(void);

// Makes allocation number `after` (0: the next) of the calling thread fail, and every later one; -1
// ends it. Returns whether one has failed since the last call.
bool isa_testing_fail_allocation(int64_t after);

// Makes closures unavailable, as on a system without executable memory.
void isa_testing_deny_trampolines(bool deny);

// ---- ranks 0 and 1 under direct test ------------------------------------------------------------

#include "../base/alloc.h"
#include "../base/containers.h"
#include "../base/event.h"
#include "../base/thread.h"
#include "../base/status.h"

uint64_t isa__thread_count(void);
size_t isa__dispatch_size(isa_class cls);
isa_status isa__class_pair_make(isa_class superclass, const char *name, uint32_t flags,
                                isa_class *out);
isa_status isa__class_own(isa_class cls, void *resource, void (*dispose)(void *resource));
void isa__method_remove(isa_method method);
void isa__ivar_remove_last(isa_class cls);
void isa__property_remove(isa_class cls, isa_property property);

// ---- coding under direct test -------------------------------------------------------------------

struct isa__key;
const struct isa__key *isa__key_intern(const char *text);
const struct isa__key *isa__key_find(const char *text);
bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to);
bool isa__number_convert_exactly(char from_letter, const void *from, char to_letter, void *to);

#ifdef __cplusplus
}
#endif
#endif
