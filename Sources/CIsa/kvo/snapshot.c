// Snapshots.
//
// Owns:      a snapshot's own block; shared observers' snapshot also the registrations in it.
// Lives:     an object's own until it is replaced, shared observers' until the last use; then until
//            base/reclaim.h says that no reader holds it.
// Invariant: a snapshot never changes once a word leads to it, its count of users excepted.
#include "snapshot.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "key_path.h"

// ---- finding ------------------------------------------------------------------------------------

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

const struct isa__group *isa__group_search(const struct isa__snapshot *snapshot,
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
    const struct isa__group *group = snapshot == NULL ? NULL : isa__group_find(snapshot, key);
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
    for (uint32_t i = 0; i < now.count; i++)
        if (isa__registration_equal(isa__item_load(&now.items[i]), registration)) return true;
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

// How many slots a snapshot of so many entries has: none where looking at each key is as fast.
static uint32_t slot_count(uint32_t entries)
{
    uint32_t slots = 16;
    while (slots < 2 * entries) slots *= 2;
    return entries <= 8 ? 0 : slots;
}

// At most as many groups as entries, but one to look at, which isa__group_find does first: shared
// observers may all have died. Then items, grouped, triggers and slots.
static size_t snapshot_size(uint32_t count, uint32_t entries)
{
    size_t groups = entries == 0 ? 1 : entries;
    return sizeof(struct isa__snapshot) + groups * sizeof(struct isa__group) +
           (count + 2 * (size_t)entries) * sizeof(void *) + slot_count(entries) * sizeof(uint32_t);
}

static struct isa__snapshot *allocate_snapshot(uint32_t count, uint32_t entries)
{
    struct isa__snapshot *snapshot =
        isa__alloc(ISA_KIND_SNAPSHOT, snapshot_size(count, entries));
    if (snapshot == NULL) return NULL;
    snapshot->retired.next = (struct isa__retired *)ISA_SNAPSHOT_ELEMENTS;
    snapshot->retired.tag = (uint32_t)ISA_RETIRED_SNAPSHOT << ISA_RETIRED_TAG_SHIFT;
    snapshot->count = count;
    snapshot->entry_count = entries;
    snapshot->items = (struct isa__registration **)&snapshot->groups[entries];
    snapshot->grouped = snapshot->items + count;
    snapshot->triggers = (const struct isa__trigger **)(snapshot->grouped + entries);
    uint32_t slots = slot_count(entries);
    if (slots == 0) return snapshot;
    snapshot->slots = (uint32_t *)(snapshot->triggers + entries);
    snapshot->slot_mask = slots - 1;
    return snapshot;
}

static void free_snapshot(struct isa__retired *thing)
{
    struct isa__snapshot *snapshot = (struct isa__snapshot *)thing;
    struct isa__snapshot *base = snapshot->base;
    uint32_t own = snapshot->list == NULL ? snapshot->count : 0;
    if (snapshot->list != NULL) isa__list_drop(snapshot->list);
    isa__free(ISA_KIND_SNAPSHOT, snapshot, snapshot_size(own, snapshot->entry_count));
    if (base != NULL) isa__snapshot_drop(base);
}

static struct isa__group *group_for(struct isa__snapshot *snapshot, const struct isa__key *key)
{
    const struct isa__group *found = isa__group_search(snapshot, key);
    if (found != NULL) return &snapshot->groups[found - snapshot->groups];
    uint32_t *slot = snapshot->slots == NULL ? NULL : slot_for(snapshot, key);
    struct isa__group *group = &snapshot->groups[snapshot->group_count++];
    group->key = key;
    if (slot != NULL) *slot = snapshot->group_count;
    return group;
}

// One registration's place in the group of one of its keys; trigger NULL: the key alone.
struct place {
    const struct isa__key *key;
    const struct isa__trigger *trigger;
};

static uint32_t place_count(const struct isa__registration *registration)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED)) return 1;
    return isa__chain_of(registration)->path->trigger_count;
}

static struct place place_at(const struct isa__registration *registration, uint32_t number)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED))
        return (struct place){registration->key, NULL};
    const struct isa__trigger *trigger = &isa__chain_of(registration)->path->triggers[number];
    bool alone = trigger->is_exact && trigger->hop_count == 0;
    return (struct place){trigger->key, alone ? NULL : trigger};
}

// Whether a registration that is told by `trigger` has anything to do when the change is announced:
// see isa__dependent_will.
static bool is_announced(const struct isa__registration *registration,
                         const struct isa__trigger *trigger)
{
    return isa__registration_tag_load(registration) & (KVO_OPTION_OLD | KVO_OPTION_PRIOR) ||
           trigger->hop_count > 0 || isa__chain_of(registration)->path->dependency_hops > 0;
}

