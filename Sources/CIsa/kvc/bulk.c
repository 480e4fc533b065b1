// Many keys at once: an object's values as a dictionary, and back.
//
// Owns:  nothing.
// Locks: none; every value is read and set by a message.
#include "bulk.h"

#include <string.h>

#include "../base/status.h"
#include "../model/class.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "collection.h"

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
    struct isa__array names, values = {0};
    isa_status status = isa__collection_gather(keys, &names);
    if (status != ISA_OK) return status;
    status = gather_values(self, &names, &values);
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
    isa_id keys;
    struct isa__array names;
    isa_status status = kvc_dictionary_copy_keys(dictionary, &keys);
    if (status != ISA_OK) return status;
    status = isa__collection_gather(keys, &names);
    isa_object_release(keys);
    if (status != ISA_OK) return status;
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

// ---- start --------------------------------------------------------------------------------------

isa_status isa__bulk_start(void)
{
    isa_status status =
        isa__method_add_sent(isa_root_class(), isa__sel_dictionary_with_values,
                             (isa_imp)dictionary_with_values, "i@:@^@");
    if (status != ISA_OK) return status;
    return isa__method_add_sent(isa_root_class(), isa__sel_set_values, (isa_imp)set_values,
                                "i@:@");
}
