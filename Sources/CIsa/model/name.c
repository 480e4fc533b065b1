// Names made from a key, spelled letter by letter: none is written just to be looked up.
//
// Owns:  nothing.
// Locks: none.
#include "name.h"

#include "../base/alloc.h"

#define PATTERN(name, pattern, ...) pattern,
static const char *const patterns[ISA_NAME_COUNT] = {ISA_NAMES(PATTERN)};

#define SHAPE(name, pattern, shape) [ISA_NAME_##name] = shape,
static const char *const shapes[ISA_NAME_COUNT] = {
    ISA_ELEMENT_NAMES(SHAPE) ISA_MUTATOR_NAMES(SHAPE)};

struct spelling {
    const char *pattern; // what is left of it
    const char *key;
    const char *rest;    // of the key, where the pattern asked for it
};

static struct spelling begin(enum isa__name name, const char *key)
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

const char *isa__name_shape(enum isa__name name)
{
    return shapes[name];
}

bool isa__name_is(enum isa__name name, const char *key, const char *text)
{
    struct spelling spelling = begin(name, key);
    while (*text != 0)
        if (next_letter(&spelling) != *text++) return false;
    return next_letter(&spelling) == 0;
}

struct name_of_key {
    enum isa__name name;
    const char *key;
};

static bool is_name_of_key(const void *wanted, const char *text)
{
    const struct name_of_key *named = wanted;
    return isa__name_is(named->name, named->key, text);
}

void *isa__name_find(const struct isa__map *map, enum isa__name name, const char *key)
{
    struct spelling spelling = begin(name, key);
    uint64_t hash = ISA_HASH_START;
    char letter;
    while ((letter = next_letter(&spelling)) != 0) hash = isa__hash_letter(hash, letter);
    return isa__map_find_unwritten(map, hash, is_name_of_key, &(struct name_of_key){name, key});
}

char *isa__name_copy(enum isa__name name, const char *key)
{
    size_t length = 0;
    struct spelling spelling = begin(name, key);
    while (next_letter(&spelling) != 0) length++;
    char *copy = isa__alloc(ISA_KIND_OTHER, length + 1);
    spelling = begin(name, key);
    for (size_t i = 0; copy != NULL && i < length; i++) copy[i] = next_letter(&spelling);
    return copy;
}
