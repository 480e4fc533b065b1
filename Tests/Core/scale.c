// Great numbers: of selectors, of classes, of keys that depend on one key, and that one depends on.
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "person.h"

// A key can depend on no more than 4096 others, theirs among them.
enum { SELECTORS = 1000000, CLASSES = 100000, KEYS = 10000, SOURCES = 4000 };

static void name(char text[32], const char *stem, int number)
{
    snprintf(text, 32, "%s%d", stem, number);
}

// A selector is for good: its place in dispatch tables is found however many there are.
static void check_selectors(void)
{
    char text[32];
    int lost = 0;
    for (int i = 0; i < SELECTORS; i++) {
        name(text, "great", i);
        isa_sel sel = isa_sel_register(text);
        if (sel == NULL || (i % 1000 == 0 && isa_sel_find(text) != sel)) lost++;
    }
    CHECK(lost == 0);
    name(text, "great", SELECTORS - 1);
    isa_class cls;
    must(isa_test_person_make("Late", &cls));
    isa_id person = make_object(cls);
    isa_sel last = isa_sel_find(text), age = isa_sel_register("age");
    must(isa_class_add_method(cls, last, isa_lookup(person, age), "q@:"));
    isa_test_set_age(person, 36);
    CHECK(ISA_SEND(int64_t (*)(isa_id, isa_sel), person, last) == 36);
    CHECK(!isa_object_responds_to(person, isa_sel_find("great7")));
    isa_object_release(person);
    must(isa_class_pair_dispose(cls));
}

static void check_classes_made(void)
{
    isa_class *classes = malloc(CLASSES * sizeof *classes), base;
    char text[32];
    int lost = 0;
    must(isa_test_person_make("Base", &base));
    for (int i = 0; i < CLASSES; i++) {
        name(text, "Great", i);
        must(isa_class_pair_allocate(base, text, &classes[i]));
        must(isa_class_pair_register(classes[i]));
    }
    for (int i = 0; i < CLASSES; i += 97) {
        name(text, "Great", i);
        isa_id person = make_object(classes[i]);
        isa_test_set_age(person, i);
        if (isa_class_find(text) != classes[i] || isa_test_age(person) != i) lost++;
        isa_object_release(person);
    }
    CHECK(lost == 0);
    // From the middle outwards, which is no order that a list would like.
    for (int i = 0; i < CLASSES / 2; i++) {
        must(isa_class_pair_dispose(classes[CLASSES / 2 + i]));
        must(isa_class_pair_dispose(classes[CLASSES / 2 - 1 - i]));
    }
    CHECK(isa_class_find("Great0") == NULL);
    must(isa_class_pair_dispose(base));
    free(classes);
}

static void count(const kvo_change *change, void *told)
{
    (void)change;
    ++*(int *)told;
}

static isa_id strings(const char *stem, int number)
{
    isa_id *texts = malloc((size_t)number * sizeof *texts), array;
    char text[32];
    for (int i = 0; i < number; i++) {
        name(text, stem, i);
        must(kvc_string_make(text, &texts[i]));
    }
    must(kvc_array_make(texts, (size_t)number, &array));
    for (int i = 0; i < number; i++) isa_object_release(texts[i]);
    free(texts);
    return array;
}

// One key that all others depend on, and one that depends on many of them.
static void check_dependences(void)
{
    kvo_token *tokens = malloc((KEYS + 1) * sizeof *tokens);
    int *told = calloc(KEYS + 1, sizeof *told), wrong = 0;
    char text[32];
    isa_class cls;
    must(isa_test_person_make("Graph", &cls));
    isa_id person = make_object(cls), age, all = strings("key", SOURCES);
    must(kvc_string_make("age", &age));
    isa_id source;
    must(kvc_array_make(&age, 1, &source));
    must(kvo_class_set_keys(cls, all, "sum"));
    for (int i = 0; i < KEYS; i++) {
        name(text, "key", i);
        must(kvo_class_set_keys(cls, source, text));
        must(kvo_observe(person, text, 0, &(kvo_function){count, &told[i], NULL}, NULL,
                         &tokens[i]));
    }
    must(kvo_observe(person, "sum", 0, &(kvo_function){count, &told[KEYS], NULL}, NULL,
                     &tokens[KEYS]));
    isa_test_set_age(person, 1);
    for (int i = 0; i <= KEYS; i++) wrong += told[i] != 1;
    CHECK(wrong == 0);
    for (int i = 0; i <= KEYS; i++) kvo_token_release(tokens[i]);
    isa_id objects[] = {person, age, source, all};
    for (int i = 0; i < 4; i++) isa_object_release(objects[i]);
    must(isa_class_pair_dispose(cls));
    free(told);
    free(tokens);
}

// Selectors come last: each class's dispatch table has a word for each 32 of them.
void check_scale(void)
{
    check_classes_made();
    check_dependences();
    check_selectors();
}
