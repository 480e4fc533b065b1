// Living with others: code that swaps isas and methods as this library does, put before, between
// and behind it and taken off in any order, by random programs. After each step a set reaches each
// class on the way once, stores, and is told to each observer once.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "person.h"

enum { LAYERS = 6, OBSERVERS = 4, PROGRAMS = 200, STEPS = 60 };

typedef void (*set_integer)(isa_id self, isa_sel sel, int64_t value);

static struct world {
    isa_id person;
    isa_class base, twin; // alike; the person is of either
    isa_sel set_age, rename;
    isa_class layers[LAYERS]; // classes of others, each made below the person's true class
    isa_class before[LAYERS]; // that class
    int passed[LAYERS];
    kvo_token tokens[OBSERVERS];
    int told[OBSERVERS];
    bool is_wrong;        // what somebody was told
    int64_t old_age, age; // of the set under way
    isa_imp original;     // of the base, while its setter is another's; NULL: it is not
    int replaced;         // calls of that other
    uint64_t random;
    uint64_t made;        // class names
} world;

static uint32_t draw(uint32_t end)
{
    world.random = world.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(world.random >> 33) % end;
}

// ---- what others put in -------------------------------------------------------------------------

static void pass_on(int layer, isa_id self, isa_sel sel, int64_t age)
{
    world.passed[layer]++;
    ((set_integer)isa_lookup_super(world.layers[layer], sel))(self, sel, age);
}

#define LAYER(n) \
    static void set_in_##n(isa_id self, isa_sel sel, int64_t age) { pass_on(n, self, sel, age); }
LAYER(0)
LAYER(1)
LAYER(2)
LAYER(3)
LAYER(4)
LAYER(5)
static const set_integer layer_imps[LAYERS] = {set_in_0, set_in_1, set_in_2,
                                               set_in_3, set_in_4, set_in_5};

static void set_replaced(isa_id self, isa_sel sel, int64_t age)
{
    world.replaced++;
    ((set_integer)world.original)(self, sel, age);
}

static isa_class true_class(void)
{
    return isa_object_get_class(world.person);
}

// A class below the true one of the person, which goes there: a notifying class too.
static void put_layer(int layer)
{
    char name[32];
    isa_class below = true_class(), cls;
    if (world.layers[layer] != NULL) return;
    snprintf(name, sizeof name, "Other%" PRIu64, world.made++);
    must(isa_class_pair_allocate(below, name, &cls));
    must(isa_class_add_method(cls, world.set_age, (isa_imp)layer_imps[layer], "v@:q"));
    must(isa_class_pair_register(cls));
    world.layers[layer] = cls;
    world.before[layer] = below;
    CHECK(isa_object_set_class(world.person, cls, NULL) == ISA_OK);
}

// The others note the class before theirs and set it again, whatever stands there by then.
static void take_layer(int layer)
{
    if (world.layers[layer] == NULL) return;
    CHECK(isa_object_set_class(world.person, world.before[layer], NULL) == ISA_OK);
}

static void put_layer_again(int layer)
{
    if (world.layers[layer] == NULL) return;
    CHECK(isa_object_set_class(world.person, world.layers[layer], NULL) == ISA_OK);
}

static void become_twin(void)
{
    isa_class to = draw(2) == 0 ? world.base : world.twin;
    CHECK(isa_object_set_class(world.person, to, NULL) == ISA_OK);
}

static void replace_setter(void)
{
    isa_method method = isa_class_find_method(world.base, world.set_age);
    isa_imp to = world.original != NULL ? world.original : (isa_imp)set_replaced, old;
    if (world.original == NULL) world.original = isa_method_imp(method);
    CHECK(isa_method_set_imp(method, to, &old) == ISA_OK);
    if (old == (isa_imp)set_replaced) world.original = NULL;
}

// Through the true class, as others find a method: either it is refused, or it can be undone.
static void exchange_setter(void)
{
    isa_method first = isa_class_find_method(true_class(), world.set_age);
    isa_method second = isa_class_find_method(true_class(), world.rename);
    isa_status status = isa_method_exchange(first, second);
    CHECK(status == ISA_OK || status == ISA_ERR_INVALID_ARGUMENT);
    if (status == ISA_OK) CHECK(isa_method_exchange(first, second) == ISA_OK);
}

