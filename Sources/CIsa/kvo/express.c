// What the short ways leave to the long one, and what they have in common whatever the type.
//
// Owns:  nothing; a frame is its thread's.
// Locks: none.
#include "express_many.h"

void isa__express_prepare(struct isa__thread *thread)
{
    isa__express_clear(isa__express_frame(thread));
}

void isa__express_end_slowly(struct kvo_frame *frame, struct isa__watched *watched,
                             struct isa__change_shape *shape)
{
    frame->watched = watched;
    frame->shape = shape;
    frame->status = ISA_OK;
    frame->tells_status = shape != NULL && shape->tells_status;
    isa__mark_enter();
    isa__change_did(frame);
    isa__express_clear(frame);
}

void isa__express_hand_over(struct kvo_frame *frame, const struct isa__plan *plan)
{
    bool has_old = (frame->affected.options & KVO_OPTION_OLD) != 0;
    frame->old_value.value =
        has_old ? (kvc_value){plan->types, frame->old_value.bytes} : (kvc_value){NULL, NULL};
    frame->new_value.value = (kvc_value){NULL, NULL};
    isa__express_end_slowly(frame, plan->watched, NULL);
}

// ---- one observer -------------------------------------------------------------------------------

void isa__express_complete_single(struct kvo_frame *frame,
                                  const struct isa__registration *registration)
{
    uint32_t options = isa__registration_tag_load(registration) & ISA_TAG_OPTIONS;
    isa__express_complete(frame, (uintptr_t)registration, NULL, 1, options);
}

void isa__express_renew_late(struct kvo_frame *frame,
                             const struct isa__registration *registration)
{
    isa__express_complete_single(frame, registration);
    isa__change_renew_latecomers(frame);
}

void isa__express_leave_single(struct kvo_frame *frame, const struct isa__plan *plan,
                               const struct isa__registration *registration)
{
    isa__express_complete_single(frame, registration);
    isa__express_hand_over(frame, plan);
    isa__mark_leave(isa__current);
}

// ---- any number of observers --------------------------------------------------------------------

// Those that are bare, or those that are not: `bare` is a constant of the caller's.
ISA_INLINE uint32_t tell_alike(struct kvo_frame *frame, const void **slot,
                               struct isa__registration *const *items, uint32_t count,
                               uint32_t shown, uint32_t bare)
{
    const uint32_t relevant = ISA_TAG_ENDED | ISA_TAG_FUNCTION | ISA_TAG_SHARED | ISA_TAG_BARE |
                              ISA_EXPRESS_BOTH;
    const uint32_t alike = ISA_TAG_FUNCTION | shown | bare;
    const bool reads_new = (shown & KVO_OPTION_NEW) != 0;
    struct isa__registration *const *end = items + count;
    for (; end > items && !(frame->dirty & reads_new); end--) {
        const struct isa__registration *registration = isa__item_load(end - 1);
        isa__check_begin_unfenced(slot, registration);
        if (ISA_UNLIKELY((isa__registration_tag_load(registration) & relevant) != alike)) break;
        isa__check_end(slot, registration);
        if (!bare) frame->change.context = registration->rest[0].context;
        registration->function.callback(&frame->change, registration->function.info);
    }
    isa__check_end(slot, NULL);
    return (uint32_t)(end - items);
}

uint32_t isa__express_tell_alike(struct kvo_frame *frame, const void **slot,
                                 struct isa__registration *const *items, uint32_t count,
                                 uint32_t shown)
{
    uint32_t last = isa__registration_tag_load(isa__item_load(items + count - 1));
    if (!(last & ISA_TAG_BARE)) return tell_alike(frame, slot, items, count, shown, 0);
    frame->change.context = NULL;
    return tell_alike(frame, slot, items, count, shown, ISA_TAG_BARE);
}

void isa__express_tell(struct kvo_frame *frame, const void **slot,
                       const struct isa__registration *registration)
{
    frame->change.context = isa__registration_context(registration);
    isa__check_begin_unfenced(slot, registration);
    uint32_t tag = isa__registration_tag_load(registration);
    if ((tag & (ISA_TAG_ENDED | ISA_TAG_FUNCTION | ISA_TAG_SHARED)) == ISA_TAG_FUNCTION) {
        isa__check_end(slot, registration);
        registration->function.callback(&frame->change, registration->function.info);
        isa__check_end(slot, NULL);
        return;
    }
    // A shared one ends on an object without its tag. An equal one serves for an object that has
    // been removed meanwhile.
    uintptr_t now = isa__observing_load(frame->side);
    bool stands = now == frame->seen
                      ? !(tag & ISA_TAG_ENDED)
                      : isa__registration_stands(registration, frame->object, now);
    isa__check_end(slot, stands ? registration : NULL);
    if (!stands) return;
    isa__tell_slowly(registration, &frame->change);
    isa__check_end(slot, NULL);
}
