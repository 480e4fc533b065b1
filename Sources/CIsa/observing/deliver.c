// Delivery by the class's accessors: the general case of the engine in deliver.h. It reads the
// registry in a reader section, with no lock, and allocates nothing for values up to
// ISA_HELD_INLINE bytes. It notifies observers in the order that kvo.h promises.
//
// Owns:      the values held in a frame, until the frame is closed.
// Lives:     a frame lives on the stack of the thread that changes the object; only that thread
//            reaches it.
// Locks:     none. User code (getters, observers) runs in the reader section, once the hazard slot
//            says that the thread is calling.
// Invariant: each registration is checked right before its observer is notified: see
//            base/reclaim.h.
#include "deliver.h"

#include <stdio.h>
#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../coding/coding.h"
#include "../model/selector.h"
#include "chain.h"
#include "change.h"
#include "log.h"
#include "notifying_class.h"

// ---- values -------------------------------------------------------------------------------------

// A notifying class reads its keys as its original does. Under somebody else's subclass, or once
// the isa has gone back, the class is another, and so may its getter be, of another type.
ISA_INLINE isa_status frame_hold(struct kvo_frame *frame, struct isa__held *held)
{
    isa_class cls = isa__class_in(frame->object)->original;
    const struct isa__answer *known = isa__answer_known(cls, frame->key);
    struct isa__answer found;
    if (ISA_UNLIKELY(known == NULL)) {
        isa_status status = isa__answer_find(cls, frame->key->text, ISA_FACT_GETTER, &found);
        if (status != ISA_OK) return status;
        known = &found;
    }
    if (ISA_UNLIKELY(known->accessor.kind == ISA_ACCESSOR_NONE) ||
        ISA_UNLIKELY(!known->is_direct))
        return isa__hold_message(frame->object, frame->key->text, held);
    return isa__hold_accessor(frame->object, &known->accessor, held);
}

ISA_RARE void report_unreadable(struct kvo_frame *frame, isa_status status)
{
    if (frame->status == ISA_OK) frame->status = status;
    if (frame->returns_status) return;
    isa__misuse(
        status, isa_last_error()->exception,
        "the value for key %.128s of <%s %p>, whose observers ask for it, cannot be read: %s",
        frame->key->text, isa_class_name(isa_object_get_class(frame->object)->original),
        (void *)frame->object, isa_last_error()->reason);
}

void isa__report_read(isa_id object, const char *key_path, const struct isa__held *held,
                      uint32_t option, uint64_t count)
{
    isa__event_report(&(isa_event){.kind = ISA_EVENT_VALUE_READ,
                                   .flags = option == KVO_OPTION_OLD ? ISA_EVENT_OLD : 0,
                                   .count = count,
                                   .object = object,
                                   .name = key_path,
                                   .types = held->value.types,
                                   .value = held->value.address});
}

// Reports a read for all registrations on the key itself that ask for the value.
ISA_RARE void report_read(const struct kvo_frame *frame, const struct isa__held *held,
                          uint32_t option)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < frame->affected.count; i++) {
        const struct isa__registration *registration = isa__item_load(&frame->affected.items[i]);
        bool is_own =
            frame->affected.dependencies == NULL || frame->affected.dependencies[i] == NULL;
        count += is_own && isa__registration_tag_load(registration) & option;
    }
    isa__report_read(frame->object, frame->key->text, held, option, count);
}

ISA_OUTLINE isa_status hold_part(struct kvo_frame *frame, struct isa__held *held);

// Reads the value that `option` asks for, or of an ordered change the objects at its indexes.
ISA_INLINE void read_frame(struct kvo_frame *frame, struct isa__held *out, uint32_t option)
{
    isa_status status =
        ISA_UNLIKELY(frame->elements != NULL) ? hold_part(frame, out) : frame_hold(frame, out);
    if (ISA_UNLIKELY(status != ISA_OK)) report_unreadable(frame, status);
    else if (isa__event_on()) report_read(frame, out, option);
}

// ---- values of to-many changes ------------------------------------------------------------------