static void count_places(struct isa__snapshot *snapshot, const struct isa__registration *item)
{
    for (uint32_t i = 0; i < place_count(item); i++) {
        struct place place = place_at(item, i);
        struct isa__group *group = group_for(snapshot, place.key);
        group->count++;
        if (place.trigger == NULL) {
            group->options |= isa__registration_tag_load(item) & ISA_TAG_OPTIONS;
            continue;
        }
        group->is_related = true;
        if (is_announced(item, place.trigger)) group->is_announced = true;
    }
}

static void fill_places(struct isa__snapshot *snapshot, struct isa__registration *item)
{
    for (uint32_t i = 0; i < place_count(item); i++) {
        struct place place = place_at(item, i);
        struct isa__group *group = group_for(snapshot, place.key);
        uint32_t at = group->start + group->count++;
        snapshot->grouped[at] = item;
        snapshot->triggers[at] = place.trigger;
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

static bool stays(const struct isa__registration *registration)
{
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
            if (stays(item)) body; \
        } \
        if ((parts)->add != NULL) { \
            struct isa__registration *item = (parts)->add; \
            body; \
        } \
    } while (0)

static void use(struct isa__snapshot *base)
{
    __atomic_fetch_add(&base->users, 1, __ATOMIC_RELAXED);
}

// The snapshot that shows all of the list. Its one group has no trigger, and no places of its own.
static struct isa__snapshot *show_list(struct isa__list *list, const struct isa__key *key)
{
    struct isa__snapshot *snapshot = allocate_snapshot(0, 1);
    if (snapshot == NULL) return NULL;
    snapshot->list = list;
    __atomic_fetch_add(&list->users, 1, __ATOMIC_RELAXED);
    snapshot->count = list->used;
    snapshot->items = snapshot->grouped = list->items;
    snapshot->group_count = 1;
    struct isa__group *group = &snapshot->groups[0];
    *group = (struct isa__group){.key = key, .count = list->used};
    for (uint32_t bit = 0; bit < ISA_LIST_OPTIONS; bit++)
        if (list->wanted[bit] > 0) group->options |= 1u << bit;
    return snapshot;
}

struct isa__snapshot *isa__snapshot_extend(const struct isa__snapshot *snapshot,
                                           struct isa__registration *add)
{
    struct isa__list *list = snapshot->list;
    struct isa__snapshot *extended = show_list(list, add->key);
    if (extended == NULL) return NULL;
    isa__list_add(list, add);
    extended->count = extended->groups[0].count = list->used;
    extended->groups[0].options |= isa__registration_tag_load(add) & ISA_TAG_OPTIONS;
    return extended;
}

// Moves a snapshot's registrations into a list if that suits them; without memory it stays.
static struct isa__snapshot *with_list(struct isa__snapshot *snapshot)
{
    if (snapshot->base != NULL || !isa__list_suits(snapshot->items, snapshot->count))
        return snapshot;
    struct isa__list *list = isa__list_make(snapshot->count);
    if (list == NULL) return snapshot;
    for (uint32_t i = 0; i < snapshot->count; i++) isa__list_add(list, snapshot->items[i]);
    struct isa__snapshot *shown = show_list(list, snapshot->items[0]->key);
    if (shown == NULL) {
        list->users = 1;
        isa__list_drop(list);
        return snapshot;
    }
    free_snapshot(&snapshot->retired);
    return shown;
}

isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out)
{
    uint32_t total = 0, entries = 0;
    struct isa__registration *only = NULL;
    FOR_EACH_PART(parts, item, {
        total++;
        entries += place_count(item);
        only = item;
    });
    if (parts->base != NULL && total == parts->base->count) {
        use(parts->base);
        *out = isa__word_of_snapshot(parts->base);
        return ISA_OK;
    }
    bool alone = total == 1 && !(isa__registration_tag_load(only) & ISA_TAG_CHAINED);
    if (total == 0 || alone) {
        *out = (uintptr_t)only;
        return ISA_OK;
    }
    struct isa__snapshot *snapshot = allocate_snapshot(total, entries);
    if (snapshot == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for %u registrations", total);
    uint32_t at = 0;
    FOR_EACH_PART(parts, item, snapshot->items[at++] = item);
    make_groups(snapshot);
    snapshot->base = parts->base;
    if (parts->base != NULL) use(parts->base);
    *out = isa__word_of_snapshot(with_list(snapshot));
    return ISA_OK;
}

isa_status isa__snapshot_make_shared(struct isa__registration **items, uint32_t count,
                                     struct isa__snapshot **out)
{
    uint32_t entries = 0;
    for (uint32_t i = 0; i < count; i++) entries += place_count(items[i]);
    struct isa__snapshot *snapshot = allocate_snapshot(count, entries);
    if (snapshot == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for %u shared observers", count);
    for (uint32_t i = 0; i < count; i++) snapshot->items[i] = items[i];
    make_groups(snapshot);
    snapshot->users = 1;
    *out = snapshot;
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
