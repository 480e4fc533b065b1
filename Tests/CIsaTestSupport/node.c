#define ISA_UNCHECKED // what fails shows in the answers

#include "node.h"

#include <stdio.h>
#include <string.h>

static isa_test_node *node_of(isa_id self)
{
    return (isa_test_node *)self;
}

// ---- words --------------------------------------------------------------------------------------

static isa_id words[ISA_TEST_WORD_COUNT], derived_words[ISA_TEST_WORD_COUNT];

isa_status isa_test_words_make(void)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < ISA_TEST_WORD_COUNT && status == ISA_OK; i++) {
        char text[] = {(char)('a' + i), '\0'}, derived[] = {'!', (char)('a' + i), '!', '\0'};
        status = kvc_string_make(text, &words[i]);
        if (status == ISA_OK) status = kvc_string_make(derived, &derived_words[i]);
    }
    if (status != ISA_OK) isa_test_words_release();
    return status;
}

void isa_test_words_release(void)
{
    for (size_t i = 0; i < ISA_TEST_WORD_COUNT; i++) {
        isa_object_release(words[i]);
        isa_object_release(derived_words[i]);
        words[i] = derived_words[i] = NULL;
    }
}

isa_id isa_test_word(size_t number)
{
    return words[number];
}

isa_id isa_test_derived_word(size_t number)
{
    return derived_words[number];
}

// The word's number and one; 0 for NULL.
static int64_t number_of(isa_id word)
{
    int64_t number = ISA_TEST_WORD_COUNT;
    if (word == NULL) return 0;
    while (words[number - 1] != word) number--;
    return number;
}

static int64_t name_number(isa_id node)
{
    return node == NULL ? 0 : number_of(node_of(node)->name);
}

// ---- plain accessors ----------------------------------------------------------------------------

static void store(isa_id *field, isa_id value)
{
    isa_id old = *field;
    *field = isa_object_retain(value);
    isa_object_release(old);
}

#define ISA_TEST_OBJECT_KEYS(ROW) \
    ROW(name, Name) ROW(child, Child) ROW(other, Other) ROW(items, Items) ROW(tags, Tags) \
    ROW(row, Row) ROW(rank, Rank)
#define ISA_TEST_INTEGER_KEYS(ROW) \
    ROW(count, Count) ROW(m, M) ROW(x, X) ROW(y, Y) ROW(leaf, Leaf)

#define ISA_TEST_OBJECT_ACCESSORS(key, Key)                    \
    static isa_id get_##key(isa_id self, isa_sel sel)          \
    {                                                          \
        (void)sel;                                             \
        return node_of(self)->key;                             \
    }                                                          \
    static void set_##key(isa_id self, isa_sel sel, isa_id to) \
    {                                                          \
        (void)sel;                                             \
        store(&node_of(self)->key, to);                        \
    }
#define ISA_TEST_INTEGER_ACCESSORS(key, Key)                    \
    static int64_t get_##key(isa_id self, isa_sel sel)          \
    {                                                           \
        (void)sel;                                              \
        return node_of(self)->key;                              \
    }                                                           \
    static void set_##key(isa_id self, isa_sel sel, int64_t to) \
    {                                                           \
        (void)sel;                                              \
        node_of(self)->key = to;                                \
    }
ISA_TEST_OBJECT_KEYS(ISA_TEST_OBJECT_ACCESSORS)
ISA_TEST_INTEGER_KEYS(ISA_TEST_INTEGER_ACCESSORS)

// ---- dependent keys -----------------------------------------------------------------------------

static isa_id get_derived(isa_id self, isa_sel sel)
{
    (void)sel;
    int64_t number = name_number(self);
    return number == 0 ? NULL : derived_words[number - 1];
}

static int64_t get_total(isa_id self, isa_sel sel)
{
    (void)sel;
    return 100 * node_of(self)->count + (int64_t)kvc_collection_count(node_of(self)->items);
}

