// The registry of one object: adding and removing registrations, and swapping the isa with the
// first and the last.
//
// Programs add and end the same registrations again and again. So the usual case, a function
// observed for a key that nothing affects, has a short way that asks the class nothing.
//
// Owns:      the words that side records hold, and the duty to retire the lists and registrations
//            that the words led to.
// Locks:     isa__lock_for(object) orders the changes of one registry and its isa swaps; readers
//            take none. Observers' release functions and events run with no lock held.
// Invariant: a registration is in at most one registry, once. The thread that sets its ENDED bit
//            retires it once it is out of the registry. The short way is taken only while the class
//            would answer as it did when it was asked, and where nobody listens to the event log.
#include "registry.h"

#include "../base/status.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "chain.h"
#include "deliver.h"
#include "kvo_start.h"
#include "log.h"
#include "notifying_class.h"
#include "path.h"

// ---- changing a registry ------------------------------------------------------------------------

// The results of a change, to be dealt with once the lock is given up.
struct registry_change {
    isa_class from, to;         // the isa before and after
    struct isa__retired *ended; // registrations to retire
    uintptr_t replaced;         // the word before, in full; 0: nothing to let go of
    uint16_t census;            // what it found: see base/reclaim.h
};

static void swap_isa_locked(isa_id object, uintptr_t word, isa_class notifying,
                            struct registry_change *change)
{
    change->from = isa_object_get_class(object);
    isa__registry_swap_isa_locked(object, word, notifying);
    change->to = isa_object_get_class(object);
}

// The differences between this word and the next.
struct edit {
    struct isa__registration *drop;
    uint32_t place; // of that one
    struct isa__registration *add;
    bool shares;
    struct isa__registration_list *base; // with `shares`: to be there
    isa_class notifying;
};

// Shows a word that has the registrations. A word that was `made` has a use of its own of the
// shared observers that it may lead to, even if it is the same as before.
static void registry_show_locked(struct isa__side *side, uintptr_t word, bool made,
                                 isa_class notifying, struct registry_change *change)
{
    uintptr_t before = isa__observing_value(side);
    if (word != before || made) change->replaced = isa__word_in_full(before);
    if (word != before) __atomic_store_n(&side->observing, word, __ATOMIC_RELEASE);
    swap_isa_locked(side->object, word, notifying, change);
}

bool isa__registry_is_unwatched_locked(const struct isa__side *side)
{
    return side->census == isa__thread_get()->own_state && !isa__is_changing(side->object, false);
}

// Changes what the word leads to as it stands, which takes as long however many there are. False if
// nothing was done: the word has to be made anew.
static bool change_in_place_locked(const struct isa__side *side, const struct edit *edit,
                                   uintptr_t *word, struct registry_change *change)
{
    if (edit->add != NULL) return isa__word_add(word, edit->add);
    struct isa__registration_list *list = isa__word_own_list(*word);
    if (edit->drop == NULL || list == NULL) return false;
    // A change of this thread's own goes on to notify each observer object for which an equal
    // registration stands, unless it has ended by itself.
    uint32_t tag = isa__registration_tag_load(edit->drop);
    if (!(tag & (ISA_TAG_FUNCTION | ISA_TAG_ENDED)) && isa__is_changing(side->object, false))
        return false;
    isa__registration_leave(edit->drop, &change->ended);
    isa__list_remove(list, edit->place, isa__registry_is_unwatched_locked(side));
    *word = isa__word_settled(*word);
    return true;
}

static isa_status change_locked(struct isa__side *side, const struct edit *edit,
                                struct registry_change *change)
{
    uintptr_t word = isa__observing_value(side);
    isa_status status = ISA_OK;
    bool done = change_in_place_locked(side, edit, &word, change);
    if (!done || (edit->drop != NULL && isa__word_is_worn(word, NULL))) {
        struct isa__word_parts parts = {
            .former = word, .ended = &change->ended, .is_optional = done};
        parts.base = edit->shares ? edit->base : isa__word_base(word);
        if (!done) parts.drop = edit->drop, parts.add = edit->add;
        status = isa__word_make(&parts, &word);
    }
    if (!done && status != ISA_OK) return status;
    registry_show_locked(side, word, !done, edit->notifying, change);
    return ISA_OK;
}