// The whole value, with a reference for the caller.
static isa_status copy_whole(struct kvo_frame *frame, isa_id *out)
{
    struct isa__held held;
    isa__held_clear(&held);
    isa_status status = frame_hold(frame, &held);
    if (status != ISA_OK) return status;
    bool is_object = held.value.types[0] == '@';
    *out = is_object ? isa_object_retain(*(const isa_id *)held.value.address) : NULL;
    isa__held_drop(&held);
    return ISA_OK;
}

// Whether the value is an array that the class makes up of accessors, which are as they were found.
static bool has_accessors(const struct kvo_frame *frame)
{
    const struct isa__element_change *elements = frame->elements;
    return elements->object_at.imp != NULL && elements->ways == isa__ways_load() &&
           elements->cls == isa__class_in(frame->object);
}

static isa_status hold_part(struct kvo_frame *frame, struct isa__held *held)
{
    isa_id whole = NULL, part = NULL;
    bool by_accessors = has_accessors(frame);
    isa_status status = by_accessors
                            ? isa__objects_by_accessors(frame->object, frame->elements,
                                                        frame->key->text, &part)
                            : copy_whole(frame, &whole);
    if (status == ISA_OK && !by_accessors)
        status = isa__objects_at(whole, frame->elements->indexes, frame->key->text, &part);
    isa_object_release(whole);
    if (status == ISA_OK) isa__hold_object(part, held);
    return status;
}

// Works out what an unordered change adds and takes away, both before it happens.
ISA_OUTLINE void hold_difference(struct kvo_frame *frame)
{
    isa_id whole = NULL, added = NULL, removed = NULL;
    isa_status status = copy_whole(frame, &whole);
    if (status == ISA_OK)
        status = isa__set_difference(whole, frame->elements->mutation, frame->elements->objects,
                                     &added, &removed);
    isa_object_release(whole);
    if (status != ISA_OK) report_unreadable(frame, status);
    if (added != NULL) isa__hold_object(added, &frame->new_value);
    if (removed != NULL) isa__hold_object(removed, &frame->old_value);
}

// Keeps what shows after an ordered change whether each object announced did change. A value that
// cannot be read is reported where an observer asks for it.
static void hold_before(struct kvo_frame *frame)
{
    isa_id whole = NULL;
    if (frame->elements->kind == KVO_CHANGE_REMOVAL || has_accessors(frame)) return;
    if (copy_whole(frame, &whole) != ISA_OK) return;
    isa_status status = isa__ordered_before(whole, frame->elements, frame->key->text,
                                            &frame->elements->before);
    isa_object_release(whole);
    if (status == ISA_ERR_NO_MEMORY) report_unreadable(frame, status);
}

// Leaves out of an ordered change the objects that turned out not to change.
ISA_OUTLINE void trim(struct kvo_frame *frame)
{
    isa_id whole = NULL, old = NULL;
    if (copy_whole(frame, &whole) != ISA_OK) return;
    isa_status status = isa__element_change_trim(frame->elements, whole, frame->key->text, &old);
    isa_object_release(whole);
    if (status != ISA_OK) report_unreadable(frame, status);
    if (old == NULL) return;
    bool is_held = frame->old_value.value.address != NULL;
    isa__held_drop(&frame->old_value);
    if (is_held) isa__hold_object(old, &frame->old_value);
    else isa_object_release(old);
}

// ---- notifying one observer ---------------------------------------------------------------------

void isa__kvo_report_unhandled(isa_id observer, const kvo_change *change)
{
    isa__misuse(KVO_ERR_UNHANDLED, "NSInternalInconsistencyException",
                "<%s %p>: An -observeValueForKeyPath:ofObject:change:context: message was received "
                "but not handled. Key path: %.128s Observed object: <%s %p> Context: %p",
                isa_class_name(isa_object_get_class(observer)->original), (void *)observer,
                change->key_path, isa_class_name(isa_object_get_class(change->object)->original),
                (void *)change->object, change->context);
}

