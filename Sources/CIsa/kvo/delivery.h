// One change, from will to did: who is concerned, the values before and after, and telling them.
#ifndef ISA_KVO_DELIVERY_H
#define ISA_KVO_DELIVERY_H

#include "observation.h"

enum { ISA_HELD_INLINE = 64 };

// What a held value needs when it is dropped.
enum isa__held_duty {
    ISA_HELD_NOTHING,
    ISA_HELD_OBJECT, // a reference, in `bytes`
    ISA_HELD_BLOCK,  // `value.address`, of `size` bytes
    ISA_HELD_BOX,    // `box`, a value that came through valueForKey:
};

// A value kept while observers look at it.
struct isa__held {
    kvc_value value; // address NULL: nothing held
    enum isa__held_duty duty;
    size_t size;
    isa_id box;
    _Alignas(16) char bytes[ISA_HELD_INLINE];
};

struct isa__watched;

// A change in progress. An automatic setter's lives on the C stack.
struct kvo_frame {
    struct kvo_frame *outer;      // the change in whose course this one happens, on this thread
    struct isa__thread *thread;
    isa_id object;
    struct isa__side *side;
    const struct isa__key *key;
    struct isa__watched *watched; // how to read the value; NULL: ask the class
    uintptr_t seen; // the observing word when the change was announced, 0: not comparable
    struct isa__affected affected;
    bool dirty;                   // the object changed again since `new_value` was read
    struct isa__held old_value;
    struct isa__held new_value;
    kvo_change change;            // what observers are shown
};

// Announces a change to the observers of `key`, reading the old value if one wants it. True if
// somebody is concerned: then the frame stands, under a mark, until isa__change_did.
bool isa__change_will(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                      const struct isa__key *key, struct isa__watched *watched);

// Tells the observers of the change, last registered first, and ends the frame.
void isa__change_did(struct kvo_frame *frame);

// The two halves of the above for a change whose announcement and end are calls of their own:
// `affected`, `old_value` and `seen` are the caller's, and nothing is marked yet.
void isa__frame_open(struct kvo_frame *frame, isa_id object, struct isa__side *side,
                     const struct isa__key *key);
void isa__frame_close(struct kvo_frame *frame);

// Reads the old value if an observer wants it, and sends the prior notifications. A value that
// cannot be read goes to the misuse handler and is absent.
void isa__frame_announce(struct kvo_frame *frame);

// Moves a held value: one that stands inline is told by its address.
void isa__held_move(struct isa__held *from, struct isa__held *to);
void isa__held_free(struct isa__held *held);

static inline void isa__held_drop(struct isa__held *held)
{
    if (held->duty != ISA_HELD_NOTHING) isa__held_free(held);
    held->value.address = NULL;
}

// Reports that `observer` does not handle the message that it was sent.
void isa__kvo_report_unhandled(isa_id observer, const kvo_change *change);

// Sends the one notification of a registration that is being made.
//
// Errors: KVC_ERR_UNDEFINED_KEY and others of reading the value, if it is asked for.
isa_status isa__deliver_initial(isa_id object, struct isa__side *side,
                                struct isa__registration *registration);

#endif
