// The notifying class: a subclass made at run time, whose setters announce what they change.
#include "change.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "StudentKVO_";

struct wrapper {
    char *key;
    student_kind kind;
    size_t index_argument; // of a change of elements
    isa_imp original;
    const char *types;
};

static isa_class original_of(isa_class cls)
{
    bool is_ours = strncmp(isa_class_name(cls), prefix, strlen(prefix)) == 0;
    return is_ours ? isa_class_superclass(cls) : cls;
}

// will, the original, did.
static void announce(void *result, void *const *arguments, void *context)
{
    const struct wrapper *wrapper = context;
    struct change change = {
        .object = *(isa_id *)arguments[0], .key = wrapper->key, .kind = wrapper->kind};
    if (change.kind != STUDENT_SETTING)
        change.index = *(size_t *)arguments[wrapper->index_argument];
    change_begin(&change);
    isa_invoke(wrapper->original, wrapper->types, arguments, result);
    change_end(&change);
}

static void wrap(isa_class notifying, const char *selector, const char *key, student_kind kind,
                 size_t index_argument)
{
    isa_sel sel = isa_sel_register(selector);
    isa_method method = isa_class_find_method(notifying, sel);
    if (method == NULL || isa_method_class(method) == notifying) return;
    struct wrapper *wrapper = calloc(1, sizeof *wrapper);
    *wrapper = (struct wrapper){strdup(key), kind, index_argument, isa_method_imp(method),
                                isa_method_types(method)};
    isa_class_add_callback(notifying, sel, wrapper->types, announce, wrapper, NULL);
}

static void wrap_key(isa_class notifying, const char *key)
{
    char text[160], name[80];
    snprintf(name, sizeof name, "%s", key);
    name[0] = (char)toupper((unsigned char)name[0]);
    snprintf(text, sizeof text, "set%s:", name);
    wrap(notifying, text, key, STUDENT_SETTING, 0);
    snprintf(text, sizeof text, "insertObject:in%sAtIndex:", name);
    wrap(notifying, text, key, STUDENT_INSERTION, 3);
    snprintf(text, sizeof text, "removeObjectFrom%sAtIndex:", name);
    wrap(notifying, text, key, STUDENT_REMOVAL, 2);
    snprintf(text, sizeof text, "replaceObjectIn%sAtIndex:withObject:", name);
    wrap(notifying, text, key, STUDENT_REPLACEMENT, 2);
}

// The class that the object claims to have: the lie.
static isa_class answer_class(isa_id self, isa_sel sel)
{
    (void)sel;
    return original_of(isa_object_get_class(self));
}

static isa_class notifying_class(isa_class original)
{
    char name[200];
    snprintf(name, sizeof name, "%s%s", prefix, isa_class_name(original));
    isa_class cls = isa_class_find(name);
    if (cls != NULL) return cls;
    if (isa_class_pair_allocate(original, name, &cls) != ISA_OK) return original;
    isa_class_add_method(cls, isa_sel_register("class"), (isa_imp)answer_class, "#@:");
    isa_class_pair_register(cls);
    return cls;
}

void notifying_begin(isa_id object, const char *key)
{
    isa_class cls = notifying_class(original_of(isa_object_get_class(object)));
    wrap_key(cls, key);
    if (isa_object_get_class(object) != cls) isa_object_set_class(object, cls, NULL);
}

void notifying_end(isa_id object)
{
    isa_class original = original_of(isa_object_get_class(object));
    if (isa_object_get_class(object) != original) isa_object_set_class(object, original, NULL);
}
