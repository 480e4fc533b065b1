// Rosters.
//
// Owns:      a roster its lists, a list its index.
// Lives:     until the last snapshot that shows it is freed; a list replaced in it, until
//            base/reclaim.h says that no reader holds it.
// Locks:     isa__lock_for(object), for all but finding.
// Invariant: in registration.h, at struct isa__list.
#include "registration.h"

#include "../base/alloc.h"

static const struct isa__key no_key;

// Stands in the place of each registration that was taken out. It has ended, so nobody tells it.
static struct isa__registration nobody = {
    .tag = ISA_TAG_FUNCTION | ISA_TAG_ENDED | ISA_TAG_OUT | ISA_TAG_BARE,
    .key = &no_key,
    .references = UINT32_MAX / 2, // pending changes hold it like any other
};

bool isa__registration_is_nobody(const struct isa__registration *registration)
{
    return registration == &nobody;
}

static uint32_t hash_address(const void *address)
{
    return (uint32_t)(((uintptr_t)address >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

// ---- index --------------------------------------------------------------------------------------

// Where the registrations of a hash stand, the latest first: `heads` by the hash, `next` by place;
// each a place and one, 0: none.
struct isa__list_index {
    uint32_t mask;
    uint32_t *next;
    uint32_t heads[];
};

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

static size_t index_size(const struct isa__list *list, uint32_t heads)
{
    return sizeof(struct isa__list_index) + (heads + (size_t)list->capacity) * sizeof(uint32_t);
}

static void index_add(struct isa__list *list, uint32_t place)
{
    uint32_t *head = &list->index->heads[hash_of(list->items[place]) & list->index->mask];
    list->index->next[place] = *head;
    *head = place + 1;
}

static void index_remove(struct isa__list *list, uint32_t place)
{
    uint32_t *link = &list->index->heads[hash_of(list->items[place]) & list->index->mask];
    while (*link != place + 1) link = &list->index->next[*link - 1];
    *link = list->index->next[place];
}

static void free_index(struct isa__list *list)
{
    if (list->index == NULL) return;
    isa__free(ISA_KIND_OTHER, list->index, index_size(list, list->index->mask + 1));
}

// Without memory the list goes on without one.
static void make_index(struct isa__list *list)
{
    uint32_t heads = 16;
    while (heads < list->capacity) heads *= 2;
    struct isa__list_index *index = isa__alloc(ISA_KIND_OTHER, index_size(list, heads));
    if (index == NULL) return;
    index->mask = heads - 1;
    index->next = index->heads + heads;
    list->index = index;
    for (uint32_t i = list->first; i < list->used; i++)
        if (list->items[i] != &nobody) index_add(list, i);
}

// ---- lists --------------------------------------------------------------------------------------

static size_t list_size(const struct isa__list *list)
{
    size_t arrays = list->triggers == NULL ? 1 : 2;
    return sizeof *list + arrays * list->capacity * sizeof(void *);
}

static struct isa__list *make_list(const struct isa__key *key, uint32_t capacity, bool triggered)
{
    size_t size = sizeof(struct isa__list) + (1 + (size_t)triggered) * capacity * sizeof(void *);
    struct isa__list *list = isa__alloc(ISA_KIND_OTHER, size);
    if (list == NULL) return NULL;
    list->retired.tag = (uint32_t)ISA_RETIRED_LIST << ISA_RETIRED_TAG_SHIFT;
    list->key = key;
    list->capacity = capacity;
    if (triggered) list->triggers = (const struct isa__trigger **)&list->items[capacity];
    return list;
}

static void free_list(struct isa__retired *thing)
{
    struct isa__list *list = (struct isa__list *)thing;
    free_index(list);
    isa__free(ISA_KIND_OTHER, list, list_size(list));
}

// Counts what a registration asks for, or does not any more, and shows the sum.
static void count_options(struct isa__list *list, uint32_t tag, int32_t by)
{
    uint32_t options = 0;
    for (uint32_t bit = 0; bit < ISA_LIST_OPTIONS; bit++) {
        if (tag & 1u << bit) list->wanted[bit] += (uint32_t)by;
        if (list->wanted[bit] > 0) options |= 1u << bit;
    }
    __atomic_store_n(&list->options, options, __ATOMIC_RELEASE);
}

static void append(struct isa__list *list, struct isa__registration *registration,
                   const struct isa__trigger *trigger)
{
    uint32_t place = list->used;
    list->items[place] = registration;
    if (list->triggers != NULL) list->triggers[place] = trigger;
    if (trigger == NULL) count_options(list, isa__registration_tag_load(registration), 1);
    else if (isa__is_announced_by(registration, trigger))
        __atomic_store_n(&list->is_announced, true, __ATOMIC_RELEASE);
    if (list->index != NULL) index_add(list, place);
    __atomic_store_n(&list->used, place + 1, __ATOMIC_RELEASE);
}

static const struct isa__trigger *trigger_at(const struct isa__list *list, uint32_t place)
{
    return list->triggers == NULL ? NULL : list->triggers[place];
}

// A list of those who are there, with room for as many again, and two more.
static struct isa__list *make_list_of(const struct isa__list *list, bool triggered)
{
    uint32_t capacity = 2 * (list->used - list->gone + 1);
    struct isa__list *made = make_list(list->key, capacity, triggered || list->triggers != NULL);
    if (made == NULL) return NULL;
    for (uint32_t i = list->first; i < list->used; i++)
        if (list->items[i] != &nobody) append(made, list->items[i], trigger_at(list, i));
    return made;
}

static void remove_at(struct isa__list *list, uint32_t place)
{
    struct isa__registration *registration = list->items[place];
    if (list->index != NULL) index_remove(list, place);
    __atomic_store_n(&list->items[place], &nobody, __ATOMIC_RELEASE);
    if (trigger_at(list, place) == NULL)
        count_options(list, isa__registration_tag_load(registration), -1);
    __atomic_store_n(&list->gone, list->gone + 1, __ATOMIC_RELEASE);
}

// ---- looking for a place ------------------------------------------------------------------------

enum { TRIED = 16, NOWHERE = UINT32_MAX };

static bool is_itself(const struct isa__registration *registration, const void *wanted)
{
    return registration == wanted;
}

static struct isa__seeking itself(const struct isa__registration *registration)
{
    return (struct isa__seeking){hash_of(registration), is_itself, registration, false};
}

// Looks at up to `most` places from the front or the back.
static uint32_t look(const struct isa__list *list, const struct isa__seeking *seeking, bool front,
                     uint32_t most)
{
    uint32_t count = list->used - list->first;
    for (uint32_t i = 0; i < count && i < most; i++) {
        uint32_t place = front ? list->first + i : list->used - 1 - i;
        if (seeking->is(list->items[place], seeking->wanted)) return place;
    }
    return NOWHERE;
}

static uint32_t look_up(const struct isa__list *list, const struct isa__seeking *seeking)
{
    uint32_t found = NOWHERE;
    uint32_t at = list->index->heads[seeking->hash & list->index->mask];
    for (; at != 0 && (found == NOWHERE || seeking->oldest); at = list->index->next[at - 1])
        if (seeking->is(list->items[at - 1], seeking->wanted)) found = at - 1;
    return found;
}

// Most removals are of the first or the last that was added: an index is made for the first other
// one.
static uint32_t seek(struct isa__list *list, const struct isa__seeking *seeking)
{
    while (list->first < list->used && list->items[list->first] == &nobody) list->first++;
    uint32_t found = look(list, seeking, seeking->oldest, TRIED);
    if (found == NOWHERE && seeking->is == is_itself) found = look(list, seeking, true, TRIED);
    if (found != NOWHERE || list->used - list->first <= TRIED) return found;
    if (list->index == NULL) make_index(list);
    if (list->index == NULL) return look(list, seeking, seeking->oldest, UINT32_MAX);
    return look_up(list, seeking);
}

// ---- lists by key -------------------------------------------------------------------------------

static uint64_t hash_id(uint64_t id)
{
    return (id >> 4) * UINT64_C(0x9E3779B97F4A7C15);
}

static struct isa__list *find_list(const struct isa__roster *roster, const struct isa__key *key)
{
    uint64_t id = (uintptr_t)key;
    return isa__directory_find(&roster->lists, id, hash_id(id));
}

static void put_out(struct isa__retired *thing, struct isa__retired **outdated)
{
    thing->next = *outdated;
    *outdated = thing;
}

// Puts the list in the place of the one for its key.
static void put_list(struct isa__roster *roster, struct isa__list *list,
                     struct isa__retired **outdated)
{
    uint64_t id = (uintptr_t)list->key;
    struct isa__list *former = isa__directory_put(&roster->lists, id, hash_id(id), list);
    if (former != NULL) put_out(&former->retired, outdated);
}

static bool add_list(struct isa__roster *roster, const struct isa__key *key, bool triggered,
                     struct isa__retired **outdated)
{
    struct isa__directory_block *outgrown;
    if (!isa__directory_reserve(&roster->lists, hash_id, &outgrown)) return false;
    if (outgrown != NULL) put_out(&outgrown->retired, outdated);
    struct isa__list *list = make_list(key, 2, triggered);
    if (list != NULL) put_list(roster, list, outdated);
    return list != NULL;
}

// Makes room for one registration more in the list of its key.
static bool reserve_place(struct isa__roster *roster, const struct isa__listing *listing,
                          struct isa__retired **outdated)
{
    bool triggered = listing->trigger != NULL;
    struct isa__list *list = find_list(roster, listing->key);
    if (list == NULL) return add_list(roster, listing->key, triggered, outdated);
    if (list->used < list->capacity && (!triggered || list->triggers != NULL)) return true;
    struct isa__list *longer = make_list_of(list, triggered);
    if (longer != NULL) put_list(roster, longer, outdated);
    return longer != NULL;
}

// ---- rosters ------------------------------------------------------------------------------------

bool isa__roster_find(const struct isa__roster *roster, const struct isa__key *key,
                      struct isa__affected *out)
{
    const struct isa__list *list = find_list(roster, key);
    if (list == NULL) return false;
    // In this order: no more are gone than are used, so none is left where both are equal.
    uint32_t gone = __atomic_load_n(&list->gone, __ATOMIC_ACQUIRE);
    out->count = __atomic_load_n(&list->used, __ATOMIC_ACQUIRE);
    out->items = list->items;
    out->triggers = list->triggers;
    out->options = __atomic_load_n(&list->options, __ATOMIC_ACQUIRE);
    out->is_announced = __atomic_load_n(&list->is_announced, __ATOMIC_ACQUIRE);
    return out->count > gone;
}

struct isa__roster *isa__roster_make(uint32_t count)
{
    struct isa__roster *roster = isa__alloc(ISA_KIND_OTHER, sizeof *roster);
    if (roster == NULL) return NULL;
    roster->all = make_list(NULL, count > UINT32_MAX / 2 ? count : 2 * count, false);
    if (roster->all != NULL) return roster;
    isa__free(ISA_KIND_OTHER, roster, sizeof *roster);
    return NULL;
}

bool isa__roster_reserve(struct isa__roster *roster, const struct isa__registration *registration,
                         struct isa__retired **outdated)
{
    if (roster->all->used == roster->all->capacity) return false;
    for (uint32_t i = 0; i < isa__listing_count(registration); i++) {
        struct isa__listing listing = isa__listing_at(registration, i);
        if (!reserve_place(roster, &listing, outdated)) return false;
    }
    return true;
}

void isa__roster_add(struct isa__roster *roster, struct isa__registration *registration)
{
    append(roster->all, registration, NULL);
    for (uint32_t i = 0; i < isa__listing_count(registration); i++) {
        struct isa__listing listing = isa__listing_at(registration, i);
        append(find_list(roster, listing.key), registration, listing.trigger);
    }
}

// Takes a registration out of a list, and shortens that where most have gone. Without memory it
// stays as long as it is.
static void remove_from(struct isa__roster *roster, struct isa__list *list,
                        const struct isa__seeking *seeking, struct isa__retired **outdated)
{
    remove_at(list, seek(list, seeking));
    if (list->gone <= TRIED || list->gone <= list->used / 2) return;
    struct isa__list *shorter = make_list_of(list, false);
    if (shorter != NULL) put_list(roster, shorter, outdated);
}

bool isa__roster_remove(struct isa__roster *roster, const struct isa__registration *registration,
                        struct isa__retired **outdated)
{
    const struct isa__seeking seeking = itself(registration);
    uint32_t place = seek(roster->all, &seeking);
    if (place == NOWHERE) return false;
    for (uint32_t i = 0; i < isa__listing_count(registration); i++)
        remove_from(roster, find_list(roster, isa__listing_at(registration, i).key), &seeking,
                    outdated);
    remove_at(roster->all, place);
    return true;
}

bool isa__roster_is_worn(const struct isa__roster *roster)
{
    uint32_t left = roster->all->used - roster->all->gone;
    return left < ISA_ROSTER_LEAST / 2 || roster->all->gone >= left;
}

struct isa__registration *isa__roster_seek(struct isa__roster *roster,
                                           const struct isa__seeking *seeking)
{
    uint32_t place = seek(roster->all, seeking);
    return place == NOWHERE ? NULL : roster->all->items[place];
}

void isa__roster_drop(struct isa__roster *roster)
{
    uint32_t at = 0;
    struct isa__list *list;
    if (__atomic_fetch_sub(&roster->users, 1, __ATOMIC_ACQ_REL) != 1) return;
    while ((list = isa__directory_next(&roster->lists, &at)) != NULL) free_list(&list->retired);
    isa__directory_end(&roster->lists);
    free_list(&roster->all->retired);
    isa__free(ISA_KIND_OTHER, roster, sizeof *roster);
}

void isa__roster_start(void)
{
    isa__retired_free[ISA_RETIRED_LIST] = free_list;
}
