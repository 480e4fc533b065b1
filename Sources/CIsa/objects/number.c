// Boxed numbers, boxed values and null; conversion between number types.
//
// A number is an instance of IsaNumber, with one scalar in it, or of IsaDecimalNumber, with digits
// beside it. Any other value is an instance of IsaValue, with an encoding and a copy of the bytes.
// Null, the only instance of IsaNull itself, stands for nil in collections.
//
// Owns:      a decimal number owns its digits, an IsaValue its text and bytes. The encoding and
//            bytes of a number stand in the object, or for ever. Null is static and immortal; an
//            instance of a class below IsaNull is an object as any other.
// Locks:     none.
// Invariant: two numbers of any types are equal when their values are, and then their hashes are
//            equal too.
#include "box.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "../model/type.h"

// ---- conversion ---------------------------------------------------------------------------------

// A number on its way between types, in the widest type of its kind.
struct number {
    enum { POSITIVE, NEGATIVE, FLOATING } kind; // an integer of either sign, or none
    uint64_t bits;                              // of an integer
    long double f;
};

// By copy: the caller's address need not be aligned.
#define LOAD_FLOAT(letter, ctype, ...) \
    case letter: { \
        ctype value; \
        memcpy(&value, from, sizeof value); \
        out->kind = FLOATING; \
        out->f = value; \
        return true; \
    }

static bool load_number(char letter, const void *from, struct number *out)
{
    if (isa__letter_is_integer(letter)) {
        bool is_signed = isa__scalar(letter)->kind == ISA_SCALAR_SIGNED;
        out->bits = isa__integer_load(letter, from);
        out->kind = is_signed && (int64_t)out->bits < 0 ? NEGATIVE : POSITIVE;
        return true;
    }
    switch (letter) {
        ISA_FLOAT_SCALARS(LOAD_FLOAT)
    default: return false;
    }
}

// Cuts towards zero and clamps to a signed type of `size` bytes; NaN gives 0.
static int64_t clamp_signed(long double f, size_t size)
{
    int64_t max = INT64_MAX >> (64 - 8 * size);
    if (isnan(f)) return 0;
    if (f >= (long double)max) return max;
    return f <= -(long double)max - 1 ? -max - 1 : (int64_t)f;
}

static uint64_t clamp_unsigned(long double f, size_t size)
{
    uint64_t max = UINT64_MAX >> (64 - 8 * size);
    if (isnan(f) || f <= 0) return 0;
    return f >= (long double)max ? max : (uint64_t)f;
}

// The bits of `n` as an integer of the letter's type, which cuts off those beyond its own.
static uint64_t to_integer(const struct number *n, char letter)
{
    const struct isa__scalar *scalar = isa__scalar(letter);
    if (n->kind != FLOATING) return n->bits;
    if (scalar->kind == ISA_SCALAR_BOOL) return n->f != 0;
    if (scalar->kind == ISA_SCALAR_SIGNED) return (uint64_t)clamp_signed(n->f, scalar->size);
    return clamp_unsigned(n->f, scalar->size);
}

static long double to_floating(const struct number *n)
{
    if (n->kind == FLOATING) return n->f;
    return n->kind == NEGATIVE ? (long double)(int64_t)n->bits : (long double)n->bits;
}

#define STORE_FLOAT(letter, ctype, ...) \
    case letter: { \
        ctype value = (ctype)to_floating(&number); \
        memcpy(to, &value, sizeof value); \
        return true; \
    }

bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to)
{
    struct number number;
    if (!load_number(from_letter, from, &number)) return false;
    if (isa__letter_is_integer(to_letter)) {
        isa__integer_store(to_letter, to_integer(&number, to_letter), to);
        return true;
    }
    switch (to_letter) {
        ISA_FLOAT_SCALARS(STORE_FLOAT)
    default: return false;
    }
}

// ---- order --------------------------------------------------------------------------------------

static int order_of(bool less, bool greater)
{
    return less ? -1 : greater;
}

// Integers are compared as such: a long double may be too narrow for 64 bits.
static int compare_integers(const struct number *a, const struct number *b)
{
    if (a->kind != b->kind) return a->kind == NEGATIVE ? -1 : 1;
    return order_of(a->bits < b->bits, a->bits > b->bits);
}

// NaN stands between the negative numbers and zero, as CFNumberCompare has it.
static int compare_floats(long double a, long double b)
{
    if (isnan(a) && isnan(b)) return 0;
    if (isnan(a)) return b < 0 ? 1 : -1;
    if (isnan(b)) return a < 0 ? -1 : 1;
    return order_of(a < b, a > b);
}

