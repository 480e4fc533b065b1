// Registrations and the registry of one object.
//
// Owns:      registrations and snapshots, until base/reclaim.h says that no reader holds them.
// Locks:     isa__lock_for(object) orders the changes of one registry and its isa swaps; readers
//            take none. Observers' release functions and events run with no lock held.
// Invariant: a registration is in at most one registry, once. Whoever sets its ENDED bit retires it
//            once it is out of the registry.
#include "observation.h"

#include <string.h>

#include "../base/event.h"
#include "../base/status.h"
#include "../object/object.h"
#include "subclass.h"

// ---- one registration ---------------------------------------------------------------------------

static uint32_t tag_of(uint32_t options, bool is_function)
{
    uint32_t tag = options & ISA_TAG_OPTIONS;
    if (options & KVO_OPTION_RETAIN_OBSERVER) tag |= ISA_TAG_STRONG;
    if (is_function) tag |= ISA_TAG_FUNCTION;
    return tag | (uint32_t)ISA_RETIRED_REGISTRATION << ISA_RETIRED_TAG_SHIFT;
}

static isa_status set_observer(struct isa__registration *registration, isa_id observer)
{
    isa_status status = isa_weak_init(&registration->observer.weak, observer);
    if (status == ISA_OK && registration->tag & ISA_TAG_STRONG)
        registration->observer.strong = isa_object_retain(observer);
    return status;
}

isa_status isa__registration_make(struct isa__side *side, const struct isa__key *key,
                                  uint32_t options, void *context, isa_id observer,
                                  const kvo_function *function, struct isa__registration **out)
{
    struct isa__registration *made = isa__alloc(ISA_KIND_REGISTRATION, sizeof *made);
    if (made == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a registration");
    made->tag = tag_of(options, function != NULL);
    made->references = 1;
    made->side = side;
    made->key = key;
    made->context = context;
    if (function != NULL) {
        made->function = *function;
        made->references = 2;
        isa__side_hold(side);
    } else {
        isa_status status = set_observer(made, observer);
        if (status != ISA_OK) {
            isa__free(ISA_KIND_REGISTRATION, made, sizeof *made);
            return status;
        }
    }
    *out = made;
    return ISA_OK;
}

void isa__registration_drop(struct isa__registration *registration)
{
    if (__atomic_fetch_sub(&registration->references, 1, __ATOMIC_ACQ_REL) != 1) return;
    // Not before: in a pending change, an equal registration that still stands is compared by it.
    if (!(registration->tag & ISA_TAG_FUNCTION)) isa_weak_destroy(&registration->observer.weak);
    isa__free(ISA_KIND_REGISTRATION, registration, sizeof *registration);
}

void isa__registration_discard(struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_FUNCTION) isa__side_drop(registration->side);
    else isa_object_release(registration->observer.strong);
    if (tag & ISA_TAG_FUNCTION && !(tag & ISA_TAG_RELEASED)) isa__registration_drop(registration);
    isa__registration_drop(registration);
}

void isa__registration_hold(struct isa__registration *registration)
{
    __atomic_fetch_add(&registration->references, 1, __ATOMIC_RELAXED);
}

void isa__registration_release_token(struct isa__registration *registration)
{
    isa__registration_end(registration);
    __atomic_fetch_or(&registration->tag, ISA_TAG_RELEASED, __ATOMIC_ACQ_REL);
    isa__registration_drop(registration);
}

// Lets go of the observer: no thread can be calling it any more.
static void free_registration(struct isa__retired *thing)
{
    struct isa__registration *registration = (struct isa__registration *)thing;
    if (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) {
        const kvo_function *function = &registration->function;
        if (function->release != NULL) function->release(function->info);
    } else {
        isa_object_release(registration->observer.strong);
    }
    isa__registration_drop(registration);
}

const void *isa__registration_observer_name(const struct isa__registration *registration)
{
    if (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION)
        return registration->function.info;
    const struct isa__side *side = registration->observer.weak.record;
    return side == NULL ? NULL : side->object;
}

