// Delivery: reads the registry under a mark, with no lock and no allocation for values up to
// ISA_HELD_INLINE bytes, and tells observers in the order that kvo.h promises.
//
// Owns:      the values held in a frame, until the frame is closed.
// Lives:     a frame lives on the stack of the thread that changes the object, and is reached by
//            that thread alone.
// Locks:     none. User code (getters, observers) runs under the mark in its calling state.
// Invariant: each registration is checked right before it is told: see base/reclaim.h.
#include "delivery.h"

#include <stdio.h>
#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../kvc/coding.h"
#include "../model/selector.h"
#include "key_path.h"
#include "subclass.h"
#include "to_many.h"

// ---- values -------------------------------------------------------------------------------------

ISA_OUTLINE isa_status hold_by_class(struct kvo_frame *frame, struct isa__held *held)
{
    isa_class cls = isa_object_get_class(frame->object);
    const struct isa__accessor *recent = isa__coding_find_by_key(cls, frame->key);
    if (recent != NULL && recent->kind != ISA_ACCESSOR_NONE && isa__coding_is_direct(cls))
        return isa__hold_accessor(frame->object, recent, held);
    struct isa__accessor accessor;
    isa_status status = isa__coding_getter(cls, frame->key->text, &accessor);
    if (status != ISA_OK) return status;
    if (accessor.kind == ISA_ACCESSOR_NONE || !isa__coding_is_direct(cls))
        return isa__hold_message(frame->object, frame->key->text, held);
    return isa__hold_accessor(frame->object, &accessor, held);
}

ISA_INLINE isa_status hold(struct kvo_frame *frame, struct isa__held *held)
{
    // Under somebody else's subclass, or once the isa has gone back, the class is asked anew: its
    // getter may be another, of another type.
    bool is_direct = frame->watched != NULL &&
                     isa_header_isa((const struct isa_header *)frame->object) ==
                         (uintptr_t)frame->watched->observed->notifying;
    if (ISA_UNLIKELY(!is_direct)) return hold_by_class(frame, held);
    const struct isa__getter *getter = isa__watched_getter(frame->watched);
    if (ISA_UNLIKELY(getter == NULL)) return isa_last_error()->status;
    if (ISA_UNLIKELY(getter->by_message))
        return isa__hold_message(frame->object, frame->key->text, held);
    return isa__hold_accessor(frame->object, &getter->accessor, held);
}

ISA_RARE void report_unreadable(struct kvo_frame *frame, isa_status status)
{
    if (frame->status == ISA_OK) frame->status = status;
    if (frame->tells_status) return;
    isa__misuse(
        status, isa_last_error()->exception,
        "the value for key %.128s of <%s %p>, whose observers ask for it, cannot be read: %s",
        frame->key->text, isa_class_name(isa_object_get_class(frame->object)->original),
        (void *)frame->object, isa_last_error()->reason);
}

ISA_OUTLINE isa_status hold_part(struct kvo_frame *frame, struct isa__held *held);

// Reads the value, or of an ordered change the objects at its indexes.
ISA_INLINE bool read_frame(struct kvo_frame *frame, struct isa__held *out)
{
    isa_status status =
        ISA_UNLIKELY(frame->shape != NULL) ? hold_part(frame, out) : hold(frame, out);
    if (ISA_UNLIKELY(status != ISA_OK)) report_unreadable(frame, status);
    return status == ISA_OK;
}

// ---- values of to-many changes ------------------------------------------------------------------

// The whole value, with a reference for the caller.
static isa_status copy_whole(struct kvo_frame *frame, isa_id *out)
{
    struct isa__held held;
    isa__held_clear(&held);
    isa_status status = hold(frame, &held);
    if (status != ISA_OK) return status;
    bool is_object = held.value.types[0] == '@';
    *out = is_object ? isa_object_retain(*(const isa_id *)held.value.address) : NULL;
    isa__held_drop(&held);
    return ISA_OK;
}

// Whether the value is an array that the class makes up of accessors, which are as they were found.
static bool has_accessors(const struct kvo_frame *frame)
{
    return frame->shape->object_at.imp != NULL && frame->shape->ways == isa__ways_load();
}

