// Every scalar, set in every way that a wrapped setter can go: for one observer or many, beside
// observers of another key, for nobody, within a callback of its own or of another object's, from
// another thread, while events are told, under a class that announces by itself, through a class
// below the notifying one, and by code that was fetched before the last observer went.
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "scalars.h"
#include "signatures.h"

enum { LARGEST = 32, MANY = 12, VALUES = 6 };

// The type, its class and object, and how often its observers were told what they should be.
struct setting {
    const isa_test_type *type;
    isa_class cls;
    isa_id object;
    kvo_token tokens[MANY];
    int count;              // of tokens
    int told;
    int seed, old_seed;     // of the value that the object has, and had
    int nested;             // set within the next callback: a seed
    isa_id other_object;    // set within the next callback
};

static isa_sel set_value;
static isa_id objects[VALUES];
static isa_class ways_class;

// A value of its own for each seed. Those of objects and classes are real ones.
static void fill(const isa_test_type *type, int seed, void *out)
{
    memset(out, 0, LARGEST);
    if (type->encoding[0] == '@') {
        memcpy(out, &objects[seed % VALUES], sizeof(isa_id));
    } else if (type->encoding[0] == '#') {
        isa_class classes[] = {isa_root_class(), ways_class};
        memcpy(out, &classes[seed % 2], sizeof(isa_class));
    } else {
        type->fill(out, (unsigned)seed);
    }
}

static bool is_value(const isa_test_type *type, int seed, const void *shown)
{
    _Alignas(16) char value[LARGEST];
    fill(type, seed, value);
    return type->equal(value, shown);
}

static void call(struct setting *s, isa_imp imp, isa_id object, int seed)
{
    _Alignas(16) char value[LARGEST];
    fill(s->type, seed, value);
    s->type->call_set(imp, object, set_value, value);
}

static void set(struct setting *s, int seed)
{
    s->old_seed = s->seed;
    s->seed = seed;
    call(s, isa_lookup(s->object, set_value), s->object, seed);
}

static void told(const kvo_change *change, void *info)
{
    struct setting *s = info;
    s->told++;
    CHECK(change->new_value.address != NULL && change->old_value.address != NULL);
    CHECK(is_value(s->type, s->seed, change->new_value.address));
    CHECK(is_value(s->type, s->old_seed, change->old_value.address));
    int nested = s->nested;
    s->nested = 0;
    if (nested != 0) set(s, nested);
}

static void notified_other(const kvo_change *change, void *info)
{
    struct setting *s = info;
    (void)change;
    set(s, s->seed + 1);
}

static void ignore(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}

static void observe(struct setting *s, const char *key, kvo_callback callback, int count)
{
    for (int i = 0; i < count; i++)
        must(kvo_observe(s->object, key, KVO_OPTION_OLD | KVO_OPTION_NEW,
                         &(kvo_function){callback, s, NULL}, NULL, &s->tokens[s->count++]));
}

static void end_all(struct setting *s)
{
    while (s->count > 0) kvo_token_release(s->tokens[--s->count]);
}

// ---- ways ---------------------------------------------------------------------------------------

static void check_count(struct setting *s, int observers)
{
    observe(s, "value", told, observers);
    for (int seed = 2; seed < 5; seed++) set(s, seed);
    CHECK(s->told == 3 * observers);
}

static void one(struct setting *s)
{
    check_count(s, 1);
}

static void several(struct setting *s)
{
    check_count(s, 3);
}

static void many(struct setting *s)
{
    check_count(s, MANY);
}

static void beside_another_key(struct setting *s)
{
    observe(s, "other", ignore, 1);
    check_count(s, 1);
}

static void for_nobody(struct setting *s)
{
    observe(s, "value", told, 1);
    observe(s, "other", ignore, 1);
    kvo_token_invalidate(s->tokens[0]);
    set(s, 2);
    CHECK(s->told == 0);
}

static void within_its_own(struct setting *s)
{
    observe(s, "value", told, 1);
    s->nested = 3;
    set(s, 2);
    CHECK(s->told == 2);
}

static void within_another(struct setting *s)
{
    kvo_token token;
    isa_id other = make_object(s->cls);
    observe(s, "value", told, 1);
    must(kvo_observe(other, "value", 0, &(kvo_function){notified_other, s, NULL}, NULL, &token));
    for (int i = 0; i < 2; i++) call(s, isa_lookup(other, set_value), other, 2);
    CHECK(s->told == 2);
    kvo_token_release(token);
    isa_object_release(other);
}

static void *set_apart(void *setting)
{
    set(setting, 2);
    set(setting, 3);
    return NULL;
}

static void from_another_thread(struct setting *s)
{
    pthread_t thread;
    observe(s, "value", told, 1);
    set(s, 4);
    CHECK(pthread_create(&thread, NULL, set_apart, s) == 0 && pthread_join(thread, NULL) == 0);
    set(s, 5);
    CHECK(s->told == 4);
}

static void see(const isa_event *event, void *context)
{
    if (event->kind == ISA_EVENT_ORIGINAL_CALLED) ++*(int *)context;
}

static void with_events(struct setting *s)
{
    int originals = 0;
    observe(s, "value", told, 1);
    isa_event_listener listener;
    must(isa_event_add_listener(ISA_EVENT_KINDS_ALL, see, &originals, &listener));
    set(s, 2);
    isa_event_remove_listener(listener);
    CHECK(s->told == 1 && originals == 1);
}