// Whether both are registrations of one observer for one key with equal options and context.
static bool is_equal(const struct isa__registration *first, const struct isa__registration *second)
{
    uint32_t same = ISA_TAG_OPTIONS | ISA_TAG_STRONG | ISA_TAG_FUNCTION;
    if (first == second) return true;
    if ((isa__registration_tag_load(first) ^ isa__registration_tag_load(second)) & same)
        return false;
    if (isa__registration_tag_load(first) & ISA_TAG_FUNCTION) return false;
    return first->key == second->key && first->context == second->context &&
           first->observer.weak.record == second->observer.weak.record;
}

// ---- reading a registry -------------------------------------------------------------------------

static struct isa__registration *single_of(uintptr_t observing)
{
    return observing & 1 ? (struct isa__registration *)(observing - 1) : NULL;
}

static struct isa__snapshot *snapshot_of(uintptr_t observing)
{
    return observing & 1 ? NULL : (struct isa__snapshot *)observing;
}

// All registrations; `*single` is storage for the case of one.
static struct isa__registration **all_of(uintptr_t observing, struct isa__registration **single,
                                         uint32_t *count)
{
    struct isa__snapshot *snapshot = snapshot_of(observing);
    *single = single_of(observing);
    *count = snapshot != NULL ? snapshot->count : *single != NULL;
    return snapshot != NULL ? snapshot->items : single;
}

static uint32_t hash_key(const struct isa__key *key)
{
    return (uint32_t)(((uintptr_t)key >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

// The slot of `key`, or the free one where it belongs.
static uint32_t *slot_for(const struct isa__snapshot *snapshot, const struct isa__key *key)
{
    for (uint32_t at = hash_key(key) & snapshot->slot_mask;; at = (at + 1) & snapshot->slot_mask) {
        uint32_t *slot = &snapshot->slots[at];
        if (*slot == 0 || snapshot->groups[*slot - 1].key == key) return slot;
    }
}

static const struct isa__group *find_group(const struct isa__snapshot *snapshot,
                                           const struct isa__key *key)
{
    if (snapshot->slots != NULL) {
        uint32_t number = *slot_for(snapshot, key);
        return number == 0 ? NULL : &snapshot->groups[number - 1];
    }
    for (uint32_t i = 0; i < snapshot->group_count; i++)
        if (snapshot->groups[i].key == key) return &snapshot->groups[i];
    return NULL;
}

bool isa__affected_find_in_snapshot(const struct isa__snapshot *snapshot,
                                    const struct isa__key *key, struct isa__affected *out)
{
    const struct isa__group *group = snapshot == NULL ? NULL : find_group(snapshot, key);
    if (group == NULL) return false;
    out->items = snapshot->grouped + group->start;
    out->count = group->count;
    out->options = group->options;
    return true;
}

bool isa__registration_stands(const struct isa__registration *registration, uintptr_t observing)
{
    struct isa__affected now;
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_FUNCTION && tag & ISA_TAG_ENDED) return false;
    if (!isa__affected_find(observing, registration->key, &now)) return false;
    for (uint32_t i = 0; i < now.count; i++)
        if (is_equal(now.items[i], registration)) return true;
    return false;
}

// ---- building the next registry -----------------------------------------------------------------

static void tag_set(struct isa__registration *registration, uint32_t bits)
{
    __atomic_fetch_or(&registration->tag, bits, __ATOMIC_ACQ_REL);
}

static bool is_out(const struct isa__registration *registration)
{
    return (isa__registration_tag_load(registration) & ISA_TAG_OUT) != 0;
}

// Ended, or its observer is gone.
static bool is_dead(const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_FUNCTION) return (tag & ISA_TAG_ENDED) != 0;
    const struct isa__side *observer = registration->observer.weak.record;
    return (isa__side_flags(observer) & ISA_SIDE_DEAD) != 0;
}

// Decides, once, which registrations leave: `drop` and the dead. Returns how many stay.
static uint32_t mark_out_locked(struct isa__registration **items, uint32_t count,
                                const struct isa__registration *drop)
{
    uint32_t kept = count;
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] != drop && !is_dead(items[i])) continue;
        tag_set(items[i], ISA_TAG_OUT);
        kept--;
    }
    return kept;
}

// How many slots a snapshot of so many registrations has: none where looking at each key is as
// fast.
static uint32_t slot_count(uint32_t count)
{
    uint32_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    return count <= 8 ? 0 : slots;
}

