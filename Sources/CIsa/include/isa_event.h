// The event log: the runtime's acts as they happen, each event with the event that caused it.
//
// Listeners say which kinds of events they want, and the core makes no event that nobody wants. Off
// (no listener), an event costs one predictable branch.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_EVENT_H
#define ISA_EVENT_H

#include "isa_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum isa_event_kind {
    ISA_EVENT_CLASS_ALLOCATED = 1, // cls, other = its superclass
    ISA_EVENT_CLASS_REGISTERED,    // cls
    ISA_EVENT_CLASS_DISPOSED,      // cls (its name only, through `name`)
    ISA_EVENT_METHOD_ADDED,        // cls, selector, imp; name = type encoding
    ISA_EVENT_METHOD_REPLACED,     // cls, selector, imp; name = type encoding
    ISA_EVENT_OBJECT_ALLOCATED,    // object, cls
    ISA_EVENT_ISA_SWAPPED,         // object, cls = new class, other = old class
    ISA_EVENT_MESSAGE,             // object, selector, imp: a send through isa_invoke_message
    ISA_EVENT_WRAPPER_ENTERED,     // object, cls = notifying class, selector, imp = original;
                                   // key; flags = ISA_EVENT_CLOSURE
    ISA_EVENT_WRAPPER_LEFT,        // the same
    ISA_EVENT_WILL_CHANGE,         // object, name = key
    ISA_EVENT_DID_CHANGE,          // object, name = key
    ISA_EVENT_NOTIFICATION,        // object, name = key path; observer or callback and observer =
                                   // its info; registration, serves; flags = ISA_EVENT_PRIOR …,
                                   // FORWARDER; the values as the observer gets them
    ISA_EVENT_OBSERVER_ADDED,      // object, name = key path; observer, callback, registration,
                                   // serves; flags = options, FORWARDER, SHARED; file and line
    ISA_EVENT_OBSERVER_REMOVED,    // the same; reason
    ISA_EVENT_WEAK_CLEARED,        // object: weak references to it now read NULL; count
    ISA_EVENT_DEALLOCATED,         // object, cls
    ISA_EVENT_MISUSE,              // object or NULL; status, key; name = reason text
    ISA_EVENT_ORIGINAL_CALLED,     // object, cls = notifying class, selector, imp, key
    ISA_EVENT_ORIGINAL_RETURNED,   // the same
    ISA_EVENT_IVAR_WRITTEN,        // object, cls = the class that has it, name = ivar; value, types
    ISA_EVENT_VALUE_READ,          // object, name = key; value, types; flags = ISA_EVENT_OLD …;
                                   // count = how many registrations asked for it
    ISA_EVENT_DEPENDENT_REACHED,   // object, name = the dependent key path; flags = ISA_EVENT_PRIOR
    ISA_EVENT_NOTIFICATION_ENDED,  // as NOTIFICATION, without values: its observer has returned
    ISA_EVENT_CHANGE_HELD,         // in NOTIFICATION's place: a transaction holds the change; it is
                                   // the cause of the NOTIFICATION that comes of it later, if one
    ISA_EVENT_CHANGE_MUTED,        // in NOTIFICATION's place: the observer is muted
    ISA_EVENT_HANDLER_SENT,        // object, name = key path, registration: the handler is to run
                                   // elsewhere, such as on an actor
    ISA_EVENT_HANDLER_ARRIVED,     // the same; cause = the HANDLER_SENT: the handler runs
    ISA_EVENT_HANDLER_ENDED,       // the same; the handler has returned
    ISA_EVENT_SPAN_BEGAN,          // name = what it is, such as "observe" and a path; file, line
    ISA_EVENT_SPAN_ENDED,          // name
    ISA_EVENT_OBSERVER_REFUSED,    // object, name = key path, observer, callback, status; file and
                                   // line; registration if it had come: it ends by this
    ISA_EVENT_TRANSACTION_BEGAN,
    ISA_EVENT_TRANSACTION_ENDED,   // count = how many changes it held
    ISA_EVENT_MARK,                // name = the program's own text, see isa_trace_mark
} isa_event_kind;

// Kinds of events, joined by |.
typedef uint64_t isa_event_kinds;
#define ISA_EVENT_KIND(kind) (UINT64_C(1) << (kind))
#define ISA_EVENT_KINDS_ALL (~UINT64_C(0))

