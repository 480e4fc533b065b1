// Interned keys.
//
// Owns:  the texts; only what is registered or wrapped is interned, never what is merely asked for.
// Locks: `key_lock`, for the table; a key once handed out is read without it, and one that was
//        handed out lately is found without it.
#include "key.h"

#include <stdbool.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/detour.h"
#include "../base/lock.h"
#include "../base/map.h"

static struct isa__lock key_lock = ISA_LOCK_INIT(ISA_LOCK_SELECTOR);
static struct isa__map keys = {.by_text = true};

static size_t key_size(size_t length)
{
    return sizeof(struct isa__key) + length + 1;
}

static struct isa__key *make_key_locked(const char *text)
{
    size_t length = strlen(text);
    struct isa__key *key = isa__alloc(ISA_KIND_OTHER, key_size(length));
    if (key == NULL) return NULL;
    key->length = length;
    memcpy(key->text, text, length + 1);
    if (isa__map_set(&keys, key->text, key) == ISA_OK) return key;
    isa__free(ISA_KIND_OTHER, key, key_size(length));
    return NULL;
}

// Keys handed out lately, by a hash of their text: atomic builtins. A slot leads to a key that is
// whole (it is stored with release) and never goes, and what it leads to is compared: no slot can
// be wrong, only of no use.
enum { RECENT = 256 };
static const struct isa__key *recent[RECENT];

static const struct isa__key **slot_for(const char *text, size_t *length)
{
    uint32_t hash = 0;
    size_t n = 0;
    for (; text[n] != 0; n++) hash = hash * 31 + (unsigned char)text[n];
    *length = n;
    return &recent[(hash ^ hash >> 8) % RECENT];
}

static bool is_key(const struct isa__key *key, const char *text, size_t length)
{
    return key != NULL && key->length == length && memcmp(key->text, text, length) == 0;
}

const struct isa__key *isa__key_find(const char *text)
{
    size_t length;
    const struct isa__key **slot = slot_for(text, &length);
    const struct isa__key *key = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (is_key(key, text, length)) return key;
    isa__lock(&key_lock);
    key = isa__map_find(&keys, text);
    isa__unlock(&key_lock);
    if (key != NULL) __atomic_store_n(slot, key, __ATOMIC_RELEASE);
    return key;
}

const struct isa__key *isa__key_intern(const char *text)
{
    const struct isa__key *found = isa__key_find(text);
    if (found != NULL) return found;
    isa__lock(&key_lock);
    struct isa__key *key = isa__map_find(&keys, text);
    if (key == NULL) key = make_key_locked(text);
    isa__unlock(&key_lock);
    return key;
}

// ---- names --------------------------------------------------------------------------------------

static const struct {
    enum isa__name first, last;
} groups[ISA_NAMES_COUNT] = {
    [ISA_NAMES_MUTATORS] = {ISA_NAME_INSERT, ISA_NAME_INTERSECT},
    [ISA_NAMES_AFFECTING] = {ISA_NAME_AFFECTING, ISA_NAME_AFFECTING},
    [ISA_NAMES_AUTOMATIC] = {ISA_NAME_AUTOMATIC, ISA_NAME_AUTOMATIC},
};

bool isa__key_is_named(const struct isa__key *key, enum isa__key_names names)
{
    uint32_t *unnamed = &((struct isa__key *)key)->unnamed[names];
    uint32_t selectors = isa__selector_count(); // they only become more
    if (__atomic_load_n(unnamed, __ATOMIC_RELAXED) == selectors) return false;
    for (enum isa__name name = groups[names].first; name <= groups[names].last; name++)
        if (isa__selector_find_named(name, key->text) != NULL) return true;
    __atomic_store_n(unnamed, selectors, __ATOMIC_RELAXED);
    return false;
}
