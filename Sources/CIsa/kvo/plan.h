// Plans: what a typed setter needs where nothing is out of the ordinary, worked out beforehand.
#ifndef ISA_KVO_PLAN_H
#define ISA_KVO_PLAN_H

#include "wrapper.h"

// How one wrapped setter of a scalar announces. Replaced whole when it is stale, retired like a
// snapshot; its epochs alone are brought up to date in place, where all else is as before.
struct isa__plan {
    struct isa__retired retired;
    uint64_t ways;  // isa__ways while it may be followed, else never; atomic builtins
    uint64_t epoch; // isa__method_epoch when it was worked out; atomic builtins
    const struct isa__key *key;
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

// What isa__ways is while the plan holds.
static inline uint64_t isa__plan_ways(const struct isa__plan *plan)
{
    return __atomic_load_n(&plan->ways, __ATOMIC_RELAXED);
}

// Whether the plan may be followed at this moment: it is not stale, nothing in it is unusual, and
// there is no reason for a detour.
static inline bool isa__plan_holds(const struct isa__plan *plan)
{
    return __builtin_expect(isa__plan_ways(plan) == isa__ways_load(), 1);
}

// Works the plan out if it is stale. None may be followed where the class has its own will- and
// didChangeValueForKey: or observationInfo, follows GNUstep's profile, or reads the key otherwise
// than by a method or ivar of the setter's type. Without memory things stay as they are.
//
// Call with no lock held.
void isa__plan_renew(struct isa__wrapper *wrapper);

// Frees the plan of a wrapper that goes.
void isa__plan_dispose(struct isa__wrapper *wrapper);

void isa__plan_start(void);

#endif