static isa_status hold_part(struct kvo_frame *frame, struct isa__held *held)
{
    isa_id whole = NULL, part = NULL;
    bool by_accessors = has_accessors(frame);
    isa_status status = by_accessors
                            ? isa__objects_by_accessors(frame->object, frame->shape,
                                                        frame->key->text, &part)
                            : copy_whole(frame, &whole);
    if (status == ISA_OK && !by_accessors)
        status = isa__objects_at(whole, frame->shape->indexes, frame->key->text, &part);
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
        status = isa__set_difference(whole, frame->shape->mutation, frame->shape->objects, &added,
                                     &removed);
    isa_object_release(whole);
    if (status != ISA_OK) report_unreadable(frame, status);
    if (added != NULL) isa__hold_object(added, &frame->new_value);
    if (removed != NULL) isa__hold_object(removed, &frame->old_value);
}

// Keeps what tells after an ordered change whether each object announced did change. What cannot be
// read is reported where an observer asks for it.
static void hold_before(struct kvo_frame *frame)
{
    isa_id whole = NULL;
    if (frame->shape->kind == KVO_CHANGE_REMOVAL || has_accessors(frame)) return;
    if (copy_whole(frame, &whole) != ISA_OK) return;
    isa_status status = isa__ordered_before(whole, frame->shape, frame->key->text,
                                            &frame->shape->before);
    isa_object_release(whole);
    if (status == ISA_ERR_NO_MEMORY) report_unreadable(frame, status);
}

// Leaves out of an ordered change the objects that turned out not to change.
ISA_OUTLINE void trim(struct kvo_frame *frame)
{
    isa_id whole = NULL, old = NULL;
    if (copy_whole(frame, &whole) != ISA_OK) return;
    isa_status status = isa__shape_trim(frame->shape, whole, frame->key->text, &old);
    isa_object_release(whole);
    if (status != ISA_OK) report_unreadable(frame, status);
    if (old == NULL) return;
    bool is_held = frame->old_value.value.address != NULL;
    isa__held_drop(&frame->old_value);
    if (is_held) isa__hold_object(old, &frame->old_value);
    else isa_object_release(old);
}

// ---- telling one observer -----------------------------------------------------------------------

typedef void (*observe_imp)(isa_id, isa_sel, const char *key_path, isa_id object,
                            const kvo_change *change, void *context);

void isa__kvo_report_unhandled(isa_id observer, const kvo_change *change)
{
    isa__misuse(KVO_ERR_UNHANDLED, "NSInternalInconsistencyException",
                "<%s %p>: An -observeValueForKeyPath:ofObject:change:context: message was received "
                "but not handled. Key path: %.128s Observed object: <%s %p> Context: %p",
                isa_class_name(isa_object_get_class(observer)->original), (void *)observer,
                change->key_path, isa_class_name(isa_object_get_class(change->object)->original),
                (void *)change->object, change->context);
}

static void tell_object(const struct isa__registration *registration, isa_id observer,
                        const kvo_change *change)
{
    isa_imp imp = isa_class_find_imp(isa_object_get_class(observer), isa__sel_observe_value);
    kvo_change told = *change;
    told.is_foreign = (isa__registration_tag_load(registration) & ISA_TAG_FOREIGN) != 0;
    if (imp != NULL)
        ((observe_imp)imp)(observer, isa__sel_observe_value, told.key_path, told.object, &told,
                           isa__registration_context(registration));
    else
        isa__kvo_report_unhandled(observer, change);
}

ISA_RARE uint64_t report_notification(const struct isa__registration *registration,
                                      const kvo_change *change)
{
    return isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_NOTIFICATION,
        .flags = (change->is_prior ? ISA_EVENT_PRIOR : 0) |
                 (change->is_initial ? ISA_EVENT_INITIAL : 0),
        .object = change->object,
        .observer = isa__registration_observer_name(registration),
        .name = change->key_path});
}

void isa__tell_slowly(const struct isa__registration *registration, const kvo_change *change)
{
    isa_id observer = NULL;
    bool is_function = (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) != 0;
    if (!is_function) {
        // A reference for the time of the call: the observer may remove and release itself in it.
        observer = isa_weak_copy(&registration->observer.weak);
        if (observer == NULL) return;
    }
    bool logged = isa__event_on();
    uint64_t cause = logged ? report_notification(registration, change) : 0;
    if (is_function) registration->function.callback(change, registration->function.info);
    else tell_object(registration, observer, change);
    if (logged) isa__event_end(cause);
    isa_object_release(observer);
}

ISA_INLINE void tell(const struct isa__registration *registration, uint32_t tag,
                     const kvo_change *change)
{
    if (__builtin_expect((tag & ISA_TAG_FUNCTION) != 0, 1) && !isa__event_on())
        registration->function.callback(change, registration->function.info);
    else isa__tell_slowly(registration, change);
}