// Writes the integer part of a number; false if that is beyond the integers' range.
static bool write_whole_part(long double f, struct number *out)
{
    if (isnan(f) || f >= 0x1p64L || f < -0x1p63L) return false;
    uint64_t bits = f < 0 ? (uint64_t)(int64_t)f : (uint64_t)f;
    *out = (struct number){.kind = f <= -1 ? NEGATIVE : POSITIVE, .bits = bits};
    return true;
}

static int compare_integer_to_float(const struct number *a, long double f)
{
    struct number whole;
    if (!write_whole_part(f, &whole)) return compare_floats(to_floating(a), f);
    int order = compare_integers(a, &whole);
    return order != 0 ? order : compare_floats(0, f - to_floating(&whole));
}

static int compare_numbers(const struct number *a, const struct number *b)
{
    bool a_floats = a->kind == FLOATING, b_floats = b->kind == FLOATING;
    if (a_floats && b_floats) return compare_floats(a->f, b->f);
    if (a_floats) return -compare_integer_to_float(b, a->f);
    return b_floats ? compare_integer_to_float(a, b->f) : compare_integers(a, b);
}

bool isa__number_convert_exactly(char from_letter, const void *from, char to_letter, void *to)
{
    _Alignas(16) char bytes[sizeof(long double)];
    struct number before = {0}, after = {0};
    if (!isa__number_convert(from_letter, from, to_letter, bytes)) return false;
    load_number(from_letter, from, &before);
    load_number(to_letter, bytes, &after);
    bool floats = before.kind == FLOATING && after.kind == FLOATING;
    bool same = floats ? !isinf(after.f) || isinf(before.f) : compare_numbers(&before, &after) == 0;
    if (same) memcpy(to, bytes, isa__scalar(to_letter)->size);
    return same;
}

static size_t hash_number(const struct number *n)
{
    struct number whole;
    if (n->kind != FLOATING) return (size_t)n->bits;
    if (isnan(n->f)) return SIZE_MAX / 2;
    if (write_whole_part(n->f, &whole) && to_floating(&whole) == n->f) return (size_t)whole.bits;
    double rounded = (double)n->f;
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (size_t)(bits ^ bits >> 29);
}

// ---- boxes --------------------------------------------------------------------------------------

struct number_box {
    struct isa__box box;
    _Alignas(16) char bytes[16];
};

static_assert(sizeof(long double) <= sizeof((struct number_box *)NULL)->bytes,
              "the widest number fits");

struct decimal_number {
    struct number_box number; // the nearest double
    char *digits;
};

static isa_status make_number(isa_class cls, char letter, const void *bytes, isa_id *out)
{
    isa_id object;
    isa_status status = isa_object_allocate(cls, &object);
    if (status != ISA_OK) return status;
    struct number_box *number = (struct number_box *)object;
    number->box.types = isa__scalar(letter)->encoding;
    number->box.bytes = number->bytes;
    isa__number_convert(letter, bytes, letter, number->bytes);
    *out = object;
    return ISA_OK;
}

// Makes a number of the value's type, which is the letter of a number.
static isa_status make_plain_number(char letter, const void *bytes, isa_id *out)
{
    return make_number(isa__box_classes[ISA_BOX_NUMBER], letter, bytes, out);
}

isa_status kvc_number_make_in(isa_class cls, char letter, const void *bytes, const char *digits,
                              isa_id *out)
{
    if (bytes == NULL || out == NULL) return isa__fail_null(__func__, "bytes or out");
    isa_id object;
    if (!isa__letter_is_number(letter))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "\"%c\" is no number's letter", letter);
    isa_status status = make_number(cls, letter, bytes, &object);
    if (status != ISA_OK) return status;
    struct decimal_number *decimal = (struct decimal_number *)object;
    if (digits != NULL && (decimal->digits = isa__copy_text(digits)) == NULL)
        status = isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the number %.64s", digits);
    return isa__object_hand_over(status, object, out);
}

isa_status kvc_number_make_decimal(double nearest, const char *digits, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (digits == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "NULL digits");
    return kvc_number_make_in(isa__box_classes[ISA_BOX_DECIMAL_NUMBER], 'd', &nearest, digits, out);
}

const char *kvc_number_digits(isa_id number)
{
    if (number == NULL) return NULL;
    if (!isa_object_is_kind_of(number, isa__box_classes[ISA_BOX_DECIMAL_NUMBER])) return NULL;
    return ((const struct decimal_number *)number)->digits;
}

isa_status kvc_number_make_integer(int64_t value, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return make_plain_number('q', &value, out);
}

isa_status kvc_number_make_double(double value, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return make_plain_number('d', &value, out);
}

