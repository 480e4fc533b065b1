// How a wrapped set begins: whom it concerns, and by which instance of the engine it goes on.
#ifndef ISA_OBSERVING_SET_START_H
#define ISA_OBSERVING_SET_START_H

#include "deliver.h"

// How a set may go on; reading: the thread is in a reader section.
enum isa__start_kind {
    ISA_START_ONE,     // reading: isa__change_and_notify_one, bare and with both values
    ISA_START_PARTLY,  // the same with a context, shared, or with one of the values, or none
    ISA_START_SEVERAL, // reading: isa__change_and_notify, of an outermost change
    ISA_START_NOBODY,  // nobody observes the key on this object: call `original`
    ISA_START_UNKNOWN, // nothing was found out
    ISA_START_READING, // the same, but reading
    ISA_START_JOINING, // reading: isa__start_joining
    ISA_START_ATTEND,  // as ISA_START_NOBODY, but the thread has to attend to something first
};

struct isa__start {
    const struct isa__cached_setter *cached;
    struct isa__side *side;
    struct isa__registration *registration; // the only one
    isa_imp original;
};

// Whether a registration of that tag can be notified as the only one: one of the object's own that
// is bare and asks for both values, or any.
ISA_INLINE bool isa__start_is_usual(uint32_t tag)
{
    const uint32_t usual = ISA_TAG_FUNCTION | ISA_TAG_BARE | ISA_OLD_AND_NEW;
    const uint32_t others = ISA_TAG_ENDED | ISA_TAG_SHARED | KVO_OPTION_PRIOR;
    return __builtin_expect((tag & (usual | others)) == usual, 1);
}

ISA_INLINE bool isa__start_is_one(uint32_t tag)
{
    const uint32_t relevant = ISA_TAG_FUNCTION | ISA_TAG_ENDED | KVO_OPTION_PRIOR;
    return __builtin_expect((tag & relevant) == ISA_TAG_FUNCTION, 1);
}

// The rest, once the thread is inside.
ISA_INLINE enum isa__start_kind isa__start_inside(struct isa__thread *thread, uintptr_t word,
                                                  struct isa__start *out)
{
    if (word & ISA_WORD_LIST) return ISA_START_SEVERAL;
    if (ISA_UNLIKELY(word == 0)) return ISA_START_READING;
    out->registration = isa__word_single(word);
    if (__builtin_expect(out->registration->key == out->cached->key, 1)) {
        const struct isa__registration *one = out->registration;
        if (isa__start_is_usual(isa__registration_tag_load(one))) return ISA_START_ONE;
        // Loaded anew, which spares the above a register.
        return isa__start_is_one(isa__registration_tag_load(one)) ? ISA_START_PARTLY
                                                                  : ISA_START_SEVERAL;
    }
    out->original = out->cached->original;
    isa__reader_leave_last(thread);
    return isa__reader_must_attend(thread) ? ISA_START_ATTEND : ISA_START_NOBODY;
}

ISA_INLINE enum isa__start_kind isa__start(isa_id self, const struct isa__wrapper *wrapper,
                                           struct isa__start *out)
{
    struct isa__thread *thread = isa__current;
    uintptr_t record = isa_header_record((const struct isa_header *)self);
    // Outside of every reader section there is no silence, no call under way and no end of
    // notifying.
    if (ISA_UNLIKELY((record & ISA_RECORD_INLINE) != 0) || ISA_UNLIKELY(thread->reader_epoch != 0))
        return ISA_START_UNKNOWN;
    isa__reader_enter_first(thread);
    out->side = (struct isa__side *)(record & ~(uintptr_t)ISA_RECORD_FLAG_MASK);
    out->cached = isa__cached_setter_of(wrapper);
    if (ISA_UNLIKELY(!isa__cached_setter_holds(out->cached))) return ISA_START_READING;
    // In a function of its own, as a call in the middle of this one costs each set registers.
    if (ISA_UNLIKELY(!isa__census_lets_in(thread, &out->side->census)))
        return ISA_START_JOINING;
    return isa__start_inside(thread, isa__observing_value(out->side), out);
}

// Goes on from ISA_START_JOINING.
ISA_INLINE enum isa__start_kind isa__start_joining(isa_id self, const struct isa__wrapper *wrapper,
                                                   struct isa__start *out)
{
    struct isa__thread *thread = isa__current;
    out->side = isa__side_find(self);
    out->cached = isa__cached_setter_of(wrapper);
    if (ISA_UNLIKELY(!isa__cached_setter_holds(out->cached))) return ISA_START_READING;
    return isa__start_inside(thread, isa__enter(thread, out->side), out);
}

// A set that is not known to be outermost. The thread is in a reader section.
struct isa__start_within {
    struct isa__thread *thread;
    isa_id object;
    struct isa__side *side;
    const struct isa__cached_setter *cached;
    uintptr_t seen; // out
};

// Whether the set can be made by the cached setter; else the class's accessors have to be taken.
// The thread is in a reader section.
ISA_INLINE bool isa__start_is_cached(const struct isa__thread *thread,
                                     const struct isa__cached_setter *cached)
{
    uint32_t depth = thread->hazard_count;
    return thread->silences == NULL && !isa__is_deep(thread, depth) && depth < ISA_HAZARD_SLOTS &&
           isa__cached_setter_holds(cached);
}

// The same while the event log is on.
ISA_INLINE bool isa__start_is_logged(const struct isa__thread *thread,
                                     const struct isa__cached_setter *cached)
{
    uint32_t depth = thread->hazard_count;
    return thread->silences == NULL && !isa__is_deep(thread, depth) && depth < ISA_HAZARD_SLOTS &&
           isa__cached_setter_logged_ways(cached) == isa__ways_load();
}

// Finds whom a set by the cached setter concerns, none with a count of 0; false if nobody observes
// the object.
ISA_INLINE bool isa__start_find(struct isa__start_within *start, struct isa__affected *out)
{
    start->seen = isa__enter(start->thread, start->side);
    if (start->seen == 0) return false;
    if (!isa__affected_find(start->seen, start->cached->key, out)) out->count = 0;
    return true;
}

// Opens the frame whose `affected` was found so.
ISA_INLINE void isa__start_open(const struct isa__start_within *start, struct kvo_frame *frame)
{
    isa__frame_open(frame, start->thread, start->object, start->side, start->cached->key);
    isa__frame_show_setting(frame);
    frame->seen = start->seen;
}

#endif
