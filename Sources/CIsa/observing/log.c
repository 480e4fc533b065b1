// The events of registrations and of notifications, and what foreign layers tell of these: that
// they hold a change or mute it, and that a handler runs elsewhere.
//
// Owns:      nothing; a notification that is logged stands in the stack of who sends it, and a copy
//            of it where the layer keeps what it withholds or sends.
// Locks:     none; listeners run with none held.
// Invariant: a thread's notifications lie one inside the other, the innermost in its record.
#include "log.h"

#include "../base/event.h"
#include "../base/status.h"
#include "chain.h"
#include "link.h"

// ---- registrations ------------------------------------------------------------------------------

static isa_event event_of(isa_event_kind kind, isa_id object,
                          const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    isa_event event = {.kind = kind,
                       .object = object,
                       .observer = isa__registration_observer_name(registration),
                       .name = registration->key->text,
                       .registration = isa__registration_number(registration)};
    if (tag & ISA_TAG_FUNCTION) event.callback = (isa_imp)registration->function.callback;
    if (tag & ISA_TAG_SHARED) event.flags |= ISA_EVENT_SHARED;
    if (tag & ISA_TAG_FORWARDER) {
        event.flags |= ISA_EVENT_FORWARDER;
        event.serves = isa__registration_number(isa__forwarder_link(registration)->owner);
    }
    return event;
}

static void set_place(isa_event *event)
{
    const struct isa__thread *thread = isa__thread_get();
    event->file = thread->place_file;
    event->line = thread->place_file == NULL ? 0 : thread->place_line;
}

void isa__log_added(isa_id object, const struct isa__registration *registration, uint64_t options)
{
    if (!isa__event_wants(ISA_EVENT_KIND(ISA_EVENT_OBSERVER_ADDED))) return;
    isa_event event = event_of(ISA_EVENT_OBSERVER_ADDED, object, registration);
    event.flags |= (uint32_t)options;
    set_place(&event);
    isa__event_report(&event);
}

void isa__log_removed(isa_id object, const struct isa__registration *registration,
                      isa_removal_reason reason)
{
    if (!isa__event_wants(ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REMOVED))) return;
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_REFUSED) return;
    if (!(tag & ISA_TAG_FUNCTION) && reason == ISA_REMOVED_BY_CALL &&
        isa__side_flags(registration->observer.weak.record) & ISA_SIDE_DEAD)
        reason = ISA_REMOVED_OBSERVER_DIED;
    isa_event event = event_of(ISA_EVENT_OBSERVER_REMOVED, object, registration);
    event.reason = reason;
    isa__event_report(&event);
}

static void report_refused(const struct isa__refusal *refusal)
{
    isa_event event = {.kind = ISA_EVENT_OBSERVER_REFUSED,
                       .object = refusal->object,
                       .observer = refusal->observer,
                       .name = refusal->key_path,
                       .flags = refusal->is_forwarder ? ISA_EVENT_FORWARDER : 0,
                       .status = refusal->status};
    if (refusal->registration != NULL)
        event.registration = isa__registration_number(refusal->registration);
    if (refusal->function != NULL) {
        event.observer = refusal->function->info;
        event.callback = (isa_imp)refusal->function->callback;
    }
    set_place(&event);
    isa__event_report(&event);
}

void isa__log_refused(const struct isa__refusal *refusal)
{
    if (!isa__event_wants(ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REFUSED))) return;
    struct isa__kept_error kept;
    isa__error_keep(&kept);
    report_refused(refusal);
    isa_fail_with(&kept.error);
}

kvo_place kvo_set_place(kvo_place place)
{
    struct isa__thread *thread = isa__thread_get();
    kvo_place former = {thread->place_file, thread->place_line};
    thread->place_file = place.file;
    thread->place_line = place.line;
    return former;
}

// ---- notifications ------------------------------------------------------------------------------

static kvo_withholds withholds; // atomic builtins

void kvo_set_withholds(kvo_withholds function)
{
    __atomic_store_n(&withholds, function, __ATOMIC_RELEASE);
}

// What is said of a registration's callback on this thread at this moment.
static bool may_withhold(const isa_event *event)
{
    kvo_withholds function = __atomic_load_n(&withholds, __ATOMIC_ACQUIRE);
    return function != NULL && function((kvo_callback)event->callback);
}

// Makes it the thread's innermost notification, whose course the program's place does not reach.
static void logged_enter(kvo_logged *logged)
{
    struct isa__thread *thread = isa__thread_get();
    logged->outer = thread->logged;
    thread->logged = logged;
    logged->place = kvo_set_place((kvo_place){NULL, 0});
}

static void logged_leave(const kvo_logged *logged)
{
    isa__thread_get()->logged = logged->outer;
    kvo_set_place(logged->place);
}

