// Dictionaries: instances of IsaDictionary, and of IsaMutableDictionary, which answers the messages
// that change a dictionary.
//
// Owns:      a dictionary's table owns a reference to each key and value.
// Locks:     none.
// Invariant: keys are copies, so that they stay what they were found by.
#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "collection.h"

// ---- ask ----------------------------------------------------------------------------------------

static isa_status object_for_key(isa_id self, isa_sel sel, isa_id key, isa_id *out)
{
    (void)sel;
    size_t at;
    const struct isa__table *table = isa__table_of(self);
    isa_status status = isa__table_find_key(table, key, &at);
    if (status == ISA_OK)
        *out = at == KVC_NOT_FOUND ? NULL : isa_object_retain(table->entries[at].value);
    return status;
}

static isa_status copy_keys(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return isa__table_copy_column(isa__table_of(self), true, out);
}

static isa_status copy_values(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return isa__table_copy_column(isa__table_of(self), false, out);
}

// Whether the dictionaries have equal values for `key`.
static bool agree(isa_id first, isa_id second, isa_id key)
{
    isa_id mine = NULL, theirs = NULL;
    bool equal = kvc_dictionary_copy_value(first, key, &mine) == ISA_OK &&
                 kvc_dictionary_copy_value(second, key, &theirs) == ISA_OK &&
                 kvc_is_equal(theirs, mine);
    isa_object_release(mine);
    isa_object_release(theirs);
    return equal;
}

static bool is_equal_dictionary(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    struct isa__array keys;
    if (!isa__collection_matches(self, other)) return false;
    if (isa__collection_gather_keys(self, &keys) != ISA_OK) return false;
    bool equal = true;
    for (size_t i = 0; i < keys.count && equal; i++) equal = agree(self, other, keys.items[i]);
    isa__collection_let_go(&keys);
    return equal;
}

// ---- change -------------------------------------------------------------------------------------

static isa_status copy_key(isa_id key, isa_id *out)
{
    if (!isa__object_copies(key)) return isa__box_unrecognized(key, isa__sel_copy);
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

static isa_status set_value(isa_id self, isa_id key, isa_id value)
{
    isa_id copy = NULL;
    isa_status status = copy_key(key, &copy);
    if (status == ISA_OK) status = set_copied(isa__table_of(self), copy, value);
    isa_object_release(copy);
    return status;
}

static isa_status check_key(isa_id self, isa_sel sel, isa_id key)
{
    return key != NULL ? ISA_OK : isa__box_fail(self, sel, ISA_ERR_INVALID_ARGUMENT,
                                                "key cannot be nil");
}

static isa_status set_object_for_key(isa_id self, isa_sel sel, isa_id value, isa_id key)
{
    isa_status status = check_key(self, sel, key);
    if (status == ISA_OK) status = isa__collection_check_object(self, sel, value);
    return status == ISA_OK ? set_value(self, key, value) : status;
}

static isa_status remove_object_for_key(isa_id self, isa_sel sel, isa_id key)
{
    size_t at;
    struct isa__table *table = isa__table_of(self);
    isa_status status = check_key(self, sel, key);
    if (status == ISA_OK) status = isa__table_find_key(table, key, &at);
    if (status != ISA_OK || at == KVC_NOT_FOUND) return status;
    struct isa__entry taken = isa__table_take(table, at, false);
    isa_object_release(taken.key);
    isa_object_release(taken.value);
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

static isa_status dictionary_make(bool is_mutable, const isa_id *keys, const isa_id *values,
                                  size_t count, isa_id *out)
{
    isa_id made;
    isa_status status = check_given(values, count, "objects");
    if (status == ISA_OK) status = check_given(keys, count, "keys");
    if (status == ISA_OK)
        status = isa_object_allocate(kvc_class_of_kind(KVC_KIND_DICTIONARY, is_mutable), &made);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < count && status == ISA_OK; i++)
        status = set_value(made, keys[i], values[i]);
    return isa__object_hand_over(status, made, out);
}

isa_status kvc_dictionary_make(const isa_id *keys, const isa_id *values, size_t count, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return dictionary_make(false, keys, values, count, out);
}

isa_status kvc_mutable_dictionary_make(const isa_id *keys, const isa_id *values, size_t count,
                                       isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return dictionary_make(true, keys, values, count, out);
}

static isa_status copy_value(isa_id from, isa_id key, isa_id to)
{
    isa_id value = NULL;
    isa_status status = kvc_dictionary_copy_value(from, key, &value);
    if (status == ISA_OK) status = set_object_for_key(to, isa__sel_set_object_for, value, key);
    isa_object_release(value);
    return status;
}

isa_status isa__dictionary_make_like(isa_id dictionary, bool is_mutable, isa_id *out)
{
    struct isa__array keys = {0};
    isa_id made = NULL;
    isa_status status = isa__collection_gather_keys(dictionary, &keys);
    if (status == ISA_OK) status = dictionary_make(is_mutable, NULL, NULL, 0, &made);
    for (size_t i = 0; i < keys.count && status == ISA_OK; i++)
        status = copy_value(dictionary, keys.items[i], made);
    isa__collection_let_go(&keys);
    return isa__object_hand_over(status, made, out);
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method asking[] = {
    {&isa__sel_dealloc, (isa_imp)isa__table_dealloc, "v@:"},
    {&isa__sel_is_equal, (isa_imp)is_equal_dictionary, "B@:@"},
    {&isa__sel_count, (isa_imp)isa__table_count, "Q@:"},
    {&isa__sel_object_for, (isa_imp)object_for_key, "i@:@^@"},
    {&isa__sel_all_keys, (isa_imp)copy_keys, "i@:^@"},
    {&isa__sel_all_values, (isa_imp)copy_values, "i@:^@"},
};

static const struct isa__box_method changing[] = {
    {&isa__sel_set_object_for, (isa_imp)set_object_for_key, "i@:@@"},
    {&isa__sel_remove_object_for, (isa_imp)remove_object_for_key, "i@:@"},
    {&isa__sel_remove_all, (isa_imp)isa__table_remove_all, "i@:"},
};

const struct isa__library_class isa__dictionary_classes[2] = {
    {&isa__box_classes[ISA_BOX_DICTIONARY], "IsaDictionary", NULL, KVC_KIND_DICTIONARY,
     sizeof(struct isa__table_box), {ISA_LIST_OF(isa__collection_methods), ISA_LIST_OF(asking)}},
    {&isa__box_classes[ISA_BOX_MUTABLE_DICTIONARY], "IsaMutableDictionary",
     &isa__box_classes[ISA_BOX_DICTIONARY], KVC_KIND_DICTIONARY, sizeof(struct isa__table_box),
     {ISA_LIST_OF(changing)}},
};