static isa_status announce(isa_id self, isa_sel sel, const char *key)
{
    isa_imp above = isa_lookup_super(kvo_class_original(isa_object_get_class(self)), sel);
    return ((isa_status(*)(isa_id, isa_sel, const char *))above)(self, sel, key);
}

static void by_its_own_announcements(struct setting *s)
{
    isa_sel will = isa_sel_register("willChangeValueForKey:");
    isa_sel did = isa_sel_register("didChangeValueForKey:");
    must(isa_class_add_method(s->cls, will, (isa_imp)announce, isa_class_sent_types(s->cls, will)));
    must(isa_class_add_method(s->cls, did, (isa_imp)announce, isa_class_sent_types(s->cls, did)));
    check_count(s, 1);
}

// Through a class that somebody else puts below the notifying one.
static void below(struct setting *s)
{
    isa_class heir, before;
    observe(s, "value", told, 1);
    must(isa_class_pair_allocate(isa_object_get_class(s->object), "WaysBelow", &heir));
    must(isa_class_pair_register(heir));
    must(isa_object_set_class(s->object, heir, &before));
    set(s, 2);
    CHECK(s->told == 1);
    must(isa_object_set_class(s->object, before, NULL));
    must(isa_class_pair_dispose(heir));
}

// The wrapper was fetched before the isa went back: the original runs, and nobody is told.
static void too_late(struct setting *s)
{
    observe(s, "value", told, 1);
    isa_imp wrapper = isa_lookup(s->object, set_value);
    end_all(s);
    CHECK(isa_object_get_class(s->object) == s->cls);
    call(s, wrapper, s->object, 5);
    CHECK(s->told == 0);
    const void *place = isa_object_ivar_address(s->object, isa_class_find_ivar(s->cls, "_value"));
    CHECK(is_value(s->type, 5, place));
}

// The setter's code is replaced under its observer.
static void replaced(struct setting *s)
{
    observe(s, "value", told, 1);
    set(s, 2);
    isa_method method = isa_class_find_method(s->cls, set_value);
    must(isa_method_set_imp(method, s->type->set, NULL));
    set(s, 3);
    CHECK(s->told == 2);
}

static void (*const ways[])(struct setting *s) = {
    one,         several,        many,           beside_another_key,  for_nobody,
    within_its_own, within_another, from_another_thread, with_events, by_its_own_announcements,
    below,       too_late,       replaced,
};

// ---- the matrix ---------------------------------------------------------------------------------

static isa_class make_class(const isa_test_type *type)
{
    char types[64] = "v@:";
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Ways", &cls));
    must(isa_class_add_ivar(cls, "_value", type->encoding, ISA_OWNERSHIP_NONE));
    must(isa_class_synthesize(cls, &(isa_property_info){.name = "other", .types = "i"}));
    must(isa_class_add_method(cls, set_value, type->set, strcat(types, type->encoding)));
    strcat(strcpy(types, type->encoding), "@:");
    must(isa_class_add_method(cls, isa_sel_register("value"), type->get, types));
    must(isa_class_pair_register(cls));
    return cls;
}

static bool is_in_place(isa_class cls)
{
    return isa_ivar_offset(isa_class_find_ivar(cls, "_value")) == sizeof(struct isa_header);
}

static void check_way(const isa_test_type *type, void (*way)(struct setting *s))
{
    struct setting s = {.type = type, .cls = make_class(type), .seed = 1};
    s.object = make_object(s.cls);
    if (is_in_place(s.cls)) {
        set(&s, 1);
        way(&s);
    }
    end_all(&s);
    isa_object_release(s.object);
    CHECK(isa_class_pair_dispose(s.cls) == ISA_OK);
}

// The type of a scalar's letter.
static const isa_test_type *find_type(const char *encoding)
{
    size_t count;
    const isa_test_type *types = isa_test_types(&count);
    for (size_t i = 0; i < count; i++)
        if (types[i].encoding[0] == encoding[0] && types[i].size <= LARGEST) return &types[i];
    return NULL;
}

void check_ways(void)
{
    static const kvo_wrapping wrappings[] = {KVO_WRAP_AUTOMATIC, KVO_WRAP_LIBFFI};
    size_t count;
    const isa_test_scalar *scalars = isa_test_scalars(&count);
    set_value = isa_sel_register("setValue:");
    must(isa_class_pair_allocate(isa_root_class(), "WaysValue", &ways_class));
    must(isa_class_pair_register(ways_class));
    for (int i = 0; i < VALUES; i++) objects[i] = make_object(ways_class);
    for (size_t i = 0; i < 2 * count; i++) {
        const isa_test_type *type = find_type(scalars[i / 2].encoding);
        CHECK(type != NULL);
        kvo_set_wrapping(wrappings[i % 2]);
        for (size_t w = 0; type != NULL && w < sizeof ways / sizeof *ways; w++)
            check_way(type, ways[w]);
    }
    kvo_set_wrapping(KVO_WRAP_AUTOMATIC);
    for (int i = 0; i < VALUES; i++) isa_object_release(objects[i]);
    CHECK(isa_class_pair_dispose(ways_class) == ISA_OK);
}
