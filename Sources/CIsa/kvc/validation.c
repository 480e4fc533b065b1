// Validation by key and key path.
//
// Owns:  nothing.
// Locks: none; a validator is code of the object's class.
#include "validation.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/encoding.h"
#include "../model/selector.h"
#include "key_path.h"
#include "name.h"
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

// Whether the method answers yes or no about two pointers.
static bool is_validator(isa_method method)
{
    size_t letters = 0;
    const char *types = isa_method_types(method);
    bool answers = isa__is_number_letter(first_letter(types));
    for (size_t i = 3; i <= 4 && answers; i++) {
        char *argument;
        if (isa_encoding_copy_type(types, i, &argument) != ISA_OK) return false;
        letters += first_letter(argument) == '^';
        isa_free(argument);
    }
    return letters == 2;
}

// The method `validate<Key>:error:`, if the class has one; `*out` is NULL if not.
static isa_status find_validator(isa_class cls, const char *key, isa_method *out)
{
    size_t room = isa__name_room(key);
    char *name = isa__alloc(ISA_KIND_OTHER, room);
    if (name == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to look for the validator of %.64s",
                         key);
    isa_method method = isa__name_find_method(cls, "validate%:error:", key, name);
    isa__free(ISA_KIND_OTHER, name, room);
    *out = method != NULL && is_validator(method) ? method : NULL;
    return ISA_OK;
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
    isa_sel sel = isa__sel_validate_value_path;
    isa_status status = isa__key_path_check(object, sel, key_path);
    if (status != ISA_OK) return status;
    return ISA_SEND(validate_imp, object, sel, value, key_path, error, is_valid);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__validation_start(void)
{
    const char *types = "i@:^@*^@^B";
    isa_status status = isa_class_add_method(isa_root_class(), isa__sel_validate_value,
                                             (isa_imp)validate_value, types);
    if (status != ISA_OK) return status;
    return isa_class_add_method(isa_root_class(), isa__sel_validate_value_path,
                                (isa_imp)validate_value_for_path, types);
}
