// Types: encodings, their canonical form, and signatures of methods.
//
// A recursive parser measures a type as it reads; everything else is built on the parser. Two
// encodings that pass alike have one canonical text, which is written, or compared without being
// written. A method's encoding has been checked before its arguments are counted or looked up.
//
// Owns:      nothing; a parsed type points into the caller's text, a copy belongs to the caller.
// Lives:     a parsed type, as long as that text.
// Locks:     none.
// Invariant: a text is read once per nesting level, at most 64 levels deep, and no size overflows:
//            a type of more than PTRDIFF_MAX bytes is refused while parsing. A canonical text is
//            never longer than the text that it stands for, and is its own canonical text.
#include "type.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"

enum { MAX_NESTING = 64, MAX_QUOTED = 120 };

// ---- scalars ------------------------------------------------------------------------------------

#define CANONICAL(code, type) _Generic((type){0}, int32_t: 'i', uint32_t: 'I', default: code)
#define SCALAR(code, type, name, ffi, kind, passed, boxed) \
    [code] = {ISA_SCALAR_##kind,     sizeof(type),          ISA_PASSED_##passed, boxed, \
              CANONICAL(code, type), {code, 0}},
const struct isa__scalar isa__scalars[UCHAR_MAX + 1] = {ISA_SCALARS(SCALAR)};

#define IS_SIGNED(type) ((type)-1 < (type)1)
#define PASSED_TYPE(type, name) typedef type passed_##name;
ISA_PASSED_TYPES(PASSED_TYPE)

