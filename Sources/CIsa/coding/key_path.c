// Key paths: get and set by keys joined by dots.
//
// Owns:      nothing that outlives a call.
// Locks:     none; every step is a message, which may run code of the object's class.
// Invariant: a walk is a loop for as long as the objects on the way answer with the code in this
//            file; a class of its own mind is asked with all that is left.
#include "coding.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../base/thread.h"
#include "../model/dispatch.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../objects/box.h"

// ---- text ---------------------------------------------------------------------------------------

// A key path's text in memory of its own, which a walk cuts at the dots.
static isa_status open_text(struct isa__scratch *text, const char *path)
{
    size_t size = strlen(path) + 1;
    if (isa__scratch_open(text, size) == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a key path of %zu bytes", size);
    memcpy(text->address, path, size);
    return ISA_OK;
}

// Ends the text at its first dot and answers what stands behind; NULL if it has none.
static char *cut(char *text)
{
    char *dot = strchr(text, '.');
    if (dot == NULL) return NULL;
    *dot = 0;
    return dot + 1;
}

// ---- checks -------------------------------------------------------------------------------------

static isa_status check_receiver(isa_id object, isa_sel sel)
{
    if (object == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no object");
    if (isa_object_responds_to(object, sel)) return ISA_OK;
    return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                     "%s does not descend from the root class: it has no %s",
                     isa__box_class_name(object), isa_sel_name(sel));
}

static isa_status check_path(isa_id object, isa_sel sel, const char *path)
{
    if (path == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "[<%s %p> %s]: no key path",
                         isa__box_class_name(object), (void *)object, isa_sel_name(sel));
    if (isa__utf8_is_valid(path)) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "[<%s %p> %s]: the key path is not UTF-8",
                     isa__box_class_name(object), (void *)object, isa_sel_name(sel));
}

isa_status isa__key_path_check(isa_id object, isa_sel sel, const char *path)
{
    isa_status status = check_receiver(object, sel);
    return status != ISA_OK ? status : check_path(object, sel, path);
}

enum { DEEPEST = 256 };

isa_status isa__nesting_enter(isa_id object, const char *path, uint32_t *depth)
{
    struct isa__thread *thread = isa__thread_get();
    if (!isa__nest_enter(thread, &thread->coding, DEEPEST, depth))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "[<%s %p> valueForKeyPath:]: collections are nested more than %u deep on "
                         "the key path %.128s", isa__box_class_name(object), (void *)object,
                         *depth, path);
    return ISA_OK;
}

void isa__nesting_leave(uint32_t depth)
{
    isa__nest_leave(&isa__thread_get()->coding, depth);
}

isa_status isa__nested_copy_value(isa_id object, isa_sel sel, const char *path, isa_id *out)
{
    uint32_t depth;
    isa_status status = isa__nesting_enter(object, path, &depth);
    if (status != ISA_OK) return status;
    isa_id value = NULL;
    status = ISA_SEND(kvc_get_imp, object, sel, path, &value);
    isa__nesting_leave(depth);
    if (status == ISA_OK) *out = value;
    return status;
}

// ---- get ----------------------------------------------------------------------------------------

// The way that an object reads a key path.
enum walker {
    WALK_OBJECT,     // takes the first key
    WALK_COLLECTION, // computes, if it begins with `@`, else takes the first key
    WALK_DICTIONARY, // the same, but looks for the whole path as a key before it takes the first
    WALK_OWN,        // the code of its class decides
};

static isa_status object_value(isa_id self, isa_sel sel, const char *path, isa_id *out);
static isa_status collection_value(isa_id self, isa_sel sel, const char *path, isa_id *out);
static isa_status dictionary_value(isa_id self, isa_sel sel, const char *path, isa_id *out);

static enum walker walker_of(isa_imp imp)
{
    if (imp == (isa_imp)object_value) return WALK_OBJECT;
    if (imp == (isa_imp)collection_value) return WALK_COLLECTION;
    return imp == (isa_imp)dictionary_value ? WALK_DICTIONARY : WALK_OWN;
}

