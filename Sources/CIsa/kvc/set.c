// Sets: instances of IsaSet, and of IsaMutableSet, which is the one that answers the messages that
// change it.
//
// Owns:      a set's table owns a reference to each object.
// Locks:     none.
// Invariant: what changes many objects works on a copy of the table and commits it whole, so that
//            neither a failure nor an object's own code sees half a change.
#include "set.h"

#include "../base/status.h"
#include "../model/selector.h"
#include "boxed_array.h"
#include "collection.h"

static bool keeps_order(isa_id self)
{
    return kvc_kind_of(self) == KVC_KIND_ORDERED_SET;
}

isa_status isa__set_fill(isa_id set, const isa_id *objects, size_t count)
{
    isa_status status = ISA_OK;
    size_t at;
    for (size_t i = 0; i < count && status == ISA_OK; i++)
        status = isa__table_add(isa__table_of(set), objects[i], NULL, &at);
    return status;
}

// ---- ask ----------------------------------------------------------------------------------------

static size_t set_count(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa__table_of(self)->count;
}

static isa_status copy_objects(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    const struct isa__table *table = isa__table_of(self);
    isa_id *items;
    isa_status status = isa__array_make_room(table->count, out, &items);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < table->count; i++) items[i] = isa_object_retain(table->entries[i].key);
    return ISA_OK;
}

static isa_status copy_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    (void)sel;
    const struct isa__table *table = isa__table_of(self);
    size_t at = KVC_NOT_FOUND;
    isa_status status =
        object == NULL ? ISA_OK : isa__table_find(table, object, kvc_hash(object), &at);
    if (status == ISA_OK)
        *out = at == KVC_NOT_FOUND ? NULL : isa_object_retain(table->entries[at].key);
    return status;
}

static bool contains_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    isa_id member = NULL;
    bool found = kvc_set_copy_member(self, object, &member) == ISA_OK && member != NULL;
    isa_object_release(member);
    return found;
}

static bool is_equal_set(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    struct isa__array objects;
    if (kvc_kind_of(other) != KVC_KIND_SET) return false;
    if (kvc_collection_count(other) != kvc_collection_count(self)) return false;
    if (isa__collection_gather(self, &objects) != ISA_OK) return false;
    bool equal = true;
    for (size_t i = 0; i < objects.count && equal; i++)
        equal = kvc_collection_contains(other, objects.items[i]);
    isa__collection_let_go(&objects);
    return equal;
}

static isa_status describe_set(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return isa__collection_describe(self, "{(", ")}", out);
}

// ---- change one ---------------------------------------------------------------------------------

static isa_status add_object(isa_id self, isa_sel sel, isa_id object)
{
    size_t at;
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status : isa__table_add(isa__table_of(self), object, NULL, &at);
}

static isa_status remove_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    struct isa__table *table = isa__table_of(self);
    size_t at = KVC_NOT_FOUND;
    isa_status status =
        object == NULL ? ISA_OK : isa__table_find(table, object, kvc_hash(object), &at);
    if (status != ISA_OK || at == KVC_NOT_FOUND) return status;
    isa_object_release(isa__table_take(table, at, keeps_order(self)).key);
    return ISA_OK;
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__table_clear(isa__table_of(self));
    return ISA_OK;
}

// ---- change many --------------------------------------------------------------------------------

// Commits `next` as the set's table unless `status` is a failure; ends it either way.
static isa_status finish(isa_id self, uint64_t version, struct isa__table *next, isa_status status)
{
    if (status == ISA_OK) status = isa__table_commit(isa__table_of(self), version, next);
    isa__table_clear(next);
    return status;
}

static isa_status add_all(struct isa__table *table, isa_id other)
{
    struct isa__array objects;
    size_t at;
    isa_status status = isa__collection_gather(other, &objects);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < objects.count && status == ISA_OK; i++)
        status = isa__table_add(table, objects.items[i], NULL, &at);
    isa__collection_let_go(&objects);
    return status;
}

static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__table next;
    uint64_t version = isa__table_of(self)->version;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__table_copy(isa__table_of(self), &next);
    if (status != ISA_OK) return status;
    return finish(self, version, &next, add_all(&next, other));
}

static isa_status set_set(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__table next = {0};
    uint64_t version = isa__table_of(self)->version;
    isa_status status = isa__collection_check_other(self, sel, other);
    return finish(self, version, &next, status == ISA_OK ? add_all(&next, other) : status);
}

// Adds to `next` the objects of `copy` that `set` contains, or those that it does not.
static isa_status add_filtered(struct isa__table *next, const struct isa__table *copy, isa_id set,
                               bool contained)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < copy->count && status == ISA_OK; i++)
        if (kvc_collection_contains(set, copy->entries[i].key) == contained)
            status = isa__table_insert(next, next->count, copy->entries[i]);
    return status;
}

// Keeps the objects that `other` contains, or those that it does not. An array is searched as a
// set.
static isa_status filter(isa_id self, isa_sel sel, isa_id other, bool contained)
{
    struct isa__table next = {0}, copy = {0};
    uint64_t version = isa__table_of(self)->version;
    isa_id set = NULL;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = kvc_collection_make(KVC_KIND_SET, false, other, &set);
    if (status == ISA_OK) status = isa__table_copy(isa__table_of(self), &copy);
    if (status == ISA_OK) status = add_filtered(&next, &copy, set, contained);
    isa__table_clear(&copy);
    isa_object_release(set);
    return finish(self, version, &next, status);
}

static isa_status subtract(isa_id self, isa_sel sel, isa_id other)
{
    return filter(self, sel, other, false);
}

static isa_status intersect(isa_id self, isa_sel sel, isa_id other)
{
    return filter(self, sel, other, true);
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__set_add_asking(enum isa__box_class which)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_dealloc, (isa_imp)isa__table_dealloc, "v@:"},
        {&isa__sel_description, (isa_imp)describe_set, "i@:^@"},
        {&isa__sel_count, (isa_imp)set_count, "Q@:"},
        {&isa__sel_all_objects, (isa_imp)copy_objects, "i@:^@"},
        {&isa__sel_contains, (isa_imp)contains_object, "B@:@"},
        {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
    };
    isa_status status = isa__collection_add_shared(which);
    if (status != ISA_OK) return status;
    return isa__box_add_methods(which, methods, ISA_COUNT_OF(methods));
}

isa_status isa__set_add_changing(enum isa__box_class which)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_add, (isa_imp)add_object, "i@:@"},
        {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
        {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"},
        {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
        {&isa__sel_unite, (isa_imp)unite, "i@:@"},
        {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
        {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
    };
    return isa__box_add_methods(which, methods, ISA_COUNT_OF(methods));
}

isa_status isa__sets_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_is_equal, (isa_imp)is_equal_set, "B@:@"},
    };
    size_t size = sizeof(struct isa__table_box);
    isa_status status = isa__box_class_make(ISA_BOX_SET, ISA_BOX_SET, "IsaSet", size);
    if (status == ISA_OK) status = isa__set_add_asking(ISA_BOX_SET);
    if (status == ISA_OK) status = isa__box_add_methods(ISA_BOX_SET, methods, 1);
    if (status == ISA_OK)
        status = isa__box_class_make(ISA_BOX_MUTABLE_SET, ISA_BOX_SET, "IsaMutableSet", size);
    return status == ISA_OK ? isa__set_add_changing(ISA_BOX_MUTABLE_SET) : status;
}
