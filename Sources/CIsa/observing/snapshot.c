// Snapshots.
//
// Owns:      a snapshot's own block; shared observers' snapshot also the registrations in it.
// Lives:     an object's own until it is replaced, shared observers' until the last use; then until
//            base/reclaim.h says that no reader holds it.
// Invariant: a snapshot never changes while a thread may look at it, its count of users excepted.
#include "registration.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "chain.h"

// ---- finding ------------------------------------------------------------------------------------

static const struct isa__group *find_group(const struct isa__snapshot *snapshot,
                                           const struct isa__key *key)
{
    for (uint32_t i = 0; i < snapshot->group_count; i++)
        if (snapshot->groups[i].key == key) return &snapshot->groups[i];
    return NULL;
}

bool isa__affected_find_in_snapshot(const struct isa__snapshot *snapshot,
                                    const struct isa__key *key, struct isa__affected *out)
{
    if (snapshot == NULL) return false;
    if (snapshot->roster != NULL) return isa__roster_find(snapshot->roster, key, out);
    const struct isa__group *group = find_group(snapshot, key);
    if (group == NULL) return false;
    out->items = snapshot->grouped + group->start;
    out->triggers = group->is_related ? snapshot->triggers + group->start : NULL;
    out->is_announced = group->is_announced;
    out->count = group->count;
    out->options = group->options;
    return true;
}

bool isa__registration_stands(const struct isa__registration *registration, isa_id object,
                              uintptr_t observing)
{
    struct isa__affected now;
    uint32_t tag = isa__registration_tag_load(registration);
    if (tag & ISA_TAG_ENDED &&
        (tag & ISA_TAG_FUNCTION || isa__class_is_gnustep(isa_object_get_class(object))))
        return false;
    const struct isa__key *key = isa__registration_first_key(registration);
    if (!isa__affected_find(observing, key, &now)) return false;
    for (uint32_t i = 0; i < now.count; i++) {
        const struct isa__registration *item = isa__item_load(&now.items[i]);
        if (!(isa__registration_tag_load(item) & ISA_TAG_ENDED) &&
            isa__registration_equal(item, registration))
            return true;
    }
    return false;
}

struct isa__registration **isa__word_items(uintptr_t observing, struct isa__registration **single,
                                           uint32_t *count)
{
    struct isa__snapshot *snapshot = isa__word_snapshot(observing);
    *single = isa__word_single(observing);
    *count = snapshot != NULL ? snapshot->count : *single != NULL;
    return snapshot != NULL ? snapshot->items : single;
}

// ---- making -------------------------------------------------------------------------------------

// At most as many groups and items as entries; then items, grouped and triggers.
static size_t snapshot_size(uint32_t capacity)
{
    return sizeof(struct isa__snapshot) +
           capacity * (sizeof(struct isa__group) + 3 * sizeof(void *));
}

static struct isa__snapshot *allocate_snapshot(uint32_t entries)
{
    uint32_t capacity = entries == 0 ? 0 : 1;
    while (capacity < entries) capacity *= 2;
    struct isa__snapshot *snapshot = isa__alloc(ISA_KIND_SNAPSHOT, snapshot_size(capacity));
    if (snapshot == NULL) return NULL;
    snapshot->retired.next = (struct isa__retired *)ISA_SNAPSHOT_ELEMENTS;
    snapshot->retired.tag = (uint32_t)ISA_RETIRED_SNAPSHOT << ISA_RETIRED_TAG_SHIFT;
    snapshot->capacity = capacity;
    snapshot->items = (struct isa__registration **)&snapshot->groups[capacity];
    snapshot->grouped = snapshot->items + capacity;
    snapshot->triggers = (const struct isa__trigger **)(snapshot->grouped + capacity);
    return snapshot;
}

static void free_snapshot(struct isa__retired *thing)
{
    struct isa__snapshot *snapshot = (struct isa__snapshot *)thing;
    struct isa__snapshot *base = snapshot->base;
    if (snapshot->roster != NULL) isa__roster_drop(snapshot->roster);
    isa__free(ISA_KIND_SNAPSHOT, snapshot, snapshot_size(snapshot->capacity));
    if (base != NULL) isa__snapshot_drop(base);
}

static struct isa__group *group_for(struct isa__snapshot *snapshot, const struct isa__key *key)
{
    const struct isa__group *found = find_group(snapshot, key);
    if (found != NULL) return &snapshot->groups[found - snapshot->groups];
    struct isa__group *group = &snapshot->groups[snapshot->group_count++];
    group->key = key;
    return group;
}

uint32_t isa__listing_count(const struct isa__registration *registration)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED)) return 1;
    return isa__chain_of(registration)->path->trigger_count;
}

struct isa__listing isa__listing_at(const struct isa__registration *registration, uint32_t number)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED))
        return (struct isa__listing){registration->key, NULL};
    const struct isa__trigger *trigger = &isa__chain_of(registration)->path->triggers[number];
    bool alone = trigger->is_exact && trigger->hop_count == 0;
    return (struct isa__listing){trigger->key, alone ? NULL : trigger};
}