// ---- recursion ----------------------------------------------------------------------------------

static uint32_t depth_limit = 500;

void kvo_set_depth_limit(uint32_t limit)
{
    __atomic_store_n(&depth_limit, limit, __ATOMIC_RELAXED);
    // At this depth what depends on a key would be told of it one call deeper the short way.
    isa__detour_set(ISA_DETOUR_DEPTH, limit <= ISA_CALLING_SLOTS);
}

uint32_t kvo_get_depth_limit(void)
{
    return __atomic_load_n(&depth_limit, __ATOMIC_RELAXED);
}

// Appends to a text of ISA_REASON_SIZE bytes; what does not fit is left out.
static void append(char *text, const char *format, const struct kvo_frame *frame)
{
    size_t length = strlen(text);
    isa_class cls = isa_object_get_class(frame->object)->original;
    snprintf(text + length, ISA_REASON_SIZE - length, format, frame->key->text,
             isa_class_name(cls), (void *)frame->object);
}

// The changes that lead from one to the next and back to it, outermost first.
ISA_RARE void report_endless(const struct isa__thread *thread)
{
    char cycle[ISA_REASON_SIZE] = "";
    const struct kvo_frame *last = thread->frames;
    const struct kvo_frame *again = last == NULL ? NULL : last->outer;
    while (again != NULL && (again->object != last->object || again->key != last->key))
        again = again->outer;
    for (const struct kvo_frame *f = last; f != NULL; f = f == again ? NULL : f->outer)
        append(cycle,
               f == last ? "%.64s of <%.64s %p>"
                         : ", changed by an observer of %.64s of <%.64s %p>",
               f);
    isa__misuse(KVO_ERR_TOO_DEEP, "NSInternalInconsistencyException",
                "%u notifications within one another, at most %u were expected; no more are sent: "
                "%s", thread->calling_count + 1, kvo_get_depth_limit(), cycle);
}

ISA_RARE bool may_tell_deep(struct isa__thread *thread)
{
    // The next observer of the outermost change is in no other's course.
    bool is_outermost = thread->calling_count == 0;
    if (is_outermost || thread->calling[0] != thread->endless_in) thread->endless = 0;
    if (is_outermost) return true;
    // What was announced before may still be told of, and leads no deeper.
    if (thread->endless != 0)
        return thread->frames != NULL && thread->frames->number <= thread->endless;
    if (thread->calling_count < kvo_get_depth_limit()) return true;
    thread->endless = thread->changes;
    thread->endless_in = thread->calling[0];
    __atomic_store_n(&thread->attend_on_leave, 1, __ATOMIC_RELAXED); // it ends with the mark
    report_endless(thread);
    return false;
}

// Whether one more notification may be sent within those that are under way on this thread.
ISA_INLINE bool may_tell(struct isa__thread *thread)
{
    if (__builtin_expect(thread->endless == 0, 1) &&
        __builtin_expect(thread->calling_count < kvo_get_depth_limit(), 1))
        return true;
    return may_tell_deep(thread);
}

// Tells `registration` of frame->change if it still stands, and leaves no gap between the two that
// a removal on another thread could fall into unnoticed.
ISA_INLINE void check_and_tell(struct kvo_frame *frame,
                               const struct isa__registration *registration)
{
    struct isa__thread *thread = frame->thread;
    if (ISA_UNLIKELY(!may_tell(thread))) return;
    uint32_t depth = thread->calling_count;
    const void **slot = isa__calling_slot(thread, depth);
    isa__check_begin(slot, registration);
    uint32_t tag = isa__registration_tag_load(registration);
    uintptr_t now = isa__observing_load(frame->side);
    // Nothing else serves for a function: it stands until it has ended.
    bool by_tag = now == frame->seen ||
                  (tag & (ISA_TAG_FUNCTION | ISA_TAG_SHARED)) == ISA_TAG_FUNCTION;
    bool stands = __builtin_expect(by_tag, 1)
                      ? !(tag & ISA_TAG_ENDED)
                      : isa__registration_stands(registration, frame->object, now);
    if (stands) isa__calling_set(thread, depth + 1);
    isa__check_end(slot, stands ? registration : NULL);
    if (!stands) return;
    tell(registration, tag, &frame->change);
    isa__calling_set(thread, depth);
}

