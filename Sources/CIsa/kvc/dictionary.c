// Dictionaries: instances of IsaDictionary, and of IsaMutableDictionary, which is the one that
// answers the messages that change it.
//
// Owns:      a dictionary's table owns a reference to each key and value.
// Locks:     none.
// Invariant: keys are copies, so that they stay what they were found by.
#include "dictionary.h"

#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "boxed_array.h"
#include "collection.h"
#include "string.h"
#include "table.h"

// ---- ask ----------------------------------------------------------------------------------------

static size_t dictionary_count(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa__table_of(self)->count;
}

static isa_status object_for_key(isa_id self, isa_sel sel, isa_id key, isa_id *out)
{
    (void)sel;
    const struct isa__table *table = isa__table_of(self);
    size_t at = KVC_NOT_FOUND;
    isa_status status = key == NULL ? ISA_OK : isa__table_find(table, key, kvc_hash(key), &at);
    if (status == ISA_OK)
        *out = at == KVC_NOT_FOUND ? NULL : isa_object_retain(table->entries[at].value);
    return status;
}

static isa_status copy_column(isa_id self, bool keys, isa_id *out)
{
    const struct isa__table *table = isa__table_of(self);
    isa_id *items;
    isa_status status = isa__array_make_room(table->count, out, &items);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < table->count; i++)
        items[i] = isa_object_retain(keys ? table->entries[i].key : table->entries[i].value);
    return ISA_OK;
}

static isa_status copy_keys(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return copy_column(self, true, out);
}

static isa_status copy_values(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return copy_column(self, false, out);
}

// A dictionary's keys and their values, each with a reference.
struct columns {
    struct isa__array keys;
    struct isa__array values;
};

static void let_columns_go(struct columns *columns)
{
    isa__collection_let_go(&columns->keys);
    isa__collection_let_go(&columns->values);
}

static isa_status gather_columns(isa_id dictionary, struct columns *out)
{
    isa_id keys;
    *out = (struct columns){0};
    isa_status status = kvc_dictionary_copy_keys(dictionary, &keys);
    if (status != ISA_OK) return status;
    status = isa__collection_gather(keys, &out->keys);
    isa_object_release(keys);
    if (status == ISA_OK && out->keys.count > 0)
        status = isa__array_reserve(&out->values, out->keys.count);
    for (size_t i = 0; i < out->keys.count && status == ISA_OK; i++) {
        isa_id value = NULL;
        status = kvc_dictionary_copy_value(dictionary, out->keys.items[i], &value);
        if (status == ISA_OK) out->values.items[out->values.count++] = value;
    }
    if (status != ISA_OK) let_columns_go(out);
    return status;
}

static bool has_entry(isa_id dictionary, isa_id key, isa_id value)
{
    isa_id found = NULL;
    bool equal =
        kvc_dictionary_copy_value(dictionary, key, &found) == ISA_OK && kvc_is_equal(found, value);
    isa_object_release(found);
    return equal;
}

static bool is_equal_dictionary(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    struct columns columns;
    if (kvc_kind_of(other) != KVC_KIND_DICTIONARY) return false;
    if (kvc_collection_count(other) != kvc_collection_count(self)) return false;
    if (gather_columns(self, &columns) != ISA_OK) return false;
    bool equal = true;
    for (size_t i = 0; i < columns.keys.count && equal; i++)
        equal = has_entry(other, columns.keys.items[i], columns.values.items[i]);
    let_columns_go(&columns);
    return equal;
}

static isa_status describe_dictionary(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    struct columns columns;
    isa_status status = gather_columns(self, &columns);
    if (status != ISA_OK) return status;
    struct isa__text text = {0};
    isa__text_append(&text, "{", 1);
    for (size_t i = 0; i < columns.keys.count; i++) {
        if (i > 0) isa__text_append(&text, "; ", 2);
        isa__text_describe(&text, columns.keys.items[i]);
        isa__text_append(&text, " = ", 3);
        isa__text_describe(&text, columns.values.items[i]);
    }
    isa__text_append(&text, "}", 1);
    let_columns_go(&columns);
    return isa__text_finish(&text, out);
}

// ---- change -------------------------------------------------------------------------------------

static isa_status copy_key(isa_id key, isa_id *out)
{
    if (!isa__object_copies(key))
        return isa__box_unrecognized(key, isa__sel_copy);
    *out = ISA_SEND(isa__copy_imp, key, isa__sel_copy);
    if (*out != NULL) return ISA_OK;
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "-[%s copy]: the key could not be copied",
                     isa__box_class_name(key));
}

// Sets the value for a key that is the dictionary's to keep.
static isa_status set_copied(struct isa__table *table, isa_id key, isa_id value)
{
    size_t count = table->count, at;
    isa_status status = isa__table_add(table, key, value, &at);
    if (status != ISA_OK || table->count > count) return status;
    isa_id old = table->entries[at].value;
    table->entries[at].value = isa_object_retain(value);
    table->version++;
    isa_object_release(old);
    return ISA_OK;
}

