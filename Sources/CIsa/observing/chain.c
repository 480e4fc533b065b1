// Key paths of several keys, and dependent keys: hops, forwarders, relays, changes passed on.
//
// Owns:      a chain's attachments, changes in progress, and a hold on the observed object's side
//            record.
// Lives:     with its registration. An attachment holds a reference to the registration until no
//            thread can be calling the forwarder or relay, so that what they find is there.
// Locks:     isa__lock_for(the observed object's side) guards hops and changes. Nothing of the
//            user's runs with it: values are read, forwarders registered and ended without.
// Invariant: a hop ends up attached to the value that its key has after the last announced change.
//            Every change takes a ticket before it reads the value and attaches, and only a later
//            ticket replaces an earlier one; the latest ticket was taken after the last value was
//            set.
#include "chain.h"

#include "../base/event.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "change.h"
#include "deliver.h"
#include "kvo_start.h"
#include "move.h"
#include "registry.h"

static isa_class relay_class;

// The hop's route; those beyond the bits there are share one.
static uint64_t bit_of(const struct isa__hop *hop)
{
    size_t number = (size_t)(hop - isa__chain_of(hop->owner)->hops);
    return UINT64_C(1) << (number < ISA_ROUTE_DIRECT ? number : ISA_ROUTE_DIRECT - 1);
}

static struct isa__lock *lock_chain(const struct isa__chain *chain)
{
    return isa__lock_object(chain->side->object);
}

void isa__chain_init(struct isa__registration *registration, const struct isa__path *path)
{
    struct isa__chain *chain = isa__chain_of(registration);
    chain->path = path;
    chain->side = registration->side;
    isa__side_hold(chain->side);
    for (uint32_t i = 0; i < path->hop_count; i++) {
        chain->hops[i].owner = registration;
        chain->hops[i].plan = &path->hops[i];
    }
}

static void free_change(struct isa__chain *chain, struct isa__dependent_change *change)
{
    isa__held_drop(&change->old_value);
    if (change != &chain->spare) isa__free(ISA_KIND_PENDING, change, sizeof *change);
}

static void give_back(struct isa__chain *chain, struct isa__dependent_change *change)
{
    free_change(chain, change);
    if (change != &chain->spare) return;
    struct isa__lock *lock = lock_chain(chain);
    chain->spare_used = false;
    isa__unlock(lock);
}

void isa__chain_free(struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    while (chain->changes != NULL) {
        struct isa__dependent_change *change = chain->changes;
        chain->changes = change->next;
        free_change(chain, change);
    }
    isa__side_drop(chain->side);
}

static void end_at_hops(struct isa__chain *chain, const struct isa__trigger *trigger)
{
    for (uint32_t i = 0; i < trigger->hop_count; i++)
        __atomic_fetch_sub(&chain->hops[trigger->hops[i]].changing, 1, __ATOMIC_SEQ_CST);
}

// The route by which `owner` hears what `registration` is told, 0 if by none: the registration may
// be a forwarder, its forwarder, …
static uint64_t route_between(const struct isa__registration *registration,
                              const struct isa__registration *owner)
{
    uint32_t tag = isa__registration_tag_load(registration);
    while (tag & ISA_TAG_FORWARDER && !(tag & ISA_TAG_ENDED)) {
        const struct isa__hop *hop = registration->function.info;
        if (hop->owner == owner) return hop->plan->is_main ? 0 : bit_of(hop);
        registration = hop->owner;
        tag = isa__registration_tag_load(registration);
    }
    return 0;
}

// The routes by which `owner` has yet to hear the change announced, if this thread announces it.
static uint64_t coming_routes(const struct isa__registration *owner,
                              const struct isa__dependent_change *change)
{
    if (change->thread != isa__thread_get()->number) return 0;
    const struct kvo_frame *frame = isa__frame_announcing(change->number);
    if (frame == NULL) return 0;
    uint64_t routes = 0;
    for (uint32_t i = frame->announced; i < frame->affected.count; i++) {
        struct isa__registration *item = isa__item_load(&frame->affected.items[i]);
        if (item == owner) routes |= UINT64_C(1) << ISA_ROUTE_DIRECT;
        else routes |= route_between(item, owner);
    }
    return routes;
}