bool isa__is_announced_by(const struct isa__registration *registration,
                          const struct isa__trigger *trigger)
{
    return isa__registration_tag_load(registration) & (KVO_OPTION_OLD | KVO_OPTION_PRIOR) ||
           trigger->hop_count > 0 || isa__chain_of(registration)->path->dependency_hops > 0;
}

static void count_places(struct isa__snapshot *snapshot, const struct isa__registration *item)
{
    for (uint32_t i = 0; i < isa__listing_count(item); i++) {
        struct isa__listing listing = isa__listing_at(item, i);
        struct isa__group *group = group_for(snapshot, listing.key);
        group->count++;
        if (listing.trigger == NULL) {
            group->options |= isa__registration_tag_load(item) & ISA_TAG_OPTIONS;
            continue;
        }
        group->is_related = true;
        if (isa__is_announced_by(item, listing.trigger)) group->is_announced = true;
    }
}

static void fill_places(struct isa__snapshot *snapshot, struct isa__registration *item)
{
    for (uint32_t i = 0; i < isa__listing_count(item); i++) {
        struct isa__listing listing = isa__listing_at(item, i);
        struct isa__group *group = group_for(snapshot, listing.key);
        uint32_t at = group->start + group->count++;
        snapshot->grouped[at] = item;
        snapshot->triggers[at] = listing.trigger;
    }
}

// Sorts the registrations by key, keeping their order.
static void make_groups(struct isa__snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->count; i++) count_places(snapshot, snapshot->items[i]);
    uint32_t start = 0;
    for (uint32_t i = 0; i < snapshot->group_count; i++) {
        snapshot->groups[i].start = start;
        start += snapshot->groups[i].count;
        snapshot->groups[i].count = 0;
    }
    for (uint32_t i = 0; i < snapshot->count; i++) fill_places(snapshot, snapshot->items[i]);
}

static bool stays(const struct isa__word_parts *parts, const struct isa__registration *registration)
{
    if (parts->are_shared) return true;
    return !(isa__registration_tag_load(registration) & (ISA_TAG_OUT | ISA_TAG_SHARED));
}

// Calls for each registration of the next word, in order.
#define FOR_EACH_PART(parts, item, body) \
    do { \
        for (uint32_t b = 0; (parts)->base != NULL && b < (parts)->base->count; b++) { \
            struct isa__registration *item = (parts)->base->items[b]; \
            body; \
        } \
        for (uint32_t o = 0; o < (parts)->count; o++) { \
            struct isa__registration *item = (parts)->items[o]; \
            if (stays(parts, item)) body; \
        } \
        if ((parts)->add != NULL) { \
            struct isa__registration *item = (parts)->add; \
            body; \
        } \
    } while (0)

void isa__snapshot_use(struct isa__snapshot *base)
{
    __atomic_fetch_add(&base->users, 1, __ATOMIC_RELAXED);
}

// The word for shared observers alone. One registration has a word as an object's own has, and is
// told as quickly.
static uintptr_t word_of_base(const struct isa__snapshot *base)
{
    return base->count == 1 ? (uintptr_t)base->items[0] : isa__word_of_snapshot(base);
}

struct isa__snapshot *isa__snapshot_show(struct isa__roster *roster)
{
    struct isa__snapshot *snapshot = allocate_snapshot(0);
    if (snapshot == NULL) return NULL;
    __atomic_fetch_add(&roster->users, 1, __ATOMIC_RELAXED);
    snapshot->roster = roster;
    snapshot->items = roster->all->items;
    snapshot->count = roster->all->used;
    return snapshot;
}

// Adds to a roster that nobody reads yet.
static bool fill_roster(struct isa__roster *roster, struct isa__registration *item)
{
    struct isa__retired *outdated = NULL;
    bool done = isa__roster_reserve(roster, item, &outdated);
    if (done) isa__roster_add(roster, item);
    isa__free_retired(outdated);
    return done;
}

// Makes the snapshot of so many that it takes a roster; NULL when memory is short.
static struct isa__snapshot *make_with_roster(const struct isa__word_parts *parts, uint32_t total)
{
    struct isa__roster *roster = isa__roster_make(total);
    struct isa__snapshot *snapshot = roster == NULL ? NULL : isa__snapshot_show(roster);
    bool done = snapshot != NULL;
    if (roster != NULL && !done) roster->users = 1;
    FOR_EACH_PART(parts, item, done = done && fill_roster(roster, item));
    if (done) snapshot->count = total;
    else if (snapshot != NULL) free_snapshot(&snapshot->retired);
    else if (roster != NULL) isa__roster_drop(roster);
    return done ? snapshot : NULL;
}

static struct isa__snapshot *make_with_groups(const struct isa__word_parts *parts,
                                              uint32_t entries)
{
    struct isa__snapshot *snapshot = allocate_snapshot(entries);
    if (snapshot == NULL) return NULL;
    FOR_EACH_PART(parts, item, snapshot->items[snapshot->count++] = item);
    make_groups(snapshot);
    return snapshot;
}