// The number in an instance of IsaNumber; an instance that was allocated and not made is 0.
static void load_boxed(isa_id object, struct number *out)
{
    const struct isa__box *box = (const struct isa__box *)object;
    *out = (struct number){0};
    if (box->types != NULL) load_number(box->types[0], box->bytes, out);
}

isa_status kvc_number_read(isa_id object, char letter, void *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    kvc_kind kind = kvc_kind_of(object);
    const struct isa__box *box = (const struct isa__box *)object;
    bool done = false;
    if (kind == KVC_KIND_STRING) done = isa__string_convert(object, letter, out);
    if (kind == KVC_KIND_NUMBER && box->types != NULL)
        done = isa__number_convert(box->types[0], box->bytes, letter, out);
    if (done) return ISA_OK;
    return isa__fail(KVC_ERR_TYPE, NULL, "%s cannot be read as a number of type \"%c\"",
                     object == NULL ? "nil" : isa__box_class_name(object), letter);
}

// ---- messages -----------------------------------------------------------------------------------

static bool has_decimal(const struct number *n)
{
    long double size = n->kind == FLOATING ? fabsl(n->f) : 0;
    return size == 0 || (size < 1e100L && size > 1e-100L); // false for what is no number
}

// Compares numbers of which one has more digits than a double has; false if there are none.
static bool compare_digits(isa_id first, isa_id second, int *order)
{
    struct isa__decimal a, b;
    if (kvc_number_digits(first) == NULL && kvc_number_digits(second) == NULL) return false;
    if (isa__decimal_read(first, &a) != ISA_OK || a.is_nan) return false;
    if (isa__decimal_read(second, &b) != ISA_OK || b.is_nan) return false;
    *order = isa__decimal_compare(&a, &b);
    return true;
}

static int compare_boxed(isa_id first, isa_id second)
{
    struct number a, b;
    int order;
    load_boxed(first, &a);
    load_boxed(second, &b);
    if (has_decimal(&a) && has_decimal(&b) && compare_digits(first, second, &order)) return order;
    return compare_numbers(&a, &b);
}

static bool is_equal_number(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    if (kvc_kind_of(other) != KVC_KIND_NUMBER) return false;
    return compare_boxed(self, other) == 0;
}

static uint64_t number_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    struct number number;
    load_boxed(self, &number);
    return hash_number(&number);
}

static isa_status compare_to_number(isa_id self, isa_sel sel, isa_id other, int64_t *order)
{
    (void)sel;
    isa_status status = isa__box_check_comparable(self, other, "number");
    if (status == ISA_OK) *order = compare_boxed(self, other);
    return status;
}

#define OF_FLOAT(type, single, twice, extended) \
    _Generic((type){0}, float: single, double: twice, long double: extended)
#define DIGITS_CASE(letter, ctype, ...) \
    case letter: return OF_FLOAT(ctype, FLT_DIG, DBL_DIG, LDBL_DIG);
#define READ_CASE(letter, ctype, ...) \
    case letter: return OF_FLOAT(ctype, strtof, strtod, strtold)(text, NULL);

// How many digits of a text are kept by the type.
static int digits_of(char letter)
{
    switch (letter) {
        ISA_FLOAT_SCALARS(DIGITS_CASE)
    default: return 0;
    }
}

static long double read_float(const char *text, char letter)
{
    switch (letter) {
        ISA_FLOAT_SCALARS(READ_CASE)
    default: return 0;
    }
}

// With as many digits as lead back to the same number of that type, and always a point.
static void write_float(long double f, char letter, char *out)
{
    int digits = digits_of(letter);
    for (int most = digits + 3; digits <= most; digits++) {
        snprintf(out, ISA_NUMBER_TEXT, "%.*Lg", digits, f);
        if (read_float(out, letter) == f) break;
    }
    char *point = strstr(out, localeconv()->decimal_point);
    if (point == NULL) return;
    size_t width = strlen(localeconv()->decimal_point);
    memmove(point + 1, point + width, strlen(point + width) + 1);
    *point = '.';
}

void isa__number_write(isa_id number, char *out)
{
    struct number n;
    load_boxed(number, &n);
    if (n.kind == NEGATIVE) snprintf(out, ISA_NUMBER_TEXT, "%lld", (long long)n.bits);
    else if (n.kind == POSITIVE)
        snprintf(out, ISA_NUMBER_TEXT, "%llu", (unsigned long long)n.bits);
    else if (isnan(n.f)) strcpy(out, "nan");
    else write_float(n.f, ((struct isa__box *)number)->types[0], out);
}

static isa_status describe_number(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    char text[ISA_NUMBER_TEXT];
    isa__number_write(self, text);
    return kvc_string_make(text, out);
}

