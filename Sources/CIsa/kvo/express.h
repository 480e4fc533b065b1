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
// What each step does and why it is safe is said at the functions of delivery.c and reclaim.h that
// the steps are taken from.
#ifndef ISA_KVO_EXPRESS_H
#define ISA_KVO_EXPRESS_H

#include "delivery.h"
#include "key_path.h"
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
ISA_INLINE void isa__express_complete(struct kvo_frame *frame, struct isa__side *side,
                                      uintptr_t seen, struct isa__registration *const *items,
                                      uint32_t count, uint32_t options)
{
    frame->thread = isa__current;
    frame->side = side;
    frame->seen = seen;
    frame->announced = UINT32_MAX;
    frame->affected.items = items;
    frame->affected.triggers = NULL;
    frame->affected.count = count;
    frame->affected.options = options;
    if (seen & 1) {
        frame->affected.single = (struct isa__registration *)(seen - 1);
        frame->affected.items = &frame->affected.single;
    }
    isa__frame_number(frame);
}

// Hands a completed change over to the long way, which tells everybody. The mark stays, and the
// frame is ready again.
ISA_OUTLINE void isa__express_hand_over(struct kvo_frame *frame, const struct isa__plan *plan)
{
    bool has_old = (frame->affected.options & KVO_OPTION_OLD) != 0;
    bool is_object = plan->types[0] == '@';
    frame->watched = plan->watched;
    frame->shape = NULL;
    frame->status = ISA_OK;
    frame->tells_status = false;
    frame->old_value.value =
        has_old ? (kvc_value){plan->types, frame->old_value.bytes} : (kvc_value){NULL, NULL};
    frame->old_value.duty = has_old && is_object ? ISA_HELD_OBJECT : ISA_HELD_NOTHING;
    frame->new_value.value = (kvc_value){NULL, NULL};
    frame->new_value.duty = ISA_HELD_NOTHING;
    isa__mark_enter();
    isa__change_did(frame);
    isa__express_clear(frame);
}

// ---- one observer -------------------------------------------------------------------------------

// The frame of a thread's outermost change. Between two uses it has no outer one, nothing held, and
// shows a setting with old and new value.
ISA_INLINE struct kvo_frame *isa__express_frame(struct isa__thread *thread)
{
    return (struct kvo_frame *)thread->express_frame;
}

static_assert(sizeof(struct kvo_frame) <= ISA_EXPRESS_FRAME_SIZE, "a thread's record holds one");

void isa__express_prepare(struct isa__thread *thread);

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
    isa__check_begin_first(thread, registration);
    if (ISA_UNLIKELY((isa__registration_tag_load(registration) & ISA_TAG_ENDED) != 0)) {
        isa__check_end_first(thread, NULL);
        return;
    }
    isa__check_end_first(thread, registration);
    registration->function.callback(&frame->change, registration->function.info);
    __atomic_store_n(&thread->calling_count, 0, __ATOMIC_RELEASE);
}

// Shows the values that are asked for, of those that frames always show.
ISA_INLINE void isa__express_show(struct kvo_frame *frame, uint32_t options)
{
    frame->change.old_value.address = options & KVO_OPTION_OLD ? frame->old_value.bytes : NULL;
    frame->change.new_value.address = options & KVO_OPTION_NEW ? frame->new_value.bytes : NULL;
}

ISA_OUTLINE void isa__express_set_late(struct kvo_frame *frame, struct isa__side *side,
                                       const struct isa__registration *registration)
{
    uint32_t options = isa__registration_tag_load(registration) & ISA_TAG_OPTIONS;
    isa__express_complete(frame, side, (uintptr_t)registration | 1, NULL, 1, options);
    isa__change_renew_latecomers(frame);
}

ISA_OUTLINE void isa__express_leave_single(struct kvo_frame *frame, const struct isa__plan *plan,
                                           struct isa__side *side,
                                           const struct isa__registration *registration)
{
    uint32_t options = isa__registration_tag_load(registration) & ISA_TAG_OPTIONS;
    struct isa__thread *thread = isa__current;
    isa__express_complete(frame, side, (uintptr_t)registration | 1, NULL, 1, options);
    isa__express_hand_over(frame, plan);
    isa__mark_leave(thread);
}