static isa_status make_snapshot(const struct isa__word_parts *parts, uint32_t total,
                                uint32_t entries, struct isa__snapshot **out)
{
    *out = entries < ISA_ROSTER_LEAST ? make_with_groups(parts, entries)
                                      : make_with_roster(parts, total);
    if (*out != NULL) return ISA_OK;
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for %u registrations", total);
}

isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out)
{
    uint32_t total = 0, entries = 0;
    struct isa__registration *only = NULL;
    FOR_EACH_PART(parts, item, {
        total++;
        entries += isa__listing_count(item);
        only = item;
    });
    if (parts->base != NULL && total == parts->base->count) {
        isa__snapshot_use(parts->base);
        *out = word_of_base(parts->base);
        return ISA_OK;
    }
    bool alone = total == 1 && !(isa__registration_tag_load(only) & ISA_TAG_CHAINED);
    if (total == 0 || alone) {
        *out = (uintptr_t)only;
        return ISA_OK;
    }
    struct isa__snapshot *snapshot;
    isa_status status = make_snapshot(parts, total, entries, &snapshot);
    if (status != ISA_OK) return status;
    snapshot->base = parts->base;
    if (parts->base != NULL) isa__snapshot_use(parts->base);
    *out = isa__word_of_snapshot(snapshot);
    return ISA_OK;
}

// Changes a roster, which its snapshot goes on to show.
static bool change_roster(struct isa__snapshot *snapshot, const struct isa__registration *drop,
                          struct isa__registration *add)
{
    struct isa__roster *roster = snapshot->roster;
    struct isa__retired *outdated = NULL;
    bool done = !isa__roster_is_worn(roster) &&
                (add == NULL || isa__roster_reserve(roster, add, &outdated));
    if (done && drop != NULL) done = isa__roster_remove(roster, drop, &outdated);
    if (done && add != NULL) isa__roster_add(roster, add);
    snapshot->items = roster->all->items;
    snapshot->count = roster->all->used;
    while (outdated != NULL) {
        struct isa__retired *next = outdated->next;
        isa__let_go(outdated, true);
        outdated = next;
    }
    return done;
}

bool isa__word_change(uintptr_t observing, const struct isa__registration *drop,
                      struct isa__registration *add)
{
    struct isa__snapshot *snapshot = isa__word_snapshot(observing);
    if (snapshot == NULL || snapshot->base != NULL ||
        __atomic_load_n(&snapshot->users, __ATOMIC_RELAXED) > 0)
        return false;
    if (snapshot->roster != NULL) return change_roster(snapshot, drop, add);
    uint32_t entries = add == NULL ? 0 : isa__listing_count(add), count = 0;
    bool found = drop == NULL;
    for (uint32_t i = 0; i < snapshot->count; i++) {
        if (snapshot->items[i] == drop) found = true;
        else entries += isa__listing_count(snapshot->items[i]);
    }
    if (!found || entries > snapshot->capacity) return false;
    for (uint32_t i = 0; i < snapshot->count; i++)
        if (snapshot->items[i] != drop) snapshot->items[count++] = snapshot->items[i];
    if (add != NULL) snapshot->items[count++] = add;
    snapshot->count = count;
    memset(snapshot->groups, 0, snapshot->group_count * sizeof *snapshot->groups);
    snapshot->group_count = 0;
    make_groups(snapshot);
    return true;
}

isa_status isa__snapshot_make_shared(struct isa__registration **items, uint32_t count,
                                     struct isa__snapshot **out)
{
    const struct isa__word_parts parts = {.items = items, .count = count, .are_shared = true};
    uint32_t entries = 0;
    for (uint32_t i = 0; i < count; i++) entries += isa__listing_count(items[i]);
    isa_status status = make_snapshot(&parts, count, entries, out);
    if (status != ISA_OK) return status;
    (*out)->users = 1;
    for (uint32_t i = 0; i < count; i++) items[i]->base = *out;
    return ISA_OK;
}

// ---- ending -------------------------------------------------------------------------------------

void isa__word_let_go(uintptr_t observing, bool alone)
{
    struct isa__snapshot *snapshot = isa__word_snapshot(observing);
    if (snapshot == NULL) return;
    if (__atomic_load_n(&snapshot->users, __ATOMIC_RELAXED) > 0) isa__snapshot_drop(snapshot);
    else isa__let_go(&snapshot->retired, alone);
}

// No word leads to it any more, so nobody else reads the list of its registrations but readers
// under a mark, which outlasts both.
void isa__snapshot_drop(struct isa__snapshot *base)
{
    if (__atomic_fetch_sub(&base->users, 1, __ATOMIC_ACQ_REL) != 1) return;
    struct isa__thread *thread = isa__mark_enter();
    for (uint32_t i = 0; i < base->count; i++) {
        isa__registration_tag_set(base->items[i], ISA_TAG_ENDED);
        isa__retire((struct isa__retired *)base->items[i]);
    }
    isa__retire(&base->retired);
    isa__mark_leave(thread);
}

void isa__snapshot_start(void)
{
    isa__retired_free[ISA_RETIRED_SNAPSHOT] = free_snapshot;
}
