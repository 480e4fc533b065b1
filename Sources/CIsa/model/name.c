// Names made from a key, spelled letter by letter: none is written just to be looked up.
//
// Owns:  nothing.
// Locks: none.
#include "name.h"

#include "../base/alloc.h"
#include "../base/map.h"

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

uint64_t isa__name_hash(enum isa__name name, const char *key)
{
    struct spelling spelling = begin(name, key);
    uint64_t hash = ISA_HASH_START;
    char letter;
    while ((letter = next_letter(&spelling)) != 0) hash = isa__hash_letter(hash, letter);
    return hash;
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
