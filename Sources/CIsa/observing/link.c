// The links of key paths: a registration of a key path attaches to each object on the path, moves
// to the next object when a value on the way changes, and leaves at its end.
//
// Two threads may replace the same value at once, and the link must end up at the last one. So
// every change takes a ticket before it reads the value and attaches, and only a later ticket
// replaces an earlier one.
//
// Owns:      the forwarders and forwarding observers on related objects; also those taken out of
//            registries, until they are put into others or ended.
// Lives:     in a registration's chain. Either holds a reference to the registration until no
//            thread can be calling it, so it always finds its link.
// Locks:     isa__lock_for(the observed object) guards its links, and each registry; one at a time.
//            No code of the user runs under it: values are read, and forwarders registered and
//            ended, without a lock.
// Invariant: a link ends up attached to the value that its key has after the last announced change:
//            the latest ticket was taken after the last value was set.
#include "link.h"

#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "chain.h"
#include "change.h"
#include "deliver.h"
#include "kvo_start.h"
#include "notifying_class.h"
#include "registry.h"

static isa_class observer_class;

struct forwarding_observer {
    struct isa_header header;
    struct isa__link *link;
};

static struct isa__lock *lock_link(const struct isa__link *link)
{
    return isa__lock_object(isa__chain_of(link->owner)->side->object);
}

// ---- attaching ----------------------------------------------------------------------------------

static uint32_t options_of(const struct isa__link *link)
{
    if (!link->path_link->is_main) return KVO_OPTION_PRIOR;
    uint32_t tag = isa__registration_tag_load(link->owner);
    return tag & (KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR);
}

static isa_status attach_observer(struct isa__link *link, isa_id related,
                                  struct isa__attachment *out)
{
    isa_status status = isa_object_allocate(observer_class, &out->observer);
    if (status != ISA_OK) return status;
    ((struct forwarding_observer *)out->observer)->link = link;
    isa__registration_hold(link->owner);
    const char *rest = link->path_link->rest->text;
    status = kvo_add_observer(related, out->observer, rest, options_of(link), link);
    // Only now: an object that refuses gets no record.
    out->related = status == ISA_OK ? isa__side_get(related) : NULL;
    out->state = ISA_LINK_OBSERVER;
    if (out->related != NULL) return ISA_OK;
    if (status == ISA_OK) {
        kvo_remove_observer_context(related, out->observer, rest, link);
        status = isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to observe \"%.128s\"", rest);
    }
    isa_object_release(out->observer);
    return status;
}

static isa_status attach_forwarder(struct isa__link *link, isa_id related,
                                   struct isa__attachment *out)
{
    kvo_function function = {isa__forwarder_notified, link, isa__forwarder_ended};
    isa__registration_hold(link->owner);
    out->state = ISA_LINK_FORWARDER;
    isa_status status = isa__kvo_forward(related, link->path_link->rest, options_of(link),
                                         &function, &out->forwarder);
    out->related = isa__side_find(related);
    return status;
}

static isa_status attach(struct isa__link *link, isa_id related, struct isa__attachment *out)
{
    struct isa__attachment made;
    isa_status status = isa__kvo_takes_over(related) ? attach_observer(link, related, &made)
                                                     : attach_forwarder(link, related, &made);
    if (status != ISA_OK) return status;
    isa__side_hold(made.related);
    *out = made;
    return ISA_OK;
}

// Puts in what was attached, unless a later ticket has been before or the registration has ended.
// Answers the attachment to end then.
static struct isa__attachment install(struct isa__link *link, uint64_t ticket,
                                      struct isa__attachment attachment)
{
    struct isa__attachment leftover = attachment;
    struct isa__lock *lock = lock_link(link);
    bool ended = (isa__registration_tag_load(link->owner) & ISA_TAG_ENDED) != 0;
    if (!ended && ticket > link->installed) {
        link->installed = ticket;
        leftover = link->attachment;
        link->attachment = attachment;
    }
    isa__unlock(lock);
    return leftover;
}

