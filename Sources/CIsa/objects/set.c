// Sets and ordered sets: instances of IsaSet and IsaOrderedSet, and of the two below them that
// answer the messages that change them. An ordered set is a set, whose table is in an order anyway,
// with the messages of arrays beside the messages of sets.
//
// Owns:      a set's table owns a reference to each object.
// Locks:     none.
// Invariant: a change of many objects works on a copy of the table and commits it whole, so that
//            neither a failure nor an object's own code sees half a change.
#include "../base/status.h"
#include "../model/selector.h"
#include "collection.h"

// ---- ask ----------------------------------------------------------------------------------------

static isa_status copy_objects(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return isa__table_copy_column(isa__table_of(self), true, out);
}

static isa_status copy_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    (void)sel;
    size_t at;
    const struct isa__table *table = isa__table_of(self);
    isa_status status = isa__table_find_key(table, object, &at);
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
    if (!isa__collection_matches(self, other)) return false;
    if (isa__collection_gather(self, &objects) != ISA_OK) return false;
    bool equal = true;
    for (size_t i = 0; i < objects.count && equal; i++)
        equal = kvc_collection_contains(other, objects.items[i]);
    isa__collection_let_go(&objects);
    return equal;
}

static isa_status object_at_index(isa_id self, isa_sel sel, uint64_t index, isa_id *out)
{
    const struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, table->count);
    if (status == ISA_OK) *out = isa_object_retain(table->entries[index].key);
    return status;
}

static uint64_t index_of_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    size_t at;
    isa_status status = isa__table_find_key(isa__table_of(self), object, &at);
    return status == ISA_OK ? at : KVC_NOT_FOUND;
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
    size_t at;
    struct isa__table *table = isa__table_of(self);
    isa_status status = isa__table_find_key(table, object, &at);
    if (status != ISA_OK || at == KVC_NOT_FOUND) return status;
    bool ordered = kvc_kind_of(self) == KVC_KIND_ORDERED_SET;
    isa_object_release(isa__table_take(table, at, ordered).key);
    return ISA_OK;
}

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

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status
                            : insert_new(self, sel, isa__table_of(self), object,
                                         isa__index_narrowed(index));
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, uint64_t index)
{
    struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, table->count);
    if (status == ISA_OK) isa_object_release(isa__table_take(table, index, true).key);
    return status;
}

static isa_status replace_object(isa_id self, isa_sel sel, uint64_t index, isa_id object)
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

// Commits `next` as the set's table unless `status` is a failure; ends it either way.
static isa_status finish(isa_id self, uint64_t version, struct isa__table *next, isa_status status)
{
    if (status == ISA_OK) status = isa__table_commit(isa__table_of(self), version, next);
    isa__table_clear(next);
    return status;
}

static isa_status fill(struct isa__table *table, const isa_id *objects, size_t count)
{
    isa_status status = ISA_OK;
    size_t at;
    for (size_t i = 0; i < count && status == ISA_OK; i++)
        status = isa__table_add(table, objects[i], NULL, &at);
    return status;
}

isa_status isa__set_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out)
{
    isa_id made;
    isa_status status = isa_object_allocate(cls, &made);
    if (status != ISA_OK) return status;
    status = fill(isa__table_of(made), objects, count);
    return isa__object_hand_over(status, made, out);
}

// Gives the set the objects of `other`, beside its own if it keeps those.
static isa_status take_objects(isa_id self, isa_sel sel, isa_id other, bool keeps)
{
    struct isa__table next = {0};
    struct isa__array objects = {0};
    uint64_t version = isa__table_of(self)->version;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK && keeps) status = isa__table_copy(isa__table_of(self), &next);
    if (status == ISA_OK) status = isa__collection_gather(other, &objects);
    if (status == ISA_OK) status = fill(&next, (const isa_id *)objects.items, objects.count);
    isa__collection_let_go(&objects);
    return finish(self, version, &next, status);
}

static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    return take_objects(self, sel, other, true);
}

static isa_status set_set(isa_id self, isa_sel sel, isa_id other)
{
    return take_objects(self, sel, other, false);
}

// Adds to `next` the objects of `copy` that `set` contains, or the objects that it does not.
static isa_status add_filtered(struct isa__table *next, const struct isa__table *copy, isa_id set,
                               bool contained)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < copy->count && status == ISA_OK; i++)
        if (kvc_collection_contains(set, copy->entries[i].key) == contained)
            status = isa__table_insert(next, next->count, copy->entries[i]);
    return status;
}

