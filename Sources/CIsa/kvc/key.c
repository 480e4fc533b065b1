// Interned keys.
//
// Owns:  the texts; only what is registered or wrapped is interned, never what is merely asked for.
// Locks: `key_lock`, for the table; a key once handed out is read without it.
#include "key.h"

#include <string.h>

#include "../base/alloc.h"
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

const struct isa__key *isa__key_find(const char *text)
{
    isa__lock(&key_lock);
    const struct isa__key *key = isa__map_find(&keys, text);
    isa__unlock(&key_lock);
    return key;
}

const struct isa__key *isa__key_intern(const char *text)
{
    isa__lock(&key_lock);
    struct isa__key *key = isa__map_find(&keys, text);
    if (key == NULL) key = make_key_locked(text);
    isa__unlock(&key_lock);
    return key;
}

void isa__keys_stop(void)
{
    isa__lock(&key_lock);
    size_t at = 0;
    for (const struct isa__map_entry *e; (e = isa__map_next(&keys, &at)) != NULL;)
        isa__free(ISA_KIND_OTHER, e->value, key_size(((struct isa__key *)e->value)->length));
    isa__map_clear(&keys);
    keys.by_text = true;
    isa__unlock(&key_lock);
}
