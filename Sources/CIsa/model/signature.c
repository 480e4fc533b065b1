// What a method encoding that has been checked says: how many arguments, and the type of one.
//
// Owns:  nothing.
// Locks: none.
#include "encoding.h"

// Letters that are a whole type by themselves, with nothing behind them that belongs to it.
static bool is_whole(char letter)
{
    return letter == 'v' ||
           (letter != '@' && letter != '^' && isa__scalar(letter)->kind != ISA_SCALAR_NONE);
}

// Steps over one type and its frame offset; false at the end.
static bool skip(const char **cursor)
{
    struct isa__type type;
    if (!is_whole(**cursor)) return isa__type_next(cursor, &type);
    const char *at = *cursor + 1;
    if (*at == '+' || *at == '-') return isa__type_next(cursor, &type);
    while (*at >= '0' && *at <= '9') at++;
    *cursor = at;
    return true;
}

size_t isa__signature_argument_count(const char *types)
{
    size_t count = 0;
    while (skip(&types)) count++;
    return count == 0 ? 0 : count - 1;
}

// The letter of a type that stands by itself; 0 for any other.
static char plain_letter(const char *at)
{
    if (is_whole(*at)) return *at;
    return *at == '@' && at[1] != '?' && at[1] != '"' ? '@' : 0;
}

static char read_letter(const char **cursor)
{
    struct isa__type type;
    char letter = plain_letter(*cursor), behind = letter == 0 ? 0 : (*cursor)[1];
    if (letter != 0 && behind != '+' && behind != '-' && !(behind >= '0' && behind <= '9')) {
        ++*cursor;
        return letter;
    }
    if (!isa__type_next(cursor, &type)) return 0;
    if (type.type_class == ISA_TYPE_VOID) return 'v';
    return type.type_class == ISA_TYPE_SCALAR ? type.letter : 0;
}

void isa__signature_letters(const char *types, char *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) letters[i] = *types == 0 ? 0 : read_letter(&types);
}

bool isa__signature_type(const char *types, size_t index, const char **start,
                         struct isa__type *out)
{
    for (size_t i = 0; i < index; i++)
        if (!skip(&types)) return false;
    *start = types;
    return isa__type_next(&types, out);
}