static isa_status set_value(struct isa__table *table, isa_id key, isa_id value)
{
    isa_id copy;
    isa_status status = copy_key(key, &copy);
    if (status != ISA_OK) return status;
    status = set_copied(table, copy, value);
    isa_object_release(copy);
    return status;
}

static isa_status set_object_for_key(isa_id self, isa_sel sel, isa_id value, isa_id key)
{
    if (key == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "*** -[%s %s]: key cannot be nil",
                         isa__box_class_name(self), isa_sel_name(sel));
    isa_status status = isa__collection_check_object(self, sel, value);
    return status != ISA_OK ? status : set_value(isa__table_of(self), key, value);
}

static isa_status remove_object_for_key(isa_id self, isa_sel sel, isa_id key)
{
    struct isa__table *table = isa__table_of(self);
    size_t at;
    if (key == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "*** -[%s %s]: key cannot be nil",
                         isa__box_class_name(self), isa_sel_name(sel));
    isa_status status = isa__table_find(table, key, kvc_hash(key), &at);
    if (status != ISA_OK || at == KVC_NOT_FOUND) return status;
    struct isa__entry taken = isa__table_take(table, at, false);
    isa_object_release(taken.key);
    isa_object_release(taken.value);
    return ISA_OK;
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__table_clear(isa__table_of(self));
    return ISA_OK;
}

// ---- make ---------------------------------------------------------------------------------------

static isa_status check_given(const isa_id *objects, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (objects == NULL || objects[i] == NULL)
            return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                             "*** -[IsaDictionary initWithObjects:forKeys:count:]: attempt to "
                             "insert nil object from %s[%zu]", what, i);
    return ISA_OK;
}

static isa_status make(bool is_mutable, const isa_id *keys, const isa_id *values, size_t count,
                       isa_id *out)
{
    isa_id made;
    isa_status status = check_given(values, count, "objects");
    if (status == ISA_OK) status = check_given(keys, count, "keys");
    if (status == ISA_OK)
        status = isa_object_allocate(kvc_class_of_kind(KVC_KIND_DICTIONARY, is_mutable), &made);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < count && status == ISA_OK; i++)
        status = set_value(isa__table_of(made), keys[i], values[i]);
    if (status == ISA_OK) *out = made;
    else isa_object_release(made);
    return status;
}

isa_status kvc_dictionary_make(const isa_id *keys, const isa_id *values, size_t count, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return make(false, keys, values, count, out);
}

isa_status kvc_mutable_dictionary_make(const isa_id *keys, const isa_id *values, size_t count,
                                       isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return make(true, keys, values, count, out);
}

isa_status isa__dictionary_make_like(isa_id dictionary, bool is_mutable, isa_id *out)
{
    struct columns columns;
    isa_status status = gather_columns(dictionary, &columns);
    if (status != ISA_OK) return status;
    status = make(is_mutable, (const isa_id *)columns.keys.items,
                  (const isa_id *)columns.values.items, columns.keys.count, out);
    let_columns_go(&columns);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

static isa_status start_mutable(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_set_object_for, (isa_imp)set_object_for_key, "i@:@@"},
        {&isa__sel_remove_object_for, (isa_imp)remove_object_for_key, "i@:@"},
        {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_MUTABLE_DICTIONARY, ISA_BOX_DICTIONARY,
                                            "IsaMutableDictionary", sizeof(struct isa__table_box));
    if (status != ISA_OK) return status;
    return isa__box_add_methods(ISA_BOX_MUTABLE_DICTIONARY, methods, ISA_COUNT_OF(methods));
}

isa_status isa__dictionaries_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_dealloc, (isa_imp)isa__table_dealloc, "v@:"},
        {&isa__sel_is_equal, (isa_imp)is_equal_dictionary, "B@:@"},
        {&isa__sel_description, (isa_imp)describe_dictionary, "i@:^@"},
        {&isa__sel_count, (isa_imp)dictionary_count, "Q@:"},
        {&isa__sel_object_for, (isa_imp)object_for_key, "i@:@^@"},
        {&isa__sel_all_keys, (isa_imp)copy_keys, "i@:^@"},
        {&isa__sel_all_values, (isa_imp)copy_values, "i@:^@"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_DICTIONARY, ISA_BOX_DICTIONARY,
                                            "IsaDictionary", sizeof(struct isa__table_box));
    if (status == ISA_OK) status = isa__collection_add_shared(ISA_BOX_DICTIONARY);
    if (status == ISA_OK)
        status = isa__box_add_methods(ISA_BOX_DICTIONARY, methods, ISA_COUNT_OF(methods));
    return status == ISA_OK ? start_mutable() : status;
}
