// Checks of the core in C alone, for processors and C libraries that have no Swift: see
// scripts/test-cross.sh.
#ifndef ISA_CORE_CHECK_H
#define ISA_CORE_CHECK_H

#include "isa.h"

// The address sanitizer needs memory of its own, at any time.
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED false
#endif

// Counts a check; prints the place and the last error of one that does not hold.
void check(bool holds, const char *file, int line, const char *condition);
#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)

int failure_count(void);

// Ends the program where nothing else can be checked without what failed.
void must(isa_status status);

// Makes an instance of a new, registered class.
isa_id make_object(isa_class cls);

// Send these to nodes: see node.h.
void set_child(isa_id node, isa_id child);
void set_count(isa_id node, int64_t count);

// The key path `child.child` and so on, `count` at the end: so many keys. The caller frees it.
char *make_path(int keys);

#ifdef __linux__
struct sock_filter;

// Has all threads' system calls go through a filter from here on; whether the system can.
bool confine(struct sock_filter *filter, unsigned short size);

// Checks that a child of this process ends well, which answers what went wrong; 0: nothing.
void check_child(int (*live)(void));
#endif

// The areas, each of which leaves nothing behind.
void check_calls(void);
void check_classes(void);
void check_setters(void);
void check_ways(void);
void check_observing(void);
void check_threads(void);
void check_leaving(void);
void check_confined(void);
void check_memory(void);
void check_others(void);
void check_depth(void);
void check_scale(void);
void check_nulls(void);
void check_typed(void);
void check_tracing(void);
void check_events(void);

// Prints the public functions that check_memory calls, one a line.
void print_functions(void);

// Prints those that check_nulls calls.
void print_statuses(void);

#endif
