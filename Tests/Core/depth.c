// Recursion without end, on threads with stacks of many sizes: it ends by a status before the
// stack does, and the next change goes on as if nothing had been.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "node.h"
#include "person.h"

enum { KEYS = 1024 }; // as many as the path of a registration may have

static struct {
    isa_id person, nested;
    kvo_token token;
    int told, misuses;
    isa_status last;
    char reason[256];
} world;

static void note_misuse(const isa_error *error, void *unused)
{
    (void)unused;
    world.misuses++;
    world.last = error->status;
    strncpy(world.reason, error->reason, sizeof world.reason - 1);
}

static void set_again(const kvo_change *change, void *unused)
{
    char local[512]; // as a callback has of its own
    memset(local, world.told & 0xFF, sizeof local);
    (void)unused;
    world.told += local[world.told % (int)sizeof local] == (char)(world.told & 0xFF);
    isa_test_set_age(world.person, *(const int64_t *)change->new_value.address + 1);
}

// Two changes, of which each is told until there is no room.
static void *set_without_end(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int before = world.told;
        world.misuses = 0;
        isa_test_set_age(world.person, 1);
        CHECK(world.misuses == 1 && world.last == KVO_ERR_TOO_DEEP);
        CHECK(world.told - before > 8 && world.told - before <= 500);
        CHECK(isa_test_age(world.person) == world.told - before + 1);
        CHECK(strstr(world.reason, "age of <Deep") != NULL);
    }
    return unused;
}

// An array within an array and so on, whose description goes down.
static isa_id make_nested(void)
{
    isa_id inner, outer;
    must(kvc_array_make(NULL, 0, &inner));
    for (int i = 0; i < 1000; i++) {
        must(kvc_array_make(&inner, 1, &outer));
        isa_object_release(inner);
        inner = outer;
    }
    return inner;
}

static void *describe(void *unused)
{
    isa_id text = NULL;
    CHECK(kvc_copy_description(world.nested, &text) == ISA_OK);
    isa_object_release(text);
    return unused;
}

static struct {
    isa_id nodes[KEYS + 2]; // each leads to the next
    char *path;
    kvo_token token;
    int told;
    isa_status status;
} chain;

static void count_notified(const kvo_change *change, void *unused)
{
    (void)change, (void)unused;
    chain.told++;
}

static void *observe_chain(void *unused)
{
    const kvo_function function = {count_notified, NULL, NULL};
    chain.status = kvo_observe(chain.nodes[0], chain.path, 0, &function, NULL, &chain.token);
    return unused;
}

static void *lead_elsewhere(void *unused)
{
    set_child(chain.nodes[0], chain.nodes[2]);
    return unused;
}

static void *lead_back(void *unused)
{
    set_child(chain.nodes[0], chain.nodes[1]);
    return unused;
}

static void make_chain(isa_class *cls)
{
    must(isa_test_node_make("Chained", cls));
    for (int i = 0; i < KEYS + 2; i++) chain.nodes[i] = make_object(*cls);
    for (int i = 1; i < KEYS + 2; i++) set_child(chain.nodes[i - 1], chain.nodes[i]);
    chain.path = make_path(KEYS);
}

static void end_chain(isa_class cls)
{
    for (int i = 0; i < KEYS + 2; i++) isa_object_release(chain.nodes[i]);
    must(isa_class_pair_dispose(cls));
    free(chain.path);
}

static void on_stack(size_t size, void *(*run)(void *unused))
{
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, size) == 0);
    CHECK(pthread_create(&thread, &attributes, run, NULL) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

// A long path is followed as far as the stack goes, or said not to be. Its end takes no more stack
// than a short one's.
static void check_chain_on(size_t size)
{
    on_stack(size, observe_chain);
    if (chain.status != ISA_OK) {
        CHECK(chain.status == KVO_ERR_TOO_DEEP && size < 8192 << 10);
        observe_chain(NULL);
    }
    CHECK(chain.status == ISA_OK);
    chain.told = world.misuses = 0;
    on_stack(size, lead_elsewhere);
    bool is_cut = world.misuses > 0;
    CHECK(chain.told == 1 && (!is_cut || world.last == KVO_ERR_TOO_DEEP));
    set_count(chain.nodes[KEYS], 1);
    CHECK(chain.told == 2 - is_cut);
    lead_back(NULL);
    set_count(chain.nodes[KEYS - 1], (int64_t)size);
    CHECK(chain.told == 4 - is_cut);
    kvo_token_release(chain.token);
}

void check_depth(void)
{
    static const size_t kibibytes[] = {128, 192, 256, 512, 1024, 8192};
    isa_class cls;
    must(isa_test_person_make("Deep", &cls));
    world.person = make_object(cls);
    must(kvo_observe(world.person, "age", KVO_OPTION_NEW, &(kvo_function){set_again, NULL, NULL},
                     NULL, &world.token));
    world.nested = make_nested();
    isa_set_misuse_handler(note_misuse, NULL);
    for (size_t i = 0; i < sizeof kibibytes / sizeof *kibibytes; i++) {
        on_stack(kibibytes[i] << 10, set_without_end);
        on_stack(kibibytes[i] << 10, describe);
    }
    set_without_end(NULL);
    isa_class linked;
    make_chain(&linked);
    for (size_t i = 0; i < sizeof kibibytes / sizeof *kibibytes; i++)
        check_chain_on(kibibytes[i] << 10);
    end_chain(linked);
    isa_set_misuse_handler(NULL, NULL);
    isa_object_release(world.nested);
    kvo_token_release(world.token);
    isa_object_release(world.person);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}
