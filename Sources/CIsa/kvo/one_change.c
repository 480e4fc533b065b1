// Changes of one object by a proxy: a thread's outermost change, of an object with one function for
// its only observer, which asks for no value that such a change has to read.
//
// It is the engine of deliver.h by other means. Whatever is unusual, seen before anything was done,
// is left to to_many.c.
//
// Owns:      nothing; the frame is the thread's.
// Locks:     none.
// Invariant: as to_many.c: one change is told once, whatever the accessors would announce.
#include "one_change.h"

#include "../kvc/shortcut.h"
#include "../model/selector.h"
#include "set_start.h"
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
    const struct isa__one_change *change;
    int kind;
    struct isa__thread *thread;
    const struct isa__key *key;
    kvc_range range;
    kvc_index_set indexes;
    struct isa__change_shape shape; // where the class's means end it
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
ISA_INLINE void make_silently(void *more, struct kvo_frame *frame, bool announced)
{
    const struct step *step = more;
    struct isa__silence silence = {frame->object, step->key, NULL, 0};
    (void)announced;
    step->thread->silences = &silence;
    isa__shortcut_make(frame->object, step->change, step->kind);
    step->thread->silences = NULL;
}

ISA_INLINE void show_indexes(void *more, struct kvo_frame *frame, uint32_t options)
{
    const struct step *step = more;
    (void)options;
    frame->change.kind = (kvo_change_kind)step->kind;
    frame->change.indexes = &step->indexes;
    frame->change.old_value.address = frame->change.new_value.address = NULL;
}

static void leave_shaped(void *more, struct kvo_frame *frame, bool has_old)
{
    struct step *step = more;
    (void)has_old;
    step->shape = (struct isa__change_shape){.kind = (kvo_change_kind)step->kind,
                                             .indexes = &step->indexes};
    isa__held_clear(&frame->old_value);
    isa__held_clear(&frame->new_value);
    frame->shape = &step->shape;
}

// Changes and tells. The thread was marked for it.
ISA_INLINE void change_and_tell(isa_id object, struct isa__side *side,
                                struct isa__registration *registration, struct step *step)
{
    const struct isa__means means = {.ways = step->change->shortcut->ways,
                                     .more = step,
                                     .make = make_silently,
                                     .read = isa__read_nothing,
                                     .show = show_indexes,
                                     .leave = leave_shaped};
    step->range = (kvc_range){step->change->index, 1};
    step->indexes = (kvc_index_set){&step->range, 1, 1};
    uint32_t tag = isa__registration_tag_load(registration);
    isa__change_and_tell_one(object, side, step->key, registration, tag & ISA_TAG_BARE, means);
}

// An object of a class that is not observed, or not so that it notifies.
ISA_INLINE bool change_plainly(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__side *side = isa__side_find(object);
    if (side != NULL && isa__observing_value(side) != 0) return false;
    isa__shortcut_make(object, change, kind);
    return true;
}

ISA_INLINE bool change_one(isa_id object, const struct isa__one_change *change, int kind)
{
    struct isa__thread *thread = isa__current;
    uintptr_t record = isa_header_record((const struct isa_header *)object);
    struct step step; // filled in as far as each step of it is taken
    step.change = change;
    step.kind = kind;
    step.thread = thread;
    step.key = change->shortcut->key;
    if (ISA_UNLIKELY(step.key == NULL)) return change_plainly(object, change, kind);
    // Outside of every mark there is no silence, no call under way and no end of telling.
    if (ISA_UNLIKELY(!(record & ISA_RECORD_SIDE)) || ISA_UNLIKELY(thread->mark_epoch != 0))
        return false;
    isa__mark_enter_first(thread);
    struct isa__side *side = (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
    struct isa__registration *registration = isa__word_single(isa__enter(thread, side));
    if (__builtin_expect(registration != NULL, 1) && registration->key == step.key) {
        uint32_t tag = isa__registration_tag_load(registration);
        if (isa__start_is_one(tag) && !has_value(kind, tag)) {
            change_and_tell(object, side, registration, &step);
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
