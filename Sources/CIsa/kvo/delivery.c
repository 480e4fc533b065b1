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

static isa_status hold_message(isa_id object, const char *key, struct isa__held *held)
{
    isa_status status = kvc_copy_value(object, key, &held->box);
    if (status != ISA_OK) return status;
    kvc_value value = kvc_unbox(&held->box);
    held->types = value.types;
    held->address = (void *)(uintptr_t)value.address;
    return ISA_OK;
}

static isa_status hold_accessor(isa_id object, const struct isa__accessor *accessor,
                                struct isa__held *held)
{
    held->address = held->bytes;
    held->size = accessor->size;
    held->is_object = isa__accessor_is_object(accessor);
    if (held->size > ISA_HELD_INLINE) held->address = isa__alloc(ISA_KIND_OTHER, held->size);
    if (held->address == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a value of %zu bytes", held->size);
    isa_status status = isa__accessor_read(accessor, object, held->address);
    if (status == ISA_OK) held->types = accessor->types;
    else if (held->address != held->bytes) isa__free(ISA_KIND_OTHER, held->address, held->size);
    return status;
}

static isa_status hold_watched(struct kvo_frame *frame, struct isa__held *held)
{
    const struct isa__getter *getter =
        isa__watched_getter(isa_object_get_class(frame->object), frame->watched);
    if (getter == NULL) return isa_last_error()->status;
    if (getter->by_message) return hold_message(frame->object, frame->key->text, held);
    return hold_accessor(frame->object, &getter->accessor, held);
}

static isa_status hold(struct kvo_frame *frame, struct isa__held *held)
{
    held->types = NULL;
    held->box = NULL;
    if (frame->watched != NULL) return hold_watched(frame, held);
    isa_class cls = isa_object_get_class(frame->object);
    struct isa__accessor accessor;
    isa_status status = isa__coding_getter(cls, frame->key->text, &accessor);
    if (status != ISA_OK) return status;
    if (accessor.kind == ISA_ACCESSOR_NONE || !isa__coding_is_direct(cls))
        return hold_message(frame->object, frame->key->text, held);
    return hold_accessor(frame->object, &accessor, held);
}

bool isa__frame_read(struct kvo_frame *frame, struct isa__held *out)
{
    isa_status status = hold(frame, out);
    if (status == ISA_OK) return true;
    isa__misuse(status, isa_last_error()->exception, "the value for key %.128s of <%s %p>, whose "
                "observers ask for it, cannot be read: %s", frame->key->text,
                isa_class_name(isa_object_get_class(frame->object)->original),
                (void *)frame->object, isa_status_text(status));
    return false;
}

void isa__held_drop(struct isa__held *held)
{
    if (held->types == NULL) return;
    if (held->box != NULL) isa_object_release(held->box);
    else if (held->address != held->bytes) isa__free(ISA_KIND_OTHER, held->address, held->size);
    else if (held->is_object) isa_object_release(*(isa_id *)held->address);
    held->types = NULL;
    held->box = NULL;
}

static kvc_value value_of(const struct isa__held *held)
{
    if (held->types == NULL) return (kvc_value){0};
    // A nil that came through the message stands in `box` itself.
    if (held->address == NULL) return (kvc_value){held->types, &held->box};
    return (kvc_value){held->types, held->address};
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

static void tell_object(const struct kvo_token *registration, isa_id observer,
                        const kvo_change *change)
{
    isa_imp imp = isa_class_find_imp(isa_object_get_class(observer), isa__sel_observe_value);
    if (imp != NULL)
        ((observe_imp)imp)(observer, isa__sel_observe_value, change->key_path, change->object,
                           change, registration->context);
    else
        isa__kvo_report_unhandled(observer, change);
}

static __attribute__((noinline)) uint64_t report_notification(const struct kvo_token *registration,
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

static void tell(const struct kvo_token *registration, const kvo_change *change)
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

// Tells `registration` if it still stands, and leaves no gap between the two that a removal on
// another thread could fall into unnoticed. True if it was told.
static bool check_and_tell(struct kvo_frame *frame, const struct kvo_token *registration,
                           const kvo_change *change)
{
    isa__check_begin(frame->thread);
    bool stands = isa__registration_stands(registration, isa__observing_load(frame->side),
                                           frame->seen);
    if (stands) isa__calling_push(frame->thread, registration);
    isa__check_end(frame->thread);
    if (!stands) return false;
    tell(registration, change);
    isa__calling_pop(frame->thread);
    return true;
}

static kvo_change change_for(const struct kvo_frame *frame, const struct kvo_token *registration)
{
    return (kvo_change){.object = frame->object,
                        .key_path = registration->key->text,
                        .context = registration->context,
                        .kind = KVO_CHANGE_SETTING};
}

// ---- the two phases -----------------------------------------------------------------------------

void isa__deliver_prior(struct kvo_frame *frame)
{
    for (uint32_t i = 0; i < frame->affected.count; i++) {
        const struct kvo_token *registration = frame->affected.items[i];
        uint32_t options = isa__registration_tag_load(registration);
        if (!(options & KVO_OPTION_PRIOR)) continue;
        kvo_change change = change_for(frame, registration);
        change.is_prior = true;
        if (options & KVO_OPTION_OLD) change.old_value = value_of(&frame->old_value);
        check_and_tell(frame, registration, &change);
    }
}

// Reads the new value again if the object has changed through the engine since.
static void renew(struct kvo_frame *frame)
{
    if (!frame->dirty) return;
    frame->dirty = false;
    isa__held_drop(&frame->new_value);
    isa__frame_read(frame, &frame->new_value);
}

void isa__deliver_after(struct kvo_frame *frame)
{
    frame->dirty = (frame->affected.options & KVO_OPTION_NEW) != 0;
    for (uint32_t i = frame->affected.count; i-- > 0;) {
        const struct kvo_token *registration = frame->affected.items[i];
        uint32_t options = isa__registration_tag_load(registration);
        kvo_change change = change_for(frame, registration);
        if (options & KVO_OPTION_OLD) change.old_value = value_of(&frame->old_value);
        if (options & KVO_OPTION_NEW) {
            renew(frame);
            change.new_value = value_of(&frame->new_value);
        }
        check_and_tell(frame, registration, &change);
    }
}

// ---- frames -------------------------------------------------------------------------------------

void isa__frame_open(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                     const struct isa__key *key)
{
    frame->thread = isa__mark_enter();
    frame->outer = frame->thread->frames;
    frame->object = object;
    frame->side = side;
    frame->key = key;
    frame->watched = NULL;
    frame->dirty = false;
    frame->old_value.types = NULL;
    frame->new_value.types = NULL;
    frame->thread->frames = frame;
    for (struct kvo_frame *f = frame->outer; f != NULL; f = f->outer)
        if (f->object == object) f->dirty = true;
}

void isa__frame_close(struct kvo_frame *frame)
{
    frame->thread->frames = frame->outer;
    isa__held_drop(&frame->old_value);
    isa__held_drop(&frame->new_value);
    isa__mark_leave(frame->thread);
}

bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__watched *watched)
{
    isa__frame_open(frame, object, side, key);
    frame->watched = watched;
    frame->seen = isa__observing_load(side);
    if (!isa__affected_find(frame->seen, key, &frame->affected)) {
        isa__frame_close(frame);
        return false;
    }
    ISA_EVENT(.kind = ISA_EVENT_WILL_CHANGE, .object = object, .name = key->text);
    if (frame->affected.options & KVO_OPTION_OLD) isa__frame_read(frame, &frame->old_value);
    if (frame->affected.options & KVO_OPTION_PRIOR) isa__deliver_prior(frame);
    return true;
}

void isa__change_did(struct kvo_frame *frame)
{
    bool logged = isa__event_on();
    uint64_t cause = 0;
    if (logged)
        cause = isa__event_begin(&(isa_event){.kind = ISA_EVENT_DID_CHANGE,
                                              .object = frame->object,
                                              .name = frame->key->text});
    isa__deliver_after(frame);
    if (logged) isa__event_end(cause);
    isa__frame_close(frame);
}

isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct kvo_token *registration)
{
    struct kvo_frame frame;
    isa_status status = ISA_OK;
    isa__frame_open(&frame, object, side, registration->key);
    if (isa__registration_tag_load(registration) & KVO_OPTION_NEW)
        status = hold(&frame, &frame.new_value);
    if (status == ISA_OK) {
        kvo_change change = change_for(&frame, registration);
        change.is_initial = true;
        change.new_value = value_of(&frame.new_value);
        isa__calling_push(frame.thread, registration);
        tell(registration, &change);
        isa__calling_pop(frame.thread);
    }
    isa__frame_close(&frame);
    return status;
}
