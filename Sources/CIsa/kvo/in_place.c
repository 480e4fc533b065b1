// Setting a value in place, or changing elements of it: one that stands in an object of somebody
// else's memory, in a form that has no encoding. To everybody else it travels as an object; where
// all that are to be told are functions that know the form, old and new are shown to them by
// address, and no object is made.
//
// It is the short way of a typed setter, by other means of setting and reading: what is unusual is
// left to the message that sets by an object, or to those that announce and end. See express.h.
//
// Locks: none; the value is set, and observers run, under the mark.
#include "express_many.h"
#include "kvo_start.h"
#include "to_many.h"

// A set in place, whose observers are known.
struct in_place {
    struct isa__express_set set;
    const kvo_form *form;
    kvo_edit *edit; // NULL: the value is set
    void *place; // where the value stands, or the elements that come; shown as the new value
    void *value; // what it is set to, and then what it was, or the elements that went
};

// Whether the class sets and gets the value by the methods that do so where it stands.
ISA_INLINE bool is_answered_in_place(const struct isa__plan *plan, const kvo_form *form)
{
    return isa__plan_holds(plan) && plan->original == form->setter &&
           plan->getter == form->getter;
}

// Whether a registration is a function that knows the form and wants no prior notification, or one
// that nobody tells any more: lists keep places for such.
ISA_INLINE bool is_fit(const struct isa__registration *registration, const kvo_form *form)
{
    const uint32_t relevant = ISA_TAG_FUNCTION | ISA_TAG_SHARED | KVO_OPTION_PRIOR;
    uint32_t tag = isa__registration_tag_load(registration);
    if (__builtin_expect((tag & relevant) == ISA_TAG_FUNCTION, 1) &&
        __builtin_expect(registration->function.callback == form->callback, 1))
        return true;
    return (tag & (ISA_TAG_FUNCTION | ISA_TAG_SHARED | ISA_TAG_ENDED)) ==
           (ISA_TAG_FUNCTION | ISA_TAG_ENDED);
}

// Whether all are that are told as the key changes.
static bool are_fit(const struct isa__express_set *set, const kvo_form *form)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->triggers != NULL && set->triggers[i] != NULL) continue;
        if (!is_fit(isa__item_load(&set->items[i]), form)) return false;
    }
    return true;
}

// Holds an object of elements, of which there may be none.
static void hold_elements(const struct in_place *in_place, const void *elements,
                          struct isa__held *held)
{
    if (elements == NULL) return;
    isa__hold_object(in_place->form->copy_object(in_place->form, elements), held);
}

// The long way ends a change of elements, and reads those that came as they are by then, if they
// are there.
static void hand_over_edit(struct kvo_frame *frame, const struct in_place *in_place)
{
    kvo_edit *edit = in_place->edit;
    struct isa__change_shape shape = {
        .kind = edit->kind, .indexes = edit->indexes, .tells_status = true};
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    uint32_t options = frame->affected.options;
    if (options & KVO_OPTION_OLD) hold_elements(in_place, in_place->value, &frame->old_value);
    if (options & KVO_OPTION_NEW) hold_elements(in_place, in_place->place, &frame->new_value);
    isa__express_end_slowly(frame, in_place->set.plan->watched, &shape);
    isa__shape_end(&shape);
    edit->status = frame->status;
}

// The long way tells the first `count` of them, from an object that the old value becomes.
ISA_RARE void tell_rest(const struct in_place *in_place, uint32_t count)
{
    struct isa__express_set rest = in_place->set;
    rest.count = count;
    __atomic_store_n(&isa__current->calling_count, rest.depth, __ATOMIC_RELEASE);
    isa__express_complete_set(&rest);
    if (in_place->edit != NULL) {
        hand_over_edit(rest.frame, in_place);
        return;
    }
    if (rest.options & KVO_OPTION_OLD) {
        *(isa_id *)rest.frame->old_value.bytes =
            in_place->form->copy_object(in_place->form, in_place->value);
        rest.frame->old_value.duty = ISA_HELD_OBJECT;
    }
    isa__express_hand_over(rest.frame, rest.plan);
}

ISA_INLINE void show(kvo_change *change, const struct in_place *in_place, uint32_t options)
{
    change->old_value.address = options & KVO_OPTION_OLD ? in_place->value : NULL;
    change->new_value.address = options & KVO_OPTION_NEW ? in_place->place : NULL;
}