static int64_t get_summary(isa_id self, isa_sel sel)
{
    (void)sel;
    return 10 * name_number(node_of(self)->child) + name_number(self);
}

static isa_id get_best(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_test_node *node = node_of(self);
    return node->child != NULL ? node->child : node->other;
}

static isa_id get_far(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id child = node_of(self)->child;
    return child == NULL ? NULL : node_of(child)->other;
}

static int64_t get_pair(isa_id self, isa_sel sel)
{
    (void)sel;
    return 10 * name_number(node_of(self)->child) + name_number(node_of(self)->other);
}

static isa_id get_near(isa_id self, isa_sel sel)
{
    isa_id best = get_best(self, sel);
    return best == NULL ? NULL : node_of(best)->name;
}

static int64_t get_outer(isa_id self, isa_sel sel)
{
    isa_id child = node_of(self)->child;
    return child == NULL ? 0 : 1 + get_summary(child, sel);
}

static isa_id get_deep(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id child = node_of(self)->child;
    isa_id grandchild = child == NULL ? NULL : node_of(child)->child;
    return grandchild == NULL ? NULL : node_of(grandchild)->name;
}

static isa_id get_goal(isa_id self, isa_sel sel)
{
    isa_id far = get_far(self, sel);
    return far == NULL ? NULL : node_of(far)->name;
}

static int64_t get_mark(isa_id self, isa_sel sel)
{
    (void)sel;
    return node_of(self)->m + 1;
}

static int64_t get_z(isa_id self, isa_sel sel)
{
    (void)sel;
    return 10 * node_of(self)->x + node_of(self)->leaf;
}

// ---- to-many accessors --------------------------------------------------------------------------

// Each puts a new collection into the field, so that one that somebody has read stays as it was.

// A copy of the field's collection that can change, or a new one.
static isa_id copy_field(isa_id field, kvc_kind kind)
{
    isa_id copy = NULL;
    isa_status status = field != NULL     ? kvc_collection_mutable_copy(field, &copy)
                        : kind == KVC_KIND_SET ? kvc_mutable_set_make(NULL, 0, &copy)
                                               : kvc_mutable_array_make(NULL, 0, &copy);
    return status == ISA_OK ? copy : NULL;
}

// Puts an immutable copy of `changed` into the field, and releases it.
static void put_field(isa_id *field, isa_id changed)
{
    isa_id copy = NULL;
    if (kvc_collection_copy(changed, &copy) == ISA_OK) store(field, copy);
    isa_object_release(copy);
    isa_object_release(changed);
}

static void insert_items(isa_id self, isa_sel sel, isa_id objects, const kvc_index_set *indexes)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_insert_many(changed, objects, indexes);
    put_field(&node_of(self)->items, changed);
}

static void remove_items(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_remove_many(changed, indexes);
    put_field(&node_of(self)->items, changed);
}

static void replace_items(isa_id self, isa_sel sel, const kvc_index_set *indexes, isa_id objects)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_replace_many(changed, indexes, objects);
    put_field(&node_of(self)->items, changed);
}

static void insert_item(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_insert(changed, object, index);
    put_field(&node_of(self)->items, changed);
}

static void remove_item(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_remove(changed, index);
    put_field(&node_of(self)->items, changed);
}

static void replace_item(isa_id self, isa_sel sel, uint64_t index, isa_id object)
{
    (void)sel;
    isa_id changed = copy_field(node_of(self)->items, KVC_KIND_ARRAY);
    kvc_ordered_replace(changed, index, object);
    put_field(&node_of(self)->items, changed);
}

static void change_tags(isa_id self, isa_id operand, isa_status (*change)(isa_id, isa_id))
{
    isa_id changed = copy_field(node_of(self)->tags, KVC_KIND_SET);
    change(changed, operand);
    put_field(&node_of(self)->tags, changed);
}

static void add_tag(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    change_tags(self, object, kvc_collection_add);
}

