// Get and set by key.
//
// Owns:      nothing.
// Locks:     none; most of this runs user code.
// Invariant: where a class overrides a message of the informal protocol, the message is sent.
#include "coding.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "../proxies/proxy.h"

struct isa__coding_hooks isa__coding_hooks;

// ---- the informal protocol ----------------------------------------------------------------------

isa_status isa__coding_check(isa_id object, const char *key, isa_sel sel)
{
    if (object == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no object");
    if (key == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no key");
    isa_class cls = isa_object_get_class(object);
    if (!isa_object_responds_to(object, sel))
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "%s does not descend from the root class: it has no %s",
                         isa_class_name(cls), isa_sel_name(sel));
    return isa__coding_admit(object, key);
}

// Pointers, C strings, selectors, unions and long double stay outside: their keys are undefined.
static bool is_codable(const struct isa__accessor *accessor)
{
    return accessor->letter == '{' || isa__scalar(accessor->letter)->is_boxed;
}

// Fails for a key that is there, as was found a moment ago, but of a type that stays outside. False
// for any other.
static bool refuse_outside(isa_id object, isa_sel sel, const char *key, enum isa__subject subject)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    if (key == NULL || !isa__answer_recall(isa_object_get_class(object), key, subject, &answer) ||
        accessor->kind == ISA_ACCESSOR_NONE || is_codable(accessor))
        return false;
    isa__fail_for(object, key, KVC_ERR_UNDEFINED_KEY, NULL,
                  "[<%s %p> %s]: this class is not key value coding-compliant for the key %.128s: "
                  "its type \"%.64s\" is none that key-value coding boxes",
                  isa__box_class_name(object), (void *)object, isa_sel_name(sel), key,
                  accessor->types);
    return true;
}

// ---- get ----------------------------------------------------------------------------------------

static isa_status open_value(struct isa__scratch *scratch, size_t size)
{
    if (isa__scratch_open(scratch, size) != NULL) return ISA_OK;
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a value of %zu bytes", size);
}

static isa_status copy_boxed(isa_id self, const struct isa__accessor *accessor, isa_id *out)
{
    struct isa__scratch buffer;
    isa_status status = open_value(&buffer, accessor->size);
    if (status != ISA_OK) return status;
    isa__accessor_note(accessor, self, false);
    status = isa__accessor_read(accessor, self, buffer.address);
    if (status == ISA_OK) {
        if (isa__accessor_is_object(accessor)) *out = *(isa_id *)buffer.address;
        else status = kvc_box((kvc_value){accessor->types, buffer.address}, out);
    }
    isa__scratch_close(&buffer);
    return status;
}

// Whether instances of `cls` answer a message of the library that hands an object out through its
// last argument, as `description` does: it stands for the key of its name.
static bool hands_out(isa_class cls, isa_sel sel)
{
    while (cls != NULL && !(isa__class_flags(cls) & ISA_CLASS_LIBRARY)) cls = cls->superclass;
    isa_method method = cls == NULL || sel == NULL ? NULL : isa_class_find_method(cls, sel);
    return method != NULL && strcmp(isa_method_types(method), "i@:^@") == 0;
}

static isa_status value_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel;
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    isa_class cls = isa_object_get_class(self);
    isa_status status = isa__answer_find(cls, key, ISA_FACT_GETTER, &answer);
    if (status != ISA_OK) return status;
    if (accessor->kind == ISA_ACCESSOR_NONE && hands_out(cls->original, isa_sel_find(key)))
        return ISA_SEND(isa__answer_imp, self, isa_sel_find(key), out);
    if (accessor->elements != KVC_KIND_OTHER)
        return isa__read_proxy_make(accessor->elements, self, key, out);
    if (accessor->kind == ISA_ACCESSOR_NONE || !is_codable(accessor))
        return ISA_SEND(kvc_get_imp, self, isa__sel_value_for_undefined_key, key, out);
    return copy_boxed(self, accessor, out);
}

static isa_status value_for_undefined_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)out;
    if (refuse_outside(self, sel, key, ISA_FACT_GETTER)) return KVC_ERR_UNDEFINED_KEY;
    return isa__fail_for(self, key, KVC_ERR_UNDEFINED_KEY, NULL,
                         "[<%s %p> valueForUndefinedKey:]: this class is not key value "
                         "coding-compliant for the key %.128s.",
                         isa__box_class_name(self), (void *)self, key);
}

