// Boxed strings: instances of IsaString, immutable UTF-8 text.
//
// Owns:      a string owns its bytes, a NUL byte behind them.
// Invariant: the bytes are UTF-8 without surrogates; the length in UTF-16 units is theirs.
#include "box.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "../model/type.h"

struct string_box {
    struct isa_header header;
    char *bytes;
    size_t size;   // in bytes, without the NUL
    size_t length; // in UTF-16 units
};

// ---- UTF-8 --------------------------------------------------------------------------------------

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

// The bytes of the character at `at`, of which `left` are there; 0 if they are not UTF-8: cut off,
// longer than need be, a surrogate, or beyond U+10FFFF.
static size_t character_size(const unsigned char *at, size_t left)
{
    if (at[0] < 0x80) return 1;
    size_t size = at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if (size == 0 || size > left) return 0;
    for (size_t i = 1; i < size; i++)
        if (!is_continuation(at[i])) return 0;
    if (at[0] == 0xE0 && at[1] < 0xA0) return 0;
    if (at[0] == 0xED && at[1] >= 0xA0) return 0;
    if (at[0] == 0xF0 && at[1] < 0x90) return 0;
    if (at[0] == 0xF4 && at[1] >= 0x90) return 0;
    return size;
}

bool isa__utf8_is_valid(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t step;; at += step) {
        while (*at != 0 && *at < 0x80) at++;
        if (*at == 0) return true;
        // A character is at most four bytes; the NUL byte at the end is no continuation.
        if ((step = character_size(at, 4)) == 0) return false;
    }
}

// Measures the bytes in UTF-16 units.
static isa_status measure(const char *bytes, size_t size, size_t *length)
{
    *length = 0;
    for (size_t at = 0; at < size;) {
        size_t step = character_size((const unsigned char *)bytes + at, size - at);
        if (step == 0)
            return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                             "the text is not UTF-8: byte %zu of %zu, 0x%02x", at, size,
                             (unsigned char)bytes[at]);
        *length += step == 4 ? 2 : 1;
        at += step;
    }
    return ISA_OK;
}

// ---- make ---------------------------------------------------------------------------------------

static void dealloc_string(isa_id self, isa_sel sel)
{
    (void)sel;
    struct string_box *string = (struct string_box *)self;
    isa__free(ISA_KIND_OTHER, string->bytes, string->size + 1);
}

