// Random programs on a few objects: setters, observers of keys, paths and dependent keys that come
// and go, also from within callbacks, changes by hand, classes that change, objects that die,
// methods that are replaced, and allocations that fail.
//
// Holds: nothing is told behind its end; a plain key's observer is told of each set once; in the
//        end nothing is left.

#define ISA_UNCHECKED // what fails shows in the answers
#include "fuzz.h"
#include "node.h"

enum { NODES = 4, OBSERVERS = 12, MOST = 256, DEEPEST = 6 };

struct observer {
    kvo_token token;
    struct program *program;
    int64_t told;
    unsigned act; // made when it is told
    bool is_over;
};

struct program {
    struct input input;
    isa_id nodes[NODES];
    struct observer observers[OBSERVERS];
    int depth;
};

static isa_class classes[2];
static isa_imp set_counts[2];

static const char *const paths[] = {
    "count", "name",       "child",      "child.count", "child.child.name", "total", "summary",
    "best",  "far",        "pair",       "near",        "outer",            "deep",  "goal",
    "mark",  "z",          "x",          "items",       "items.@count",     "tags",  "other.total",
    "leaf",  "row.@count", "child.deep", "unknown",
};
enum { PATHS = sizeof paths / sizeof *paths };

static const char *const integers[] = {"count", "m", "x", "y", "leaf"};
static const char *const links[] = {"child", "other"};

static void set_count(isa_id self, isa_sel sel, int64_t value)
{
    (void)sel;
    ((isa_test_node *)self)->count = value;
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    isa_set_misuse_handler(ignore_misuse, NULL);
    HOLDS(isa_test_words_make() == ISA_OK && isa_test_node_make("Node", &classes[0]) == ISA_OK);
    HOLDS(isa_class_pair_allocate(classes[0], "Heir", &classes[1]) == ISA_OK);
    HOLDS(isa_class_pair_register(classes[1]) == ISA_OK);
    set_counts[0] = isa_class_find_imp(classes[0], isa_sel_register("setCount:"));
    set_counts[1] = (isa_imp)set_count;
    return 0;
}

static void act(struct program *program, unsigned number);

static void told(const kvo_change *change, void *info)
{
    struct observer *observer = info;
    (void)change;
    HOLDS(!observer->is_over);
    observer->told++;
    if (observer->act == 0 || observer->program->depth >= DEEPEST) return;
    observer->program->depth++;
    act(observer->program, observer->act);
    observer->program->depth--;
}

// ---- acts ---------------------------------------------------------------------------------------

static isa_id *take_node(struct program *program)
{
    return &program->nodes[take(&program->input, NODES)];
}

static void end(struct observer *observer)
{
    kvo_token token = observer->token;
    observer->token = NULL;
    if (token == NULL) return;
    kvo_token_invalidate(token);
    observer->is_over = true;
    kvo_token_release(token);
}

static void observe(struct program *program)
{
    struct observer *observer = &program->observers[take(&program->input, OBSERVERS)];
    const char *path = paths[take(&program->input, PATHS)];
    kvo_options options = take(&program->input, 16);
    isa_id node = *take_node(program);
    if (node == NULL || observer->token != NULL || observer->is_over) return;
    observer->act = take(&program->input, 10);
    kvo_token token = NULL;
    kvo_observe(node, path, options, &(kvo_function){told, observer, NULL}, NULL, &token);
    observer->token = token;
}

// A link that makes a circle would keep the nodes alive: only a later one is linked to.
static void link(struct program *program)
{
    unsigned from = take(&program->input, NODES), to = take(&program->input, NODES);
    const char *key = links[take(&program->input, 2)];
    if (program->nodes[from] == NULL) return;
    kvc_set_value(program->nodes[from], key, to > from ? program->nodes[to] : NULL);
}

static void set_integer(struct program *program)
{
    const char *key = integers[take(&program->input, 5)];
    int64_t value = take(&program->input, 4);
    isa_id node = *take_node(program);
    if (node != NULL) kvc_set_typed(node, key, "q", &value, sizeof value);
}