// ---- observers ----------------------------------------------------------------------------------

static void tell(const kvo_change *change, void *info)
{
    int *told = info;
    ++*told;
    if (*(const int64_t *)change->old_value.address != world.old_age) world.is_wrong = true;
    if (*(const int64_t *)change->new_value.address != world.age) world.is_wrong = true;
}

static void add(int observer)
{
    const kvo_function function = {tell, &world.told[observer], NULL};
    if (world.tokens[observer] != NULL) return;
    must(kvo_observe(world.person, "age", KVO_OPTION_OLD | KVO_OPTION_NEW, &function, NULL,
                     &world.tokens[observer]));
}

static void end(int observer)
{
    if (world.tokens[observer] == NULL) return;
    CHECK(kvo_token_invalidate(world.tokens[observer]));
    kvo_token_release(world.tokens[observer]);
    world.tokens[observer] = NULL;
}

// ---- programs -----------------------------------------------------------------------------------

static bool is_on_the_way(isa_class cls)
{
    for (isa_class at = true_class(); at != NULL; at = isa_class_superclass(at))
        if (at == cls) return true;
    return false;
}

static void check_set(void)
{
    memset(world.passed, 0, sizeof world.passed);
    memset(world.told, 0, sizeof world.told);
    world.replaced = 0;
    world.old_age = isa_test_age(world.person);
    world.age = world.old_age + 1;
    isa_test_set_age(world.person, world.age);
    CHECK(isa_test_age(world.person) == world.age);
    CHECK(!world.is_wrong);
    CHECK(world.replaced == (world.original != NULL && is_on_the_way(world.base)));
    for (int i = 0; i < LAYERS; i++)
        CHECK(world.passed[i] == (world.layers[i] != NULL && is_on_the_way(world.layers[i])));
    for (int i = 0; i < OBSERVERS; i++) CHECK(world.told[i] == (world.tokens[i] != NULL));
}

static void step(void)
{
    switch (draw(10)) {
    case 0:
    case 1: add((int)draw(OBSERVERS)); break;
    case 2:
    case 3: end((int)draw(OBSERVERS)); break;
    case 4: put_layer((int)draw(LAYERS)); break;
    case 5: take_layer((int)draw(LAYERS)); break;
    case 6: put_layer_again((int)draw(LAYERS)); break;
    case 7: become_twin(); break;
    case 8: replace_setter(); break;
    default: exchange_setter(); break;
    }
}

static void nothing(isa_id self, isa_sel sel, int64_t value)
{
    (void)self, (void)sel, (void)value;
}

static void begin(uint64_t seed)
{
    world = (struct world){.random = seed};
    must(isa_test_person_make("OtherPerson", &world.base));
    must(isa_class_pair_allocate(world.base, "OtherTwin", &world.twin));
    must(isa_class_pair_register(world.twin));
    world.set_age = isa_sel_register("setAge:");
    world.rename = isa_sel_register("renumber:");
    must(isa_class_add_method(world.base, world.rename, (isa_imp)nothing, "v@:q"));
    world.person = make_object(world.base);
}

// A class goes after those that are below it.
static void dispose_layers(void)
{
    for (int left = LAYERS; left > 0; left--)
        for (int i = 0; i < LAYERS; i++)
            if (world.layers[i] != NULL && isa_class_pair_dispose(world.layers[i]) == ISA_OK)
                world.layers[i] = NULL;
    for (int i = 0; i < LAYERS; i++) CHECK(world.layers[i] == NULL);
}

static void finish(void)
{
    for (int i = 0; i < OBSERVERS; i++) end(i);
    isa_object_release(world.person);
    dispose_layers();
    CHECK(isa_class_pair_dispose(world.twin) == ISA_OK);
    CHECK(isa_class_pair_dispose(world.base) == ISA_OK);
}

void check_others(void)
{
    for (uint64_t seed = 1; seed <= PROGRAMS && failure_count() == 0; seed++) {
        begin(seed);
        for (int i = 0; i < STEPS && failure_count() == 0; i++) {
            step();
            check_set();
        }
        if (failure_count() > 0) printf("others: in the program of seed %" PRIu64 "\n", seed);
        finish();
    }
}