isa_status kvc_string_make_in(isa_class cls, const char *bytes, size_t size, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    size_t length;
    isa_id object;
    if (bytes == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no text for a string");
    isa_status status = measure(bytes, size, &length);
    if (status == ISA_OK) status = isa_object_allocate(cls, &object);
    if (status != ISA_OK) return status;
    struct string_box *string = (struct string_box *)object;
    string->size = size;
    string->bytes = isa__alloc(ISA_KIND_OTHER, size + 1);
    if (string->bytes == NULL) {
        isa_object_release(object);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a string of %zu bytes", size);
    }
    memcpy(string->bytes, bytes, size);
    string->length = length;
    *out = object;
    return ISA_OK;
}

isa_status kvc_string_make_bytes(const char *bytes, size_t size, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return kvc_string_make_in(isa__box_classes[ISA_BOX_STRING], bytes, size, out);
}

isa_status kvc_string_make(const char *text, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return kvc_string_make_bytes(text, text == NULL ? 0 : strlen(text), out);
}

const char *kvc_string_text(isa_id string)
{
    if (kvc_kind_of(string) != KVC_KIND_STRING) return NULL;
    const char *bytes = ((struct string_box *)string)->bytes;
    return bytes == NULL ? "" : bytes;
}

size_t kvc_string_size(isa_id string)
{
    return kvc_kind_of(string) == KVC_KIND_STRING ? ((struct string_box *)string)->size : 0;
}

size_t kvc_string_length(isa_id string)
{
    return kvc_kind_of(string) == KVC_KIND_STRING ? ((struct string_box *)string)->length : 0;
}

// ---- numbers ------------------------------------------------------------------------------------

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Reads a row of digits; `fraction` if they stand behind the point.
static const char *read_digits(const char *at, bool fraction, struct isa__reading *reading)
{
    for (; is_digit(*at); at++) {
        reading->has_digits = true;
        bool leading_zero = *at == '0' && reading->count == 0;
        bool kept = !leading_zero && reading->count < ISA_READ_DIGITS;
        if (kept) reading->digits[reading->count++] = *at;
        if (fraction && (kept || leading_zero)) reading->exponent--;
        if (!fraction && !kept && !leading_zero) reading->exponent++;
    }
    return at;
}

// An exponent counts only with its digits.
static int64_t read_exponent(const char *at)
{
    if (*at != 'e' && *at != 'E') return 0;
    bool negative = *++at == '-';
    if (*at == '-' || *at == '+') at++;
    int64_t exponent = 0;
    for (; is_digit(*at); at++)
        if (exponent < 100000) exponent = 10 * exponent + (*at - '0');
    return negative ? -exponent : exponent;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\n\v\f\r");
}

static const char *read_sign(const char *at, bool *negative)
{
    *negative = *at == '-';
    return at + (*at == '-' || *at == '+');
}

struct isa__reading isa__number_read_digits(const char *text)
{
    struct isa__reading reading = {0};
    const char *at = read_sign(skip_blanks(text), &reading.negative);
    at = read_digits(at, false, &reading);
    if (*at == '.') at = read_digits(at + 1, true, &reading);
    if (reading.has_digits) reading.exponent += read_exponent(at);
    return reading;
}

// Without a point, so that the locale's has no say.
double isa__reading_to_double(const struct isa__reading *reading)
{
    char text[ISA_READ_DIGITS + 32];
    snprintf(text, sizeof text, "%s%se%lld", reading->negative ? "-" : "",
             reading->count == 0 ? "0" : reading->digits, (long long)reading->exponent);
    return strtod(text, NULL);
}

// The integer that the text begins with, as far as its type reaches: its size in bytes.
static void read_integer(const char *text, bool is_signed, size_t size, int64_t *out)
{
    bool negative;
    const char *at = read_sign(skip_blanks(text), &negative);
    uint64_t most = UINT64_MAX >> (64 - 8 * size + is_signed);
    uint64_t limit = !negative ? most : is_signed ? most + 1 : 0;
    uint64_t value = 0;
    for (; is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        value = value > (limit - digit) / 10 || digit > limit ? limit : 10 * value + digit;
    }
    *out = (int64_t)(negative ? 0 - value : value);
}

// Y, y, T, t, or a digit that is not 0.
static bool read_truth(const char *text)
{
    bool negative;
    const char *at = read_sign(skip_blanks(text), &negative);
    at += strspn(at, "0");
    return *at != 0 && strchr("123456789YyTt", *at) != NULL;
}

bool isa__string_convert(isa_id string, char letter, void *out)
{
    const char *text = kvc_string_text(string);
    if (!isa__letter_is_number(letter)) return false;
    if (isa__scalar(letter)->kind == ISA_SCALAR_BOOL) {
        *(bool *)out = read_truth(text);
        return true;
    }
    if (!isa__letter_is_integer(letter)) {
        struct isa__reading reading = isa__number_read_digits(text);
        double value = isa__reading_to_double(&reading);
        return isa__number_convert('d', &value, letter, out);
    }
    int64_t value;
    bool is_signed = isa__scalar(letter)->kind == ISA_SCALAR_SIGNED;
    read_integer(text, is_signed, isa__scalar(letter)->size, &value);
    return isa__number_convert(is_signed ? 'q' : 'Q', &value, letter, out);
}

// ---- messages -----------------------------------------------------------------------------------

static bool is_equal_string(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    if (kvc_kind_of(other) != KVC_KIND_STRING) return false;
    const struct string_box *a = (struct string_box *)self, *b = (struct string_box *)other;
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

// FNV-1a.
size_t isa__bytes_hash(const void *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    return (size_t)hash;
}

static uint64_t string_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    const struct string_box *string = (struct string_box *)self;
    return isa__bytes_hash(string->bytes, string->size);
}

// Where a byte stands in the order of UTF-16 units: a character of four bytes takes surrogates
// there, which come before U+E000, whose first byte is 0xEE.
static int place_of(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
}

static int compare_texts(const struct string_box *a, const struct string_box *b)
{
    size_t common = a->size < b->size ? a->size : b->size;
    for (size_t i = 0; i < common; i++)
        if (a->bytes[i] != b->bytes[i])
            return place_of(a->bytes[i]) < place_of(b->bytes[i]) ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

static isa_status compare_to_string(isa_id self, isa_sel sel, isa_id other, int64_t *order)
{
    (void)sel;
    isa_status status = isa__box_check_comparable(self, other, "string");
    if (status == ISA_OK)
        *order = compare_texts((struct string_box *)self, (struct string_box *)other);
    return status;
}

static isa_status describe_string(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    *out = isa_object_retain(self);
    return ISA_OK;
}

static uint64_t answer_length(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct string_box *)self)->length;
}