// Takes the route by `hop` off a change: its end will not be heard. True if it had no other, and
// none is to come.
static bool cancel_one_locked(struct isa__hop *hop, struct isa__dependent_change *change)
{
    uint64_t before = change->routes | change->coming;
    bool had = (change->routes & bit_of(hop)) != 0;
    change->routes &= ~bit_of(hop);
    change->coming &= ~bit_of(hop);
    if (had) end_at_hops(isa__chain_of(hop->owner), &hop->plan->trigger);
    if (had && change->routes == 0) change->coming = coming_routes(hop->owner, change);
    return before & bit_of(hop) && (change->routes | change->coming) == 0;
}

// Takes the route by `hop` off every change in progress. Answers those that are over by that.
static struct isa__dependent_change *cancel_locked(struct isa__hop *hop)
{
    struct isa__chain *chain = isa__chain_of(hop->owner);
    struct isa__dependent_change *over = NULL;
    struct isa__dependent_change **link = &chain->changes;
    while (*link != NULL) {
        struct isa__dependent_change *change = *link;
        if (!cancel_one_locked(hop, change)) {
            link = &change->next;
            continue;
        }
        *link = change->next;
        change->next = over;
        over = change;
    }
    return over;
}

static void cancel_route(struct isa__hop *hop)
{
    struct isa__chain *chain = isa__chain_of(hop->owner);
    if (hop->plan->is_main) return;
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change *over = cancel_locked(hop);
    isa__unlock(lock);
    while (over != NULL) {
        struct isa__dependent_change *next = over->next;
        give_back(chain, over);
        over = next;
    }
}

// ---- what a forwarder hears ---------------------------------------------------------------------

// Passes a change of the related object on as one of the whole path: kind, indexes and values stay.
static void pass_on(const struct isa__registration *owner, const kvo_change *change)
{
    struct isa__thread *thread = isa__current;
    // The object may be dying on another thread.
    isa_id object = isa__side_copy_object(isa__chain_of(owner)->side);
    if (object == NULL) return;
    kvo_change passed = *change;
    passed.object = object;
    passed.key_path = owner->key->text;
    passed.context = isa__registration_context(owner);
    if (isa__may_tell_at(thread, thread->calling_count))
        isa__tell_of(thread, owner, &passed, false);
    isa_object_release(object);
}

static void hear(struct isa__hop *hop, const kvo_change *change)
{
    struct isa__registration *owner = hop->owner;
    const struct isa__hop_plan *plan = hop->plan;
    if (plan->is_main) {
        pass_on(owner, change);
        return;
    }
    isa_id object = isa__side_copy_object(isa__chain_of(owner)->side);
    if (object == NULL) return;
    struct isa__route route = {&plan->trigger, isa__change_number(), bit_of(hop)};
    if (change->is_prior) isa__dependent_will(object, owner, &route);
    else isa__dependent_did(object, owner, &route);
    isa_object_release(object);
}

// Whether the object of a side record is not being deallocated; false also where that can be asked
// only by holding on to it.
static bool is_plainly_alive(const struct isa__side *side)
{
    return !(isa__side_flags(side) & ISA_SIDE_HOOKED) &&
           !(__atomic_load_n(&side->count, __ATOMIC_ACQUIRE) & ISA_RECORD_DEALLOCATING);
}

