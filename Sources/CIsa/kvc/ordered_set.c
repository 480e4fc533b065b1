// Ordered sets: instances of IsaOrderedSet and IsaMutableOrderedSet. A set's table, which is in an
// order anyway, with the messages of arrays beside those of sets.
//
// Owns:      an ordered set's table owns a reference to each object.
// Locks:     none.
// Invariant: no two objects are equal; one that is there already is not inserted again.
#include "ordered_set.h"

#include "../base/status.h"
#include "../model/selector.h"
#include "boxed_array.h"
#include "collection.h"
#include "set.h"

// ---- ask ----------------------------------------------------------------------------------------

static isa_status object_at_index(isa_id self, isa_sel sel, size_t index, isa_id *out)
{
    const struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, table->count);
    if (status == ISA_OK) *out = isa_object_retain(table->entries[index].key);
    return status;
}

static size_t index_of_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    size_t at = KVC_NOT_FOUND;
    if (object == NULL) return at;
    isa_status status = isa__table_find(isa__table_of(self), object, kvc_hash(object), &at);
    return status == ISA_OK ? at : KVC_NOT_FOUND;
}

// ---- change one ---------------------------------------------------------------------------------

// Inserts unless an equal object is there.
static isa_status insert_new(isa_id self, isa_sel sel, struct isa__table *table, isa_id object,
                             size_t index)
{
    size_t at;
    struct isa__entry entry = {.key = object, .hash = kvc_hash(object)};
    isa_status status = isa__table_find(table, object, entry.hash, &at);
    if (status == ISA_OK && index != table->count)
        status = isa__collection_check_index(self, sel, index, table->count);
    if (status != ISA_OK || at != KVC_NOT_FOUND) return status;
    return isa__table_insert(table, index, entry);
}

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, size_t index)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status
                            : insert_new(self, sel, isa__table_of(self), object, index);
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, size_t index)
{
    struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, table->count);
    if (status == ISA_OK) isa_object_release(isa__table_take(table, index, true).key);
    return status;
}

static isa_status replace_object(isa_id self, isa_sel sel, size_t index, isa_id object)
{
    struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status != ISA_OK) return status;
    size_t at, hash = kvc_hash(object);
    status = isa__table_find(table, object, hash, &at);
    if (status == ISA_OK) status = isa__collection_check_index(self, sel, index, table->count);
    if (status != ISA_OK) return status;
    bool elsewhere = at != KVC_NOT_FOUND && at != index;
    isa_object_release(elsewhere ? isa__table_take(table, index, true).key
                                 : isa__table_exchange_key(table, index, object, hash));
    return ISA_OK;
}

// ---- change many --------------------------------------------------------------------------------

// The set's table without the entries at `indexes`.
static isa_status copy_without(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                               struct isa__table *out)
{
    const struct isa__table *table = isa__table_of(self);
    isa_status status = ISA_OK;
    if (indexes == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "*** -[%s %s]: index set cannot be nil",
                         isa__box_class_name(self), isa_sel_name(sel));
    if (indexes->count > 0)
        status = isa__collection_check_index(self, sel, kvc_index_set_last(indexes), table->count);
    for (size_t i = 0; i < table->count && status == ISA_OK; i++)
        if (!kvc_index_set_contains(indexes, i))
            status = isa__table_insert(out, out->count, table->entries[i]);
    return status;
}

// Inserts each object at its index, or at the end where objects that were there already have left
// it beyond that.
static isa_status insert_each(isa_id self, isa_sel sel, struct isa__table *table,
                              const struct isa__array *objects, const kvc_index_set *indexes)
{
    isa_status status = ISA_OK;
    kvc_index_walk walk = {0};
    size_t index;
    for (size_t i = 0; status == ISA_OK && kvc_index_set_next(indexes, &walk, &index); i++)
        status = insert_new(self, sel, table, objects->items[i],
                            index < table->count ? index : table->count);
    return status;
}

// Commits `next` unless `status` is a failure; ends it and the objects either way.
static isa_status finish(isa_id self, uint64_t version, struct isa__table *next,
                         struct isa__array *objects, isa_status status)
{
    if (status == ISA_OK) status = isa__table_commit(isa__table_of(self), version, next);
    isa__table_clear(next);
    isa__collection_let_go(objects);
    return status;
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    struct isa__table next = {0}, *table = isa__table_of(self);
    struct isa__array added = {0};
    uint64_t version = table->version;
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &added);
    if (status == ISA_OK && added.count > 0)
        status = isa__collection_check_index(self, sel, kvc_index_set_last(indexes),
                                             table->count + added.count);
    if (status == ISA_OK) status = isa__table_copy(table, &next);
    if (status == ISA_OK) status = insert_each(self, sel, &next, &added, indexes);
    return finish(self, version, &next, &added, status);
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    struct isa__table next = {0};
    struct isa__array none = {0};
    uint64_t version = isa__table_of(self)->version;
    isa_status status = copy_without(self, sel, indexes, &next);
    return finish(self, version, &next, &none, status);
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    struct isa__table next = {0};
    struct isa__array added = {0};
    uint64_t version = isa__table_of(self)->version;
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &added);
    if (status == ISA_OK) status = copy_without(self, sel, indexes, &next);
    if (status == ISA_OK) status = insert_each(self, sel, &next, &added, indexes);
    return finish(self, version, &next, &added, status);
}

// ---- start --------------------------------------------------------------------------------------

static isa_status start_mutable(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_insert, (isa_imp)insert_object, "i@:@Q"},
        {&isa__sel_remove_at, (isa_imp)remove_object_at_index, "i@:Q"},
        {&isa__sel_replace, (isa_imp)replace_object, "i@:Q@"},
        {&isa__sel_insert_many, (isa_imp)insert_objects, "i@:@" ISA_INDEXES},
        {&isa__sel_remove_many, (isa_imp)remove_objects, "i@:" ISA_INDEXES},
        {&isa__sel_replace_many, (isa_imp)replace_objects, "i@:" ISA_INDEXES "@"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_MUTABLE_ORDERED_SET, ISA_BOX_ORDERED_SET,
                                            "IsaMutableOrderedSet", sizeof(struct isa__table_box));
    if (status == ISA_OK) status = isa__set_add_changing(ISA_BOX_MUTABLE_ORDERED_SET);
    if (status != ISA_OK) return status;
    return isa__box_add_methods(ISA_BOX_MUTABLE_ORDERED_SET, methods, ISA_COUNT_OF(methods));
}

isa_status isa__ordered_sets_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_is_equal, (isa_imp)isa__ordered_is_equal, "B@:@"},
        {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
        {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_ORDERED_SET, ISA_BOX_ORDERED_SET,
                                            "IsaOrderedSet", sizeof(struct isa__table_box));
    if (status == ISA_OK) status = isa__set_add_asking(ISA_BOX_ORDERED_SET);
    if (status == ISA_OK)
        status = isa__box_add_methods(ISA_BOX_ORDERED_SET, methods, ISA_COUNT_OF(methods));
    return status == ISA_OK ? start_mutable() : status;
}