static void set_word(struct program *program)
{
    isa_id word = isa_test_word(take(&program->input, ISA_TEST_WORD_COUNT));
    isa_id node = *take_node(program);
    if (node != NULL) kvc_set_value(node, "name", word);
}

static void edit(struct program *program)
{
    isa_id word = isa_test_word(take(&program->input, ISA_TEST_WORD_COUNT)), proxy;
    isa_id node = *take_node(program);
    if (node == NULL || kvc_proxy_make_array(node, "items", &proxy) != ISA_OK) return;
    size_t index = take(&program->input, 4);
    if (take(&program->input, 2) == 0) kvc_ordered_insert(proxy, word, index);
    else kvc_ordered_remove(proxy, index);
    isa_object_release(proxy);
}

static void change_by_hand(struct program *program)
{
    const char *key = integers[take(&program->input, 5)];
    isa_id node = *take_node(program);
    if (node == NULL || kvo_will_change(node, key) != ISA_OK) return;
    ((isa_test_node *)node)->m++;
    HOLDS(kvo_did_change(node, key) == ISA_OK);
}

static void renew(struct program *program)
{
    isa_id *node = take_node(program);
    if (program->depth > 0) return; // it may be the one that is changing
    isa_object_release(*node);
    if (isa_object_allocate(classes[take(&program->input, 2)], node) != ISA_OK) *node = NULL;
}

static void change_class(struct program *program)
{
    isa_id node = *take_node(program);
    isa_class cls = classes[take(&program->input, 2)];
    if (node != NULL) isa_object_set_class(node, cls, NULL);
}

static void replace_method(struct program *program)
{
    isa_class_replace_method(classes[0], isa_sel_register("setCount:"),
                             set_counts[take(&program->input, 2)], "v@:q", NULL);
}

static void act(struct program *program, unsigned number)
{
    switch (number) {
    case 0: observe(program); break;
    case 1: end(&program->observers[take(&program->input, OBSERVERS)]); break;
    case 2: link(program); break;
    case 3: set_integer(program); break;
    case 4: set_word(program); break;
    case 5: edit(program); break;
    case 6: change_by_hand(program); break;
    case 7: renew(program); break;
    case 8: change_class(program); break;
    case 9: replace_method(program); break;
    default: isa_testing_fail_allocation(take(&program->input, 32));
    }
}

// A plain key's observer of its own is told of a set once.
static void check_plain(isa_id node)
{
    struct observer observer = {0};
    if (node == NULL) return;
    HOLDS(kvo_observe(node, "leaf", 0, &(kvo_function){told, &observer, NULL}, NULL,
                      &observer.token) == ISA_OK);
    for (int64_t i = 0; i < 3; i++) HOLDS(kvc_set_typed(node, "leaf", "q", &i, 8) == ISA_OK);
    HOLDS(observer.told == 3);
    end(&observer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct program program = {.input = {bytes, bytes + size}};
    isa_live_counts before = isa_testing_live_counts();
    for (int i = 0; i < NODES; i++)
        HOLDS(isa_object_allocate(classes[0], &program.nodes[i]) == ISA_OK);
    for (int i = 0; i < OBSERVERS; i++) program.observers[i].program = &program;
    for (int i = 0; i < MOST && has_more(&program.input); i++)
        act(&program, take(&program.input, 11));
    isa_testing_fail_allocation(-1);
    program.input.next = program.input.end;
    for (int i = 0; i < OBSERVERS; i++) program.observers[i].act = 0;
    for (int i = 0; i < NODES; i++) check_plain(program.nodes[i]);
    for (int i = 0; i < OBSERVERS; i++) end(&program.observers[i]);
    for (int i = 0; i < NODES; i++) isa_object_release(program.nodes[i]);
    has_left_nothing(before);
    return 0;
}
