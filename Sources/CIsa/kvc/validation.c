// Validation by key and key path.
//
// Owns:  nothing.
// Locks: none; a validator is code of the object's class.
#include "validation.h"

#include "../base/status.h"
#include "../model/encoding.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "key_path.h"
#include "number.h"

typedef isa_status (*validate_imp)(isa_id, isa_sel, isa_id *value, const char *key, isa_id *error,
                                   bool *is_valid);

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

static isa_status check_key(isa_id object, const char *key)
{
    isa_sel sel = isa__sel_validate_value;
    return isa__key_path_check(object, sel, key);
}

isa_status kvc_validate_value(isa_id object, const char *key, isa_id *value, isa_id *error,
                              bool *is_valid)
{
    if (is_valid == NULL) return isa__fail_null(__func__, "is_valid");
    isa_status status = check_key(object, key);
    if (status != ISA_OK) return status;
    return ISA_SEND(validate_imp, object, isa__sel_validate_value, value, key, error, is_valid);
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
    isa_status status = isa__nesting_enter(object, destination->path);
    if (status != ISA_OK) return status;
    status = ISA_SEND(validate_imp, object, isa__sel_validate_value_path, value, destination->path,
                      error, is_valid);
    isa__nesting_leave();
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
    return ISA_SEND(validate_imp, object, sel, value, key_path, error, is_valid);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__validation_start(void)
{
    const char *types = "i@:^@*^@^B";
    isa_status status = isa__method_add_sent(isa_root_class(), isa__sel_validate_value,
                                             (isa_imp)validate_value, types);
    if (status != ISA_OK) return status;
    return isa__method_add_sent(isa_root_class(), isa__sel_validate_value_path,
                                (isa_imp)validate_value_for_path, types);
}
