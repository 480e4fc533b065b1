// What is found out about a class and key, kept with the class.
//
// Owns:  each class's cache, which goes with the class.
// Locks: `cache_lock` guards the caches, looked at and filled in, never while user code runs.
#include "coding_cache.h"

#include <string.h>

#include "../base/alloc.h"
#include "../model/class.h"

struct record {
    void *bytes; // NULL: none
    size_t size;
    uint64_t epoch;
};

struct entry {
    struct isa__accessor getter; // kind NONE: not looked for yet, or stale
    struct isa__accessor setter;
    struct record records[ISA_SLOT_COUNT];
    size_t size;                 // of this block
    char key[];
};

struct cache {
    struct isa__map entries; // key → struct entry
};

static struct isa__lock cache_lock = ISA_LOCK_INIT(ISA_LOCK_CODING);

static struct entry *make_entry_locked(struct cache *cache, const char *key)
{
    size_t size = sizeof(struct entry) + strlen(key) + 1;
    struct entry *entry = isa__alloc(ISA_KIND_OTHER, size);
    if (entry == NULL) return NULL;
    entry->size = size;
    strcpy(entry->key, key);
    if (isa__map_set(&cache->entries, entry->key, entry) == ISA_OK) return entry;
    isa__free(ISA_KIND_OTHER, entry, size);
    return NULL;
}

static struct cache *make_cache_locked(isa_class cls)
{
    struct cache *cache = isa__alloc(ISA_KIND_OTHER, sizeof *cache);
    if (cache != NULL) cache->entries.by_text = true;
    return cls->coding = cache;
}

// The entry for a key, made if need be. NULL when memory is short: the cache only saves time.
static struct entry *get_entry_locked(isa_class cls, const char *key)
{
    struct cache *cache = cls->coding != NULL ? cls->coding : make_cache_locked(cls);
    if (cache == NULL) return NULL;
    struct entry *entry = isa__map_find(&cache->entries, key);
    return entry != NULL ? entry : make_entry_locked(cache, key);
}

static struct entry *find_entry_locked(isa_class cls, const char *key)
{
    const struct cache *cache = cls->coding;
    return cache == NULL ? NULL : isa__map_find(&cache->entries, key);
}

static void remember(isa_class cls, const char *key, const struct isa__accessor *accessor,
                     bool setter)
{
    isa__lock(&cache_lock);
    struct entry *entry = get_entry_locked(cls, key);
    if (entry != NULL) *(setter ? &entry->setter : &entry->getter) = *accessor;
    isa__unlock(&cache_lock);
}

// Whether anything answers for the key.
static bool answers(const struct isa__accessor *accessor)
{
    return accessor->kind != ISA_ACCESSOR_NONE || accessor->elements != KVC_KIND_OTHER;
}

static bool recall(isa_class cls, const char *key, bool setter, struct isa__accessor *out)
{
    isa__lock(&cache_lock);
    const struct entry *entry = find_entry_locked(cls, key);
    if (entry != NULL) *out = setter ? entry->setter : entry->getter;
    isa__unlock(&cache_lock);
    return entry != NULL && answers(out) && !isa__accessor_is_stale(out);
}

static void dispose_entry(struct entry *entry)
{
    for (size_t i = 0; i < ISA_SLOT_COUNT; i++)
        isa__free(ISA_KIND_OTHER, entry->records[i].bytes, entry->records[i].size);
    isa__free(ISA_KIND_OTHER, entry, entry->size);
}

static void dispose_cache(isa_class cls)
{
    struct cache *cache = cls->coding;
    if (cache == NULL) return;
    size_t at = 0;
    for (const struct isa__map_entry *e; (e = isa__map_next(&cache->entries, &at)) != NULL;)
        dispose_entry(e->value);
    isa__map_clear(&cache->entries);
    isa__free(ISA_KIND_OTHER, cache, sizeof *cache);
    cls->coding = NULL;
}

bool isa__coding_recall(isa_class cls, const char *key, enum isa__coding_slot slot, void *out,
                        size_t size)
{
    uint64_t epoch = isa__method_epoch();
    isa__lock(&cache_lock);
    const struct entry *entry = find_entry_locked(cls, key);
    const struct record *record = entry == NULL ? NULL : &entry->records[slot];
    bool found = record != NULL && record->bytes != NULL && record->epoch == epoch;
    if (found) memcpy(out, record->bytes, size);
    isa__unlock(&cache_lock);
    return found;
}

void isa__coding_remember(isa_class cls, const char *key, enum isa__coding_slot slot,
                          const void *bytes, size_t size, uint64_t epoch)
{
    isa__lock(&cache_lock);
    struct entry *entry = get_entry_locked(cls, key);
    struct record *record = entry == NULL ? NULL : &entry->records[slot];
    if (record != NULL && record->bytes == NULL) {
        record->bytes = isa__alloc(ISA_KIND_OTHER, size);
        record->size = record->bytes == NULL ? 0 : size;
    }
    if (record != NULL && record->bytes != NULL) {
        memcpy(record->bytes, bytes, size);
        record->epoch = epoch;
    }
    isa__unlock(&cache_lock);
}

isa_status isa__coding_getter(isa_class cls, const char *key, struct isa__accessor *out)
{
    if (recall(cls, key, false, out)) return ISA_OK;
    isa_status status = isa__accessor_find_getter(cls, key, out);
    if (status == ISA_OK && answers(out)) remember(cls, key, out, false);
    return status;
}

isa_status isa__coding_setter(isa_class cls, const char *key, struct isa__accessor *out)
{
    if (recall(cls, key, true, out)) return ISA_OK;
    isa_status status = isa__accessor_find_setter(cls, key, out);
    if (status == ISA_OK && out->kind != ISA_ACCESSOR_NONE) remember(cls, key, out, true);
    return status;
}

void isa__coding_cache_start(void)
{
    isa__class_hooks.dispose_coding = dispose_cache;
}
