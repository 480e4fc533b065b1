// What a program can ask about observers: the registrations of an object, the observers that a
// change would notify, and changes in progress.
//
// Owns:  nothing; its copies belong to the caller.
// Locks: the object's, while its registrations are copied; none but a reader section, while a
//        change's are copied.
#include "kvo_start.h"

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "chain.h"
#include "change.h"
#include "registry.h"

#include <stdatomic.h>

bool kvo_is_observed(isa_id object)
{
    const struct isa__side *side = object == NULL ? NULL : isa__side_find(object);
    return side != NULL && isa__observing_value(side) != 0;
}

// ---- registrations ------------------------------------------------------------------------------

// A growing list; `needed` counts what did not fit too.
struct infos {
    kvo_registration_info *items;
    size_t capacity;
    size_t needed;
    // The registration before, and its root: of a deep chain over one object it is the next one's
    // owner, and the way to the root need not be gone again.
    struct isa__registration *last, *last_root;
};

// The registration that one serves in the end, itself unless it is a forwarder. NULL once one of
// them has ended: nobody is notified then. In a reader section: a registration that has not ended
// keeps its owner until no section covers it.
static struct isa__registration *find_root(struct isa__registration *registration,
                                           const struct infos *infos)
{
    uint32_t tag = isa__registration_tag_load(registration);
    while (tag & ISA_TAG_FORWARDER && !(tag & ISA_TAG_ENDED)) {
        registration = isa__forwarder_link(registration)->owner;
        if (registration == infos->last) return infos->last_root;
        tag = isa__registration_tag_load(registration);
    }
    return tag & ISA_TAG_ENDED ? NULL : registration;
}

static const void *object_of(struct isa__registration *registration, isa_id object)
{
    uint32_t tag = isa__registration_tag_load(registration);
    return tag & ISA_TAG_CHAINED ? isa__chain_of(registration)->side->object : object;
}

static kvo_registration_info describe(struct isa__registration *registration,
                                      struct isa__registration *root, isa_id object)
{
    uint32_t tag = isa__registration_tag_load(registration);
    uint32_t root_tag = isa__registration_tag_load(root);
    uint32_t retains = root_tag & ISA_TAG_STRONG ? KVO_OPTION_RETAIN_OBSERVER : 0;
    uint32_t foreign = root_tag & ISA_TAG_FOREIGN ? KVO_OPTION_FOREIGN : 0;
    return (kvo_registration_info){
        .key_path = registration->key->text,
        .options = (tag & ISA_TAG_OPTIONS) | retains | foreign,
        .context = isa__registration_context(root),
        .observer = isa__registration_observer_name(root),
        .is_function = (root_tag & ISA_TAG_FUNCTION) != 0,
        .is_shared = (tag & ISA_TAG_SHARED) != 0,
        .is_forwarder = (tag & ISA_TAG_FORWARDER) != 0,
        .root = object_of(root, object),
        .root_key_path = root->key->text,
        .since = tag & ISA_TAG_TIMED ? *isa__registration_since(registration) : 0,
        .number = isa__event_on() ? isa__registration_number(registration) : 0};
}

static void info_append(struct infos *infos, struct isa__registration *registration, isa_id object)
{
    struct isa__registration *root = find_root(registration, infos);
    infos->last = registration;
    infos->last_root = root;
    if (root == NULL) return;
    size_t at = infos->needed++;
    if (at < infos->capacity) infos->items[at] = describe(registration, root, object);
}

// Copies with `fill` as often as it takes for all to fit.
static isa_status copy(void (*fill)(struct infos *infos, const void *context), const void *context,
                       kvo_registration_info **out, size_t *count)
{
    struct infos infos = {0};
    fill(&infos, context);
    while (infos.needed > infos.capacity) {
        isa_free(infos.items);
        infos = (struct infos){.capacity = infos.needed};
        infos.items = isa__alloc_public(infos.capacity * sizeof *infos.items);
        if (infos.items == NULL)
            return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to copy registrations");
        fill(&infos, context);
    }
    if (infos.needed == 0) isa_free(infos.items);
    *out = infos.needed == 0 ? NULL : infos.items;
    *count = infos.needed;
    return ISA_OK;
}

struct visiting {
    struct infos *infos;
    isa_id object;
};