// The steps after a registration has left the registry. False if a thread may still come to it,
// although none is inside its object.
static bool end_one(isa_id object, struct isa__registration *registration,
                    isa_removal_reason reason)
{
    if (isa__event_on()) isa__log_removed(object, registration, reason);
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED)) return true;
    isa__chain_detach(registration);
    return isa__chain_is_quiet(registration);
}

static void let_all_go(struct isa__retired *things, bool alone)
{
    while (things != NULL) {
        struct isa__retired *next = things->next;
        isa__let_go(things, alone);
        things = next;
    }
}

// Whether no other thread holds what has ended: `alone` says so of those inside the object, `quiet`
// of all others, who are waited for.
static bool are_gone(bool alone, bool quiet)
{
    if (alone && !quiet) isa__wait_for_checks(0);
    return alone && quiet;
}

// Reports what the change did and lets go of what it replaced. `alone`: no other thread is inside
// the object. No lock held.
static void registry_finish(isa_id object, struct registry_change *change,
                            isa_removal_reason reason, bool alone)
{
    bool quiet = true;
    for (struct isa__retired *r = change->ended; r != NULL; r = r->next)
        quiet = end_one(object, (struct isa__registration *)r, reason) && quiet;
    bool gone = are_gone(alone, quiet);
    isa__object_report_swap(object, change->from, change->to);
    isa__word_let_go(change->replaced, alone);
    let_all_go(change->ended, gone);
}

bool isa__class_keeps_info(isa_class cls)
{
    const struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
    if (observed != NULL && isa__observed_is_usual(observed)) return false;
    return isa_class_find_imp(cls, isa__sel_set_observation_info) != NULL &&
           isa__method_is_overridden(cls, isa__sel_set_observation_info);
}

// Gives such a class the present pointer to what is registered.
static void store_info(isa_id object)
{
    typedef isa_status (*store_imp)(isa_id, isa_sel, void *info);
    if (!isa__class_keeps_info(isa_object_get_class(object))) return;
    isa_imp imp = isa_class_find_imp(isa_object_get_class(object), isa__sel_set_observation_info);
    ((store_imp)imp)(object, isa__sel_set_observation_info, isa__registry_info(object));
}

isa_status isa__registry_add(isa_id object, struct isa__registration *registration,
                             isa_class notifying)
{
    struct isa__side *side = isa__side_find(object);
    struct isa__thread *thread = isa__thread_get();
    struct registry_change change = {0};
    isa_status status = ISA_OK;
    struct isa__lock *lock = isa__lock_object(object);
    uint32_t tag = isa__registration_tag_load(registration);
    bool ended = (tag & ISA_TAG_ENDED) != 0;
    const struct edit edit = {.add = registration, .notifying = notifying};
    if (!ended) status = change_locked(side, &edit, &change);
    if (!ended && status == ISA_OK) isa__registration_tag_set(registration, ISA_TAG_REGISTERED);
    change.census = isa__census_adding_locked(thread, &side->census);
    isa__unlock(lock);
    if (status != ISA_OK) return status;
    if (ended) {
        isa__log_removed(object, registration, ISA_REMOVED_BY_CALL);
        if (isa__registration_holds_side(tag)) isa__side_drop(side);
        isa__retire((struct isa__retired *)registration);
        return ISA_OK;
    }
    bool alone = isa__census_is_alone(thread, &side->census, change.census);
    registry_finish(object, &change, ISA_REMOVED_BY_CALL, alone);
    store_info(object);
    return ISA_OK;
}

// ---- removing -----------------------------------------------------------------------------------

static bool matches(const struct isa__registration *registration, const void *wanted)
{
    const struct isa__removal *removal = wanted;
    const uint32_t excluded = ISA_TAG_FUNCTION | ISA_TAG_SHARED | ISA_TAG_ENDED;
    if (isa__registration_tag_load(registration) & excluded) return false;
    if (registration->key != removal->key) return false;
    if (removal->context != NULL &&
        isa__registration_context(registration) != *removal->context)
        return false;
    // By side record, which lives as long as the registration: an address may have a new owner.
    return registration->observer.weak.record == isa__side_find(removal->observer);
}

static struct isa__registration *find_match_locked(const struct isa__side *side,
                                                   const struct isa__removal *removal)
{
    uint32_t hash = isa__seeking_hash(isa__side_find(removal->observer), removal->key);
    const struct isa__seeking seeking = {hash, matches, removal, removal->oldest};
    return isa__word_seek(isa__observing_value(side), &seeking);
}

