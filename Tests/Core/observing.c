// Observing: options, key paths, dependent keys, to-many changes, observer objects, removal, death.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "node.h"
#include "observer.h"
#include "person.h"

// The notifications that one observer was sent, as text: "q:1>2 " a set, "+{0 2} " an insertion.
struct log {
    char text[512];
};

static void append(struct log *log, const char *text)
{
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s", text);
}

static void append_value(struct log *log, kvc_value value)
{
    char text[64] = "-";
    isa_id object = value.address != NULL && value.types[0] == '@'
                        ? *(const isa_id *)value.address : NULL;
    if (value.address != NULL && value.types[0] == 'q')
        snprintf(text, sizeof text, "%lld", (long long)*(const int64_t *)value.address);
    else if (object != NULL) {
        isa_id description;
        must(kvc_copy_description(object, &description));
        snprintf(text, sizeof text, "%s", kvc_string_text(description));
        isa_object_release(description);
    } else if (value.address != NULL) {
        strcpy(text, "nil");
    }
    append(log, text);
}

static void append_indexes(struct log *log, const kvc_index_set *indexes)
{
    kvc_index_walk walk = {0};
    size_t index;
    char text[32];
    while (kvc_index_set_next(indexes, &walk, &index)) {
        snprintf(text, sizeof text, " %zu", index);
        append(log, text);
    }
}

static void told(const kvo_change *change, void *info)
{
    static const char *const kinds[] = {"", "", "+", "x", "="};
    struct log *log = info;
    append(log, log->text[0] == '\0' ? "" : ", ");
    append(log, change->is_initial ? "initial " : change->is_prior ? "prior " : "");
    append(log, kinds[change->kind]);
    append_value(log, change->old_value);
    append(log, ">");
    append_value(log, change->new_value);
    if (change->indexes != NULL) append_indexes(log, change->indexes);
}

static kvo_token observe(isa_id object, const char *path, kvo_options options, struct log *log)
{
    kvo_token token;
    must(kvo_observe(object, path, options, &(kvo_function){told, log, NULL}, NULL, &token));
    return token;
}

static void end(kvo_token token)
{
    CHECK(kvo_token_invalidate(token));
    CHECK(!kvo_token_invalidate(token));
    kvo_token_release(token);
}

// Compares what was logged, and begins anew.
static void is_logged(struct log *log, const char *expected, int line)
{
    bool holds = strcmp(log->text, expected) == 0;
    check(holds, __FILE__, line, expected);
    if (!holds) printf("  logged: %s\n", log->text);
    log->text[0] = '\0';
}
#define LOGGED(log, expected) is_logged(log, expected, __LINE__)

static void check_options(isa_class person)
{
    struct log plain = {""}, all = {""};
    isa_id object = make_object(person);
    kvo_token first = observe(object, "age", 0, &plain);
    kvo_token second = observe(object, "age", KVO_OPTION_OLD | KVO_OPTION_NEW | KVO_OPTION_PRIOR |
                                                  KVO_OPTION_INITIAL, &all);
    LOGGED(&all, "initial ->0");
    isa_test_set_age(object, 41);
    LOGGED(&plain, "->-");
    LOGGED(&all, "prior 0>-, 0>41");
    CHECK(kvc_set_typed(object, "age", "c", "\x2a", 1) == ISA_OK);
    LOGGED(&all, "prior 41>-, 41>42");
    CHECK(kvo_will_change(object, "age") == ISA_OK);
    isa_test_poke_age(object, 43);
    CHECK(kvo_did_change(object, "age") == ISA_OK);
    LOGGED(&all, "prior 42>-, 42>43");
    end(second);
    end(first);
    CHECK(isa_object_get_class(object) == person);
    isa_object_release(object);
}

