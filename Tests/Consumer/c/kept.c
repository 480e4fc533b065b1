// Ends while it still holds what the library makes: classes and their dispatch tables, an object
// that is observed in every way, objects to whose observers and associated objects nothing else
// leads, proxies, collections, lists. A tool that looks for leaks at the end must find all of it
// reachable.
#include <kvo.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLASS_COUNT = 5, KEY_COUNT = 20, KEPT = 32 };

static isa_class classes[CLASS_COUNT];
static isa_id objects[CLASS_COUNT];
static kvo_token tokens[4];
static kvo_shared_observers shared;
static isa_weak weak;
static kvc_index_set indexes;
static isa_id kept[KEPT];
static size_t kept_count;
static isa_class *list;
static isa_method *methods;
static kvo_registration_info *registrations;

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "kept: %s\n", isa_last_error()->reason);
    exit(1);
}

static isa_id keep(isa_id object)
{
    return kept[kept_count++] = object;
}

static void told(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}

static void observe_value(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)self, (void)sel, (void)key_path, (void)object, (void)change, (void)context;
}

static void add(isa_class cls, const char *name, const char *types, isa_ownership ownership)
{
    must(isa_class_synthesize(
        cls, &(isa_property_info){.name = name, .types = types, .ownership = ownership}));
}

// Each class is a subclass of the one before, and has keys enough for dispatch tables to grow.
static void make_class(int index)
{
    char name[32];
    snprintf(name, sizeof name, "Kept%d", index);
    isa_class above = index == 0 ? isa_root_class() : classes[index - 1];
    must(isa_class_pair_allocate(above, name, &classes[index]));
    for (int i = 0; i < KEY_COUNT; i++) {
        snprintf(name, sizeof name, "key%dOf%d", i, index);
        add(classes[index], name, i % 2 == 0 ? "q" : "{Rectangle=dddd}", ISA_OWNERSHIP_NONE);
    }
    if (index == 0) {
        add(classes[0], "friend", "@", ISA_OWNERSHIP_RETAIN);
        add(classes[0], "boss", "@", ISA_OWNERSHIP_WEAK);
        add(classes[0], "items", "@", ISA_OWNERSHIP_COPY);
        must(isa_class_add_method(
            classes[0], isa_sel_register("observeValueForKeyPath:ofObject:change:context:"),
            (isa_imp)observe_value, "v@:*@^v^v"));
    }
    must(isa_class_pair_register(classes[index]));
    must(isa_object_allocate(classes[index], &objects[index]));
}

static void answer(void *result, void *const *arguments, void *context)
{
    (void)arguments;
    *(int64_t *)result = *(int64_t *)context;
}

// An IMP leads to what its callback is given, and nothing else does.
static void make_method(void)
{
    isa_imp imp;
    int64_t *context = malloc(sizeof *context);
    *context = 7;
    must(isa_imp_make("q@:", answer, context, free, &imp));
    must(isa_class_add_method(classes[0], isa_sel_register("answer"), imp, "q@:"));
}

static void make_collections(void)
{
    isa_id made, text, number;
    must(kvc_string_make("text", &text));
    must(kvc_number_make_integer(4, &number));
    isa_id pair[] = {keep(text), keep(number)};
    must(kvc_mutable_array_make(pair, 2, &made));
    must(kvc_set_value(objects[0], "items", keep(made)));
    must(kvc_dictionary_make(&text, &number, 1, &made));
    keep(made);
    must(kvc_mutable_set_make(pair, 2, &made));
    keep(made);
    must(kvc_mutable_ordered_set_make(pair, 2, &made));
    keep(made);
    must(kvc_index_set_make((const size_t[]){1, 5}, 2, &indexes));
    must(isa_object_set_associated(objects[1], &weak, text, ISA_ASSOCIATION_RETAIN));
    must(isa_weak_init(&weak, objects[1]));
}

static void observe(void)
{
    const kvo_function function = {told, NULL, NULL};
    const char *const paths[] = {"key0Of0", "key1Of0", "friend.boss.key0Of1", "items"};
    must(kvc_set_value(objects[0], "friend", objects[1]));
    must(kvc_set_value(objects[1], "boss", objects[2]));
    for (int i = 0; i < 4; i++)
        must(kvo_observe(objects[0], paths[i], 7, &function, NULL, &tokens[i]));
    must(kvo_add_observer(objects[0], objects[3], "key2Of0", KVO_OPTION_OLD, NULL));
    must(kvo_shared_observers_make(classes[0], &shared));
    must(kvo_shared_observers_add_function(shared, &function, "key4Of0", 3, NULL));
    must(kvo_set_shared_observers(objects[0], shared));
}

static void change(void)
{
    isa_id proxy;
    int64_t value = 3;
    must(kvc_proxy_make_array(objects[0], "items", &proxy));
    must(kvc_collection_add(keep(proxy), objects[4]));
    must(kvc_write(objects[0], "key0Of0", (kvc_value){"q", &value}));
    must(kvc_write(objects[2], "key0Of1", (kvc_value){"q", &value}));
    must(kvo_will_change(objects[0], "key0Of0"));
}

static isa_id make_kept(void)
{
    isa_id made;
    must(isa_object_allocate(classes[0], &made));
    return keep(made);
}

// Nothing but the object itself leads to what it has, a number of observers among it.
static void decorate(int observers)
{
    isa_id object = make_kept(), value;
    must(kvc_string_make("only the object has it", &value));
    for (int i = 0; i < observers; i++)
        must(kvo_add_observer(object, objects[3], i % 2 ? "friend" : "key0Of0", 3, NULL));
    must(isa_object_set_associated(object, &weak, value, ISA_ASSOCIATION_RETAIN));
    isa_object_release(value);
    must(kvo_will_change(object, "key0Of0"));
}

// The same of shared observers, a key path, and an object that only another one keeps.
static void relate(void)
{
    isa_id object = make_kept(), friend;
    must(isa_object_allocate(classes[0], &friend));
    must(kvc_set_value(object, "friend", friend));
    isa_object_release(friend);
    must(kvc_set_value(friend, "boss", object));
    must(kvo_set_shared_observers(friend, shared));
    must(kvo_add_observer(friend, objects[4], "key6Of0", KVO_OPTION_NEW, NULL));
    must(kvo_add_observer(object, objects[4], "friend.key2Of0", KVO_OPTION_NEW, NULL));
}

static void look(void)
{
    size_t count;
    must(isa_class_copy_list(&list, &count));
    must(isa_class_copy_methods(classes[0], &methods, &count));
    must(kvo_copy_registrations(objects[0], &registrations, &count));
}

int main(void)
{
    for (int i = 0; i < CLASS_COUNT; i++) make_class(i);
    make_method();
    make_collections();
    observe();
    change();
    for (int i = 0; i < 4; i++) decorate(i);
    relate();
    look();
    printf("kept by isakvo %s\n", isa_version());
}