enum { ISA_EXPRESS_BOTH = KVO_OPTION_OLD | KVO_OPTION_NEW };

// Shows what all of a change's observers are shown.
ISA_INLINE void isa__express_begin_change(struct kvo_frame *frame, const struct isa__plan *plan)
{
    frame->change.object = frame->object;
    frame->change.key_path = plan->key->text;
    frame->change.cause = plan->key->text;
    frame->change.old_value.types = plan->types;
    frame->change.new_value.types = plan->types;
}

// Sets, and tells `registration`, the word's only one. The thread was marked for it.
ISA_INLINE void isa__express_set_single(isa_id self, isa_sel sel, const void *value,
                                        const struct isa__plan *plan, struct isa__side *side,
                                        const struct isa__registration *registration,
                                        struct isa__typed typed)
{
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = isa__express_frame(thread);
    uint32_t options = isa__registration_tag_load(registration);
    thread->frames = frame;
    frame->object = self;
    frame->key = plan->key;
    frame->number = 0;
    if (options & KVO_OPTION_OLD) isa__express_read(frame, plan, &frame->old_value, typed);
    typed.set(plan->original, self, sel, value);
    if (ISA_UNLIKELY(!isa__plan_holds(plan))) {
        isa__express_leave_single(frame, plan, side, registration);
        return;
    }
    if (options & KVO_OPTION_NEW) isa__express_read(frame, plan, &frame->new_value, typed);
    bool partly = (options & ISA_EXPRESS_BOTH) != ISA_EXPRESS_BOTH;
    isa__express_begin_change(frame, plan);
    frame->change.context = registration->context;
    if (partly) isa__express_show(frame, options);
    isa__express_tell_single(frame, thread, registration);
    if (partly) isa__express_show(frame, ISA_EXPRESS_BOTH);
    if (ISA_UNLIKELY(isa__observing_load(side) - 1 != (uintptr_t)registration))
        isa__express_set_late(frame, side, registration);
    isa__express_drop(&frame->old_value, typed);
    isa__express_drop(&frame->new_value, typed);
    thread->frames = NULL;
    isa__mark_leave_last(thread);
    if (isa__mark_must_attend(thread)) isa__mark_attend(thread);
}

// How a set may go on.
enum isa__start_kind {
    ISA_START_SINGLE, // the thread is marked: isa__express_set_single
    ISA_START_GROUP,  // the same: isa__express_set_group
    ISA_START_ALONE,  // nobody observes the key on this object: call `original`
    ISA_START_OTHER,  // nothing was found out
    ISA_START_MARKED, // the same, but the thread is marked
    ISA_START_ATTEND, // as ISA_START_ALONE, but the thread has to attend to something first
};
struct isa__start {
    const struct isa__plan *plan;
    struct isa__side *side;
    union {
        const struct isa__registration *registration;
        const struct isa__group *group;
    };
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
    out->registration = (const struct isa__registration *)(isa__observing_load(out->side) - 1);
    if (ISA_UNLIKELY(!isa__plan_holds(out->plan))) return ISA_START_MARKED;
    if ((uintptr_t)out->registration & 1)
        return (uintptr_t)out->registration == UINTPTR_MAX ? ISA_START_MARKED : ISA_START_GROUP;
    if (__builtin_expect(out->registration->key == out->plan->key, 1))
        return isa__express_is_single(isa__registration_tag_load(out->registration))
                   ? ISA_START_SINGLE
                   : ISA_START_GROUP;
    out->original = out->plan->original;
    isa__mark_leave_last(thread);
    return isa__mark_must_attend(thread) ? ISA_START_ATTEND : ISA_START_ALONE;
}

// ---- any number of observers --------------------------------------------------------------------

// A set with its observers, `depth` calls within others.
struct isa__express_set {
    const struct isa__plan *plan;
    struct isa__side *side;
    struct kvo_frame *frame;
    uintptr_t seen;
    struct isa__registration *const *items;
    const struct isa__trigger *const *triggers; // of each; NULL: all are told as the key changes
    uint32_t count;
    uint32_t options;
    uint32_t depth;
    const struct isa__wrapper *wrapper;
};