static void check_paths(isa_class node)
{
    struct log log = {""};
    const kvo_options both = KVO_OPTION_OLD | KVO_OPTION_NEW;
    isa_id root = make_object(node), one = make_object(node), two = make_object(node);
    kvo_token token = observe(root, "child.child.count", both, &log);
    set_child(root, one);
    set_child(one, two);
    LOGGED(&log, "nil>nil, nil>0");
    CHECK(kvc_set_typed(two, "count", "q", &(int64_t){5}, 8) == ISA_OK);
    LOGGED(&log, "0>5");
    set_child(root, NULL);
    LOGGED(&log, "5>nil");
    CHECK(kvc_set_typed(two, "count", "q", &(int64_t){6}, 8) == ISA_OK);
    LOGGED(&log, "");
    end(token);
    isa_object_release(root);
    isa_object_release(one);
    isa_object_release(two);
}

static void check_dependent_keys(isa_class node)
{
    struct log log = {""}, far = {""};
    const kvo_options both = KVO_OPTION_OLD | KVO_OPTION_NEW;
    isa_id root = make_object(node), child = make_object(node);
    kvo_token total = observe(root, "total", both, &log);
    kvo_token summary = observe(root, "outer", both, &far);
    CHECK(kvc_set_typed(root, "count", "q", &(int64_t){3}, 8) == ISA_OK);
    LOGGED(&log, "0>300");
    set_child(root, child);
    far.text[0] = '\0';
    CHECK(kvc_set_value(child, "name", isa_test_word(2)) == ISA_OK);
    CHECK(far.text[0] != '\0');
    end(total);
    end(summary);
    isa_object_release(root);
    isa_object_release(child);
}

static void check_to_many(isa_class node)
{
    struct log log = {""};
    isa_id object = make_object(node), proxy;
    kvo_token token = observe(object, "items", KVO_OPTION_OLD | KVO_OPTION_NEW, &log);
    must(kvc_proxy_make_array(object, "items", &proxy));
    CHECK(kvc_ordered_insert(proxy, isa_test_word(0), 0) == ISA_OK);
    LOGGED(&log, "+->(a) 0");
    CHECK(kvc_ordered_insert(proxy, isa_test_word(1), 1) == ISA_OK);
    CHECK(kvc_ordered_replace(proxy, 0, isa_test_word(2)) == ISA_OK);
    LOGGED(&log, "+->(b) 1, =(a)>(c) 0");
    CHECK(kvc_ordered_remove(proxy, 1) == ISA_OK);
    LOGGED(&log, "x(b)>- 1");
    isa_object_release(proxy);
    end(token);
    token = observe(object, "tags", KVO_OPTION_OLD | KVO_OPTION_NEW, &log);
    must(kvc_proxy_make_set(object, "tags", &proxy));
    CHECK(kvc_collection_add(proxy, isa_test_word(3)) == ISA_OK);
    CHECK(kvc_collection_remove(proxy, isa_test_word(3)) == ISA_OK);
    LOGGED(&log, "+->{(d)}, x{(d)}>-");
    isa_object_release(proxy);
    end(token);
    isa_object_release(object);
}

