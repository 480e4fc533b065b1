// Lists: the registrations of many functions for one key, which snapshots of an object share while
// it grows and shrinks.
//
// Owns:      a list its own block; it is freed with the last snapshot that shows it.
// Locks:     isa__lock_for(object), for all but reading.
// Invariant: in snapshot.h, at struct isa__list.
#include "snapshot.h"

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

static size_t list_size(uint32_t capacity)
{
    return sizeof(struct isa__list) + capacity * sizeof(struct isa__registration *);
}

static bool is_plain(const struct isa__registration *registration, const struct isa__key *key)
{
    const uint32_t relevant = ISA_TAG_FUNCTION | ISA_TAG_CHAINED | ISA_TAG_SHARED;
    return registration->key == key &&
           (isa__registration_tag_load(registration) & relevant) == ISA_TAG_FUNCTION;
}

bool isa__list_suits(struct isa__registration *const *items, uint32_t count)
{
    if (count < ISA_LIST_LEAST) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!is_plain(items[i], items[0]->key)) return false;
    return true;
}

static void count_options(struct isa__list *list, const struct isa__registration *registration,
                          int32_t by)
{
    uint32_t tag = isa__registration_tag_load(registration);
    for (uint32_t bit = 0; bit < ISA_LIST_OPTIONS; bit++)
        if (tag & 1u << bit) list->wanted[bit] += (uint32_t)by;
}

struct isa__list *isa__list_make(uint32_t count)
{
    uint32_t capacity = count > UINT32_MAX / 2 ? count : 2 * count;
    struct isa__list *list = isa__alloc(ISA_KIND_OTHER, list_size(capacity));
    if (list != NULL) list->capacity = capacity;
    return list;
}

void isa__list_add(struct isa__list *list, struct isa__registration *registration)
{
    list->items[list->used++] = registration;
    count_options(list, registration, 1);
}

void isa__list_drop(struct isa__list *list)
{
    if (__atomic_fetch_sub(&list->users, 1, __ATOMIC_ACQ_REL) == 1)
        isa__free(ISA_KIND_OTHER, list, list_size(list->capacity));
}

bool isa__list_takes(const struct isa__snapshot *snapshot,
                     const struct isa__registration *registration)
{
    const struct isa__list *list = snapshot->list;
    return list != NULL && !list->is_stale && list->used == snapshot->count &&
           list->used < list->capacity && is_plain(registration, snapshot->groups[0].key);
}

// The place of a registration: looked for from both ends, since what was added first or last is
// what is mostly removed. `used` if it is not there.
static uint32_t find_place(struct isa__list *list, const struct isa__registration *registration)
{
    while (list->first < list->used && list->items[list->first] == &nobody) list->first++;
    uint32_t front = list->first, back = list->used;
    while (front < back) {
        if (list->items[--back] == registration) return back;
        if (list->items[front] == registration) return front;
        front++;
    }
    return list->used;
}

// Whether the others want all that it wanted: else the list's snapshot would ask for too much.
static bool is_dispensable(const struct isa__list *list,
                           const struct isa__registration *registration)
{
    uint32_t tag = isa__registration_tag_load(registration);
    for (uint32_t bit = 0; bit < ISA_LIST_OPTIONS; bit++)
        if (tag & 1u << bit && list->wanted[bit] == 1) return false;
    return true;
}

enum isa__list_removal isa__list_remove(const struct isa__snapshot *snapshot,
                                        const struct isa__registration *registration)
{
    struct isa__list *list = snapshot->list;
    uint32_t place = find_place(list, registration);
    if (place == list->used) return ISA_LIST_MISSING;
    uint32_t left = list->used - list->gone - 1;
    // Each new list is paid for by as many removals as it has registrations.
    if (list->is_stale || left < ISA_LIST_LEAST || list->gone >= left ||
        !is_dispensable(list, registration))
        return ISA_LIST_REPLACE;
    __atomic_store_n(&list->items[place], &nobody, __ATOMIC_RELEASE);
    count_options(list, registration, -1);
    list->gone++;
    return ISA_LIST_REMOVED;
}