// Along a path of many keys each forwarder would tell the next: this goes up to the last of them,
// without a call for each. Those on the way need no more than to stand. The mark under which the
// first one was found covers them: each holds a reference to the next one up, given up when it is
// freed, and one that has not ended by now cannot be freed before the mark is left.
static void forwarder_told(const kvo_change *change, void *info)
{
    const struct isa__hop *hop = info;
    while (hop->plan->is_main) {
        const struct isa__registration *owner = hop->owner;
        uint32_t tag = isa__registration_tag_load(owner);
        if (tag & ISA_TAG_ENDED) return;
        if (!(tag & ISA_TAG_FORWARDER)) {
            pass_on(owner, change);
            return;
        }
        if (!is_plainly_alive(isa__chain_of(owner)->side) || isa__event_on()) break;
        hop = owner->function.info;
    }
    hear((struct isa__hop *)(uintptr_t)hop, change);
}

static void forwarder_ended(void *info)
{
    isa__registration_drop(((struct isa__hop *)info)->owner);
}

struct isa__registration *isa__forwarder_owner(const struct isa__registration *forwarder)
{
    return ((const struct isa__hop *)forwarder->function.info)->owner;
}

// ---- relays -------------------------------------------------------------------------------------

struct relay {
    struct isa_header header;
    struct isa__hop *hop;
};

static void relay_told(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                       const kvo_change *change, void *context)
{
    (void)sel, (void)key_path, (void)object, (void)context;
    hear(((struct relay *)self)->hop, change);
}

static void relay_dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__registration_drop(((struct relay *)self)->hop->owner);
}

// ---- attaching ----------------------------------------------------------------------------------

static uint32_t forwarder_options(const struct isa__hop *hop)
{
    if (!hop->plan->is_main) return KVO_OPTION_PRIOR;
    uint32_t tag = isa__registration_tag_load(hop->owner);
    return tag & (KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR);
}

static isa_status attach_relay(struct isa__hop *hop, isa_id related, struct isa__attachment *out)
{
    isa_id made;
    isa_status status = isa_object_allocate(relay_class, &made);
    if (status != ISA_OK) return status;
    ((struct relay *)made)->hop = hop;
    isa__registration_hold(hop->owner);
    status = kvo_add_observer(related, made, hop->plan->rest->text, forwarder_options(hop), hop);
    if (status != ISA_OK) {
        isa_object_release(made);
        return status;
    }
    out->relay = made;
    return ISA_OK;
}

static isa_status attach_forwarder(struct isa__hop *hop, isa_id related,
                                   struct isa__attachment *out)
{
    kvo_function function = {forwarder_told, hop, forwarder_ended};
    isa__registration_hold(hop->owner);
    return isa__kvo_forward(related, hop->plan->rest, forwarder_options(hop), &function,
                            &out->forwarder);
}

void isa__hop_detach_present(struct isa__hop *hop, struct isa__attachment *attachment)
{
    if (attachment->forwarder != NULL)
        isa__registration_release_token(attachment->forwarder);
    if (attachment->relay != NULL) {
        isa_id related = isa__side_copy_object(attachment->related);
        if (related != NULL)
            kvo_remove_observer_context(related, attachment->relay, hop->plan->rest->text, hop);
        isa_object_release(related);
        isa_object_release(attachment->relay);
    }
    isa__side_drop(attachment->related);
    *attachment = (struct isa__attachment){0};
    cancel_route(hop);
}

isa_status isa__hop_attach(struct isa__hop *hop, isa_id related, struct isa__attachment *out)
{
    bool takes_over = isa__kvo_takes_over(related);
    isa_status status =
        takes_over ? attach_relay(hop, related, out) : attach_forwarder(hop, related, out);
    if (status != ISA_OK) return status;
    // Only now: what refuses gets no record. A forwarder's object has one by now.
    out->related = isa__side_get(related);
    if (out->related == NULL) {
        kvo_remove_observer_context(related, out->relay, hop->plan->rest->text, hop);
        isa_object_release(out->relay);
        out->relay = NULL;
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to observe \"%.128s\"",
                         hop->plan->rest->text);
    }
    isa__side_hold(out->related);
    return ISA_OK;
}

