// Reporting events. Off, `isa__event_on` is one load and a predictable branch.
#ifndef ISA_BASE_EVENT_H
#define ISA_BASE_EVENT_H

#include "isa_event.h"
#include "reclaim.h"

// The kinds that anybody listens to; atomic builtins.
extern ISA_HIDDEN isa__word64 isa__event_kinds;

// How often the log has begun: listeners came where none was. Atomic builtins.
extern ISA_HIDDEN isa__word64 isa__event_logs;

// Rank 6: told when the log begins, before any event, and when it ends. Filled at start; called
// under a lock.
extern void (*isa__event_log_changed)(bool on);

// Whether anybody listens to anything.
static inline bool isa__event_on(void)
{
    return __builtin_expect((isa__slow_path_reasons() & ISA_SLOW_PATH_EVENTS) != 0, 0);
}

// Whether anybody listens to one of these kinds.
static inline bool isa__event_wants(isa_event_kinds kinds)
{
    return isa__event_on() && (__atomic_load_n(&isa__event_kinds, __ATOMIC_RELAXED) & kinds) != 0;
}

// Reports `event`, in which id, cause and thread are filled in, and returns what names it as a
// cause (0: nobody wants it). If `event` has a cause, such a name, it is caused by that, on
// whichever thread that was. Call with no lock held.
uint64_t isa__event_report(isa_event *event);

// Reports `event` and makes it the cause of what this thread does until isa__event_end, which takes
// what this returned. An event that nobody wants causes nothing: what causes it serves.
uint64_t isa__event_begin(isa_event *event);
void isa__event_end(uint64_t scope);

// What isa__event_begin returns for an event that nobody wants.
uint64_t isa__event_scope(void);

// Events of a thread that has to hold a lock meanwhile: kept, and reported when it has given it up.
// The text at `name` must last until then. Events that do not fit are lost; none of the core's own
// uses comes near.
enum { ISA_EVENT_QUEUE_SIZE = 24 };
struct isa__event_queue {
    unsigned count;
    isa_event events[ISA_EVENT_QUEUE_SIZE];
};
void isa__event_hold(struct isa__event_queue *queue);
void isa__event_flush(struct isa__event_queue *queue);

// Drops what is held of the class, which goes: nobody has been told that it came. False: nothing is
// held on this thread.
bool isa__event_forget(isa_class cls);

// For tests: has `call` called when an event happens, perhaps with a lock held, before it is
// reported. It may look at the event's class. NULL ends it.
void isa__event_peek(isa_event_sink call, void *context);

#define ISA_EVENT(...) \
    do { \
        if (isa__event_on()) isa__event_report(&(isa_event){__VA_ARGS__}); \
    } while (0)

#endif
