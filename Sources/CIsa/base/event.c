// The event log's sink.
//
// Owns:      the sink and the ids.
// Locks:     none; replacing the sink follows the callout protocol of reclaim.h.
// Invariant: an id is taken inside the callout, so none is left over from the sink before.
#include "event.h"

#include "status.h"
#include "thread.h"

isa__word64 isa__ways = (uint64_t)ISA_SLOW_PATH_FENCES << ISA_SLOW_PATH_SHIFT;

static struct isa__callout sink_callout;
static isa__word64 last_id;
static struct {
    isa_event_sink call;
    void *context;
} peek;

void isa_event_set_sink(isa_event_sink sink, void *context)
{
    isa__slow_path_set(ISA_SLOW_PATH_EVENTS, false);
    isa__callout_set(&sink_callout, NULL, NULL);
    __atomic_store_n(&last_id, 0, __ATOMIC_RELAXED);
    if (sink == NULL) return;
    isa__callout_set(&sink_callout, (void (*)(void))sink, context);
    isa__slow_path_set(ISA_SLOW_PATH_EVENTS, true);
}

static uint64_t report(struct isa__thread *thread, const isa_event *event)
{
    struct isa__callout_call call;
    if (!isa__callout_enter(&sink_callout, &call)) return 0;
    isa_event reported = *event;
    reported.id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    reported.cause = thread->cause;
    reported.thread = thread->number;
    thread->in_sink = true;
    ((isa_event_sink)call.function)(&reported, call.context);
    thread->in_sink = false;
    isa__callout_leave(&call);
    return reported.id;
}

uint64_t isa__event_report(const isa_event *event)
{
    struct isa__thread *thread = isa__thread_get();
    // The sink's own acts are not reported: it would be told of its own telling.
    if (thread->in_sink) return 0;
    if (peek.call != NULL) peek.call(event, peek.context);
    struct isa__event_queue *queue = thread->event_queue;
    if (queue == NULL) return report(thread, event);
    if (queue->count < ISA_EVENT_QUEUE_SIZE) queue->events[queue->count++] = *event;
    return 0;
}

void isa__event_peek(isa_event_sink call, void *context)
{
    peek.call = call;
    peek.context = context;
}

void isa__event_hold(struct isa__event_queue *queue)
{
    queue->count = 0;
    isa__thread_get()->event_queue = queue;
}

void isa__event_flush(struct isa__event_queue *queue)
{
    struct isa__thread *thread = isa__thread_get();
    thread->event_queue = NULL;
    for (unsigned i = 0; i < queue->count; i++) report(thread, &queue->events[i]);
}

uint64_t isa__event_begin(const isa_event *event)
{
    struct isa__thread *thread = isa__thread_get();
    uint64_t previous = thread->cause;
    uint64_t id = isa__event_report(event);
    if (id != 0) thread->cause = id;
    return previous;
}

void isa__event_end(uint64_t previous_cause)
{
    isa__thread_get()->cause = previous_cause;
}

const char *isa_event_kind_name(isa_event_kind kind)
{
    switch (kind) {
    case ISA_EVENT_CLASS_ALLOCATED: return "class-allocated";
    case ISA_EVENT_CLASS_REGISTERED: return "class-registered";
    case ISA_EVENT_CLASS_DISPOSED: return "class-disposed";
    case ISA_EVENT_METHOD_ADDED: return "method-added";
    case ISA_EVENT_METHOD_REPLACED: return "method-replaced";
    case ISA_EVENT_OBJECT_ALLOCATED: return "object-allocated";
    case ISA_EVENT_ISA_SWAPPED: return "isa-swapped";
    case ISA_EVENT_MESSAGE: return "message";
    case ISA_EVENT_WRAPPER_ENTERED: return "wrapper-entered";
    case ISA_EVENT_WRAPPER_LEFT: return "wrapper-left";
    case ISA_EVENT_WILL_CHANGE: return "will-change";
    case ISA_EVENT_DID_CHANGE: return "did-change";
    case ISA_EVENT_NOTIFICATION: return "notification";
    case ISA_EVENT_OBSERVER_ADDED: return "observer-added";
    case ISA_EVENT_OBSERVER_REMOVED: return "observer-removed";
    case ISA_EVENT_WEAK_CLEARED: return "weak-cleared";
    case ISA_EVENT_DEALLOCATED: return "deallocated";
    case ISA_EVENT_MISUSE: return "misuse";
    case ISA_EVENT_ORIGINAL_CALLED: return "original-called";
    case ISA_EVENT_ORIGINAL_RETURNED: return "original-returned";
    case ISA_EVENT_IVAR_WRITTEN: return "ivar-written";
    case ISA_EVENT_VALUE_READ: return "value-read";
    case ISA_EVENT_DEPENDENT_REACHED: return "dependent-reached";
    }
    return "unknown";
}