static void notify_object(const struct isa__registration *registration, isa_id observer,
                          const kvo_change *change)
{
    isa_imp imp = isa_class_find_imp(isa_object_get_class(observer), isa__sel_observe_value);
    kvo_change notified = *change;
    notified.is_foreign = (isa__registration_tag_load(registration) & ISA_TAG_FOREIGN) != 0;
    if (imp != NULL)
        ((kvo_observe_imp)imp)(observer, isa__sel_observe_value, notified.key_path, notified.object,
                               &notified, isa__registration_context(registration));
    else
        isa__kvo_report_unhandled(observer, change);
}

void isa__call_slowly(const struct isa__registration *registration, const kvo_change *change)
{
    isa_id observer = NULL;
    bool is_function = (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) != 0;
    if (!is_function) {
        // A reference for the time of the call: the observer may remove and release itself in it.
        observer = isa_weak_copy(&registration->observer.weak);
        if (observer == NULL) return;
    }
    kvo_logged logged;
    bool is_logged = isa__notifications_are_logged();
    if (is_logged) isa__logged_begin(&logged, registration, change);
    if (is_function) isa__call(registration, change);
    else notify_object(registration, observer, change);
    if (is_logged) isa__logged_end(&logged);
    isa_object_release(observer);
}

// ---- recursion ----------------------------------------------------------------------------------

static uint32_t depth_limit = 500; // atomic builtins
uint32_t isa__depth_unasked = ISA_NEST_FREELY;

void kvo_set_depth_limit(uint32_t limit)
{
    uint32_t unasked = limit < ISA_NEST_FREELY ? limit : ISA_NEST_FREELY;
    __atomic_store_n(&depth_limit, limit, __ATOMIC_RELAXED);
    __atomic_store_n(&isa__depth_unasked, unasked, __ATOMIC_RELAXED);
}

uint32_t kvo_get_depth_limit(void)
{
    return __atomic_load_n(&depth_limit, __ATOMIC_RELAXED);
}

// Appends to a text of ISA_REASON_SIZE bytes; the rest is left out. Of the objects only that of the
// innermost change is known to be there: that of one around it may be gone.
static void change_append(char *text, const struct isa__open *change,
                          const struct isa__open *innermost)
{
    size_t length = strlen(text);
    const char *between = change == innermost ? "" : ", changed by an observer of ";
    const char *name = change->object != innermost->object
                           ? ""
                           : isa_class_name(isa_object_get_class(change->object)->original);
    snprintf(text + length, ISA_REASON_SIZE - length, "%s%.64s of <%.64s%s%p>", between,
             change->key->text, name, *name == 0 ? "" : " ", (void *)change->object);
}

// The changes that lead from one to the next and back to it, innermost first.
ISA_RARE void report_endless(const struct isa__thread *thread, uint32_t depth)
{
    char cycle[ISA_REASON_SIZE] = "";
    const struct isa__open *last = thread->open;
    const struct isa__open *again = last == NULL ? NULL : last->outer;
    while (again != NULL && (again->object != last->object || again->key != last->key))
        again = again->outer;
    for (const struct isa__open *o = last; o != NULL; o = o == again ? NULL : o->outer)
        change_append(cycle, o, last);
    uint32_t limit = kvo_get_depth_limit();
    if (depth >= limit)
        isa__misuse(KVO_ERR_TOO_DEEP, "NSInternalInconsistencyException",
                    "%u notifications within one another, at most %u were expected; no more are "
                    "sent: %s", depth + 1, limit, cycle);
    else
        isa__misuse(KVO_ERR_TOO_DEEP, "NSInternalInconsistencyException",
                    "%u notifications within one another have used up the thread's stack of %zu "
                    "bytes; no more are sent: %s", depth,
                    (size_t)(thread->own_stack.high - thread->own_stack.low), cycle);
}

bool isa__may_notify_deep(struct isa__thread *thread, uint32_t depth)
{
    // The next observer of the outermost change is in no other's course.
    if (depth == 0 || thread->hazards[0] != thread->endless_in) thread->endless = 0;
    if (depth == 0) return true;
    // A change announced before may still be notified of, and leads no deeper.
    if (thread->endless != 0)
        return thread->open != NULL && thread->open->number <= thread->endless;
    if (isa__may_nest(thread, depth, kvo_get_depth_limit())) return true;
    thread->endless = thread->changes;
    thread->endless_in = thread->hazards[0];
    __atomic_store_n(&thread->attend_on_leave, 1, __ATOMIC_RELAXED); // it ends with the section
    report_endless(thread, depth);
    return false;
}

