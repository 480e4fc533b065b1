// The changes that reach a registration of a key path of several keys, or of a dependent key.
//
// Such a change comes from a key of the observed object or from a forwarder on another object, and
// may come by several of these routes at once. So the registration notes each change in progress by
// its number, reads the old value at the first announcement, and notifies at the last end.
//
// Owns:      a chain's changes in progress, and a hold on the observed object's side record.
// Lives:     with its registration.
// Locks:     isa__lock_for(the observed object) guards changes. No code of the user runs under it.
#include "chain.h"

#include "../base/event.h"
#include "../base/status.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "change.h"
#include "deliver.h"

// The link's route; those beyond the bits there are share one.
static uint64_t bit_of(const struct isa__link *link)
{
    size_t number = (size_t)(link - isa__chain_of(link->owner)->links);
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
    for (uint32_t i = 0; i < path->link_count; i++) {
        chain->links[i].owner = registration;
        chain->links[i].path_link = &path->links[i];
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

static void end_at_links(struct isa__chain *chain, const struct isa__dependency *dependency)
{
    for (uint32_t i = 0; i < dependency->link_count; i++)
        isa__link_did_change(&chain->links[dependency->links[i]]);
}

// The route by which `owner` hears what `registration` is notified of, 0 if by none: the
// registration may be a forwarder, its forwarder, …
static uint64_t route_between(const struct isa__registration *registration,
                              const struct isa__registration *owner)
{
    uint32_t tag = isa__registration_tag_load(registration);
    while (tag & ISA_TAG_FORWARDER && !(tag & ISA_TAG_ENDED)) {
        const struct isa__link *link = isa__forwarder_link(registration);
        if (link->owner == owner) return link->path_link->is_main ? 0 : bit_of(link);
        registration = link->owner;
        tag = isa__registration_tag_load(registration);
    }
    return 0;
}

// The routes by which `owner` has yet to hear the change announced, if this thread announces it.
static uint64_t coming_routes(const struct isa__registration *owner,
                              const struct isa__dependent_change *change)
{
    if (change->thread != isa__thread_get()->number) return 0;
    const struct isa__open *open = isa__change_of(change->number);
    if (open == NULL) return 0;
    uint64_t routes = 0;
    for (uint32_t i = 0; i < open->coming_count; i++) {
        struct isa__registration *item = isa__item_load(&open->coming[i]);
        if (item == owner) routes |= UINT64_C(1) << ISA_ROUTE_DIRECT;
        else routes |= route_between(item, owner);
    }
    return routes;
}

// Takes the route by `link` off a change: its end will not be heard. True if it had no other, and
// none is to come.
static bool cancel_one_locked(struct isa__link *link, struct isa__dependent_change *change)
{
    uint64_t before = change->routes | change->coming;
    bool had = (change->routes & bit_of(link)) != 0;
    change->routes &= ~bit_of(link);
    change->coming &= ~bit_of(link);
    if (had) end_at_links(isa__chain_of(link->owner), &link->path_link->dependency);
    if (had && change->routes == 0) change->coming = coming_routes(link->owner, change);
    return before & bit_of(link) && (change->routes | change->coming) == 0;
}

// Takes the route by `link` off every change in progress. Answers the changes that are over by
// that.
static struct isa__dependent_change *cancel_locked(struct isa__link *link)
{
    struct isa__chain *chain = isa__chain_of(link->owner);
    struct isa__dependent_change *over = NULL;
    struct isa__dependent_change **at = &chain->changes;
    while (*at != NULL) {
        struct isa__dependent_change *change = *at;
        if (!cancel_one_locked(link, change)) {
            at = &change->next;
            continue;
        }
        *at = change->next;
        change->next = over;
        over = change;
    }
    return over;
}

void isa__chain_cancel_route(struct isa__link *link)
{
    struct isa__chain *chain = isa__chain_of(link->owner);
    if (link->path_link->is_main) return;
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change *over = cancel_locked(link);
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
    if (isa__may_notify_at(thread, thread->hazard_count))
        isa__notify_of(thread, owner, &passed, false);
    isa_object_release(object);
}

void isa__link_hear(struct isa__link *link, const kvo_change *change)
{
    struct isa__registration *owner = link->owner;
    const struct isa__path_link *path_link = link->path_link;
    if (path_link->is_main) {
        pass_on(owner, change);
        return;
    }
    isa_id object = isa__side_copy_object(isa__chain_of(owner)->side);
    if (object == NULL) return;
    struct isa__route route = {&path_link->dependency, isa__change_number(), bit_of(link)};
    if (change->is_prior) isa__dependent_will(object, owner, &route);
    else isa__dependent_did(object, owner, &route);
    isa_object_release(object);
}

// Whether the object of a side record is not being deallocated; of a foreign one not known.
static bool is_plainly_alive(const struct isa__side *side)
{
    return !(isa__side_flags(side) & ISA_SIDE_HOOKED) &&
           !(__atomic_load_n(&side->count, __ATOMIC_ACQUIRE) & ISA_RECORD_DEALLOCATING);
}

// The same of any; a foreign one can be asked only by holding on to it.
static bool is_alive(struct isa__side *side)
{
    isa_id object = isa__side_copy_object(side);
    isa_object_release(object);
    return object != NULL;
}

static void go_up_slowly(const struct isa__link *link, const kvo_change *change);

// Along a path of many keys each forwarder would notify the next: this goes up to the last of them,
// without a call for each, unless the event log is to hear of each. Forwarders on the way need no
// more than to stand. The reader section in which the first was found covers them: each holds a
// reference to the next one up, given up when it is freed, and a forwarder that has not ended by
// now cannot be freed before the section ends. Where nobody listens to the log, and as long as no
// object is foreign, it can be `quick`, a constant.
ISA_INLINE void go_up(const struct isa__link *link, const kvo_change *change, bool quick)
{
    enum { LOGGED = 64 };
    while (link->path_link->is_main) {
        const struct isa__registration *owner = link->owner;
        uint32_t tag = isa__registration_tag_load(owner);
        if (tag & ISA_TAG_ENDED) return;
        if (!(tag & ISA_TAG_FORWARDER)) {
            pass_on(owner, change);
            return;
        }
        struct isa__side *side = isa__chain_of(owner)->side;
        if (quick && (!is_plainly_alive(side) || isa__event_on())) {
            go_up_slowly(link, change);
            return;
        }
        if (!quick && isa__event_on() && isa__current->hazard_count < LOGGED) break;
        if (!quick && !is_alive(side)) return;
        link = isa__forwarder_link(owner);
    }
    isa__link_hear((struct isa__link *)(uintptr_t)link, change);
}

ISA_OUTLINE void go_up_slowly(const struct isa__link *link, const kvo_change *change)
{
    go_up(link, change, false);
}

void isa__forwarder_notified(const kvo_change *change, void *info)
{
    go_up(info, change, true);
}

void isa__forwarder_ended(void *info)
{
    isa__registration_drop(((struct isa__link *)info)->owner);
}

// ---- links --------------------------------------------------------------------------------------

isa_status isa__chain_attach(isa_id object, struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    isa_status status = ISA_OK;
    for (uint32_t i = 0; i < chain->path->link_count && status == ISA_OK; i++)
        status = isa__link_follow(object, &chain->links[i]);
    return status;
}

ISA_RARE void report_not_renewed(isa_id object, const struct isa__registration *registration,
                               isa_status status)
{
    isa__misuse(status, isa_last_error()->exception,
                "key path \"%.128s\" of <%s %p> cannot be followed any further: %.200s",
                registration->key->text, isa_object_get_class(object)->original->name,
                (void *)object, isa_last_error()->reason);
}

ISA_INLINE void renew(isa_id object, struct isa__registration *registration,
                      const struct isa__dependency *dependency)
{
    struct isa__chain *chain = isa__chain_of(registration);
    for (uint32_t i = 0; i < dependency->link_count; i++) {
        if (isa__registration_tag_load(registration) & ISA_TAG_ENDED) return;
        isa_status status = isa__link_follow(object, &chain->links[dependency->links[i]]);
        if (status != ISA_OK) report_not_renewed(object, registration, status);
    }
}

void isa__chain_renew(isa_id object, struct isa__registration *registration,
                      const struct isa__dependency *dependency)
{
    renew(object, registration, dependency);
}

void isa__chain_detach(struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    for (uint32_t i = 0; i < chain->path->link_count; i++) isa__link_leave(&chain->links[i]);
}

bool isa__chain_is_quiet(const struct isa__registration *registration)
{
    // Before the tag, which says that the token is released before its reference is given up.
    uint32_t references = __atomic_load_n(&registration->references, __ATOMIC_ACQUIRE);
    uint32_t tag = isa__registration_tag_load(registration);
    bool has_token = tag & ISA_TAG_FUNCTION && !(tag & ISA_TAG_RELEASED);
    return references == 1 + (uint32_t)has_token;
}

// ---- changes of what a registration depends on --------------------------------------------------

static struct isa__dependent_change **find_change_locked(struct isa__chain *chain, uint64_t number)
{
    uint64_t thread = isa__thread_get()->number;
    struct isa__dependent_change **at = &chain->changes;
    while (*at != NULL && ((*at)->number != number || (*at)->thread != thread)) at = &(*at)->next;
    return at;
}

static struct isa__dependent_change *make_change_locked(struct isa__chain *chain, uint64_t number)
{
    struct isa__dependent_change *made = &chain->spare;
    if (chain->spare_used) made = isa__alloc(ISA_KIND_PENDING, sizeof *made);
    if (made == NULL) return NULL;
    if (made == &chain->spare) chain->spare_used = true;
    made->thread = isa__thread_get()->number;
    made->number = number;
    made->routes = 0;
    isa__held_clear(&made->old_value);
    made->next = chain->changes;
    chain->changes = made;
    return made;
}

// Notes that the change has come by the route. True if that is its first; false also when memory is
// short.
static bool note_change(struct isa__chain *chain, const struct isa__route *route)
{
    struct isa__lock *lock = lock_chain(chain);
    struct isa__dependent_change *change = *find_change_locked(chain, route->number);
    bool is_first = change == NULL;
    if (is_first) change = make_change_locked(chain, route->number);
    if (change != NULL) {
        change->routes |= route->bit;
        change->coming = 0;
    }
    isa__unlock(lock);
    if (change == NULL)
        isa__misuse(ISA_ERR_NO_MEMORY, NULL, "no memory to note a change of key path %.128s",
                    chain->path->text->text);
    return is_first && change != NULL;
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
    struct isa__dependent_change **at = find_change_locked(chain, route->number);
    struct isa__dependent_change *found = *at;
    if (found != NULL) found->routes &= ~route->bit;
    if (found != NULL && found->routes != 0) found = NULL;
    if (found != NULL) *at = found->next;
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

static void describe(isa_id object, const struct isa__registration *registration,
                     const struct isa__held *old, kvo_change *out)
{
    bool wants_old = (isa__registration_tag_load(registration) & KVO_OPTION_OLD) != 0;
    *out = (kvo_change){.object = object,
                        .key_path = registration->key->text,
                        .context = isa__registration_context(registration),
                        .kind = KVO_CHANGE_SETTING,
                        .cause = isa__change_cause()};
    if (wants_old && old != NULL) out->old_value = old->value;
}

// Whether a change has to be noted between will and did: to keep the old value, or because it may
// come by several routes.
static bool is_noted(const struct isa__registration *registration)
{
    return (isa__registration_tag_load(registration) & KVO_OPTION_OLD) != 0 ||
           isa__chain_of(registration)->path->affecting_links > 0;
}

// A change of the object's own key, not a change that a forwarder has heard: there an equal
// registration has a forwarder of its own.
static bool is_direct(const struct isa__route *route)
{
    return route->bit == UINT64_C(1) << ISA_ROUTE_DIRECT;
}

// Reports that a change reaches the registration, which makes that the cause of what follows.
ISA_RARE uint64_t report_reached(isa_id object, const struct isa__registration *registration,
                                 isa_event_flags flags)
{
    return isa__event_begin(&(isa_event){.kind = ISA_EVENT_DEPENDENT_REACHED,
                                         .flags = flags,
                                         .object = object,
                                         .name = registration->key->text});
}

static void dependent_announce(isa_id object, struct isa__registration *registration,
                               const struct isa__route *route)
{
    struct isa__chain *chain = isa__chain_of(registration);
    uint32_t tag = isa__registration_tag_load(registration);
    for (uint32_t i = 0; i < route->dependency->link_count; i++)
        isa__link_will_change(object, &chain->links[route->dependency->links[i]]);
    if (is_noted(registration) && !note_change(chain, route)) return;
    struct isa__held old;
    isa__held_clear(&old);
    if (tag & KVO_OPTION_OLD) {
        read_value(object, registration, &old);
        if (isa__event_on())
            isa__report_read(object, registration->key->text, &old, KVO_OPTION_OLD, 1);
    }
    if (tag & KVO_OPTION_PRIOR) {
        kvo_change notified;
        describe(object, registration, &old, &notified);
        notified.is_prior = true;
        isa__notify_checked(registration, &notified, is_direct(route));
    }
    if (is_noted(registration)) keep_old(chain, route, &old);
}

void isa__dependent_will(isa_id object, struct isa__registration *registration,
                         const struct isa__route *route)
{
    bool logged = isa__event_on();
    uint64_t cause = logged ? report_reached(object, registration, ISA_EVENT_PRIOR) : 0;
    dependent_announce(object, registration, route);
    if (logged) isa__event_end(cause);
}

static void notify_after(isa_id object, struct isa__registration *registration,
                         const struct isa__dependent_change *change, bool equal_serves)
{
    struct isa__held new_value;
    isa__held_clear(&new_value);
    kvo_change notified;
    describe(object, registration, change == NULL ? NULL : &change->old_value, &notified);
    if (isa__registration_tag_load(registration) & KVO_OPTION_NEW) {
        read_value(object, registration, &new_value);
        if (isa__event_on())
            isa__report_read(object, registration->key->text, &new_value, KVO_OPTION_NEW, 1);
    }
    notified.new_value = new_value.value;
    isa__notify_checked(registration, &notified, equal_serves);
    isa__held_drop(&new_value);
}

static void dependent_end(isa_id object, struct isa__registration *registration,
                          const struct isa__route *route)
{
    struct isa__chain *chain = isa__chain_of(registration);
    struct isa__dependent_change *change = NULL;
    renew(object, registration, route->dependency);
    end_at_links(chain, route->dependency);
    if (is_noted(registration)) {
        change = end_change(chain, route);
        if (change == NULL) return;
    }
    notify_after(object, registration, change, is_direct(route));
    if (change != NULL) give_back(chain, change);
}

void isa__dependent_did(isa_id object, struct isa__registration *registration,
                        const struct isa__route *route)
{
    bool logged = isa__event_on();
    uint64_t cause = logged ? report_reached(object, registration, 0) : 0;
    dependent_end(object, registration, route);
    if (logged) isa__event_end(cause);
}
