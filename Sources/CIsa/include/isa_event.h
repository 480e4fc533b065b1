// The event log: the runtime's acts as they happen, each event with the event that caused it.
//
// Off (no sink), an event costs one predictable branch.
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
                                   // flags = ISA_EVENT_CLOSURE
    ISA_EVENT_WRAPPER_LEFT,        // the same
    ISA_EVENT_WILL_CHANGE,         // object, name = key
    ISA_EVENT_DID_CHANGE,          // object, name = key
    ISA_EVENT_NOTIFICATION,        // object, name = key path; observer; flags = ISA_EVENT_PRIOR …,
                                   // FORWARDER
    ISA_EVENT_OBSERVER_ADDED,      // object, name = key path; observer; flags = options, FORWARDER
    ISA_EVENT_OBSERVER_REMOVED,    // object, name = key path; observer; reason; flags
    ISA_EVENT_WEAK_CLEARED,        // object: weak references to it now read NULL; count
    ISA_EVENT_DEALLOCATED,         // object, cls
    ISA_EVENT_MISUSE,              // object or NULL; name = reason text
    ISA_EVENT_ORIGINAL_CALLED,     // object, cls = notifying class, selector, imp
    ISA_EVENT_ORIGINAL_RETURNED,   // the same
    ISA_EVENT_IVAR_WRITTEN,        // object, cls = the class that has it, name = ivar; value, types
    ISA_EVENT_VALUE_READ,          // object, name = key; value, types; flags = ISA_EVENT_OLD …;
                                   // count = how many registrations asked for it
    ISA_EVENT_DEPENDENT_REACHED,   // object, name = the dependent key path; flags = ISA_EVENT_PRIOR
} isa_event_kind;

// Facts about an event: the constants, joined by |, and a registration's kvo_options.
typedef uint32_t isa_event_flags;
enum {
    ISA_EVENT_PRIOR = 1,   // the notification before the change
    ISA_EVENT_INITIAL = 2, // the notification while registering
    ISA_EVENT_FORWARDER = 256, // the registration serves one of another object, or of another key
    ISA_EVENT_OLD = 512,       // the value is the old value
    ISA_EVENT_CLOSURE = 1024,  // the wrapper is a libffi closure; else it is a typed thunk
};

// Why a registration ended.
typedef enum isa_removal_reason {
    ISA_REMOVED_BY_CALL = 1,       // removeObserver…, or its token ended
    ISA_REMOVED_OBSERVER_DIED = 2, // collected: its observer was deallocated
    ISA_REMOVED_OBJECT_DIED = 3,   // the observed object was deallocated
} isa_removal_reason;

// One event. Fields that its kind does not use are zero.
//
// Owner: the runtime; the event, its name and value included, is valid during the sink's call only.
//        `object`, `observer` and an object in `value` are lent, and may be deallocating: use them
//        as names, send them nothing.
typedef struct isa_event {
    uint64_t id;    // 1, 2, 3, … in the order of the process
    uint64_t cause; // the event in whose course this one happened, 0 for none
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
} isa_event;

// Receives events on the thread on which they happen, with no lock held.
typedef void (*isa_event_sink)(const isa_event *event, void *context);

// Sets the process's event sink, or clears it with NULL, and starts ids again at 1.
//
// Threads: returns once no thread is inside the previous sink, the caller's own call excepted; it
//          is not called again afterwards.
ISA_API void isa_event_set_sink(isa_event_sink sink, void *context);

// The kind's name, such as "isa-swapped". Never NULL.
ISA_API const char *isa_event_kind_name(isa_event_kind kind);

#ifdef __cplusplus
}
#endif
#endif
