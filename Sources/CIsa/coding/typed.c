// Typed values by key and by selector: brought to the other side's type where they stay the same.
//
// Owns:      nothing.
// Locks:     none; accessors are user code.
// Invariant: where a value is refused nothing has been written, neither there nor here.
#include "kvc_typed.h"

#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "../model/type.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "accessor.h"
#include "coding.h"

// The object's side: by a key, or by a selector.
struct side {
    isa_id object;
    const char *name; // the key, or the selector's name
    bool is_key;
    const struct isa__accessor *accessor;
};

// The caller's side: a value, or the place for one.
struct typed {
    const char *types; // behind qualifiers
    char letter;       // as an accessor's
};

// ---- refusals -----------------------------------------------------------------------------------

enum { NUMBER_TEXT_SIZE = 64, SCALAR_SIZE = sizeof(long double) };

static void write_number_text(char letter, const void *number, char *text)
{
    long double f;
    uint64_t bits;
    if (!isa__letter_is_integer(letter)) {
        isa__number_convert(letter, number, 'D', &f);
        snprintf(text, NUMBER_TEXT_SIZE, "%.17Lg", f);
        return;
    }
    bits = isa__integer_load(letter, number);
    bool is_signed = isa__scalar(letter)->kind == ISA_SCALAR_SIGNED;
    if (is_signed) snprintf(text, NUMBER_TEXT_SIZE, "%lld", (long long)bits);
    else snprintf(text, NUMBER_TEXT_SIZE, "%llu", (unsigned long long)bits);
}

static isa_status refuse(const struct side *side, kvc_value value, const char *types)
{
    char number[NUMBER_TEXT_SIZE] = "";
    if (isa__letter_is_number(value.types[0]))
        write_number_text(value.types[0], value.address, number);
    const char *hint = types[0] == '@' && side->accessor != NULL ? "; box it, as by kvc_box" : "";
    const char *key = side->is_key ? side->name : NULL;
    return isa__fail_for(side->object, key, KVC_ERR_TYPE, NULL,
                         "%.128s: %s%sa value of type \"%.64s\" does not fit type \"%.64s\"%s",
                         side->name, number, number[0] != 0 ? ", " : "", value.types, types, hint);
}

static isa_status refuse_nil(const struct side *side, const char *types)
{
    return isa__fail_for(side->object, side->is_key ? side->name : NULL, KVC_ERR_NIL_VALUE, NULL,
                         "%.128s: nil does not fit type \"%.64s\"", side->name, types);
}

// Reads the caller's encoding; `size` is that of the C type, which the encoding must describe.
static isa_status parse(const char *types, size_t size, struct typed *out)
{
    struct isa__type type;
    isa_status status = isa__type_parse(types, &type);
    if (status != ISA_OK) return status;
    *out = (struct typed){type.start, isa__letter_of(&type)};
    if (out->letter != 0 && type.size == size && *type.end == 0) return ISA_OK;
    return isa__fail(ISA_ERR_BAD_ENCODING, NULL,
                     "\"%.64s\" encodes no C type of %zu bytes that can be passed", types, size);
}

// Whether bytes of the two types are the same thing.
static bool are_alike(const struct typed *typed, const struct isa__accessor *accessor)
{
    return typed->letter == accessor->letter && isa__encoding_equal(typed->types, accessor->types);
}

static bool is_null_address(kvc_value value)
{
    return value.types[0] == '^' && *(void *const *)value.address == NULL;
}

// The object for a value of the caller's, with a reference.
static isa_status box(kvc_value value, isa_id *out)
{
    *out = NULL;
    if (is_null_address(value)) return ISA_OK; // NULL, as C has it
    if (value.types[0] != '*') return kvc_box(value, out);
    const char *text = *(const char *const *)value.address;
    return text == NULL ? ISA_OK : kvc_string_make(text, out);
}

// ---- set ----------------------------------------------------------------------------------------

static isa_status typed_put(const struct side *side, const void *bytes)
{
    if (!side->is_key) return isa__accessor_write(side->accessor, side->object, bytes);
    return isa__coding_write(side->accessor, side->object, side->name, bytes);
}

static isa_status set_plain(const struct side *side, const struct typed *typed, const void *address)
{
    _Alignas(16) char bytes[SCALAR_SIZE];
    const struct isa__accessor *accessor = side->accessor;
    kvc_value value = {typed->types, address};
    if (isa__letter_is_number(typed->letter) && isa__letter_is_number(accessor->letter)) {
        bool fits = isa__number_convert_exactly(typed->letter, address, accessor->letter, bytes);
        return fits ? typed_put(side, bytes) : refuse(side, value, accessor->types);
    }
    return are_alike(typed, accessor) ? typed_put(side, address)
                                      : refuse(side, value, accessor->types);
}