struct isa__attachment isa__hop_install(struct isa__hop *hop, uint64_t ticket,
                                        struct isa__attachment attachment)
{
    struct isa__chain *chain = isa__chain_of(hop->owner);
    struct isa__attachment leftover = attachment;
    struct isa__lock *lock = lock_chain(chain);
    bool ended = (isa__registration_tag_load(hop->owner) & ISA_TAG_ENDED) != 0;
    if (!ended && ticket > hop->installed) {
        hop->installed = ticket;
        leftover = hop->attachment;
        hop->attachment = attachment;
    }
    isa__unlock(lock);
    return leftover;
}

// Takes out what the hop is attached to, to move it, if that may be.
static bool take_attachment(isa_id object, struct isa__hop *hop, struct isa__attachment *out)
{
    if (!hop->plan->is_main || !isa__forwarders_may_move(object)) return false;
    struct isa__lock *lock = lock_chain(isa__chain_of(hop->owner));
    *out = hop->attachment;
    hop->attachment = (struct isa__attachment){0};
    isa__unlock(lock);
    return true;
}

// Attaches the hop to the present value of its key, none if that is nil.
static isa_status renew(isa_id object, struct isa__hop *hop)
{
    struct isa__attachment attachment = {0}, former = {0};
    uint64_t ticket = __atomic_add_fetch(&hop->issued, 1, __ATOMIC_SEQ_CST);
    isa_id related = NULL;
    isa_status status = isa__copy_related(object, hop->plan->head, &related);
    if (status == ISA_OK && related != NULL) {
        if (take_attachment(object, hop, &former) && isa__forwarders_move(&former, related)) {
            attachment = former;
            former = (struct isa__attachment){0};
        } else {
            status = isa__hop_attach(hop, related, &attachment);
        }
    }
    isa_object_release(related);
    struct isa__attachment leftover = isa__hop_install(hop, ticket, attachment);
    isa__hop_detach(hop, &leftover);
    isa__hop_detach(hop, &former);
    return status;
}

isa_status isa__chain_attach(isa_id object, struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    isa_status status = ISA_OK;
    for (uint32_t i = 0; i < chain->path->hop_count && status == ISA_OK; i++)
        status = renew(object, &chain->hops[i]);
    return status;
}

static void report_not_renewed(isa_id object, const struct isa__registration *registration,
                               isa_status status)
{
    isa__misuse(status, isa_last_error()->exception,
                "key path \"%.128s\" of <%s %p> cannot be followed any further: %.200s",
                registration->key->text, isa_object_get_class(object)->original->name,
                (void *)object, isa_last_error()->reason);
}

void isa__chain_renew(isa_id object, struct isa__registration *registration,
                      const struct isa__trigger *trigger)
{
    struct isa__chain *chain = isa__chain_of(registration);
    for (uint32_t i = 0; i < trigger->hop_count; i++) {
        if (isa__registration_tag_load(registration) & ISA_TAG_ENDED) return;
        isa_status status = renew(object, &chain->hops[trigger->hops[i]]);
        if (status != ISA_OK) report_not_renewed(object, registration, status);
    }
}

void isa__chain_detach(struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    for (uint32_t i = 0; i < chain->path->hop_count; i++) {
        struct isa__hop *hop = &chain->hops[i];
        struct isa__lock *lock = lock_chain(chain);
        struct isa__attachment attachment = hop->attachment;
        hop->attachment = (struct isa__attachment){0};
        isa__unlock(lock);
        isa__hop_detach(hop, &attachment);
    }
}

bool isa__chain_is_quiet(const struct isa__registration *registration)
{
    // Before the tag, which says that the token is released before its reference is given up.
    uint32_t references = __atomic_load_n(&registration->references, __ATOMIC_ACQUIRE);
    uint32_t tag = isa__registration_tag_load(registration);
    bool has_token = tag & ISA_TAG_FUNCTION && !(tag & ISA_TAG_RELEASED);
    return references == 1 + (uint32_t)has_token;
}

// ---- values that changed unannounced ------------------------------------------------------------

