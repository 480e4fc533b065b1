// Interned keys.
//
// Owns:  the keys: those that are registered or wrapped, and those that a class answers for; never
//        what is merely asked for.
// Locks: `key_lock` orders those who add one; finding takes none.
#include "key.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/lock.h"

// ---- texts --------------------------------------------------------------------------------------

static uint64_t load_32(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t load_64(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// The bytes of a text of less than eight.
static uint64_t load_short(const char *bytes, size_t length)
{
    if (length >= 4) return load_32(bytes) | load_32(bytes + length - 4) << 32;
    if (length == 0) return 0;
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint64_t)(at[0] | at[length / 2] << 8 | at[length - 1] << 16);
}

static uint64_t step(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

// Of two texts of one length that is less than eight, each has its own.
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length;
    if (length < 8) return step(hash, load_short(text, length));
    const char *last = text + length - 8;
    for (; text < last; text += 8) hash = step(hash, load_64(text));
    return step(hash, load_64(last));
}

// Whether two texts of one length and hash are the same.
static bool are_same(const char *one, const char *other, size_t length)
{
    if (length < 8) return true;
    for (size_t at = 0; at < length - 8; at += 8)
        if (load_64(one + at) != load_64(other + at)) return false;
    return load_64(one + length - 8) == load_64(other + length - 8);
}

// ---- keys ---------------------------------------------------------------------------------------

static struct isa__lock key_lock = ISA_LOCK_INIT(ISA_LOCK_SELECTOR);
static struct isa__keys all;

// A key's id is the hash of its text, made odd, since no id is 0; should that be another text's,
// the next odd number, and so on.
ISA_INLINE const struct isa__key *find(const struct isa__keys *keys, const char *text)
{
    size_t length = strlen(text);
    uint64_t hash = hash_of(text, length);
    for (uint64_t id = hash | 1;; id += 2) {
        const struct isa__key *key = isa__directory_find(&keys->directory, id, id);
        if (key == NULL) return NULL;
        if (key->hash == hash && key->length == length && are_same(key->text, text, length))
            return key;
    }
}

static uint64_t hash_of_id(uint64_t id)
{
    return id;
}

static bool reserve_locked(struct isa__keys *keys)
{
    struct isa__directory_block *outgrown;
    if (!isa__directory_reserve(&keys->directory, hash_of_id, &outgrown)) return false;
    if (outgrown == NULL) return true;
    outgrown->retired.next = (struct isa__retired *)keys->outgrown;
    keys->outgrown = outgrown;
    return true;
}

static const struct isa__key *add_locked(struct isa__keys *keys, const char *text)
{
    size_t length = strlen(text), size = sizeof(struct isa__key) + length + 1;
    struct isa__key *key = isa__alloc(ISA_KIND_OTHER, size);
    if (key == NULL || !reserve_locked(keys)) {
        isa__free(ISA_KIND_OTHER, key, size);
        return NULL;
    }
    key->hash = hash_of(text, length);
    key->length = length;
    memcpy(key->text, text, length + 1);
    uint64_t id = key->hash | 1;
    while (isa__directory_find(&keys->directory, id, id) != NULL) id += 2;
    isa__directory_put(&keys->directory, id, id, key);
    return key;
}

const struct isa__key *isa__keys_find(const struct isa__keys *keys, const char *text)
{
    return find(keys, text);
}

const struct isa__key *isa__keys_intern(struct isa__keys *keys, const char *text)
{
    const struct isa__key *key = find(keys, text);
    if (key != NULL) return key;
    isa__lock(&key_lock);
    key = find(keys, text); // another thread may have been faster
    if (key == NULL) key = add_locked(keys, text);
    isa__unlock(&key_lock);
    return key;
}

const struct isa__key *isa__key_find(const char *text)
{
    return find(&all, text);
}

const struct isa__key *isa__key_intern(const char *text)
{
    return isa__keys_intern(&all, text);
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
