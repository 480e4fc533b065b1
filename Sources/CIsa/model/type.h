// Type encodings: one table of scalars; size, alignment, next type, walk through members.
#ifndef ISA_MODEL_TYPE_H
#define ISA_MODEL_TYPE_H

#include <limits.h>

#include "isa_class.h"

// The types as which scalars are passed: C type, name. Code that passes values is made once for
// each of these. A narrow integer's sign counts, since it is extended by it; that of one of 64 bits
// does not.
#define ISA_PASSED_TYPES(X) \
    X(int8_t, s8) \
    X(uint8_t, u8) \
    X(int16_t, s16) \
    X(uint16_t, u16) \
    X(int32_t, s32) \
    X(uint32_t, u32) \
    X(uint64_t, u64) \
    X(float, f32) \
    X(double, f64) \
    X(long double, extended) \
    X(isa_id, object) \
    X(void *, address)

enum isa__passed {
    ISA_PASSED_NOT, // no scalar
#define ISA_PASSED_CONSTANT(type, name) ISA_PASSED_##name,
    ISA_PASSED_TYPES(ISA_PASSED_CONSTANT)
#undef ISA_PASSED_CONSTANT
    ISA_PASSED_COUNT,
};

// Every scalar that C has a type for and libffi can pass: letter, C type, name, libffi's type, the
// kind of its values, as what they are passed, and whether Foundation boxes them and wraps their
// setters. All that a letter means is read off this table. `l` and `L` are 32 bits wide, as in
// 64-bit Objective-C, whose long is written `q`.
#define ISA_INTEGER_SCALARS(X) \
    X('c', int8_t, char, ffi_type_sint8, SIGNED, s8, true) \
    X('s', int16_t, short, ffi_type_sint16, SIGNED, s16, true) \
    X('i', int32_t, int, ffi_type_sint32, SIGNED, s32, true) \
    X('l', int32_t, long, ffi_type_sint32, SIGNED, s32, true) \
    X('q', int64_t, quad, ffi_type_sint64, SIGNED, u64, true) \
    X('C', uint8_t, uchar, ffi_type_uint8, UNSIGNED, u8, true) \
    X('S', uint16_t, ushort, ffi_type_uint16, UNSIGNED, u16, true) \
    X('I', uint32_t, uint, ffi_type_uint32, UNSIGNED, u32, true) \
    X('L', uint32_t, ulong, ffi_type_uint32, UNSIGNED, u32, true) \
    X('Q', uint64_t, uquad, ffi_type_uint64, UNSIGNED, u64, true) \
    X('B', bool, bool, ffi_type_uint8, BOOL, u8, true)
#define ISA_FLOAT_SCALARS(X) \
    X('f', float, float, ffi_type_float, FLOAT, f32, true) \
    X('d', double, double, ffi_type_double, FLOAT, f64, true) \
    X('D', long double, longdouble, ffi_type_longdouble, FLOAT, extended, false)
#define ISA_ADDRESS_SCALARS(X) \
    X('@', isa_id, object, ffi_type_pointer, OBJECT, object, true) \
    X('#', isa_class, class, ffi_type_pointer, CLASS, address, true) \
    X(':', isa_sel, selector, ffi_type_pointer, ADDRESS, address, false) \
    X('*', char *, text, ffi_type_pointer, ADDRESS, address, false) \
    X('^', void *, pointer, ffi_type_pointer, ADDRESS, address, false)
#define ISA_SCALARS(X) ISA_INTEGER_SCALARS(X) ISA_FLOAT_SCALARS(X) ISA_ADDRESS_SCALARS(X)

enum isa__scalar_kind {
    ISA_SCALAR_NONE, // no scalar's letter
    ISA_SCALAR_SIGNED,
    ISA_SCALAR_UNSIGNED,
    ISA_SCALAR_BOOL,
    ISA_SCALAR_FLOAT,
    ISA_SCALAR_OBJECT, // an address that is counted
    ISA_SCALAR_CLASS,
    ISA_SCALAR_ADDRESS,
};

struct isa__scalar {
    uint8_t kind;      // enum isa__scalar_kind
    uint8_t size;      // of the C type, bytes
    uint8_t passed;    // enum isa__passed
    bool is_boxed;     // by Foundation, which wraps its setters too
    char canonical;    // the letter by which values of that C type are written canonically
    char encoding[2];  // the letter as an encoding
};

extern const struct isa__scalar isa__scalars[UCHAR_MAX + 1]; // by letter

