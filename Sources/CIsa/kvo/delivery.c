// Delivery: reads the registry under a mark, with no lock and no allocation for values up to
// ISA_HELD_INLINE bytes, and tells observers in the order that kvo.h promises.
//
// Owns:      the values held in a frame, until the frame is closed.
// Lives:     a frame lives on the stack of the thread that changes the object, and is reached by
//            that thread alone.
// Locks:     none. User code (getters, observers) runs under the mark in its calling state.
// Invariant: each registration is checked right before it is told: see base/reclaim.h.
#include "delivery.h"

#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../kvc/coding.h"
#include "../model/selector.h"
#include "subclass.h"

// ---- values -------------------------------------------------------------------------------------

ISA_OUTLINE isa_status hold_message(isa_id object, const char *key, struct isa__held *held)
{
    isa_status status = kvc_copy_value(object, key, &held->box);
    if (status != ISA_OK) return status;
    held->value = kvc_unbox(&held->box);
    held->duty = ISA_HELD_BOX;
    return ISA_OK;
}

// A value that is no scalar, or has no room inline.
ISA_OUTLINE isa_status hold_large(isa_id object, const struct isa__accessor *accessor,
                                  struct isa__held *held)
{
    bool fits = accessor->size <= ISA_HELD_INLINE;
    void *address = fits ? held->bytes : isa__alloc(ISA_KIND_OTHER, accessor->size);
    if (address == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a value of %zu bytes",
                         accessor->size);
    isa_status status = isa__accessor_read(accessor, object, address);
    if (status != ISA_OK) {
        if (!fits) isa__free(ISA_KIND_OTHER, address, accessor->size);
        return status;
    }
    held->value = (kvc_value){accessor->types, address};
    held->size = accessor->size;
    held->duty = fits ? ISA_HELD_NOTHING : ISA_HELD_BLOCK;
    return ISA_OK;
}

ISA_INLINE isa_status hold_accessor(isa_id object, const struct isa__accessor *accessor,
                                    struct isa__held *held)
{
    if (ISA_UNLIKELY(accessor->reader == NULL)) return hold_large(object, accessor, held);
    accessor->reader(accessor, object, held->bytes);
    held->value = (kvc_value){accessor->types, held->bytes};
    held->duty = isa__accessor_is_object(accessor) ? ISA_HELD_OBJECT : ISA_HELD_NOTHING;
    return ISA_OK;
}

ISA_OUTLINE isa_status hold_by_class(struct kvo_frame *frame, struct isa__held *held)
{
    isa_class cls = isa_object_get_class(frame->object);
    struct isa__accessor accessor;
    isa_status status = isa__coding_getter(cls, frame->key->text, &accessor);
    if (status != ISA_OK) return status;
    if (accessor.kind == ISA_ACCESSOR_NONE || !isa__coding_is_direct(cls))
        return hold_message(frame->object, frame->key->text, held);
    return hold_accessor(frame->object, &accessor, held);
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
        return hold_message(frame->object, frame->key->text, held);
    return hold_accessor(frame->object, &getter->accessor, held);
}

ISA_RARE void report_unreadable(struct kvo_frame *frame, isa_status status)
{
    isa__misuse(
        status, isa_last_error()->exception,
        "the value for key %.128s of <%s %p>, whose observers ask for it, cannot be read: %s",
        frame->key->text, isa_class_name(isa_object_get_class(frame->object)->original),
        (void *)frame->object, isa_status_text(status));
}

ISA_INLINE bool read_frame(struct kvo_frame *frame, struct isa__held *out)
{
    isa_status status = hold(frame, out);
    if (ISA_UNLIKELY(status != ISA_OK)) report_unreadable(frame, status);
    return status == ISA_OK;
}

void isa__held_free(struct isa__held *held)
{
    switch (held->duty) {
    case ISA_HELD_NOTHING: break;
    case ISA_HELD_OBJECT: isa_object_release(*(isa_id *)held->bytes); break;
    case ISA_HELD_BLOCK:
        isa__free(ISA_KIND_OTHER, (void *)(uintptr_t)held->value.address, held->size);
        break;
    case ISA_HELD_BOX: isa_object_release(held->box); break;
    }
    held->duty = ISA_HELD_NOTHING;
}

void isa__held_move(struct isa__held *from, struct isa__held *to)
{
    *to = *from;
    if (from->value.address == from->bytes) to->value.address = to->bytes;
    if (from->value.address == &from->box) to->value.address = &to->box;
    from->value.address = NULL;
    from->duty = ISA_HELD_NOTHING;
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
    if (imp != NULL)
        ((observe_imp)imp)(observer, isa__sel_observe_value, change->key_path, change->object,
                           change, registration->context);
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

ISA_OUTLINE void tell_slowly(const struct isa__registration *registration,
                             const kvo_change *change)
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
    else tell_slowly(registration, change);
}

