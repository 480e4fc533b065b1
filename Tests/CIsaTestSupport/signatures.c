// The table behind isa_test_types: a list names the types, one macro defines the functions of each.
#include "signatures.h"

#include <complex.h>
#include <string.h>

typedef long double long_double;
typedef int32_t long_of_32;
typedef uint32_t ulong_of_32;
typedef void *pointer;
typedef char *text;
typedef float complex complex_float;
typedef double complex complex_double;
typedef long double complex complex_long_double;

// ---- struct types -------------------------------------------------------------------------------

#define WORD_COUNTS(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) \
    X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) \
    X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) \
    X(48) X(49) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57) X(58) X(59) X(60) X(61) X(62) \
    X(63) X(64) X(1000)

#define DECLARE_WORDS(n) \
    typedef struct { \
        int64_t words[n]; \
    } words_##n;
WORD_COUNTS(DECLARE_WORDS)

typedef struct { int8_t a; } one_char;
typedef struct { int8_t a; int16_t b; } char_short;
typedef struct { int8_t a[3]; } three_chars;
typedef struct { int32_t a; int8_t b; } int_char;
typedef struct { int8_t a[11]; } eleven_chars;
typedef struct { float a; } one_float;
typedef struct { float a, b; } two_floats;
typedef struct { float a, b, c; } three_floats;
typedef struct { float a[4]; } four_floats;
typedef struct { double a; } one_double;
typedef struct { double a, b; } two_doubles;
typedef struct { double a, b, c; } three_doubles;
typedef struct { double a[4]; } four_doubles;
typedef struct { double a[5]; } five_doubles;
typedef struct { double a; int64_t b; } double_int;
typedef struct { int64_t a; double b; } int_double;
typedef struct { int32_t a; float b; } int_float;
typedef struct { float a; int32_t b; double c; } float_int_double;
typedef struct { long double a; } one_long_double;
typedef struct { one_long_double a[1]; } wrapped_long_double;
typedef struct { long double a, b; } two_long_doubles;
typedef struct { int8_t a; long double b; } char_long_double;
typedef struct { float complex a; } one_complex_float;
typedef struct { float complex a, b; } two_complex_floats;
typedef struct { double complex a; } one_complex_double;
typedef struct { float complex a; int32_t b; } complex_float_int;
typedef struct { long double complex a; } one_complex_long_double;
typedef struct { two_doubles origin, size; } rectangle;
typedef struct { int16_t b; int_char e; } inner;
typedef struct { int8_t a; inner f; } nested;
typedef struct { two_floats a[2]; int16_t b[4]; } array_of_structs;
typedef struct { int8_t a[2][3]; int16_t b; } array_of_arrays;
typedef struct { void *a; char *b; bool c; } pointers;

// ---- values -------------------------------------------------------------------------------------

// The contents of fields of the value with a seed: no two alike, none zero.
static void *const somewhere = &(char[64]){0};

#define INTEGER(bits) ((int##bits##_t)(seed * UINT64_C(0x7B5A39A17C5D43F1) + 0x55))
#define REAL(n) ((n) + 0.25f + (float)seed)
#define ADDRESS ((char *)somewhere + seed)

// Statements that fill `*v`, a value without padding.
#define BYTES \
    for (size_t i = 0; i < sizeof *v; i++) ((uint8_t *)v)[i] = (uint8_t)(seed * 37 + i * 11 + 129)
#define FLOATS(unit) \
    for (size_t i = 0; i < sizeof *v / sizeof(unit); i++) ((unit *)v)[i] = REAL((float)i)
#define FIELD(field, value) v->field = (value)

// Expressions that compare `*l` and `*r`.
#define VALUES (*l == *r)
#define SAME (memcmp(l, r, sizeof *l) == 0) // without padding only
#define EQUAL(field) (l->field == r->field)

// ---- the list -----------------------------------------------------------------------------------

