// Proxies of ordered sets: what they do not share with arrays.
//
// Owns:  nothing beyond what each message has retained.
// Locks: none; everything here may run user code.
#include "../base/alloc.h"
#include "../base/status.h"
#include "collection.h"
#include "ordered_edit.h"

// ---- what is new --------------------------------------------------------------------------------

// Those of the objects that an ordered set does not have yet, and where each will stand.
struct newcomers {
    isa_id objects; // an array
    kvc_index_set indexes;
};

static void end_newcomers(struct newcomers *new)
{
    isa_object_release(new->objects);
    kvc_index_set_destroy(&new->indexes);
}

// An object that comes later than others did not come stands at the end, where its index would lie
// beyond that.
static isa_status gather_newcomers(const struct isa__edit *edit, isa_id list,
                                   const kvc_index_set *indexes, isa_id set, size_t *places)
{
    size_t count = kvc_collection_count(edit->container), index;
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    for (size_t i = 0; status == ISA_OK && kvc_index_set_next(indexes, &walk, &index); i++) {
        isa_id object;
        size_t added = kvc_collection_count(set);
        status = kvc_ordered_copy_object(list, i, &object);
        if (status != ISA_OK) break;
        if (!kvc_collection_contains(edit->container, object))
            status = kvc_collection_add(set, object);
        bool bounded = edit->status == ISA_OK && index > count + added;
        places[added] = bounded ? count + added : index;
        isa_object_release(object);
    }
    return status;
}

static isa_status find_newcomers(const struct isa__edit *edit, isa_id list,
                                 const kvc_index_set *indexes, struct newcomers *out)
{
    isa_id set;
    size_t room = indexes->count * sizeof(size_t);
    isa_status status = kvc_mutable_ordered_set_make(NULL, 0, &set);
    if (status != ISA_OK) return status;
    size_t *places = isa__alloc(ISA_KIND_OTHER, room);
    if (places == NULL) status = isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for indexes");
    if (status == ISA_OK) status = gather_newcomers(edit, list, indexes, set, places);
    if (status == ISA_OK) status = kvc_collection_copy_objects(set, &out->objects);
    if (status == ISA_OK)
        status = kvc_index_set_make(places, kvc_collection_count(set), &out->indexes);
    isa__free(ISA_KIND_OTHER, places, room);
    isa_object_release(set);
    return status;
}

isa_status isa__ordered_insert_new(struct isa__edit *edit, isa_id objects,
                                   const kvc_index_set *indexes)
{
    struct newcomers new = {0};
    isa_status status = find_newcomers(edit, objects, indexes, &new);
    if (status == ISA_OK && new.indexes.count > 0)
        status = isa__ordered_commit(edit, ISA_CHANGE_INSERTION, &new.indexes, new.objects);
    end_newcomers(&new);
    return status;
}

isa_status isa__ordered_takes_all(const struct isa__edit *edit, isa_id objects,
                                  const kvc_index_set *indexes, bool *out)
{
    isa_id set;
    isa_status status = kvc_collection_make(KVC_KIND_ORDERED_SET, false, objects, &set);
    if (status != ISA_OK) return status;
    *out = kvc_collection_count(set) == indexes->count;
    for (size_t i = 0; i < indexes->count && *out && status == ISA_OK; i++) {
        isa_id object;
        status = kvc_ordered_copy_object(objects, i, &object);
        if (status != ISA_OK) break;
        size_t index = kvc_ordered_index_of(edit->container, object);
        *out = index == KVC_NOT_FOUND || kvc_index_set_contains(indexes, index);
        isa_object_release(object);
    }
    isa_object_release(set);
    return status;
}

// ---- one object ---------------------------------------------------------------------------------

static isa_status copy_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    isa_id container;
    isa_status status = isa__to_many_open(self, sel, &container);
    if (status != ISA_OK) return status;
    size_t index = kvc_ordered_index_of(container, object);
    *out = NULL;
    if (index != KVC_NOT_FOUND) status = kvc_ordered_copy_object(container, index, out);
    isa__to_many_close(container);
    return status;
}

static isa_status add_object(isa_id self, isa_sel sel, isa_id object)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status
                            : kvc_ordered_insert(self, object, kvc_collection_count(self));
}

static isa_status remove_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    size_t index = kvc_ordered_index_of(self, object);
    return index == KVC_NOT_FOUND ? ISA_OK : kvc_ordered_remove(self, index);
}

// ---- another collection -------------------------------------------------------------------------

// Adds the objects at the end, those that are there already excepted.
static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__collection_gather(other, &objects);
    if (status != ISA_OK) return status;
    kvc_range end = {kvc_collection_count(self), objects.count};
    status = isa__ordered_insert_range(self, (const isa_id *)objects.items, end);
    isa__collection_let_go(&objects);
    return status;
}

// Removes everything, then inserts what the other has: two changes.
static isa_status set_set(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__collection_gather(other, &objects);
    if (status != ISA_OK) return status;
    status = kvc_collection_remove_all(self);
    if (status == ISA_OK)
        status = isa__ordered_insert_range(self, (const isa_id *)objects.items,
                                           (kvc_range){.count = objects.count});
    isa__collection_let_go(&objects);
    return status;
}

// Writes the indexes of the objects that `set` contains, or of those that it does not; answers how
// many.
static size_t select_indexes(const struct isa__array *objects, isa_id set, bool contained,
                             size_t *indexes)
{
    size_t count = 0;
    for (size_t i = 0; i < objects->count; i++)
        if (kvc_collection_contains(set, objects->items[i]) == contained) indexes[count++] = i;
    return count;
}

static isa_status remove_selected(isa_id self, const struct isa__array *objects, isa_id set,
                                  bool contained)
{
    size_t room = (objects->count + 1) * sizeof(size_t);
    size_t *selected = isa__alloc(ISA_KIND_OTHER, room);
    if (selected == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for indexes");
    kvc_index_set indexes = {0};
    size_t count = select_indexes(objects, set, contained, selected);
    isa_status status = kvc_index_set_make(selected, count, &indexes);
    if (status == ISA_OK) status = kvc_ordered_remove_at(self, &indexes);
    kvc_index_set_destroy(&indexes);
    isa__free(ISA_KIND_OTHER, selected, room);
    return status;
}

// Removes the objects that `other` contains, or those that it does not.
static isa_status filter(isa_id self, isa_sel sel, isa_id other, bool contained)
{
    struct isa__array objects = {0};
    isa_id set = NULL;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = kvc_collection_make(KVC_KIND_SET, false, other, &set);
    if (status == ISA_OK) status = isa__collection_gather(self, &objects);
    if (status == ISA_OK) status = remove_selected(self, &objects, set, contained);
    isa__collection_let_go(&objects);
    isa_object_release(set);
    return status;
}

static isa_status subtract(isa_id self, isa_sel sel, isa_id other)
{
    return filter(self, sel, other, true);
}

static isa_status intersect(isa_id self, isa_sel sel, isa_id other)
{
    return filter(self, sel, other, false);
}

// ---- classes ------------------------------------------------------------------------------------

const struct isa__box_method isa__to_many_ordered_set_methods[8] = {
    {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
    {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
    {&isa__sel_add, (isa_imp)add_object, "i@:@"},
    {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
    {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
    {&isa__sel_unite, (isa_imp)unite, "i@:@"},
    {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
    {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
};
