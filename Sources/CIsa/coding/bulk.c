// Many keys at once: an object's values as a dictionary, and back; and validation of a value by key
// and key path.
//
// Owns:  nothing.
// Locks: none; every value is read, set and validated by a message, which runs code of the object's
//        class.
#include "coding.h"

#include <string.h>

#include "../base/status.h"
#include "../model/class.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../model/type.h"
#include "../objects/box.h"
#include "../objects/collection.h"

typedef isa_status (*copy_imp)(isa_id, isa_sel, isa_id keys, isa_id *out);

static isa_status check_receiver(isa_id object, isa_sel sel, isa_id argument)
{
    if (object == NULL || argument == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "%s: no %s", isa_sel_name(sel),
                         object == NULL ? "object" : "argument");
    if (isa_object_responds_to(object, sel)) return ISA_OK;
    return isa__box_unrecognized(object, sel);
}

// The text of a key, lent by it.
static isa_status text_of(isa_id key, const char **out)
{
    *out = kvc_string_text(key);
    if (*out != NULL && strlen(*out) == kvc_string_size(key)) return ISA_OK;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     *out == NULL ? "a key of class %s is not a string"
                                  : "a key of class %s has a zero byte within",
                     isa__box_class_name(key));
}

// ---- get ----------------------------------------------------------------------------------------

static isa_status copy_or_null(isa_id object, isa_id key, isa_id *out)
{
    const char *text;
    isa_status status = text_of(key, &text);
    if (status == ISA_OK) status = kvc_copy_value(object, text, out);
    if (status == ISA_OK && *out == NULL) *out = kvc_null();
    return status;
}

static isa_status gather_values(isa_id object, const struct isa__array *keys,
                                struct isa__array *values)
{
    isa_status status = keys->count == 0 ? ISA_OK : isa__array_reserve(values, keys->count);
    for (size_t i = 0; i < keys->count && status == ISA_OK; i++) {
        isa_id value;
        status = copy_or_null(object, keys->items[i], &value);
        if (status == ISA_OK) values->items[values->count++] = value;
    }
    return status;
}

static isa_status dictionary_with_values(isa_id self, isa_sel sel, isa_id keys, isa_id *out)
{
    (void)sel;
    struct isa__array names = {0}, values = {0};
    isa_status status = isa__collection_gather(keys, &names);
    if (status == ISA_OK) status = gather_values(self, &names, &values);
    if (status == ISA_OK)
        status = kvc_dictionary_make((const isa_id *)names.items, (const isa_id *)values.items,
                                     names.count, out);
    isa__collection_let_go(&values);
    isa__collection_let_go(&names);
    return status;
}

isa_status kvc_copy_values(isa_id object, isa_id keys, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    isa_sel sel = isa__sel_dictionary_with_values;
    isa_status status = check_receiver(object, sel, keys);
    return status != ISA_OK ? status : ISA_SEND(copy_imp, object, sel, keys, out);
}

// ---- set ----------------------------------------------------------------------------------------

// Null stands for nil, except to GNUstep.
static isa_status set_for_key(isa_id object, isa_id dictionary, isa_id key)
{
    const char *text;
    isa_id value;
    isa_status status = text_of(key, &text);
    if (status == ISA_OK) status = kvc_dictionary_copy_value(dictionary, key, &value);
    if (status != ISA_OK) return status;
    bool keeps_null = isa__class_is_gnustep(isa_object_get_class(object)->original);
    bool is_nil = value == kvc_null() && !keeps_null;
    status = kvc_set_value(object, text, is_nil ? NULL : value);
    isa_object_release(value);
    return status;
}

static isa_status set_values(isa_id self, isa_sel sel, isa_id dictionary)
{
    (void)sel;
    struct isa__array names = {0};
    isa_status status = isa__collection_gather_keys(dictionary, &names);
    for (size_t i = 0; i < names.count && status == ISA_OK; i++)
        status = set_for_key(self, dictionary, names.items[i]);
    isa__collection_let_go(&names);
    return status;
}

isa_status kvc_set_values(isa_id object, isa_id dictionary)
{
    isa_sel sel = isa__sel_set_values;
    isa_status status = check_receiver(object, sel, dictionary);
    return status != ISA_OK ? status : ISA_SEND(isa__object_imp, object, sel, dictionary);
}

// ---- validation ---------------------------------------------------------------------------------

// ---- validators ---------------------------------------------------------------------------------

// The first type of an encoding.
static char first_letter(const char *types)
{
    struct isa__type type;
    bool scalar = isa__type_parse(types, &type) == ISA_OK && type.type_class == ISA_TYPE_SCALAR;
    return scalar ? type.letter : 0;
}

