// Setting a value in place, or changing elements of it: one that stands in an object of somebody
// else's memory, in a form that has no encoding. To everybody else it travels as an object; where
// all that are to be told are functions that know the form, old and new are shown to them by
// address, and no object is made.
//
// It is the engine of deliver.h by other means of setting and showing. What is out of the ordinary
// is left to the message that sets by an object, or to those that announce and end.
//
// Locks: none; the value is set, and observers run, under the mark.
#include "kvo_start.h"
#include "set_start.h"
#include "to_many.h"

// A set or an edit in place.
struct in_place {
    const struct isa__plan *plan;
    const kvo_form *form;
    kvo_edit *edit; // NULL: the value is set
    void *place; // where the value stands, or the elements that come; shown as the new value
    void *value; // what it is set to, and then what it was, or the elements that went
    bool keeps_old; // somebody asks for what it was
    struct isa__change_shape shape; // of an edit that the class's means end
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

// Whether all are that are told as the key changes, and nobody is announced to.
static bool are_fit(const struct isa__affected *affected, const struct in_place *in_place)
{
    if (affected->is_announced || (in_place->edit != NULL && affected->triggers != NULL))
        return false;
    for (uint32_t i = 0; i < affected->count; i++) {
        if (affected->triggers != NULL && affected->triggers[i] != NULL) continue;
        if (!is_fit(isa__item_load(&affected->items[i]), in_place->form)) return false;
    }
    return true;
}

// ---- means --------------------------------------------------------------------------------------

ISA_INLINE void make_value(void *more, struct kvo_frame *frame, bool announced)
{
    const struct in_place *in_place = more;
    (void)frame, (void)announced;
    in_place->form->set(in_place->form, in_place->place, in_place->value, in_place->keeps_old);
}

ISA_INLINE void make_edit(void *more, struct kvo_frame *frame, bool announced)
{
    const struct in_place *in_place = more;
    (void)frame, (void)announced;
    in_place->edit->make(in_place->edit->context);
}

ISA_INLINE void show_place(void *more, struct kvo_frame *frame, uint32_t options)
{
    const struct in_place *in_place = more;
    frame->change.old_value.address = options & KVO_OPTION_OLD ? in_place->value : NULL;
    frame->change.new_value.address = options & KVO_OPTION_NEW ? in_place->place : NULL;
    if (in_place->edit == NULL) return;
    frame->change.kind = in_place->edit->kind;
    frame->change.indexes = in_place->edit->indexes;
}

// Holds an object of a value or elements, of which there may be none.
static void hold(const struct in_place *in_place, const void *address, struct isa__held *held)
{
    if (address != NULL)
        isa__hold_object(in_place->form->copy_object(in_place->form, address), held);
}

static void leave_place(void *more, struct kvo_frame *frame, bool has_old)
{
    struct in_place *in_place = more;
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    if (has_old) hold(in_place, in_place->value, &frame->old_value);
    if (in_place->edit == NULL) return;
    // Those that came are read as they are by then, if they are there.
    if (frame->affected.options & KVO_OPTION_NEW)
        hold(in_place, in_place->place, &frame->new_value);
    in_place->shape = (struct isa__change_shape){.kind = in_place->edit->kind,
                                                 .indexes = in_place->edit->indexes,
                                                 .tells_status = true};
    frame->shape = &in_place->shape;
    frame->tells_status = true;
}

ISA_INLINE struct isa__means means_of(struct in_place *in_place, bool is_edit)
{
    return (struct isa__means){.ways = isa__plan_ways(in_place->plan),
                               .types = in_place->form->types,
                               .more = in_place,
                               .shows_made = is_edit,
                               .make = is_edit ? make_edit : make_value,
                               .read = isa__read_nothing,
                               .show = show_place,
                               .leave = leave_place};
}

// ---- setting ------------------------------------------------------------------------------------

// A change of which nothing is known yet. False if nothing was done.
ISA_INLINE bool change_any(isa_id object, const struct isa__wrapper *wrapper,
                           struct in_place *in_place, bool is_edit)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_value(side) == 0) return false;
    struct isa__thread *thread = isa__mark_enter();
    struct kvo_frame frame;
    struct isa__start_within start = {thread, object, side, isa__plan_of(wrapper), 0};
    in_place->plan = start.plan;
    const struct isa__means means = means_of(in_place, is_edit);
    bool done = is_answered_in_place(start.plan, in_place->form) &&
                isa__start_is_planned(thread, start.plan) &&
                isa__start_find(&start, &frame.affected);
    bool nobody = done && frame.affected.count == 0;
    done = done && (nobody || are_fit(&frame.affected, in_place));
    in_place->keeps_old = done && !nobody && frame.affected.options & KVO_OPTION_OLD;
    if (nobody) {
        isa__frames_note_set(thread->frames, object);
    } else if (done) {
        isa__start_open(&start, &frame);
        isa__change_and_tell(&frame, thread, means);
        if (is_edit) in_place->edit->status = frame.status;
    }
    isa__mark_leave(thread);
    if (nobody) means.make(in_place, &frame, false);
    return done;
}

ISA_OUTLINE bool set_any(isa_id object, const struct isa__wrapper *wrapper,
                         struct in_place *in_place)
{
    return change_any(object, wrapper, in_place, false);
}

// An outermost set whose only observer knows the form.
ISA_INLINE void set_one(isa_id object, const struct isa__start *start, struct in_place *in_place)
{
    uint32_t tag = isa__registration_tag_load(start->registration);
    in_place->plan = start->plan;
    in_place->keeps_old = (tag & KVO_OPTION_OLD) != 0;
    isa__change_and_tell_one(object, start->side, start->plan->key, start->registration, tag,
                             means_of(in_place, false));
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
    enum isa__start_kind kind = isa__start(object, wrapper, &start);
    if (kind == ISA_START_JOINING) kind = isa__start_joining(object, wrapper, &start);
    switch (kind) {
    case ISA_START_ONE:
    case ISA_START_PARTLY:
        if (__builtin_expect(is_fit(start.registration, form), 1) &&
            __builtin_expect(is_answered_in_place(start.plan, form), 1)) {
            set_one(object, &start, &in_place);
            return true;
        }
        isa__mark_leave(isa__current);
        return false;
    case ISA_START_SEVERAL:
    case ISA_START_MARKED: isa__mark_leave(isa__current); break;
    case ISA_START_ATTEND: isa__mark_attend(isa__current); break;
    case ISA_START_NOBODY:
    case ISA_START_JOINING:
    case ISA_START_UNKNOWN: break;
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
    if (change_any(object, wrapper, &in_place, true)) return true;
    // No setter is called, which would renew a stale one.
    isa__plan_renew(wrapper);
    return false;
}
