// The parts of the grader's scenes: classes, named objects and observers, values as text.
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THINGS = 64 };

struct thing {
    char name[32];
    isa_id object;
    isa_class cls; // what it was made as
    bool is_dead;
};

static struct thing things[MOST_THINGS];
static int thing_count;

static void must(isa_status status, const char *about)
{
    if (status != ISA_OK) stop(isa_last_error()->reason, about);
}

// ---- names ----------------------------------------------------------------------------------

static struct thing *find_thing(const char *name)
{
    for (int i = thing_count - 1; i >= 0; i--)
        if (strcmp(things[i].name, name) == 0) return &things[i];
    return NULL;
}

static isa_id find_object(const char *name)
{
    struct thing *thing = find_thing(name);
    return thing == NULL ? NULL : thing->object;
}

static isa_class class_made_as(isa_id object)
{
    for (int i = thing_count - 1; i >= 0; i--)
        if (things[i].object == object) return things[i].cls;
    return NULL;
}

// An address may have had several objects: the latest counts.
static struct thing *thing_at(isa_id object)
{
    for (int i = thing_count - 1; i >= 0; i--)
        if (things[i].object == object) return &things[i];
    return NULL;
}

static const char *name_of(isa_id object)
{
    struct thing *thing = thing_at(object);
    return thing == NULL ? "something unknown" : thing->name;
}

static bool is_dead(isa_id object)
{
    struct thing *thing = thing_at(object);
    return thing == NULL || thing->is_dead;
}

static void note_death(isa_id object)
{
    struct thing *thing = thing_at(object);
    if (thing == NULL || thing->is_dead) return;
    thing->is_dead = true;
    say("%s dies", thing->name);
}

static void note_thing(const char *name, isa_id object, isa_class cls)
{
    if (thing_count == MOST_THINGS) stop("too many objects", name);
    struct thing *thing = &things[thing_count++];
    snprintf(thing->name, sizeof thing->name, "%s", name);
    thing->object = object;
    thing->cls = cls;
    thing->is_dead = false;
}

// ---- values ---------------------------------------------------------------------------------

struct text {
    char *end;
    size_t room;
};

static void append(struct text *text, const char *piece)
{
    int length = snprintf(text->end, text->room, "%s", piece);
    size_t written = (size_t)length < text->room ? (size_t)length : text->room - 1;
    text->end += written;
    text->room -= written;
}

static void describe(isa_id value, struct text *text);

static bool describe_element(isa_id element, size_t index, void *context)
{
    struct text *text = context;
    if (index > 0) append(text, ", ");
    describe(element, text);
    return true;
}

static void describe(isa_id value, struct text *text)
{
    if (value == NULL || value == kvc_null()) {
        append(text, "nil");
    } else if (kvc_kind_of(value) == KVC_KIND_OTHER) {
        append(text, name_of(value));
    } else if (kvc_kind_of(value) == KVC_KIND_ARRAY) {
        append(text, "[");
        must(kvc_collection_enumerate(value, describe_element, text), "an array");
        append(text, "]");
    } else if (kvc_string_text(value) != NULL) {
        append(text, "\"");
        append(text, kvc_string_text(value));
        append(text, "\"");
    } else {
        isa_id description;
        must(kvc_copy_description(value, &description), "a value");
        append(text, kvc_string_text(description));
        isa_object_release(description);
    }
}

static void describe_value(isa_id value, char *out, size_t room)
{
    *out = '\0';
    describe(value, &(struct text){out, room});
}

// The object that a word of a scene stands for, with a reference for the caller.
static isa_id make_value(const char *word)
{
    isa_id value = NULL;
    if (strcmp(word, "nil") == 0) return NULL;
    if (word[0] == '"') {
        must(kvc_string_make_bytes(word + 1, strlen(word) - 2, &value), word);
    } else if (word[0] == '[') {
        isa_id elements[8];
        size_t count = 0;
        char copy[128], *rest = NULL;
        snprintf(copy, sizeof copy, "%s", word + 1);
        for (char *name = strtok_r(copy, ",]", &rest); name; name = strtok_r(NULL, ",]", &rest))
            elements[count++] = find_object(name);
        must(kvc_mutable_array_make(elements, count, &value), word);
    } else {
        value = isa_object_retain(find_object(word));
        if (value == NULL) stop("there is nothing of that name", word);
    }
    return value;
}

// Sends the key's setter through the isa, as its encoding says.
static void set_value(isa_id object, const char *key, const char *word)
{
    isa_property property = isa_class_find_property(class_made_as(object), key);
    if (property == NULL) stop("there is no such property", key);
    const isa_property_info *info = isa_property_get_info(property);
    isa_sel setter = isa_sel_register(info->setter);
    if (info->types[0] == 'q') {
        ISA_SEND(void (*)(isa_id, isa_sel, int64_t), object, setter, strtoll(word, NULL, 10));
    } else if (info->types[0] == 'B') {
        ISA_SEND(void (*)(isa_id, isa_sel, bool), object, setter, strcmp(word, "true") == 0);
    } else {
        isa_id value = make_value(word);
        ISA_SEND(void (*)(isa_id, isa_sel, isa_id), object, setter, value);
        isa_object_release(value);
    }
}