// Checks the links of a registration before its removal, while changes are still announced to it.
// The object's lock is held, and given up meanwhile.
static isa_status check_links_locked(isa_id object, struct isa__lock *lock,
                                     struct isa__registration *registration)
{
    isa__registration_hold(registration);
    isa__unlock(lock);
    isa_status status = isa__links_check(object, registration);
    isa__registration_drop(registration);
    isa__lock(lock);
    return status;
}

isa_status isa__registry_remove(isa_id object, const struct isa__removal *removal)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__side_find(removal->observer) == NULL) return KVO_ERR_NOT_REGISTERED;
    struct isa__thread *thread = isa__thread_get();
    struct registry_change change = {0};
    struct isa__lock *lock = isa__lock_object(object);
    struct isa__registration *found = find_match_locked(side, removal);
    isa_status checked = ISA_OK, status = KVO_ERR_NOT_REGISTERED;
    if (found != NULL && isa__registration_tag_load(found) & ISA_TAG_CHAINED) {
        checked = check_links_locked(object, lock, found);
        found = find_match_locked(side, removal);
    }
    if (found != NULL) {
        uint32_t place = isa__word_find(isa__observing_value(side), found);
        status = change_locked(side, &(struct edit){.drop = found, .place = place}, &change);
    }
    if (status == ISA_OK) change.census = isa__census_removing_locked(thread, &side->census);
    isa__unlock(lock);
    if (status != ISA_OK) return status;
    bool alone = isa__census_await(thread, &side->census, object, change.census);
    registry_finish(object, &change, ISA_REMOVED_BY_CALL, alone);
    store_info(object);
    return checked;
}

// Takes a registration that has ended out of its object's registry, unless another thread has done
// that: false then. A registration that is alone needs no memory for it, nor does one in a list.
static bool take_out_locked(struct isa__side *side, struct isa__registration *registration,
                            struct registry_change *change)
{
    uint32_t place = isa__word_find(isa__observing_value(side), registration);
    const struct edit edit = {.drop = registration, .place = place};
    return place != ISA_NOWHERE && change_locked(side, &edit, change) == ISA_OK;
}

// Ends a registration whose tag was `before`, without ISA_TAG_ENDED.
static void end_slowly(struct isa__registration *registration, uint32_t before)
{
    struct isa__side *side = registration->side;
    // The object may be dying on another thread: it is touched only while its registry has us,
    // which its deallocation empties under the same lock first.
    isa_id object = side->object;
    struct isa__thread *thread = isa__thread_get();
    struct registry_change change = {0};
    struct isa__lock *lock = isa__lock_object(object);
    bool registered = (isa__registration_tag_load(registration) & ISA_TAG_REGISTERED) != 0;
    bool keeps = registered && take_out_locked(side, registration, &change) &&
                 isa__class_keeps_info(isa_object_get_class(object));
    isa_id keeper = keeps ? isa__side_copy_object(side) : NULL;
    if (registered) change.census = isa__census_removing_locked(thread, &side->census);
    isa__unlock(lock);
    if (!registered) {
        isa__wait_for_checks(0);
        return; // isa__registry_add sees that it has ended, and retires it
    }
    bool alone = isa__census_await(thread, &side->census, object, change.census);
    bool quiet = end_one(object, registration, ISA_REMOVED_BY_CALL);
    registry_finish(object, &change, ISA_REMOVED_BY_CALL, alone);
    if (keeper != NULL) store_info(keeper);
    isa_object_release(keeper);
    alone = are_gone(alone, quiet);
    isa__registration_tag_set(registration, ISA_TAG_WAITED);
    // A function's registration holds the side, an observer object's ends only where it is alive.
    if (isa__registration_holds_side(before)) isa__side_drop(side);
    isa__let_go((struct isa__retired *)registration, alone);
}

// The first caller, which ended a registration whose tag was `before`, may not have waited yet, and
// a second caller is promised the same.
static void wait_as_first(uint32_t before)
{
    if (!(before & ISA_TAG_WAITED)) isa__wait_for_checks(0);
}

