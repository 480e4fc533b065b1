// A hop: one related object that a registration looks at, the value of a key, observed for the rest
// of a path. It is in one of three states:
//
//   state      what observes the related object for the rest
//   NONE       nothing: the value is nil, it refused, or the registration has ended
//   FORWARDER  an ordinary registration of a function
//   RELAY      an observer object, registered by message: the class of the related object takes
//              registrations over (it overrides `addObserver:forKeyPath:options:context:`)
//
//   by                     from       to
//   isa__hop_follow        any        the state for the present value: attached anew, and what was
//                                     there is ended
//                          FORWARDER  FORWARDER: moved, the same registration in another registry
//   isa__hop_leave         any        NONE
//
// The hop owns what observes: the forwarder's token, or the relay. Only hop.c takes it out.
#ifndef ISA_OBSERVING_HOP_H
#define ISA_OBSERVING_HOP_H

#include "registration.h"

enum isa__hop_state { ISA_HOP_NONE, ISA_HOP_FORWARDER, ISA_HOP_RELAY };

struct isa__attachment {
    enum isa__hop_state state;
    struct isa__side *related; // held
    union {
        struct isa__registration *forwarder; // its token
        isa_id relay;                        // with a reference
    };
};

struct isa__hop {
    struct isa__registration *owner; // whose chain this is in
    const struct isa__hop_plan *plan;
    isa__word64 issued; // tickets taken to attach anew; atomic builtins
    uint64_t installed; // the latest that was put in; guarded by the object's lock, as the next
    struct isa__attachment attachment;
    uint32_t changing;  // announced changes of what leads to the related object; atomic builtins
    struct isa__attachment to_end;  // taken out, for the thread to end that has it in its list
    struct isa__hop *next_to_end;
};

// Attaches the hop of a registration of `object` to the present value of its key; to nothing if
// that is nil.
//
// Errors: KVC_ERR_UNDEFINED_KEY and others of reading the value; KVO_ERR_NOT_OBSERVABLE of one that
//         cannot be observed; KVO_ERR_TOO_DEEP; ISA_ERR_NO_MEMORY. It is attached to nothing then.
isa_status isa__hop_follow(isa_id object, struct isa__hop *hop);

// Ends what observes the related object. No lock held.
void isa__hop_leave(struct isa__hop *hop);

// Notes that a change was announced that may lead the hop elsewhere, and reports if its value has
// changed before without that; and that such a change has ended.
void isa__hop_will_change(isa_id object, struct isa__hop *hop);

static inline void isa__hop_did_change(struct isa__hop *hop)
{
    __atomic_fetch_sub(&hop->changing, 1, __ATOMIC_SEQ_CST);
}

// Fails if a value on the way of a registration with a chain, however far down, is another than the
// one attached to, and no change of it is announced.
//
// Errors: KVO_ERR_INCONSISTENT.
isa_status isa__hops_check(isa_id object, struct isa__registration *registration);

// The hop that a forwarder belongs to.
static inline struct isa__hop *isa__forwarder_hop(const struct isa__registration *forwarder)
{
    return forwarder->function.info;
}

// Makes the class of relays.
isa_status isa__hop_start(void);

#endif
