// Plans: what a typed setter needs where nothing is out of the ordinary, worked out beforehand.
#ifndef ISA_KVO_PLAN_H
#define ISA_KVO_PLAN_H

#include "wrapper.h"

// How one wrapped setter of a scalar announces. Replaced whole when it is stale, retired like a
// snapshot; its epochs alone are brought up to date in place, where all else is as before.
struct isa__plan {
    struct isa__retired retired;
    uint64_t ways;  // isa__ways where there is a short way, else never; atomic builtins
    uint64_t epoch; // isa__method_epoch when it was worked out; atomic builtins
    const struct isa__key *key;
    struct isa__watched *watched;
    isa_imp original;
    isa_imp getter; // NULL: an ivar
    isa_sel getter_selector;
    size_t offset;     // of the ivar
    const char *types; // of the value, interned
};

// A wrapper's plan before it has one: never holds.
extern struct isa__plan isa__no_plan;

// The wrapper's plan. Under a mark, which must cover its use.
static inline const struct isa__plan *isa__plan_of(const struct isa__wrapper *wrapper)
{
    return __atomic_load_n(&wrapper->plan, __ATOMIC_ACQUIRE);
}

// Whether the plan may be followed at this moment: it is not stale, there is a short way, and no
// reason to take the long one.
static inline bool isa__plan_holds(const struct isa__plan *plan)
{
    return __builtin_expect(
        __atomic_load_n(&plan->ways, __ATOMIC_RELAXED) == isa__ways_load(), 1);
}

// Works the plan out if it is stale. There is no short way where the class has its own will- and
// didChangeValueForKey: or observationInfo, follows GNUstep's profile, or reads the key otherwise
// than by a method or ivar of the setter's type. Without memory things stay as they are.
//
// Call with no lock held.
void isa__plan_renew(struct isa__wrapper *wrapper);

// Frees the plan of a wrapper that goes.
void isa__plan_dispose(struct isa__wrapper *wrapper);

void isa__plan_start(void);

#endif