// Tells `registration` of frame->change if it still stands, and leaves no gap between the two that
// a removal on another thread could fall into unnoticed.
ISA_INLINE void check_and_tell(struct kvo_frame *frame,
                               const struct isa__registration *registration)
{
    isa__check_begin(frame->thread);
    uint32_t tag = isa__registration_tag_load(registration);
    uintptr_t now = isa__observing_load(frame->side);
    bool stands = __builtin_expect(now == frame->seen, 1)
                      ? !(tag & ISA_TAG_ENDED)
                      : isa__registration_stands(registration, now);
    if (stands) isa__calling_push(frame->thread, registration);
    isa__check_end(frame->thread);
    if (!stands) return;
    tell(registration, tag, &frame->change);
    isa__calling_pop(frame->thread);
}

// ---- the two phases -----------------------------------------------------------------------------

ISA_INLINE void start_change(struct kvo_frame *frame)
{
    frame->change = (kvo_change){.object = frame->object, .kind = KVO_CHANGE_SETTING};
}

// Shows what every notification of `registration` has.
ISA_INLINE void show(struct kvo_frame *frame, const struct isa__registration *registration,
                     uint32_t options)
{
    frame->change.key_path = registration->key->text;
    frame->change.context = registration->context;
    frame->change.old_value =
        options & KVO_OPTION_OLD ? frame->old_value.value : (kvc_value){NULL, NULL};
}

ISA_OUTLINE void deliver_prior(struct kvo_frame *frame)
{
    start_change(frame);
    frame->change.is_prior = true;
    for (uint32_t i = 0; i < frame->affected.count; i++) {
        const struct isa__registration *registration = frame->affected.items[i];
        uint32_t options = isa__registration_tag_load(registration);
        if (!(options & KVO_OPTION_PRIOR)) continue;
        show(frame, registration, options);
        check_and_tell(frame, registration);
    }
}

// Reads the new value, again if the object has changed through the engine since.
ISA_INLINE void renew(struct kvo_frame *frame)
{
    frame->dirty = false;
    isa__held_drop(&frame->new_value);
    read_frame(frame, &frame->new_value);
}

ISA_INLINE void deliver_after(struct kvo_frame *frame)
{
    start_change(frame);
    frame->dirty = true;
    for (uint32_t i = frame->affected.count; i-- > 0;) {
        const struct isa__registration *registration = frame->affected.items[i];
        uint32_t options = isa__registration_tag_load(registration);
        bool wants_new = (options & KVO_OPTION_NEW) != 0;
        if (wants_new && frame->dirty) renew(frame);
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
    frame->old_value.value = (kvc_value){NULL, NULL};
    frame->old_value.duty = ISA_HELD_NOTHING;
    frame->new_value.value = (kvc_value){NULL, NULL};
    frame->new_value.duty = ISA_HELD_NOTHING;
    frame->thread->frames = frame;
    for (struct kvo_frame *f = frame->outer; f != NULL; f = f->outer)
        if (f->object == object) f->dirty = true;
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

ISA_INLINE void announce(struct kvo_frame *frame)
{
    if (frame->affected.options & KVO_OPTION_OLD) read_frame(frame, &frame->old_value);
    if (frame->affected.options & KVO_OPTION_PRIOR) deliver_prior(frame);
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

ISA_RARE void deliver_logged(struct kvo_frame *frame)
{
    uint64_t cause = isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_DID_CHANGE, .object = frame->object, .name = frame->key->text});
    deliver_after(frame);
    isa__event_end(cause);
}

void isa__change_did(struct kvo_frame *frame)
{
    if (isa__event_on()) deliver_logged(frame);
    else deliver_after(frame);
    close_frame(frame);
}

isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration)
{
    struct kvo_frame frame;
    isa_status status = ISA_OK;
    uint32_t tag = isa__registration_tag_load(registration);
    open_frame(&frame, object, side, registration->key);
    if (tag & KVO_OPTION_NEW) status = hold(&frame, &frame.new_value);
    if (status == ISA_OK) {
        start_change(&frame);
        show(&frame, registration, 0);
        frame.change.is_initial = true;
        frame.change.new_value = frame.new_value.value;
        // It may have been ended while its value was read.
        isa__check_begin(frame.thread);
        bool stands = !(isa__registration_tag_load(registration) & ISA_TAG_ENDED);
        isa__calling_push(frame.thread, registration);
        isa__check_end(frame.thread);
        if (stands) tell(registration, tag, &frame.change);
        isa__calling_pop(frame.thread);
    }
    close_frame(&frame);
    return status;
}