static inline const struct isa__scalar *isa__scalar(char letter)
{
    return &isa__scalars[(unsigned char)letter];
}

static inline bool isa__letter_is_integer(char letter)
{
    unsigned kind = isa__scalar(letter)->kind;
    return kind >= ISA_SCALAR_SIGNED && kind <= ISA_SCALAR_BOOL;
}

static inline bool isa__letter_is_number(char letter)
{
    unsigned kind = isa__scalar(letter)->kind;
    return kind >= ISA_SCALAR_SIGNED && kind <= ISA_SCALAR_FLOAT;
}

// An object's or a class's, which is an object too.
static inline bool isa__letter_is_object(char letter)
{
    unsigned kind = isa__scalar(letter)->kind;
    return kind == ISA_SCALAR_OBJECT || kind == ISA_SCALAR_CLASS;
}

// An integer of the letter's type, wherever it stands: as 64 bits, a signed one's sign in those
// above its own; and from 64 bits, of which the type keeps its own.
uint64_t isa__integer_load(char letter, const void *from);
void isa__integer_store(char letter, uint64_t bits, void *to);

// The class of a type, as seen from outside.
enum isa__type_class {
    ISA_TYPE_VOID,
    ISA_TYPE_SCALAR,  // in ISA_SCALARS; `letter` tells which (a block "@?" is '@', "^…" is '^')
    ISA_TYPE_COMPLEX, // `letter` f, d or D
    ISA_TYPE_INT128,  // 't' or 'T': no libffi type
    ISA_TYPE_STRUCT,
    ISA_TYPE_ARRAY,
    ISA_TYPE_UNION,
    ISA_TYPE_BITFIELD,
    ISA_TYPE_UNKNOWN, // '?', behind a pointer a function
};

struct isa__type {
    enum isa__type_class type_class;
    char letter;
    bool sized;          // false: opaque struct, '?', void, bit-field, or one of these by value in
                         // it: size and align are 0
    bool has_union;      // it or a member, by value
    bool has_bitfield;
    size_t size;
    size_t align;
    size_t count;        // of an array, or a bit-field's width
    const char *start;   // behind qualifiers such as r
    const char *members; // of a struct, union or array: the first member's encoding; NULL if opaque
    const char *end;     // just behind the type, before any frame offset
};

// Parses the first type in `types`, skipping qualifiers. Nesting deeper than 64 is refused.
//
// Errors: ISA_ERR_BAD_ENCODING, with last error naming the text and the column.
isa_status isa__type_parse(const char *types, struct isa__type *out);

// How much of the type's text a message quotes: what "%.*s" takes with `start`.
int isa__type_quoted_length(const struct isa__type *type);

// Steps to the next type of a method encoding: skips the type and its frame offset.
// Shape: true and `*out` filled while there is one; `*cursor` moves behind it.
// The text must have passed isa__encoding_check_method or isa__type_parse before.
bool isa__type_next(const char **cursor, struct isa__type *out);

// Steps through the members of a parsed struct, union or array: as above, stopping at its bracket;
// `*offset` is where the member stands. Start with {.parent = type, .cursor = type->members}.
// An array yields its element `count` times.
struct isa__member_walk {
    const struct isa__type *parent;
    const char *cursor;
    size_t next_offset;
    size_t index;
};
bool isa__member_next(struct isa__member_walk *walk, struct isa__type *out, size_t *offset);

// Checks a whole method encoding: result, receiver, selector and at least `colons` arguments
// (SIZE_MAX: any number).
isa_status isa__encoding_check_method(const char *types, size_t colons);

// Of a method encoding that has been checked: how many arguments it has, receiver and selector
// included; the letters of its first `count` types, `v` for void and 0 for what is no scalar or not
// there; and type number `index`, 0 being the result, which begins, qualifiers included, at
// `*start`. False if there is none.
size_t isa__signature_argument_count(const char *types);
void isa__signature_letters(const char *types, char *letters, size_t count);
bool isa__signature_type(const char *types, size_t index, const char **start,
                         struct isa__type *out);

// Writes `types` without qualifiers, frame offsets, pointed-to types, struct, member and class
// names: two encodings that pass and return alike give the same text, which can be parsed again.
// The text must have been checked.
// Owner: the caller, isa__free_text. NULL when memory is short.
char *isa__encoding_copy_canonical(const char *types);

// Whether two single types, or the types of two method encodings, are the same after
// canonicalisation. The texts must have been checked.
bool isa__encoding_equal(const char *first, const char *second);
bool isa__encoding_equal_method(const char *first, const char *second);

#endif
