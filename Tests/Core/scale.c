// Great numbers: of selectors, of classes, of keys that depend on one key, and that one depends on,
// of keys in a path, of bytes in a value.
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "node.h"
#include "person.h"

// A key can depend on no more than 4096 others, theirs among them. A path of LONGEST keys can be
// observed, a longer one be read.
enum { SELECTORS = 1000000, CLASSES = 100000, KEYS = 10000, SOURCES = 4000 };
enum { LONGEST = 1024, NODES = 1100, NUMBERS = 512 };

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

static int64_t read_path(isa_id node, const char *path)
{
    isa_id number = NULL;
    int64_t value = -1;
    must(kvc_copy_value_for_path(node, path, &number));
    must(kvc_number_read(number, 'q', &value));
    isa_object_release(number);
    return value;
}

// Each leads to the next; the last counts 36.
static void ignore_event(const isa_event *event, void *unused)
{
    (void)event, (void)unused;
}

static void check_paths(void)
{
    static isa_id nodes[NODES];
    char *all = make_path(NODES), *more = make_path(LONGEST + 1), *longest = make_path(LONGEST);
    kvo_registration_info *infos = NULL;
    kvo_token token = NULL;
    int told = 0;
    size_t registrations = 1;
    isa_class cls;
    must(isa_test_node_make("Link", &cls));
    for (int i = 0; i < NODES; i++) nodes[i] = make_object(cls);
    for (int i = 1; i < NODES; i++) set_child(nodes[i - 1], nodes[i]);
    set_count(nodes[NODES - 1], 36);
    CHECK(read_path(nodes[0], all) == 36);

    const kvo_function function = {count, &told, NULL};
    CHECK(kvo_observe(nodes[0], more, 0, &function, NULL, &token) == KVO_ERR_TOO_DEEP);
    CHECK(kvo_observe(nodes[0], all, 0, &function, NULL, &token) == KVO_ERR_TOO_DEEP);
    must(kvo_copy_registrations(nodes[0], &infos, &registrations));
    CHECK(token == NULL && registrations == 0);
    isa_free(infos);

    must(kvo_observe(nodes[0], longest, 0, &function, NULL, &token));
    set_count(nodes[LONGEST - 1], 1);
    CHECK(told == 1);
    // The first link now leads to the second but one, so that the end is one further.
    set_child(nodes[0], nodes[2]);
    CHECK(told == 2);
    set_count(nodes[LONGEST - 1], 2);
    CHECK(told == 2);
    set_count(nodes[LONGEST], 3);
    CHECK(told == 3 && read_path(nodes[0], longest) == 3);
    isa_event_listener listener;
    must(isa_event_add_listener(ISA_EVENT_KINDS_ALL, ignore_event, NULL, &listener));
    set_count(nodes[LONGEST], 4);
    isa_event_remove_listener(listener);
    CHECK(told == 4);
    kvo_token_release(token);
    set_count(nodes[LONGEST], 5);
    CHECK(told == 4);
    for (int i = 0; i < NODES; i++) isa_object_release(nodes[i]);
    must(isa_class_pair_dispose(cls));
    free(all);
    free(more);
    free(longest);
}

typedef struct big {
    int64_t numbers[NUMBERS];
} big;

struct holder {
    struct isa_header header;
    big value;
};

static void set_big(isa_id self, isa_sel sel, big value)
{
    (void)sel;
    ((struct holder *)self)->value = value;
}

static big get_big(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct holder *)self)->value;
}

static void compare(const kvo_change *change, void *told)
{
    big before = *(const big *)change->old_value.address;
    big after = *(const big *)change->new_value.address;
    for (int i = 0; i < NUMBERS; i++)
        if (before.numbers[i] != 0 || after.numbers[i] != i + 1) return;
    ++*(int *)told;
}

// A struct of 4 KiB goes by value through the wrapped setter, and both values are told.
static void check_big_values(void)
{
    isa_class cls;
    kvo_token token;
    big value;
    int told = 0;
    must(isa_class_pair_allocate(isa_root_class(), "Holder", &cls));
    must(isa_class_add_ivar(cls, "_value", "{big=[512q]}", ISA_OWNERSHIP_NONE));
    must(isa_class_add_method(cls, isa_sel_register("setValue:"), (isa_imp)set_big,
                              "v@:{big=[512q]}"));
    must(isa_class_add_method(cls, isa_sel_register("value"), (isa_imp)get_big,
                              "{big=[512q]}@:"));
    must(isa_class_pair_register(cls));
    isa_id holder = make_object(cls);
    must(kvo_observe(holder, "value", KVO_OPTION_OLD | KVO_OPTION_NEW,
                     &(kvo_function){compare, &told, NULL}, NULL, &token));
    for (int i = 0; i < NUMBERS; i++) value.numbers[i] = i + 1;
    ISA_SEND(void (*)(isa_id, isa_sel, big), holder, isa_sel_register("setValue:"), value);
    CHECK(told == 1);
    kvo_token_release(token);
    isa_object_release(holder);
    must(isa_class_pair_dispose(cls));
}

// Selectors come last: each class's dispatch table has a word for each 32 of them.
void check_scale(void)
{
    check_classes_made();
    check_dependences();
    check_paths();
    check_big_values();
    check_selectors();
}