bool isa__registration_end(struct isa__registration *registration)
{
    uint32_t before = __atomic_fetch_or(&registration->tag, ISA_TAG_ENDED, __ATOMIC_SEQ_CST);
    if (before & ISA_TAG_ENDED) {
        wait_as_first(before);
        return false;
    }
    if (!isa__steady_end(registration, before, false)) end_slowly(registration, before);
    return true;
}

void isa__registration_drop_token(struct isa__registration *registration)
{
    uint32_t before = __atomic_fetch_or(&registration->tag, ISA_TAG_RELEASED, __ATOMIC_SEQ_CST);
    if (!(before & ISA_TAG_RELEASED)) isa__registration_drop(registration);
}

void isa__registration_release_token(struct isa__registration *registration)
{
    // The only reference left is the token's, unless that was given up: all has come to its end.
    if (isa__registration_is_last(registration)) {
        uint32_t tag = isa__registration_tag_load(registration);
        if (!(tag & ISA_TAG_RELEASED)) isa__registration_drop(registration);
        return;
    }
    uint32_t before = __atomic_fetch_or(&registration->tag, ISA_TAG_ENDED, __ATOMIC_SEQ_CST);
    if (before & ISA_TAG_ENDED) wait_as_first(before);
    else if (isa__steady_end(registration, before, true)) return;
    else end_slowly(registration, before);
    isa__registration_drop_token(registration);
}

// Reports the shared registrations that a word leads to: as added, or for a reason removed. Who
// calls holds what the word leads to.
ISA_RARE void log_shared(isa_id object, uintptr_t word, const isa_removal_reason *reason)
{
    struct isa__registration *item;
    uint32_t at = 0;
    while ((item = isa__word_next(word, &at)) != NULL) {
        uint32_t tag = isa__registration_tag_load(item);
        if (!(tag & ISA_TAG_SHARED)) continue;
        if (reason == NULL) isa__log_added(object, item, tag & ISA_TAG_OPTIONS);
        else isa__log_removed(object, item, *reason);
    }
}

// Reports that shared observers took the place of others.
ISA_RARE void log_exchange(isa_id object, uintptr_t former,
                           const struct isa__registration_list *now)
{
    const isa_removal_reason reason = ISA_REMOVED_BY_CALL;
    const struct isa__registration_list *before = former == 0 ? NULL : isa__word_base(former);
    if (before == now) return;
    if (before != NULL) log_shared(object, isa__word_of_list(before), &reason);
    if (now != NULL) log_shared(object, isa__word_of_list(now), NULL);
}

// Takes everything out. The isa goes back where `alive`.
static void empty(isa_id object, isa_removal_reason reason, bool alive)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_value(side) == 0) return;
    struct isa__thread *thread = isa__thread_get();
    struct registry_change change = {0};
    struct isa__registration *item;
    uint32_t at = 0;
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t before = __atomic_exchange_n(&side->observing, 0, __ATOMIC_ACQ_REL);
    change.replaced = isa__word_in_full(before);
    if (alive) swap_isa_locked(object, 0, NULL, &change);
    while ((item = isa__word_next(change.replaced, &at)) != NULL)
        if (!(isa__registration_tag_load(item) & ISA_TAG_SHARED))
            isa__registration_leave(item, &change.ended);
    change.census = alive ? isa__census_removing_locked(thread, &side->census)
                          : isa__census_adding_locked(thread, &side->census);
    isa__unlock(lock);
    if (isa__event_on()) log_shared(object, change.replaced, &reason);
    bool alone = alive ? isa__census_await(thread, &side->census, object, change.census)
                       : isa__census_is_alone(thread, &side->census, change.census);
    registry_finish(object, &change, reason, alone);
}

void isa__registry_end(isa_id object)
{
    empty(object, ISA_REMOVED_OBJECT_DIED, false);
}

void isa__registry_clear(isa_id object)
{
    empty(object, ISA_REMOVED_BY_CALL, true);
}

void isa__registry_restore_isa(isa_id object, isa_class before)
{
    struct isa__lock *lock = isa__lock_object(object);
    isa_class now = isa__class_in(object);
    bool restores = isa__observing_value(isa__side_find(object)) == 0 && now != before &&
                    isa__class_flags(now) & ISA_CLASS_NOTIFYING && now->original == before;
    if (restores) isa__object_swap_isa_locked(object, before);
    isa__unlock(lock);
    if (restores) isa__object_report_swap(object, now, before);
}