// ---- notifying by itself ------------------------------------------------------------------------

// Whether a registration that the frame concerns still stands. A shared one ends on an object
// without its tag; an equal one serves for that of an observer object which was removed meanwhile.
static bool stands(const struct kvo_frame *frame, const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    uintptr_t now = isa__observing_value(frame->side);
    bool by_tag =
        now == frame->seen || (tag & (ISA_TAG_FUNCTION | ISA_TAG_SHARED)) == ISA_TAG_FUNCTION;
    return by_tag ? !(tag & ISA_TAG_ENDED)
                  : isa__registration_stands(registration, frame->object, now);
}

void isa__notify_apart(struct kvo_frame *frame, const struct isa__registration *registration)
{
    struct isa__thread *thread = isa__current;
    const void **slot = isa__hazard_slot(thread, frame->depth);
    if (ISA_UNLIKELY(frame->is_deep) && !isa__may_notify_at(thread, frame->depth)) return;
    frame->change.context = isa__registration_context(registration);
    isa__check_begin(slot, registration);
    bool is_notified = stands(frame, registration);
    isa__check_end(slot, is_notified ? registration : NULL);
    if (!is_notified) return;
    isa__call_any(registration, &frame->change);
    // A getter that runs before the next is notified must not keep waiting who waits for this call.
    isa__check_end(slot, NULL);
}

void isa__notify_out_of_view(struct kvo_frame *frame, struct isa__registration *registration)
{
    isa__check_end(isa__hazard_slot(isa__current, frame->depth), NULL);
    if (!(isa__registration_tag_load(registration) & ISA_TAG_SHARED)) return;
    isa__frame_complete(frame, registration);
    isa__notify_apart(frame, registration);
}

// `has_rest` and `are_shared` are constants.
ISA_INLINE uint32_t notify_alike(struct kvo_frame *frame, const void **slot,
                                 struct isa__registration *const *items, uint32_t count,
                                 uint32_t bits, bool has_rest, bool are_shared)
{
    static const bool is_never = false;
    const bool *is_over = bits & KVO_OPTION_NEW ? &frame->open.dirty : &is_never;
    const struct isa__view view = {ISA_VIEW, bits, are_shared ? frame->side : NULL, frame->seen};
    struct isa__registration *const *end = items + count;
    do {
        const struct isa__registration *registration = isa__item_load(end - 1);
        if (!isa__notify(slot, registration, view, &frame->change, has_rest)) break;
    } while (--end > items && !*is_over);
    isa__check_end(slot, NULL);
    return (uint32_t)(end - items);
}

ISA_OUTLINE uint32_t notify_shared_alike(struct kvo_frame *frame, const void **slot,
                                         struct isa__registration *const *items, uint32_t count,
                                         uint32_t view)
{
    if (!(view & ISA_TAG_BARE)) return notify_alike(frame, slot, items, count, view, true, true);
    frame->change.context = NULL;
    return notify_alike(frame, slot, items, count, view, false, true);
}

uint32_t isa__notify_alike(struct kvo_frame *frame, const void **slot,
                           struct isa__registration *const *items, uint32_t count, uint32_t view)
{
    if (view & ISA_TAG_SHARED) return notify_shared_alike(frame, slot, items, count, view);
    if (!(view & ISA_TAG_BARE)) return notify_alike(frame, slot, items, count, view, true, false);
    frame->change.context = NULL;
    return notify_alike(frame, slot, items, count, view, false, false);
}

bool isa__chain_stands(const struct isa__registration *registration, isa_id object)
{
    return isa__registration_stands(registration, object,
                                    isa__enter(isa__current, isa__chain_of(registration)->side));
}

void isa__notify_checked(const struct isa__registration *registration, const kvo_change *change,
                         bool equal_serves)
{
    struct isa__thread *thread = isa__reader_enter();
    if (isa__may_notify_at(thread, thread->hazard_count))
        isa__notify_of(thread, registration, change, equal_serves);
    isa__reader_leave(thread);
}