// Takes out what is attached, unless a later ticket has put that in.
static struct isa__attachment attachment_take_out(struct isa__link *link, uint64_t ticket)
{
    struct isa__attachment attachment = {0};
    struct isa__lock *lock = lock_link(link);
    if (ticket > link->installed) {
        attachment = link->attachment;
        link->attachment = (struct isa__attachment){0};
    }
    isa__unlock(lock);
    return attachment;
}

static void end_observer(isa_id observer, struct isa__side *side)
{
    const struct isa__link *link = ((struct forwarding_observer *)observer)->link;
    isa_id related = isa__side_copy_object(side);
    if (related != NULL)
        kvo_remove_observer_context(related, observer, link->path_link->rest->text,
                                    (void *)(uintptr_t)link);
    isa_object_release(related);
    isa_object_release(observer);
}

static void end_now(struct isa__link *link, const struct isa__attachment *attachment)
{
    if (attachment->state == ISA_LINK_FORWARDER)
        isa__registration_release_token(attachment->forwarder);
    else end_observer(attachment->observer, attachment->related);
    isa__side_drop(attachment->related);
    isa__chain_cancel_route(link);
}

static void end_first(struct isa__thread *thread)
{
    struct isa__link *link = thread->to_end;
    struct isa__attachment attachment = link->to_end;
    thread->to_end = link->next_to_end;
    link->to_end.state = ISA_LINK_NONE;
    end_now(link, &attachment);
    isa__registration_drop(link->owner);
}

// Ends what was taken out of the link, or never came into it. A forwarder's end ends those further
// along the path: of a long one, some within one another and then the others.
static void attachment_end(struct isa__link *link, const struct isa__attachment *attachment)
{
    enum { WITHIN_ONE_ANOTHER = 32 };
    struct isa__thread *thread = isa__thread_get();
    uint32_t depth;
    if (attachment->state == ISA_LINK_NONE) return;
    bool nests = isa__nest_enter(thread, &thread->ending, WITHIN_ONE_ANOTHER, &depth);
    if (!nests && link->to_end.state == ISA_LINK_NONE) {
        isa__registration_hold(link->owner);
        link->to_end = *attachment;
        link->next_to_end = thread->to_end;
        thread->to_end = link;
        return;
    }
    end_now(link, attachment);
    if (!nests) return;
    while (depth == 0 && thread->to_end != NULL) end_first(thread);
    isa__nest_leave(&thread->ending, depth);
}

void isa__link_leave(struct isa__link *link)
{
    struct isa__attachment attachment = attachment_take_out(link, UINT64_MAX);
    attachment_end(link, &attachment);
}

// ---- moving -------------------------------------------------------------------------------------

// Where another object has come to stand on a key path, the forwarder on the former one is put into
// the registry of the new one, as it is, and so are its forwarders on the rest of the path.
//
// A registration is changed only while nobody can reach it. It was alone in its registry and is
// taken out; no other thread is inside that object, where it could have found it before, and this
// one delivers one change, of another object; and nobody counts a reference to it but its own
// registry, its link, and its forwarder, so that no announced change waits for it. Nothing is below
// the last, by which a thread could come up to the others. If any of this fails all are ended.

enum { LEVELS = 16 };

// One forwarder on its way.
struct moving {
    struct isa__attachment attachment; // that was the link's above
    struct isa__link *link; // of its chain; NULL: it has none
    uintptr_t word;         // of the object it was on, if that had nothing else; else 0
    uint16_t census;        // that was found there: see base/reclaim.h
};

// Whether this thread delivers nothing but the change of `object` in whose course its link is led
// elsewhere.
static bool may_move(isa_id object, const struct isa__link *link)
{
    const struct isa__thread *thread = isa__thread_get();
    return link->path_link->is_main && thread->open != NULL && thread->open->outer == NULL &&
           thread->open->object == object && thread->hazard_count == 0 &&
           thread->reader_depth == 0 && isa__slow_path_reasons() == 0;
}

// The record of the class of an object for which nothing but its registry is concerned when its
// registrations change; NULL of any other.
static struct isa__observed *find_usual(isa_id object)
{
    struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    return observed != NULL && isa__observed_is_usual(observed) ? observed : NULL;
}

