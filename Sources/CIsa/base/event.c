// The event log's listeners.
//
// Owns:      the listeners and the ids.
// Locks:     `listeners_lock` orders additions and removals; nobody's code runs under it. Replacing
//            a listener's function follows the callout protocol of reclaim.h.
// Invariant: a listener has got every event of its kinds whose id is later than its number. So an
//            event that a thread is inside may be named to a listener as a cause if its kind is one
//            of the listener's and its id is later than the number. A listener that is told of an
//            event is named its cause, but for the moment before it has a number.
//
// Why it has got each of these (modelled in Tests/Protocol/listeners.pml):
//
//   who adds a listener                      who reports an event
//   A1  function and context (callout)       E1  add to the last id
//   A2  kinds                                E2  load the kinds
//   A3  add to the last id: the number       E3  enter the callout, load the kinds once more
//   A4  store the number
//
//   An id that is later than the number was taken by an E1 that reads what A3 wrote, or what was
//   added to it since (both acquire and release): E2 and E3 see A1 and A2. Until A4 can be seen,
//   the number reads as later than all ids, and no cause is named.
//
//   E3 looks again since another listener may have come to the place after E2. Who is inside the
//   callout finds that listener's kinds there, or none: a listener's kinds go before its function
//   does, come after its function has, and are the same between, and the place is not used again
//   before all are out of the callout. For the same reason the number stays until then: who has
//   found the kinds finds it.
#include "event.h"

#include "status.h"
#include "thread.h"

isa__word64 isa__ways = (uint64_t)ISA_SLOW_PATH_FENCES << ISA_SLOW_PATH_SHIFT;
isa__word64 isa__event_kinds;
isa__word64 isa__event_logs;
void (*isa__event_log_changed)(bool on);

enum { LISTENERS = ISA_EVENT_LISTENERS_MAX };

// Words: atomic builtins.
struct listener {
    struct isa__callout callout;
    isa__word64 kinds;  // 0: the listener is not there, or is going
    isa__word64 number; // UINT64_MAX: the listener is coming
    bool is_taken;      // guarded by the lock
    bool is_going;      // guarded by the lock
};

static ISA_LOCK_DEFINE(listeners_lock, ISA_LOCK_THREAD)
static struct listener listeners[LISTENERS];
static uint32_t places_used; // the listeners beyond have never been there; atomic builtins
static isa__word64 last_id;
static struct {
    isa_event_sink call;
    void *context;
} peek;

// ---- listeners ----------------------------------------------------------------------------------

// Events of these kinds come of steps that a set makes by the slow path only.
static const isa_event_kinds step_kinds =
    ISA_EVENT_KIND(ISA_EVENT_WRAPPER_ENTERED) | ISA_EVENT_KIND(ISA_EVENT_WRAPPER_LEFT) |
    ISA_EVENT_KIND(ISA_EVENT_ORIGINAL_CALLED) | ISA_EVENT_KIND(ISA_EVENT_ORIGINAL_RETURNED) |
    ISA_EVENT_KIND(ISA_EVENT_IVAR_WRITTEN) | ISA_EVENT_KIND(ISA_EVENT_VALUE_READ);

static void log_changed_locked(bool on)
{
    if (on) __atomic_add_fetch(&isa__event_logs, 1, __ATOMIC_RELEASE);
    if (isa__event_log_changed != NULL) isa__event_log_changed(on);
}

static void kinds_changed_locked(void)
{
    uint64_t kinds = 0;
    for (int i = 0; i < LISTENERS; i++)
        kinds |= __atomic_load_n(&listeners[i].kinds, __ATOMIC_RELAXED);
    uint64_t before = __atomic_load_n(&isa__event_kinds, __ATOMIC_RELAXED);
    if ((before != 0) != (kinds != 0)) log_changed_locked(kinds != 0);
    __atomic_store_n(&isa__event_kinds, kinds, __ATOMIC_RELEASE);
    isa__slow_path_set(ISA_SLOW_PATH_EVENTS, kinds != 0);
    isa__slow_path_set(ISA_SLOW_PATH_STEPS, (kinds & step_kinds) != 0);
}