isa_status isa__registry_share(isa_id object, struct isa__registration_list *base,
                               isa_class notifying)
{
    struct isa__side *side = isa__side_find(object);
    struct isa__thread *thread = isa__thread_get();
    struct registry_change change = {0};
    struct isa__lock *lock = isa__lock_object(object);
    const struct edit edit = {.shares = true, .base = base, .notifying = notifying};
    isa_status status = change_locked(side, &edit, &change);
    isa__census_adding_locked(thread, &side->census);
    if (status == ISA_OK) change.census = isa__census_removing_locked(thread, &side->census);
    isa__unlock(lock);
    if (status != ISA_OK) return status;
    bool alone = isa__census_await(thread, &side->census, object, change.census);
    if (isa__event_on()) log_exchange(object, change.replaced, base);
    registry_finish(object, &change, ISA_REMOVED_BY_CALL, alone);
    store_info(object);
    return ISA_OK;
}

// ---- showing ------------------------------------------------------------------------------------

void isa__registry_visit(isa_id object, void (*visit)(struct isa__registration *, void *),
                         void *context)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return;
    struct isa__registration *item;
    uint32_t at = 0;
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t word = isa__observing_value(side);
    while ((item = isa__word_next(word, &at)) != NULL) visit(item, context);
    isa__unlock(lock);
}

void *isa__registry_info(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return NULL;
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t word = isa__observing_value(side);
    const struct isa__registration_list *list = isa__word_own_list(word);
    // A list that changes in place counts its changes. The pointer stays inside its block, so that
    // no other object has it meanwhile.
    if (list != NULL) word += list->changes % (list->size * sizeof(void *) - ISA_WORD_LIST);
    isa__unlock(lock);
    return (void *)word;
}

// ---- steady state -------------------------------------------------------------------------------

// Finds the facts of a key that nothing affects, of a class that was observed for it; false if
// there are none, or something is out of the ordinary.
ISA_INLINE bool recall_plain(const struct isa__observed *observed, const char *key_path,
                             struct isa__known_path *out)
{
    if (!isa__observed_is_usual(observed)) return false;
    const struct isa__key *key = isa__key_find(key_path);
    return key != NULL &&
           isa__fact_recall(observed->original, key, ISA_FACT_PATH, out, sizeof *out) &&
           out->notifying != NULL && out->path->is_plain;
}

// Puts the registration in. Returns false if that is not done in place.
ISA_INLINE bool put_in(isa_id object, struct isa__side *side,
                       struct isa__registration *registration, isa_class notifying)
{
    const struct isa__thread *thread = isa__thread_get();
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t word = isa__observing_value(side);
    isa__census_adding_locked(thread, &side->census);
    registration->tag |= ISA_TAG_REGISTERED; // first: once it is in, others may read it
    bool done = true;
    if (__builtin_expect(word == 0, 1)) word = (uintptr_t)registration;
    else done = isa__word_add(&word, registration);
    if (done) {
        __atomic_store_n(&side->observing, word, __ATOMIC_RELEASE);
        isa__registry_swap_isa_locked(object, word, notifying);
    } else {
        registration->tag &= ~(uint32_t)ISA_TAG_REGISTERED;
    }
    isa__unlock(lock);
    return done;
}

// Whether the arguments are usual ones.
ISA_INLINE bool are_usual(isa_id object, const char *key_path, uint32_t options,
                          const kvo_function *function, const kvo_token *out)
{
    const uint32_t usual = KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR | KVO_OPTION_OWN;
    return object != NULL && key_path != NULL && out != NULL && function != NULL &&
           function->callback != NULL && !(options & ~usual) &&
           isa__registration_notes_load() == 0;
}

ISA_INLINE bool registry_add(isa_id object, const char *key_path, uint32_t options,
                             const kvo_function *function, void *context, kvo_token *out)
{
    if (ISA_UNLIKELY(!are_usual(object, key_path, options, function, out))) return false;
    const struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    struct isa__side *side = isa__side_find(object);
    if (observed == NULL || side == NULL || isa__object_is_deallocating(object)) return false;
    struct isa__known_path known;
    if (!recall_plain(observed, key_path, &known)) return false;
    struct isa__registration *made =
        isa__registration_make_plain(side, known.path->text, options & ISA_TAG_OPTIONS, context,
                                     function);
    if (made == NULL) return false;
    // Once it is in, another thread's change may notify it, whose callback may end it by its token.
    *out = made;
    if (put_in(object, side, made, known.notifying) ||
        isa__registry_add(object, made, known.notifying) == ISA_OK)
        return true;
    isa__registration_discard(made);
    return false;
}