// Whether the place still has what is to be shown as the new value: it has while the class sets and
// gets the value there. Elements that came are no longer where they came once the object changes.
ISA_INLINE bool still_stands(const struct in_place *in_place, uint32_t options)
{
    const struct isa__express_set *set = &in_place->set;
    if (!set->frame->dirty || !(options & KVO_OPTION_NEW)) return true;
    if (in_place->edit != NULL || ISA_UNLIKELY(!isa__plan_holds(set->plan))) return false;
    set->frame->dirty = false;
    return true;
}

// Shows what all of them are shown.
ISA_INLINE void begin_change(const struct in_place *in_place)
{
    struct kvo_frame *frame = in_place->set.frame;
    isa__express_begin_change(frame, in_place->set.plan);
    frame->change.old_value.types = frame->change.new_value.types = in_place->form->types;
    frame->dirty = in_place->edit == NULL;
    if (in_place->edit == NULL) return;
    frame->change.kind = in_place->edit->kind;
    frame->change.indexes = in_place->edit->indexes;
}

// Tells all, the last one first. False if the long way has done so, and closed the frame.
static bool tell_all(const struct in_place *in_place, struct isa__thread *thread)
{
    const struct isa__express_set *set = &in_place->set;
    struct kvo_frame *frame = set->frame;
    const void **slot = &thread->calling[set->depth];
    begin_change(in_place);
    isa__check_end(slot, NULL);
    __atomic_store_n(&thread->calling_count, set->depth + 1, __ATOMIC_RELEASE);
    for (uint32_t left = set->count; left > 0;) {
        const struct isa__registration *registration = isa__item_load(&set->items[left - 1]);
        bool is_dependent = set->triggers != NULL && set->triggers[left - 1] != NULL;
        uint32_t options =
            is_dependent ? 0 : isa__registration_tag_load(registration) & ISA_EXPRESS_BOTH;
        if (ISA_UNLIKELY(!still_stands(in_place, options))) {
            tell_rest(in_place, left);
            return false;
        }
        show(&frame->change, in_place, options);
        uint32_t before = left;
        if (set->triggers == NULL)
            left = isa__express_tell_alike(frame, slot, set->items, left, options);
        if (left < before) continue;
        left--;
        if (is_dependent) isa__express_tell_dependent(set, slot, left);
        else isa__express_tell(frame, slot, registration);
    }
    __atomic_store_n(&thread->calling_count, set->depth, __ATOMIC_RELEASE);
    return true;
}

ISA_INLINE void make(const struct in_place *in_place, bool keeps_old)
{
    if (in_place->edit != NULL) in_place->edit->make(in_place->edit->context);
    else in_place->form->set(in_place->form, in_place->place, in_place->value, keeps_old);
}

// Sets and tells; the thread is marked for it.
static void set_and_tell(isa_id object, const struct in_place *in_place)
{
    const struct isa__express_set *set = &in_place->set;
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame = set->frame;
    isa__express_open(frame, thread, object);
    thread->frames = frame;
    frame->object = object;
    frame->key = set->plan->key;
    frame->side = set->side;
    frame->seen = set->seen;
    make(in_place, (set->options & KVO_OPTION_OLD) != 0);
    if (ISA_UNLIKELY(!isa__plan_holds(set->plan))) {
        tell_rest(in_place, set->count);
        return;
    }
    if (ISA_UNLIKELY(!tell_all(in_place, thread))) return;
    if (ISA_UNLIKELY(isa__observing_load(set->side) != set->seen)) {
        isa__express_complete_set(set);
        isa__change_renew_latecomers(frame);
    }
    thread->frames = frame->outer;
}

// Finds out who observes; false if anything is unusual. The thread is marked.
static bool find(struct in_place *in_place, const struct isa__thread *thread,
                 struct isa__registration **single)
{
    struct isa__express_set *set = &in_place->set;
    return thread->silences == NULL && thread->endless == 0 && set->depth < ISA_CALLING_SLOTS &&
           is_answered_in_place(set->plan, in_place->form) && set->seen != 0 &&
           isa__express_find_any(set, single) && are_fit(set, in_place->form) &&
           (in_place->edit == NULL || set->triggers == NULL);
}