bool isa__coding_is_direct(isa_class cls)
{
    return isa_class_find_imp(cls, isa__sel_value_for_key) == (isa_imp)value_for_key;
}

isa_status isa__coding_elements(isa_class cls, const char *key, kvc_kind *out)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    *out = KVC_KIND_OTHER;
    isa_status status = isa__answer_find(cls, key, ISA_FACT_GETTER, &answer);
    if (status == ISA_OK && answer.is_direct &&
        !(accessor->kind == ISA_ACCESSOR_NONE && hands_out(cls->original, isa_sel_find(key))))
        *out = accessor->elements;
    return status;
}

isa_status kvc_copy_value(isa_id object, const char *key, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_status status = isa__coding_check(object, key, isa__sel_value_for_key);
    if (status != ISA_OK) return status;
    *out = NULL; // an override that answers without writing means nil
    return ISA_SEND(kvc_get_imp, object, isa__sel_value_for_key, key, out);
}

static isa_status check_capacity(const char *key, size_t size, size_t capacity)
{
    if (size <= capacity) return ISA_OK;
    return isa__fail(KVC_ERR_TYPE, NULL, "the value for key %.128s takes %zu bytes, not %zu", key,
                     size, capacity);
}

// Reads through the messages, for a class that overrides them or has no accessor.
static isa_status read_boxed(isa_id object, const char *key, void *buffer, size_t capacity,
                             const char **types)
{
    isa_id boxed = NULL;
    isa_status status = kvc_copy_value(object, key, &boxed);
    if (status != ISA_OK) return status;
    kvc_value value = kvc_unbox(&boxed);
    size_t size = 0;
    status = isa_encoding_measure(value.types, &size, NULL, NULL);
    if (status == ISA_OK) status = check_capacity(key, size, capacity);
    const char *interned = isa__encoding_intern(value.types);
    if (status == ISA_OK && interned == NULL) status = ISA_ERR_NO_MEMORY;
    if (status == ISA_OK) {
        memcpy(buffer, value.address, size);
        *types = interned;
    }
    bool handed_on = status == ISA_OK && value.address == &boxed;
    if (!handed_on) isa_object_release(boxed);
    return status;
}

// How the object answers for the key, where that is not known or not all that there is to it.
ISA_OUTLINE isa_status find_getter(isa_id object, const char *key, struct isa__answer *out)
{
    isa_status status = isa__coding_check(object, key, isa__sel_value_for_key);
    if (status != ISA_OK) return status;
    return isa__answer_find(isa_object_get_class(object), key, ISA_FACT_GETTER, out);
}

isa_status kvc_read(isa_id object, const char *key, void *buffer, size_t capacity,
                    const char **types)
{
    if (buffer == NULL || types == NULL) return isa__fail_null(__func__, "buffer or types");
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    isa_status status = ISA_OK;
    if (!isa__answer_is_at_once(object, key, ISA_FACT_GETTER, &answer)) {
        status = find_getter(object, key, &answer);
        if (status != ISA_OK) return status;
        if (!answer.is_direct || accessor->kind == ISA_ACCESSOR_NONE)
            return read_boxed(object, key, buffer, capacity, types);
    }
    status = check_capacity(key, accessor->size, capacity);
    if (status != ISA_OK) return status;
    isa__accessor_note(accessor, object, false);
    status = isa__accessor_read(accessor, object, buffer);
    if (status == ISA_OK) *types = accessor->types;
    return status;
}

// ---- set ----------------------------------------------------------------------------------------

static isa_status cannot_convert(const char *key, const char *from, const char *to)
{
    return isa__fail(
        KVC_ERR_TYPE, NULL,
        "a value of type \"%.64s\" cannot be converted to \"%s\", the type of key %.128s", from, to,
        key);
}

