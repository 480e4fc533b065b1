// Key-value coding of collections, and of null.
//
// Owns:      nothing.
// Locks:     none; members are asked by messages, of a snapshot of the collection.
// Invariant: a key that begins with `@` is the collection's own.
#include "coding.h"

#include <string.h>

#include "../base/status.h"
#include "../model/selector.h"
#include "../objects/collection.h"

// ---- own values ---------------------------------------------------------------------------------

isa_status isa__collection_copy_own_value(isa_id collection, const char *key, isa_id *out)
{
    // Signed, as all numbers of elements that Swift reads.
    if (strcmp(key, "count") == 0)
        return kvc_number_make_integer((int64_t)kvc_collection_count(collection), out);
    isa_imp imp = isa_class_find_imp(isa_root_class(), isa__sel_value_for_key);
    return ((kvc_get_imp)imp)(collection, isa__sel_value_for_key, key, out);
}

// ---- arrays and sets ----------------------------------------------------------------------------

// Puts each member's value in its place. An array has null where a member answers nil; from a set
// it is left out.
static isa_status map_members(struct isa__array *members, const char *key, bool keeps_nil)
{
    isa_status status = ISA_OK;
    size_t kept = 0;
    for (size_t i = 0; i < members->count; i++) {
        isa_id member = members->items[i], value = NULL;
        if (status == ISA_OK) status = kvc_copy_value(member, key, &value);
        isa_object_release(member);
        if (status != ISA_OK) continue;
        if (value == NULL && keeps_nil) value = kvc_null();
        if (value != NULL) members->items[kept++] = value;
    }
    members->count = kept;
    return status;
}

static isa_status copy_mapped(isa_id self, const char *key, isa_id *out)
{
    struct isa__array members;
    kvc_kind kind = kvc_kind_of(self);
    isa_status status = isa__collection_gather(self, &members);
    if (status != ISA_OK) return status;
    status = map_members(&members, key, kind == KVC_KIND_ARRAY);
    return isa__collection_adopt(status, kvc_class_of_kind(kind, false), &members, out);
}

static isa_status members_value_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel;
    if (key[0] == '@') return isa__collection_copy_own_value(self, key + 1, out);
    uint32_t depth;
    isa_status status = isa__nesting_enter(self, key, &depth);
    if (status != ISA_OK) return status;
    status = copy_mapped(self, key, out);
    isa__nesting_leave(depth);
    return status;
}

// Stops at the first member that refuses; those before it keep the value.
static isa_status set_members(isa_id self, isa_id value, const char *key)
{
    struct isa__array members = {0};
    isa_status status = isa__collection_gather(self, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++)
        status = kvc_set_value(members.items[i], key, value);
    isa__collection_let_go(&members);
    return status;
}

static isa_status members_set_value_for_key(isa_id self, isa_sel sel, isa_id value, const char *key)
{
    (void)sel;
    uint32_t depth;
    isa_status status = isa__nesting_enter(self, key, &depth);
    if (status != ISA_OK) return status;
    status = set_members(self, value, key);
    isa__nesting_leave(depth);
    return status;
}

// ---- dictionaries -------------------------------------------------------------------------------

static isa_status copy_for_text(isa_id dictionary, const char *text, size_t size, isa_id *out)
{
    isa_id key = NULL, value = NULL;
    isa_status status = kvc_string_make_bytes(text, size, &key);
    if (status == ISA_OK) status = kvc_dictionary_copy_value(dictionary, key, &value);
    isa_object_release(key);
    if (status == ISA_OK) *out = value;
    return status;
}

enum { LONG_KEY = 256 };

// Whether some key may be equal to a text of `size` bytes. Hashing what is left of a long path at
// each of its dots would make the walk quadratic; a few keys' lengths are known at once.
static bool may_have_key(isa_id dictionary, size_t size)
{
    isa_class own = isa__box_classes[ISA_BOX_DICTIONARY];
    isa_imp imp = isa_class_find_imp(isa_object_get_class(dictionary), isa__sel_object_for);
    if (imp != isa_class_find_imp(own, isa__sel_object_for)) return true;
    const struct isa__table *table = isa__table_of(dictionary);
    if (size < LONG_KEY || table->count > size) return true;
    for (size_t i = 0; i < table->count; i++) {
        isa_id key = table->entries[i].key;
        if (kvc_kind_of(key) != KVC_KIND_STRING || kvc_string_size(key) == size) return true;
    }
    return false;
}

isa_status isa__dictionary_copy_for_path(isa_id dictionary, const char *path, size_t size,
                                         isa_id *out)
{
    if (may_have_key(dictionary, size)) return copy_for_text(dictionary, path, size, out);
    *out = NULL;
    return ISA_OK;
}

static isa_status dictionary_value_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel;
    if (key[0] == '@') return isa__collection_copy_own_value(self, key + 1, out);
    return copy_for_text(self, key, strlen(key), out);
}

static isa_status dictionary_set_value_for_key(isa_id self, isa_sel sel, isa_id value,
                                               const char *key)
{
    isa_id text;
    (void)sel;
    isa_status status = kvc_string_make(key, &text);
    if (status != ISA_OK) return status;
    status = value == NULL ? kvc_dictionary_remove(self, text)
                           : kvc_dictionary_set(self, text, value);
    isa_object_release(text);
    return status;
}

// ---- null ---------------------------------------------------------------------------------------

static isa_status null_value_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel, (void)key;
    *out = isa_object_retain(self);
    return ISA_OK;
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method of_members[] = {
    {&isa__sel_value_for_key, (isa_imp)members_value_for_key, "i@:*^@"},
    {&isa__sel_set_value_for_key, (isa_imp)members_set_value_for_key, "i@:@*"},
};
static const struct isa__box_method of_dictionaries[] = {
    {&isa__sel_value_for_key, (isa_imp)dictionary_value_for_key, "i@:*^@"},
};
static const struct isa__box_method of_mutable_dictionaries[] = {
    {&isa__sel_set_value_for_key, (isa_imp)dictionary_set_value_for_key, "i@:@*"},
};

static const struct isa__box_method of_null[] = {
    {&isa__sel_value_for_key, (isa_imp)null_value_for_key, "i@:*^@"},
};

static const struct isa__library_class classes[] = {
    {.cls = &isa__box_classes[ISA_BOX_ARRAY], .methods = {ISA_LIST_OF(of_members)}},
    {.cls = &isa__box_classes[ISA_BOX_ORDERED_SET], .methods = {ISA_LIST_OF(of_members)}},
    {.cls = &isa__box_classes[ISA_BOX_SET], .methods = {ISA_LIST_OF(of_members)}},
    {.cls = &isa__box_classes[ISA_BOX_DICTIONARY], .methods = {ISA_LIST_OF(of_dictionaries)}},
    {.cls = &isa__box_classes[ISA_BOX_MUTABLE_DICTIONARY],
     .methods = {ISA_LIST_OF(of_mutable_dictionaries)}},
    {.cls = &isa__box_classes[ISA_BOX_NULL], .methods = {ISA_LIST_OF(of_null)}},
};

isa_status isa__collection_coding_start(void)
{
    return isa__library_classes_make(classes, ISA_COUNT_OF(classes));
}