void isa__tell_checked(struct isa__registration *registration, const kvo_change *change,
                       bool equal_serves)
{
    struct isa__thread *thread = isa__mark_enter();
    if (ISA_UNLIKELY(!may_tell(thread))) {
        isa__mark_leave(thread);
        return;
    }
    uint32_t depth = thread->calling_count;
    const void **slot = isa__calling_slot(thread, depth);
    isa__check_begin(slot, registration);
    uint32_t tag = isa__registration_tag_load(registration);
    bool stands = !(tag & ISA_TAG_ENDED);
    if (ISA_UNLIKELY(!stands) && equal_serves)
        stands = isa__registration_stands(
            registration, change->object,
            isa__observing_load(isa__chain_of(registration)->side));
    if (stands) isa__calling_set(thread, depth + 1);
    isa__check_end(slot, stands ? registration : NULL);
    if (stands) {
        tell(registration, tag, change);
        isa__calling_set(thread, depth);
    }
    isa__mark_leave(thread);
}

// ---- the two phases -----------------------------------------------------------------------------

ISA_INLINE void start_change(struct kvo_frame *frame, bool is_after)
{
    frame->change = (kvo_change){
        .object = frame->object, .kind = KVO_CHANGE_SETTING, .cause = frame->key->text};
    if (ISA_UNLIKELY(frame->shape != NULL)) {
        if (is_after && frame->shape->before != NULL) trim(frame);
        frame->change.kind = frame->shape->kind;
        frame->change.indexes = frame->shape->indexes;
    }
}

// Shows what every notification of `registration` has.
ISA_INLINE void show(struct kvo_frame *frame, const struct isa__registration *registration,
                     uint32_t options)
{
    frame->change.key_path = registration->key->text;
    frame->change.context = isa__registration_context(registration);
    frame->change.old_value =
        options & KVO_OPTION_OLD ? frame->old_value.value : (kvc_value){NULL, NULL};
}

// Announces to a registration that is told by a trigger rather than as its key changes.
ISA_OUTLINE void announce_dependent(struct kvo_frame *frame, uint32_t at)
{
    struct isa__route route = isa__route_direct(frame->affected.triggers[at], frame->number);
    isa__dependent_will(frame->object, frame->affected.items[at], &route);
}

ISA_OUTLINE void end_dependent(struct kvo_frame *frame, uint32_t at)
{
    struct isa__route route = isa__route_direct(frame->affected.triggers[at], frame->number);
    isa__dependent_did(frame->object, frame->affected.items[at], &route);
}

ISA_INLINE bool is_dependent(const struct kvo_frame *frame, uint32_t at)
{
    return ISA_UNLIKELY(frame->affected.triggers != NULL) && frame->affected.triggers[at] != NULL;
}

// Announces to each: prior notifications, and what depends on the key.
ISA_OUTLINE void announce_each(struct kvo_frame *frame)
{
    start_change(frame, false);
    frame->change.is_prior = true;
    for (uint32_t i = 0; i < frame->affected.count; i++) {
        frame->announced = i + 1;
        if (is_dependent(frame, i)) {
            announce_dependent(frame, i);
            continue;
        }
        const struct isa__registration *registration = isa__item_load(&frame->affected.items[i]);
        uint32_t options = isa__registration_tag_load(registration);
        if (!(options & KVO_OPTION_PRIOR)) continue;
        show(frame, registration, options);
        check_and_tell(frame, registration);
    }
    frame->announced = UINT32_MAX;
}

// Whether a change of that shape has an old value, and any change a new one, that is read from the
// object.
static bool reads_old(const struct kvo_frame *frame)
{
    return frame->shape->mutation == 0 && frame->shape->kind != KVO_CHANGE_INSERTION;
}

ISA_INLINE bool reads_new(const struct kvo_frame *frame)
{
    return frame->shape == NULL ||
           (frame->shape->mutation == 0 && frame->shape->kind != KVO_CHANGE_REMOVAL);
}

// Those who are told after an observer that has taken elements away again are shown what came.
ISA_OUTLINE void renew_part(struct kvo_frame *frame)
{
    struct isa__held now;
    isa__held_clear(&now);
    isa_status status = hold_part(frame, &now);
    if (status == KVC_ERR_RANGE && frame->new_value.value.address != NULL) return;
    isa__held_drop(&frame->new_value);
    if (status == ISA_OK) isa__held_move(&now, &frame->new_value);
    else report_unreadable(frame, status);
}

// Reads the new value, again if the object has changed through the engine since.
ISA_INLINE void renew(struct kvo_frame *frame)
{
    frame->dirty = false;
    if (!reads_new(frame)) return;
    if (ISA_UNLIKELY(frame->shape != NULL)) {
        renew_part(frame);
        return;
    }
    isa__held_drop(&frame->new_value);
    read_frame(frame, &frame->new_value);
}

