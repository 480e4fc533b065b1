#include "stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "node.h"
#include "observer.h"
#include "person.h"

static void told(const kvo_change *change, void *info)
{
    (void)change;
    ++*(int64_t *)info;
}

static void twice(void *result, void *const *arguments, void *context)
{
    (void)context;
    *(int64_t *)result = 2 * *(const int64_t *)arguments[2];
}

// ---- classes ------------------------------------------------------------------------------------

static void make_foreign_classes(struct stage *s)
{
    must(isa_class_pair_allocate(isa_root_class(), "StageForeign", &s->foreign_class));
    must(isa_class_set_memory_hooks(s->foreign_class, isa_test_foreign_hooks()));
    must(isa_class_pair_register(s->foreign_class));
    must(isa_class_pair_allocate(s->foreign_class, "StageForeignOpen", &s->foreign_open));
    must(isa_class_pair_allocate(s->foreign_class, "StageLaidOut", &s->laid_out));
    must(isa_class_set_layout(s->laid_out, 64));
}

static void make_classes(struct stage *s)
{
    must(isa_test_person_make("StagePerson", &s->person_class));
    must(isa_class_pair_allocate(s->person_class, "StageHeir", &s->heir));
    must(isa_class_pair_register(s->heir));
    must(isa_test_node_make("StageNode", &s->node_class));
    must(isa_test_observer_make("StageObserver", &s->observer_class));
    must(isa_class_pair_allocate(isa_root_class(), "StageIdle", &s->idle));
    must(isa_class_add_ivar(s->idle, "_value", "q", ISA_OWNERSHIP_NONE));
    must(isa_class_pair_register(s->idle));
    must(isa_class_pair_allocate(isa_root_class(), "StageOpen", &s->open));
    make_foreign_classes(s);
}

static void end_class(isa_class cls)
{
    if (cls != NULL) must(isa_class_pair_dispose(cls));
}

static void end_classes(struct stage *s)
{
    isa_class classes[] = {s->made,         s->heir,         s->person_class,
                           s->node_class,   s->idle,         s->observer_class,
                           s->open,         s->foreign_open, s->laid_out,
                           s->foreign_class};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) end_class(classes[i]);
}

// ---- objects ------------------------------------------------------------------------------------

static void make_values(struct stage *s)
{
    isa_id other;
    must(kvc_number_make_integer(7, &s->number));
    must(kvc_number_make_double(2.5, &other));
    must(kvc_string_make("name", &s->text));
    const isa_id both[] = {s->number, other};
    must(kvc_array_make(both, 2, &s->array));
    must(kvc_mutable_array_make(both, 2, &s->list));
    must(kvc_mutable_ordered_set_make(both, 2, &s->ordered));
    must(kvc_mutable_set_make(both, 2, &s->set));
    isa_object_release(other);
    must(kvc_string_make("age", &other));
    must(kvc_mutable_dictionary_make(&other, &s->number, 1, &s->dictionary));
    must(kvc_array_make(&other, 1, &s->keys));
    isa_object_release(other);
    must(kvc_index_set_make_range(0, 1, &s->indexes));
}

static void make_objects(struct stage *s)
{
    s->plain = make_object(s->person_class);
    s->watched = make_object(s->person_class);
    s->sharing = make_object(s->person_class);
    s->node = make_object(s->node_class);
    s->child = make_object(s->node_class);
    s->observer = make_object(s->observer_class);
    ((isa_test_node *)s->node)->child = isa_object_retain(s->child);
    ((isa_test_node *)s->node)->items = isa_object_retain(s->array);
    must(kvc_array_make(&s->plain, 1, &s->people));
    s->foreign = isa_test_foreign_make(s->foreign_class);
    must(isa_weak_init(&s->weak, s->plain));
    must(isa_weak_init(&s->made_weak, NULL));
    must(isa_imp_make("q@:q", twice, NULL, NULL, &s->imp));
}