bool isa__key_path_is_direct(isa_class cls)
{
    return isa__dispatch_get(cls, isa__sel_value_for_key_path) == (isa_imp)object_value &&
           isa__coding_is_direct(cls);
}

// The rest of a walk.
struct walk {
    isa_id object;      // to be asked next
    isa_id value;       // once the walk has ended: the value found, retained
    char *path;         // what is left to ask for; NULL once the walk has ended
    const char *end;    // of the path: measuring what is left at each key would be quadratic
    enum walker walker; // of `object`
};

// Answers all that is left at once, if the object does.
static isa_status take_rest(struct walk *walk)
{
    isa_status status;
    if (walk->walker == WALK_OWN)
        status = isa__nested_copy_value(walk->object, isa__sel_value_for_key_path, walk->path,
                                        &walk->value);
    else if (walk->walker != WALK_OBJECT && walk->path[0] == '@')
        status = isa__operator_compute(walk->object, walk->path, &walk->value);
    else if (walk->walker == WALK_DICTIONARY) {
        size_t size = (size_t)(walk->end - walk->path);
        status = isa__dictionary_copy_for_path(walk->object, walk->path, size, &walk->value);
        if (status == ISA_OK && walk->value == NULL) return ISA_OK;
    } else return ISA_OK;
    walk->path = NULL;
    return status;
}

// Takes the first key: its value is the next object, or the walk's end.
static isa_status take_key(struct walk *walk)
{
    isa_id value;
    char *rest = cut(walk->path);
    isa_status status = kvc_copy_value(walk->object, walk->path, &value);
    if (status != ISA_OK) return status;
    walk->path = value == NULL ? NULL : rest;
    walk->value = value;
    if (walk->path == NULL) return ISA_OK;
    walk->walker =
        walker_of(isa_class_find_imp(isa_object_get_class(value), isa__sel_value_for_key_path));
    return check_receiver(value, isa__sel_value_for_key_path);
}

static isa_status walk_on(struct walk *walk)
{
    isa_id held = NULL; // the walk's object, unless it is the first
    isa_status status = ISA_OK;
    while (status == ISA_OK) {
        status = take_rest(walk);
        if (walk->path == NULL || status != ISA_OK) break;
        status = take_key(walk);
        isa_object_release(held);
        held = NULL;
        if (walk->path == NULL) break;
        walk->object = held = walk->value;
        walk->value = NULL;
    }
    isa_object_release(held);
    return status;
}

// Walks `path` to its end. `self` goes by `walker`, even if its class says otherwise: the class may
// have called this as its superclass's code.
static isa_status walk(isa_id self, enum walker walker, const char *path, isa_id *out)
{
    struct isa__scratch text;
    isa_status status = open_text(&text, path);
    if (status != ISA_OK) return status;
    struct walk walk = {.object = self, .path = text.address, .walker = walker};
    walk.end = walk.path + text.size - 1;
    status = walk_on(&walk);
    isa__scratch_close(&text);
    if (status == ISA_OK) *out = walk.value;
    return status;
}

static isa_status object_value(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    return path == NULL ? check_path(self, sel, path) : walk(self, WALK_OBJECT, path, out);
}

// No path is the empty one, which the members are asked for.
static isa_status collection_value(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    return walk(self, WALK_COLLECTION, path == NULL ? "" : path, out);
}

static isa_status dictionary_value(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    if (path != NULL) return walk(self, WALK_DICTIONARY, path, out);
    *out = NULL; // as no key has no value
    return ISA_OK;
}

isa_status kvc_copy_value_for_path(isa_id object, const char *key_path, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_sel sel = isa__sel_value_for_key_path;
    isa_status status = check_receiver(object, sel);
    // A collection knows what to make of no path.
    if (status == ISA_OK && (key_path != NULL || kvc_kind_of(object) < KVC_KIND_ARRAY))
        status = check_path(object, sel, key_path);
    if (status != ISA_OK) return status;
    isa_id value = NULL; // an override that answers without writing means nil
    status = ISA_SEND(kvc_get_imp, object, sel, key_path, &value);
    if (status == ISA_OK) *out = value;
    return status;
}

