// The parts that the boxed classes share: their table, kinds, equality, order, description.
//
// Owns:  the table of classes and the selectors of their messages, from start to reset.
// Locks: none; every function here may run code of the objects' classes.
#include "box.h"

#include <stdio.h>

#include "../base/status.h"
#include "../base/thread.h"
#include "../model/class.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "collection.h"

isa_class isa__box_classes[ISA_BOX_CLASS_COUNT];

#define DEFINE_SELECTOR(identifier, name) isa_sel isa__sel_##identifier;
ISA_BOX_SELECTORS(DEFINE_SELECTOR)

enum { DEEPEST = 256 };

// ---- kinds --------------------------------------------------------------------------------------

static_assert(KVC_KIND_OTHER == 0 && KVC_KIND_DICTIONARY <= ISA_CLASS_KIND_MASK >> 8,
              "a class's flags hold the kind, 0 for none");

kvc_kind kvc_kind_of(isa_id object)
{
    if (object == NULL) return KVC_KIND_OTHER;
    return isa__class_kind(isa_object_get_class(object));
}

isa_class kvc_class_of_kind(kvc_kind kind, bool is_mutable)
{
    if (kind <= KVC_KIND_OTHER || kind > KVC_KIND_DICTIONARY) return NULL;
    bool changes = is_mutable && kind >= KVC_KIND_ARRAY;
    return isa__box_classes[kind + (changes ? ISA_BOX_MUTABLE_ARRAY - ISA_BOX_ARRAY : 0)];
}

bool kvc_is_mutable(isa_id object)
{
    kvc_kind kind = kvc_kind_of(object);
    return kind >= KVC_KIND_ARRAY && isa_object_is_kind_of(object, kvc_class_of_kind(kind, true));
}

const char *isa__box_class_name(isa_id object)
{
    return isa_class_name(isa_object_get_class(object)->original);
}

isa_status isa__box_unrecognized(isa_id object, isa_sel sel)
{
    return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                     "-[%s %s]: unrecognized selector sent to instance %p",
                     isa__box_class_name(object), isa_sel_name(sel), (void *)object);
}

isa_status isa__box_fail(isa_id object, isa_sel sel, isa_status status, const char *format, ...)
{
    char text[ISA_REASON_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return isa__fail(status, NULL, "*** -[%s %s]: %s", isa__box_class_name(object),
                     isa_sel_name(sel), text);
}

isa_id isa__box_copy(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa_object_retain(self);
}

// ---- equality and order -------------------------------------------------------------------------

enum entry { ENTERED, ENTERED_BEFORE, TOO_DEEP };

// Begins to compare two objects, or to describe one, unless that is already being done further out.
// `count` is for leaving.
static enum entry enter(isa_id first, isa_id second, uint32_t *count)
{
    struct isa__thread *thread = isa__thread_get();
    struct isa__pairs *compared = &thread->compared;
    if (isa__pairs_have(compared, first, second)) return ENTERED_BEFORE;
    if (!isa__may_nest(thread, compared->count, DEEPEST)) return TOO_DEEP;
    *count = isa__pairs_begin(compared, first, second);
    return ENTERED;
}

static void leave(uint32_t count)
{
    isa__thread_get()->compared.count = count;
}

// How a class answers a message that a property may have the name of; NULL if it does not.
static isa_method find_method(isa_id object, isa_sel sel)
{
    return isa_class_find_method(isa_object_get_class(object), sel);
}

bool kvc_is_equal(isa_id first, isa_id second)
{
    if (first == second) return true;
    if (first == NULL || second == NULL) return false;
    if (!isa_object_responds_to(first, isa__sel_is_equal)) return false;
    uint32_t count;
    enum entry entry = enter(first, second, &count);
    // Collections that contain themselves are equal if nothing else in them differs.
    if (entry != ENTERED) return entry == ENTERED_BEFORE;
    bool equal = ISA_SEND(isa__question_imp, first, isa__sel_is_equal, second);
    leave(count);
    return equal;
}

bool isa__box_is_same(isa_id first, isa_id second)
{
    if (first == second) return true;
    if (first == NULL || second == NULL) return false;
    return isa_object_responds_to(first, isa__sel_is_same_value) &&
           ISA_SEND(isa__question_imp, first, isa__sel_is_same_value, second);
}

static uint64_t identity_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    return (uintptr_t)self >> 4;
}

size_t kvc_hash(isa_id object)
{
    if (object == NULL) return 0;
    isa_class cls = isa_object_get_class(object);
    isa_imp imp = isa_class_find_imp(cls, isa__sel_hash);
    bool ours = imp == (isa_imp)identity_hash ||
                (imp != NULL && isa__class_flags(cls->original) & ISA_CLASS_LIBRARY);
    if (!ours && !isa__method_answers_integer(find_method(object, isa__sel_hash), sizeof(uint64_t)))
        return identity_hash(object, isa__sel_hash);
    return ((isa__count_imp)imp)(object, isa__sel_hash);
}

isa_status kvc_compare(isa_id first, isa_id second, int64_t *order)
{
    if (order == NULL) return isa__fail_null(__func__, "order");
    if (first == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "nothing to compare");
    isa_method method = find_method(first, isa__sel_compare);
    if (isa__method_has_types(method, "i@:@^q"))
        return ISA_SEND(isa__compare_imp, first, isa__sel_compare, second, order);
    if (!isa__method_has_types(method, "q@:@"))
        return isa__box_unrecognized(first, isa__sel_compare);
    typedef int64_t (*plain_imp)(isa_id, isa_sel, isa_id);
    *order = ISA_SEND(plain_imp, first, isa__sel_compare, second);
    return ISA_OK;
}