static struct isa__route route_to(struct kvo_frame *frame, uint32_t at)
{
    return isa__route_direct(frame->affected.dependencies[at], isa__open_number(&frame->open));
}

// Notifies a registration, which needed no announcement and asks for no new value, of a value that
// was set.
static void notify_simply(struct kvo_frame *frame, const void **slot,
                          const struct isa__registration *registration, bool quick)
{
    const struct isa__view view = {ISA_VIEW_PLAIN, ISA_TAG_FUNCTION, NULL, 0};
    frame->change.key_path = registration->key->text;
    if (!quick || !isa__notify(slot, registration, view, &frame->change, true))
        isa__notify_apart(frame, registration);
    isa__check_end(slot, NULL);
    frame->change.key_path = frame->key->text;
}

void isa__notify_dependent(struct kvo_frame *frame, const void **slot, uint32_t at, bool quick)
{
    struct isa__registration *registration = isa__item_load(&frame->affected.items[at]);
    uint32_t tag = isa__registration_tag_load(registration);
    if (isa__registration_is_nobody(registration)) return;
    if (!frame->affected.is_announced && frame->elements == NULL && !(tag & KVO_OPTION_NEW)) {
        notify_simply(frame, slot, registration, quick);
        return;
    }
    struct isa__route route = route_to(frame, at);
    isa__hazard_count_set(isa__current, frame->depth);
    isa__dependent_did(frame->object, registration, &route);
    isa__hazard_count_set(isa__current, frame->depth + 1);
}

// ---- the class's accessors ----------------------------------------------------------------------

// Whether such a change of elements has an old value, and any change a new one, that is read from
// the object.
static bool reads_old(const struct kvo_frame *frame)
{
    return frame->elements->mutation == 0 && frame->elements->kind != KVO_CHANGE_INSERTION;
}

static bool reads_new(const struct kvo_frame *frame)
{
    return frame->elements == NULL ||
           (frame->elements->mutation == 0 && frame->elements->kind != KVO_CHANGE_REMOVAL);
}

// Those who are notified after an observer that has taken elements away again are shown what came.
ISA_OUTLINE void read_part(struct kvo_frame *frame)
{
    struct isa__held now;
    isa__held_clear(&now);
    isa_status status = hold_part(frame, &now);
    if (status == KVC_ERR_RANGE && frame->new_value.value.address != NULL) return;
    isa__held_drop(&frame->new_value);
    if (status == ISA_OK) isa__held_move(&now, &frame->new_value);
    else report_unreadable(frame, status);
    if (status == ISA_OK && isa__event_on()) report_read(frame, &frame->new_value, KVO_OPTION_NEW);
}

// Reads the new value.
ISA_INLINE void read_by_class(void *more, struct kvo_frame *frame, struct isa__held *held)
{
    (void)more;
    if (!reads_new(frame)) return;
    if (ISA_UNLIKELY(frame->elements != NULL)) {
        read_part(frame);
        return;
    }
    isa__held_drop(held);
    read_frame(frame, held, KVO_OPTION_NEW);
}

ISA_INLINE void show_by_class(void *more, struct kvo_frame *frame, uint32_t options)
{
    const kvc_value none = {NULL, NULL};
    (void)more;
    frame->change.old_value = options & KVO_OPTION_OLD ? frame->old_value.value : none;
    frame->change.new_value = options & KVO_OPTION_NEW ? frame->new_value.value : none;
}

static void start_change(struct kvo_frame *frame, bool is_after)
{
    frame->change = (kvo_change){.object = frame->object,
                                 .key_path = frame->key->text,
                                 .kind = KVO_CHANGE_SETTING,
                                 .cause = frame->key->text};
    if (__builtin_expect(frame->elements == NULL, 1)) return;
    if (is_after && frame->elements->before != NULL) trim(frame);
    frame->change.kind = frame->elements->kind;
    frame->change.indexes = frame->elements->indexes;
}