static bool is_movable(uint32_t tag)
{
    const uint32_t needed = ISA_TAG_FUNCTION | ISA_TAG_FORWARDER | ISA_TAG_REGISTERED;
    const uint32_t excluded = ISA_TAG_ENDED | ISA_TAG_RELEASED | ISA_TAG_SHARED | ISA_TAG_NOTED;
    return (tag & (needed | excluded)) == needed;
}

static void forwarder_show_locked(struct isa__side *side, uintptr_t word, isa_class notifying)
{
    __atomic_store_n(&side->observing, word, __ATOMIC_RELEASE);
    isa__registry_swap_isa_locked(side->object, word, notifying);
}

ISA_OUTLINE bool leave_others_locked(struct isa__side *side,
                                     const struct isa__registration *forwarder)
{
    uintptr_t word = isa__observing_value(side);
    struct isa__registration_list *list = isa__word_own_list(word);
    uint32_t place = isa__word_find(word, forwarder);
    bool done = list != NULL && place != ISA_NOWHERE && isa__registry_is_unwatched_locked(side);
    if (done) isa__list_remove(list, place, true);
    return done;
}

// Takes a forwarder out of its registry, and what its link has into `below`. False and nothing done
// if it cannot be moved.
static bool forwarder_take(struct moving *moving, struct isa__attachment *below)
{
    const struct isa__registration *forwarder = moving->attachment.forwarder;
    struct isa__side *side = moving->attachment.related;
    uint32_t tag = isa__registration_tag_load(forwarder);
    struct isa__chain *chain = tag & ISA_TAG_CHAINED ? isa__chain_of(forwarder) : NULL;
    if (!is_movable(tag)) return false;
    if (chain != NULL && (chain->path->link_count != 1 || !chain->path->links[0].is_main))
        return false;
    moving->link = chain == NULL ? NULL : chain->links;
    struct isa__lock *lock = isa__lock_object(side->object);
    uintptr_t word = isa__observing_value(side);
    bool alone = isa__word_has_only(word, forwarder);
    // While its registry has registrations the object is there.
    bool taken = word != 0 && find_usual(side->object) != NULL &&
                 (alone || leave_others_locked(side, forwarder));
    if (taken) {
        moving->word = alone ? word : 0;
        moving->census = isa__census_removing_locked(isa__current, &side->census);
        if (alone) forwarder_show_locked(side, 0, NULL);
        if (chain != NULL) *below = chain->links->attachment;
        if (chain != NULL) chain->links->attachment = (struct isa__attachment){0};
    }
    isa__unlock(lock);
    return taken;
}

// Whether nobody else has or waits for the forwarder that was taken out, on which `below` depends.
static bool is_ours(const struct moving *moving, const struct isa__attachment *below)
{
    const struct isa__registration *forwarder = moving->attachment.forwarder;
    struct isa__side *side = moving->attachment.related;
    if (!isa__census_await(isa__current, &side->census, side->object, moving->census)) return false;
    uint32_t known = 2 + (below->state != ISA_LINK_NONE);
    if (__atomic_load_n(&forwarder->references, __ATOMIC_ACQUIRE) != known ||
        isa__registration_tag_load(forwarder) & (ISA_TAG_ENDED | ISA_TAG_RELEASED))
        return false;
    if (moving->link == NULL) return true;
    const struct isa__chain *chain = isa__chain_of(forwarder);
    return chain->changes == NULL && !chain->spare_used &&
           __atomic_load_n(&moving->link->changing, __ATOMIC_ACQUIRE) == 0;
}

// Ends the forwarders that were taken out and cannot be put in anywhere.
static void end_all(struct moving *moving, size_t count)
{
    while (count-- > 0) {
        isa__word_let_go(moving[count].word, false);
        attachment_end(isa__forwarder_link(moving[count].attachment.forwarder),
                       &moving[count].attachment);
    }
}

// Takes out what the link has, and all that is below it. Answers how many the caller moves; with
// none `out[0]` has what the link had.
static size_t take_all(struct isa__link *link, uint64_t ticket, struct moving out[LEVELS + 1])
{
    size_t count = 0;
    bool ours = true;
    out[0].attachment = attachment_take_out(link, ticket);
    while (count < LEVELS && out[count].attachment.state == ISA_LINK_FORWARDER) {
        out[count + 1].attachment.state = ISA_LINK_NONE;
        if (!forwarder_take(&out[count], &out[count + 1].attachment)) break;
        count++;
    }
    if (count == 0) return 0;
    if (out[count].attachment.state != ISA_LINK_NONE) ours = false;
    for (size_t i = 0; i < count && ours; i++) ours = is_ours(&out[i], &out[i + 1].attachment);
    if (ours) return count;
    attachment_end(out[count - 1].link, &out[count].attachment);
    end_all(out, count);
    out[0].attachment.state = ISA_LINK_NONE;
    return 0;
}