// The side record of what the hop is attached to, with a hold; NULL if that is nothing, or has
// died. `*installed` is its ticket.
static struct isa__side *hold_related(struct isa__hop *hop, uint64_t *installed)
{
    struct isa__lock *lock = lock_chain(isa__chain_of(hop->owner));
    struct isa__side *side = hop->attachment.related;
    *installed = hop->installed;
    if (side != NULL && isa__side_flags(side) & ISA_SIDE_DEAD) side = NULL;
    if (side != NULL) isa__side_hold(side);
    isa__unlock(lock);
    return side;
}

// Whether a change of the hop's key may be in progress that the registration, being younger, has
// not heard announced: another than the innermost where that one `is_announced` to it.
static bool is_unsettled(isa_id object, const struct isa__hop *hop, bool is_announced)
{
    return isa__others_are_marked() || isa__is_changing(object, is_announced) ||
           isa__manual_is_announced(isa__chain_of(hop->owner)->side, hop->plan->head);
}

static bool differs(isa_id object, const struct isa__hop *hop, const struct isa__side *related)
{
    isa_id value = NULL;
    isa_status status = isa__copy_related(object, hop->plan->head, &value);
    bool other = status == ISA_OK && (value == NULL || isa__side_find(value) != related);
    isa_object_release(value);
    return other;
}

// Whether the hop's key has another value than the one attached to, although no change of it is in
// progress but `announced` ones: another thread's shows in the count, in its mark or, once it is
// over, in the ticket.
static bool is_inconsistent(isa_id object, struct isa__hop *hop, uint32_t announced)
{
    if (isa__class_is_gnustep(isa_object_get_class(object))) return false;
    uint64_t before, after;
    struct isa__side *side = hold_related(hop, &before);
    if (side == NULL) return false;
    bool other = differs(object, hop, side) && !is_unsettled(object, hop, announced > 0);
    isa__side_drop(side);
    if (!other) return false;
    side = hold_related(hop, &after);
    if (side != NULL) isa__side_drop(side);
    return before == after &&
           __atomic_load_n(&hop->changing, __ATOMIC_SEQ_CST) == announced &&
           __atomic_load_n(&hop->issued, __ATOMIC_SEQ_CST) == after;
}

static isa_status inconsistent(isa_id object, const struct isa__hop *hop, const char *what,
                               isa_status (*fail)(isa_status, const char *, const char *, ...))
{
    const char *name = isa_object_get_class(object)->original->name;
    char observer[ISA_OBSERVER_TEXT_SIZE];
    const struct isa__registration *served = hop->owner;
    while (isa__registration_tag_load(served) & ISA_TAG_FORWARDER)
        served = isa__forwarder_owner(served);
    isa__registration_write_observer(served, observer);
    return fail(KVO_ERR_INCONSISTENT, NULL,
                "Cannot %s an observer %s for the key path \"%.128s\" from <%s %p>, most likely "
                "because the value for the key \"%.128s\" has changed without an appropriate KVO "
                "notification being sent. Check the KVO-compliance of the %s class.",
                what, observer, hop->owner->key->text, name, (void *)object,
                hop->plan->head->text, name);
}

// The hop's forwarder, with a hold, if it follows the path further; NULL if not.
static struct isa__registration *hold_chained(struct isa__hop *hop)
{
    struct isa__lock *lock = lock_chain(isa__chain_of(hop->owner));
    struct isa__registration *forwarder = hop->attachment.forwarder;
    bool chained = forwarder != NULL &&
                   isa__registration_tag_load(forwarder) & ISA_TAG_CHAINED;
    if (chained) isa__registration_hold(forwarder);
    isa__unlock(lock);
    return chained ? forwarder : NULL;
}

static isa_status check_below(struct isa__hop *hop)
{
    struct isa__registration *forwarder = hold_chained(hop);
    if (forwarder == NULL) return ISA_OK;
    isa_id related = isa__side_copy_object(isa__chain_of(forwarder)->side);
    isa_status status = related == NULL ? ISA_OK : isa__chain_check(related, forwarder);
    isa_object_release(related);
    isa__registration_drop(forwarder);
    return status;
}

