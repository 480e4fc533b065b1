// Values by key and by selector in C's own types, of keys of every kind: what fits is passed on,
// what does not is refused and written nowhere.
#include <string.h>

#include "check.h"
#include "kvc_typed.h"
#include "person.h"

struct pair {
    int first, second;
};

static isa_class make_holder(void)
{
    static const struct {
        const char *name, *types;
    } ivars[] = {{"_text", "*"}, {"_kind", "#"},      {"_any", "@"},
                 {"_where", "^v"}, {"_far", "D"}, {"_pair", "{pair=ii}"}};
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Holder", &cls));
    for (size_t i = 0; i < sizeof ivars / sizeof *ivars; i++)
        must(isa_class_add_ivar(cls, ivars[i].name, ivars[i].types,
                                ivars[i].types[0] == '@' ? ISA_OWNERSHIP_RETAIN
                                                         : ISA_OWNERSHIP_NONE));
    must(isa_class_pair_register(cls));
    return cls;
}

#define SET(object, key, types, type, ...) \
    kvc_set_typed(object, key, types, &(type){__VA_ARGS__}, sizeof(type))
#define GET(object, key, types, place) kvc_get_typed(object, key, types, &(place), sizeof(place))

static void check_texts(isa_id holder)
{
    char *text = NULL;
    CHECK(SET(holder, "text", "*", char *, "abc") == ISA_OK);
    CHECK(GET(holder, "text", "*", text) == ISA_OK && strcmp(text, "abc") == 0);
    isa_free(text);
    CHECK(SET(holder, "any", "*", char *, "def") == ISA_OK);
    CHECK(GET(holder, "any", "*", text) == ISA_OK && strcmp(text, "def") == 0);
    isa_free(text);
    CHECK(SET(holder, "any", "*", char *, NULL) == ISA_OK);
    CHECK(GET(holder, "any", "*", text) == ISA_OK && text == NULL);
}

static void check_pointers(isa_id holder)
{
    void *where = NULL;
    int number = 7;
    CHECK(SET(holder, "where", "^v", void *, &number) == ISA_OK);
    CHECK(GET(holder, "where", "^v", where) == ISA_OK && where == &number);
    CHECK(SET(holder, "any", "^v", void *, NULL) == ISA_OK);
    CHECK(SET(holder, "any", "^v", void *, &number) == KVC_ERR_TYPE);
    CHECK(strstr(isa_last_error()->reason, "box it") != NULL);
    CHECK(GET(holder, "any", "i", number) == KVC_ERR_NIL_VALUE && number == 7);
    CHECK(SET(holder, "where", "i", int, 1) == KVC_ERR_TYPE);
    CHECK(GET(holder, "where", "i", number) == KVC_ERR_TYPE && number == 7);
}

static void check_classes_as_values(isa_id holder, isa_class cls)
{
    isa_class kind = NULL;
    CHECK(SET(holder, "kind", "@", isa_id, (isa_id)cls) == ISA_OK);
    CHECK(GET(holder, "kind", "#", kind) == ISA_OK && kind == cls);
    CHECK(SET(holder, "any", "@", isa_id, (isa_id)cls) == ISA_OK);
    kind = NULL;
    CHECK(GET(holder, "any", "#", kind) == ISA_OK && kind == cls);
    CHECK(SET(holder, "any", "@", isa_id, NULL) == ISA_OK);
    CHECK(GET(holder, "any", "#", kind) == ISA_OK && kind == NULL);
}

static void check_structs(isa_id holder)
{
    struct pair pair = {0, 0};
    isa_test_point point = {1, 2};
    CHECK(SET(holder, "pair", "{pair=ii}", struct pair, 3, 4) == ISA_OK);
    CHECK(GET(holder, "pair", "{pair=ii}", pair) == ISA_OK && pair.first == 3 && pair.second == 4);
    CHECK(kvc_set_typed(holder, "pair", "{point=dd}", &point, sizeof point) == KVC_ERR_TYPE);
    CHECK(GET(holder, "pair", "{point=dd}", point) == KVC_ERR_TYPE && point.x == 1);
}

static void check_numbers(isa_id holder, isa_id person)
{
    long double far = 0;
    int64_t age = 0;
    isa_id five;
    must(kvc_box((kvc_value){"i", &(int){5}}, &five));
    CHECK(SET(holder, "far", "d", double, 2.5) == ISA_OK);
    CHECK(GET(holder, "far", "D", far) == ISA_OK && far == 2.5L);
    CHECK(SET(person, "age", "D", long double, 2.5L) == KVC_ERR_TYPE);
    CHECK(strstr(isa_last_error()->reason, "2.5") != NULL);
    CHECK(SET(person, "age", "@", isa_id, five) == ISA_OK);
    CHECK(GET(person, "age", "q", age) == ISA_OK && age == 5);
    CHECK(SET(person, "age", "i", int64_t, 5) == ISA_ERR_BAD_ENCODING);
    CHECK(SET(person, "nothing", "q", int64_t, 5) == KVC_ERR_UNDEFINED_KEY);
    CHECK(SET(person, "nothing", "^v", void *, NULL) == KVC_ERR_UNDEFINED_KEY);
    CHECK(GET(person, "nothing", "q", age) == KVC_ERR_UNDEFINED_KEY && age == 5);
    CHECK(kvc_set_typed(person, "age", "q", NULL, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
    CHECK(kvc_get_typed(person, "age", "q", NULL, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
    isa_object_release(five);
}

static void check_selectors(isa_id person)
{
    isa_sel set_age = isa_sel_register("setAge:"), get_age = isa_sel_register("age");
    isa_id nil = NULL;
    int64_t age = 6;
    CHECK(isa_set_typed(person, set_age, "q", &age, sizeof age) == ISA_OK);
    CHECK(isa_set_typed(person, set_age, "@", &nil, sizeof nil) == KVC_ERR_NIL_VALUE);
    CHECK(isa_set_typed(person, get_age, "q", &age, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
    CHECK(isa_get_typed(person, set_age, "q", &age, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
    CHECK(isa_get_typed(person, isa_sel_register("fly"), "q", &age, sizeof age) ==
          ISA_ERR_UNRECOGNIZED_SELECTOR);
    CHECK(isa_get_typed(person, get_age, "q", &age, sizeof age) == ISA_OK && age == 6);
    CHECK(isa_set_typed(person, set_age, "q", NULL, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
    CHECK(isa_get_typed(person, get_age, "q", NULL, sizeof age) == ISA_ERR_INVALID_ARGUMENT);
}

void check_typed(void)
{
    isa_class cls = make_holder(), person_class;
    isa_id holder = make_object(cls), person;
    must(isa_test_person_make("Typist", &person_class));
    person = make_object(person_class);
    check_texts(holder);
    check_pointers(holder);
    check_classes_as_values(holder, cls);
    check_structs(holder);
    check_numbers(holder, person);
    check_selectors(person);
    isa_object_release(holder);
    isa_object_release(person);
    must(isa_class_pair_dispose(cls));
    must(isa_class_pair_dispose(person_class));
}