void isa__announce_each(struct kvo_frame *frame)
{
    struct isa__thread *thread = isa__current;
    if (frame->affected.options & KVO_OPTION_PRIOR) start_change(frame, false);
    frame->change.is_prior = true;
    for (uint32_t i = 0; i < frame->affected.count; i++) {
        struct isa__registration *registration = isa__item_load(&frame->affected.items[i]);
        frame->open.coming = frame->affected.items + i + 1;
        frame->open.coming_count = frame->affected.count - i - 1;
        if (frame->affected.dependencies != NULL && frame->affected.dependencies[i] != NULL) {
            if (isa__registration_is_nobody(registration)) continue;
            struct isa__route route = route_to(frame, i);
            isa__dependent_will(frame->object, registration, &route);
            continue;
        }
        uint32_t options = isa__registration_tag_load(registration);
        if (!(options & KVO_OPTION_PRIOR)) continue;
        show_by_class(NULL, frame, options & KVO_OPTION_OLD);
        isa__hazard_count_set(thread, frame->depth + 1);
        isa__notify_apart(frame, registration);
        isa__hazard_count_set(thread, frame->depth);
    }
    frame->change.is_prior = false;
}

static void notify_after(struct kvo_frame *frame)
{
    // GNUstep reads it before it notifies anybody, and not again; the observer notified first may
    // take elements away that came.
    const struct isa__value_accessors accessors = {
        .by_class = true,
        .reads_once = isa__class_is_gnustep(isa__class_in(frame->object)),
        .read = read_by_class,
        .show = show_by_class};
    start_change(frame, true);
    bool at_once = (accessors.reads_once || frame->elements != NULL) &&
                   frame->affected.options & KVO_OPTION_NEW;
    frame->open.dirty = !at_once;
    if (ISA_UNLIKELY(at_once)) read_by_class(NULL, frame, &frame->new_value);
    isa__notify_all(frame, accessors);
}

uint64_t isa__log_change(const struct kvo_frame *frame, isa_event_kind kind)
{
    if (!isa__event_wants(ISA_EVENT_KIND(kind))) return isa__event_scope();
    return isa__event_begin(
        &(isa_event){.kind = kind, .object = frame->object, .name = frame->key->text});
}

ISA_RARE void notify_logged(struct kvo_frame *frame)
{
    uint64_t scope = isa__log_change(frame, ISA_EVENT_DID_CHANGE);
    notify_after(frame);
    isa__event_end(scope);
}

static void notify_any(struct kvo_frame *frame)
{
    if (isa__event_on()) notify_logged(frame);
    else notify_after(frame);
}

// Notifies the first `count` of the affected registrations by `notify`.
ISA_INLINE void notify_some(struct kvo_frame *frame, uint32_t count,
                            void (*notify)(struct kvo_frame *frame))
{
    uint32_t all = frame->affected.count;
    frame->affected.count = count;
    frame->open.is_stored = false; // a getter may be asked from here on
    notify(frame);
    frame->affected.count = all;
    isa__held_drop(&frame->old_value);
    isa__held_drop(&frame->new_value);
    if (frame->elements != NULL) isa__element_change_end(frame->elements);
    frame->elements = NULL;
    if (!frame->returns_status) frame->status = ISA_OK;
    isa__frame_show_setting(frame);
}

void isa__notify_rest(struct kvo_frame *frame, uint32_t count)
{
    notify_some(frame, count, notify_any);
}

void isa__notify_left(struct kvo_frame *frame, uint32_t count)
{
    notify_some(frame, count, notify_after);
}

// ---- frames -------------------------------------------------------------------------------------

static void frame_prepare(struct isa__thread *thread)
{
    struct kvo_frame *frame = isa__frame_outermost(thread);
    frame->open = (struct isa__open){0};
    isa__frame_clear(frame);
    isa__frame_show_setting(frame);
}

// A released value may be the user's, and make a change that needs the frame.
static void frame_let_go(struct isa__thread *thread)
{
    struct isa__held old_value, new_value;
    isa__held_move(&isa__frame_outermost(thread)->old_value, &old_value);
    isa__held_move(&isa__frame_outermost(thread)->new_value, &new_value);
    frame_prepare(thread);
    isa__held_drop(&old_value);
    isa__held_drop(&new_value);
}