isa_status isa__steady_observe(isa_id object, const char *key_path, uint32_t options,
                               const kvo_function *function, void *context, kvo_token *out)
{
    if (__builtin_expect(registry_add(object, key_path, options, function, context, out), 1))
        return ISA_OK;
    return isa__kvo_observe(object, key_path, options, function, context, out);
}

// Whether steady ends may be made of instances of the object's class; under the object's lock,
// while the object's registry is not empty.
ISA_INLINE bool is_steady_locked(isa_id object)
{
    const struct isa__observed *observed =
        __atomic_load_n(&isa__class_in(object)->observing, __ATOMIC_ACQUIRE);
    return observed != NULL && isa__observed_is_usual(observed);
}

// Takes a registration out of a list that need not be made anew for it, `*word` being what leads to
// the others then.
ISA_OUTLINE bool take_from_list_locked(const struct isa__side *side,
                                       const struct isa__registration *registration,
                                       uintptr_t *word)
{
    struct isa__registration_list *list = isa__word_own_list(*word);
    if (list == NULL || isa__word_is_worn(*word, registration)) return false;
    uint32_t place = isa__word_find(*word, registration);
    // It is touched only while its registry has us: see isa__registration_end.
    if (place == ISA_NOWHERE || !is_steady_locked(side->object)) return false;
    isa__list_remove(list, place, isa__registry_is_unwatched_locked(side));
    *word = isa__word_settled(*word);
    return true;
}

// Takes a registration out in place, `*replaced` being what the word led to before.
ISA_INLINE bool registry_take_out(const struct isa__thread *thread, struct isa__side *side,
                                  const struct isa__registration *registration, uintptr_t *replaced,
                                  uint16_t *found)
{
    isa_id object = side->object;
    struct isa__lock *lock = isa__lock_object(object);
    uintptr_t word = *replaced = isa__observing_value(side);
    bool alone = word == (uintptr_t)registration, done = alone && is_steady_locked(object);
    if (done) word = 0;
    else if (!alone) done = take_from_list_locked(side, registration, &word);
    if (done) {
        if (word == *replaced) *replaced = 0;
        __atomic_store_n(&side->observing, word, __ATOMIC_RELEASE);
        isa__registry_swap_isa_locked(object, word, NULL);
        *found = isa__census_removing_locked(thread, &side->census);
    }
    isa__unlock(lock);
    return done;
}

// Lets go of the registration, not necessarily now, and gives up its token's reference.
ISA_OUTLINE void registry_let_go(struct isa__registration *registration, bool release_token,
                                 bool alone)
{
    uint32_t released = release_token ? ISA_TAG_RELEASED : 0;
    isa__registration_tag_set(registration, ISA_TAG_WAITED | released);
    isa__let_go((struct isa__retired *)registration, alone);
    if (release_token) isa__registration_drop(registration);
}

bool isa__steady_end(struct isa__registration *registration, uint32_t before, bool release_token)
{
    const uint32_t relevant =
        ISA_TAG_FUNCTION | ISA_TAG_REGISTERED | ISA_TAG_CHAINED | ISA_TAG_SHARED;
    if ((before & relevant) != (ISA_TAG_FUNCTION | ISA_TAG_REGISTERED)) return false;
    struct isa__side *side = registration->side;
    struct isa__thread *thread = isa__thread_get();
    uintptr_t replaced;
    uint16_t found;
    if (!registry_take_out(thread, side, registration, &replaced, &found)) return false;
    bool alone = isa__census_await(thread, &side->census, side->object, found);
    isa__side_drop(side);
    if (ISA_UNLIKELY(isa__word_list(replaced) != NULL)) isa__word_let_go(replaced, alone);
    if (ISA_UNLIKELY(!alone || thread->reader_epoch != 0)) {
        registry_let_go(registration, release_token, alone);
        return true;
    }
    isa__registration_release_info(registration);
    isa__registration_drop_many(registration, release_token ? 2 : 1);
    return true;
}