// Finds the registrations that the key concerns, where none of those that it concerns by a trigger
// has anything to do before it changes; false if one has. `count` 0: none.
ISA_INLINE bool isa__express_find(struct isa__express_set *set)
{
    const struct isa__snapshot *snapshot = (const struct isa__snapshot *)set->seen;
    const struct isa__group *group = isa__group_find(snapshot, set->plan->key);
    set->count = 0;
    if (group == NULL) return true;
    set->items = snapshot->grouped + group->start;
    set->count = group->count;
    set->options = group->options;
    set->triggers = group->is_related ? snapshot->triggers + group->start : NULL;
    return !group->is_announced;
}

// The same for any word but 0; `single` is storage for the case of one.
ISA_INLINE bool isa__express_find_any(struct isa__express_set *set,
                                      struct isa__registration **single)
{
    if (!(set->seen & 1)) return isa__express_find(set);
    *single = (struct isa__registration *)(set->seen - 1);
    set->items = single;
    set->count = (*single)->key == set->plan->key;
    set->options = isa__registration_tag_load(*single) & ISA_TAG_OPTIONS;
    return true;
}

// Fills in what the short way does not need.
ISA_INLINE void isa__express_complete_set(const struct isa__express_set *set)
{
    isa__express_complete(set->frame, set->side, set->seen, set->items, set->count, set->options);
    set->frame->affected.triggers = set->triggers;
}

