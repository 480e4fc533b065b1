// What is found out about a class and key, kept with the class.
//
// Owns:  each class's cache, which goes with the class; a fixed number of findings, each in use
//        until it is replaced or its class goes, and then until base/reclaim.h says that no reader
//        holds it.
// Locks: `cache_lock` guards the caches, looked at and filled in, never while user code runs.
//        Findings are read under a mark, without it.
#include "coding_cache.h"

#include <stddef.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/reclaim.h"
#include "../base/status.h"
#include "../model/class.h"
#include "key_path.h"

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

// ---- without a lock -----------------------------------------------------------------------------

enum {
    RECENT = 256,  // slots of a table
    LONGEST = 39,  // bytes of a key that is found without a lock
    FINDINGS = 640 // both tables' and some that wait for readers
};

// An accessor that was asked for lately. Never changes: whoever finds one under a mark reads it
// whole, whatever becomes of its slot meanwhile.
struct finding {
    struct isa__retired retired; // and the next unused one
    isa_class cls;
    const struct isa__key *interned; // in `by_key`, else NULL
    bool sets;
    bool direct; // see isa__coding_find_direct
    struct isa__accessor accessor;
    char key[LONGEST + 1];
};

// By class, key and purpose; atomic builtins. Two that share a slot do not take turns: the first
// stays until it is stale.
static struct finding *recent[RECENT];
static struct finding *by_key[RECENT]; // the same by class and interned key: getters

static struct finding **slot_for_key(isa_class cls, const struct isa__key *key)
{
    uint64_t mixed = ((uint64_t)(uintptr_t)cls >> 4 ^ (uint64_t)(uintptr_t)key << 16) *
                     UINT64_C(0x9E3779B97F4A7C15);
    return &by_key[(mixed >> 32) % RECENT];
}

static struct finding **slot_for(isa_class cls, const char *key, bool sets)
{
    uint32_t hash = (uint32_t)((uintptr_t)cls >> 4) * 2 + sets;
    for (; *key != 0; key++) hash = hash * 31 + (unsigned char)*key;
    return &recent[(hash ^ hash >> 9) % RECENT];
}

static bool is_of(const struct finding *finding, isa_class cls, const char *key, bool sets)
{
    return finding->cls == cls && finding->sets == sets && strcmp(finding->key, key) == 0;
}

const struct isa__accessor *isa__coding_find_recent(isa_class cls, const char *key, bool sets)
{
    const struct finding *finding =
        __atomic_load_n(slot_for(cls, key, sets), __ATOMIC_ACQUIRE);
    if (finding == NULL || !is_of(finding, cls, key, sets) ||
        isa__accessor_is_stale(&finding->accessor))
        return NULL;
    return &finding->accessor;
}

bool isa__coding_recall_recent(isa_class cls, const char *key, bool sets,
                               struct isa__accessor *out)
{
    struct isa__thread *thread = isa__mark_enter();
    const struct isa__accessor *found = isa__coding_find_recent(cls, key, sets);
    if (found != NULL) *out = *found;
    isa__mark_leave(thread);
    return found != NULL;
}

// Findings are not allocated: what is only kept to save time never fails for want of memory.
static struct finding findings[FINDINGS];
static size_t findings_used;            // how many were ever taken; guarded by `cache_lock`
static struct isa__retired *unused;     // those given back; the same

static struct finding *take_finding(void)
{
    isa__lock(&cache_lock);
    struct finding *taken = (struct finding *)unused;
    if (taken != NULL) unused = taken->retired.next;
    else if (findings_used < FINDINGS) taken = &findings[findings_used++];
    isa__unlock(&cache_lock);
    return taken;
}

static void give_back(struct isa__retired *thing)
{
    isa__lock(&cache_lock);
    thing->next = unused;
    unused = thing;
    isa__unlock(&cache_lock);
}

// What a finding is to be, but for its text.
struct lookup {
    isa_class cls;
    const struct isa__key *interned;
    bool sets;
    const struct isa__accessor *accessor;
};

static struct finding *make_finding(const struct lookup *lookup, const char *key)
{
    struct finding *made = strlen(key) <= LONGEST ? take_finding() : NULL;
    if (made == NULL) return NULL;
    made->retired.tag = (uint32_t)ISA_RETIRED_ACCESSOR << ISA_RETIRED_TAG_SHIFT;
    made->cls = lookup->cls;
    made->interned = lookup->interned;
    made->sets = lookup->sets;
    made->direct = isa__key_path_is_direct(lookup->cls) && lookup->cls->guard == NULL;
    made->accessor = *lookup->accessor;
    strcpy(made->key, key);
    return made;
}