// The notifying class of an object that nobody observes, and that would be asked nothing, were it
// observed as the object was that the forwarder comes from; NULL if there may be more to it.
static isa_class find_notifying(isa_id object, const struct moving *moving)
{
    const struct isa__registration *forwarder = moving->attachment.forwarder;
    const struct isa__observed *observed = find_usual(object);
    if (observed == NULL || isa__registration_notes_load() != 0) return NULL;
    const struct isa__known_path *known =
        isa__fact_find(observed->original, forwarder->key, ISA_FACT_PATH);
    if (known == NULL) return NULL;
    bool same = moving->link == NULL ? known->path->is_plain
                                     : known->path == isa__chain_of(forwarder)->path;
    return same ? known->notifying : NULL;
}

// The word of a record with the forwarder as its last registration; 0 if it cannot be had.
ISA_OUTLINE uintptr_t add_to_word_locked(struct isa__side *side,
                                         struct isa__registration *forwarder)
{
    uintptr_t word = isa__observing_value(side), made = 0;
    if (word != 0 && !isa__registry_is_unwatched_locked(side)) return 0;
    if (isa__word_add(&word, forwarder)) return word;
    if (isa__word_base(word) != NULL) return 0;
    const struct isa__word_parts parts = {.former = word, .add = forwarder};
    return isa__word_make(&parts, &made) == ISA_OK ? made : 0;
}

// The word that the record is to have; 0 if it cannot be had.
static uintptr_t find_word_locked(const struct moving *moving, struct isa__side *side)
{
    if (isa__object_is_deallocating(side->object)) return 0;
    if (isa__observing_value(side) == 0 && moving->word != 0) return moving->word;
    return add_to_word_locked(side, moving->attachment.forwarder);
}

// Puts one into the registry of `object`; false if that cannot be.
static bool forwarder_put(struct moving *moving, isa_id object)
{
    struct isa__registration *forwarder = moving->attachment.forwarder;
    isa_class notifying = find_notifying(object, moving);
    if (notifying == NULL) return false;
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) side = isa__side_get(object);
    if (side == NULL) return false;
    // The registration holds the record, its chain does, and the link above.
    uint32_t holds = moving->link == NULL ? 2 : 3;
    isa__side_hold_many(side, holds);
    isa__side_drop_many(moving->attachment.related, holds);
    moving->attachment.related = forwarder->side = side;
    if (moving->link != NULL) isa__chain_of(forwarder)->side = side;
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t before = isa__observing_value(side), word = find_word_locked(moving, side);
    if (word != 0) {
        isa__census_adding_locked(isa__current, &side->census);
        forwarder_show_locked(side, word, notifying);
    }
    isa__unlock(lock);
    if (word == 0) return false;
    // Nobody looks at what leads nowhere now.
    if (word != before) isa__word_let_go(before, true);
    if (word != moving->word) isa__word_let_go(moving->word, true);
    return true;
}

static isa_status follow_on(isa_id object, struct moving *moving, size_t count);

// Puts the first into the registry of `object`, and the others where its path leads to. False if
// that cannot be: then all have been ended.
static bool put_all(struct moving *moving, size_t count, isa_id object,
                    struct isa__attachment *out)
{
    if (count == 0) return false;
    if (!forwarder_put(moving, object)) {
        end_all(moving, count);
        return false;
    }
    if (moving->link != NULL && follow_on(object, moving, count) != ISA_OK) {
        attachment_end(isa__forwarder_link(moving->attachment.forwarder), &moving->attachment);
        return false;
    }
    *out = moving->attachment;
    return true;
}

// ---- following ----------------------------------------------------------------------------------