// Whether the method answers something about two arguments. As in Foundation, any other is none.
static bool is_validator(isa_method method)
{
    const char *types = isa_method_types(method);
    char letter;
    isa__signature_letters(types, &letter, 1);
    return letter != 'v' && isa__signature_argument_count(types) == 4;
}

// Whether it answers yes or no about two pointers.
static bool is_callable(isa_method method)
{
    char letters[5];
    isa__signature_letters(isa_method_types(method), letters, sizeof letters);
    return isa__letter_is_number(letters[0]) && letters[3] == '^' && letters[4] == '^';
}

static isa_status not_callable(isa_method method)
{
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "validator -[%s %s] has encoding \"%.128s\", which cannot be called: "
                     "\"B@:^@^@\" was expected", isa_class_name(isa_method_class(method)),
                     isa_sel_name(isa_method_selector(method)), isa_method_types(method));
}

// The method `validate<Key>:error:`, if the class has one; `*out` is NULL if not.
static isa_status find_validator(isa_class cls, const char *key, isa_method *out)
{
    isa_method method = isa__method_find_named(cls, ISA_NAME_VALIDATE, key);
    *out = method != NULL && is_validator(method) ? method : NULL;
    return *out == NULL || is_callable(method) ? ISA_OK : not_callable(method);
}

static isa_status validate_value(isa_id self, isa_sel sel, isa_id *value, const char *key,
                                 isa_id *error, bool *is_valid)
{
    (void)sel;
    isa_method method = NULL;
    _Alignas(16) char answer[16] = {0};
    isa_status status = find_validator(isa_object_get_class(self), key, &method);
    if (status != ISA_OK) return status;
    *is_valid = true;
    if (method == NULL) return ISA_OK;
    void *arguments[] = {&value, &error};
    const char *types = isa_method_types(method);
    status = isa_invoke_message(self, isa_method_selector(method), arguments, answer);
    if (status == ISA_OK) isa__number_convert(first_letter(types), answer, 'B', is_valid);
    return status;
}

isa_status kvc_validate_value(isa_id object, const char *key, isa_id *value, isa_id *error,
                              bool *is_valid)
{
    if (is_valid == NULL) return isa__fail_null(__func__, "is_valid");
    isa_status status = isa__key_path_check(object, isa__sel_validate_value, key);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvc_validate_imp, object, isa__sel_validate_value, value, key, error, is_valid);
}

// ---- key paths ----------------------------------------------------------------------------------

static isa_status validate_at(const struct isa__destination *destination, isa_id *value,
                              isa_id *error, bool *is_valid)
{
    isa_id object = destination->object;
    if (object == NULL) {
        *is_valid = false; // as a message to nil answers
        return ISA_OK;
    }
    if (!destination->overridden)
        return kvc_validate_value(object, destination->path, value, error, is_valid);
    uint32_t depth;
    isa_status status = isa__nesting_enter(object, destination->path, &depth);
    if (status != ISA_OK) return status;
    status = ISA_SEND(kvc_validate_imp, object, isa__sel_validate_value_path, value,
                      destination->path, error, is_valid);
    isa__nesting_leave(depth);
    return status;
}

static isa_status validate_value_for_path(isa_id self, isa_sel sel, isa_id *value, const char *path,
                                          isa_id *error, bool *is_valid)
{
    struct isa__destination destination;
    isa_imp usual = (isa_imp)validate_value_for_path;
    isa_status status = isa__destination_find(self, sel, usual, path, &destination);
    if (status != ISA_OK) return status;
    status = validate_at(&destination, value, error, is_valid);
    isa__destination_end(&destination);
    return status;
}

isa_status kvc_validate_value_for_path(isa_id object, const char *key_path, isa_id *value,
                                       isa_id *error, bool *is_valid)
{
    if (is_valid == NULL) return isa__fail_null(__func__, "is_valid");
    isa_sel sel = isa__sel_validate_value_path;
    isa_status status = isa__key_path_check(object, sel, key_path);
    if (status != ISA_OK) return status;
    return ISA_SEND(kvc_validate_imp, object, sel, value, key_path, error, is_valid);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__bulk_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_dictionary_with_values, (isa_imp)dictionary_with_values, "i@:@^@"},
        {&isa__sel_set_values, (isa_imp)set_values, "i@:@"},
        {&isa__sel_validate_value, (isa_imp)validate_value, "i@:^@*^@^B"},
        {&isa__sel_validate_value_path, (isa_imp)validate_value_for_path, "i@:^@*^@^B"},
    };
    return isa__box_add_methods(isa_root_class(), methods, ISA_COUNT_OF(methods));
}
