// The short way of a typed setter: all that a set of a scalar with observers needs, inlined into
// its thunk and its closure, for the usual case. Whatever is unusual, seen before anybody was told,
// is left to the long way; seen later, the long way goes on from there.
//
// There are three short ways. The first takes a set inside no other change of an object with one
// function for its only observer, and does nothing that such a set does not need. The second takes
// any number of observers, prior notifications and dependent keys, the third any depth besides.
//
// Unusual are: listeners to the event log, fences instead of membarrier, a low limit of depth; a
// silence, or an end of telling because of depth; a stale plan or none; an observer of what depends
// on the key, or of a path along it, that has something to do beforehand; an isa or a method that
// the original has changed.
//
// The first stands here, the others in express_many.h. What each step does and why it is safe is
// said at the functions of delivery.c and reclaim.h that the steps are taken from.
#ifndef ISA_KVO_EXPRESS_H
#define ISA_KVO_EXPRESS_H

#include "delivery.h"
#include "plan.h"

// What of a typed setter depends on the type; constants, so that all is inlined.
struct isa__typed {
    void (*set)(isa_imp imp, isa_id self, isa_sel sel, const void *value);
    void (*get)(const struct isa__plan *plan, isa_id self, void *buffer);
    bool is_object; // `get` retains
};

// ---- values -------------------------------------------------------------------------------------

ISA_INLINE void isa__express_drop(struct isa__held *held, struct isa__typed typed)
{
    if (!typed.is_object || held->duty == ISA_HELD_NOTHING) return;
    isa_object_release(*(isa_id *)held->bytes);
    held->duty = ISA_HELD_NOTHING;
}

ISA_INLINE void isa__express_read(struct kvo_frame *frame, const struct isa__plan *plan,
                                  struct isa__held *held, struct isa__typed typed)
{
    isa__express_drop(held, typed);
    typed.get(plan, frame->object, held->bytes);
    if (typed.is_object) held->duty = ISA_HELD_OBJECT;
}

// ---- when something is unusual ------------------------------------------------------------------

// Makes a frame ready, as it was before its first use.
ISA_INLINE void isa__express_clear(struct kvo_frame *frame)
{
    frame->outer = NULL;
    frame->old_value.duty = ISA_HELD_NOTHING;
    frame->new_value.duty = ISA_HELD_NOTHING;
    frame->change = (kvo_change){.kind = KVO_CHANGE_SETTING,
                                 .old_value.address = frame->old_value.bytes,
                                 .new_value.address = frame->new_value.bytes};
}

// Fills in what the short way does not need.
ISA_INLINE void isa__express_complete(struct kvo_frame *frame, uintptr_t seen,
                                      struct isa__registration *const *items, uint32_t count,
                                      uint32_t options)
{
    frame->thread = isa__current;
    frame->seen = seen;
    frame->announced = UINT32_MAX;
    frame->affected.items = items;
    frame->affected.triggers = NULL;
    frame->affected.count = count;
    frame->affected.options = options;
    frame->affected.single = isa__word_single(seen);
    if (frame->affected.single != NULL) frame->affected.items = &frame->affected.single;
    isa__frame_number(frame);
}

// Ends a completed change the long way, which tells everybody. The mark stays, and the frame is
// ready again.
void isa__express_end_slowly(struct kvo_frame *frame, struct isa__watched *watched,
                             struct isa__change_shape *shape);

// The same for a set. Nothing new is held.
void isa__express_hand_over(struct kvo_frame *frame, const struct isa__plan *plan);

// ---- one observer -------------------------------------------------------------------------------

// The frame of a thread's outermost change. Between two uses it has no outer one, nothing held, and
// shows a setting with old and new value.
ISA_INLINE struct kvo_frame *isa__express_frame(struct isa__thread *thread)
{
    return (struct kvo_frame *)thread->express_frame;
}

static_assert(sizeof(struct kvo_frame) <= ISA_EXPRESS_FRAME_SIZE, "a thread's record holds one");