static void make_observers(struct stage *s)
{
    const kvo_function function = {told, &s->told, NULL};
    const kvo_options both = KVO_OPTION_OLD | KVO_OPTION_NEW;
    isa_test_observer_set(s->observer, &function);
    must(kvo_observe(s->watched, "age", both, &function, NULL, &s->token));
    must(kvo_add_observer(s->watched, s->observer, "height", both, NULL));
    must(kvo_observe(s->node, "child.count", both, &function, NULL, &s->paths[0]));
    must(kvo_observe(s->node, "total", both, &function, NULL, &s->paths[1]));
    must(kvo_shared_observers_make(s->person_class, &s->shared));
    must(kvo_shared_observers_add_function(s->shared, &function, "age", both, NULL));
    must(kvo_shared_observers_add(s->shared, s->observer, "height", both, NULL));
    must(kvo_set_shared_observers(s->sharing, s->shared));
}

void stage_begin(struct stage *s)
{
    static unsigned number;
    memset(s, 0, sizeof *s);
    snprintf(s->fresh, sizeof s->fresh, "fresh%u", ++number);
    make_classes(s);
    make_values(s);
    make_objects(s);
    make_observers(s);
}

static void end_observers(struct stage *s)
{
    kvo_token_release(s->token);
    kvo_token_release(s->made_token);
    for (int i = 0; i < 2; i++) kvo_token_release(s->paths[i]);
    kvo_shared_observers_release(s->shared);
    kvo_shared_observers_release(s->made_shared);
}

static void end_foreign(isa_test_foreign *foreign)
{
    if (foreign != NULL) isa_test_foreign_hooks()->release(isa_test_foreign_object(foreign));
}

static void end_others(struct stage *s)
{
    isa_free(s->memory);
    isa_weak_destroy(&s->weak);
    isa_weak_destroy(&s->made_weak);
    kvc_index_set_destroy(&s->indexes);
    kvc_index_set_destroy(&s->made_indexes);
    end_foreign(s->foreign);
    end_foreign(s->made_foreign);
    if (s->imp != NULL) must(isa_imp_dispose(s->imp));
    if (s->made_imp != NULL) must(isa_imp_dispose(s->made_imp));
}

void stage_end(struct stage *s)
{
    isa_id objects[] = {s->out,   s->plain,   s->watched, s->sharing,    s->node, s->child,
                        s->number, s->text,   s->array,   s->list,       s->ordered, s->set,
                        s->dictionary, s->keys, s->people, s->observer};
    end_observers(s);
    end_others(s);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) isa_object_release(objects[i]);
    end_classes(s);
}

isa_status stage_gone(isa_status status, void *place)
{
    if (status == ISA_OK) memset(place, 0, sizeof(void *));
    return status;
}

// ---- what introspection shows -------------------------------------------------------------------

static void say(char *out, const char *format, ...)
{
    size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + length, STAGE_TEXT - length, format, arguments);
    va_end(arguments);
}

static void describe_class(isa_class cls, char *out)
{
    isa_method *methods = NULL;
    isa_ivar *ivars = NULL;
    isa_property *properties = NULL;
    size_t counts[3] = {0};
    if (cls == NULL) return;
    must(isa_class_copy_methods(cls, &methods, &counts[0]));
    must(isa_class_copy_ivars(cls, &ivars, &counts[1]));
    must(isa_class_copy_properties(cls, &properties, &counts[2]));
    say(out, "%s %d %zu bytes, %zu %zu %zu", isa_class_name(cls), isa_class_is_registered(cls),
        isa_class_instance_size(cls), counts[0], counts[1], counts[2]);
    for (size_t i = 0; i < counts[0]; i++)
        say(out, " %s", isa_sel_name(isa_method_selector(methods[i])));
    say(out, "\n");
    isa_free(methods);
    isa_free(ivars);
    isa_free(properties);
}

static void describe_observers(isa_id object, char *out)
{
    kvo_registration_info *registrations = NULL;
    kvo_pending_info *pending = NULL;
    size_t count = 0, pending_count = 0;
    must(kvo_copy_registrations(object, &registrations, &count));
    must(kvo_copy_pending(object, &pending, &pending_count));
    for (size_t i = 0; i < count; i++)
        say(out, " %s:%x:%d%d%d", registrations[i].key_path, registrations[i].options,
            registrations[i].is_function, registrations[i].is_shared,
            registrations[i].is_forwarder);
    for (size_t i = 0; i < pending_count; i++) say(out, " pending %s", pending[i].key);
    isa_free(registrations);
    isa_free(pending);
}