// Keeps the objects that `other` contains, or the objects that it does not. An array is searched as
// a set.
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

// ---- change at indexes --------------------------------------------------------------------------

// The set's table without the entries at `indexes`.
static isa_status copy_without(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                               struct isa__table *out)
{
    const struct isa__table *table = isa__table_of(self);
    isa_status status = isa__collection_check_indexes(self, sel, indexes, table->count);
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

// Inserts the objects at `indexes`, or puts them in the place of the objects that are there.
static isa_status put_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                              isa_id objects, bool replaces)
{
    struct isa__table next = {0}, *table = isa__table_of(self);
    struct isa__array added = {0};
    uint64_t version = table->version;
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &added);
    if (status == ISA_OK && replaces) status = copy_without(self, sel, indexes, &next);
    if (status == ISA_OK && !replaces)
        status = isa__collection_check_indexes(self, sel, indexes, table->count + added.count);
    if (status == ISA_OK && !replaces) status = isa__table_copy(table, &next);
    if (status == ISA_OK) status = insert_each(self, sel, &next, &added, indexes);
    status = finish(self, version, &next, status);
    isa__collection_let_go(&added);
    return status;
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    return put_objects(self, sel, indexes, objects, false);
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    return put_objects(self, sel, indexes, objects, true);
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    struct isa__table next = {0};
    uint64_t version = isa__table_of(self)->version;
    return finish(self, version, &next, copy_without(self, sel, indexes, &next));
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method asking[] = {
    {&isa__sel_dealloc, (isa_imp)isa__table_dealloc, "v@:"},
    {&isa__sel_count, (isa_imp)isa__table_count, "Q@:"},
    {&isa__sel_all_objects, (isa_imp)copy_objects, "i@:^@"},
    {&isa__sel_contains, (isa_imp)contains_object, "B@:@"},
    {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
};

static const struct isa__box_method asking_set[] = {
    {&isa__sel_is_equal, (isa_imp)is_equal_set, "B@:@"},
};

static const struct isa__box_method asking_ordered_set[] = {
    {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
    {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
};

static const struct isa__box_method changing[] = {
    {&isa__sel_add, (isa_imp)add_object, "i@:@"},
    {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
    {&isa__sel_remove_all, (isa_imp)isa__table_remove_all, "i@:"},
    {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
    {&isa__sel_unite, (isa_imp)unite, "i@:@"},
    {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
    {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
};

static const struct isa__box_method changing_ordered_set[] = {
    {&isa__sel_insert, (isa_imp)insert_object, "i@:@Q"},
    {&isa__sel_remove_at, (isa_imp)remove_object_at_index, "i@:Q"},
    {&isa__sel_replace, (isa_imp)replace_object, "i@:Q@"},
    {&isa__sel_insert_many, (isa_imp)insert_objects, "i@:@" ISA_INDEXES},
    {&isa__sel_remove_many, (isa_imp)remove_objects, "i@:" ISA_INDEXES},
    {&isa__sel_replace_many, (isa_imp)replace_objects, "i@:" ISA_INDEXES "@"},
};

const struct isa__library_class isa__set_classes[4] = {
    {&isa__box_classes[ISA_BOX_ORDERED_SET], "IsaOrderedSet", NULL, KVC_KIND_ORDERED_SET,
     sizeof(struct isa__table_box),
     {ISA_LIST_OF(isa__collection_methods), ISA_LIST_OF(isa__ordered_methods), ISA_LIST_OF(asking),
      ISA_LIST_OF(asking_ordered_set)}},
    {&isa__box_classes[ISA_BOX_MUTABLE_ORDERED_SET], "IsaMutableOrderedSet",
     &isa__box_classes[ISA_BOX_ORDERED_SET], KVC_KIND_ORDERED_SET, sizeof(struct isa__table_box),
     {ISA_LIST_OF(changing), ISA_LIST_OF(changing_ordered_set)}},
    {&isa__box_classes[ISA_BOX_SET], "IsaSet", NULL, KVC_KIND_SET, sizeof(struct isa__table_box),
     {ISA_LIST_OF(isa__collection_methods), ISA_LIST_OF(asking), ISA_LIST_OF(asking_set)}},
    {&isa__box_classes[ISA_BOX_MUTABLE_SET], "IsaMutableSet", &isa__box_classes[ISA_BOX_SET],
     KVC_KIND_SET, sizeof(struct isa__table_box), {ISA_LIST_OF(changing)}},
};