#define SCALARS(X) \
    X(int8_t, "c", *v = INTEGER(8), VALUES) \
    X(int16_t, "s", *v = INTEGER(16), VALUES) \
    X(int32_t, "i", *v = INTEGER(32), VALUES) \
    X(long_of_32, "l", *v = INTEGER(32), VALUES) \
    X(int64_t, "q", *v = INTEGER(64), VALUES) \
    X(uint8_t, "C", *v = (uint8_t)INTEGER(8), VALUES) \
    X(uint16_t, "S", *v = (uint16_t)INTEGER(16), VALUES) \
    X(uint32_t, "I", *v = (uint32_t)INTEGER(32), VALUES) \
    X(ulong_of_32, "L", *v = (ulong_of_32)INTEGER(32), VALUES) \
    X(uint64_t, "Q", *v = (uint64_t)INTEGER(64), VALUES) \
    X(bool, "B", *v = seed % 2 == 0, VALUES) \
    X(float, "f", *v = REAL(7), VALUES) \
    X(double, "d", *v = REAL(8), VALUES) \
    X(long_double, "D", *v = REAL(9), VALUES) \
    X(isa_id, "@", *v = (isa_id)ADDRESS, VALUES) \
    X(isa_class, "#", *v = (isa_class)ADDRESS, VALUES) \
    X(isa_sel, ":", *v = (isa_sel)ADDRESS, VALUES) \
    X(text, "*", *v = ADDRESS, VALUES) \
    X(pointer, "^v", *v = ADDRESS, VALUES) \
    X(complex_float, "jf", *v = REAL(1) + REAL(2) * I, VALUES) \
    X(complex_double, "jd", *v = REAL(3) + REAL(4) * I, VALUES) \
    X(complex_long_double, "jD", *v = REAL(5) + REAL(6) * I, VALUES)

#define STRUCTS(X) \
    X(one_char, "{?=c}", BYTES, SAME) \
    X(char_short, "{?=cs}", FIELD(a, INTEGER(8)); FIELD(b, INTEGER(16)), EQUAL(a) && EQUAL(b)) \
    X(three_chars, "{?=[3c]}", BYTES, SAME) \
    X(int_char, "{?=ic}", FIELD(a, INTEGER(32)); FIELD(b, INTEGER(8)), EQUAL(a) && EQUAL(b)) \
    X(eleven_chars, "{?=\"a\"[11c]}", BYTES, SAME) \
    X(one_float, "{?=f}", FLOATS(float), SAME) \
    X(two_floats, "{CGPointF=ff}", FLOATS(float), SAME) \
    X(three_floats, "{?=fff}", FLOATS(float), SAME) \
    X(four_floats, "{?=[4f]}", FLOATS(float), SAME) \
    X(one_double, "{?=d}", FLOATS(double), SAME) \
    X(two_doubles, "{CGPoint=\"x\"d\"y\"d}", FLOATS(double), SAME) \
    X(three_doubles, "{?=ddd}", FLOATS(double), SAME) \
    X(four_doubles, "{?=[4d]}", FLOATS(double), SAME) \
    X(five_doubles, "{?=[2d][3d]}", FLOATS(double), SAME) \
    X(double_int, "{?=dq}", FIELD(a, REAL(1)); FIELD(b, INTEGER(64)), SAME) \
    X(int_double, "{?=qd}", FIELD(a, INTEGER(64)); FIELD(b, REAL(2)), SAME) \
    X(int_float, "{?=if}", FIELD(a, INTEGER(32)); FIELD(b, REAL(3)), SAME) \
    X(float_int_double, "{?=fid}", \
      FIELD(a, REAL(1)); FIELD(b, INTEGER(32)); FIELD(c, REAL(2)), SAME) \
    X(one_long_double, "{?=D}", FIELD(a, REAL(1)), EQUAL(a)) \
    X(wrapped_long_double, "{?={E=}[1{?=D}]}", FIELD(a[0].a, REAL(1)), EQUAL(a[0].a)) \
    X(two_long_doubles, "{?=DD}", FIELD(a, REAL(1)); FIELD(b, REAL(2)), EQUAL(a) && EQUAL(b)) \
    X(char_long_double, "{?=cD}", FIELD(a, INTEGER(8)); FIELD(b, REAL(2)), EQUAL(a) && EQUAL(b)) \
    X(one_complex_float, "{?=jf}", FLOATS(float), SAME) \
    X(two_complex_floats, "{?=jfjf}", FLOATS(float), SAME) \
    X(one_complex_double, "{?=jd}", FLOATS(double), SAME) \
    X(complex_float_int, "{?=jfi}", \
      FIELD(a, REAL(1) + REAL(2) * I); FIELD(b, INTEGER(32)), SAME) \
    X(one_complex_long_double, "{?=jD}", FIELD(a, REAL(1) + REAL(2) * I), EQUAL(a)) \
    X(rectangle, "{CGRect={CGPoint=dd}{CGSize=dd}}", FLOATS(double), SAME) \
    X(nested, "{?=c{?=s{?=ic}}}", \
      FIELD(a, INTEGER(8)); FIELD(f.b, INTEGER(16)); FIELD(f.e.a, INTEGER(32)); \
      FIELD(f.e.b, INTEGER(8)), \
      EQUAL(a) && EQUAL(f.b) && EQUAL(f.e.a) && EQUAL(f.e.b)) \
    X(array_of_structs, "{?=[2{?=ff}][4s]}", BYTES, SAME) \
    X(array_of_arrays, "{?=[2[3c]]s}", BYTES, SAME) \
    X(pointers, "{?=^{opaque}*B}", \
      FIELD(a, ADDRESS); FIELD(b, ADDRESS); FIELD(c, true), EQUAL(a) && EQUAL(b) && EQUAL(c))