static isa_status set_nil(const struct side *side)
{
    isa_id nil = NULL;
    if (isa__letter_is_object(side->accessor->letter)) return typed_put(side, &nil);
    if (!side->is_key) return refuse_nil(side, side->accessor->types);
    return ISA_SEND(kvc_key_imp, side->object, isa__sel_set_nil_value_for_key, side->name);
}

static isa_status set_object(const struct side *side, isa_id object)
{
    if (object == NULL) return set_nil(side);
    bool is_class = isa_class_is_metaclass(isa_object_get_class(object));
    char letter = side->accessor->letter;
    if (letter == '@' || (letter == '#' && is_class)) return typed_put(side, &object);
    kvc_value inner = kvc_unbox(&object);
    struct isa__type type;
    isa_status status = isa__type_parse(inner.types, &type);
    if (status != ISA_OK) return status;
    struct typed typed = {inner.types, isa__letter_of(&type)};
    return set_plain(side, &typed, inner.address);
}

static isa_status set_as_object(const struct side *side, kvc_value value)
{
    isa_id object;
    isa_status status = box(value, &object);
    if (status == ISA_OK) status = set_object(side, object);
    isa_object_release(object);
    return status;
}

static isa_status set(const struct side *side, const struct typed *typed, const void *address)
{
    kvc_value value = {typed->types, address};
    if (typed->letter == '@') return set_object(side, *(const isa_id *)address);
    bool is_text = typed->letter == '*', is_object = side->accessor->letter == '@';
    if (is_object && (is_text || is_null_address(value))) return set_as_object(side, value);
    return set_plain(side, typed, address);
}

// Sets a key whose type is not known: of a class that overrides `setValue:forKey:`, or has no such
// key.
static isa_status set_boxed(isa_id object, const char *key, kvc_value value)
{
    isa_id boxed;
    isa_status status = box(value, &boxed);
    if (status == ISA_OK) status = kvc_set_value(object, key, boxed);
    isa_object_release(boxed);
    return status;
}

isa_status kvc_set_typed(isa_id object, const char *key, const char *types, const void *value,
                         size_t size)
{
    if (value == NULL) return isa__fail_null(__func__, "value");
    struct typed typed;
    struct isa__answer answer;
    isa_status status = isa__coding_check(object, key, isa__sel_set_value_for_key);
    if (status == ISA_OK) status = parse(types, size, &typed);
    if (status == ISA_OK)
        status = isa__answer_find(isa_object_get_class(object), key, ISA_FACT_SETTER, &answer);
    if (status != ISA_OK) return status;
    if (!answer.is_direct || answer.accessor.kind == ISA_ACCESSOR_NONE)
        return set_boxed(object, key, (kvc_value){typed.types, value});
    return set(&(struct side){object, key, true, &answer.accessor}, &typed, value);
}

// ---- get ----------------------------------------------------------------------------------------

