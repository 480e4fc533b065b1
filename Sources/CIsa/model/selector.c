// Interned selectors, and names made from a key.
//
// Equal names have one selector, so comparing selectors compares addresses. A search for the
// methods of a key makes names such as `setAge:` from the key. It spells a name letter by letter as
// it looks the name up, so no text is written just to be looked up.
//
// Owns:      every selector, for the life of the process.
// Locks:     `table_lock` guards the table. A new name takes the model lock as well, because all
//            dispatch tables must reach the selector before anyone has it.
// Invariant: a selector in the table is reached by the dispatch table of every class.
#include "selector.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "dispatch.h"

#define DEFINE_SELECTOR(identifier, name) isa_sel isa__sel_##identifier;
ISA_CORE_SELECTORS(DEFINE_SELECTOR)

static ISA_LOCK_DEFINE(table_lock, ISA_LOCK_SELECTOR)
static struct isa__map table = {.by_text = true};

uint32_t isa__selector_total;

static size_t selector_size(const char *name)
{
    return sizeof(struct isa_selector) + strlen(name) + 1;
}

static struct isa_selector *make_selector(const char *name, uint32_t index)
{
    struct isa_selector *sel = isa__alloc(ISA_KIND_SELECTOR, selector_size(name));
    if (sel == NULL) return NULL;
    sel->index = index;
    sel->dispatch = isa__dispatch_place(index);
    strcpy(sel->name, name);
    for (const char *at = name; *at != 0; at++) sel->colons += *at == ':';
    return sel;
}

// Interns a name that the table lacks. Model lock and table lock held.
static isa_sel intern_locked(const char *name)
{
    struct isa_selector *sel = make_selector(name, (uint32_t)table.count);
    if (sel == NULL || isa__map_set(&table, sel->name, sel) != ISA_OK) goto no_memory;
    if (isa__dispatch_grow_locked(sel->index) == ISA_OK) {
        __atomic_store_n(&isa__selector_total, (uint32_t)table.count, __ATOMIC_RELEASE);
        return sel;
    }
    isa__map_remove(&table, name);
no_memory:
    isa__free(ISA_KIND_SELECTOR, sel, selector_size(name));
    isa__fail(ISA_ERR_NO_MEMORY, NULL, "isa_sel_register: no memory for selector %s", name);
    return NULL;
}

isa_sel isa_sel_find(const char *name)
{
    if (name == NULL) return NULL;
    isa__lock(&table_lock);
    isa_sel sel = isa__map_find(&table, name);
    isa__unlock(&table_lock);
    return sel;
}

isa_sel isa__selector_find_named(enum isa__name name, const char *key)
{
    isa__lock(&table_lock);
    isa_sel sel = isa__name_find(&table, name, key);
    isa__unlock(&table_lock);
    return sel;
}

isa_sel isa_sel_register(const char *name)
{
    if (name == NULL || *name == 0) {
        isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_sel_register: a selector needs a name");
        return NULL;
    }
    isa_sel sel = isa_sel_find(name);
    if (sel != NULL) return sel;
    isa__lock(&isa__model_lock);
    isa__lock(&table_lock);
    sel = isa__map_find(&table, name); // another thread may have been faster
    if (sel == NULL) sel = intern_locked(name);
    isa__unlock(&table_lock);
    isa__unlock(&isa__model_lock);
    return sel;
}

const char *isa_sel_name(isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(sel);
    return sel->name;
}

size_t isa_sel_argument_count(isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(sel);
    return sel->colons;
}

// ---- how the core sends them --------------------------------------------------------------------

isa_status isa__selector_note_sent(isa_sel sel, isa_class scope, const char *types)
{
    struct isa__sent *sent = isa__alloc(ISA_KIND_OTHER, sizeof *sent);
    if (sent == NULL) return ISA_ERR_NO_MEMORY;
    *sent = (struct isa__sent){scope, types, sel->sent};
    ((struct isa_selector *)(uintptr_t)sel)->sent = sent;
    return ISA_OK;
}

