// Plans.
//
// Owns:      a wrapper owns its present plan.
// Lives:     until it is replaced, or its wrapper freed; then until base/reclaim.h says that no
//            reader holds it.
// Invariant: a plan's epoch was read before anything else in it, so what changes meanwhile makes it
//            stale.
#include "plan.h"

#include "../base/alloc.h"
#include "../call/accessor_code.h"
#include "../kvc/accessor.h"
#include "../object/object.h"

static void free_plan(struct isa__retired *thing)
{
    isa__free(ISA_KIND_OTHER, thing, sizeof(struct isa__plan));
}

// Fills in how the value is read; false if that cannot be planned.
static bool find_getter(const struct isa__wrapper *wrapper, struct isa__plan *out)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    if (isa__answer_find(wrapper->observed->original, out->key->text, ISA_FACT_GETTER, &answer) !=
            ISA_OK ||
        accessor->kind == ISA_ACCESSOR_NONE || !answer.is_direct ||
        accessor->letter != wrapper->letter || accessor->ownership == ISA_OWNERSHIP_WEAK)
        return false;
    out->types = accessor->types;
    out->offset = accessor->offset;
    if (accessor->kind == ISA_ACCESSOR_IVAR) return true;
    out->getter_selector = accessor->selector;
    out->getter = isa__dispatch_get(wrapper->notifying, accessor->selector);
    if (out->getter == NULL) return false;
    // What its code would do can be done at once.
    if (isa__getter_code_find(out->getter, accessor->letter, &out->offset)) out->getter = NULL;
    return true;
}

static const uint64_t never = UINT64_MAX;

struct isa__plan isa__no_plan = {.ways = UINT64_MAX, .epoch = UINT64_MAX};

static void work_out(const struct isa__wrapper *wrapper, struct isa__plan *out)
{
    out->key = isa__wrapper_key(wrapper);
    out->original = isa__wrapper_original(wrapper);
    bool is_usual = wrapper->letter != 0 && !isa__class_is_gnustep(wrapper->notifying) &&
                    isa__observed_overrides(wrapper->observed) == 0 &&
                    find_getter(wrapper, out);
    out->ways = is_usual ? out->epoch : never;
}

// Whether `fresh` says what `plan` does, which another thread may bring up to date meanwhile.
static bool is_same(const struct isa__plan *plan, const struct isa__plan *fresh)
{
    bool has_way = __atomic_load_n(&plan->ways, __ATOMIC_RELAXED) != never;
    return has_way == (fresh->ways != never) && plan->key == fresh->key &&
           plan->original == fresh->original && plan->getter == fresh->getter &&
           plan->getter_selector == fresh->getter_selector && plan->offset == fresh->offset &&
           plan->types == fresh->types;
}

static bool bring_up_to_date(struct isa__plan *plan, const struct isa__plan *fresh)
{
    if (plan == &isa__no_plan || !is_same(plan, fresh)) return false;
    // A set under way may follow it for an object whose isa was set by hand, and has to see that.
    if (__atomic_load_n(&plan->epoch, __ATOMIC_ACQUIRE) <
        __atomic_load_n(&isa__isa_epoch, __ATOMIC_ACQUIRE)) return false;
    __atomic_store_n(&plan->ways, fresh->ways, __ATOMIC_RELEASE);
    __atomic_store_n(&plan->epoch, fresh->epoch, __ATOMIC_RELEASE);
    return true;
}

static void replace(struct isa__wrapper *wrapper, const struct isa__plan *fresh)
{
    struct isa__plan *made = isa__alloc(ISA_KIND_OTHER, sizeof *made);
    if (made == NULL) return;
    *made = *fresh;
    struct isa__plan *former = __atomic_exchange_n(&wrapper->plan, made, __ATOMIC_ACQ_REL);
    if (former != &isa__no_plan) isa__retire(&former->retired);
}

void isa__plan_renew(struct isa__wrapper *wrapper)
{
    // Where readers need fences none would hold, and a set looks at one before it fences.
    if (isa__detours_load() & ISA_DETOUR_FENCES) return;
    struct isa__thread *thread = isa__mark_enter();
    struct isa__plan *present = __atomic_load_n(&wrapper->plan, __ATOMIC_ACQUIRE);
    struct isa__plan fresh = {.epoch = isa__method_epoch()};
    if (__atomic_load_n(&present->epoch, __ATOMIC_ACQUIRE) != fresh.epoch) {
        fresh.retired.tag = (uint32_t)ISA_RETIRED_PLAN << ISA_RETIRED_TAG_SHIFT;
        work_out(wrapper, &fresh);
        if (!bring_up_to_date(present, &fresh)) replace(wrapper, &fresh);
    }
    isa__mark_leave(thread);
}

void isa__plan_dispose(struct isa__wrapper *wrapper)
{
    if (wrapper->plan != &isa__no_plan)
        isa__free(ISA_KIND_OTHER, wrapper->plan, sizeof *wrapper->plan);
}

void isa__plan_start(void)
{
    isa__retired_free[ISA_RETIRED_PLAN] = free_plan;
}