#define WORDS(n) DEFINE(words_##n, "{?=[" #n "q]}", BYTES, SAME)

// ---- the functions of one type ------------------------------------------------------------------

#define DEFINE(type, encoding, fill, equal) \
    static void type##_fill(void *value, unsigned seed) \
    { \
        type *v = value; \
        memset(v, 0, sizeof *v); \
        fill; \
    } \
    static bool type##_equal(const void *first, const void *second) \
    { \
        const type *l = first, *r = second; \
        return equal; \
    } \
    static type type##_echo(isa_id object, isa_sel sel, type value) \
    { \
        (void)object, (void)sel; \
        return value; \
    } \
    static type type##_mix(isa_id object, isa_sel sel, int8_t a, type b, double c, type d, \
                           float e) \
    { \
        type first, second, none; \
        (void)object, (void)sel; \
        type##_fill(&first, 1); \
        type##_fill(&second, 2); \
        memset(&none, 0, sizeof none); \
        bool right = a == 1 && c == 2.5 && e == 3.5f && type##_equal(&b, &first) && \
                     type##_equal(&d, &second); \
        return right ? d : none; \
    } \
    static type type##_get(isa_id object, isa_sel sel) \
    { \
        (void)sel; \
        return *(type *)((char *)object + sizeof(struct isa_header)); \
    } \
    static void type##_set(isa_id object, isa_sel sel, type value) \
    { \
        (void)sel; \
        *(type *)((char *)object + sizeof(struct isa_header)) = value; \
    } \
    static void type##_call_echo(isa_imp imp, isa_id object, isa_sel sel, const void *value, \
                                 void *result) \
    { \
        type out = ((type(*)(isa_id, isa_sel, type))imp)(object, sel, *(const type *)value); \
        memcpy(result, &out, sizeof out); \
    } \
    static void type##_call_mix(isa_imp imp, isa_id object, isa_sel sel, void *result) \
    { \
        type first, second; \
        type##_fill(&first, 1); \
        type##_fill(&second, 2); \
        type out = ((type(*)(isa_id, isa_sel, int8_t, type, double, type, float))imp)( \
            object, sel, 1, first, 2.5, second, 3.5f); \
        memcpy(result, &out, sizeof out); \
    } \
    static void type##_call_get(isa_imp imp, isa_id object, isa_sel sel, void *result) \
    { \
        type out = ((type(*)(isa_id, isa_sel))imp)(object, sel); \
        memcpy(result, &out, sizeof out); \
    } \
    static void type##_call_set(isa_imp imp, isa_id object, isa_sel sel, const void *value) \
    { \
        ((void (*)(isa_id, isa_sel, type))imp)(object, sel, *(const type *)value); \
    }

SCALARS(DEFINE)
STRUCTS(DEFINE)
WORD_COUNTS(WORDS)

// ---- the table ----------------------------------------------------------------------------------

#define ENTRY(type, types, fill_statements, equal_expression) \
    { \
        .name = #type, \
        .encoding = types, \
        .size = sizeof(type), \
        .align = _Alignof(type), \
        .echo = (isa_imp)type##_echo, \
        .mix = (isa_imp)type##_mix, \
        .get = (isa_imp)type##_get, \
        .set = (isa_imp)type##_set, \
        .fill = type##_fill, \
        .equal = type##_equal, \
        .call_echo = type##_call_echo, \
        .call_mix = type##_call_mix, \
        .call_get = type##_call_get, \
        .call_set = type##_call_set, \
    },
#define WORDS_ENTRY(n) ENTRY(words_##n, "{?=[" #n "q]}", , )

static const isa_test_type types[] = {SCALARS(ENTRY) STRUCTS(ENTRY) WORD_COUNTS(WORDS_ENTRY)};

const isa_test_type *isa_test_types(size_t *count)
{
    *count = sizeof types / sizeof *types;
    return types;
}
