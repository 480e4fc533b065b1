// Lists of registrations: an object with two or more registrations has a list, which grows and
// shrinks in place. Threads that notify of changes read the list meanwhile and take no lock. So one
// block has the whole list, and each part that was given out stays as it is until the block is
// freed as a whole.
//
// Owns:      a list its block, and a use of the shared observers that it begins with; shared
//            observers' list also the registrations in it.
// Lives:     an object's own list until another replaces it, shared observers' list until the last
//            use; then until base/reclaim.h says that no reader holds it.
// Locks:     isa__lock_for(object), for all but finding.
// Invariant: in registration_list.h, at struct isa__key_run.
#include "registration_list.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "chain.h"

static const struct isa__key no_key;

// Stands in the place of each registration that was taken out. It has ended, so nobody notifies it.
static struct isa__registration nobody = {
    .tag = ISA_TAG_FUNCTION | ISA_TAG_ENDED | ISA_TAG_BARE,
    .key = &no_key,
    .references = UINT32_MAX / 2, // pending changes hold it like any other
};

bool isa__registration_is_nobody(const struct isa__registration *registration)
{
    return registration == &nobody;
}

// ---- the keys of a registration -----------------------------------------------------------------

// One of the keys that a registration is listed under; dependency NULL: the key alone.
struct listing {
    const struct isa__key *key;
    const struct isa__dependency *dependency;
};

static uint32_t count_listings(const struct isa__registration *registration)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED)) return 1;
    return isa__chain_of(registration)->path->dependency_count;
}

static struct listing listing_at(const struct isa__registration *registration, uint32_t number)
{
    if (!(isa__registration_tag_load(registration) & ISA_TAG_CHAINED))
        return (struct listing){registration->key, NULL};
    const struct isa__dependency *dependency =
        &isa__chain_of(registration)->path->dependencies[number];
    bool alone = dependency->is_exact && dependency->link_count == 0;
    return (struct listing){dependency->key, alone ? NULL : dependency};
}

// Whether a registration that is notified by `dependency` has anything to do when the change is
// announced: see isa__dependent_will.
static bool is_announced_by(const struct isa__registration *registration,
                            const struct isa__dependency *dependency)
{
    return isa__registration_tag_load(registration) & (KVO_OPTION_OLD | KVO_OPTION_PRIOR) ||
           dependency->link_count > 0 || isa__chain_of(registration)->path->affecting_links > 0;
}

// ---- the block ----------------------------------------------------------------------------------

// The most entries of a list without a table of them, and the most keys without one.
enum { FEW = 8 };

// Where a registration stands: once for each of its keys, one after the other.
struct entry {
    uint32_t run : 31;
    uint32_t is_further : 1; // not the first of its registration
    uint32_t place;
};

static struct entry *entries_of(const struct isa__registration_list *list)
{
    return (struct entry *)(uintptr_t)(list->keys + list->key_capacity);
}

// The runs by key: an open-addressed table of each one's number and one, 0: free. Atomic builtins.
static uint32_t *slots_of(const struct isa__registration_list *list)
{
    return (uint32_t *)(entries_of(list) + list->capacity);
}

static bool has_slots(const struct isa__registration_list *list)
{
    return list->key_capacity > FEW;
}

// The registrations by isa__seeking_hash: `heads` by the hash, `links` by entry, the latest first;
// each the number of its first entry and one, 0: none. Registrations that are gone stay linked, but
// for heads.
static uint32_t *heads_of(const struct isa__registration_list *list)
{
    return slots_of(list) + (has_slots(list) ? list->mask + 1 : 0);
}

static uint32_t *links_of(const struct isa__registration_list *list)
{
    return heads_of(list) + list->mask + 1;
}

// Of a list with these tables: the number of the first entry that is not gone.
static uint32_t *first_of(const struct isa__registration_list *list)
{
    return links_of(list) + list->capacity;
}