// A set of which nothing is known yet.
ISA_OUTLINE bool set_any(isa_id object, const struct isa__wrapper *wrapper,
                         struct in_place *in_place)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_load(side) == 0) return false;
    struct isa__thread *thread = isa__mark_enter();
    struct kvo_frame frame;
    struct isa__registration *single;
    in_place->set = (struct isa__express_set){.plan = isa__plan_of(wrapper),
                                              .side = side,
                                              .frame = &frame,
                                              .seen = isa__observing_load(side),
                                              .depth = thread->calling_count,
                                              .wrapper = wrapper};
    bool usual = find(in_place, thread, &single), is_observed = usual && in_place->set.count > 0;
    if (is_observed) set_and_tell(object, in_place);
    else if (usual) isa__frames_note_set(thread->frames, object);
    isa__mark_leave(thread);
    if (usual && !is_observed) make(in_place, false);
    return usual;
}

// ---- one observer -------------------------------------------------------------------------------

// The long way tells the only observer of an outermost set.
ISA_RARE void leave_single(struct kvo_frame *frame, const struct isa__start *start,
                           struct in_place *in_place)
{
    uint32_t options = isa__registration_tag_load(start->registration) & ISA_TAG_OPTIONS;
    in_place->set = (struct isa__express_set){.plan = start->plan,
                                              .side = start->side,
                                              .frame = frame,
                                              .seen = (uintptr_t)start->registration,
                                              .options = options};
    tell_rest(in_place, 1);
    isa__mark_leave(isa__current);
}

// An outermost set whose only observer knows the form: isa__express_set_single by other means.
ISA_INLINE void set_single(isa_id object, const struct isa__start *start,
                           struct in_place *in_place)
{
    struct isa__thread *thread = isa__current;
    struct kvo_frame *frame =
        isa__express_open_first(thread, object, start->plan->key, start->side);
    const kvo_form *form = in_place->form;
    uint32_t options = isa__registration_tag_load(start->registration);
    form->set(form, in_place->place, in_place->value, (options & KVO_OPTION_OLD) != 0);
    if (ISA_UNLIKELY(!isa__plan_holds(start->plan))) {
        leave_single(frame, start, in_place);
        return;
    }
    isa__express_begin_change(frame, start->plan);
    frame->change.old_value.types = frame->change.new_value.types = form->types;
    frame->change.context = isa__registration_context(start->registration);
    show(&frame->change, in_place, options);
    isa__express_tell_single(frame, thread, start->registration);
    isa__express_show(frame, ISA_EXPRESS_BOTH);
    if (isa__express_is_late(frame, start->registration))
        isa__express_renew_late(frame, start->registration);
    isa__express_close_first(thread);
}

bool kvo_set_in_place(isa_id object, isa_sel sel, const kvo_form *form, void *place, void *value)
{
    struct isa__wrapper *wrapper = isa__wrapper_in(isa__class_in(object), sel);
    if (wrapper == NULL) return false;
    struct in_place in_place;
    struct isa__start start;
    in_place.form = form;
    in_place.edit = NULL;
    in_place.place = place;
    in_place.value = value;
    switch (isa__express_start(object, wrapper, &start)) {
    case ISA_START_SINGLE:
    case ISA_START_PARTLY:
        if (__builtin_expect(is_fit(start.registration, form), 1) &&
            __builtin_expect(is_answered_in_place(start.plan, form), 1)) {
            set_single(object, &start, &in_place);
            return true;
        }
        isa__mark_leave(isa__current);
        return false;
    case ISA_START_GROUP:
    case ISA_START_MARKED: isa__mark_leave(isa__current); break;
    case ISA_START_ATTEND: isa__mark_attend(isa__current); break;
    case ISA_START_ALONE:
    case ISA_START_OTHER: break;
    }
    return set_any(object, wrapper, &in_place);
}

// ---- elements -----------------------------------------------------------------------------------

bool kvo_edit_in_place(isa_id object, isa_sel sel, const kvo_form *form, kvo_edit *edit)
{
    struct isa__wrapper *wrapper = isa__wrapper_in(isa__class_in(object), sel);
    if (wrapper == NULL || !isa__kvo_announces_at(object)) return false;
    struct in_place in_place;
    in_place.form = form;
    in_place.edit = edit;
    in_place.place = (void *)edit->new_value;
    in_place.value = (void *)edit->old_value;
    edit->status = ISA_OK;
    if (set_any(object, wrapper, &in_place)) return true;
    // No setter is called, which would renew a stale one.
    isa__plan_renew(wrapper);
    return false;
}