void isa__frame_complete(struct kvo_frame *frame, struct isa__registration *registration)
{
    frame->seen = (uintptr_t)registration;
    frame->affected = (struct isa__affected){
        .single = registration,
        .count = 1,
        .options = isa__registration_tag_load(registration) & ISA_TAG_OPTIONS};
    frame->affected.items = &frame->affected.single;
    frame->affected.used = &frame->affected.count;
}

void isa__frame_begin(struct kvo_frame *frame, isa_id object,
                                                struct isa__side *side,
                                                const struct isa__key *key)
{
    isa__frame_open(frame, isa__reader_enter(), object, side, key);
    frame->old_value.value = (kvc_value){NULL, NULL};
    frame->new_value.value = (kvc_value){NULL, NULL};
}

void isa__frame_end(struct kvo_frame *frame)
{
    isa__frame_close(frame, isa__current);
    isa__held_drop(&frame->old_value);
    isa__held_drop(&frame->new_value);
    isa__reader_leave(isa__current);
}

ISA_OUTLINE void hold_elements(struct kvo_frame *frame, uint32_t options)
{
    if (frame->elements->mutation != 0) {
        if (options & (KVO_OPTION_OLD | KVO_OPTION_NEW)) hold_difference(frame);
        return;
    }
    if (options & KVO_OPTION_OLD && reads_old(frame))
        read_frame(frame, &frame->old_value, KVO_OPTION_OLD);
    hold_before(frame);
}

ISA_INLINE void frame_announce(struct kvo_frame *frame)
{
    uint32_t options = frame->affected.options;
    if (ISA_UNLIKELY(frame->elements != NULL)) hold_elements(frame, options);
    else if (options & KVO_OPTION_OLD) read_frame(frame, &frame->old_value, KVO_OPTION_OLD);
    if (options & KVO_OPTION_PRIOR || frame->affected.is_announced) isa__announce_each(frame);
}

ISA_RARE void announce_logged(struct kvo_frame *frame)
{
    uint64_t scope = isa__log_change(frame, ISA_EVENT_WILL_CHANGE);
    frame_announce(frame);
    isa__event_end(scope);
}

void isa__frame_announce(struct kvo_frame *frame)
{
    if (isa__event_on()) announce_logged(frame);
    else frame_announce(frame);
}

const char *isa__change_cause(void)
{
    const struct isa__open *change = isa__thread_get()->open;
    return change == NULL ? NULL : change->key->text;
}

bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__element_change *elements)
{
    isa__frame_begin(frame, object, side, key);
    frame->elements = elements;
    frame->returns_status = elements != NULL && elements->returns_status;
    frame->seen = isa__enter(isa__current, side);
    if (!isa__affected_find(frame->seen, key, &frame->affected)) {
        isa__frame_end(frame);
        return false;
    }
    isa__frame_announce(frame);
    return true;
}

void isa__change_renew_latecomers(struct kvo_frame *frame)
{
    struct isa__affected now;
    if (!isa__affected_find(isa__observing_value(frame->side), frame->key, &now)) return;
    for (uint32_t i = 0; now.dependencies != NULL && i < now.count; i++) {
        struct isa__registration *item = isa__item_load(&now.items[i]);
        bool known = isa__registration_is_nobody(item);
        for (uint32_t j = 0; j < frame->affected.count; j++)
            known = known || isa__item_load(&frame->affected.items[j]) == item;
        if (!known && now.dependencies[i] != NULL)
            isa__chain_renew(frame->object, item, now.dependencies[i]);
    }
}

void isa__change_did(struct kvo_frame *frame)
{
    notify_any(frame);
    if (ISA_UNLIKELY(isa__frame_may_have_latecomers(frame))) isa__change_renew_latecomers(frame);
    isa__frame_end(frame);
}

