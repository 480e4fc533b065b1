// Edits of to-many keys through proxies, by accessors, by setters and where only an ivar stands,
// under observers that keep a copy of their own by what they are told.
//
// Holds: the copies are equal to the collections at the end; each edit is told once or not at all.

#define ISA_UNCHECKED // what fails shows in the answers
#include "fuzz.h"
#include "node.h"

enum { KEYS = 5, MOST = 64 };

// An ordered key's copy is its objects in order; of an unordered key the order means nothing.
static const struct key {
    const char *name;
    bool is_ordered;
} keys[KEYS] = {{"items", true}, {"row", true}, {"bag", true}, {"tags", false}, {"pouch", false}};

struct copy {
    const struct key *key;
    isa_id collection;
    kvo_token token;
};

static isa_class cls;

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    isa_set_misuse_handler(ignore_misuse, NULL);
    HOLDS(isa_test_words_make() == ISA_OK && isa_test_node_make("Node", &cls) == ISA_OK);
    return 0;
}

// ---- the copies ---------------------------------------------------------------------------------

static isa_id object_in(kvc_value value)
{
    return value.address == NULL ? NULL : *(const isa_id *)value.address;
}

static void copy_ordered(isa_id copy, const kvo_change *change, isa_id old, isa_id new)
{
    switch (change->kind) {
    case KVO_CHANGE_INSERTION:
        HOLDS(kvc_ordered_insert_many(copy, new, change->indexes) == ISA_OK);
        return;
    case KVO_CHANGE_REMOVAL:
        HOLDS(kvc_ordered_remove_many(copy, change->indexes) == ISA_OK);
        return;
    case KVO_CHANGE_REPLACEMENT:
        HOLDS(kvc_collection_count(old) == kvc_collection_count(new));
        HOLDS(kvc_ordered_replace_many(copy, change->indexes, new) == ISA_OK);
        return;
    case KVO_CHANGE_SETTING: break;
    }
    if (new == NULL) HOLDS(kvc_collection_remove_all(copy) == ISA_OK);
    else HOLDS(kvc_collection_set_objects(copy, new) == ISA_OK);
}

static void copy_unordered(isa_id copy, const kvo_change *change, isa_id old, isa_id new)
{
    if (change->kind == KVO_CHANGE_SETTING) {
        copy_ordered(copy, change, old, new);
        return;
    }
    if (old != NULL) HOLDS(kvc_set_subtract(copy, old) == ISA_OK);
    if (new != NULL) HOLDS(kvc_set_unite(copy, new) == ISA_OK);
}

static void told(const kvo_change *change, void *info)
{
    struct copy *copy = info;
    isa_id old = object_in(change->old_value), new = object_in(change->new_value);
    if (change->is_prior) return;
    if (copy->key->is_ordered) copy_ordered(copy->collection, change, old, new);
    else copy_unordered(copy->collection, change, old, new);
}

static void begin_copy(struct copy *copy, isa_id node, const struct key *key)
{
    const kvo_options all = KVO_OPTION_OLD | KVO_OPTION_NEW | KVO_OPTION_PRIOR;
    copy->key = key;
    HOLDS((key->is_ordered ? kvc_mutable_array_make : kvc_mutable_set_make)(
              NULL, 0, &copy->collection) == ISA_OK);
    HOLDS(kvo_observe(node, key->name, all, &(kvo_function){told, copy, NULL}, NULL,
                      &copy->token) == ISA_OK);
}

static void end_copy(struct copy *copy, isa_id node)
{
    isa_id value;
    HOLDS(kvc_copy_value(node, copy->key->name, &value) == ISA_OK);
    HOLDS(value == NULL ? kvc_collection_count(copy->collection) == 0
                        : kvc_is_equal(copy->collection, value));
    isa_object_release(value);
    kvo_token_release(copy->token);
    isa_object_release(copy->collection);
}

// ---- the edits ----------------------------------------------------------------------------------

static isa_id take_word(struct input *input)
{
    return isa_test_word(take(input, ISA_TEST_WORD_COUNT));
}