isa_status isa__chain_check(isa_id object, struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    isa_status status = ISA_OK;
    for (uint32_t i = 0; i < chain->path->hop_count && status == ISA_OK; i++) {
        struct isa__hop *hop = &chain->hops[i];
        status = is_inconsistent(object, hop, 0) ? inconsistent(object, hop, "remove", isa__fail)
                                                 : check_below(hop);
    }
    return status;
}

// Counts the announced change at each hop that it may move, and looks whether they stand right.
static void announce_to_hops(isa_id object, struct isa__chain *chain,
                             const struct isa__trigger *trigger)
{
    for (uint32_t i = 0; i < trigger->hop_count; i++) {
        struct isa__hop *hop = &chain->hops[trigger->hops[i]];
        uint32_t before = __atomic_fetch_add(&hop->changing, 1, __ATOMIC_SEQ_CST);
        if (before == 0 && is_inconsistent(object, hop, 1))
            inconsistent(object, hop, "update", isa__misuse);
    }
}

// ---- changes of what a registration depends on --------------------------------------------------

static struct isa__dependent_change **find_change_locked(struct isa__chain *chain, uint64_t number)
{
    uint64_t thread = isa__thread_get()->number;
    struct isa__dependent_change **link = &chain->changes;
    while (*link != NULL && ((*link)->number != number || (*link)->thread != thread))
        link = &(*link)->next;
    return link;
}

static struct isa__dependent_change *make_change_locked(struct isa__chain *chain,
                                                        const struct isa__route *route)
{
    struct isa__dependent_change *made = &chain->spare;
    if (chain->spare_used) made = isa__alloc(ISA_KIND_PENDING, sizeof *made);
    if (made == NULL) return NULL;
    if (made == &chain->spare) chain->spare_used = true;
    made->thread = isa__thread_get()->number;
    made->number = route->number;
    made->routes = route->bit;
    made->coming = 0;
    isa__held_clear(&made->old_value);
    made->next = chain->changes;
    chain->changes = made;
    return made;
}

// Whether the change was noted already, by another route: notes this one too then.
static bool join_change(struct isa__chain *chain, const struct isa__route *route)
{
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change *found = *find_change_locked(chain, route->number);
    if (found != NULL) {
        found->routes |= route->bit;
        found->coming = 0;
    }
    isa__unlock(lock);
    return found != NULL;
}

// Notes the change. False when memory is short.
static bool note_change(struct isa__chain *chain, const struct isa__route *route)
{
    struct isa__lock *lock = lock_chain(chain);
    bool noted = make_change_locked(chain, route) != NULL;
    isa__unlock(lock);
    if (!noted)
        isa__misuse(ISA_ERR_NO_MEMORY, NULL, "no memory to note a change of key path %.128s",
                    chain->path->text->text);
    return noted;
}

// Gives the change its old value, unless it is noted no more: the route may have been cut
// meanwhile.
static void keep_old(struct isa__chain *chain, const struct isa__route *route,
                     struct isa__held *old)
{
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change *change = *find_change_locked(chain, route->number);
    if (change != NULL) isa__held_move(old, &change->old_value);
    isa__unlock(lock);
    isa__held_drop(old);
}

// Takes the change off the list if this is its last route; NULL if not, or if it is not known.
static struct isa__dependent_change *end_change(struct isa__chain *chain,
                                                const struct isa__route *route)
{
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change **link = find_change_locked(chain, route->number);
    struct isa__dependent_change *found = *link;
    if (found != NULL) found->routes &= ~route->bit;
    if (found != NULL && found->routes != 0) found = NULL;
    if (found != NULL) *link = found->next;
    isa__unlock(lock);
    return found;
}