static void check_observer_objects(isa_class person)
{
    isa_class cls;
    isa_test_tally tally = {0};
    must(isa_test_observer_make("Watcher", &cls));
    isa_id object = make_object(person), observer = make_object(cls);
    isa_test_observer_set(observer, &(kvo_function){isa_test_tally_change, &tally,
                                                    isa_test_tally_release});
    CHECK(kvo_add_observer(object, observer, "age", KVO_OPTION_NEW, &tally) == ISA_OK);
    CHECK(kvo_add_observer(object, observer, "height", 0, NULL) == ISA_OK);
    isa_test_set_age(object, 9);
    isa_test_set_height(object, 1.5);
    CHECK(tally.changes == 2 && tally.new_sum == 9);
    CHECK(kvo_remove_observer_context(object, observer, "age", NULL) == KVO_ERR_NOT_REGISTERED);
    CHECK(kvo_remove_observer_context(object, observer, "age", &tally) == ISA_OK);
    isa_object_release(observer);
    isa_test_set_height(object, 2.5);
    CHECK(tally.changes == 2 && tally.releases == 1);
    CHECK(isa_test_observer_mismatches() == 0);
    isa_object_release(object);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

// Observers of one key, more than a list that grows in place begins with; removed from within.
static void check_many(isa_class person)
{
    enum { COUNT = 40 };
    isa_test_handle handles[COUNT] = {{0}};
    isa_id object = make_object(person);
    for (int i = 0; i < COUNT; i++)
        must(kvo_observe(object, "age", 0,
                         &(kvo_function){isa_test_handle_change, &handles[i], NULL}, NULL,
                         &handles[i].token));
    isa_test_set_age(object, 1);
    isa_test_set_age(object, 2);
    for (int i = 0; i < COUNT; i++) {
        CHECK(handles[i].told == 1 && handles[i].ended == 1);
        kvo_token_release(handles[i].token);
    }
    isa_object_release(object);
}

// The object dies with a registration whose token outlives it.
static void check_death(isa_class person)
{
    isa_test_tally tally = {0};
    kvo_token token;
    isa_id object = make_object(person);
    must(kvo_observe(object, "age", 0,
                     &(kvo_function){isa_test_tally_change, &tally, isa_test_tally_release}, NULL,
                     &token));
    isa_object_release(object);
    CHECK(!kvo_token_is_valid(token) && !kvo_token_invalidate(token));
    kvo_token_release(token);
    CHECK(tally.changes == 0 && tally.releases == 1);
}

// ---- a list that changes while it is told -------------------------------------------------------

enum { MOST_LISTED = 12 };

// Observers of one key, of which the last ends itself and the one before, and adds another.
struct listed {
    isa_id person;
    int count;
    kvo_token tokens[MOST_LISTED + 1];
    int told[MOST_LISTED + 1];
};

static void listed_is_notified(const kvo_change *change, void *info)
{
    ++*(int *)info;
    (void)change;
}

static void last_is_notified(const kvo_change *change, void *info)
{
    struct listed *listed = info;
    const kvo_function newcomer = {listed_is_notified, &listed->told[listed->count], NULL};
    listed->told[listed->count - 1]++;
    CHECK(kvo_token_invalidate(listed->tokens[listed->count - 1]));
    CHECK(kvo_token_invalidate(listed->tokens[listed->count - 2]));
    must(kvo_observe(change->object, "age", KVO_OPTION_NEW, &newcomer, NULL,
                     &listed->tokens[listed->count]));
}

static void begin_listed(struct listed *listed)
{
    for (int i = 0; i < listed->count; i++) {
        bool is_last = i == listed->count - 1;
        const kvo_function function = {is_last ? last_is_notified : listed_is_notified,
                                       is_last ? (void *)listed : &listed->told[i], NULL};
        must(kvo_observe(listed->person, "age", KVO_OPTION_NEW, &function, NULL,
                         &listed->tokens[i]));
    }
}

// The places of those that have gone are not the newcomer's while the change goes on.
static void check_list_in_place(isa_class person_class, int count)
{
    struct listed listed = {.person = make_object(person_class), .count = count};
    begin_listed(&listed);
    for (int round = 1; round <= 2; round++) {
        isa_test_set_age(listed.person, round);
        for (int i = 0; i < count - 2; i++) CHECK(listed.told[i] == round);
        CHECK(listed.told[count - 2] == 0 && listed.told[count - 1] == 1);
        CHECK(listed.told[count] == round - 1);
    }
    for (int i = 0; i <= count; i++) kvo_token_release(listed.tokens[i]);
    CHECK(!kvo_is_observed(listed.person));
    isa_object_release(listed.person);
}

void check_observing(void)
{
    isa_class person, node;
    must(isa_test_person_make("Person", &person));
    must(isa_test_node_make("Node", &node));
    must(isa_test_words_make());
    check_options(person);
    check_paths(node);
    check_dependent_keys(node);
    check_to_many(node);
    check_observer_objects(person);
    check_many(person);
    check_list_in_place(person, 3);
    check_list_in_place(person, MOST_LISTED);
    check_death(person);
    isa_test_words_release();
    CHECK(isa_class_pair_dispose(node) == ISA_OK);
    CHECK(isa_class_pair_dispose(person) == ISA_OK);
}