// ---- classes --------------------------------------------------------------------------------

static isa_class begin(const char *name, isa_class superclass)
{
    isa_class cls;
    must(isa_class_pair_allocate(superclass, name, &cls), name);
    return cls;
}

static void property(isa_class cls, const char *name, const char *types)
{
    isa_ownership ownership = types[0] == '@' ? ISA_OWNERSHIP_RETAIN : ISA_OWNERSHIP_NONE;
    isa_property_info info = {.name = name, .types = types, .ownership = ownership};
    must(isa_class_synthesize(cls, &info), name);
}

static void method(isa_class cls, const char *selector, isa_imp imp, const char *types)
{
    must(isa_class_add_method(cls, isa_sel_register(selector), imp, types), selector);
}

// The runtime's log has the message, which is all that is needed.
static void hear(isa_id self, isa_sel sel, const void *change)
{
    (void)self, (void)sel, (void)change;
}

static void do_nothing(isa_id self, isa_sel sel, isa_id value)
{
    (void)self, (void)sel, (void)value;
}

static int64_t read_number(isa_id self, const char *key)
{
    int64_t number = 0;
    must(kvc_read(self, key, &number, sizeof number, &(const char *){NULL}), key);
    return number;
}

static int64_t get_total(isa_id self, isa_sel sel)
{
    (void)sel;
    return read_number(self, "a") + read_number(self, "b");
}

// !!!name!!!, or nothing for no name. Lent: the strings live as long as the scene.
static isa_id get_derived(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id name, derived = NULL;
    must(kvc_copy_value(self, "name", &name), "name");
    if (name == NULL) return NULL;
    char text[128];
    snprintf(text, sizeof text, "!!!%s!!!", kvc_string_text(name));
    must(kvc_string_make(text, &derived), text);
    isa_object_release(name);
    return derived;
}

static int64_t get_length(isa_id self, isa_sel sel)
{
    isa_id derived = get_derived(self, sel);
    return derived == NULL ? 0 : (int64_t)kvc_string_length(derived);
}

static isa_id items_of(isa_id self)
{
    isa_ivar ivar = isa_class_find_ivar(isa_object_get_class(self), "_items");
    isa_id *place = isa_object_ivar_address(self, ivar);
    if (*place == NULL) must(kvc_mutable_array_make(NULL, 0, place), "items");
    return *place;
}

static void append_bare(isa_id shelf, isa_id element)
{
    isa_id items = items_of(shelf);
    must(kvc_ordered_insert(items, element, kvc_collection_count(items)), "append");
}

static void insert_item(isa_id self, isa_sel sel, isa_id element, size_t index)
{
    (void)sel;
    must(kvc_ordered_insert(items_of(self), element, index), "insert");
}

static void remove_item(isa_id self, isa_sel sel, size_t index)
{
    (void)sel;
    must(kvc_ordered_remove(items_of(self), index), "remove");
}

static void replace_item(isa_id self, isa_sel sel, size_t index, isa_id element)
{
    (void)sel;
    must(kvc_ordered_replace(items_of(self), index, element), "replace");
}

static void make_collections(isa_class item)
{
    isa_class shelf = begin("Shelf", item);
    property(shelf, "items", "@");
    method(shelf, "insertObject:inItemsAtIndex:", (isa_imp)insert_item, "v@:@Q");
    method(shelf, "removeObjectFromItemsAtIndex:", (isa_imp)remove_item, "v@:Q");
    method(shelf, "replaceObjectInItemsAtIndex:withObject:", (isa_imp)replace_item, "v@:Q@");
    must(isa_class_pair_register(shelf), "Shelf");
}

static void make_dependents(isa_class item)
{
    isa_class model = begin("Model", item);
    property(model, "a", "q");
    property(model, "b", "q");
    property(model, "c", "q");
    method(model, "total", (isa_imp)get_total, "q@:");
    method(model, "derived", (isa_imp)get_derived, "@@:");
    method(model, "derivedLength", (isa_imp)get_length, "q@:");
    must(isa_class_pair_register(model), "Model");
    isa_class sub = begin("SubModel", model);
    must(isa_class_pair_register(sub), "SubModel");
}

static void make_classes(isa_imp selfish)
{
    isa_class observer = begin("Observer", isa_root_class());
    method(observer, "hear:", (isa_imp)hear, "v@:^v");
    must(isa_class_pair_register(observer), "Observer");
    isa_class item = begin("Item", isa_root_class());
    property(item, "name", "@");
    property(item, "count", "q");
    property(item, "flag", "B");
    property(item, "child", "@");
    method(item, "hear:", (isa_imp)hear, "v@:^v");
    must(isa_class_pair_register(item), "Item");
    isa_class sub = begin("SubItem", item);
    must(isa_class_pair_register(sub), "SubItem");
    isa_class silent = begin("Silent", item);
    method(silent, "setName:", (isa_imp)do_nothing, "v@:@");
    must(isa_class_pair_register(silent), "Silent");
    isa_class own = begin("Selfish", item);
    method(own, "dealloc", selfish, "v@:");
    must(isa_class_pair_register(own), "Selfish");
    make_dependents(item);
    make_collections(item);
}