// Attaches the link to `related`, NULL for none: by what was taken out, if it can be put there,
// else anew.
static isa_status lead(struct isa__link *link, uint64_t ticket, isa_id related,
                       struct moving *taken, size_t count)
{
    struct isa__attachment next = {0};
    isa_status status = ISA_OK;
    if (related == NULL) end_all(taken, count);
    else if (!put_all(taken, count, related, &next)) status = attach(link, related, &next);
    struct isa__attachment leftover = install(link, ticket, next);
    attachment_end(link, &leftover);
    return status;
}

static uint64_t take_ticket(struct isa__link *link)
{
    return __atomic_add_fetch(&link->issued, 1, __ATOMIC_SEQ_CST);
}

// Leads on from a forwarder that has been put into the registry of `object`: the others go where
// its path leads to.
static isa_status follow_on(isa_id object, struct moving *moving, size_t count)
{
    isa_id related = NULL;
    uint64_t ticket = take_ticket(moving->link);
    isa_status status = isa__copy_related(object, moving->link->path_link->head, &related);
    isa_status led = lead(moving->link, ticket, related, moving + 1, count - 1);
    isa_object_release(related);
    return status == ISA_OK ? led : status;
}

isa_status isa__link_follow(isa_id object, struct isa__link *link)
{
    struct moving taken[LEVELS + 1];
    size_t count = 0;
    isa_id related = NULL;
    uint64_t ticket = take_ticket(link);
    isa_status status = isa__copy_related(object, link->path_link->head, &related);
    taken[0].attachment.state = ISA_LINK_NONE;
    if (related != NULL && may_move(object, link)) count = take_all(link, ticket, taken);
    isa_status led = lead(link, ticket, related, taken, count);
    if (count == 0) attachment_end(link, &taken[0].attachment);
    isa_object_release(related);
    return status == ISA_OK ? led : status;
}

// ---- values that changed unannounced ------------------------------------------------------------

// Whether a weak reference to the record's object is NULL by now.
static bool is_dying(const struct isa__side *side)
{
    if (isa__side_flags(side) & ISA_SIDE_DEAD) return true;
    return !(isa__side_flags(side) & ISA_SIDE_HOOKED) &&
           __atomic_load_n(&side->count, __ATOMIC_ACQUIRE) & ISA_RECORD_DEALLOCATING;
}

// The address of what the link is attached to, NULL if that is nothing or dies; and the ticket with
// which it came.
static isa_id find_related(const struct isa__link *link, uint64_t *ticket)
{
    struct isa__lock *lock = lock_link(link);
    const struct isa__side *side = link->attachment.related;
    bool alive = link->attachment.state != ISA_LINK_NONE && !is_dying(side);
    isa_id related = alive ? side->object : NULL;
    *ticket = link->installed;
    isa__unlock(lock);
    return related;
}

// Whether a change announced by hand may lead the link elsewhere: one of its key, or of a key that
// affects that.
static bool is_announced_by_hand(const struct isa__link *link)
{
    const struct isa__chain *chain = isa__chain_of(link->owner);
    const struct isa__path *path = chain->path;
    for (uint32_t i = 0; i < path->dependency_count; i++) {
        const struct isa__dependency *dependency = &path->dependencies[i];
        for (uint32_t j = 0; j < dependency->link_count; j++)
            if (&chain->links[dependency->links[j]] == link &&
                isa__manual_is_announced(chain->side, dependency->key))
                return true;
    }
    return false;
}

// Whether a change of the link's key may be in progress that the registration, being younger, has
// not heard announced: another than the innermost where that one `is_announced` to it. A thread
// that ends a change by hand is in a reader section before the change is announced no more, so
// readers are looked at last.
static bool is_unsettled(isa_id object, const struct isa__link *link, bool is_announced)
{
    return isa__is_changing(object, is_announced) || is_announced_by_hand(link) ||
           isa__others_are_reading();
}