#define CHECK_SIGN(code, type, name, ffi, kind, passed, boxed) \
    static_assert(IS_SIGNED(type) == (ISA_SCALAR_##kind == ISA_SCALAR_SIGNED), \
                  "the type is signed if its kind says so"); \
    static_assert(IS_SIGNED(type) == IS_SIGNED(passed_##passed) || sizeof(type) == 8, \
                  "a narrow integer is extended by its sign");
ISA_INTEGER_SCALARS(CHECK_SIGN)

#define CHECK_SIZE(code, type, name, ffi, kind, passed, boxed) \
    static_assert(sizeof(type) == sizeof(passed_##passed), "a value is passed whole");
ISA_SCALARS(CHECK_SIZE)

// By copy: the address need not be aligned.
uint64_t isa__integer_load(char letter, const void *from)
{
    switch (letter) {
#define LOAD_CASE(code, type, ...) \
    case code: { \
        type value; \
        memcpy(&value, from, sizeof value); \
        return (uint64_t)value; \
    }
        ISA_INTEGER_SCALARS(LOAD_CASE)
#undef LOAD_CASE
    default:
        return 0;
    }
}

void isa__integer_store(char letter, uint64_t bits, void *to)
{
    switch (letter) {
#define STORE_CASE(code, type, ...) \
    case code: { \
        type value = (type)bits; \
        memcpy(to, &value, sizeof value); \
        return; \
    }
        ISA_INTEGER_SCALARS(STORE_CASE)
#undef STORE_CASE
    }
}

// ---- parsing ------------------------------------------------------------------------------------

// How far the reading of one text has come.
struct parser {
    const char *at;
    unsigned depth;
    bool named;          // among the members of a struct that names them
    const char *problem; // what was expected at `at`, once parsing failed
};

static bool parse_type(struct parser *p, struct isa__type *out);

static bool expected(struct parser *p, const char *what)
{
    p->problem = what;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_qualifiers(const char *at)
{
    while (*at != '\0' && strchr("rnNoORVA", *at) != NULL) at++;
    return at;
}

// GNU compilers mark arguments passed in registers with '+', and count stack slots below zero.
static const char *skip_frame_offset(const char *at)
{
    const char *digits = at;
    if (*digits == '+') digits++;
    if (*digits == '-') digits++;
    if (!is_digit(*digits)) return at;
    while (is_digit(*digits)) digits++;
    return digits;
}

static bool parse_number(struct parser *p, size_t *out)
{
    if (!is_digit(*p->at)) return expected(p, "expected a number");
    size_t number = 0;
    for (; is_digit(*p->at); p->at++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (size_t)(*p->at - '0'), &number))
            return expected(p, "the number is too large");
    }
    *out = number;
    return true;
}

// Just behind the closing quote of the text that opens at `at`; NULL if none closes.
static const char *skip_quoted(const char *at)
{
    const char *close = strchr(at + 1, '"');
    return close == NULL ? NULL : close + 1;
}

static bool parse_quoted(struct parser *p)
{
    const char *behind = skip_quoted(p->at);
    if (behind == NULL) return expected(p, "no quote closes this one");
    p->at = behind;
    return true;
}

// Adds up sizes of which none may exceed what a pointer difference can express.
static bool add_size(size_t first, size_t second, size_t *out)
{
    return !__builtin_add_overflow(first, second, out) && *out <= PTRDIFF_MAX;
}

static bool align_up(size_t size, size_t align, size_t *out)
{
    if (!add_size(size, align - 1, out)) return false;
    *out &= ~(align - 1);
    return true;
}

static void set_sized(struct isa__type *out, enum isa__type_class type_class, char letter,
                      size_t size, size_t align)
{
    out->type_class = type_class;
    out->letter = letter;
    out->sized = true;
    out->size = size;
    out->align = align;
}

// The letters that are a whole type by themselves, and the start of "@" and "^".
static bool set_letter(struct isa__type *out, char letter)
{
    switch (letter) {
#define SCALAR_CASE(code, type, ...) \
    case code: \
        set_sized(out, ISA_TYPE_SCALAR, code, sizeof(type), _Alignof(type)); \
        return true;
        ISA_SCALARS(SCALAR_CASE)
#undef SCALAR_CASE
    case 't':
    case 'T':
        set_sized(out, ISA_TYPE_INT128, letter, 16, 16);
        return true;
    case 'v':
        out->type_class = ISA_TYPE_VOID;
        out->letter = letter;
        return true;
    case '?':
        out->type_class = ISA_TYPE_UNKNOWN;
        out->letter = letter;
        return true;
    default:
        return false;
    }
}

static bool parse_complex(struct parser *p, struct isa__type *out)
{
    switch (*p->at) {
#define COMPLEX_CASE(code, type, ...) \
    case code: \
        set_sized(out, ISA_TYPE_COMPLEX, code, sizeof(type complex), _Alignof(type complex)); \
        p->at++; \
        return true;
        ISA_FLOAT_SCALARS(COMPLEX_CASE)
#undef COMPLEX_CASE
    default:
        return expected(p, "expected f, d or D behind j");
    }
}

// A block's signature "<v@?q>", the opening bracket being next.
static bool parse_block_signature(struct parser *p)
{
    bool named = p->named;
    p->named = false;
    p->at++;
    do {
        struct isa__type type;
        if (!parse_type(p, &type)) return false;
        p->at = skip_frame_offset(p->at);
    } while (*p->at != '>');
    p->at++;
    p->named = named;
    return true;
}

// Behind "@": '?' with a signature, or a quoted class name. Among named members a quoted text may
// as well be the next member's name; it is this object's class if what follows is no type.
static bool parse_object_details(struct parser *p)
{
    if (*p->at == '?') {
        p->at++;
        return *p->at == '<' ? parse_block_signature(p) : true;
    }
    if (*p->at != '"') return true;
    if (p->named) {
        const char *behind = skip_quoted(p->at);
        if (behind != NULL && *behind != '\0' && strchr("\"})", *behind) == NULL) return true;
    }
    return parse_quoted(p);
}

static bool parse_pointee(struct parser *p)
{
    struct isa__type pointee;
    return parse_type(p, &pointee);
}

// Carries over what a container inherits from what it contains by value.
static void absorb(struct isa__type *container, const struct isa__type *part)
{
    container->sized = container->sized && part->sized;
    container->has_union = container->has_union || part->has_union;
    container->has_bitfield = container->has_bitfield || part->has_bitfield;
    if (part->align > container->align) container->align = part->align;
}

static bool parse_part(struct parser *p, struct isa__type *out)
{
    const char *start = p->at;
    if (!parse_type(p, out)) return false;
    if (out->type_class != ISA_TYPE_VOID) return true;
    p->at = start;
    return expected(p, "void cannot be a member or element");
}

static bool parse_array(struct parser *p, struct isa__type *out)
{
    struct isa__type element;
    if (!parse_number(p, &out->count)) return false;
    bool named = p->named;
    p->named = false;
    out->members = p->at;
    if (!parse_part(p, &element)) return false;
    p->named = named;
    if (*p->at != ']') return expected(p, "expected ] behind the array's element");
    set_sized(out, ISA_TYPE_ARRAY, '[', 0, 1);
    absorb(out, &element);
    if (__builtin_mul_overflow(element.size, out->count, &out->size) || out->size > PTRDIFF_MAX)
        return expected(p, "the array is too large");
    p->at++;
    return true;
}

static bool place_member(const struct isa__type *member, struct isa__type *out)
{
    size_t offset = 0;
    if (out->type_class == ISA_TYPE_UNION) {
        if (member->size > out->size) out->size = member->size;
        return true;
    }
    return align_up(out->size, member->sized ? member->align : 1, &offset) &&
           add_size(offset, member->size, &out->size);
}

static bool parse_members(struct parser *p, char close, struct isa__type *out)
{
    bool named = p->named;
    p->named = *p->at == '"';
    while (*p->at != close) {
        struct isa__type member;
        if (*p->at == '"' && !parse_quoted(p)) return false;
        if (!parse_part(p, &member)) return false;
        absorb(out, &member);
        if (!place_member(&member, out)) return expected(p, "the type is too large");
    }
    p->named = named;
    return align_up(out->size, out->align, &out->size) || expected(p, "the type is too large");
}

// A struct or union; its name may hold anything, C++ template arguments for instance, but '=' and
// the closing bracket.
static bool parse_aggregate(struct parser *p, char close, struct isa__type *out)
{
    out->type_class = close == '}' ? ISA_TYPE_STRUCT : ISA_TYPE_UNION;
    out->letter = close == '}' ? '{' : '(';
    out->has_union = close == ')';
    while (*p->at != '=' && *p->at != close) {
        if (*p->at == '\0') return expected(p, "the type's closing bracket is missing");
        p->at++;
    }
    if (*p->at == '=') {
        out->members = ++p->at;
        out->sized = true;
        out->align = 1;
        if (!parse_members(p, close, out)) return false;
    }
    p->at++;
    return true;
}

static bool parse_bitfield(struct parser *p, struct isa__type *out)
{
    out->type_class = ISA_TYPE_BITFIELD;
    out->letter = 'b';
    out->has_bitfield = true;
    return parse_number(p, &out->count);
}

static bool parse_unqualified(struct parser *p, struct isa__type *out)
{
    char letter = *p->at;
    if (letter == '\0') return expected(p, "expected a type");
    p->at++;
    if (letter == '{') return parse_aggregate(p, '}', out);
    if (letter == '(') return parse_aggregate(p, ')', out);
    if (letter == '[') return parse_array(p, out);
    if (letter == 'b') return parse_bitfield(p, out);
    if (letter == 'j') return parse_complex(p, out);
    if (!set_letter(out, letter)) {
        p->at--;
        return expected(p, "expected a type");
    }
    if (letter == '^') return parse_pointee(p);
    if (letter == '@') return parse_object_details(p);
    return true;
}

static void forget_size(struct isa__type *type)
{
    if (type->sized) return;
    type->size = 0;
    type->align = 0;
}

static bool parse_type(struct parser *p, struct isa__type *out)
{
    memset(out, 0, sizeof *out);
    if (p->depth == MAX_NESTING) return expected(p, "nested deeper than 64 levels");
    p->depth++;
    p->at = skip_qualifiers(p->at);
    out->start = p->at;
    bool parsed = parse_unqualified(p, out);
    if (parsed) forget_size(out);
    out->end = p->at;
    p->depth--;
    return parsed;
}

// Fails with the text, made printable and cut where it is long, and the column.
static isa_status refuse(const char *text, const char *at, const char *problem)
{
    char quoted[MAX_QUOTED + 1];
    size_t length = 0;
    for (; text[length] != '\0' && length < MAX_QUOTED; length++)
        quoted[length] = text[length] >= ' ' && text[length] <= '~' ? text[length] : '.';
    quoted[length] = '\0';
    return isa__fail(ISA_ERR_BAD_ENCODING, NULL, "type encoding \"%s\"%s, column %zu: %s", quoted,
                     text[length] == '\0' ? "" : "...", (size_t)(at - text) + 1, problem);
}

int isa__type_quoted_length(const struct isa__type *type)
{
    ptrdiff_t length = type->end - type->start;
    return (int)(length < MAX_QUOTED ? length : MAX_QUOTED);
}

isa_status isa__type_parse(const char *types, struct isa__type *out)
{
    if (types == NULL) return refuse("", "", "expected a type, but there is no text");
    struct parser p = {.at = types};
    struct isa__type type;
    if (!parse_type(&p, &type)) return refuse(types, p.at, p.problem);
    *out = type;
    return ISA_OK;
}

bool isa__type_next(const char **cursor, struct isa__type *out)
{
    struct parser p = {.at = *cursor};
    if (!parse_type(&p, out)) return false;
    *cursor = skip_frame_offset(p.at);
    return true;
}

static bool array_next(struct isa__member_walk *walk, struct isa__type *out, size_t *offset)
{
    if (walk->index == walk->parent->count) return false;
    struct parser p = {.at = walk->parent->members};
    if (!parse_type(&p, out)) return false;
    *offset = walk->next_offset;
    walk->next_offset += out->size;
    walk->index++;
    return true;
}

bool isa__member_next(struct isa__member_walk *walk, struct isa__type *out, size_t *offset)
{
    const struct isa__type *parent = walk->parent;
    if (parent->members == NULL) return false;
    if (parent->type_class == ISA_TYPE_ARRAY) return array_next(walk, out, offset);
    struct parser p = {.at = walk->cursor, .named = *parent->members == '"'};
    if (*p.at == (parent->type_class == ISA_TYPE_STRUCT ? '}' : ')')) return false;
    if (*p.at == '"' && !parse_quoted(&p)) return false;
    if (!parse_type(&p, out)) return false;
    walk->cursor = p.at;
    walk->index++;
    *offset = 0;
    if (parent->type_class == ISA_TYPE_UNION) return true;
    if (!align_up(walk->next_offset, out->sized ? out->align : 1, offset)) return false;
    walk->next_offset = *offset + out->size;
    return true;
}

// Whether type number `index` of a method encoding can stand there; else what was expected.
static const char *misplaced(size_t index, const struct isa__type *type)
{
    if (index == 1 && !isa__letter_is_object(type->letter)) return "expected the receiver, @ or #";
    if (index == 2 && type->letter != ':') return "expected the selector, :";
    if (index > 0 && type->type_class == ISA_TYPE_VOID) return "an argument cannot be void";
    return NULL;
}

static isa_status check_count(const char *types, const char *end, size_t count, size_t colons)
{
    if (count < 3) return refuse(types, end, "expected result, receiver and selector at least");
    if (colons == SIZE_MAX || count - 3 >= colons) return ISA_OK;
    char problem[128];
    snprintf(problem, sizeof problem, "the selector takes %zu arguments, the encoding gives %zu",
             colons, count - 3);
    return refuse(types, end, problem);
}

isa_status isa__encoding_check_method(const char *types, size_t colons)
{
    if (types == NULL) return refuse("", "", "expected a method's types, but there is no text");
    struct parser p = {.at = types};
    size_t count = 0;
    for (; *p.at != '\0'; count++) {
        struct isa__type type;
        if (!parse_type(&p, &type)) return refuse(types, p.at, p.problem);
        const char *problem = misplaced(count, &type);
        if (problem != NULL) return refuse(types, type.start, problem);
        p.at = skip_frame_offset(p.at);
    }
    return check_count(types, p.at, count, colons);
}

// ---- the public functions -----------------------------------------------------------------------

isa_status isa_encoding_measure(const char *types, size_t *size, size_t *align, const char **end)
{
    struct isa__type type = {0};
    isa_status status = isa__type_parse(types, &type);
    if (status != ISA_OK) return status;
    if (!type.sized && type.type_class != ISA_TYPE_VOID)
        return isa__fail(ISA_ERR_NOT_PASSABLE, NULL, "type encoding \"%.*s\" tells no size: %s",
                         isa__type_quoted_length(&type), type.start,
                         type.has_bitfield ? "it has a bit-field" : "its members are not known");
    if (size != NULL) *size = type.size;
    if (align != NULL) *align = type.sized ? type.align : 1;
    if (end != NULL) *end = skip_frame_offset(type.end);
    return ISA_OK;
}

isa_status isa_encoding_copy_type(const char *types, size_t index, char **out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_status status = isa__encoding_check_method(types, SIZE_MAX);
    if (status != ISA_OK) return status;
    const char *start;
    struct isa__type type;
    if (!isa__signature_type(types, index, &start, &type))
        return isa__fail(ISA_ERR_NOT_FOUND, NULL, "a method encoding of %zu types has no type %zu",
                         isa__signature_argument_count(types) + 1, index);
    size_t length = (size_t)(type.end - start);
    char *copy = isa__alloc_public(length + 1);
    if (copy == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to copy a type encoding");
    memcpy(copy, start, length);
    copy[length] = '\0';
    *out = copy;
    return ISA_OK;
}

// Writes the members to `list`, unless it is NULL; gives their number. An array's are all alike.
static size_t list_members(const char *types, const struct isa__type *type,
                           isa_encoding_member *list)
{
    struct isa__member_walk walk = {.parent = type, .cursor = type->members};
    struct isa__type member;
    size_t offset;
    for (size_t count = 0; count == 0 || type->type_class != ISA_TYPE_ARRAY; count++) {
        const char *start = *walk.cursor == '"' ? skip_quoted(walk.cursor) : walk.cursor;
        if (!isa__member_next(&walk, &member, &offset)) return count;
        if (list != NULL)
            list[count] = (isa_encoding_member){(size_t)(start - types),
                                                (size_t)(member.end - start), offset};
    }
    for (size_t i = 1; i < type->count && list != NULL; i++)
        list[i] = (isa_encoding_member){list->start, list->length, i * member.size};
    return type->count;
}

isa_status isa_encoding_copy_members(const char *types, isa_encoding_member **out, size_t *count)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (count == NULL) return isa__fail_null(__func__, "count");
    struct isa__type type;
    isa_status status = isa__type_parse(types, &type);
    if (status != ISA_OK) return status;
    if (type.type_class == ISA_TYPE_UNION || type.members == NULL)
        return isa__fail(ISA_ERR_NOT_FOUND, NULL, "type encoding \"%.*s\" tells of no members",
                         isa__type_quoted_length(&type), type.start);
    if (!type.sized) return isa_encoding_measure(types, NULL, NULL, NULL);
    size_t found = list_members(types, &type, NULL);
    isa_encoding_member *list = NULL;
    if (found > SIZE_MAX / sizeof *list ||
        (found > 0 && (list = isa__alloc_public(found * sizeof *list)) == NULL))
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to list %zu members", found);
    list_members(types, &type, list);
    *out = list;
    *count = found;
    return ISA_OK;
}

isa_status isa_encoding_argument_count(const char *types, size_t *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_status status = isa__encoding_check_method(types, SIZE_MAX);
    if (status != ISA_OK) return status;
    *out = isa__signature_argument_count(types);
    return ISA_OK;
}

// ---- canonical encodings ------------------------------------------------------------------------

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

// ---- signatures ---------------------------------------------------------------------------------

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
