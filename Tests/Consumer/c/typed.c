// Sets and gets values of each of C's types by key and by selector; in C and, being C++ as well, in
// C++. Prints what is not as it should be, and how many checks there were.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISA_OWN_TYPES(X) X(struct point, "{point=dd}") X(struct wrong, "{wrong=d}")
#include <isa.h>

struct point { double x, y; };
struct wrong { double x, y; };
enum colour { RED, GREEN };

static int checks;
static const char *const keys[] = {"B", "c", "s", "i", "q", "C", "S", "I", "Q", "f", "d", "D",
                                   "@", "#", ":", "*", "^v", "{point=dd}"};

static void check(bool holds, int line)
{
    checks++;
    if (!holds) printf("line %d: %s\n", line, isa_last_error()->reason);
}

#define CHECK(condition) check((condition), __LINE__)
#define REFUSED(call, expected) \
    check((call) == (expected) && isa_last_error()->status == (expected), __LINE__)

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "typed: %s\n", isa_last_error()->reason);
    exit(1);
}

// A class with a key of each encoding: `k0`, `k1` and so on, in their order.
static isa_class make_class(void)
{
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Each", &cls));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char name[8];
        snprintf(name, sizeof name, "k%zu", i);
        isa_property_info info = {name, keys[i], NULL, NULL, NULL, ISA_OWNERSHIP_NONE, false};
        if (keys[i][0] == '@') info.ownership = ISA_OWNERSHIP_RETAIN;
        must(isa_class_synthesize(cls, &info));
    }
    must(isa_class_pair_register(cls));
    return cls;
}

static void check_encodings(void)
{
    CHECK(strcmp(ISA_TYPE(bool), "B") == 0 && strcmp(ISA_TYPE(signed char), "c") == 0);
    CHECK(strcmp(ISA_TYPE(int8_t), "c") == 0 && strcmp(ISA_TYPE(uint8_t), "C") == 0);
    CHECK(strcmp(ISA_TYPE(int16_t), "s") == 0 && strcmp(ISA_TYPE(uint16_t), "S") == 0);
    CHECK(strcmp(ISA_TYPE(int32_t), "i") == 0 && strcmp(ISA_TYPE(uint32_t), "I") == 0);
    CHECK(strcmp(ISA_TYPE(int64_t), "q") == 0 && strcmp(ISA_TYPE(uint64_t), "Q") == 0);
    CHECK(strcmp(ISA_TYPE(long long), "q") == 0 && strcmp(ISA_TYPE(unsigned long long), "Q") == 0);
    CHECK(strcmp(ISA_TYPE(long), sizeof(long) == 8 ? "q" : "l") == 0);
    CHECK(strcmp(ISA_TYPE(char), CHAR_MIN < 0 ? "c" : "C") == 0);
    CHECK(strcmp(ISA_TYPE(float), "f") == 0 && strcmp(ISA_TYPE(double), "d") == 0);
    CHECK(strcmp(ISA_TYPE(long double), "D") == 0 && strcmp(ISA_TYPE(isa_id), "@") == 0);
    CHECK(strcmp(ISA_TYPE(isa_class), "#") == 0 && strcmp(ISA_TYPE(isa_sel), ":") == 0);
    CHECK(strcmp(ISA_TYPE(char *), "*") == 0 && strcmp(ISA_TYPE(const char *), "r*") == 0);
    CHECK(strcmp(ISA_TYPE(void *), "^v") == 0 && strcmp(ISA_TYPE(const int), "i") == 0);
    CHECK(strcmp(ISA_TYPE(struct point), "{point=dd}") == 0);
}

// Sets a key, gets it in the same type, and compares.
#define COMES_BACK(type, key, value) \
    do { \
        type there = (value); \
        type back; \
        memset(&back, 0, sizeof back); \
        CHECK(KVC_SET(object, key, there) == ISA_OK); \
        CHECK(KVC_GET(object, key, &back) == ISA_OK && back == there); \
    } while (0)