static void read_value(isa_id object, const struct isa__registration *registration,
                       struct isa__held *held)
{
    isa_status status = isa__hold_along(object, isa__chain_of(registration)->path, held);
    if (status == ISA_OK) return;
    isa__misuse(status, isa_last_error()->exception,
                "the value for key path %.128s of <%s %p>, whose observers ask for it, cannot be "
                "read: %s",
                registration->key->text, isa_object_get_class(object)->original->name,
                (void *)object, isa_last_error()->reason);
}

static kvo_change describe(isa_id object, const struct isa__registration *registration,
                           const struct isa__held *old)
{
    bool wants_old = (isa__registration_tag_load(registration) & KVO_OPTION_OLD) != 0;
    return (kvo_change){.object = object,
                        .key_path = registration->key->text,
                        .context = isa__registration_context(registration),
                        .kind = KVO_CHANGE_SETTING,
                        .cause = isa__change_cause(),
                        .old_value = wants_old && old != NULL ? old->value
                                                              : (kvc_value){NULL, NULL}};
}

// Whether a change has to be noted between will and did: to keep the old value, or because it may
// come by several routes.
static bool is_noted(const struct isa__registration *registration)
{
    return (isa__registration_tag_load(registration) & KVO_OPTION_OLD) != 0 ||
           isa__chain_of(registration)->path->dependency_hops > 0;
}

// A change of the object's own key, as against one that a forwarder has heard: in that an equal
// registration has a forwarder of its own.
static bool is_direct(const struct isa__route *route)
{
    return route->bit == UINT64_C(1) << ISA_ROUTE_DIRECT;
}

void isa__dependent_will(isa_id object, struct isa__registration *registration,
                         const struct isa__route *route)
{
    struct isa__chain *chain = isa__chain_of(registration);
    uint32_t tag = isa__registration_tag_load(registration);
    announce_to_hops(object, chain, route->trigger);
    if (is_noted(registration) && (join_change(chain, route) || !note_change(chain, route)))
        return;
    struct isa__held old;
    isa__held_clear(&old);
    if (tag & KVO_OPTION_OLD) read_value(object, registration, &old);
    if (tag & KVO_OPTION_PRIOR) {
        kvo_change told = describe(object, registration, &old);
        told.is_prior = true;
        isa__tell_checked(registration, &told, is_direct(route));
    }
    if (is_noted(registration)) keep_old(chain, route, &old);
}

static void tell_after(isa_id object, struct isa__registration *registration,
                       const struct isa__dependent_change *change, bool equal_serves)
{
    struct isa__held new_value;
    isa__held_clear(&new_value);
    kvo_change told = describe(object, registration, change == NULL ? NULL : &change->old_value);
    if (isa__registration_tag_load(registration) & KVO_OPTION_NEW)
        read_value(object, registration, &new_value);
    told.new_value = new_value.value;
    isa__tell_checked(registration, &told, equal_serves);
    isa__held_drop(&new_value);
}

void isa__dependent_did(isa_id object, struct isa__registration *registration,
                        const struct isa__route *route)
{
    struct isa__chain *chain = isa__chain_of(registration);
    struct isa__dependent_change *change = NULL;
    isa__chain_renew(object, registration, route->trigger);
    end_at_hops(chain, route->trigger);
    if (is_noted(registration)) {
        change = end_change(chain, route);
        if (change == NULL) return;
    }
    tell_after(object, registration, change, is_direct(route));
    if (change != NULL) give_back(chain, change);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__key_path_start(void)
{
    isa_status status = isa__class_pair_make(isa_root_class(), "IsaKeyPathRelay", ISA_CLASS_LIBRARY,
                                             &relay_class);
    if (status != ISA_OK) return status;
    relay_class->instance_size = sizeof(struct relay);
    status = isa_class_add_method(relay_class, isa__sel_observe_value, (isa_imp)relay_told,
                                  "v@:*@^v^v");
    if (status == ISA_OK)
        status = isa_class_add_method(relay_class, isa__sel_dealloc, (isa_imp)relay_dealloc,
                                      "v@:");
    return status;
}