static struct isa__registration_list *allocate(uint32_t capacity, uint32_t keys, uint64_t words)
{
    uint32_t places = capacity > FEW ? 2 * FEW : 0;
    while (capacity > FEW && (places < capacity || places < 2 * keys)) places *= 2;
    uint64_t tables = places == 0 ? 0 : (uint64_t)places * (keys > FEW ? 2 : 1) + capacity + 1;
    uint64_t head = sizeof(struct isa__registration_list) +
                    (uint64_t)keys * sizeof(struct isa__key_run) +
                    (uint64_t)capacity * sizeof(struct entry) + tables * sizeof(uint32_t);
    uint64_t filled = (head + sizeof(void *) - 1) / sizeof(void *);
    if (filled + words > UINT32_MAX) return NULL;
    struct isa__registration_list *list =
        isa__alloc(ISA_KIND_LIST, (size_t)(filled + words) * sizeof(void *));
    if (list == NULL) return NULL;
    list->next = (struct isa__retired *)ISA_LIST_ELEMENTS;
    list->tag = (uint32_t)ISA_RETIRED_LIST << ISA_RETIRED_TAG_SHIFT;
    list->capacity = capacity;
    list->key_capacity = keys;
    list->mask = places == 0 ? 0 : places - 1;
    list->filled = (uint32_t)filled;
    list->size = (uint32_t)(filled + words);
    return list;
}

static bool is_shared(const struct isa__registration_list *list)
{
    return (list->tag & ISA_LIST_SHARED) != 0;
}

static void free_list(struct isa__retired *thing)
{
    struct isa__registration_list *list = (struct isa__registration_list *)thing;
    struct isa__registration_list *base = is_shared(list) ? NULL : list->base;
    isa__free(ISA_KIND_LIST, list, list->size * sizeof(void *));
    if (base != NULL) isa__list_drop(base);
}

// ---- runs ---------------------------------------------------------------------------------------