static isa_status copy_text(const struct side *side, const char *text, char **out)
{
    size_t size = text == NULL ? 0 : strlen(text) + 1;
    char *copy = text == NULL ? NULL : isa__alloc_public(size);
    if (text != NULL && copy == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the text of %.128s", side->name);
    if (text != NULL) memcpy(copy, text, size);
    *out = copy;
    return ISA_OK;
}

// Gives a value that is no object to the caller.
static isa_status give_plain(const struct side *side, char letter, kvc_value value,
                             const struct typed *typed, void *out, size_t size)
{
    bool are_numbers = isa__letter_is_number(letter) && isa__letter_is_number(typed->letter);
    if (are_numbers && isa__number_convert_exactly(letter, value.address, typed->letter, out))
        return ISA_OK;
    if (typed->letter == '@') return box(value, out);
    if (letter != typed->letter || are_numbers || !isa__encoding_equal(value.types, typed->types))
        return refuse(side, value, typed->types);
    if (letter == '*') return copy_text(side, *(const char *const *)value.address, out);
    memcpy(out, value.address, size);
    return ISA_OK;
}

// Gives what an object stands for to the caller, who asks for something else than an object.
static isa_status give_content(const struct side *side, isa_id object, const struct typed *typed,
                               void *out, size_t size)
{
    bool is_text = typed->letter == '*';
    bool is_class = object != NULL && isa_class_is_metaclass(isa_object_get_class(object));
    if (typed->letter == '#' && (object == NULL || is_class)) {
        *(isa_id *)out = object; // classes are not counted
        return ISA_OK;
    }
    if (is_text && object == NULL) return copy_text(side, NULL, out);
    if (object == NULL) return refuse_nil(side, typed->types);
    if (is_text && kvc_kind_of(object) == KVC_KIND_STRING)
        return copy_text(side, kvc_string_text(object), out);
    kvc_value inner = kvc_unbox(&object);
    struct isa__type type;
    isa_status status = isa__type_parse(inner.types, &type);
    if (status != ISA_OK) return status;
    return give_plain(side, isa__letter_of(&type), inner, typed, out, size);
}

// The same of an object that comes with a reference, of which the caller may be asking for itself.
static isa_status give_object(const struct side *side, isa_id object, const struct typed *typed,
                              void *out, size_t size)
{
    if (typed->letter == '@') {
        *(isa_id *)out = object;
        return ISA_OK;
    }
    isa_status status = give_content(side, object, typed, out, size);
    isa_object_release(object);
    return status;
}

static isa_status read(const struct side *side, void *out)
{
    if (side->is_key) isa__accessor_note(side->accessor, side->object, false);
    return isa__accessor_read(side->accessor, side->object, out);
}

static isa_status get(const struct side *side, const struct typed *typed, void *out, size_t size)
{
    const struct isa__accessor *accessor = side->accessor;
    _Alignas(16) char bytes[SCALAR_SIZE];
    kvc_value value = {accessor->types, bytes};
    if (typed->letter != '*' && are_alike(typed, accessor)) return read(side, out);
    // The address of nothing: the types alone are told.
    if (accessor->letter == '{' || accessor->letter == 0) return refuse(side, value, typed->types);
    isa_status status = read(side, bytes);
    if (status != ISA_OK) return status;
    if (accessor->letter == '@')
        return give_object(side, *(isa_id *)(void *)bytes, typed, out, size);
    return give_plain(side, accessor->letter, value, typed, out, size);
}

// Gets a key of a class that overrides `valueForKey:`, or has no accessor for it.
static isa_status get_boxed(isa_id object, const char *key, const struct typed *typed, void *out,
                            size_t size)
{
    isa_id boxed;
    isa_status status = kvc_copy_value(object, key, &boxed);
    if (status != ISA_OK) return status;
    return give_object(&(struct side){object, key, true, NULL}, boxed, typed, out, size);
}

isa_status kvc_get_typed(isa_id object, const char *key, const char *types, void *out, size_t size)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct typed typed;
    struct isa__answer answer;
    isa_status status = isa__coding_check(object, key, isa__sel_value_for_key);
    if (status == ISA_OK) status = parse(types, size, &typed);
    if (status == ISA_OK)
        status = isa__answer_find(isa_object_get_class(object), key, ISA_FACT_GETTER, &answer);
    if (status != ISA_OK) return status;
    if (!answer.is_direct || answer.accessor.kind == ISA_ACCESSOR_NONE)
        return get_boxed(object, key, &typed, out, size);
    return get(&(struct side){object, key, true, &answer.accessor}, &typed, out, size);
}

// ---- by selector --------------------------------------------------------------------------------

// How the method of `sel` takes its one argument (number 3), or answers (number 0).
static isa_status find_method(isa_id object, isa_sel sel, size_t number, struct isa__accessor *out)
{
    isa_class cls = isa_object_get_class(object);
    isa_method method = isa_class_find_method(cls, sel);
    if (method == NULL)
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "%s does not respond to the selector %s", isa_class_name(cls->original),
                         isa_sel_name(sel));
    const char *types = isa_method_types(method);
    char result;
    isa__signature_letters(types, &result, 1);
    bool fits = number == 0 ? result != 'v' : result != 0; // a struct takes a hidden argument
    if (!fits || isa__signature_argument_count(types) != (number == 0 ? 2 : 3))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "%s, of encoding \"%.64s\", %s",
                         isa_sel_name(sel), types,
                         number == 0 ? "is no getter" : "takes more or less than one value");
    return isa__accessor_of_method(method, number, out);
}

isa_status isa_set_typed(isa_id object, isa_sel sel, const char *types, const void *value,
                         size_t size)
{
    if (object == NULL || sel == NULL) return isa__fail_null(__func__, "object or sel");
    if (value == NULL) return isa__fail_null(__func__, "value");
    struct typed typed;
    struct isa__accessor accessor;
    isa_status status = parse(types, size, &typed);
    if (status == ISA_OK) status = find_method(object, sel, 3, &accessor);
    if (status != ISA_OK) return status;
    return set(&(struct side){object, isa_sel_name(sel), false, &accessor}, &typed, value);
}

isa_status isa_get_typed(isa_id object, isa_sel sel, const char *types, void *out, size_t size)
{
    if (object == NULL || sel == NULL) return isa__fail_null(__func__, "object or sel");
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct typed typed;
    struct isa__accessor accessor;
    isa_status status = parse(types, size, &typed);
    if (status == ISA_OK) status = find_method(object, sel, 0, &accessor);
    if (status != ISA_OK) return status;
    return get(&(struct side){object, isa_sel_name(sel), false, &accessor}, &typed, out, size);
}