static void visit_one(struct isa__registration *registration, void *context)
{
    const struct visiting *visiting = context;
    info_append(visiting->infos, registration, visiting->object);
}

static void fill_registrations(struct infos *infos, const void *object)
{
    struct visiting visiting = {infos, (isa_id)(uintptr_t)object};
    struct isa__thread *thread = isa__reader_enter();
    isa__registry_visit(visiting.object, visit_one, &visiting);
    isa__reader_leave(thread);
}

isa_status kvo_copy_registrations(isa_id object, kvo_registration_info **out, size_t *count)
{
    if (object == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "object, out or count");
    return copy(fill_registrations, object, out, count);
}

// ---- what a change would notify -----------------------------------------------------------------

struct question {
    isa_id object;
    const struct isa__key *key;
};

static void fill_affected(struct infos *infos, const void *context)
{
    const struct question *question = context;
    struct isa__side *side = isa__side_find(question->object);
    struct isa__affected affected;
    if (side == NULL) return;
    struct isa__thread *thread = isa__reader_enter();
    if (isa__affected_find(isa__enter(thread, side), question->key, &affected))
        for (uint32_t i = affected.count; i-- > 0;) {
            struct isa__registration *item = isa__item_load(&affected.items[i]);
            info_append(infos, item, question->object);
        }
    isa__reader_leave(thread);
}

isa_status kvo_copy_affected(isa_id object, const char *key, kvo_registration_info **out,
                             size_t *count)
{
    if (out == NULL || count == NULL) return isa__fail_null(__func__, "out or count");
    struct question question = {object, key == NULL ? NULL : isa__key_find(key)};
    *out = NULL;
    *count = 0;
    if (object == NULL || key == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no %s",
                         object == NULL ? "object" : "key");
    return question.key == NULL ? ISA_OK : copy(fill_affected, &question, out, count);
}

// ---- pending changes ----------------------------------------------------------------------------

isa_status kvo_copy_pending(isa_id object, kvo_pending_info **out, size_t *count)
{
    if (object == NULL || out == NULL || count == NULL)
        return isa__fail_null(__func__, "object, out or count");
    kvo_pending_info *infos = NULL;
    size_t capacity = 0, needed = isa__manual_copy(object, NULL, 0);
    while (needed > capacity) {
        isa_free(infos);
        capacity = needed;
        infos = isa__alloc_public(capacity * sizeof *infos);
        if (infos == NULL)
            return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to copy pending changes");
        needed = isa__manual_copy(object, infos, capacity);
    }
    if (needed == 0) isa_free(infos);
    *out = needed == 0 ? NULL : infos;
    *count = needed;
    return ISA_OK;
}

// ---- observationInfo ----------------------------------------------------------------------------

static _Atomic uint64_t clear_count;

static void *observation_info(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa__registry_info(self);
}

static isa_status set_observation_info(isa_id self, isa_sel sel, void *info)
{
    if (info == observation_info(self, sel)) return ISA_OK;
    if (info != NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "setObservationInfo: %p is not what is registered on <%s %p>", info,
                         isa_object_get_class(self)->original->name, (void *)self);
    isa__registry_clear(self);
    // A reader of the count from before takes registrations to stand that this call, which has not
    // returned, has ended.
    atomic_fetch_add_explicit(&clear_count, 1, memory_order_release);
    return ISA_OK;
}

uint64_t kvo_clear_count(void)
{
    return atomic_load_explicit(&clear_count, memory_order_acquire);
}

void *kvo_observation_info(isa_id object)
{
    if (object == NULL || !isa_object_responds_to(object, isa__sel_observation_info)) return NULL;
    return ISA_SEND(kvo_info_imp, object, isa__sel_observation_info);
}

isa_status kvo_set_observation_info(isa_id object, void *info)
{
    if (object == NULL || !isa_object_responds_to(object, isa__sel_set_observation_info))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "an object that descends from the root class was expected");
    return ISA_SEND(kvo_set_info_imp, object, isa__sel_set_observation_info, info);
}

isa_status isa__introspection_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_observation_info, (isa_imp)observation_info, "^v@:"},
        {&isa__sel_set_observation_info, (isa_imp)set_observation_info, "i@:^v"},
    };
    return isa__box_add_methods(isa_root_class(), methods, ISA_COUNT_OF(methods));
}