static isa_id take_words(struct input *input, unsigned count)
{
    isa_id words[4], array;
    for (unsigned i = 0; i < count; i++) words[i] = take_word(input);
    HOLDS(kvc_array_make(words, count, &array) == ISA_OK);
    return array;
}

static void edit_many(struct input *input, isa_id proxy, unsigned act)
{
    size_t at[4];
    kvc_index_set indexes;
    unsigned count = take(input, 5);
    for (unsigned i = 0; i < count; i++) at[i] = take(input, 12);
    HOLDS(kvc_index_set_make(at, count, &indexes) == ISA_OK);
    isa_id words = take_words(input, (unsigned)indexes.count);
    switch (act) {
    case 0: kvc_ordered_insert_many(proxy, words, &indexes); break;
    case 1: kvc_ordered_remove_many(proxy, &indexes); break;
    default: kvc_ordered_replace_many(proxy, &indexes, words);
    }
    isa_object_release(words);
    kvc_index_set_destroy(&indexes);
}

static void edit_ordered(struct input *input, isa_id proxy)
{
    size_t index = take(input, 12);
    switch (take(input, 6)) {
    case 0: kvc_ordered_insert(proxy, take_word(input), index); break;
    case 1: kvc_ordered_remove(proxy, index); break;
    case 2: kvc_ordered_replace(proxy, index, take_word(input)); break;
    case 3: edit_many(input, proxy, 0); break;
    case 4: edit_many(input, proxy, 1); break;
    default: edit_many(input, proxy, 2);
    }
}

static void edit_unordered(struct input *input, isa_id proxy)
{
    isa_id words = take_words(input, take(input, 4));
    switch (take(input, 3)) {
    case 0: kvc_set_unite(proxy, words); break;
    case 1: kvc_set_subtract(proxy, words); break;
    default: kvc_set_intersect(proxy, words);
    }
    isa_object_release(words);
}

static void edit_any(struct input *input, isa_id proxy)
{
    isa_id words = take_words(input, take(input, 4));
    switch (take(input, 4)) {
    case 0: kvc_collection_add(proxy, take_word(input)); break;
    case 1: kvc_collection_remove(proxy, take_word(input)); break;
    case 2: kvc_collection_remove_all(proxy); break;
    default: kvc_collection_set_objects(proxy, words);
    }
    isa_object_release(words);
}

static void set_whole(struct input *input, isa_id node, const struct key *key)
{
    isa_id words = take_words(input, take(input, 4)), value;
    kvc_kind kind = key->is_ordered ? KVC_KIND_ARRAY : KVC_KIND_SET;
    HOLDS(kvc_collection_make(kind, true, words, &value) == ISA_OK);
    kvc_set_value(node, key->name, take(input, 4) == 0 ? NULL : value);
    isa_object_release(value);
    isa_object_release(words);
}

static void edit(struct input *input, isa_id node)
{
    const struct key *key = &keys[take(input, KEYS)];
    isa_id proxy;
    HOLDS((key->is_ordered ? kvc_proxy_make_array : kvc_proxy_make_set)(node, key->name, &proxy) ==
          ISA_OK);
    unsigned way = take(input, 5);
    if (way == 0) set_whole(input, node, key);
    else if (way == 1) edit_any(input, proxy);
    else if (key->is_ordered) edit_ordered(input, proxy);
    else edit_unordered(input, proxy);
    isa_object_release(proxy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, bytes + size};
    struct copy copies[KEYS];
    isa_id node;
    isa_live_counts before = isa_testing_live_counts();
    HOLDS(isa_object_allocate(cls, &node) == ISA_OK);
    for (int i = 0; i < KEYS; i++) begin_copy(&copies[i], node, &keys[i]);
    for (int i = 0; i < MOST && has_more(&input); i++) edit(&input, node);
    for (int i = 0; i < KEYS; i++) end_copy(&copies[i], node);
    isa_object_release(node);
    has_left_nothing(before);
    return 0;
}