// Stores the value, an object or nil, as the accessor's object, class, or number that a string
// begins with.
static isa_status convert_object(const struct isa__accessor *accessor, const char *key,
                                 isa_id value, void *to)
{
    if (kvc_kind_of(value) == KVC_KIND_STRING &&
        isa__string_convert(value, accessor->letter, to))
        return ISA_OK;
    bool is_class = value != NULL && isa_class_is_metaclass(isa_object_get_class(value));
    if (accessor->letter != '@' && !(accessor->letter == '#' && (value == NULL || is_class)))
        return cannot_convert(key, "@", accessor->types);
    *(isa_id *)to = value;
    return ISA_OK;
}

// Brings `value` to the accessor's type at `to`. `*made` is a box to release, if one had to be
// made.
static isa_status convert(const struct isa__accessor *accessor, const char *key, kvc_value value,
                          void *to, isa_id *made)
{
    if (value.types[0] == '@') return convert_object(accessor, key, *(isa_id *)value.address, to);
    if (isa__number_convert(value.types[0], value.address, accessor->letter, to)) return ISA_OK;
    if (isa__encoding_equal(value.types, accessor->types)) {
        memcpy(to, value.address, accessor->size);
        return ISA_OK;
    }
    if (accessor->letter != '@') return cannot_convert(key, value.types, accessor->types);
    isa_status status = kvc_box(value, made);
    *(isa_id *)to = *made;
    return status;
}

isa_status isa__coding_write(const struct isa__accessor *accessor, isa_id self, const char *key,
                             const void *bytes)
{
    bool announced = accessor->kind == ISA_ACCESSOR_IVAR &&
                     isa__coding_hooks.will_change != NULL &&
                     isa__coding_hooks.will_change(self, key);
    isa__accessor_note(accessor, self, true);
    isa_status status = isa__accessor_write(accessor, self, bytes);
    if (announced) isa__coding_hooks.did_change(self, key);
    return status;
}

static isa_status write_converted(const struct isa__accessor *accessor, isa_id self,
                                  const char *key, kvc_value value)
{
    struct isa__scratch buffer;
    isa_id made = NULL;
    isa_status status = open_value(&buffer, accessor->size);
    if (status != ISA_OK) return status;
    status = convert(accessor, key, value, buffer.address, &made);
    if (status == ISA_OK) status = isa__coding_write(accessor, self, key, buffer.address);
    isa_object_release(made);
    isa__scratch_close(&buffer);
    return status;
}

static isa_status set_undefined(isa_id self, const char *key, kvc_value value)
{
    isa_id boxed = NULL;
    isa_status status = kvc_box(value, &boxed);
    if (status == ISA_OK)
        status = ISA_SEND(kvc_set_imp, self, isa__sel_set_value_for_undefined_key, boxed, key);
    isa_object_release(boxed);
    return status;
}

// `box`, if there is one, is where the object stands that `value` is in: a key that is an object
// gets that very one.
static isa_status write_value(isa_id self, const char *key, kvc_value value, const isa_id *box)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    isa_status status = isa__answer_find(isa_object_get_class(self), key, ISA_FACT_SETTER, &answer);
    if (status != ISA_OK) return status;
    bool outside = box != NULL && accessor->kind != ISA_ACCESSOR_NONE && !is_codable(accessor);
    if (box != NULL && (accessor->kind == ISA_ACCESSOR_NONE || accessor->letter == '@' || outside))
        value = (kvc_value){.types = "@", .address = box};
    if (accessor->kind == ISA_ACCESSOR_NONE || outside) return set_undefined(self, key, value);
    bool is_nil = value.types[0] == '@' && *(const isa_id *)value.address == NULL;
    if (is_nil && !isa__letter_is_object(accessor->letter))
        return ISA_SEND(kvc_key_imp, self, isa__sel_set_nil_value_for_key, key);
    return write_converted(accessor, self, key, value);
}

static isa_status set_value_for_key(isa_id self, isa_sel sel, isa_id value, const char *key)
{
    (void)sel;
    return write_value(self, key, kvc_unbox(&value), &value);
}

static isa_status set_value_for_undefined_key(isa_id self, isa_sel sel, isa_id value,
                                              const char *key)
{
    (void)value;
    if (refuse_outside(self, sel, key, ISA_FACT_SETTER)) return KVC_ERR_UNDEFINED_KEY;
    return isa__fail_for(self, key, KVC_ERR_UNDEFINED_KEY, NULL,
                         "[<%s %p> setValue:forUndefinedKey:]: this class is not key value "
                         "coding-compliant for the key %.128s.",
                         isa__box_class_name(self), (void *)self, key);
}