// The informal protocols are asked of any object that responds, with any root class.
static bool is_in_scope(isa_class cls, isa_class scope)
{
    isa_class root = isa_root_class();
    if (scope == root || isa_class_is_subclass(cls, scope)) return true;
    return scope == isa_class_metaclass(root) && isa_class_is_metaclass(cls);
}

const char *isa__selector_sent_types(isa_sel sel, isa_class cls)
{
    for (const struct isa__sent *sent = sel->sent; sent != NULL; sent = sent->next)
        if (is_in_scope(cls, sent->scope)) return sent->types;
    return NULL;
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__selectors_start(void)
{
#define INTERN_SELECTOR(identifier, name) \
    isa__sel_##identifier = isa_sel_register(name); \
    if (isa__sel_##identifier == NULL) return ISA_ERR_NO_MEMORY;
    ISA_CORE_SELECTORS(INTERN_SELECTOR)
    return ISA_OK;
}

// ---- names --------------------------------------------------------------------------------------

#define PATTERN(name, pattern, ...) pattern,
static const char *const patterns[ISA_NAME_COUNT] = {ISA_NAMES(PATTERN)};

#define SIGNATURE(name, pattern, signature) [ISA_NAME_##name] = signature,
static const char *const signatures[ISA_NAME_COUNT] = {
    ISA_ELEMENT_NAMES(SIGNATURE) ISA_MUTATOR_NAMES(SIGNATURE)};

struct spelling {
    const char *pattern; // what is left
    const char *key;
    const char *rest;    // of the key, where the pattern asked for it
};

static struct spelling spelling_begin(enum isa__name name, const char *key)
{
    return (struct spelling){.pattern = patterns[name], .key = key, .rest = ""};
}

static char upper_case(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

// The name's next letter; 0 at its end.
static char next_letter(struct spelling *s)
{
    if (*s->rest != 0) return *s->rest++;
    for (; *s->pattern != 0; s->pattern++) {
        bool upper = *s->pattern == '%';
        if (!upper && *s->pattern != '$') return *s->pattern++;
        if (*s->key == 0) continue;
        s->pattern++;
        s->rest = s->key + 1;
        return upper ? upper_case(*s->key) : *s->key;
    }
    return 0;
}

size_t isa__name_argument_count(enum isa__name name)
{
    size_t count = 2;
    for (const char *at = patterns[name]; *at != 0; at++) count += *at == ':';
    return count;
}

const char *isa__name_signature(enum isa__name name)
{
    return signatures[name];
}

struct name_of_key {
    enum isa__name name;
    const char *key;
};

// Compares the name made from the key with a text, without writing it anywhere.
static bool is_name_of_key(const void *wanted, const char *text)
{
    const struct name_of_key *named = wanted;
    struct spelling spelling = spelling_begin(named->name, named->key);
    while (*text != 0)
        if (next_letter(&spelling) != *text++) return false;
    return next_letter(&spelling) == 0;
}

void *isa__name_find(const struct isa__map *map, enum isa__name name, const char *key)
{
    struct spelling spelling = spelling_begin(name, key);
    uint64_t hash = ISA_HASH_START;
    char letter;
    while ((letter = next_letter(&spelling)) != 0) hash = isa__hash_letter(hash, letter);
    return isa__map_find_unwritten(map, hash, is_name_of_key, &(struct name_of_key){name, key});
}

char *isa__name_copy(enum isa__name name, const char *key)
{
    size_t length = 0, key_length = strlen(key);
    for (const char *at = patterns[name]; *at != 0; at++)
        length += *at == '%' || *at == '$' ? key_length : 1;
    char *copy = isa__alloc(ISA_KIND_OTHER, length + 1);
    struct spelling spelling = spelling_begin(name, key);
    for (size_t i = 0; copy != NULL && i < length; i++) copy[i] = next_letter(&spelling);
    return copy;
}