// Facts about an event: the constants, joined by |, and a registration's kvo_options.
typedef uint32_t isa_event_flags;
enum {
    ISA_EVENT_PRIOR = 1,   // the notification before the change
    ISA_EVENT_INITIAL = 2, // the notification while registering
    ISA_EVENT_FORWARDER = 256, // the registration serves one of another object, or of another key
    ISA_EVENT_OLD = 512,       // the value is the old value
    ISA_EVENT_CLOSURE = 1024,  // the wrapper is a libffi closure; else it is a typed thunk
    ISA_EVENT_SHARED = 2048,   // the registration belongs to shared observers, and to many objects
};

// Why a registration ended.
typedef enum isa_removal_reason {
    ISA_REMOVED_BY_CALL = 1,       // removeObserver…, or its token ended
    ISA_REMOVED_OBSERVER_DIED = 2, // collected: its observer was deallocated
    ISA_REMOVED_OBJECT_DIED = 3,   // the observed object was deallocated
} isa_removal_reason;

// One event. Fields that its kind does not use are zero.
//
// Owner: the runtime; the event, its texts and values included, is valid during the listener's call
//        only. `object`, `observer` and an object among the values are lent, and may be
//        deallocating: use them as names, send them nothing.
typedef struct isa_event {
    uint64_t id;     // in the order of the process; never used again in it
    uint64_t cause;  // the nearest event around this one of the kinds that the listener wants, or
                     // what its kind says; 0: none since the listener was added
    uint64_t thread; // 1, 2, 3, … in the order in which threads came to the runtime
    isa_event_kind kind;
    isa_event_flags flags;
    uint64_t count;
    isa_id object;
    isa_class cls;
    isa_class other;
    isa_sel selector;
    isa_imp imp;
    const void *observer; // an observer object, or a function observer's info
    isa_removal_reason reason;
    const char *name;
    const char *types;  // of the value
    const void *value;  // where it is; an object is lent as `object` is
    const char *old_types; // of the value before the change
    const void *old_value;
    uint64_t registration; // its number in the log; never used again in the process
    uint64_t serves;       // of a forwarder: the number of the registration that it serves
    isa_imp callback;      // of a function observer
    const char *key;
    isa_status status;
    uint32_t line;         // 1, 2, 3, …
    const char *file;      // as the compiler names it
} isa_event;

// Receives events on the thread on which they happen, with no lock held.
//
// What the listener itself does is not logged on its thread.
typedef void (*isa_event_sink)(const isa_event *event, void *context);

// A listener: 0 is none. It is a number among the ids of events: the listener gets each event of
// its kinds with a later id. Events that happen while it is being added, which have earlier ids, it
// may get or not; they are no event's cause.
typedef uint64_t isa_event_listener;

// At most so many listeners are there at once.
#define ISA_EVENT_LISTENERS_MAX 8

// Has `call` called for each event of `kinds` from here on.
//
// Errors: ISA_ERR_IN_USE if ISA_EVENT_LISTENERS_MAX listeners are there.
ISA_TRY isa_status isa_event_add_listener(isa_event_kinds kinds, isa_event_sink call,
                                          void *context, isa_event_listener *out);

// Ends a listener; 0, and one that has ended or that another thread is ending, is ignored.
//
// Threads: returns once no thread is inside the listener, the caller's own call excepted; it is not
//          called again afterwards.
ISA_API void isa_event_remove_listener(isa_event_listener listener);

// Which kinds anybody listens to now.
ISA_API isa_event_kinds isa_event_kinds_wanted(void);

// Writes the text of an event's value, or of its old value, into `buffer` of `size` bytes, ended by
// 0 and cut if need be. Returns the text's length in bytes; SIZE_MAX, and nothing is written, if
// the value is no text. To be called by a listener for its event; runs no code of the program.
ISA_API size_t isa_event_copy_text(const isa_event *event, bool of_old, char *buffer, size_t size);

// Begins a span of this thread's work, such as the observing of a computed property: what happens
// until it ends has it as cause. Spans of a thread lie one inside the other. Returns what ends it.
ISA_API uint64_t isa_event_begin_span(const char *name, const char *file, uint32_t line);
ISA_API void isa_event_end_span(uint64_t span, const char *name);

// The kind's name, such as "isa-swapped". Never NULL.
ISA_API const char *isa_event_kind_name(isa_event_kind kind);

#ifdef __cplusplus
}
#endif
#endif