static struct listener *listener_take_locked(void)
{
    for (int i = 0; i < LISTENERS; i++) {
        if (listeners[i].is_taken) continue;
        listeners[i].is_taken = true;
        listeners[i].is_going = false;
        if (places_used <= (uint32_t)i)
            __atomic_store_n(&places_used, (uint32_t)i + 1, __ATOMIC_RELEASE);
        __atomic_store_n(&listeners[i].number, UINT64_MAX, __ATOMIC_RELAXED);
        return &listeners[i];
    }
    return NULL;
}

static struct listener *listener_take(void)
{
    isa__lock(&listeners_lock);
    struct listener *listener = listener_take_locked();
    isa__unlock(&listeners_lock);
    return listener;
}

static isa_status no_room(void)
{
    return isa__fail(ISA_ERR_IN_USE, NULL, "isa_event_add_listener: %d listeners are there, which "
                     "are as many as there may be", LISTENERS);
}

isa_status isa_event_add_listener(isa_event_kinds kinds, isa_event_sink call, void *context,
                                  isa_event_listener *out)
{
    if (call == NULL) return isa__fail_null(__func__, "call");
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct listener *listener = listener_take();
    if (listener == NULL) return no_room();
    isa__callout_set(&listener->callout, (void (*)(void))call, context);
    __atomic_store_n(&listener->kinds, kinds & ~ISA_EVENT_KIND(0), __ATOMIC_RELEASE);
    *out = __atomic_add_fetch(&last_id, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&listener->number, *out, __ATOMIC_RELEASE);
    isa__lock(&listeners_lock);
    kinds_changed_locked();
    isa__unlock(&listeners_lock);
    return ISA_OK;
}

// Takes the kinds of the listener away; NULL if there is none of that number.
static struct listener *listener_silence(isa_event_listener number)
{
    struct listener *found = NULL;
    isa__lock(&listeners_lock);
    for (int i = 0; i < LISTENERS && found == NULL; i++)
        if (listeners[i].is_taken && !listeners[i].is_going &&
            __atomic_load_n(&listeners[i].number, __ATOMIC_RELAXED) == number)
            found = &listeners[i];
    if (found != NULL) {
        found->is_going = true;
        __atomic_store_n(&found->kinds, 0, __ATOMIC_RELEASE);
        kinds_changed_locked();
    }
    isa__unlock(&listeners_lock);
    return found;
}

void isa_event_remove_listener(isa_event_listener number)
{
    struct listener *listener = number - 1 >= UINT64_MAX - 1 ? NULL : listener_silence(number);
    if (listener == NULL) return;
    isa__callout_set(&listener->callout, NULL, NULL);
    isa__lock(&listeners_lock);
    listener->is_taken = false;
    isa__unlock(&listeners_lock);
}

isa_event_kinds isa_event_kinds_wanted(void)
{
    return __atomic_load_n(&isa__event_kinds, __ATOMIC_RELAXED);
}

// ---- causes -------------------------------------------------------------------------------------

// A name of an event as a cause: its kind in the top byte, its id below.
enum { KIND_SHIFT = 56 };

static uint64_t cause_id(uint64_t cause)
{
    return cause & ((UINT64_C(1) << KIND_SHIFT) - 1);
}

static bool cause_is_known(uint64_t cause, uint64_t kinds, uint64_t number)
{
    return (kinds & ISA_EVENT_KIND(cause >> KIND_SHIFT)) != 0 && cause_id(cause) > number;
}

// The innermost event that the thread is inside and a listener has got.
static uint64_t cause_find(const struct isa__thread *thread, uint64_t kinds, uint64_t number)
{
    uint32_t depth = thread->cause_count;
    if (depth > ISA_CAUSES) depth = ISA_CAUSES;
    while (depth > 0) {
        uint64_t cause = thread->causes[--depth];
        if (cause_is_known(cause, kinds, number)) return cause_id(cause);
    }
    return 0;
}

// ---- reporting ----------------------------------------------------------------------------------

// The id of the event that caused another, as the listener knows it; 0: none that it knows. `named`
// names it, unless it is 0.
static uint64_t cause_of(uint64_t named, const struct isa__thread *thread, uint64_t kinds,
                         uint64_t number)
{
    if (named == 0) return cause_find(thread, kinds, number);
    return cause_is_known(named, kinds, number) ? cause_id(named) : 0;
}