static size_t snapshot_size(uint32_t count)
{
    // At most as many groups as registrations, and two lists of them.
    return sizeof(struct isa__snapshot) +
           count * (sizeof(struct isa__group) + 2 * sizeof(struct isa__registration *)) +
           slot_count(count) * sizeof(uint32_t);
}

static struct isa__snapshot *allocate_snapshot(uint32_t count)
{
    struct isa__snapshot *snapshot = isa__alloc(ISA_KIND_SNAPSHOT, snapshot_size(count));
    if (snapshot == NULL) return NULL;
    snapshot->retired.tag = (uint32_t)ISA_RETIRED_SNAPSHOT << ISA_RETIRED_TAG_SHIFT;
    snapshot->count = count;
    snapshot->items = (struct isa__registration **)&snapshot->groups[count];
    snapshot->grouped = snapshot->items;
    uint32_t slots = slot_count(count);
    if (slots == 0) return snapshot;
    snapshot->slots = (uint32_t *)(snapshot->items + 2 * count);
    snapshot->slot_mask = slots - 1;
    return snapshot;
}

static void free_snapshot(struct isa__retired *thing)
{
    struct isa__snapshot *snapshot = (struct isa__snapshot *)thing;
    isa__free(ISA_KIND_SNAPSHOT, snapshot, snapshot_size(snapshot->count));
}

static struct isa__group *group_for(struct isa__snapshot *snapshot, const struct isa__key *key)
{
    const struct isa__group *found = find_group(snapshot, key);
    if (found != NULL) return &snapshot->groups[found - snapshot->groups];
    uint32_t *slot = snapshot->slots == NULL ? NULL : slot_for(snapshot, key);
    struct isa__group *group = &snapshot->groups[snapshot->group_count++];
    group->key = key;
    if (slot != NULL) *slot = snapshot->group_count;
    return group;
}

// Sorts the registrations by key, keeping their order.
static void make_groups(struct isa__snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->count; i++) {
        struct isa__group *group = group_for(snapshot, snapshot->items[i]->key);
        group->count++;
        group->options |= isa__registration_tag_load(snapshot->items[i]) & ISA_TAG_OPTIONS;
    }
    if (snapshot->group_count == 1) return;
    snapshot->grouped = snapshot->items + snapshot->count;
    uint32_t start = 0;
    for (uint32_t i = 0; i < snapshot->group_count; i++) {
        snapshot->groups[i].start = start;
        start += snapshot->groups[i].count;
        snapshot->groups[i].count = 0;
    }
    for (uint32_t i = 0; i < snapshot->count; i++) {
        struct isa__group *group = group_for(snapshot, snapshot->items[i]->key);
        snapshot->grouped[group->start + group->count++] = snapshot->items[i];
    }
}

// Makes the word for those of `items` that are not marked out, `kept` of them, and `add`.
static isa_status make_word(struct isa__registration **items, uint32_t count, uint32_t kept,
                            struct isa__registration *add, uintptr_t *out)
{
    uint32_t total = kept + (add != NULL);
    struct isa__snapshot *snapshot = total > 1 ? allocate_snapshot(total) : NULL;
    if (total > 1 && snapshot == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for %u registrations", total);
    struct isa__registration *only = add;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_out(items[i])) continue;
        if (snapshot != NULL) snapshot->items[at++] = items[i];
        else only = items[i];
    }
    if (snapshot != NULL && add != NULL) snapshot->items[at] = add;
    if (snapshot != NULL) make_groups(snapshot);
    if (snapshot != NULL) *out = (uintptr_t)snapshot;
    else *out = only == NULL ? 0 : (uintptr_t)only | 1;
    return ISA_OK;
}

// ---- changing a registry ------------------------------------------------------------------------

// What a change did, to be dealt with once the lock is given up.
struct registry_change {
    isa_class from, to;         // the isa before and after
    struct isa__retired *ended; // registrations to retire
    uintptr_t replaced;         // the word before
};