static void check_each(isa_id object, isa_class cls)
{
    COMES_BACK(bool, "k0", true);
    COMES_BACK(signed char, "k1", SCHAR_MIN);
    COMES_BACK(short, "k2", SHRT_MIN);
    COMES_BACK(int, "k3", INT_MIN);
    COMES_BACK(int64_t, "k4", INT64_MIN);
    COMES_BACK(unsigned char, "k5", UCHAR_MAX);
    COMES_BACK(unsigned short, "k6", USHRT_MAX);
    COMES_BACK(unsigned, "k7", UINT_MAX);
    COMES_BACK(uint64_t, "k8", UINT64_MAX);
    COMES_BACK(float, "k9", FLT_MAX);
    COMES_BACK(double, "k10", DBL_MAX);
    COMES_BACK(long double, "k11", LDBL_MAX);
    COMES_BACK(isa_class, "k13", cls);
    COMES_BACK(isa_sel, "k14", isa_sel_register("k14"));
    COMES_BACK(void *, "k16", &checks);
    COMES_BACK(long, "k4", LONG_MIN);
    COMES_BACK(enum colour, "k3", GREEN);
    struct point to = {1, 2}, from = {0, 0};
    CHECK(KVC_SET(object, "k17", to) == ISA_OK && KVC_GET(object, "k17", &from) == ISA_OK);
    CHECK(from.x == 1 && from.y == 2);
}

static void check_numbers(isa_id object)
{
    int i = 7;
    uint64_t q = 7;
    int8_t c = 7;
    float f = 7;
    CHECK(KVC_SET(object, "k4", 40) == ISA_OK && KVC_GET(object, "k4", &i) == ISA_OK && i == 40);
    CHECK(KVC_SET(object, "k8", 40) == ISA_OK && KVC_GET(object, "k8", &c) == ISA_OK && c == 40);
    CHECK(KVC_SET(object, "k10", 40) == ISA_OK && KVC_GET(object, "k10", &q) == ISA_OK && q == 40);
    REFUSED(KVC_SET(object, "k8", -1), KVC_ERR_TYPE);
    CHECK(strcmp(isa_last_error()->key, "k8") == 0);
    CHECK(KVC_GET(object, "k8", &q) == ISA_OK && q == 40);
    REFUSED(KVC_SET(object, "k1", 128), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k4", UINT64_MAX), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k4", 2.5), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k4", (double)NAN), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k0", 2), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k9", (INT64_C(1) << 24) + 1), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k9", 1e300), KVC_ERR_TYPE);
    CHECK(KVC_SET(object, "k9", 0.1) == ISA_OK && KVC_GET(object, "k9", &f) == ISA_OK && f == 0.1f);
    CHECK(KVC_SET(object, "k0", 1) == ISA_OK && KVC_SET(object, "k4", 3.0) == ISA_OK);
    CHECK(KVC_SET(object, "k4", 300) == ISA_OK);
    REFUSED(KVC_GET(object, "k4", &c), KVC_ERR_TYPE);
    CHECK(c == 40);
    REFUSED(KVC_SET(object, "none", 1), KVC_ERR_UNDEFINED_KEY);
    REFUSED(KVC_SET(NULL, "k4", 1), ISA_ERR_INVALID_ARGUMENT);
}