static void report_to(struct listener *listener, const struct isa__thread *thread,
                      isa_event *event, uint64_t cause)
{
    struct isa__callout_call call;
    if (!isa__callout_enter(&listener->callout, &call)) return;
    uint64_t kinds = __atomic_load_n(&listener->kinds, __ATOMIC_ACQUIRE);
    if (kinds & ISA_EVENT_KIND(event->kind)) {
        uint64_t number = __atomic_load_n(&listener->number, __ATOMIC_ACQUIRE);
        event->cause = cause_of(cause, thread, kinds, number);
        ((isa_event_sink)call.function)(event, call.context);
    }
    isa__callout_leave(&call);
}

static uint64_t report(struct isa__thread *thread, isa_event *event)
{
    uint64_t cause = event->cause, id = __atomic_add_fetch(&last_id, 1, __ATOMIC_ACQ_REL);
    uint32_t used = __atomic_load_n(&places_used, __ATOMIC_ACQUIRE);
    event->id = id;
    event->thread = thread->number;
    thread->in_sink = true;
    for (uint32_t i = 0; i < used; i++)
        if (__atomic_load_n(&listeners[i].kinds, __ATOMIC_ACQUIRE) & ISA_EVENT_KIND(event->kind))
            report_to(&listeners[i], thread, event, cause);
    thread->in_sink = false;
    return (uint64_t)event->kind << KIND_SHIFT | id;
}

uint64_t isa__event_report(isa_event *event)
{
    struct isa__thread *thread = isa__thread_get();
    // A listener's own acts are not reported: it would be told of its own telling.
    if (thread->in_sink) return 0;
    if (peek.call != NULL) peek.call(event, peek.context);
    if (!isa__event_wants(ISA_EVENT_KIND(event->kind))) return 0;
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

bool isa__event_forget(isa_class cls)
{
    struct isa__event_queue *queue = isa__thread_get()->event_queue;
    if (queue == NULL) return false;
    unsigned kept = 0;
    for (unsigned i = 0; i < queue->count; i++)
        if (queue->events[i].cls != cls) queue->events[kept++] = queue->events[i];
    queue->count = kept;
    return true;
}

uint64_t isa__event_begin(isa_event *event)
{
    struct isa__thread *thread = isa__thread_get();
    uint32_t depth = thread->cause_count;
    uint64_t cause = isa__event_report(event);
    if (cause == 0) return depth;
    // What is deeper than there is room for has the last one as cause, which is around it.
    if (depth < ISA_CAUSES) thread->causes[depth] = cause;
    thread->cause_count = depth + 1;
    return depth;
}

uint64_t isa__event_scope(void)
{
    return isa__thread_get()->cause_count;
}

void isa__event_end(uint64_t scope)
{
    isa__thread_get()->cause_count = (uint32_t)scope;
}

// ---- spans --------------------------------------------------------------------------------------

uint64_t isa_event_begin_span(const char *name, const char *file, uint32_t line)
{
    const struct isa__thread *thread = isa__thread_get();
    if (file == NULL && thread->place_file != NULL) {
        file = thread->place_file;
        line = thread->place_line;
    }
    return isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_SPAN_BEGAN, .name = name, .file = file, .line = line});
}

void isa_event_end_span(uint64_t span, const char *name)
{
    ISA_EVENT(.kind = ISA_EVENT_SPAN_ENDED, .name = name);
    isa__event_end(span);
}

// ---- names --------------------------------------------------------------------------------------

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
    case ISA_EVENT_NOTIFICATION_ENDED: return "notification-ended";
    case ISA_EVENT_CHANGE_HELD: return "change-held";
    case ISA_EVENT_CHANGE_MUTED: return "change-muted";
    case ISA_EVENT_HANDLER_SENT: return "handler-sent";
    case ISA_EVENT_HANDLER_ARRIVED: return "handler-arrived";
    case ISA_EVENT_HANDLER_ENDED: return "handler-ended";
    case ISA_EVENT_SPAN_BEGAN: return "span-began";
    case ISA_EVENT_SPAN_ENDED: return "span-ended";
    case ISA_EVENT_OBSERVER_REFUSED: return "observer-refused";
    case ISA_EVENT_TRANSACTION_BEGAN: return "transaction-began";
    case ISA_EVENT_TRANSACTION_ENDED: return "transaction-ended";
    case ISA_EVENT_MARK: return "mark";
    }
    return "unknown";
}