// What comes after an event of the notification has no values, and no cause but what it is in.
static void logged_drop_values(kvo_logged *logged)
{
    isa_event *event = &logged->event;
    event->types = event->old_types = NULL;
    event->value = event->old_value = NULL;
    event->cause = 0;
}

static void logged_proceed(kvo_logged *logged)
{
    logged->scope = isa__event_begin(&logged->event);
    logged->state = KVO_LOGGED_BEGUN;
    logged_drop_values(logged);
}

static void report_end(kvo_logged *logged, isa_event_kind kind)
{
    logged->event.kind = kind;
    isa__event_report(&logged->event);
    isa__event_end(logged->scope);
}

void isa__logged_begin(kvo_logged *logged, const struct isa__registration *registration,
                       const kvo_change *change)
{
    isa_event *event = &logged->event;
    *event = event_of(ISA_EVENT_NOTIFICATION, change->object, registration);
    event->flags |= (change->is_prior ? ISA_EVENT_PRIOR : 0) |
                    (change->is_initial ? ISA_EVENT_INITIAL : 0);
    event->types = change->new_value.types;
    event->value = change->new_value.address;
    event->old_types = change->old_value.types;
    event->old_value = change->old_value.address;
    logged->state = KVO_LOGGED_OPEN;
    bool is_open = may_withhold(event);
    logged_enter(logged);
    if (!is_open) logged_proceed(logged);
}

void isa__logged_end(kvo_logged *logged)
{
    if (logged->state == KVO_LOGGED_OPEN) logged_proceed(logged);
    if (logged->state == KVO_LOGGED_BEGUN) report_end(logged, ISA_EVENT_NOTIFICATION_ENDED);
    logged_leave(logged);
}

// ---- what foreign layers tell -------------------------------------------------------------------

void kvo_logged_proceed(void)
{
    kvo_logged *logged = isa__thread_get()->logged;
    if (logged != NULL && logged->state == KVO_LOGGED_OPEN) logged_proceed(logged);
}

// Reports what becomes of a notification; what has to be known of it later is copied to `*out`.
static void report_withheld(kvo_logged *logged, isa_event_kind kind, kvo_logged *out)
{
    isa_event event = logged->event;
    event.kind = kind;
    event.cause = 0;
    uint64_t cause = isa__event_report(&event);
    if (out == NULL) return;
    *out = (kvo_logged){.event = event};
    logged_drop_values(out);
    out->event.cause = cause;
}

void kvo_logged_withhold(isa_event_kind kind, kvo_logged *out)
{
    kvo_logged *logged = isa__thread_get()->logged;
    if (out != NULL) out->event.kind = (isa_event_kind)0;
    if (logged == NULL || logged->state != KVO_LOGGED_OPEN) return;
    logged->state = KVO_LOGGED_WITHHELD;
    report_withheld(logged, kind, out);
}

void kvo_logged_send(kvo_logged *out)
{
    kvo_logged_proceed();
    kvo_logged *logged = isa__thread_get()->logged;
    if (out == NULL) return;
    out->event.kind = (isa_event_kind)0;
    if (logged != NULL) report_withheld(logged, ISA_EVENT_HANDLER_SENT, out);
}

// The kind of what comes of a change that was held, or of a handler that was sent.
static isa_event_kind kind_later(isa_event_kind kind)
{
    return kind == ISA_EVENT_CHANGE_HELD ? ISA_EVENT_NOTIFICATION : ISA_EVENT_HANDLER_ARRIVED;
}

void kvo_logged_begin(kvo_logged *logged)
{
    if (logged == NULL || logged->event.kind == 0) return;
    logged->event.kind = kind_later(logged->event.kind);
    logged_enter(logged);
    logged_proceed(logged);
}

void kvo_logged_end(kvo_logged *logged)
{
    if (logged == NULL || logged->event.kind == 0) return;
    report_end(logged, logged->event.kind == ISA_EVENT_NOTIFICATION ? ISA_EVENT_NOTIFICATION_ENDED
                                                                   : ISA_EVENT_HANDLER_ENDED);
    logged_leave(logged);
}

void kvo_logged_arrive(const kvo_logged *logged)
{
    if (logged == NULL || logged->event.kind == 0) return;
    isa_event event = logged->event;
    event.kind = kind_later(event.kind);
    isa__event_report(&event);
}

uint64_t kvo_log_transaction_begin(void)
{
    if (!isa__event_on()) return isa__event_scope();
    isa_event event = {.kind = ISA_EVENT_TRANSACTION_BEGAN};
    set_place(&event);
    return isa__event_begin(&event);
}

void kvo_log_transaction_end(uint64_t scope, uint64_t count)
{
    ISA_EVENT(.kind = ISA_EVENT_TRANSACTION_ENDED, .count = count);
    isa__event_end(scope);
}