ISA_INLINE void deliver_after(struct kvo_frame *frame)
{
    start_change(frame, true);
    frame->dirty = true;
    // GNUstep reads it before it tells anybody, and not again; whoever is told first may take
    // elements away that came.
    bool once = isa__class_is_gnustep(isa_object_get_class(frame->object));
    if (ISA_UNLIKELY(once || frame->shape != NULL) && frame->affected.options & KVO_OPTION_NEW)
        renew(frame);
    for (uint32_t i = frame->affected.count; i-- > 0;) {
        if (is_dependent(frame, i)) {
            end_dependent(frame, i);
            continue;
        }
        const struct isa__registration *registration = isa__item_load(&frame->affected.items[i]);
        uint32_t options = isa__registration_tag_load(registration);
        bool wants_new = (options & KVO_OPTION_NEW) != 0;
        if (wants_new && frame->dirty && !once) renew(frame);
        show(frame, registration, options);
        frame->change.new_value = wants_new ? frame->new_value.value : (kvc_value){NULL, NULL};
        check_and_tell(frame, registration);
    }
}

// ---- frames -------------------------------------------------------------------------------------

ISA_INLINE void open_frame(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                           const struct isa__key *key)
{
    frame->thread = isa__mark_enter();
    frame->outer = frame->thread->frames;
    frame->object = object;
    frame->side = side;
    frame->key = key;
    frame->watched = NULL;
    frame->shape = NULL;
    frame->status = ISA_OK;
    frame->tells_status = false;
    if (frame->outer != NULL) isa__frame_number(frame->outer);
    frame->number = ++frame->thread->changes;
    frame->announced = UINT32_MAX;
    frame->old_value.value = (kvc_value){NULL, NULL};
    frame->old_value.duty = ISA_HELD_NOTHING;
    frame->new_value.value = (kvc_value){NULL, NULL};
    frame->new_value.duty = ISA_HELD_NOTHING;
    frame->thread->frames = frame;
    isa__frames_note_set(frame->outer, object);
}

ISA_INLINE void close_frame(struct kvo_frame *frame)
{
    frame->thread->frames = frame->outer;
    isa__held_drop(&frame->old_value);
    isa__held_drop(&frame->new_value);
    isa__mark_leave(frame->thread);
}

void isa__frame_open(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                     const struct isa__key *key)
{
    open_frame(frame, object, side, key);
}

void isa__frame_close(struct kvo_frame *frame)
{
    close_frame(frame);
}

ISA_OUTLINE void hold_shaped(struct kvo_frame *frame, uint32_t options)
{
    if (frame->shape->mutation != 0) {
        if (options & (KVO_OPTION_OLD | KVO_OPTION_NEW)) hold_difference(frame);
        return;
    }
    if (options & KVO_OPTION_OLD && reads_old(frame)) read_frame(frame, &frame->old_value);
    hold_before(frame);
}

ISA_INLINE void announce(struct kvo_frame *frame)
{
    uint32_t options = frame->affected.options;
    if (ISA_UNLIKELY(frame->shape != NULL)) hold_shaped(frame, options);
    else if (options & KVO_OPTION_OLD) read_frame(frame, &frame->old_value);
    if (options & KVO_OPTION_PRIOR || frame->affected.triggers != NULL) announce_each(frame);
}

ISA_RARE void announce_logged(struct kvo_frame *frame)
{
    uint64_t cause = isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_WILL_CHANGE, .object = frame->object, .name = frame->key->text});
    announce(frame);
    isa__event_end(cause);
}

void isa__frame_announce(struct kvo_frame *frame)
{
    if (isa__event_on()) announce_logged(frame);
    else announce(frame);
}

const char *isa__change_cause(void)
{
    const struct kvo_frame *frame = isa__thread_get()->frames;
    return frame == NULL ? NULL : frame->key->text;
}

bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__watched *watched)
{
    open_frame(frame, object, side, key);
    frame->watched = watched;
    frame->seen = isa__observing_load(side);
    if (!isa__affected_find(frame->seen, key, &frame->affected)) {
        close_frame(frame);
        return false;
    }
    isa__frame_announce(frame);
    return true;
}

