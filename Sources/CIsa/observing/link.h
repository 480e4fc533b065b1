// A link of a registered key path: one object on the path, the value of a key, observed for the
// rest of the path. A link is in one of three states:
//
//   state      what observes the related object for the rest
//   NONE       nothing: the value is nil, it refused, or the registration has ended
//   FORWARDER  an ordinary registration of a function
//   OBSERVER   an observer object, registered by message: the class of the related object takes
//              registrations over (it overrides `addObserver:forKeyPath:options:context:`)
//
//   by                      from       to
//   isa__link_follow        any        the state for the present value: attached anew, and what was
//                                      there is ended
//                           FORWARDER  FORWARDER: moved, the same registration in another registry
//   isa__link_leave         any        NONE
//
// The link owns what observes: the forwarder's token, or the forwarding observer. Only link.c takes
// it out.
#ifndef ISA_OBSERVING_LINK_H
#define ISA_OBSERVING_LINK_H

#include "registration.h"

enum isa__link_state { ISA_LINK_NONE, ISA_LINK_FORWARDER, ISA_LINK_OBSERVER };

struct isa__attachment {
    enum isa__link_state state;
    struct isa__side *related; // held
    union {
        struct isa__registration *forwarder; // its token
        isa_id observer;                     // with a reference
    };
};

struct isa__link {
    struct isa__registration *owner; // whose chain this is in
    const struct isa__path_link *path_link; // which link of the path it is
    isa__word64 issued; // tickets taken to attach anew; atomic builtins
    uint64_t installed; // the latest that was put in; guarded by the object's lock, as the next
    struct isa__attachment attachment;
    uint32_t changing;  // announced changes of what leads to the related object; atomic builtins
    struct isa__attachment to_end;  // taken out, for the thread to end that has it in its list
    struct isa__link *next_to_end;
};

// Attaches the link of a registration of `object` to the present value of its key; to nothing if
// that is nil.
//
// Errors: KVC_ERR_UNDEFINED_KEY and others of reading the value; KVO_ERR_NOT_OBSERVABLE of a value
//         that cannot be observed; KVO_ERR_TOO_DEEP; ISA_ERR_NO_MEMORY. It is attached to nothing
//         then.
isa_status isa__link_follow(isa_id object, struct isa__link *link);

// Ends what observes the related object. No lock held.
void isa__link_leave(struct isa__link *link);

// Notes that a change was announced that may lead the link elsewhere, and reports if its value has
// changed before without that; and that such a change has ended.
void isa__link_will_change(isa_id object, struct isa__link *link);

static inline void isa__link_did_change(struct isa__link *link)
{
    __atomic_fetch_sub(&link->changing, 1, __ATOMIC_SEQ_CST);
}

// Fails if a value on the way of a registration with a chain, however far down, is another than the
// attached object, and no change of the value is announced.
//
// Errors: KVO_ERR_INCONSISTENT.
isa_status isa__links_check(isa_id object, struct isa__registration *registration);

// The link that a forwarder belongs to.
static inline struct isa__link *isa__forwarder_link(const struct isa__registration *forwarder)
{
    return forwarder->function.info;
}

// Makes the class of forwarding observers.
isa_status isa__link_start(void);

#endif