static void remove_tag(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    change_tags(self, object, kvc_collection_remove);
}

static void add_tags(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    change_tags(self, objects, kvc_set_unite);
}

static void remove_tags(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    change_tags(self, objects, kvc_set_subtract);
}

static void intersect_tags(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    change_tags(self, objects, kvc_set_intersect);
}

// ---- what affects what --------------------------------------------------------------------------

static const struct dependence {
    const char *key;    // as in keyPathsForValuesAffecting<Key>
    const char *paths[2];
} dependences[] = {
    {"Derived", {"name"}},
    {"Total", {"count", "items"}},
    {"Summary", {"child.name", "derived"}},
    {"Best", {"child", "other"}},
    {"Far", {"child.other"}},
    {"Pair", {"child.name", "other.name"}},
    {"Near", {"best.name"}},
    {"Outer", {"child.summary"}},
    {"Deep", {"child.child.name"}},
    {"Goal", {"far.name"}},
    {"Mark", {"m"}},
};
enum { DEPENDENCE_COUNT = sizeof dependences / sizeof *dependences };

static isa_status make_strings(const char *const texts[2], isa_id strings[2], size_t *count)
{
    isa_status status = ISA_OK;
    for (*count = 0; *count < 2 && texts[*count] != NULL && status == ISA_OK; ++*count)
        status = kvc_string_make(texts[*count], &strings[*count]);
    return status;
}

static isa_status make_strings_in(isa_status (*make)(const isa_id *, size_t, isa_id *),
                                  const char *const texts[2], isa_id *out)
{
    isa_id strings[2] = {NULL, NULL};
    size_t count;
    isa_status status = make_strings(texts, strings, &count);
    if (status == ISA_OK) status = make(strings, count, out);
    for (size_t i = 0; i < 2; i++) isa_object_release(strings[i]);
    return status;
}

static isa_status affecting(isa_id self, isa_sel sel, isa_id *out)
{
    (void)self;
    const char *key = isa_sel_name(sel) + strlen("keyPathsForValuesAffecting");
    size_t i = 0;
    while (strcmp(dependences[i].key, key) != 0) i++;
    return make_strings_in(kvc_set_make, dependences[i].paths, out);
}

static isa_status declare_dependences(isa_class cls)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < DEPENDENCE_COUNT && status == ISA_OK; i++) {
        char selector[64];
        snprintf(selector, sizeof selector, "keyPathsForValuesAffecting%s", dependences[i].key);
        status = isa_class_add_method(isa_class_metaclass(cls), isa_sel_register(selector),
                                      (isa_imp)affecting, "i@:^@");
    }
    return status;
}

static isa_status set_keys(isa_class cls, const char *first, const char *second, const char *key)
{
    isa_id keys = NULL;
    isa_status status = make_strings_in(kvc_array_make, (const char *[2]){first, second}, &keys);
    if (status == ISA_OK) status = kvo_class_set_keys(cls, keys, key);
    isa_object_release(keys);
    return status;
}

static isa_status declare_cycle(isa_class cls)
{
    isa_status status = set_keys(cls, "y", NULL, "x");
    if (status == ISA_OK) status = set_keys(cls, "x", NULL, "y");
    if (status == ISA_OK) status = set_keys(cls, "x", "leaf", "z");
    return status;
}

static bool not_announced(isa_id self, isa_sel sel)
{
    (void)self, (void)sel;
    return false;
}

// ---- the class ----------------------------------------------------------------------------------

