// Decimal numbers, in which `@sum` and `@avg` compute: 128 bits and a power of ten, as
// NSDecimalNumber has them. A sum that does not fit is rounded to the nearest, a half away from
// zero, an average is cut off; a number that is too large is none.
//
// A result is of the kind of what was added up: of integers a whole number, of other numbers and as
// their average a floating one, of decimal numbers a decimal one.
//
// Owns:  nothing; a decimal is plain bytes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/status.h"
#include "box.h"

enum { LIMBS = ISA_DECIMAL_LIMBS, GREATEST_EXPONENT = 127, LEAST_EXPONENT = -128 };
enum { TEXT = 320 }; // more than any number's digits, zeros and sign

// ---- magnitudes ---------------------------------------------------------------------------------

// `limbs` * factor + addend, of which what goes beyond them is answered.
static uint32_t multiply(uint32_t *limbs, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < LIMBS; i++, carry >>= 32) {
        carry += (uint64_t)limbs[i] * factor;
        limbs[i] = (uint32_t)carry;
    }
    return (uint32_t)carry;
}

// `limbs`, with `beyond` above them, / divisor; the remainder.
static uint32_t divide(uint32_t *limbs, uint32_t beyond, uint32_t divisor)
{
    uint64_t rest = beyond;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 32 | limbs[i];
        limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

static bool is_zero(const uint32_t *limbs)
{
    return (limbs[0] | limbs[1] | limbs[2] | limbs[3]) == 0;
}

static int compare_limbs(const uint32_t *first, const uint32_t *second)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
    return 0;
}

// Appends a digit, with one power of ten less; false, and nothing done, if there is no room.
static bool decimal_append(struct isa__decimal *number, uint32_t digit)
{
    uint32_t limbs[LIMBS];
    memcpy(limbs, number->limbs, sizeof limbs);
    if (multiply(limbs, 10, digit) != 0) return false;
    memcpy(number->limbs, limbs, sizeof limbs);
    number->exponent--;
    return true;
}

// Takes the last digits away, rounding once. `beyond` stands above the limbs.
static void shorten(struct isa__decimal *number, uint32_t beyond, int digits)
{
    uint32_t last = 0;
    for (int i = 0; i < digits; i++, beyond = 0) last = divide(number->limbs, beyond, 10);
    if (last >= 5) multiply(number->limbs, 1, 1);
    number->exponent += digits;
}

// Brings the power of ten into its limits.
static void limit(struct isa__decimal *number)
{
    if (number->exponent < LEAST_EXPONENT) shorten(number, 0, LEAST_EXPONENT - number->exponent);
    while (number->exponent > GREATEST_EXPONENT && !is_zero(number->limbs))
        if (!decimal_append(number, 0)) {
            number->is_nan = true;
            return;
        }
    if (is_zero(number->limbs)) number->exponent = 0;
}

// ---- arithmetic ---------------------------------------------------------------------------------

// Gives both the lesser power of ten, as far as there is room; then the decimal with the lesser
// power loses digits.
static void align(struct isa__decimal *first, struct isa__decimal *second)
{
    struct isa__decimal *high = first->exponent > second->exponent ? first : second;
    struct isa__decimal *low = high == first ? second : first;
    while (high->exponent > low->exponent && decimal_append(high, 0)) {}
    if (is_zero(high->limbs)) high->exponent = low->exponent;
    if (high->exponent > low->exponent) shorten(low, 0, high->exponent - low->exponent);
}

static void subtract(uint32_t *limbs, const uint32_t *less)
{
    int64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++, borrow >>= 32) {
        borrow += (int64_t)limbs[i] - less[i];
        limbs[i] = (uint32_t)borrow;
    }
}

