// One change, from will to did: who is concerned, the values before and after, and telling them.
#ifndef ISA_KVO_DELIVERY_H
#define ISA_KVO_DELIVERY_H

#include "../kvc/shortcut.h"
#include "held.h"
#include "observation.h"

struct isa__watched;

// How a value changes, where it is not simply set. One that has announced a change is ended by
// isa__shape_end.
struct isa__change_shape {
    kvo_change_kind kind;
    const kvc_index_set *indexes; // of an ordered change; lent, or `trimmed`
    kvo_set_mutation mutation;    // of an unordered change, else 0
    isa_id objects;               // of an unordered change; lent
    bool tells_status;            // see struct kvo_frame
    isa_id before;                // of an ordered set from will to did: see isa__ordered_before
    uint64_t ways;                // isa__ways while `count` and `object_at` may be called; else 0
    struct isa__shortcut_method count; // of an array that the class makes up of them
    struct isa__shortcut_method object_at;
    kvc_index_set trimmed;        // those of the announced indexes where it did change
};

// A change in progress. An automatic setter's lives on the C stack.
struct kvo_frame {
    struct kvo_frame *outer;      // the change in whose course this one happens, on this thread
    struct isa__thread *thread;
    isa_id object;
    struct isa__side *side;
    const struct isa__key *key;
    struct isa__watched *watched; // how to read the value; NULL: ask the class
    uintptr_t seen; // the observing word when the change was announced, 0: not comparable
    uint64_t number; // of the change: one for will and did, another for every other; 0: not given
                     // yet, of an outermost change
    struct isa__affected affected;
    uint32_t announced; // how many of them have been announced to; all while nobody is being
    struct isa__change_shape *shape; // NULL: set; the caller's
    isa_status status;            // the first failure to read a value
    bool tells_status;            // whoever opened it answers that; else it goes to the handler
    bool dirty;                   // the object changed again since `new_value` was read
    struct isa__held old_value;
    struct isa__held new_value;
    kvo_change change;            // what observers are shown
};

// The change's number, given now if it has none yet.
static inline uint64_t isa__frame_number(struct kvo_frame *frame)
{
    if (frame->number == 0) frame->number = ++isa__current->changes;
    return frame->number;
}

// What was read of the object is to be read again in each of the changes, be the key observed on it
// or not.
ISA_INLINE void isa__frames_note_set(struct kvo_frame *innermost, isa_id object)
{
    for (struct kvo_frame *f = innermost; f != NULL; f = f->outer)
        if (f->object == object) f->dirty = true;
}

// Announces a change to the observers of `key`, reading the old value if one wants it. True if
// somebody is concerned: then the frame stands, under a mark, until isa__change_did.
bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__watched *watched);

// The same for a change that is more than a value being set; `shape` must last as long as the
// frame, and is ended by the caller.
bool isa__change_will_shaped(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                             const struct isa__key *key, struct isa__change_shape *shape);

// Tells the observers of the change, last registered first, and ends the frame.
void isa__change_did(struct kvo_frame *frame);

// Tells one registration of whatever kind, or reports that it is told.
void isa__tell_slowly(const struct isa__registration *registration, const kvo_change *change);

// Attaches anew what was registered since the change was announced, and may be attached to what was
// there before it.
void isa__change_renew_latecomers(struct kvo_frame *frame);

// Tells `registration`, which has a chain, of `change` if it has not ended, or where `equal_serves`
// one equal to it stands: from inside the change that is its cause. The object in `change` is
// alive.
void isa__tell_checked(struct isa__registration *registration, const kvo_change *change,
                       bool equal_serves);

// Whether somebody may be told of changes of the object: it has registrations, and its class does
// not withhold them by its own `observationInfo`.
bool isa__may_tell(isa_id object, const struct isa__side *side);

// The number of the change that this thread is delivering, the innermost one; 0 if none.
uint64_t isa__change_number(void);

// The key of that change; NULL if there is none.
const char *isa__change_cause(void);

// Whether this thread is changing the object, apart from the innermost change on request.
bool isa__is_changing(isa_id object, bool but_innermost);

// The change of that number, if this thread is announcing it; NULL if not.
const struct kvo_frame *isa__frame_announcing(uint64_t number);

// While a to-many key is being changed by a proxy, its accessors announce nothing by themselves.
// What an observer changes that is told of something else meanwhile is announced.
struct isa__silence {
    isa_id object;
    const struct isa__key *key;
    struct isa__silence *outer;
    uint32_t calling_count; // of the thread, outside of such observers
};
bool isa__is_silenced(isa_id object, const struct isa__key *key);

// The two halves of the above for a change whose announcement and end are calls of their own:
// `affected`, `old_value` and `seen` are the caller's, and nothing is marked yet.
void isa__frame_open(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                     const struct isa__key *key);
void isa__frame_close(struct kvo_frame *frame);

// Reads the old value if an observer wants it, and sends the prior notifications. A value that
// cannot be read goes to the misuse handler and is absent.
void isa__frame_announce(struct kvo_frame *frame);

// Reports that `observer` does not handle the message that it was sent.
void isa__kvo_report_unhandled(isa_id observer, const kvo_change *change);

// Sends the one notification of a registration that is being made.
//
// Errors: KVC_ERR_UNDEFINED_KEY and others of reading the value, if it is asked for.
isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration);

#endif