// Tells one registration, if it still stands; `slot` is the thread's for calls of this depth, which
// says what is being called, and with bit 0 set that it is being checked.
ISA_INLINE void isa__express_tell(struct kvo_frame *frame, const void **slot,
                                  const struct isa__registration *registration)
{
    __atomic_store_n(slot, (const void *)((uintptr_t)registration | 1), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t tag = isa__registration_tag_load(registration);
    const uint32_t relevant = ISA_TAG_ENDED | ISA_TAG_FUNCTION | ISA_TAG_SHARED;
    if (ISA_UNLIKELY((tag & relevant) != ISA_TAG_FUNCTION)) {
        // A shared one ends on an object without its tag. An equal one serves for an object that
        // has been removed meanwhile.
        uintptr_t now = isa__observing_load(frame->side);
        bool stands = now == frame->seen
                          ? !(tag & ISA_TAG_ENDED)
                          : isa__registration_stands(registration, frame->object, now);
        __atomic_store_n(slot, stands ? registration : NULL, __ATOMIC_RELEASE);
        if (stands) isa__tell_slowly(registration, &frame->change);
        return;
    }
    __atomic_store_n(slot, registration, __ATOMIC_RELEASE);
    registration->function.callback(&frame->change, registration->function.info);
}

// Tells the registration at `at` because of its trigger, for which it needed no announcement.
ISA_INLINE void isa__express_tell_dependent(const struct isa__express_set *set, const void **slot,
                                            uint32_t at)
{
    struct isa__registration *registration = set->items[at];
    struct kvo_frame *frame = set->frame;
    if (isa__registration_tag_load(registration) & KVO_OPTION_NEW) {
        __atomic_store_n(slot, NULL, __ATOMIC_RELEASE); // nobody is being called
        struct isa__route route = isa__route_direct(set->triggers[at], 0);
        isa__dependent_did(frame->object, registration, &route);
        return;
    }
    frame->change.key_path = registration->key->text;
    frame->change.context = registration->context;
    isa__express_tell(frame, slot, registration);
}

// An observer has changed the isa or a method: the long way tells those that are left, `count` of
// them.
ISA_RARE void isa__express_tell_rest(const struct isa__express_set *set, uint32_t count)
{
    struct isa__express_set rest = *set;
    rest.count = count;
    __atomic_store_n(&isa__current->calling_count, set->depth, __ATOMIC_RELEASE);
    isa__held_drop(&set->frame->new_value);
    isa__express_complete_set(&rest);
    isa__express_hand_over(set->frame, set->plan);
}

// Tells all of them, the last one first; with `is_related`, some because of a trigger. False if the
// long way has done so, and closed the frame.
ISA_INLINE bool isa__express_tell_all(const struct isa__express_set *set,
                                      struct isa__thread *thread, struct isa__typed typed,
                                      bool is_related)
{
    struct kvo_frame *frame = set->frame;
    const void **slot = &thread->calling[set->depth];
    struct isa__registration *const *items = set->items;
    uint32_t shown = ISA_EXPRESS_BOTH;
    isa__express_begin_change(frame, set->plan);
    frame->dirty = true;
    __atomic_store_n(&thread->calling_count, set->depth + 1, __ATOMIC_RELEASE);
    for (uint32_t i = set->count; i-- > 0;) {
        const struct isa__registration *registration = isa__item_load(&items[i]);
        bool is_dependent = is_related && set->triggers[i] != NULL;
        uint32_t options =
            is_dependent ? 0 : isa__registration_tag_load(registration) & ISA_EXPRESS_BOTH;
        // From observer to observer no change is too deep to be told of.
        if (ISA_UNLIKELY(thread->endless != 0) && set->depth == 0) thread->endless = 0;
        if (ISA_UNLIKELY(frame->dirty) && options & KVO_OPTION_NEW) {
            if (ISA_UNLIKELY(!isa__plan_holds(set->plan))) {
                isa__express_tell_rest(set, i + 1);
                return false;
            }
            frame->dirty = false;
            __atomic_store_n(slot, NULL, __ATOMIC_RELEASE); // nobody is being called
            isa__express_read(frame, set->plan, &frame->new_value, typed);
        }
        if (ISA_UNLIKELY(options != shown)) isa__express_show(frame, options);
        shown = options;
        if (is_dependent) {
            isa__express_tell_dependent(set, slot, i);
            continue;
        }
        if (is_related) frame->change.key_path = set->plan->key->text;
        frame->change.context = registration->context;
        isa__express_tell(frame, slot, registration);
    }
    __atomic_store_n(&thread->calling_count, set->depth, __ATOMIC_RELEASE);
    isa__express_show(frame, ISA_EXPRESS_BOTH);
    return true;
}

// Sends the prior notifications, in registration order. The frame is complete meanwhile, for what
// an observer may have to know of it. Answers what to call then: an observer may have changed it.
ISA_OUTLINE isa_imp isa__express_announce(const struct isa__express_set *set)
{
    struct kvo_frame *frame = set->frame;
    struct isa__thread *thread = isa__current;
    isa__express_complete_set(set);
    isa__express_begin_change(frame, set->plan);
    frame->change.is_prior = true;
    __atomic_store_n(&thread->calling_count, set->depth + 1, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct isa__registration *registration = isa__item_load(&set->items[i]);
        uint32_t options = isa__registration_tag_load(registration);
        if (!(options & KVO_OPTION_PRIOR)) continue;
        if (ISA_UNLIKELY(thread->endless != 0) && set->depth == 0) thread->endless = 0;
        frame->announced = i + 1;
        isa__express_show(frame, options & KVO_OPTION_OLD);
        frame->change.context = registration->context;
        isa__express_tell(frame, &thread->calling[set->depth], registration);
    }
    __atomic_store_n(&thread->calling_count, set->depth, __ATOMIC_RELEASE);
    frame->announced = UINT32_MAX;
    frame->change.is_prior = false;
    isa__express_show(frame, ISA_EXPRESS_BOTH);
    return isa__plan_holds(set->plan) ? set->plan->original : isa__wrapper_original(set->wrapper);
}

// Sets and tells. The thread was marked for it, and stays so.
ISA_INLINE void isa__express_set_all(isa_id self, isa_sel sel, const void *value,
                                     const struct isa__express_set *set, struct isa__typed typed)
{
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = set->frame;
    thread->frames = frame;
    frame->object = self;
    frame->key = set->plan->key;
    frame->side = set->side;
    frame->seen = set->seen;
    if (set->options & KVO_OPTION_OLD)
        isa__express_read(frame, set->plan, &frame->old_value, typed);
    isa_imp original = set->plan->original;
    if (set->options & KVO_OPTION_PRIOR) original = isa__express_announce(set);
    typed.set(original, self, sel, value);
    if (ISA_UNLIKELY(!isa__plan_holds(set->plan))) {
        isa__express_complete_set(set);
        isa__express_hand_over(frame, set->plan);
        return;
    }
    bool done = set->triggers == NULL ? isa__express_tell_all(set, thread, typed, false)
                                      : isa__express_tell_all(set, thread, typed, true);
    if (ISA_UNLIKELY(!done)) return;
    if (ISA_UNLIKELY(isa__observing_load(set->side) != set->seen)) {
        isa__express_complete_set(set);
        isa__change_renew_latecomers(frame);
    }
    thread->frames = frame->outer;
    isa__express_drop(&frame->old_value, typed);
    isa__express_drop(&frame->new_value, typed);
}

// An outermost set of an object. False if nothing was done: take the long way.
ISA_INLINE bool isa__express_set_group(isa_id self, isa_sel sel, const void *value,
                                       const struct isa__plan *plan, struct isa__side *side,
                                       const struct isa__wrapper *wrapper,
                                       struct isa__typed typed)
{
    struct isa__thread *thread = isa__current;
    struct isa__registration *single;
    struct isa__express_set set = {.plan = plan,
                                   .side = side,
                                   .frame = isa__express_frame(thread),
                                   .seen = isa__observing_load(side),
                                   .wrapper = wrapper};
    if (ISA_UNLIKELY(set.seen == 0) || !isa__express_find_any(&set, &single)) {
        isa__mark_leave(thread);
        return false;
    }
    isa_imp original = plan->original;
    if (set.count > 0) {
        set.frame->number = 0;
        isa__express_set_all(self, sel, value, &set, typed);
    }
    isa__mark_leave(thread);
    if (set.count == 0) typed.set(original, self, sel, value);
    return true;
}

// ---- within another change ----------------------------------------------------------------------

// What was read of the object is to be read again, be the key observed on it or not.
ISA_INLINE void isa__express_note_set(struct kvo_frame *innermost, isa_id self)
{
    for (struct kvo_frame *f = innermost; f != NULL; f = f->outer)
        if (f->object == self) f->dirty = true;
}

ISA_INLINE void isa__express_open(struct kvo_frame *frame, struct isa__thread *thread, isa_id self)
{
    isa__express_clear(frame);
    frame->outer = thread->frames;
    if (frame->outer != NULL) isa__frame_number(frame->outer);
    frame->number = ++thread->changes;
    frame->announced = UINT32_MAX;
    frame->dirty = false;
    isa__express_note_set(frame->outer, self);
}

// A set of which nothing is known yet. False if nothing was done: take the long way.
ISA_INLINE bool isa__express_set(isa_id self, isa_sel sel, const void *value,
                                 const struct isa__wrapper *wrapper, struct isa__typed typed)
{
    struct isa__side *side = isa__side_find(self);
    if (side == NULL || isa__observing_load(side) == 0) {
        typed.set(isa__wrapper_original(wrapper), self, sel, value);
        return true;
    }
    struct isa__thread *thread = isa__mark_enter();
    struct kvo_frame frame;
    struct isa__express_set set = {.plan = isa__plan_of(wrapper),
                                   .side = side,
                                   .frame = &frame,
                                   .seen = isa__observing_load(side),
                                   .depth = thread->calling_count,
                                   .wrapper = wrapper};
    struct isa__registration *single;
    bool usual = thread->silences == NULL && thread->endless == 0 &&
                 set.depth < ISA_CALLING_SLOTS && isa__plan_holds(set.plan) && set.seen != 0;
    usual = usual && isa__express_find_any(&set, &single);
    isa_imp original = usual && set.count == 0 ? set.plan->original : NULL;
    if (usual && set.count > 0) {
        isa__express_open(&frame, thread, self);
        isa__express_set_all(self, sel, value, &set, typed);
    }
    if (original != NULL) isa__express_note_set(thread->frames, self);
    isa__mark_leave(thread);
    if (original != NULL) typed.set(original, self, sel, value);
    return usual;
}

#endif
