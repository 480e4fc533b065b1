// Interned keys, and facts about a class and a key.
//
// Asking a class about a key is slow, and the answer holds until a method changes. A key that has
// been interned is found by its text without a lock; a fact is found by class and key, and compares
// one count to learn whether it still holds.
//
// Owns:  the keys that are registered or wrapped, and the keys that a class answers for; a key that
//        is merely asked for is not kept. Each class's facts, which go with the class; a fact that
//        is replaced, until base/reclaim.h says that no reader holds it.
// Locks: `key_lock` orders the threads that add a key, `facts_lock` the threads that keep a fact,
//        never while user code runs. Finding a key or a fact takes none.
#include "facts.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/thread.h"

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

static ISA_LOCK_DEFINE(key_lock, ISA_LOCK_SELECTOR)
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

static bool key_reserve_locked(struct isa__keys *keys)
{
    struct isa__directory_block *outgrown;
    if (!isa__directory_reserve(&keys->directory, hash_of_id, &outgrown)) return false;
    if (outgrown == NULL) return true;
    outgrown->retired.next = (struct isa__retired *)keys->outgrown;
    keys->outgrown = outgrown;
    return true;
}

static const struct isa__key *key_add_locked(struct isa__keys *keys, const char *text)
{
    size_t length = strlen(text), size = sizeof(struct isa__key) + length + 1;
    struct isa__key *key = isa__alloc(ISA_KIND_OTHER, size);
    if (key == NULL || !key_reserve_locked(keys)) {
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
    if (key == NULL) key = key_add_locked(keys, text);
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

// ---- facts --------------------------------------------------------------------------------------

static ISA_LOCK_DEFINE(facts_lock, ISA_LOCK_CODING)

static uint64_t hash_of_fact(uint64_t id)
{
    return isa__fact_hash((const struct isa__key *)(uintptr_t)(id & ~UINT64_C(15)), id & 15);
}

bool isa__fact_recall_former(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                             void *out, size_t size)
{
    struct isa__thread *thread = isa__reader_enter();
    const struct isa__fact *fact = isa__fact_find_any(cls, key, subject);
    if (fact != NULL) memcpy(out, fact->bytes, size);
    isa__reader_leave(thread);
    return fact != NULL;
}

enum { BYTES_MASK = (1 << ISA_RETIRED_TAG_SHIFT) - 1 };

static void free_fact(struct isa__retired *thing)
{
    isa__free(ISA_KIND_OTHER, thing, sizeof(struct isa__fact) + (thing->tag & BYTES_MASK));
}

static struct isa__fact *make_fact(const void *bytes, size_t size, uint64_t epoch)
{
    struct isa__fact *made = isa__alloc(ISA_KIND_OTHER, sizeof *made + size);
    if (made == NULL) return NULL;
    made->retired.tag = (uint32_t)ISA_RETIRED_FACT << ISA_RETIRED_TAG_SHIFT | (uint32_t)size;
    made->epoch = epoch;
    memcpy(made->bytes, bytes, size);
    return made;
}

// Brings a fact up to date that says the same.
static bool renew_locked(struct isa__fact *fact, const void *bytes, size_t size, uint64_t epoch)
{
    if (fact == NULL || memcmp(fact->bytes, bytes, size) != 0) return false;
    __atomic_store_n(&fact->epoch, epoch, __ATOMIC_RELEASE);
    return true;
}

void isa__fact_keep(isa_class cls, const struct isa__key *key, enum isa__subject subject,
                    const void *bytes, size_t size, uint64_t epoch)
{
    uint64_t id = isa__fact_id(key, subject), hash = isa__fact_hash(key, subject);
    struct isa__directory_block *outgrown = NULL;
    isa__lock(&facts_lock);
    struct isa__fact *former = isa__fact_find_any(cls, key, subject), *made = NULL;
    if (renew_locked(former, bytes, size, epoch)) former = NULL;
    else if (isa__directory_reserve(&cls->facts, hash_of_fact, &outgrown))
        made = make_fact(bytes, size, epoch);
    if (made != NULL) isa__directory_put(&cls->facts, id, hash, made);
    isa__unlock(&facts_lock);
    if (outgrown != NULL) isa__retire(&outgrown->retired);
    if (former != NULL && made != NULL) isa__retire(&former->retired);
}

static void dispose(isa_class cls)
{
    uint32_t at = 0;
    for (struct isa__fact *fact; (fact = isa__directory_next(&cls->facts, &at)) != NULL;)
        free_fact(&fact->retired);
    isa__directory_end(&cls->facts);
}

void isa__facts_start(void)
{
    isa__class_hooks.dispose_facts = dispose;
    isa__retired_free[ISA_RETIRED_FACT] = free_fact;
}