isa_status isa__decimal_add(struct isa__decimal *sum, const struct isa__decimal *addend)
{
    struct isa__decimal other = *addend;
    if (other.kind > sum->kind) sum->kind = other.kind;
    sum->is_nan = sum->is_nan || other.is_nan;
    if (sum->is_nan) return ISA_OK;
    align(sum, &other);
    if (sum->is_negative == other.is_negative) {
        uint64_t carry = 0;
        for (int i = 0; i < LIMBS; i++, carry >>= 32) {
            carry += (uint64_t)sum->limbs[i] + other.limbs[i];
            sum->limbs[i] = (uint32_t)carry;
        }
        if (carry != 0) shorten(sum, (uint32_t)carry, 1);
    } else if (compare_limbs(sum->limbs, other.limbs) >= 0) {
        subtract(sum->limbs, other.limbs);
    } else {
        subtract(other.limbs, sum->limbs);
        memcpy(sum->limbs, other.limbs, sizeof sum->limbs);
        sum->is_negative = other.is_negative;
    }
    limit(sum);
    return sum->is_nan ? isa__decimal_divide(sum, 1) : ISA_OK;
}

isa_status isa__decimal_divide(struct isa__decimal *dividend, size_t count)
{
    if (dividend->is_nan)
        return isa__fail(KVC_ERR_OVERFLOW, NULL, "what is not a number cannot be divided by %zu",
                         count);
    uint32_t divisor = (uint32_t)count; // there is no memory for more members
    if (dividend->kind == ISA_DECIMAL_WHOLE) dividend->kind = ISA_DECIMAL_FLOATING;
    static const uint32_t of_38_digits[LIMBS] = {0, 0xF436A0, 0xD5DA46D9, 0x785EE10}; // the least
    uint64_t rest = divide(dividend->limbs, 0, divisor);
    while (rest != 0 && compare_limbs(dividend->limbs, of_38_digits) < 0) {
        decimal_append(dividend, (uint32_t)(rest * 10 / divisor));
        rest = rest * 10 % divisor;
    }
    limit(dividend);
    return ISA_OK;
}

int isa__decimal_compare(const struct isa__decimal *first, const struct isa__decimal *second)
{
    struct isa__decimal a = *first, b = *second;
    bool is_less = a.is_negative && !is_zero(a.limbs);
    if (is_less != (b.is_negative && !is_zero(b.limbs))) return is_less ? -1 : 1;
    while (a.exponent > b.exponent && decimal_append(&a, 0)) {}
    while (b.exponent > a.exponent && decimal_append(&b, 0)) {}
    int order = compare_limbs(a.limbs, b.limbs);
    // The decimal that has no room for its zeros is the greater.
    if (a.exponent != b.exponent && !is_zero(a.limbs) && !is_zero(b.limbs))
        order = a.exponent > b.exponent ? 1 : -1;
    return is_less ? -order : order;
}

// ---- texts --------------------------------------------------------------------------------------