void isa__express_prepare(struct isa__thread *thread);

enum { ISA_EXPRESS_BOTH = KVO_OPTION_OLD | KVO_OPTION_NEW };

// Whether a registration of that tag can be told so: one that is bare and asks for both values, or
// any.
ISA_INLINE bool isa__express_is_usual(uint32_t tag)
{
    const uint32_t usual = ISA_TAG_FUNCTION | ISA_TAG_BARE | ISA_EXPRESS_BOTH;
    return __builtin_expect((tag & (usual | ISA_TAG_ENDED | KVO_OPTION_PRIOR)) == usual, 1);
}

ISA_INLINE bool isa__express_is_single(uint32_t tag)
{
    const uint32_t relevant = ISA_TAG_FUNCTION | ISA_TAG_ENDED | KVO_OPTION_PRIOR;
    return __builtin_expect((tag & relevant) == ISA_TAG_FUNCTION, 1);
}

// Tells the only registration of an outermost change, if it still stands. It is a function, for
// which no equal one serves: whether it has ended is all that counts.
ISA_INLINE void isa__express_tell_single(struct kvo_frame *frame, struct isa__thread *thread,
                                         const struct isa__registration *registration)
{
    isa__check_begin_unfenced(&thread->calling[0], registration);
    if (ISA_UNLIKELY((isa__registration_tag_load(registration) & ISA_TAG_ENDED) != 0)) {
        isa__check_end(&thread->calling[0], NULL);
        return;
    }
    __atomic_store_n(&thread->calling_count, 1, __ATOMIC_RELAXED);
    isa__check_end(&thread->calling[0], registration);
    registration->function.callback(&frame->change, registration->function.info);
    __atomic_store_n(&thread->calling_count, 0, __ATOMIC_RELEASE);
}

// Shows the values that are asked for, of those that frames always show.
ISA_INLINE void isa__express_show(struct kvo_frame *frame, uint32_t options)
{
    frame->change.old_value.address = options & KVO_OPTION_OLD ? frame->old_value.bytes : NULL;
    frame->change.new_value.address = options & KVO_OPTION_NEW ? frame->new_value.bytes : NULL;
}

// The frame of a change that tells `registration`, completed.
void isa__express_complete_single(struct kvo_frame *frame,
                                  const struct isa__registration *registration);

// Something was registered, or ended, since that change was announced.
void isa__express_renew_late(struct kvo_frame *frame,
                             const struct isa__registration *registration);

// The long way tells `registration`, and ends the change.
void isa__express_leave_single(struct kvo_frame *frame, const struct isa__plan *plan,
                               const struct isa__registration *registration);

// Shows what all of a change's observers are shown.
ISA_INLINE void isa__express_begin_change(struct kvo_frame *frame, const struct isa__plan *plan)
{
    frame->change.object = frame->object;
    frame->change.key_path = plan->key->text;
    frame->change.cause = plan->key->text;
    frame->change.old_value.types = plan->types;
    frame->change.new_value.types = plan->types;
}

// Opens the thread's frame. The frame keeps what is not needed before the original has run.
ISA_INLINE struct kvo_frame *isa__express_open_first(struct isa__thread *thread, isa_id self,
                                                     const struct isa__key *key,
                                                     struct isa__side *side)
{
    struct kvo_frame *frame = isa__express_frame(thread);
    thread->frames = frame;
    frame->object = self;
    frame->side = side;
    frame->key = key;
    frame->number = 0;
    return frame;
}

// Whether what was registered since the change was announced is to be looked at.
ISA_INLINE bool isa__express_is_late(const struct kvo_frame *frame,
                                     const struct isa__registration *registration)
{
    return ISA_UNLIKELY(isa__observing_load(frame->side) != (uintptr_t)registration);
}

// Ends the frame, in which nothing is held, and the thread's mark.
ISA_INLINE void isa__express_close_first(struct isa__thread *thread)
{
    thread->frames = NULL;
    isa__mark_leave_last(thread);
    if (isa__mark_must_attend(thread)) isa__mark_attend(thread);
}