static isa_status describe_decimal(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    const char *digits = kvc_number_digits(self);
    return kvc_string_make(digits == NULL ? "0" : digits, out);
}

static void dealloc_decimal(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__free_text(((struct decimal_number *)self)->digits);
}

// Each way to read a number: letter, type, message.
#define ISA_NUMBER_READINGS(X) \
    X('c', int8_t, charValue) \
    X('s', int16_t, shortValue) \
    X('i', int32_t, intValue) \
    X('q', int64_t, longValue) \
    X('q', int64_t, longLongValue) \
    X('q', int64_t, integerValue) \
    X('C', uint8_t, unsignedCharValue) \
    X('S', uint16_t, unsignedShortValue) \
    X('I', uint32_t, unsignedIntValue) \
    X('Q', uint64_t, unsignedLongValue) \
    X('Q', uint64_t, unsignedLongLongValue) \
    X('Q', uint64_t, unsignedIntegerValue) \
    X('B', bool, boolValue) \
    X('f', float, floatValue) \
    X('d', double, doubleValue)

#define READING(letter, ctype, name) \
    static ctype answer_##name(isa_id self, isa_sel sel) \
    { \
        (void)sel; \
        ctype value = 0; \
        return kvc_number_read(self, letter, &value) == ISA_OK ? value : 0; \
    }
ISA_NUMBER_READINGS(READING)

// ---- classes ------------------------------------------------------------------------------------

isa_status isa__numbers_add_readings(isa_class cls)
{
#define READING_METHOD(letter, ctype, name) {#name, (isa_imp)answer_##name, {letter, '@', ':', 0}},
    static const struct {
        const char *name;
        isa_imp imp;
        char types[4];
    } readings[] = {ISA_NUMBER_READINGS(READING_METHOD)};
    isa_status status = ISA_OK;
    for (size_t i = 0; i < ISA_COUNT_OF(readings) && status == ISA_OK; i++)
        status = isa_class_add_method(cls, isa_sel_register(readings[i].name), readings[i].imp,
                                      readings[i].types);
    return status;
}

static const struct isa__box_method of_numbers[] = {
    {&isa__sel_is_equal, (isa_imp)is_equal_number, "B@:@"},
    {&isa__sel_hash, (isa_imp)number_hash, "Q@:"},
    {&isa__sel_compare, (isa_imp)compare_to_number, "i@:@^q"},
    {&isa__sel_description, (isa_imp)describe_number, "i@:^@"},
};

static const struct isa__box_method of_decimal_numbers[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_decimal, "v@:"},
    {&isa__sel_description, (isa_imp)describe_decimal, "i@:^@"},
};

const struct isa__library_class isa__number_classes[3] = {
    {&isa__box_classes[ISA_BOX_NUMBER], "IsaNumber", &isa__box_classes[ISA_BOX_VALUE],
     KVC_KIND_NUMBER, sizeof(struct number_box), {ISA_LIST_OF(of_numbers)}},
    {&isa__box_classes[ISA_BOX_DECIMAL_NUMBER], "IsaDecimalNumber",
     &isa__box_classes[ISA_BOX_NUMBER], KVC_KIND_NUMBER, sizeof(struct decimal_number),
     {ISA_LIST_OF(of_decimal_numbers)}},
    {&isa__box_classes[ISA_BOX_SUM], "IsaSum", &isa__box_classes[ISA_BOX_DECIMAL_NUMBER],
     KVC_KIND_NUMBER, sizeof(struct decimal_number), {{NULL, 0}}},
};

// ---- values and null ----------------------------------------------------------------------------

struct value_box {
    struct isa__box box;
    size_t size; // of the bytes
};

static void dealloc_box(isa_id self, isa_sel sel)
{
    (void)sel;
    if (kvc_kind_of(self) != KVC_KIND_VALUE) return; // a number has its bytes within
    struct value_box *value = (struct value_box *)self;
    isa__free_text((char *)value->box.types);
    isa__free(ISA_KIND_OTHER, (void *)value->box.bytes, value->size);
}

static isa_status make_box(kvc_value value, size_t size, isa_id *out)
{
    isa_id object;
    isa_status status = isa_object_allocate(isa__box_classes[ISA_BOX_VALUE], &object);
    if (status != ISA_OK) return status;
    struct value_box *box = (struct value_box *)object;
    box->box.types = isa__copy_text(value.types);
    box->size = size == 0 ? 1 : size;
    void *bytes = isa__alloc(ISA_KIND_OTHER, box->size);
    box->box.bytes = bytes;
    if (box->box.types == NULL || bytes == NULL) {
        isa_object_release(object);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to box a value of type \"%.64s\"",
                         value.types);
    }
    memcpy(bytes, value.address, size);
    *out = object;
    return ISA_OK;
}