// Takes what was marked out into `change->ended`, unless somebody else has the duty to retire it.
static void collect_locked(struct isa__registration **items, uint32_t count,
                           struct registry_change *change)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_out(items[i])) continue;
        uint32_t before = __atomic_fetch_or(&items[i]->tag, ISA_TAG_ENDED, __ATOMIC_ACQ_REL);
        if (before & ISA_TAG_ENDED && !(before & ISA_TAG_ORPHAN)) continue;
        if (before & ISA_TAG_FUNCTION) isa__side_drop(items[i]->side);
        items[i]->next = change->ended;
        change->ended = (struct isa__retired *)items[i];
    }
}

static void swap_isa_locked(isa_id object, uintptr_t word, isa_class notifying,
                            struct registry_change *change)
{
    isa_class now = isa_object_get_class(object);
    change->from = change->to = now;
    // A class set by hand meanwhile, such as by an initial notification, is not undone.
    if (word != 0 && notifying != NULL && now == notifying->superclass) change->to = notifying;
    if (word == 0 && isa__class_flags(now) & ISA_CLASS_NOTIFYING) change->to = now->original;
    if (change->to != now) isa__object_swap_isa_locked(object, change->to);
}

static isa_status change_locked(struct isa__side *side, const struct isa__registration *drop,
                                struct isa__registration *add, isa_class notifying,
                                struct registry_change *change)
{
    struct isa__registration *single;
    uint32_t count;
    uintptr_t before = isa__observing_load(side);
    struct isa__registration **items = all_of(before, &single, &count);
    uint32_t kept = mark_out_locked(items, count, drop);
    uintptr_t after = before;
    isa_status status = make_word(items, count, kept, add, &after);
    if (status != ISA_OK) {
        for (uint32_t i = 0; i < count; i++)
            __atomic_fetch_and(&items[i]->tag, ~(uint32_t)ISA_TAG_OUT, __ATOMIC_RELAXED);
        return status;
    }
    __atomic_store_n(&side->observing, after, __ATOMIC_RELEASE);
    change->replaced = before;
    swap_isa_locked(side->object, after, notifying, change);
    collect_locked(items, count, change);
    return ISA_OK;
}

static void report_removal(isa_id object, const struct isa__registration *registration,
                           isa_removal_reason reason)
{
    if (!isa__event_on()) return;
    if (!(isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) &&
        reason == ISA_REMOVED_BY_CALL &&
        isa__side_flags(registration->observer.weak.record) & ISA_SIDE_DEAD)
        reason = ISA_REMOVED_OBSERVER_DIED;
    isa__event_report(&(isa_event){.kind = ISA_EVENT_OBSERVER_REMOVED,
                                   .object = object,
                                   .observer = isa__registration_observer_name(registration),
                                   .reason = reason,
                                   .name = registration->key->text});
}

// Reports what the change did and retires what it replaced. No lock held.
static void finish(isa_id object, struct registry_change *change, isa_removal_reason reason)
{
    for (struct isa__retired *r = change->ended; r != NULL; r = r->next)
        report_removal(object, (struct isa__registration *)r, reason);
    isa__object_report_swap(object, change->from, change->to);
    struct isa__snapshot *stale = snapshot_of(change->replaced);
    if (stale != NULL) isa__retire(&stale->retired);
    while (change->ended != NULL) {
        struct isa__retired *next = change->ended->next;
        isa__retire(change->ended);
        change->ended = next;
    }
}

isa_status isa__registry_add(isa_id object, struct isa__registration *registration,
                             isa_class notifying)
{
    struct isa__side *side = isa__side_find(object);
    struct registry_change change = {0};
    isa_status status = ISA_OK;
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    bool ended = (isa__registration_tag_load(registration) & ISA_TAG_ENDED) != 0;
    if (!ended) status = change_locked(side, NULL, registration, notifying, &change);
    if (!ended && status == ISA_OK) tag_set(registration, ISA_TAG_REGISTERED);
    isa__unlock(lock);
    if (status != ISA_OK) return status;
    if (ended) {
        isa__side_drop(side);
        isa__retire((struct isa__retired *)registration);
        return ISA_OK;
    }
    finish(object, &change, ISA_REMOVED_BY_CALL);
    return ISA_OK;
}

static bool matches(const struct isa__registration *registration,
                    const struct isa__removal *removal)
{
    if (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) return false;
    if (registration->key != removal->key) return false;
    if (removal->context != NULL && registration->context != *removal->context) return false;
    // By side record, which lives as long as the registration: an address may have a new owner.
    return registration->observer.weak.record == isa__side_find(removal->observer);
}