bool isa__change_will_shaped(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                             const struct isa__key *key, struct isa__change_shape *shape)
{
    open_frame(frame, object, side, key);
    frame->shape = shape;
    frame->tells_status = shape->tells_status;
    frame->seen = isa__observing_load(side);
    if (!isa__affected_find(frame->seen, key, &frame->affected)) {
        close_frame(frame);
        return false;
    }
    isa__frame_announce(frame);
    return true;
}

ISA_RARE void deliver_logged(struct kvo_frame *frame)
{
    uint64_t cause = isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_DID_CHANGE, .object = frame->object, .name = frame->key->text});
    deliver_after(frame);
    isa__event_end(cause);
}

void isa__change_renew_latecomers(struct kvo_frame *frame)
{
    struct isa__affected now;
    if (!isa__affected_find(isa__observing_load(frame->side), frame->key, &now)) return;
    for (uint32_t i = 0; now.triggers != NULL && i < now.count; i++) {
        bool known = false;
        for (uint32_t j = 0; j < frame->affected.count; j++)
            known = known || frame->affected.items[j] == now.items[i];
        if (!known && now.triggers[i] != NULL)
            isa__chain_renew(frame->object, now.items[i], now.triggers[i]);
    }
}

void isa__change_did(struct kvo_frame *frame)
{
    if (isa__event_on()) deliver_logged(frame);
    else deliver_after(frame);
    if (ISA_UNLIKELY(isa__observing_load(frame->side) != frame->seen))
        isa__change_renew_latecomers(frame);
    close_frame(frame);
}

bool isa__may_tell(isa_id object, const struct isa__side *side)
{
    if (side == NULL || isa__observing_load(side) == 0) return false;
    struct isa__observed *observed =
        __atomic_load_n(&isa_object_get_class(object)->observing, __ATOMIC_ACQUIRE);
    if (observed != NULL && !(isa__observed_overrides(observed) & ISA_OVERRIDES_INFO)) return true;
    isa_imp imp = isa_class_find_imp(isa_object_get_class(object), isa__sel_observation_info);
    return imp == isa_class_find_imp(isa_root_class(), isa__sel_observation_info) ||
           kvo_observation_info(object) != NULL;
}

uint64_t isa__change_number(void)
{
    struct kvo_frame *frame = isa__thread_get()->frames;
    return frame == NULL ? 0 : isa__frame_number(frame);
}

bool isa__is_changing(isa_id object, bool but_innermost)
{
    const struct kvo_frame *frame = isa__thread_get()->frames;
    if (frame != NULL && but_innermost) frame = frame->outer;
    while (frame != NULL && frame->object != object) frame = frame->outer;
    return frame != NULL;
}

const struct kvo_frame *isa__frame_announcing(uint64_t number)
{
    const struct kvo_frame *frame = isa__thread_get()->frames;
    while (frame != NULL && frame->number != number) frame = frame->outer;
    return frame != NULL && frame->announced != UINT32_MAX ? frame : NULL;
}

bool isa__is_silenced(isa_id object, const struct isa__key *key)
{
    const struct isa__thread *thread = isa__thread_get();
    for (const struct isa__silence *s = thread->silences; s != NULL; s = s->outer)
        if (s->object == object && s->key == key && s->calling_count == thread->calling_count)
            return true;
    return false;
}

static isa_status hold_initial(struct kvo_frame *frame, uint32_t tag)
{
    if (tag & ISA_TAG_CHAINED)
        return isa__hold_path(frame->object, frame->key->text, &frame->new_value);
    return hold(frame, &frame->new_value);
}

isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration)
{
    struct kvo_frame frame;
    isa_status status = ISA_OK;
    uint32_t tag = isa__registration_tag_load(registration);
    open_frame(&frame, object, side, registration->key);
    if (tag & KVO_OPTION_NEW) status = hold_initial(&frame, tag);
    if (status == ISA_OK) {
        start_change(&frame, false);
        show(&frame, registration, 0);
        frame.change.is_initial = true;
        frame.change.cause = NULL;
        frame.change.new_value = frame.new_value.value;
        // It may have been ended while its value was read.
        uint32_t depth = frame.thread->calling_count;
        const void **slot = isa__calling_slot(frame.thread, depth);
        isa__check_begin(slot, registration);
        bool stands = !(isa__registration_tag_load(registration) & ISA_TAG_ENDED);
        isa__calling_set(frame.thread, depth + 1);
        isa__check_end(slot, stands ? registration : NULL);
        if (stands) tell(registration, tag, &frame.change);
        isa__calling_set(frame.thread, depth);
    }
    close_frame(&frame);
    return status;
}