static uint32_t hash_address(const void *address)
{
    return (uint32_t)(((uintptr_t)address >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

static struct isa__key_run *find_of_many(const struct isa__registration_list *list,
                                         const struct isa__key *key)
{
    const uint32_t *slots = slots_of(list);
    for (uint32_t at = hash_address(key) & list->mask;; at = (at + 1) & list->mask) {
        uint32_t number = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
        if (number == 0) return NULL;
        const struct isa__key_run *run = &list->keys[number - 1];
        if (run->key == key) return (struct isa__key_run *)(uintptr_t)run;
    }
}

static struct isa__key_run *find_run(const struct isa__registration_list *list,
                                     const struct isa__key *key)
{
    if (has_slots(list)) return find_of_many(list, key);
    const struct isa__key_run *run = list->keys;
    uint32_t count = __atomic_load_n(&list->key_count, __ATOMIC_ACQUIRE);
    for (; count > 0; count--, run++)
        if (run->key == key) return (struct isa__key_run *)(uintptr_t)run;
    return NULL;
}

// Where a run is: its first word in the block, above that how many places it has, and whether as
// many words behind them have the dependency of each.
enum { WHERE_CAPACITY = 32, WHERE_RELATED = 63 };

struct places {
    uint32_t start, capacity;
    struct isa__registration **items;
    const struct isa__dependency **dependencies; // NULL: the key alone, of each
};

ISA_INLINE struct places places_of(const struct isa__registration_list *list,
                                   const struct isa__key_run *run)
{
    uint64_t where = __atomic_load_n(&run->where, __ATOMIC_ACQUIRE);
    struct places places = {.start = (uint32_t)where};
    places.capacity = (uint32_t)(where >> WHERE_CAPACITY) & UINT32_MAX >> 1;
    places.items = (struct isa__registration **)(uintptr_t)list + places.start;
    if (ISA_UNLIKELY(where >> WHERE_RELATED != 0))
        places.dependencies = (const struct isa__dependency **)(places.items + places.capacity);
    return places;
}

// Shows that a run is there now.
static void show_run(struct isa__key_run *run, uint32_t start, uint32_t capacity, bool related)
{
    uint64_t where = start | (uint64_t)capacity << WHERE_CAPACITY |
                     (uint64_t)related << WHERE_RELATED;
    __atomic_store_n(&run->where, where, __ATOMIC_RELEASE);
}

// Gives a run more places behind its own, if these are the last of the block and have no
// dependencies.
static bool lengthen_run(struct isa__registration_list *list, struct isa__key_run *run,
                         struct places places, uint32_t capacity)
{
    uint32_t room = list->size - list->filled, more = capacity - places.capacity;
    if (places.start + places.capacity != list->filled || room == 0) return false;
    if (more > room) more = room;
    list->filled += more;
    show_run(run, places.start, places.capacity + more, false);
    return true;
}

// Gives a run `capacity` places, with room for dependencies if it is `related`. False if the block
// has no room.
static bool move_run(struct isa__registration_list *list, struct isa__key_run *run,
                     uint32_t capacity, bool related)
{
    struct places from = places_of(list, run);
    if (!related && lengthen_run(list, run, from, capacity)) return true;
    if (capacity > (list->size - list->filled) >> related) return false;
    struct isa__registration **items = (struct isa__registration **)list + list->filled;
    const struct isa__dependency **dependencies =
        (const struct isa__dependency **)(items + capacity);
    for (uint32_t i = 0; i < run->used; i++) items[i] = from.items[i];
    for (uint32_t i = 0; i < run->used && from.dependencies != NULL; i++)
        dependencies[i] = from.dependencies[i];
    show_run(run, list->filled, capacity, related);
    list->filled += capacity << related;
    return true;
}

// The run of a key, an empty one if there is none; NULL if there is no room for one.
static struct isa__key_run *run_for(struct isa__registration_list *list,
                                    const struct isa__key *key)
{
    struct isa__key_run *run = find_run(list, key);
    if (run != NULL || list->key_count == list->key_capacity) return run;
    run = &list->keys[list->key_count];
    run->key = key;
    uint32_t at = hash_address(key) & list->mask, number = list->key_count + 1;
    if (has_slots(list)) {
        while (slots_of(list)[at] != 0) at = (at + 1) & list->mask;
        __atomic_store_n(&slots_of(list)[at], number, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&list->key_count, number, __ATOMIC_RELEASE);
    return run;
}

// Counts what a registration asks for, or does not any more, and shows the sum.
ISA_INLINE void count_options(struct isa__key_run *run, uint32_t tag, int32_t by)
{
    const uint32_t counted[ISA_OPTIONS_COUNTED] = {KVO_OPTION_NEW, KVO_OPTION_OLD,
                                                   KVO_OPTION_PRIOR};
    uint32_t options = 0;
    for (uint32_t i = 0; i < ISA_OPTIONS_COUNTED; i++) {
        if (tag & counted[i]) run->wanted[i] += (uint32_t)by;
        if (run->wanted[i] > 0) options |= counted[i];
    }
    __atomic_store_n(&run->options, (uint8_t)options, __ATOMIC_RELEASE);
}

static bool has_announced(const struct isa__registration_list *list,
                          const struct isa__key_run *run)
{
    struct places places = places_of(list, run);
    for (uint32_t i = 0; i < run->used; i++)
        if (places.items[i] != &nobody && places.dependencies[i] != NULL &&
            is_announced_by(places.items[i], places.dependencies[i]))
            return true;
    return false;
}

// ---- finding ------------------------------------------------------------------------------------

// Has the processor fetch what the first functions have as info while it does what comes before
// they are called: where objects are many, these lie in no cache, and one would be waited for after
// the other. Of an observer that is an object it is as good as any other address.
static void fetch_infos(const struct isa__affected *affected)
{
    enum { MOST = 3, LINE = 64 };
    uint32_t count = affected->count < MOST ? affected->count : MOST;
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t info = (uintptr_t)isa__item_load(&affected->items[i])->function.info;
        __builtin_prefetch((const void *)info);
        __builtin_prefetch((const void *)(info + LINE));
    }
}

bool isa__affected_find_in_list(const struct isa__registration_list *list,
                                const struct isa__key *key, struct isa__affected *out)
{
    if (list == NULL) return false;
    const struct isa__key_run *run = find_run(list, key);
    if (run == NULL) return false;
    // In this order: no more are gone than are used, so none is left where both are equal.
    uint32_t gone = __atomic_load_n(&run->gone, __ATOMIC_ACQUIRE);
    out->count = __atomic_load_n(&run->used, __ATOMIC_ACQUIRE);
    struct places places = places_of(list, run);
    out->used = &run->used;
    out->items = places.items;
    out->dependencies = places.dependencies;
    out->options = __atomic_load_n(&run->options, __ATOMIC_ACQUIRE);
    out->is_announced = __atomic_load_n(&run->is_announced, __ATOMIC_ACQUIRE);
    fetch_infos(out);
    return out->count > gone;
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

// ---- entries ------------------------------------------------------------------------------------

static struct isa__registration *item_at(const struct isa__registration_list *list,
                                         uint32_t number)
{
    struct entry entry = entries_of(list)[number];
    return places_of(list, &list->keys[entry.run]).items[entry.place];
}

struct isa__registration *isa__word_next(uintptr_t observing, uint32_t *at)
{
    const struct isa__registration_list *list = isa__word_list(observing);
    if (list == NULL) return (*at)++ == 0 ? isa__word_single(observing) : NULL;
    while (*at < list->used) {
        uint32_t number = (*at)++;
        struct isa__registration *item = item_at(list, number);
        if (item != &nobody && !entries_of(list)[number].is_further) return item;
    }
    return NULL;
}

uint32_t isa__seeking_hash(const void *identity, const struct isa__key *key)
{
    return hash_address(identity) + hash_address(key);
}

static uint32_t hash_of(const struct isa__registration *registration)
{
    bool is_function = (isa__registration_tag_load(registration) & ISA_TAG_FUNCTION) != 0;
    if (is_function) return isa__seeking_hash(registration, registration->key);
    return isa__seeking_hash(registration->observer.weak.record, registration->key);
}

static bool is_itself(const struct isa__registration *registration, const void *wanted)
{
    return registration == wanted;
}

static uint32_t seek_of_few(const struct isa__registration_list *list,
                            const struct isa__seeking *seeking)
{
    for (uint32_t i = 0; i < list->used; i++) {
        uint32_t number = seeking->oldest ? i : list->used - 1 - i;
        if (!entries_of(list)[number].is_further &&
            seeking->is(item_at(list, number), seeking->wanted))
            return number;
    }
    return ISA_NOWHERE;
}

static bool is_at(const struct isa__registration_list *list, uint32_t number,
                  const struct isa__seeking *seeking)
{
    const struct isa__registration *item = item_at(list, number);
    return item != &nobody && seeking->is(item, seeking->wanted);
}

// The first entry of a registration. The oldest of all is looked at first, so that it is found as
// quickly as the latest where many are alike.
static uint32_t seek(const struct isa__registration_list *list, const struct isa__seeking *seeking)
{
    uint32_t found = ISA_NOWHERE;
    if (list->mask == 0) return seek_of_few(list, seeking);
    if ((seeking->oldest || seeking->is == is_itself) && *first_of(list) < list->used &&
        is_at(list, *first_of(list), seeking))
        return *first_of(list);
    uint32_t at = heads_of(list)[seeking->hash & list->mask];
    for (; at != 0 && (found == ISA_NOWHERE || seeking->oldest); at = links_of(list)[at - 1])
        if (is_at(list, at - 1, seeking)) found = at - 1;
    return found;
}

struct isa__registration *isa__word_seek(uintptr_t observing, const struct isa__seeking *seeking)
{
    struct isa__registration *single = isa__word_single(observing);
    const struct isa__registration_list *list = isa__word_list(observing);
    if (list == NULL) return single != NULL && seeking->is(single, seeking->wanted) ? single : NULL;
    uint32_t number = seek(list, seeking);
    return number == ISA_NOWHERE ? NULL : item_at(list, number);
}

uint32_t isa__word_find(uintptr_t observing, const struct isa__registration *registration)
{
    const struct isa__registration_list *list = isa__word_list(observing);
    if (list == NULL) return observing == (uintptr_t)registration ? 0 : ISA_NOWHERE;
    struct isa__seeking itself = {0, is_itself, registration, false};
    if (list->mask != 0) itself.hash = hash_of(registration);
    return seek(list, &itself);
}

bool isa__word_has_only(uintptr_t observing, const struct isa__registration *registration)
{
    const struct isa__registration_list *list = isa__word_list(observing);
    if (list == NULL) return observing == (uintptr_t)registration;
    uint32_t at = 0;
    if (is_shared(list) || list->base != NULL) return false;
    if (list->used - list->gone != count_listings(registration)) return false;
    return (list->gone == 0 ? item_at(list, 0) : isa__word_next(observing, &at)) == registration;
}

uintptr_t isa__word_in_full(uintptr_t observing)
{
    const struct isa__registration *single = isa__word_single(observing);
    if (single == NULL || !(isa__registration_tag_load(single) & ISA_TAG_SHARED)) return observing;
    return isa__word_of_list(single->base);
}

struct isa__registration_list *isa__word_own_list(uintptr_t observing)
{
    struct isa__registration_list *list = isa__word_list(observing);
    return list == NULL || is_shared(list) ? NULL : list;
}

struct isa__registration_list *isa__word_base(uintptr_t observing)
{
    struct isa__registration_list *list = isa__word_list(isa__word_in_full(observing));
    return list == NULL || is_shared(list) ? list : list->base;
}

// ---- adding -------------------------------------------------------------------------------------

// The run of a listing's key, with room for one place more; NULL if there is none.
ISA_INLINE struct isa__key_run *make_place(struct isa__registration_list *list,
                                           struct listing listing)
{
    struct isa__key_run *run = run_for(list, listing.key);
    if (run == NULL) return NULL;
    struct places places = places_of(list, run);
    bool related = places.dependencies != NULL || listing.dependency != NULL;
    if (run->used < places.capacity && related == (places.dependencies != NULL)) return run;
    return move_run(list, run, run->used == 0 ? 1 : 2 * run->used, related) ? run : NULL;
}

// Puts a registration in the place behind the places of a run.
ISA_INLINE struct entry fill_place(const struct isa__registration_list *list,
                                   struct isa__key_run *run,
                                   struct isa__registration *registration,
                                   const struct isa__dependency *dependency)
{
    struct places places = places_of(list, run);
    uint32_t place = run->used;
    places.items[place] = registration;
    if (ISA_UNLIKELY(places.dependencies != NULL)) places.dependencies[place] = dependency;
    if (__builtin_expect(dependency == NULL, 1))
        count_options(run, isa__registration_tag_load(registration), 1);
    else if (is_announced_by(registration, dependency))
        __atomic_store_n(&run->is_announced, true, __ATOMIC_RELEASE);
    __atomic_store_n(&run->used, place + 1, __ATOMIC_RELEASE);
    return (struct entry){.run = (uint32_t)(run - list->keys) & UINT32_MAX >> 1, .place = place};
}

static void link_entry(struct isa__registration_list *list, uint32_t number,
                       const struct isa__registration *registration)
{
    uint32_t *head = &heads_of(list)[hash_of(registration) & list->mask];
    links_of(list)[number] = *head;
    *head = number + 1;
}

// Adds a registration at the end. False if there is no room: then nobody is shown it.
static bool add_to_list(struct isa__registration_list *list,
                        struct isa__registration *registration)
{
    uint32_t count = count_listings(registration);
    struct entry *entries = &entries_of(list)[list->used];
    if (count > list->capacity - list->used) return false;
    for (uint32_t i = 1; i < count; i++)
        if (make_place(list, listing_at(registration, i)) == NULL) return false;
    struct listing listing = listing_at(registration, 0);
    struct isa__key_run *run = make_place(list, listing);
    if (run == NULL) return false;
    entries[0] = fill_place(list, run, registration, listing.dependency);
    for (uint32_t i = 1; i < count; i++) {
        listing = listing_at(registration, i);
        entries[i] =
            fill_place(list, find_run(list, listing.key), registration, listing.dependency);
        entries[i].is_further = 1;
    }
    if (list->mask != 0) link_entry(list, list->used, registration);
    list->used += count;
    list->changes++;
    return true;
}

// What a list is made for.
struct sum {
    uint32_t count;    // of registrations
    uint32_t entries;
    uint32_t left_out;
    bool has_chained;
    struct isa__registration *last;
};

// An empty list: for a few as much room as it takes, for more two times that, and the places of
// four times as many, as runs that grow leave theirs.
static struct isa__registration_list *allocate_for(const struct sum *sum, uint32_t keys)
{
    uint32_t capacity = sum->entries > 0, width = sum->has_chained ? 2 : 1;
    if (sum->entries > UINT32_MAX >> 4) return NULL;
    while (capacity < sum->entries && sum->entries <= FEW) capacity *= 2;
    if (sum->entries <= FEW) return allocate(capacity, capacity, (uint64_t)capacity * width);
    capacity = 2 * sum->entries;
    return allocate(capacity, 2 * keys, (uint64_t)capacity * width * 2);
}

// Whether a place of a few has a registration that has died; `but` may.
static bool has_dead(const struct isa__registration_list *list,
                     const struct isa__registration *but)
{
    for (uint32_t r = 0; r < list->key_count && list->mask == 0; r++) {
        struct isa__registration *const *items = places_of(list, &list->keys[r]).items;
        for (uint32_t i = 0; i < list->keys[r].used; i++) {
            uint32_t tag = isa__registration_tag_load(items[i]);
            if ((tag & (ISA_TAG_FUNCTION | ISA_TAG_ENDED)) == ISA_TAG_FUNCTION) continue;
            if (items[i] != &nobody && items[i] != but && !(tag & ISA_TAG_SHARED) &&
                isa__registration_is_dead(items[i]))
                return true;
        }
    }
    return false;
}

static bool is_plain(const struct isa__registration *registration)
{
    return !(isa__registration_tag_load(registration) & (ISA_TAG_CHAINED | ISA_TAG_SHARED));
}

// Makes the list of one registration, or of a plain one and that. NULL if it does not fit so.
static struct isa__registration_list *make_small(struct isa__registration *plain,
                                                 struct isa__registration *registration)
{
    struct sum sum = {.entries = count_listings(registration) + (plain != NULL),
                      .has_chained = !is_plain(registration)};
    struct isa__registration_list *list =
        sum.entries > FEW ? NULL : allocate_for(&sum, sum.entries);
    if (list == NULL || ((plain == NULL || add_to_list(list, plain)) &&
                         add_to_list(list, registration)))
        return list;
    free_list((struct isa__retired *)list);
    return NULL;
}

bool isa__word_add(uintptr_t *observing, struct isa__registration *registration)
{
    struct isa__registration_list *list = isa__word_own_list(*observing);
    struct isa__registration *single = isa__word_single(*observing);
    if (list != NULL)
        return !(list->tag & ISA_LIST_WORN) && !has_dead(list, NULL) &&
               add_to_list(list, registration);
    if (*observing == 0 && is_plain(registration)) {
        *observing = (uintptr_t)registration;
        return true;
    }
    if (*observing != 0 &&
        (single == NULL || !is_plain(single) || isa__registration_is_dead(single)))
        return false;
    list = make_small(single, registration);
    if (list != NULL) *observing = isa__word_of_list(list);
    return list != NULL;
}

// ---- removing -----------------------------------------------------------------------------------

// Whether so many of a key's registrations are gone that the list is to be made anew: that then
// costs no more than some of the removals did. Fewer are walked past.
static bool is_run_worn(const struct isa__registration_list *list, const struct isa__key_run *run)
{
    return run->gone > run->used / 2 && run->gone > 2 * FEW && run->gone > list->used / 32;
}

static void empty_place(struct isa__registration_list *list, struct entry entry)
{
    struct isa__key_run *run = &list->keys[entry.run];
    struct places places = places_of(list, run);
    uint32_t tag = isa__registration_tag_load(places.items[entry.place]);
    bool alone = places.dependencies == NULL || places.dependencies[entry.place] == NULL;
    __atomic_store_n(&places.items[entry.place], &nobody, __ATOMIC_RELEASE);
    __atomic_store_n(&run->gone, run->gone + 1, __ATOMIC_RELEASE);
    if (alone) count_options(run, tag, -1);
    // Of many, each would look at all the others.
    else if (run->is_announced && (list->mask == 0 || run->gone == run->used))
        __atomic_store_n(&run->is_announced, has_announced(list, run), __ATOMIC_RELEASE);
    if (ISA_UNLIKELY(is_run_worn(list, run))) list->tag |= ISA_LIST_WORN;
}

// Gives the last places back, where nobody looks at the list.
static void shrink(struct isa__registration_list *list)
{
    while (list->used > 0 && item_at(list, list->used - 1) == &nobody) {
        struct isa__key_run *run = &list->keys[entries_of(list)[list->used - 1].run];
        __atomic_store_n(&run->gone, run->gone - 1, __ATOMIC_RELAXED);
        __atomic_store_n(&run->used, run->used - 1, __ATOMIC_RELAXED);
        list->used--;
        list->gone--;
    }
    if (list->mask != 0 && *first_of(list) > list->used) *first_of(list) = list->used;
}

// Steps over registrations that are gone, at the front of all and of a hash.
static void skip_gone(struct isa__registration_list *list, uint32_t *head)
{
    uint32_t *first = first_of(list);
    while (*head != 0 && item_at(list, *head - 1) == &nobody) *head = links_of(list)[*head - 1];
    while (*first < list->used && item_at(list, *first) == &nobody) ++*first;
}

void isa__list_remove(struct isa__registration_list *list, uint32_t place, bool is_unwatched)
{
    const struct isa__registration *registration = item_at(list, place);
    uint32_t count = count_listings(registration);
    uint32_t hash = list->mask == 0 ? 0 : hash_of(registration);
    for (uint32_t i = 0; i < count; i++) empty_place(list, entries_of(list)[place + i]);
    list->gone += count;
    list->changes++;
    if (list->mask != 0) skip_gone(list, &heads_of(list)[hash & list->mask]);
    if (is_unwatched) shrink(list);
}

// The word for shared observers alone. One registration has a word as an object's own has, and is
// notified as quickly.
static uintptr_t word_of_base(struct isa__registration_list *base)
{
    isa__list_use(base);
    return base->used == 1 ? (uintptr_t)item_at(base, 0) : isa__word_of_list(base);
}

uintptr_t isa__word_settled(uintptr_t observing)
{
    const struct isa__registration_list *list = isa__word_list(observing);
    uint32_t left = list->used - list->gone, at = 0;
    if (list->base != NULL) return left > list->base->used ? observing : word_of_base(list->base);
    if (left > 1) return observing;
    const struct isa__registration *only = isa__word_next(observing, &at);
    return only == NULL || is_plain(only) ? (uintptr_t)only : observing;
}

bool isa__word_is_worn(uintptr_t observing, const struct isa__registration *leaving)
{
    const struct isa__registration_list *list = isa__word_own_list(observing);
    if (list == NULL) return false;
    uint32_t left = list->used - list->gone;
    if (list->mask == 0) return has_dead(list, leaving);
    return list->tag & ISA_LIST_WORN || left <= list->capacity / 4 || list->gone >= left;
}

void isa__registration_leave(struct isa__registration *registration, struct isa__retired **ended)
{
    uint32_t before = __atomic_fetch_or(&registration->tag, ISA_TAG_ENDED, __ATOMIC_ACQ_REL);
    if (before & ISA_TAG_ENDED) return;
    if (isa__registration_holds_side(before)) isa__side_drop(registration->side);
    registration->next = *ended;
    *ended = (struct isa__retired *)registration;
}

// ---- making anew --------------------------------------------------------------------------------

static bool stays(const struct isa__word_parts *parts, const struct isa__registration *item)
{
    if (isa__registration_tag_load(item) & ISA_TAG_SHARED || item == parts->drop) return false;
    return parts->ended == NULL || !isa__registration_is_dead(item);
}

static void leave_out(const struct isa__word_parts *parts, struct isa__registration *item)
{
    bool is_own = !(isa__registration_tag_load(item) & ISA_TAG_SHARED);
    if (is_own && parts->ended != NULL) isa__registration_leave(item, parts->ended);
}

// Calls for each registration of the next word, in order, and for each that is left out.
#define FOR_EACH_PART(parts, item, body, left_out) \
    do { \
        struct isa__registration *item; \
        uint32_t base_at = 0, former_at = 0; \
        uintptr_t base = (parts)->base == NULL ? 0 : isa__word_of_list((parts)->base); \
        while ((item = isa__word_next(base, &base_at)) != NULL) body; \
        while ((item = isa__word_next((parts)->former, &former_at)) != NULL) { \
            if (stays(parts, item)) body; \
            else left_out; \
        } \
        if ((item = (parts)->add) != NULL) body; \
    } while (0)

static void add_to_sum(struct sum *sum, struct isa__registration *item)
{
    sum->count++;
    sum->entries += count_listings(item);
    if (isa__registration_tag_load(item) & ISA_TAG_CHAINED) sum->has_chained = true;
    sum->last = item;
}

// No fewer than there are keys.
static uint32_t key_bound(const struct isa__word_parts *parts, const struct sum *sum)
{
    const struct isa__registration_list *former = isa__word_list(parts->former);
    uint64_t bound = former == NULL ? 1 : former->key_count;
    if (parts->base != NULL) bound += parts->base->key_count;
    if (parts->add != NULL) bound += count_listings(parts->add);
    return bound < sum->entries ? (uint32_t)bound : sum->entries;
}

static void count_places(struct isa__registration_list *list,
                         const struct isa__registration *item)
{
    for (uint32_t i = 0; i < count_listings(item); i++) {
        struct listing listing = listing_at(item, i);
        struct isa__key_run *run = run_for(list, listing.key);
        run->used++;
        if (listing.dependency != NULL) run->gone++;
    }
}

// Gives each run the places that were counted, and of many half as many more.
static void give_places(struct isa__registration_list *list)
{
    for (uint32_t i = 0; i < list->key_count; i++) {
        struct isa__key_run *run = &list->keys[i];
        uint32_t capacity = run->used + (list->mask == 0 ? 0 : run->used / 2);
        bool related = run->gone > 0;
        run->used = run->gone = 0;
        move_run(list, run, capacity, related);
    }
}

static isa_status fail_for_memory(const struct sum *sum)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for %u registrations", sum->count);
}

static isa_status make_list(const struct isa__word_parts *parts, const struct sum *sum,
                            uintptr_t *out)
{
    struct isa__registration_list *list = allocate_for(sum, key_bound(parts, sum));
    if (list == NULL) return parts->is_optional ? ISA_ERR_NO_MEMORY : fail_for_memory(sum);
    FOR_EACH_PART(parts, item, count_places(list, item), (void)item);
    give_places(list);
    FOR_EACH_PART(parts, item, add_to_list(list, item), leave_out(parts, item));
    list->base = parts->base;
    if (parts->base != NULL) isa__list_use(parts->base);
    *out = isa__word_of_list(list);
    return ISA_OK;
}

isa_status isa__word_make(const struct isa__word_parts *parts, uintptr_t *out)
{
    struct sum sum = {0};
    FOR_EACH_PART(parts, item, add_to_sum(&sum, item), sum.left_out++);
    bool is_base = parts->base != NULL && sum.count == parts->base->used;
    bool is_simple = parts->base == NULL && sum.count <= 1 && !sum.has_chained;
    if (!is_base && !is_simple) return make_list(parts, &sum, out);
    struct isa__registration *item;
    for (uint32_t at = 0; sum.left_out > 0 && (item = isa__word_next(parts->former, &at)) != NULL;)
        if (item != sum.last) leave_out(parts, item);
    *out = is_base ? word_of_base(parts->base) : (uintptr_t)sum.last;
    return ISA_OK;
}

// ---- shared observers ---------------------------------------------------------------------------

isa_status isa__list_make_shared(struct isa__registration **items, uint32_t count,
                                 struct isa__registration_list **out)
{
    struct sum sum = {.count = count, .entries = count};
    struct isa__registration_list *list = allocate_for(&sum, count);
    if (list == NULL) return fail_for_memory(&sum);
    for (uint32_t i = 0; i < count; i++) count_places(list, items[i]);
    give_places(list);
    for (uint32_t i = 0; i < count; i++) {
        add_to_list(list, items[i]);
        items[i]->base = list;
    }
    list->tag |= ISA_LIST_SHARED;
    list->users = 1;
    *out = list;
    return ISA_OK;
}

void isa__list_use(struct isa__registration_list *base)
{
    __atomic_fetch_add(&base->users, 1, __ATOMIC_RELAXED);
}

// No word leads to it any more, so nobody else reads the list of its registrations but readers
// whose sections outlast both.
void isa__list_drop(struct isa__registration_list *base)
{
    struct isa__registration *item;
    uint32_t at = 0;
    if (__atomic_fetch_sub(&base->users, 1, __ATOMIC_ACQ_REL) != 1) return;
    struct isa__thread *thread = isa__reader_enter();
    while ((item = isa__word_next(isa__word_of_list(base), &at)) != NULL) {
        isa__registration_tag_set(item, ISA_TAG_ENDED);
        isa__retire((struct isa__retired *)item);
    }
    isa__retire((struct isa__retired *)base);
    isa__reader_leave(thread);
}

// ---- ending -------------------------------------------------------------------------------------

void isa__word_let_go(uintptr_t observing, bool alone)
{
    struct isa__registration_list *list = isa__word_list(observing);
    if (list == NULL) return;
    if (is_shared(list)) isa__list_drop(list);
    else isa__let_go((struct isa__retired *)list, alone);
}

void isa__list_start(void)
{
    isa__retired_free[ISA_RETIRED_LIST] = free_list;
}