static void describe_object(isa_id object, char *out)
{
    if (object == NULL) return;
    say(out, "%s %zu", isa_class_name(isa_object_get_class(object)),
        isa_object_retain_count(object));
    describe_observers(object, out);
    say(out, "\n");
}

static void describe_value(isa_id object, char *out)
{
    isa_id text;
    if (object == NULL) return;
    must(kvc_copy_description(object, &text));
    say(out, "%s %zu\n", kvc_string_text(text), isa_object_retain_count(object));
    isa_object_release(text);
}

static void describe_fields(const struct stage *s, char *out)
{
    const isa_id people[] = {s->plain, s->watched, s->sharing};
    for (int i = 0; i < 3; i++)
        if (people[i] != NULL)
            say(out, "%" PRId64 " %d\n", isa_test_age(people[i]), isa_test_name(people[i]) != NULL);
    if (s->node == NULL) return;
    const isa_test_node *node = (const isa_test_node *)s->node;
    say(out, "%" PRId64 " %d\n", node->count, node->child == s->child);
    describe_value(node->items, out);
    describe_value(node->tags, out);
    describe_value(node->bag, out);
}

void stage_describe(const struct stage *s, char *out)
{
    const isa_class classes[] = {s->open, s->idle, s->person_class, s->heir, s->node_class,
                                 s->foreign_open, s->laid_out, s->made};
    const isa_id objects[] = {s->plain, s->watched, s->sharing, s->node, s->child, s->observer};
    const isa_id values[] = {s->number, s->text, s->array, s->list, s->ordered, s->set,
                             s->dictionary, s->keys, s->out};
    *out = '\0';
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) describe_class(classes[i], out);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) describe_object(objects[i], out);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) describe_value(values[i], out);
    describe_fields(s, out);
    isa_id weak[] = {isa_weak_copy(&s->weak), isa_weak_copy(&s->made_weak)};
    for (int i = 0; i < 2; i++) {
        say(out, "weak %d\n", weak[i] != NULL);
        isa_object_release(weak[i]);
    }
    say(out, "made %d %d %d %d %d %zu\n", s->made_imp != NULL, s->memory != NULL,
        s->made_token != NULL, s->made_shared != NULL, s->made_foreign != NULL,
        s->made_indexes.count);
}

// ---- values in place ----------------------------------------------------------------------------

static void exchange(const kvo_form *form, void *place, void *value, bool keeps_old)
{
    (void)form, (void)keeps_old;
    int64_t old = *(int64_t *)place;
    *(int64_t *)place = *(int64_t *)value;
    *(int64_t *)value = old;
}

static isa_id copy_number(const kvo_form *form, const void *value)
{
    isa_id number = NULL;
    (void)form;
    return kvc_number_make_integer(*(const int64_t *)value, &number) == ISA_OK ? number : NULL;
}

const kvo_form *stage_form(const struct stage *s)
{
    static kvo_form form;
    form = (kvo_form){
        .setter = isa_class_find_imp(s->person_class, isa_sel_register("setName:")),
        .getter = isa_class_find_imp(s->person_class, isa_sel_register("name")),
        .callback = told,
        .types = "q",
        .set = exchange,
        .copy_object = copy_number,
    };
    return &form;
}

void stage_observe_form(struct stage *s)
{
    must(kvo_observe(s->plain, "name", KVO_OPTION_OLD | KVO_OPTION_NEW,
                     &(kvo_function){told, &s->told, NULL}, NULL, &s->made_token));
}

static void edit_made(void *context)
{
    ++*(int64_t *)context;
}

bool stage_edit(struct stage *s)
{
    static int64_t one = 1;
    kvo_edit edit = {.kind = KVO_CHANGE_INSERTION, .indexes = &s->indexes, .new_value = &one,
                     .make = edit_made, .context = &s->integer};
    return kvo_edit_in_place(s->plain, isa_sel_register("setName:"), stage_form(s), &edit);
}
