// The runtime's own key-value observing behind the student's interface: what the scenes expect is
// what it does.
#include "student_kvo.h"

#include <ctype.h>
#include <isa.h>
#include <stdio.h>

static student_tell teller; // the driver has one that matters, and sets it before any thread

// The object or element in a value, with a reference for the caller.
static isa_id box(kvc_value value, bool is_element)
{
    isa_id boxed = NULL, element = NULL;
    if (value.address == NULL) return NULL;
    kvc_box(value, &boxed);
    if (!is_element) return boxed;
    kvc_ordered_copy_object(boxed, 0, &element);
    isa_object_release(boxed);
    return element;
}

static void observe_value(isa_id self, isa_sel sel, const char *key_path, isa_id object,
                          const kvo_change *from, void *context)
{
    (void)sel;
    bool is_element = from->kind != KVO_CHANGE_SETTING;
    student_change change = {
        .object = object, .key_path = key_path, .context = context, .is_prior = from->is_prior,
        .has_old = from->old_value.address != NULL, .has_new = from->new_value.address != NULL,
        .old_value = box(from->old_value, is_element),
        .new_value = box(from->new_value, is_element), .kind = (student_kind)from->kind,
        .index = from->indexes == NULL ? 0 : kvc_index_set_last(from->indexes),
    };
    teller(self, &change);
    isa_object_release(change.old_value);
    isa_object_release(change.new_value);
}

isa_status student_add(isa_id object, isa_id observer, const char *key_path, unsigned options,
                       void *context, student_tell tell)
{
    if (teller == NULL) teller = tell;
    isa_class_add_method(kvo_class_original(isa_object_get_class(observer)),
                         isa_sel_register("observeValueForKeyPath:ofObject:change:context:"),
                         (isa_imp)observe_value, "v@:*@^v^v");
    return kvo_add_observer(object, observer, key_path, options, context);
}

isa_status student_remove(isa_id object, isa_id observer, const char *key_path)
{
    return kvo_remove_observer(object, observer, key_path);
}

isa_status student_remove_context(isa_id object, isa_id observer, const char *key_path,
                                  void *context)
{
    return kvo_remove_observer_context(object, observer, key_path, context);
}

// The class method keyPathsForValuesAffecting<Key>; its context is the array of paths.
static void answer_affecting(void *result, void *const *arguments, void *context)
{
    isa_class cls = *(isa_class *)arguments[0];
    isa_sel sel = *(isa_sel *)arguments[1];
    isa_id *out = *(isa_id **)arguments[2], set;
    kvc_collection_make(KVC_KIND_SET, true, context, &set);
    isa_imp super = NULL;
    for (isa_class each = cls; each != NULL && super == NULL; each = isa_class_superclass(each))
        if (isa_object_copy_associated(isa_class_as_object(each), sel) == context)
            super = isa_lookup_super(isa_class_metaclass(each), sel);
    isa_id inherited = NULL;
    if (super != NULL) {
        ((isa_status(*)(isa_class, isa_sel, isa_id *))super)(cls, sel, &inherited);
        kvc_set_unite(set, inherited);
    }
    isa_object_release(inherited);
    *out = set;
    *(isa_status *)result = ISA_OK;
}

isa_status student_depends(isa_class cls, const char *key, const char *const *key_paths,
                           size_t count)
{
    char name[160];
    isa_id strings[32], paths;
    snprintf(name, sizeof name, "keyPathsForValuesAffecting%c%s", toupper(key[0]), key + 1);
    for (size_t i = 0; i < count; i++) kvc_string_make(key_paths[i], &strings[i]);
    kvc_array_make(strings, count, &paths);
    isa_sel sel = isa_sel_register(name);
    isa_object_set_associated(isa_class_as_object(cls), sel, paths, ISA_ASSOCIATION_RETAIN);
    isa_imp imp;
    isa_status status = isa_imp_make("i@:^@", answer_affecting, paths, NULL, &imp);
    if (status != ISA_OK) return status;
    return isa_class_replace_method(isa_class_metaclass(cls), sel, imp, "i@:^@", NULL);
}

static const kvc_index_set *at(size_t index, kvc_index_set *set)
{
    kvc_index_set_make_range(index, 1, set);
    return set;
}

void student_will_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    kvc_index_set set = {0};
    if (kind == STUDENT_SETTING) kvo_will_change(object, key);
    else kvo_will_change_indexes(object, (kvo_change_kind)kind, at(index, &set), key);
    kvc_index_set_destroy(&set);
}

void student_did_change(isa_id object, const char *key, student_kind kind, size_t index)
{
    kvc_index_set set = {0};
    if (kind == STUDENT_SETTING) kvo_did_change(object, key);
    else kvo_did_change_indexes(object, (kvo_change_kind)kind, at(index, &set), key);
    kvc_index_set_destroy(&set);
}