static struct isa__registration *find_match_locked(struct isa__side *side,
                                           const struct isa__removal *removal)
{
    struct isa__registration *single;
    uint32_t count;
    struct isa__registration **items = all_of(isa__observing_load(side), &single, &count);
    while (count-- > 0)
        if (matches(items[count], removal)) return items[count];
    return NULL;
}

isa_status isa__registry_remove(isa_id object, const struct isa__removal *removal)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__side_find(removal->observer) == NULL) return KVO_ERR_NOT_REGISTERED;
    struct registry_change change = {0};
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    const struct isa__registration *found = find_match_locked(side, removal);
    isa_status status = KVO_ERR_NOT_REGISTERED;
    if (found != NULL) status = change_locked(side, found, NULL, NULL, &change);
    isa__unlock(lock);
    if (status != ISA_OK) return status;
    isa__wait_for_checks();
    finish(object, &change, ISA_REMOVED_BY_CALL);
    return ISA_OK;
}

static bool contains(uintptr_t word, const struct isa__registration *registration)
{
    struct isa__registration *single;
    uint32_t count;
    struct isa__registration **items = all_of(word, &single, &count);
    while (count-- > 0)
        if (items[count] == registration) return true;
    return false;
}

// Takes a token's registration out of its object's registry. True if it is the caller's to retire.
static bool take_out_locked(struct isa__side *side, struct isa__registration *registration,
                            struct registry_change *change)
{
    if (!contains(isa__observing_load(side), registration)) return true;
    if (change_locked(side, registration, NULL, NULL, change) == ISA_OK) return true;
    // No memory for the shorter list: it stays linked, never told, until the next change.
    tag_set(registration, ISA_TAG_ORPHAN);
    return false;
}

bool isa__registration_end(struct isa__registration *registration)
{
    uint32_t before = __atomic_fetch_or(&registration->tag, ISA_TAG_ENDED, __ATOMIC_SEQ_CST);
    if (before & ISA_TAG_ENDED) {
        // Whoever ended it may not have waited yet, and this caller is promised the same.
        isa__wait_for_checks();
        return false;
    }
    struct isa__side *side = registration->side;
    // The object may be dying on another thread: it is touched only while its registry has us,
    // which its deallocation empties under the same lock first.
    isa_id object = side->object;
    struct registry_change change = {0};
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    bool registered = (isa__registration_tag_load(registration) & ISA_TAG_REGISTERED) != 0;
    bool ours = registered && take_out_locked(side, registration, &change);
    isa__unlock(lock);
    isa__wait_for_checks();
    if (!registered) return true; // isa__registry_add sees that it has ended, and retires it
    if (ours) report_removal(object, registration, ISA_REMOVED_BY_CALL);
    finish(object, &change, ISA_REMOVED_BY_CALL);
    if (ours) {
        isa__side_drop(side);
        isa__retire((struct isa__retired *)registration);
    }
    return true;
}

void isa__registry_end(isa_id object)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_load(side) == 0) return;
    struct registry_change change = {0};
    struct isa__registration *single;
    uint32_t count;
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    change.replaced = __atomic_exchange_n(&side->observing, 0, __ATOMIC_ACQ_REL);
    struct isa__registration **items = all_of(change.replaced, &single, &count);
    for (uint32_t i = 0; i < count; i++) tag_set(items[i], ISA_TAG_OUT);
    collect_locked(items, count, &change);
    isa__unlock(lock);
    finish(object, &change, ISA_REMOVED_OBJECT_DIED);
}

void isa__registry_visit(isa_id object, void (*visit)(struct isa__registration *, void *),
                         void *context)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL) return;
    struct isa__registration *single;
    uint32_t count;
    struct isa__lock *lock = isa__lock_for(object);
    isa__lock(lock);
    struct isa__registration **items = all_of(isa__observing_load(side), &single, &count);
    for (uint32_t i = 0; i < count; i++) visit(items[i], context);
    isa__unlock(lock);
}

void isa__observation_start(void)
{
    isa__retired_free[ISA_RETIRED_REGISTRATION] = free_registration;
    isa__retired_free[ISA_RETIRED_SNAPSHOT] = free_snapshot;
}
