// What an object with many registrations has in place of a snapshot's own places: a list for each
// key and one of all, which its snapshots share while they grow and shrink.
#ifndef ISA_KVO_ROSTER_H
#define ISA_KVO_ROSTER_H

#include "../base/directory.h"
#include "registration.h"

// The fewest places that a roster is made for.
enum { ISA_ROSTER_LEAST = 9, ISA_LIST_OPTIONS = 4 };

// The registrations for one key, or all, in registration order. It is read without a lock, as
// follows:
//
// - Adding writes behind what is shown, and then shows one more. A change that began before goes on
//   with what it began with, so a latecomer is not told.
// - Removing puts a registration in the place that has ended and is never told. A reader that
//   loaded the former one did so under a mark, before the heavy barrier of its retirement, and it
//   is kept until that mark is left; one that loads the place after it finds the other. So the
//   argument of reclaim.h holds, with this store as U1.
// - A place is never used again: a change that began before could take the latecomer in it for what
//   was there.
// - The options are those of all, or more: added before one is shown, taken away after it is gone.
//
// A list of one key without room is replaced in its roster by a longer one, and retired; where that
// of all has none the whole roster is made anew, without those that have died meanwhile.
struct isa__list {
    struct isa__retired retired;
    const struct isa__key *key; // NULL: of all
    const struct isa__trigger **triggers; // beside `items`; NULL: the key alone, of each
    uint32_t used; // atomic builtins, as what follows
    uint32_t gone; // of those used
    uint32_t options; // of those that are told as the key changes
    bool is_announced; // some of the others have something to do before the change
    uint32_t capacity;  // guarded by the object's lock, as what follows
    uint32_t first;     // none before it is still there
    uint32_t wanted[ISA_LIST_OPTIONS]; // how many ask for each option
    struct isa__list_index *index; // NULL until one was looked for in vain near both ends
    struct isa__registration *items[]; // atomic builtins
};

struct isa__roster {
    uint32_t users; // snapshots that show it; atomic builtins
    struct isa__list *all;
    struct isa__directory lists; // by key
};

// Finds what a change of `key` concerns. False if nothing.
struct isa__affected;
bool isa__roster_find(const struct isa__roster *roster, const struct isa__key *key,
                      struct isa__affected *out);

// ---- for the registry: the object's lock held ---------------------------------------------------

// Makes an empty roster with no user and room for `count` registrations and as many again; NULL
// when memory is short.
struct isa__roster *isa__roster_make(uint32_t count);

// Makes room for a registration. False if the roster is to be made anew, or memory is short. Lists
// that were replaced are put in front of `*outdated`, to be retired.
bool isa__roster_reserve(struct isa__roster *roster, const struct isa__registration *registration,
                         struct isa__retired **outdated);

// Adds a registration that there is room for.
void isa__roster_add(struct isa__roster *roster, struct isa__registration *registration);

// Takes a registration out. False if it is not there.
bool isa__roster_remove(struct isa__roster *roster, const struct isa__registration *registration,
                        struct isa__retired **outdated);

// Whether so many have gone that the roster is to be made anew, or to end.
bool isa__roster_is_worn(const struct isa__roster *roster);

// Which registration to look for.
struct isa__seeking {
    uint32_t hash; // isa__seeking_hash of it
    bool (*is)(const struct isa__registration *registration, const void *wanted);
    const void *wanted;
    bool oldest; // instead of the latest
};

// A function's registration is found by its own address, an observer object's by its side record
// and the key path.
uint32_t isa__seeking_hash(const void *identity, const struct isa__key *key);

// Finds a registration, NULL if there is none.
struct isa__registration *isa__roster_seek(struct isa__roster *roster,
                                           const struct isa__seeking *seeking);

// Gives up a use; the last one frees the roster and its lists.
void isa__roster_drop(struct isa__roster *roster);

void isa__roster_start(void);

#endif