// Has one of the affected registrations follow the present value.
static void follow(struct kvo_frame *frame, uint32_t at, kvo_callback follower)
{
    struct isa__registration *item = isa__item_load(&frame->affected.items[at]);
    const struct isa__dependency *dependency =
        frame->affected.dependencies == NULL ? NULL : frame->affected.dependencies[at];
    if (isa__registration_is_nobody(item)) return;
    if (dependency != NULL) isa__chain_renew(frame->object, item, dependency);
    bool is_follower = follower != NULL && (dependency == NULL || dependency->is_exact) &&
                       isa__registration_tag_load(item) & ISA_TAG_FUNCTION &&
                       item->function.callback == follower;
    if (!is_follower) return;
    kvo_change change = {.object = frame->object,
                         .key_path = item->key->text,
                         .kind = KVO_CHANGE_SETTING,
                         .is_initial = true};
    isa__notify_of(isa__current, item, &change, false);
}

void kvo_follow_value(isa_id object, const char *key, kvo_callback follower)
{
    ISA_REQUIRE_NOT_NULL(object);
    ISA_REQUIRE_NOT_NULL(key);
    struct isa__side *side = isa__side_find(object);
    const struct isa__key *known = side == NULL ? NULL : isa__key_find(key);
    if (known == NULL) return;
    struct kvo_frame frame;
    isa__frame_begin(&frame, object, side, known);
    frame.seen = isa__enter(isa__current, side);
    if (isa__affected_find(frame.seen, known, &frame.affected))
        for (uint32_t i = 0; i < frame.affected.count; i++) follow(&frame, i, follower);
    isa__frame_end(&frame);
}

bool isa__may_notify(isa_id object, const struct isa__side *side)
{
    if (side == NULL || isa__observing_value(side) == 0) return false;
    struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    if (observed != NULL && !(isa__observed_overrides(observed) & ISA_OVERRIDES_INFO)) return true;
    isa_imp imp = isa_class_find_imp(isa_object_get_class(object), isa__sel_observation_info);
    return imp == isa_class_find_imp(isa_root_class(), isa__sel_observation_info) ||
           kvo_observation_info(object) != NULL;
}

uint64_t isa__change_number(void)
{
    struct isa__open *change = isa__thread_get()->open;
    return change == NULL ? 0 : isa__open_number(change);
}

isa_id kvo_find_changing(void)
{
    const struct isa__open *change = isa__thread_get()->open;
    return change == NULL ? NULL : change->object;
}

bool isa__is_changing(isa_id object, bool but_innermost)
{
    const struct isa__open *change = isa__thread_get()->open;
    if (change != NULL && but_innermost) change = change->outer;
    while (change != NULL && change->object != object) change = change->outer;
    return change != NULL;
}

const struct isa__open *isa__change_of(uint64_t number)
{
    const struct isa__open *change = isa__thread_get()->open;
    while (change != NULL && change->number != number) change = change->outer;
    return change;
}

bool isa__is_silenced(isa_id object, const struct isa__key *key)
{
    const struct isa__thread *thread = isa__thread_get();
    for (const struct isa__silence *s = thread->silences; s != NULL; s = s->outer)
        if (s->object == object && s->key == key && s->depth == thread->hazard_count) return true;
    return false;
}

static isa_status hold_initial(struct kvo_frame *frame, uint32_t tag)
{
    if (tag & ISA_TAG_CHAINED)
        return isa__hold_path(frame->object, frame->key->text, &frame->new_value);
    return frame_hold(frame, &frame->new_value);
}

isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration)
{
    struct kvo_frame frame;
    isa_status status = ISA_OK;
    uint32_t tag = isa__registration_tag_load(registration);
    isa__frame_begin(&frame, object, side, registration->key);
    // Another thread may end it, unless nobody can find it yet.
    if (tag & ISA_TAG_REGISTERED) isa__enter(isa__current, side);
    if (tag & KVO_OPTION_NEW) status = hold_initial(&frame, tag);
    if (status == ISA_OK) {
        kvo_change change = {.object = object,
                             .key_path = registration->key->text,
                             .context = isa__registration_context(registration),
                             .kind = KVO_CHANGE_SETTING,
                             .is_initial = true,
                             .new_value = frame.new_value.value};
        isa__notify_of(isa__current, registration, &change, false);
    }
    isa__frame_end(&frame);
    return status;
}

void isa__deliver_start(void)
{
    isa__thread_prepare = frame_prepare;
    isa__thread_let_go = frame_let_go;
    frame_prepare(isa__thread_get());
}