isa_status isa__box_check_comparable(isa_id self, isa_id other, const char *what)
{
    if (kvc_kind_of(other) == kvc_kind_of(self)) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "-[%s compare:]: a %s is compared with a %s, not with %s",
                     isa__box_class_name(self), what, what,
                     other == NULL ? "nil" : isa__box_class_name(other));
}

// ---- description --------------------------------------------------------------------------------

static isa_status describe_identity(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    struct isa__text text = {0};
    isa__text_format(&text, "<%s: %p>", isa__box_class_name(self), (void *)self);
    return isa__text_finish(&text, out);
}

// The answer of a property `description`; NULL unless it is a string.
static isa_id copy_described(isa_id object)
{
    isa_id answer = ISA_SEND(isa__copy_imp, object, isa__sel_description);
    return kvc_kind_of(answer) == KVC_KIND_STRING ? isa_object_retain(answer) : NULL;
}

isa_status kvc_copy_description(isa_id object, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (object == NULL) return kvc_string_make("(null)", out);
    uint32_t count;
    if (enter(object, NULL, &count) != ENTERED) return kvc_string_make("...", out);
    isa_method method = find_method(object, isa__sel_description);
    isa_status status = ISA_OK;
    isa_id described = NULL;
    if (isa__method_has_types(method, "i@:^@"))
        status = ISA_SEND(isa__answer_imp, object, isa__sel_description, &described);
    else if (isa__method_has_types(method, "@@:")) described = copy_described(object);
    if (status == ISA_OK && described == NULL)
        status = describe_identity(object, isa__sel_description, &described);
    leave(count);
    if (status == ISA_OK) *out = described;
    return status;
}

// ---- start --------------------------------------------------------------------------------------

static bool is_identical(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    return self == other;
}

// Whether the method is looked at before it is called: a property may have such a name.
static bool is_looked_at(isa_sel sel)
{
    return sel == isa__sel_hash || sel == isa__sel_description || sel == isa__sel_compare;
}

isa_status isa__box_add_methods(isa_class cls, const struct isa__box_method *methods, size_t count)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < count && status == ISA_OK; i++) {
        const struct isa__box_method *m = &methods[i];
        status = is_looked_at(*m->sel)
                     ? isa_class_add_method(cls, *m->sel, m->imp, m->types)
                     : isa__method_add_sent(cls, *m->sel, m->imp, m->types);
    }
    return status;
}

static isa_status make_class(const struct isa__library_class *described)
{
    isa_status status = ISA_OK;
    isa_class *cls = described->cls;
    const isa_class *above = described->superclass;
    uint32_t flags = ISA_CLASS_LIBRARY | (uint32_t)described->kind << ISA_CLASS_KIND_SHIFT;
    if (described->name != NULL) {
        status = isa__class_pair_make(above == NULL ? isa_root_class() : *above, described->name,
                                      flags, cls);
        if (status == ISA_OK) (*cls)->instance_size = described->size;
    }
    for (size_t i = 0; i < ISA_COUNT_OF(described->methods) && status == ISA_OK; i++)
        status = isa__box_add_methods(*cls, described->methods[i].list,
                                      described->methods[i].count);
    return status;
}

isa_status isa__library_classes_make(const struct isa__library_class *classes, size_t count)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < count && status == ISA_OK; i++) status = make_class(&classes[i]);
    return status;
}

static isa_status start_selectors(void)
{
#define REGISTER(identifier, name) \
    isa__sel_##identifier = isa_sel_register(name); \
    if (isa__sel_##identifier == NULL) return ISA_ERR_NO_MEMORY;
    ISA_BOX_SELECTORS(REGISTER)
    return ISA_OK;
}

// A superclass before its subclasses.
static const struct isa__library_classes {
    const struct isa__library_class *list;
    size_t count;
} all_classes[] = {
    ISA_LIST_OF(isa__value_classes), ISA_LIST_OF(isa__number_classes),
    ISA_LIST_OF(isa__string_classes), ISA_LIST_OF(isa__array_classes),
    ISA_LIST_OF(isa__set_classes), ISA_LIST_OF(isa__dictionary_classes),
};

static const struct isa__box_method of_all_objects[] = {
    {&isa__sel_is_equal, (isa_imp)is_identical, "B@:@"},
    {&isa__sel_is_same_value, (isa_imp)is_identical, "B@:@"},
    {&isa__sel_hash, (isa_imp)identity_hash, "Q@:"},
    {&isa__sel_description, (isa_imp)describe_identity, "i@:^@"},
};

isa_status isa__boxes_start(void)
{
    isa_status status = start_selectors();
    if (status == ISA_OK)
        status = isa__box_add_methods(isa_root_class(), of_all_objects,
                                      ISA_COUNT_OF(of_all_objects));
    for (size_t i = 0; i < ISA_COUNT_OF(all_classes) && status == ISA_OK; i++)
        status = isa__library_classes_make(all_classes[i].list, all_classes[i].count);
    if (status == ISA_OK) status = isa__numbers_add_readings(isa__box_classes[ISA_BOX_NUMBER]);
    if (status == ISA_OK) status = isa__numbers_add_readings(isa__box_classes[ISA_BOX_STRING]);
    isa__null_start();
    return status;
}
