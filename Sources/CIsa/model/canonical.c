// Canonical type encodings: written, and compared without being written. Declared in encoding.h.
//
// Owns:      nothing; a copy belongs to the caller.
// Locks:     none.
// Invariant: a canonical text is never longer than the one it stands for, and is its own canonical
//            text.
#include "encoding.h"

#include <stdio.h>

#include "../base/alloc.h"

// Where the canonical text goes; without `out` it is only measured.
struct writer {
    char *out;
    size_t length;
};

static void write_char(struct writer *w, char c)
{
    if (w->out != NULL) w->out[w->length] = c;
    w->length++;
}

static void write_number(struct writer *w, size_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%zu", number);
    for (int i = 0; i < length; i++) write_char(w, digits[i]);
}

static char canonical_letter(const struct isa__type *type)
{
    bool scalar = type->type_class == ISA_TYPE_SCALAR;
    return scalar ? isa__scalar(type->letter)->canonical : type->letter;
}

static void write_type(struct writer *w, const struct isa__type *type);

static void write_aggregate(struct writer *w, const struct isa__type *type)
{
    struct isa__type member;
    size_t offset;
    write_char(w, type->letter);
    if (type->members != NULL) {
        struct isa__member_walk walk = {.parent = type, .cursor = type->members};
        write_char(w, '=');
        while (isa__member_next(&walk, &member, &offset)) write_type(w, &member);
    }
    write_char(w, type->letter == '{' ? '}' : ')');
}

static void write_array(struct writer *w, const struct isa__type *type)
{
    struct isa__type element;
    const char *cursor = type->members;
    write_char(w, '[');
    write_number(w, type->count);
    if (isa__type_next(&cursor, &element)) write_type(w, &element);
    write_char(w, ']');
}

static void write_type(struct writer *w, const struct isa__type *type)
{
    switch (type->type_class) {
    case ISA_TYPE_STRUCT:
    case ISA_TYPE_UNION:
        write_aggregate(w, type);
        return;
    case ISA_TYPE_ARRAY:
        write_array(w, type);
        return;
    case ISA_TYPE_COMPLEX:
        write_char(w, 'j');
        break;
    default:
        break;
    }
    write_char(w, canonical_letter(type));
    if (type->type_class == ISA_TYPE_BITFIELD) write_number(w, type->count);
    if (type->letter == '^') write_char(w, 'v');
}

static void write_types(struct writer *w, const char *types)
{
    struct isa__type type;
    while (isa__type_next(&types, &type)) write_type(w, &type);
    if (w->out != NULL) w->out[w->length] = '\0';
}

char *isa__encoding_copy_canonical(const char *types)
{
    struct writer w = {0};
    write_types(&w, types);
    w.out = isa__alloc(ISA_KIND_OTHER, w.length + 1);
    if (w.out == NULL) return NULL;
    w.length = 0;
    write_types(&w, types);
    return w.out;
}

static bool types_equal(const struct isa__type *first, const struct isa__type *second)
{
    if (first->type_class != second->type_class || first->count != second->count ||
        canonical_letter(first) != canonical_letter(second))
        return false;
    if (first->type_class == ISA_TYPE_ARRAY)
        return isa__encoding_equal(first->members, second->members);
    if ((first->members == NULL) != (second->members == NULL)) return false;
    struct isa__member_walk one = {.parent = first, .cursor = first->members};
    struct isa__member_walk two = {.parent = second, .cursor = second->members};
    struct isa__type a, b;
    size_t offset;
    while (isa__member_next(&one, &a, &offset))
        if (!isa__member_next(&two, &b, &offset) || !types_equal(&a, &b)) return false;
    return !isa__member_next(&two, &b, &offset);
}

bool isa__encoding_equal(const char *first, const char *second)
{
    struct isa__type a, b;
    return isa__type_next(&first, &a) && isa__type_next(&second, &b) && types_equal(&a, &b);
}

bool isa__encoding_equal_method(const char *first, const char *second)
{
    while (*first != 0 && *second != 0) {
        struct isa__type a, b;
        bool read = isa__type_next(&first, &a) && isa__type_next(&second, &b);
        if (!read || !types_equal(&a, &b)) return false;
    }
    return *first == *second;
}
