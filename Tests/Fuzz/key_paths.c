// Key paths and operators, on objects, collections within collections, one that contains itself,
// dictionaries, strings and nil: read, set, validated, observed, and as the paths of proxies.
//
// Holds: reading changes nothing, and leaves nothing.

#define ISA_UNCHECKED // what fails shows in the answers
#include "fuzz.h"
#include "node.h"

static isa_id root, holder, words, numbers, nested, looped, table;

static void make_values(void)
{
    isa_id number[4], word[3], loop[1];
    for (int i = 0; i < 4; i++) HOLDS(kvc_number_make_integer(i * i - 2, &number[i]) == ISA_OK);
    for (size_t i = 0; i < 3; i++) word[i] = isa_test_word(i);
    HOLDS(kvc_array_make(number, 4, &numbers) == ISA_OK);
    HOLDS(kvc_ordered_set_make(word, 3, &words) == ISA_OK);
    HOLDS(kvc_array_make((isa_id[]){numbers, numbers, words}, 3, &nested) == ISA_OK);
    HOLDS(kvc_mutable_array_make(number, 2, &looped) == ISA_OK);
    loop[0] = looped;
    HOLDS(kvc_collection_add(looped, loop[0]) == ISA_OK);
    HOLDS(kvc_dictionary_make(word, number, 3, &table) == ISA_OK);
}

static void make_nodes(void)
{
    isa_class cls;
    isa_id child;
    HOLDS(isa_test_words_make() == ISA_OK && isa_test_node_make("Node", &cls) == ISA_OK);
    make_values();
    HOLDS(isa_object_allocate(cls, &root) == ISA_OK && isa_object_allocate(cls, &child) == ISA_OK);
    HOLDS(isa_object_allocate(cls, &holder) == ISA_OK);
    isa_test_node *node = (isa_test_node *)root;
    node->child = child;
    node->name = isa_object_retain(isa_test_word(0));
    node->items = isa_object_retain(nested);
    node->row = isa_object_retain(numbers);
    node->tags = isa_object_retain(table);
    node->rank = isa_object_retain(looped);
    ((isa_test_node *)child)->items = isa_object_retain(words);
    ((isa_test_node *)child)->row = isa_object_retain(nested);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    isa_set_misuse_handler(ignore_misuse, NULL);
    make_nodes();
    return 0;
}

static void told(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}

static void read_from(isa_id object, const char *path)
{
    isa_id value, text;
    if (kvc_copy_value_for_path(object, path, &value) != ISA_OK) return;
    if (kvc_copy_description(value, &text) == ISA_OK) isa_object_release(text);
    isa_object_release(value);
}

static void validate(isa_id object, const char *path)
{
    isa_id value = NULL, error = NULL;
    bool is_valid;
    kvc_validate_value_for_path(object, path, &value, &error, &is_valid);
    isa_object_release(error);
}

static void observe(isa_id object, const char *path)
{
    kvo_token token;
    const kvo_options all = KVO_OPTION_OLD | KVO_OPTION_NEW | KVO_OPTION_INITIAL;
    if (kvo_observe(object, path, all, &(kvo_function){told, NULL, NULL}, NULL, &token) != ISA_OK)
        return;
    HOLDS(kvo_token_invalidate(token));
    kvo_token_release(token);
}

static void make_proxies(isa_id object, const char *path)
{
    isa_id proxies[3] = {NULL, NULL, NULL};
    kvc_proxy_make_array_for_path(object, path, &proxies[0]);
    kvc_proxy_make_ordered_set_for_path(object, path, &proxies[1]);
    kvc_proxy_make_set_for_path(object, path, &proxies[2]);
    for (int i = 0; i < 3; i++) {
        kvc_collection_count(proxies[i]);
        isa_object_release(proxies[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const isa_id objects[] = {root, numbers, words, nested, table, looped, kvc_null()};
    char *path = copy_text(bytes, size);
    isa_live_counts before = isa_testing_live_counts();
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        read_from(objects[i], path);
        validate(objects[i], path);
        observe(objects[i], path);
        make_proxies(objects[i], path);
    }
    // Of an object without values: nothing that is set is kept.
    kvc_set_value_for_path(holder, path, NULL);
    has_left_nothing(before);
    free(path);
    return 0;
}