isa_status kvc_box(kvc_value value, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct isa__type type;
    if (value.types == NULL || value.address == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no value to box");
    isa_status status = isa__type_parse(value.types, &type);
    if (status != ISA_OK) return status;
    if (!type.sized)
        return isa__fail(ISA_ERR_BAD_ENCODING, NULL, "type \"%.64s\" has no size to box",
                         value.types);
    bool is_scalar = type.type_class == ISA_TYPE_SCALAR;
    if (is_scalar && isa__letter_is_number(type.letter))
        return make_plain_number(type.letter, value.address, out);
    if (!is_scalar || !isa__letter_is_object(type.letter)) return make_box(value, type.size, out);
    *out = isa_object_retain(*(const isa_id *)value.address);
    return ISA_OK;
}

kvc_value kvc_unbox(const isa_id *object)
{
    ISA_REQUIRE_NOT_NULL(object);
    if (*object == NULL || !isa_object_is_kind_of(*object, isa__box_classes[ISA_BOX_VALUE]))
        return (kvc_value){.types = "@", .address = object};
    const struct isa__box *box = (const struct isa__box *)*object;
    return (kvc_value){.types = box->types, .address = box->bytes};
}

// ---- messages -----------------------------------------------------------------------------------

// Bytes are compared as they are, what stands between a struct's members included, as Foundation
// does.
static bool is_equal_value(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    if (kvc_kind_of(other) != KVC_KIND_VALUE) return false;
    const struct value_box *a = (const struct value_box *)self;
    const struct value_box *b = (const struct value_box *)other;
    if (a->size != b->size || a->size == 0) return a->size == b->size;
    return memcmp(a->box.bytes, b->box.bytes, a->size) == 0 &&
           isa__encoding_equal(a->box.types, b->box.types);
}

// Numbers of different types can be equal, and yet they are not the same.
static bool is_same_value(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    return isa__encoding_equal(kvc_unbox(&self).types, kvc_unbox(&other).types) &&
           kvc_is_equal(self, other);
}

static uint64_t value_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    const struct value_box *value = (const struct value_box *)self;
    return isa__bytes_hash(value->box.bytes, value->size);
}

// The bytes in groups of four: <0000803f 00000040>.
static isa_status describe_value(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    const struct value_box *value = (const struct value_box *)self;
    const unsigned char *bytes = value->box.bytes;
    struct isa__text text = {0};
    isa__text_append(&text, "<", 1);
    for (size_t i = 0; i < value->size; i++)
        isa__text_format(&text, i > 0 && i % 4 == 0 ? " %02x" : "%02x", bytes[i]);
    isa__text_append(&text, ">", 1);
    return isa__text_finish(&text, out);
}

// ---- null ---------------------------------------------------------------------------------------

static struct isa_header null_object = {.record = ISA_RECORD_IMMORTAL | ISA_RECORD_INLINE};

isa_id kvc_null(void)
{
    return (isa_id)&null_object;
}

void isa__null_start(void)
{
    null_object.isa = (uintptr_t)isa__box_classes[ISA_BOX_NULL];
}

static isa_status describe_null(isa_id self, isa_sel sel, isa_id *out)
{
    (void)self, (void)sel;
    return kvc_string_make("<null>", out);
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method of_values[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_box, "v@:"},
    {&isa__sel_copy, (isa_imp)isa__box_copy, "@@:"},
    {&isa__sel_is_equal, (isa_imp)is_equal_value, "B@:@"},
    {&isa__sel_is_same_value, (isa_imp)is_same_value, "B@:@"},
    {&isa__sel_hash, (isa_imp)value_hash, "Q@:"},
    {&isa__sel_description, (isa_imp)describe_value, "i@:^@"},
};

// There is one null: being equal is being the same.
static const struct isa__box_method of_null[] = {
    {&isa__sel_copy, (isa_imp)isa__box_copy, "@@:"},
    {&isa__sel_description, (isa_imp)describe_null, "i@:^@"},
};

const struct isa__library_class isa__value_classes[2] = {
    {&isa__box_classes[ISA_BOX_VALUE], "IsaValue", NULL, KVC_KIND_VALUE, sizeof(struct value_box),
     {ISA_LIST_OF(of_values)}},
    {&isa__box_classes[ISA_BOX_NULL], "IsaNull", NULL, KVC_KIND_NULL, sizeof(struct isa_header),
     {ISA_LIST_OF(of_null)}},
};