// ---- texts --------------------------------------------------------------------------------------

void isa__text_append(struct isa__text *text, const char *bytes, size_t size)
{
    if (text->status != ISA_OK) return;
    if (text->size + size > text->capacity) {
        size_t capacity = 2 * text->capacity > text->size + size ? 2 * text->capacity
                                                                 : text->size + size + 64;
        char *grown = isa__realloc(ISA_KIND_OTHER, text->bytes, text->capacity, capacity);
        if (grown == NULL) {
            text->status =
                isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a text of %zu bytes", capacity);
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void isa__text_format(struct isa__text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    isa__text_append(text, piece, strlen(piece));
}

static bool is_plain(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !is_digit(c) && c != '_') return false;
    }
    return size > 0;
}

static void append_quoted(struct isa__text *text, const char *bytes, size_t size)
{
    isa__text_append(text, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '"' || bytes[i] == '\\') isa__text_append(text, "\\", 1);
        if (bytes[i] == '\n') isa__text_append(text, "\\n", 2);
        else isa__text_append(text, &bytes[i], 1);
    }
    isa__text_append(text, "\"", 1);
}

void isa__text_describe(struct isa__text *text, isa_id object)
{
    isa_id described;
    if (text->status != ISA_OK) return;
    text->status = kvc_copy_description(object, &described);
    if (text->status != ISA_OK) return;
    const char *bytes = kvc_string_text(described);
    size_t size = kvc_string_size(described);
    if (kvc_kind_of(object) == KVC_KIND_STRING && !is_plain(bytes, size))
        append_quoted(text, bytes, size);
    else if (bytes != NULL) isa__text_append(text, bytes, size);
    isa_object_release(described);
}

isa_status isa__text_finish(struct isa__text *text, isa_id *out)
{
    isa_status status = text->status;
    if (status == ISA_OK)
        status = kvc_string_make_bytes(text->size == 0 ? "" : text->bytes, text->size, out);
    isa__free(ISA_KIND_OTHER, text->bytes, text->capacity);
    *text = (struct isa__text){0};
    return status;
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method methods[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_string, "v@:"},
    {&isa__sel_copy, (isa_imp)isa__box_copy, "@@:"},
    {&isa__sel_is_equal, (isa_imp)is_equal_string, "B@:@"},
    {&isa__sel_is_same_value, (isa_imp)is_equal_string, "B@:@"},
    {&isa__sel_hash, (isa_imp)string_hash, "Q@:"},
    {&isa__sel_compare, (isa_imp)compare_to_string, "i@:@^q"},
    {&isa__sel_description, (isa_imp)describe_string, "i@:^@"},
    {&isa__sel_length, (isa_imp)answer_length, "Q@:"},
};

const struct isa__library_class isa__string_classes[1] = {
    {&isa__box_classes[ISA_BOX_STRING], "IsaString", NULL, KVC_KIND_STRING,
     sizeof(struct string_box), {ISA_LIST_OF(methods)}},
};