static isa_status set_nil_value_for_key(isa_id self, isa_sel sel, const char *key)
{
    (void)sel;
    return isa__fail_for(self, key, KVC_ERR_NIL_VALUE, NULL,
                         "[<%s %p> setNilValueForKey:]: could not set nil as the value for the "
                         "key %.128s.", isa__box_class_name(self), (void *)self, key);
}

bool isa__coding_sets_directly(isa_class cls)
{
    return isa_class_find_imp(cls, isa__sel_set_value_for_key) == (isa_imp)set_value_for_key;
}

isa_status kvc_set_value(isa_id object, const char *key, isa_id value)
{
    isa_status status = isa__coding_check(object, key, isa__sel_set_value_for_key);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvc_set_imp, object, isa__sel_set_value_for_key, value, key);
}

// Writes a value of the accessor's type that may stand anywhere.
static isa_status write_unaligned(const struct isa__accessor *accessor, isa_id object,
                                  const void *address)
{
    _Alignas(16) char bytes[sizeof(long double)];
    memcpy(bytes, address, accessor->size);
    return isa__accessor_write(accessor, object, bytes);
}

// Sets a number whose setter is known and takes just that type; false if nothing was done.
ISA_INLINE bool write_number(isa_id object, const char *key, kvc_value value, isa_status *status)
{
    struct isa__answer answer;
    const struct isa__accessor *accessor = &answer.accessor;
    if (value.types == NULL || value.address == NULL || value.types[0] == '@' ||
        !isa__answer_is_at_once(object, key, ISA_FACT_SETTER, &answer) ||
        accessor->letter != value.types[0] || value.types[1] != 0)
        return false;
    isa__accessor_note(accessor, object, true);
    bool is_aligned = ((uintptr_t)value.address & (accessor->size - 1)) == 0;
    *status = is_aligned ? isa__accessor_write(accessor, object, value.address)
                         : write_unaligned(accessor, object, value.address);
    return true;
}

isa_status kvc_write(isa_id object, const char *key, kvc_value value)
{
    isa_status status;
    if (write_number(object, key, value, &status)) return status;
    status = isa__coding_check(object, key, isa__sel_set_value_for_key);
    if (status != ISA_OK) return status;
    if (value.types == NULL || value.address == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no value for key %.128s", key);
    struct isa__type type;
    status = isa__type_parse(value.types, &type);
    if (status != ISA_OK) return status;
    value.types = type.start; // behind qualifiers
    if (isa__coding_sets_directly(isa__class_in(object)))
        return write_value(object, key, value, NULL);
    isa_id boxed = NULL;
    status = kvc_box(value, &boxed);
    if (status == ISA_OK) status = kvc_set_value(object, key, boxed);
    isa_object_release(boxed);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

static bool access_ivars_directly(isa_id self, isa_sel sel)
{
    (void)self, (void)sel;
    return true;
}

static const struct isa__box_method of_objects[] = {
    {&isa__sel_value_for_key, (isa_imp)value_for_key, "i@:*^@"},
    {&isa__sel_value_for_undefined_key, (isa_imp)value_for_undefined_key, "i@:*^@"},
    {&isa__sel_set_value_for_key, (isa_imp)set_value_for_key, "i@:@*"},
    {&isa__sel_set_value_for_undefined_key, (isa_imp)set_value_for_undefined_key, "i@:@*"},
    {&isa__sel_set_nil_value_for_key, (isa_imp)set_nil_value_for_key, "i@:*"},
};
static const struct isa__box_method of_classes[] = {
    {&isa__sel_access_ivars, (isa_imp)access_ivars_directly, "B@:"},
};

isa_status isa__coding_start(void)
{
    isa_class root = isa_root_class();
    isa__facts_start();
    isa_status status = isa__box_add_methods(root, of_objects, ISA_COUNT_OF(of_objects));
    return status != ISA_OK ? status
                            : isa__box_add_methods(isa_class_metaclass(root), of_classes,
                                                   ISA_COUNT_OF(of_classes));
}
