// The short way of a typed setter, continued: any number of observers, and sets within others. See
// express.h.
#ifndef ISA_KVO_EXPRESS_MANY_H
#define ISA_KVO_EXPRESS_MANY_H

#include "express.h"
#include "key_path.h"

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
    const struct isa__snapshot *snapshot = isa__word_snapshot(set->seen);
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
    if (set->seen & ISA_WORD_SNAPSHOT) return isa__express_find(set);
    *single = isa__word_single(set->seen);
    set->items = single;
    set->count = (*single)->key == set->plan->key;
    set->options = isa__registration_tag_load(*single) & ISA_TAG_OPTIONS;
    return true;
}

// Fills in what the short way does not need.
ISA_INLINE void isa__express_complete_set(const struct isa__express_set *set)
{
    isa__express_complete(set->frame, set->seen, set->items, set->count, set->options);
    set->frame->affected.triggers = set->triggers;
}

// Tells those of the first `count`, the last one first, until one of them is not a function of the
// object's own that is shown just the values of the options `shown`, or is bare where the last one
// is not or the other way round, or has ended, or the new value is to be read again. Answers how
// many are left. `slot` is the thread's for calls of this depth.
uint32_t isa__express_tell_alike(struct kvo_frame *frame, const void **slot,
                                 struct isa__registration *const *items, uint32_t count,
                                 uint32_t shown);

// Tells one registration of whatever kind, if it still stands. Nobody is being called afterwards: a
// getter that runs before the next is told must not keep those waiting who wait for this call.
void isa__express_tell(struct kvo_frame *frame, const void **slot,
                       const struct isa__registration *registration);

// Tells the registration at `at` because of its trigger, for which it needed no announcement.
ISA_INLINE void isa__express_tell_dependent(const struct isa__express_set *set, const void **slot,
                                            uint32_t at)
{
    struct isa__registration *registration = set->items[at];
    struct kvo_frame *frame = set->frame;
    if (isa__registration_tag_load(registration) & KVO_OPTION_NEW) {
        isa__check_end(slot, NULL);
        struct isa__route route = isa__route_direct(set->triggers[at], 0);
        isa__dependent_did(frame->object, registration, &route);
        return;
    }
    frame->change.key_path = registration->key->text;
    isa__express_tell(frame, slot, registration);
    frame->change.key_path = set->plan->key->text;
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

// Reads the new value if it is wanted and may be another than the one read before. False if the
// long way has to go on.
ISA_INLINE bool isa__express_renew(const struct isa__express_set *set, uint32_t options,
                                   struct isa__typed typed)
{
    if (!set->frame->dirty || !(options & KVO_OPTION_NEW)) return true;
    if (ISA_UNLIKELY(!isa__plan_holds(set->plan))) return false;
    set->frame->dirty = false;
    isa__express_read(set->frame, set->plan, &set->frame->new_value, typed);
    return true;
}

// Tells all of them, the last one first: by itself each that is told because of a trigger, or needs
// another view than the one before, then those that are told alike. False if the long way has done
// so, and closed the frame.
ISA_INLINE bool isa__express_tell_all(const struct isa__express_set *set,
                                      struct isa__thread *thread, struct isa__typed typed)
{
    struct kvo_frame *frame = set->frame;
    const void **slot = &thread->calling[set->depth];
    isa__express_begin_change(frame, set->plan);
    frame->dirty = true;
    isa__check_end(slot, NULL);
    __atomic_store_n(&thread->calling_count, set->depth + 1, __ATOMIC_RELEASE);
    for (uint32_t left = set->count; left > 0;) {
        const struct isa__registration *registration = isa__item_load(&set->items[left - 1]);
        bool is_dependent = set->triggers != NULL && set->triggers[left - 1] != NULL;
        uint32_t options =
            is_dependent ? 0 : isa__registration_tag_load(registration) & ISA_EXPRESS_BOTH;
        if (ISA_UNLIKELY(!isa__express_renew(set, options, typed))) {
            isa__express_tell_rest(set, left);
            return false;
        }
        isa__express_show(frame, options);
        uint32_t before = left;
        if (set->triggers == NULL)
            left = isa__express_tell_alike(frame, slot, set->items, left, options);
        if (left < before) continue;
        left--;
        if (is_dependent) isa__express_tell_dependent(set, slot, left);
        else isa__express_tell(frame, slot, registration);
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
        frame->announced = i + 1;
        isa__express_show(frame, options & KVO_OPTION_OLD);
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
    if (ISA_UNLIKELY(!isa__express_tell_all(set, thread, typed))) return;
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

ISA_INLINE void isa__express_open(struct kvo_frame *frame, struct isa__thread *thread, isa_id self)
{
    isa__express_clear(frame);
    frame->outer = thread->frames;
    if (frame->outer != NULL) isa__frame_number(frame->outer);
    frame->number = ++thread->changes;
    frame->announced = UINT32_MAX;
    frame->dirty = false;
    isa__frames_note_set(frame->outer, self);
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
    if (original != NULL) isa__frames_note_set(thread->frames, self);
    isa__mark_leave(thread);
    if (original != NULL) typed.set(original, self, sel, value);
    return usual;
}

#endif