// Whether the link's key has another value than the attached object, although no change of the key
// is in progress but `announced` ones: another thread's shows in the count, in its reader section
// or, once it is over, in the ticket, unless the registration has ended.
static bool is_inconsistent(isa_id object, const struct isa__link *link, uint32_t announced)
{
    if (isa__class_is_gnustep(isa_object_get_class(object))) return false;
    uint64_t before, after;
    isa_id related = find_related(link, &before);
    if (related == NULL || isa__leads_to(object, link->path_link->head, related) ||
        is_unsettled(object, link, announced > 0))
        return false;
    find_related(link, &after);
    return before == after &&
           __atomic_load_n(&link->changing, __ATOMIC_SEQ_CST) == announced &&
           __atomic_load_n(&link->issued, __ATOMIC_SEQ_CST) == after &&
           !(isa__registration_tag_load(link->owner) & ISA_TAG_ENDED);
}

static isa_status inconsistent(isa_id object, const struct isa__link *link, const char *what,
                               isa_status (*fail)(isa_status, const char *, const char *, ...))
{
    const char *name = isa_object_get_class(object)->original->name;
    char observer[ISA_OBSERVER_TEXT_SIZE];
    const struct isa__registration *served = link->owner;
    while (isa__registration_tag_load(served) & ISA_TAG_FORWARDER)
        served = isa__forwarder_link(served)->owner;
    isa__registration_write_observer(served, observer);
    return fail(KVO_ERR_INCONSISTENT, NULL,
                "Cannot %s an observer %s for the key path \"%.128s\" from <%s %p>, most likely "
                "because the value for the key \"%.128s\" has changed without an appropriate KVO "
                "notification being sent. Check the KVO-compliance of the %s class.",
                what, observer, link->owner->key->text, name, (void *)object,
                link->path_link->head->text, name);
}

void isa__link_will_change(isa_id object, struct isa__link *link)
{
    uint32_t before = __atomic_fetch_add(&link->changing, 1, __ATOMIC_SEQ_CST);
    if (before == 0 && is_inconsistent(object, link, 1))
        inconsistent(object, link, "update", isa__misuse);
}

// The link's forwarder, with a hold, if it follows the path further; NULL if not.
static struct isa__registration *hold_chained(const struct isa__link *link)
{
    struct isa__lock *lock = lock_link(link);
    struct isa__registration *forwarder = link->attachment.forwarder;
    bool chained = link->attachment.state == ISA_LINK_FORWARDER &&
                   isa__registration_tag_load(forwarder) & ISA_TAG_CHAINED;
    if (chained) isa__registration_hold(forwarder);
    isa__unlock(lock);
    return chained ? forwarder : NULL;
}

// As far down as there is room for: no more is lost than a diagnosis.
static isa_status check_below(const struct isa__link *link)
{
    if (!isa__stack_has_room(isa__thread_get())) return ISA_OK;
    struct isa__registration *forwarder = hold_chained(link);
    if (forwarder == NULL) return ISA_OK;
    isa_id related = isa__side_copy_object(isa__chain_of(forwarder)->side);
    isa_status status = related == NULL ? ISA_OK : isa__links_check(related, forwarder);
    isa_object_release(related);
    isa__registration_drop(forwarder);
    return status;
}

isa_status isa__links_check(isa_id object, struct isa__registration *registration)
{
    struct isa__chain *chain = isa__chain_of(registration);
    isa_status status = ISA_OK;
    for (uint32_t i = 0; i < chain->path->link_count && status == ISA_OK; i++) {
        const struct isa__link *link = &chain->links[i];
        status = is_inconsistent(object, link, 0) ? inconsistent(object, link, "remove", isa__fail)
                                                  : check_below(link);
    }
    return status;
}

// ---- forwarding observers -----------------------------------------------------------------------

static void observer_notified(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                              const kvo_change *change, void *context)
{
    (void)sel, (void)key_path, (void)object, (void)context;
    isa__link_hear(((struct forwarding_observer *)self)->link, change);
}

static void observer_dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__registration_drop(((struct forwarding_observer *)self)->link->owner);
}

isa_status isa__link_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_observe_value, (isa_imp)observer_notified, "v@:*@^v^v"},
        {&isa__sel_dealloc, (isa_imp)observer_dealloc, "v@:"},
    };
    static const struct isa__library_class observer = {
        &observer_class, "IsaForwardingObserver", NULL, KVC_KIND_OTHER,
        sizeof(struct forwarding_observer), {ISA_LIST_OF(methods)}};
    return isa__library_classes_make(&observer, 1);
}