#define ISA_TEST_OBJECT_ROWS(key, Key)  \
    {#key, (isa_imp)get_##key, "@@:"},  \
    {"set" #Key ":", (isa_imp)set_##key, "v@:@"},
#define ISA_TEST_INTEGER_ROWS(key, Key) \
    {#key, (isa_imp)get_##key, "q@:"},  \
    {"set" #Key ":", (isa_imp)set_##key, "v@:q"},

static const struct method {
    const char *selector;
    isa_imp imp;
    const char *types;
} methods[] = {
    ISA_TEST_OBJECT_KEYS(ISA_TEST_OBJECT_ROWS)
    ISA_TEST_INTEGER_KEYS(ISA_TEST_INTEGER_ROWS)
    {"derived", (isa_imp)get_derived, "@@:"},
    {"total", (isa_imp)get_total, "q@:"},
    {"summary", (isa_imp)get_summary, "q@:"},
    {"best", (isa_imp)get_best, "@@:"},
    {"far", (isa_imp)get_far, "@@:"},
    {"pair", (isa_imp)get_pair, "q@:"},
    {"near", (isa_imp)get_near, "@@:"},
    {"outer", (isa_imp)get_outer, "q@:"},
    {"deep", (isa_imp)get_deep, "@@:"},
    {"goal", (isa_imp)get_goal, "@@:"},
    {"mark", (isa_imp)get_mark, "q@:"},
    {"z", (isa_imp)get_z, "q@:"},
    {"insertObject:inItemsAtIndex:", (isa_imp)insert_item, "v@:@Q"},
    {"removeObjectFromItemsAtIndex:", (isa_imp)remove_item, "v@:Q"},
    {"replaceObjectInItemsAtIndex:withObject:", (isa_imp)replace_item, "v@:Q@"},
    {"insertItems:atIndexes:", (isa_imp)insert_items, "v@:@^v"},
    {"removeItemsAtIndexes:", (isa_imp)remove_items, "v@:^v"},
    {"replaceItemsAtIndexes:withItems:", (isa_imp)replace_items, "v@:^v@"},
    {"addTagsObject:", (isa_imp)add_tag, "v@:@"},
    {"removeTagsObject:", (isa_imp)remove_tag, "v@:@"},
    {"addTags:", (isa_imp)add_tags, "v@:@"},
    {"removeTags:", (isa_imp)remove_tags, "v@:@"},
    {"intersectTags:", (isa_imp)intersect_tags, "v@:@"},
};

static const struct ivar {
    const char *name, *types;
} ivars[] = {
    {"_name", "@"}, {"_count", "q"}, {"_child", "@"}, {"_other", "@"}, {"_items", "@"},
    {"_tags", "@"}, {"_row", "@"}, {"_bag", "@"}, {"_pouch", "@"}, {"_rank", "@"}, {"_m", "q"},
    {"_x", "q"}, {"_y", "q"}, {"_leaf", "q"},
};

static isa_status add_ivars(isa_class cls)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < sizeof ivars / sizeof *ivars && status == ISA_OK; i++)
        status = isa_class_add_ivar(cls, ivars[i].name, ivars[i].types,
                                    ivars[i].types[0] == '@' ? ISA_OWNERSHIP_RETAIN
                                                             : ISA_OWNERSHIP_NONE);
    return status;
}

static isa_status add_methods(isa_class cls)
{
    isa_status status = isa_class_add_method(isa_class_metaclass(cls),
                                             isa_sel_register("automaticallyNotifiesObserversOfM"),
                                             (isa_imp)not_announced, "B@:");
    for (size_t i = 0; i < sizeof methods / sizeof *methods && status == ISA_OK; i++)
        status = isa_class_add_method(cls, isa_sel_register(methods[i].selector), methods[i].imp,
                                      methods[i].types);
    return status;
}

isa_status isa_test_node_make(const char *name, isa_class *out)
{
    isa_status status = isa_class_pair_allocate(isa_root_class(), name, out);
    if (status != ISA_OK) return status;
    status = add_ivars(*out);
    if (status == ISA_OK) status = add_methods(*out);
    if (status == ISA_OK) status = declare_dependences(*out);
    if (status == ISA_OK) status = isa_class_pair_register(*out);
    if (status == ISA_OK) status = declare_cycle(*out);
    if (status != ISA_OK) isa_class_pair_dispose(*out);
    return status;
}