static void check_texts(isa_id object)
{
    char *text = NULL, letters[] = "Ann";
    isa_id string = NULL;
    int i = 7;
    CHECK(KVC_SET(object, "k12", "Ann") == ISA_OK && KVC_SET(object, "k12", letters) == ISA_OK);
    CHECK(KVC_GET(object, "k12", &text) == ISA_OK && strcmp(text, "Ann") == 0);
    isa_free(text);
    CHECK(KVC_GET(object, "k12", &string) == ISA_OK && kvc_kind_of(string) == KVC_KIND_STRING);
    CHECK(KVC_SET(object, "k12", string) == ISA_OK);
    isa_object_release(string);
    REFUSED(KVC_GET(object, "k12", &i), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k3", "40"), KVC_ERR_TYPE);
    CHECK(KVC_SET(object, "k15", letters) == ISA_OK && KVC_GET(object, "k15", &text) == ISA_OK);
    CHECK(text != letters && strcmp(text, "Ann") == 0);
    isa_free(text);
}

static void check_objects(isa_id object)
{
    isa_id number = NULL, got = NULL;
    char *text = (char *)object;
    int i = 7;
    must(kvc_number_make_integer(300, &number));
    CHECK(KVC_SET(object, "k12", number) == ISA_OK);
    CHECK(KVC_GET(object, "k12", &i) == ISA_OK && i == 300);
    CHECK(KVC_SET(object, "k4", number) == ISA_OK);
    REFUSED(KVC_SET(object, "k5", number), KVC_ERR_TYPE);
    isa_object_release(number);
    CHECK(KVC_GET(object, "k4", &got) == ISA_OK && kvc_kind_of(got) == KVC_KIND_NUMBER);
    isa_object_release(got);
    REFUSED(KVC_SET(object, "k12", 40), KVC_ERR_TYPE);
    REFUSED(KVC_SET(object, "k3", (isa_id)NULL), KVC_ERR_NIL_VALUE);
    CHECK(KVC_SET(object, "k12", (void *)NULL) == ISA_OK);
    CHECK(KVC_GET(object, "k12", &got) == ISA_OK && got == NULL);
    CHECK(KVC_GET(object, "k12", &text) == ISA_OK && text == NULL);
    REFUSED(KVC_GET(object, "k12", &i), KVC_ERR_NIL_VALUE);
#ifdef __cplusplus
    CHECK(KVC_SET(object, "k12", nullptr) == ISA_OK);
#else
    CHECK(KVC_SET(object, "k12", NULL) == ISA_OK);
#endif
}

static void check_structs(isa_id object)
{
    struct wrong wrong = {1, 2};
    struct point point = {3, 4};
    REFUSED(KVC_SET(object, "k17", wrong), ISA_ERR_BAD_ENCODING);
    REFUSED(KVC_SET(object, "k10", point), KVC_ERR_TYPE);
    REFUSED(KVC_GET(object, "k10", &point), KVC_ERR_TYPE);
    CHECK(point.x == 3 && point.y == 4);
}

static void check_selectors(isa_id object)
{
    isa_sel set = isa_sel_register("setK4:"), get = isa_sel_register("k4");
    int8_t c = 7;
    int64_t q = 7;
    isa_id string = NULL;
    struct point to = {5, 6}, from = {0, 0};
    CHECK(ISA_SET(object, set, 41) == ISA_OK && ISA_GET(object, get, &c) == ISA_OK && c == 41);
    REFUSED(ISA_SET(object, set, UINT64_MAX), KVC_ERR_TYPE);
    CHECK(ISA_GET(object, get, &q) == ISA_OK && q == 41);
    REFUSED(ISA_SET(object, isa_sel_register("none:"), 1), ISA_ERR_UNRECOGNIZED_SELECTOR);
    REFUSED(ISA_GET(object, set, &c), ISA_ERR_INVALID_ARGUMENT);
    REFUSED(ISA_SET(object, get, 1), ISA_ERR_INVALID_ARGUMENT);
    REFUSED(ISA_SET(object, set, (isa_id)NULL), KVC_ERR_NIL_VALUE);
    CHECK(ISA_SET(object, isa_sel_register("setK12:"), "Bob") == ISA_OK);
    CHECK(ISA_GET(object, isa_sel_register("k12"), &string) == ISA_OK);
    CHECK(strcmp(kvc_string_text(string), "Bob") == 0);
    isa_object_release(string);
    CHECK(ISA_SET(object, isa_sel_register("setK17:"), to) == ISA_OK);
    CHECK(ISA_GET(object, isa_sel_register("k17"), &from) == ISA_OK && from.y == 6);
}

// A dictionary answers for every key, with objects.
static void check_dictionary(void)
{
    isa_id dictionary;
    int i = 0;
    must(kvc_mutable_dictionary_make(NULL, NULL, 0, &dictionary));
    CHECK(KVC_SET(dictionary, "age", 40) == ISA_OK && KVC_SET(dictionary, "name", "Ann") == ISA_OK);
    CHECK(KVC_GET(dictionary, "age", &i) == ISA_OK && i == 40);
    REFUSED(KVC_GET(dictionary, "name", &i), KVC_ERR_TYPE);
    isa_object_release(dictionary);
}

int main(void)
{
    isa_class cls = make_class();
    isa_id object;
    must(isa_object_allocate(cls, &object));
    check_encodings();
    check_each(object, cls);
    check_numbers(object);
    check_texts(object);
    check_objects(object);
    check_structs(object);
    check_selectors(object);
    check_dictionary();
    isa_object_release(object);
    must(isa_class_pair_dispose(cls));
    printf("%d checks\n", checks);
}
