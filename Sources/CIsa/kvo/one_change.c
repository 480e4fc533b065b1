// The short way of a change of one object by a proxy: for a thread's outermost change, of an object
// with one function for its only observer, which asks for no value that such a change has to read.
//
// As in express.h: whatever is unusual, seen before anything was done, is left to the long way, and
// seen later, the long way goes on from there. Steps that are not explained here are those of
// to_many.c and express.h.
//
// Owns:      nothing; the frame is the thread's.
// Locks:     none.
// Invariant: as to_many.c: one change is told once, whatever the accessors would announce.
#include "one_change.h"

#include "../kvc/shortcut.h"
#include "../model/selector.h"
#include "express.h"
#include "to_many.h"

// ---- what a shortcut needs ----------------------------------------------------------------------

// Leaves the wrappers out: what they would announce is silenced.
static void unwrap(isa_class notifying, struct isa__shortcut_method *method)
{
    const struct isa__wrapper *wrapper =
        method->imp == NULL ? NULL : isa__wrapper_in(notifying, method->selector);
    if (wrapper != NULL && wrapper->imp == method->imp)
        method->imp = isa__wrapper_original(wrapper);
}

static bool is_usual(isa_class cls, const char *key)
{
    return isa__notifying_find(cls) == cls && !isa__class_is_gnustep(cls) &&
           isa_class_find_imp(cls, isa__sel_observation_info) ==
               isa_class_find_imp(isa_root_class(), isa__sel_observation_info) &&
           !isa__to_many_is_overridden(cls->original) &&
           isa__class_notifies_automatically(cls->original, key);
}

static void plan_one(isa_class cls, const char *text, struct isa__shortcut *shortcut)
{
    const struct isa__key *key = isa__key_find(text);
    if (key == NULL || !is_usual(cls, text)) return;
    shortcut->key = key;
    for (size_t i = 0; i < ISA_SHORTCUT_EDITS; i++) unwrap(cls, &shortcut->edits[i]);
}

// ---- one observer -------------------------------------------------------------------------------

// A change whose observer is going to be told.
struct step {
    isa_id object;
    struct isa__side *side;
    const struct isa__registration *registration;
    const struct isa__key *key;
    uint64_t ways;
    kvc_range range;
    kvc_index_set indexes;
};

// Whether the change has a value that such options ask for.
ISA_INLINE bool has_value(int kind, uint32_t options)
{
    uint32_t values = kind == ISA_CHANGE_INSERTION ? KVO_OPTION_NEW
                      : kind == ISA_CHANGE_REMOVAL ? KVO_OPTION_OLD
                                                   : KVO_OPTION_OLD | KVO_OPTION_NEW;
    return (options & values) != 0;
}

// Changes it while whatever the accessor would announce is silenced.
ISA_INLINE void make_silently(const struct step *step, struct isa__thread *thread,
                              const struct isa__one_change *change, int kind)
{
    struct isa__silence silence = {step->object, step->key, NULL, 0};
    thread->silences = &silence;
    isa__shortcut_make(step->object, change, kind);
    thread->silences = NULL;
}

// Tells of the change the long way: something is no longer as it was.
ISA_OUTLINE void hand_over(struct kvo_frame *frame, const struct step *step, int kind)
{
    struct isa__change_shape shape = {.kind = (kvo_change_kind)kind,
                                      .indexes = &step->indexes};
    isa__express_complete_single(frame, step->registration);
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    isa__express_end_slowly(frame, NULL, &shape);
    isa__shape_end(&shape);
    isa__mark_leave(isa__current);
}

ISA_INLINE void show(struct kvo_frame *frame, const struct step *step, int kind)
{
    frame->change.object = step->object;
    frame->change.kind = (kvo_change_kind)kind;
    frame->change.key_path = step->key->text;
    frame->change.cause = step->key->text;
    frame->change.context = isa__registration_context(step->registration);
    frame->change.indexes = &step->indexes;
    frame->change.old_value = (kvc_value){NULL, NULL};
    frame->change.new_value = (kvc_value){NULL, NULL};
}

// What frames show between two uses.
ISA_INLINE void show_setting(struct kvo_frame *frame)
{
    frame->change.kind = KVO_CHANGE_SETTING;
    frame->change.indexes = NULL;
    frame->change.old_value.address = frame->old_value.bytes;
    frame->change.new_value.address = frame->new_value.bytes;
}

// Changes and tells. The thread was marked for it.
ISA_INLINE void change_and_tell(struct step *step, struct isa__thread *thread,
                                const struct isa__one_change *change, int kind)
{
    struct kvo_frame *frame = isa__express_open_first(thread, step->object, step->key, step->side);
    step->range = (kvc_range){change->index, 1};
    step->indexes = (kvc_index_set){&step->range, 1, 1};
    make_silently(step, thread, change, kind);
    if (ISA_UNLIKELY(step->ways != isa__ways_load())) {
        hand_over(frame, step, kind);
        return;
    }
    show(frame, step, kind);
    isa__express_tell_single(frame, thread, step->registration);
    show_setting(frame);
    if (isa__express_is_late(frame, step->registration))
        isa__express_renew_late(frame, step->registration);
    isa__express_close_first(thread);
}

// An object of a class that is not observed, or not so that it notifies.
ISA_INLINE bool change_plainly(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__side *side = isa__side_find(object);
    if (side != NULL && isa__observing_load(side) != 0) return false;
    isa__shortcut_make(object, change, kind);
    return true;
}

ISA_INLINE bool change_one(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__thread *thread = isa__current;
    uintptr_t record = isa_header_record((const struct isa_header *)object);
    struct step step; // filled in as far as each step of it is taken
    step.key = change->shortcut->key;
    if (ISA_UNLIKELY(step.key == NULL)) return change_plainly(object, change, kind);
    // Outside of every mark there is no silence, no call under way and no end of telling.
    if (ISA_UNLIKELY(!(record & ISA_RECORD_SIDE)) || ISA_UNLIKELY(thread->mark_epoch != 0))
        return false;
    isa__mark_enter_first(thread);
    step.side = (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
    uintptr_t word = isa__observing_load(step.side);
    step.registration = isa__word_single(word);
    if (__builtin_expect(step.registration != NULL, 1) && step.registration->key == step.key) {
        uint32_t tag = isa__registration_tag_load(step.registration);
        if (isa__express_is_single(tag) && !has_value(kind, tag)) {
            step.object = object;
            step.ways = change->shortcut->ways;
            change_and_tell(&step, thread, change, kind);
            return true;
        }
    }
    isa__mark_leave(thread);
    return false;
}

static bool insert_one(isa_id object, const struct isa__one_change *change)
{
    return change_one(object, change, ISA_CHANGE_INSERTION);
}

static bool remove_one(isa_id object, const struct isa__one_change *change)
{
    return change_one(object, change, ISA_CHANGE_REMOVAL);
}

static bool replace_one(isa_id object, const struct isa__one_change *change)
{
    return change_one(object, change, ISA_CHANGE_REPLACEMENT);
}

void isa__one_change_start(void)
{
    isa__coding_hooks.plan_one = plan_one;
    isa__coding_hooks.change_one[0] = insert_one;
    isa__coding_hooks.change_one[1] = remove_one;
    isa__coding_hooks.change_one[2] = replace_one;
}