// Whether a text is a whole number and nothing else.
static bool is_whole(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

// The number that a text begins with.
static struct isa__decimal read_text(const char *text, enum isa__decimal_kind kind)
{
    struct isa__reading reading = isa__number_read_digits(text);
    struct isa__decimal number = {
        .kind = kind, .is_negative = reading.negative, .is_nan = !reading.has_digits};
    int at = 0;
    while (at < reading.count && decimal_append(&number, (uint32_t)(reading.digits[at] - '0')))
        at++;
    if (at < reading.count && reading.digits[at] >= '5' && multiply(number.limbs, 1, 1) != 0)
        shorten(&number, 1, 1);
    int64_t power = reading.exponent > 1000 ? 1000 : reading.exponent;
    number.exponent += reading.count + (int)(power < -1000 ? -1000 : power);
    if (!number.is_nan) limit(&number);
    return number;
}

// Writes all digits: no power of ten, and no zeros behind the last one after a point.
static void write_text(const struct isa__decimal *number, char *out)
{
    struct isa__decimal rest = *number;
    char digits[TEXT];
    char *first = digits + sizeof digits;
    int power = rest.exponent;
    *--first = '\0';
    for (; power > 0; power--) *--first = '0';
    while (power < 0 && !is_zero(rest.limbs)) {
        char digit = (char)('0' + divide(rest.limbs, 0, 10));
        if (digit != '0' || *first != '\0') *--first = digit;
        power++;
    }
    for (; power < 0; power++) *--first = '0';
    if (*first != '\0' && number->exponent < 0) *--first = '.';
    do *--first = (char)('0' + divide(rest.limbs, 0, 10));
    while (!is_zero(rest.limbs));
    bool is_negative = number->is_negative && !is_zero(number->limbs);
    snprintf(out, TEXT, "%s%s", is_negative ? "-" : "", first);
}

// ---- objects ------------------------------------------------------------------------------------

// The kind of a number's value, or of a string's.
static enum isa__decimal_kind kind_of(isa_id object, const char *text)
{
    if (kvc_kind_of(object) == KVC_KIND_STRING)
        return is_whole(text) ? ISA_DECIMAL_WHOLE : ISA_DECIMAL_FLOATING;
    bool is_sum = isa_object_is_kind_of(object, isa__box_classes[ISA_BOX_SUM]);
    if (!is_sum && kvc_number_digits(object) != NULL) return ISA_DECIMAL_DECIMAL;
    const char *types = ((const struct isa__box *)object)->types;
    return types != NULL && strchr("fdD", types[0]) != NULL ? ISA_DECIMAL_FLOATING
                                                            : ISA_DECIMAL_WHOLE;
}

isa_status isa__decimal_read(isa_id object, struct isa__decimal *out)
{
    *out = (struct isa__decimal){.kind = ISA_DECIMAL_WHOLE};
    if (object == NULL) return ISA_OK;
    kvc_kind kind = kvc_kind_of(object);
    // An object that is neither number nor string does not answer decimalValue.
    if (kind != KVC_KIND_STRING && kind != KVC_KIND_NUMBER)
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "-[%s decimalValue]: unrecognized selector sent to instance %p",
                         isa__box_class_name(object), (void *)object);
    if (kind == KVC_KIND_STRING) {
        const char *text = kvc_string_text(object);
        *out = read_text(text == NULL ? "" : text, kind_of(object, text == NULL ? "" : text));
        return ISA_OK;
    }
    const char *digits = kvc_number_digits(object);
    char text[ISA_NUMBER_TEXT];
    if (digits == NULL) isa__number_write(object, text);
    *out = read_text(digits == NULL ? text : digits, kind_of(object, digits));
    return ISA_OK;
}

isa_status isa__decimal_copy_object(const struct isa__decimal *number, isa_id *out)
{
    char text[TEXT];
    struct isa__decimal whole = *number;
    isa_class sum = isa__box_classes[ISA_BOX_SUM];
    isa_class decimal = isa__box_classes[ISA_BOX_DECIMAL_NUMBER];
    isa_class cls = number->kind == ISA_DECIMAL_DECIMAL ? decimal : sum;
    double nearest = NAN;
    if (number->is_nan) return kvc_number_make_in(cls, 'd', &nearest, "NaN", out);
    write_text(number, text);
    while (whole.exponent > 0 && decimal_append(&whole, 0)) {}
    uint64_t bits = (uint64_t)whole.limbs[1] << 32 | whole.limbs[0];
    int64_t negative = (int64_t)(0 - bits);
    bool fits = whole.exponent == 0 && (whole.limbs[2] | whole.limbs[3]) == 0 &&
                (!number->is_negative || bits <= (uint64_t)INT64_MAX + 1);
    if (number->kind == ISA_DECIMAL_WHOLE && fits && number->is_negative)
        return kvc_number_make_in(cls, 'q', &negative, text, out);
    if (number->kind == ISA_DECIMAL_WHOLE && fits)
        return kvc_number_make_in(cls, bits > INT64_MAX ? 'Q' : 'q', &bits, text, out);
    // A whole sum that no other number holds is a decimal number.
    if (number->kind == ISA_DECIMAL_WHOLE) cls = decimal;
    struct isa__reading reading = isa__number_read_digits(text);
    nearest = isa__reading_to_double(&reading);
    return kvc_number_make_in(cls, 'd', &nearest, text, out);
}