// Keeps what was found where it is found without a lock, unless the slot is taken. No lock held.
static void keep(struct finding **slot, const struct lookup *lookup, const char *key)
{
    struct isa__thread *thread = isa__mark_enter();
    struct finding *former = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    bool taken = former != NULL && !isa__accessor_is_stale(&former->accessor) &&
                 !is_of(former, lookup->cls, key, lookup->sets);
    struct finding *made = taken ? NULL : make_finding(lookup, key);
    if (made != NULL) former = __atomic_exchange_n(slot, made, __ATOMIC_ACQ_REL);
    if (made != NULL && former != NULL) isa__retire(&former->retired);
    isa__mark_leave(thread);
}

static void keep_recent(isa_class cls, const char *key, bool sets,
                        const struct isa__accessor *accessor)
{
    keep(slot_for(cls, key, sets), &(struct lookup){cls, NULL, sets, accessor}, key);
}

// Keeps what is found by its text where it is found by address too.
ISA_OUTLINE const struct finding *find_by_text(isa_class cls, const struct isa__key *key)
{
    const struct isa__accessor *found = isa__coding_find_recent(cls, key->text, false);
    if (found == NULL) return NULL;
    keep(slot_for_key(cls, key), &(struct lookup){cls, key, false, found}, key->text);
    return (const struct finding *)((const char *)found - offsetof(struct finding, accessor));
}

ISA_INLINE const struct finding *find_by_key(isa_class cls, const struct isa__key *key)
{
    const struct finding *finding = __atomic_load_n(slot_for_key(cls, key), __ATOMIC_ACQUIRE);
    if (finding == NULL || finding->cls != cls || finding->interned != key ||
        isa__accessor_is_stale(&finding->accessor))
        return find_by_text(cls, key);
    return finding;
}

const struct isa__accessor *isa__coding_find_by_key(isa_class cls, const struct isa__key *key)
{
    const struct finding *finding = find_by_key(cls, key);
    return finding == NULL ? NULL : &finding->accessor;
}

const struct isa__accessor *isa__coding_find_direct(isa_class cls, const struct isa__key *key)
{
    const struct finding *finding = find_by_key(cls, key);
    return finding == NULL || !finding->direct ? NULL : &finding->accessor;
}

static void forget_in(struct finding **table, isa_class cls)
{
    for (size_t i = 0; i < RECENT; i++) {
        struct finding *finding = __atomic_load_n(&table[i], __ATOMIC_ACQUIRE);
        if (finding == NULL || finding->cls != cls) continue;
        // Another thread may replace it at the same moment.
        if (__atomic_compare_exchange_n(&table[i], &finding, NULL, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            isa__retire(&finding->retired);
    }
}

// Forgets a class that goes: the next at its address is another.
static void forget_recent(isa_class cls)
{
    struct isa__thread *thread = isa__mark_enter();
    forget_in(recent, cls);
    forget_in(by_key, cls);
    isa__mark_leave(thread);
}

// ---- accessors ----------------------------------------------------------------------------------

static void remember(isa_class cls, const char *key, const struct isa__accessor *accessor,
                     bool setter)
{
    isa__lock(&cache_lock);
    struct entry *entry = get_entry_locked(cls, key);
    if (entry != NULL) *(setter ? &entry->setter : &entry->getter) = *accessor;
    isa__unlock(&cache_lock);
    if (entry != NULL) keep_recent(cls, key, setter, accessor);
}

// Whether anything answers for the key.
static bool answers(const struct isa__accessor *accessor)
{
    return accessor->kind != ISA_ACCESSOR_NONE || accessor->elements != KVC_KIND_OTHER;
}

bool isa__coding_recall_accessor(isa_class cls, const char *key, bool setter,
                                 struct isa__accessor *out)
{
    if (isa__coding_recall_recent(cls, key, setter, out)) return true;
    isa__lock(&cache_lock);
    const struct entry *entry = find_entry_locked(cls, key);
    if (entry != NULL) *out = setter ? entry->setter : entry->getter;
    isa__unlock(&cache_lock);
    if (entry == NULL || !answers(out) || isa__accessor_is_stale(out)) return false;
    keep_recent(cls, key, setter, out);
    return true;
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
    forget_recent(cls);
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
    if (isa__coding_recall_accessor(cls, key, false, out)) return ISA_OK;
    isa_status status = isa__accessor_find_getter(cls, key, out);
    if (status == ISA_OK && answers(out)) remember(cls, key, out, false);
    return status;
}

isa_status isa__coding_setter(isa_class cls, const char *key, struct isa__accessor *out)
{
    if (isa__coding_recall_accessor(cls, key, true, out)) return ISA_OK;
    isa_status status = isa__accessor_find_setter(cls, key, out);
    if (status == ISA_OK && out->kind != ISA_ACCESSOR_NONE) remember(cls, key, out, true);
    return status;
}

void isa__coding_cache_start(void)
{
    isa__class_hooks.dispose_coding = dispose_cache;
    isa__retired_free[ISA_RETIRED_ACCESSOR] = give_back;
}