// ---- destination --------------------------------------------------------------------------------

static bool is_usual(isa_id object, isa_sel sel, isa_imp usual)
{
    return isa_class_find_imp(isa_object_get_class(object), sel) == usual;
}

isa_status isa__destination_find(isa_id object, isa_sel sel, isa_imp usual, const char *path,
                                 struct isa__destination *out)
{
    isa_status status = open_text(&out->text, path);
    if (status != ISA_OK) return status;
    char *key = out->text.address;
    out->object = isa_object_retain(object);
    out->overridden = false;
    for (char *rest; !out->overridden && out->object != NULL && (rest = cut(key)) != NULL;) {
        isa_id next = NULL;
        status = kvc_copy_value(out->object, key, &next);
        if (status == ISA_OK && next != NULL) status = check_receiver(next, sel);
        if (status != ISA_OK) isa_object_release(next);
        if (status != ISA_OK) break;
        isa_object_release(out->object);
        out->object = next;
        out->overridden = next != NULL && !is_usual(next, sel, usual);
        key = rest;
    }
    out->path = key;
    if (status != ISA_OK) isa__destination_end(out);
    return status;
}

void isa__destination_end(struct isa__destination *destination)
{
    isa_object_release(destination->object);
    isa__scratch_close(&destination->text);
}

// ---- set ----------------------------------------------------------------------------------------

static isa_status set_at(const struct isa__destination *destination, isa_id value)
{
    if (destination->object == NULL) return ISA_OK; // nil swallows it
    if (!destination->overridden)
        return kvc_set_value(destination->object, destination->path, value);
    uint32_t depth;
    isa_status status = isa__nesting_enter(destination->object, destination->path, &depth);
    if (status != ISA_OK) return status;
    status = ISA_SEND(kvc_set_imp, destination->object, isa__sel_set_value_for_key_path, value,
                      destination->path);
    isa__nesting_leave(depth);
    return status;
}

static isa_status set_value(isa_id self, isa_sel sel, isa_id value, const char *path)
{
    struct isa__destination destination;
    if (path == NULL) return check_path(self, sel, path);
    isa_status status = isa__destination_find(self, sel, (isa_imp)set_value, path, &destination);
    if (status != ISA_OK) return status;
    status = set_at(&destination, value);
    isa__destination_end(&destination);
    return status;
}

isa_status kvc_set_value_for_path(isa_id object, const char *key_path, isa_id value)
{
    isa_sel sel = isa__sel_set_value_for_key_path;
    isa_status status = isa__key_path_check(object, sel, key_path);
    return status != ISA_OK ? status : ISA_SEND(kvc_set_imp, object, sel, value, key_path);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__key_paths_start(void)
{
    const struct {
        isa_class cls;
        isa_imp imp;
    } getters[] = {
        {isa_root_class(), (isa_imp)object_value},
        {isa__box_classes[ISA_BOX_ARRAY], (isa_imp)collection_value},
        {isa__box_classes[ISA_BOX_ORDERED_SET], (isa_imp)collection_value},
        {isa__box_classes[ISA_BOX_SET], (isa_imp)collection_value},
        {isa__box_classes[ISA_BOX_DICTIONARY], (isa_imp)dictionary_value},
    };
    isa_status status = isa__method_add_sent(isa_root_class(), isa__sel_set_value_for_key_path,
                                             (isa_imp)set_value, "i@:@*");
    for (size_t i = 0; i < ISA_COUNT_OF(getters) && status == ISA_OK; i++)
        status = isa__method_add_sent(getters[i].cls, isa__sel_value_for_key_path, getters[i].imp,
                                      "i@:*^@");
    return status;
}