// Sets, and tells `registration`, the word's only one, of whose tag `tag` has the options and
// whether it is bare. The thread was marked for it.
ISA_INLINE void isa__express_set_single(isa_id self, isa_sel sel, const void *value,
                                        const struct isa__plan *plan, struct isa__side *side,
                                        const struct isa__registration *registration,
                                        uint32_t tag, struct isa__typed typed)
{
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = isa__express_open_first(thread, self, plan->key, side);
    isa__express_begin_change(frame, plan);
    frame->change.context = tag & ISA_TAG_BARE ? NULL : registration->rest[0].context;
    if (tag & KVO_OPTION_OLD) isa__express_read(frame, plan, &frame->old_value, typed);
    typed.set(plan->original, frame->object, sel, value);
    if (ISA_UNLIKELY(!isa__plan_holds(plan))) {
        isa__express_leave_single(frame, plan, registration);
        return;
    }
    if (tag & KVO_OPTION_NEW) isa__express_read(frame, plan, &frame->new_value, typed);
    bool partly = (tag & ISA_EXPRESS_BOTH) != ISA_EXPRESS_BOTH;
    if (partly) isa__express_show(frame, tag);
    isa__express_tell_single(frame, thread, registration);
    if (partly) isa__express_show(frame, ISA_EXPRESS_BOTH);
    if (isa__express_is_late(frame, registration)) isa__express_renew_late(frame, registration);
    isa__express_drop(&frame->old_value, typed);
    isa__express_drop(&frame->new_value, typed);
    isa__express_close_first(thread);
}

// How a set may go on.
enum isa__start_kind {
    ISA_START_SINGLE, // the thread is marked: isa__express_set_single, bare and with both values
    ISA_START_PARTLY, // the same with a context, or with one of them, or none
    ISA_START_GROUP,  // the thread is marked: isa__express_set_group
    ISA_START_ALONE,  // nobody observes the key on this object: call `original`
    ISA_START_OTHER,  // nothing was found out
    ISA_START_MARKED, // the same, but the thread is marked
    ISA_START_ATTEND, // as ISA_START_ALONE, but the thread has to attend to something first
};
struct isa__start {
    const struct isa__plan *plan;
    struct isa__side *side;
    const struct isa__registration *registration;
    isa_imp original;
};

ISA_INLINE enum isa__start_kind isa__express_start(isa_id self, const struct isa__wrapper *wrapper,
                                                   struct isa__start *out)
{
    struct isa__thread *thread = isa__current;
    uintptr_t record = isa_header_record((const struct isa_header *)self);
    // Outside of every mark there is no silence, no call under way and no end of telling.
    if (ISA_UNLIKELY(!(record & ISA_RECORD_SIDE)) || ISA_UNLIKELY(thread == NULL) ||
        ISA_UNLIKELY(thread->mark_epoch != 0))
        return ISA_START_OTHER;
    isa__mark_enter_first(thread);
    out->side = (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
    out->plan = isa__plan_of(wrapper);
    if (ISA_UNLIKELY(!isa__plan_holds(out->plan))) return ISA_START_MARKED;
    uintptr_t word = isa__observing_load(out->side);
    if (word & ISA_WORD_SNAPSHOT) return ISA_START_GROUP;
    if (ISA_UNLIKELY(word == 0)) return ISA_START_MARKED;
    out->registration = isa__word_single(word);
    if (__builtin_expect(out->registration->key == out->plan->key, 1)) {
        uint32_t tag = isa__registration_tag_load(out->registration);
        if (isa__express_is_usual(tag)) return ISA_START_SINGLE;
        return isa__express_is_single(tag) ? ISA_START_PARTLY : ISA_START_GROUP;
    }
    out->original = out->plan->original;
    isa__mark_leave_last(thread);
    return isa__mark_must_attend(thread) ? ISA_START_ATTEND : ISA_START_ALONE;
}

#endif
