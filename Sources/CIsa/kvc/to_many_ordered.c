// Proxies that change an ordered key: arrays and ordered sets.
//
// Owns:      nothing beyond what each message has retained.
// Locks:     none; everything here may run user code.
// Invariant: an ordered set is never asked to take an object that it has.
#include "../base/alloc.h"
#include "../base/status.h"
#include "boxed_array.h"
#include "collection.h"
#include "element_call.h"
#include "to_many.h"

static bool keeps_unique(isa_id self)
{
    return kvc_kind_of(self) == KVC_KIND_ORDERED_SET;
}

static kvc_index_set range_set(kvc_range *range)
{
    return (kvc_index_set){.ranges = range, .range_count = range->count > 0, .count = range->count};
}

// ---- ask ----------------------------------------------------------------------------------------

static isa_status object_at_index(isa_id self, isa_sel sel, size_t index, isa_id *out)
{
    isa_id container;
    isa_status status = isa__to_many_open(self, sel, &container);
    if (status != ISA_OK) return status;
    status = container == NULL ? isa__collection_check_index(self, sel, index, 0)
                               : kvc_ordered_copy_object(container, index, out);
    isa__to_many_close(container);
    return status;
}

static size_t index_of_object(isa_id self, isa_sel sel, isa_id object)
{
    isa_id container;
    if (isa__to_many_open(self, sel, &container) != ISA_OK) return KVC_NOT_FOUND;
    size_t index = kvc_ordered_index_of(container, object);
    isa__to_many_close(container);
    return index;
}

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

// ---- by accessors -------------------------------------------------------------------------------

static isa_status send_insert(const struct isa__edit *edit, isa_id object, size_t index)
{
    union isa__element_value arguments[] = {{.object = object}, {.index = index}};
    return isa__edit_send(edit, ISA_MUTATOR_INSERT, "v@Q", arguments);
}

static isa_status send_insert_many(const struct isa__edit *edit, isa_id objects)
{
    union isa__element_value arguments[] = {{.object = objects},
                                            {.pointer = edit->change.indexes}};
    return isa__edit_send(edit, ISA_MUTATOR_INSERT_MANY, "v@^", arguments);
}

static isa_status send_remove(const struct isa__edit *edit, size_t index)
{
    return isa__edit_send(edit, ISA_MUTATOR_REMOVE_AT, "vQ",
                          &(union isa__element_value){.index = index});
}

static isa_status send_replace(const struct isa__edit *edit, size_t index, isa_id object)
{
    union isa__element_value arguments[] = {{.index = index}, {.object = object}};
    return isa__edit_send(edit, ISA_MUTATOR_REPLACE, "vQ@", arguments);
}

static isa_status send_replace_many(const struct isa__edit *edit, isa_id objects)
{
    union isa__element_value arguments[] = {{.pointer = edit->change.indexes},
                                            {.object = objects}};
    return isa__edit_send(edit, ISA_MUTATOR_REPLACE_MANY, "v^@", arguments);
}

// Sends one object after the other.
static isa_status send_each(const struct isa__edit *edit, bool replaces)
{
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    size_t index;
    for (size_t i = 0; kvc_index_set_next(edit->change.indexes, &walk, &index); i++) {
        isa_id object;
        status = kvc_ordered_copy_object(edit->objects, i, &object);
        if (status != ISA_OK) break;
        status = replaces ? send_replace(edit, index, object) : send_insert(edit, object, index);
        isa_object_release(object);
        if (status != ISA_OK) break;
    }
    return status;
}

// Calls `send` with the edit's objects, or its one object, as an array.
static isa_status send_as_array(const struct isa__edit *edit,
                                isa_status (*send)(const struct isa__edit *, isa_id))
{
    if (edit->objects != NULL) return send(edit, edit->objects);
    isa_id objects;
    isa_status status = kvc_array_make(&edit->object, 1, &objects);
    if (status != ISA_OK) return status;
    status = send(edit, objects);
    isa_object_release(objects);
    return status;
}

static isa_status insert_by_accessors(const struct isa__edit *edit)
{
    bool many = edit->objects != NULL;
    if (isa__edit_has(edit, many ? ISA_MUTATOR_INSERT_MANY : ISA_MUTATOR_INSERT))
        return many ? send_insert_many(edit, edit->objects)
                    : send_insert(edit, edit->object, edit->index);
    return many ? send_each(edit, false) : send_as_array(edit, send_insert_many);
}

static isa_status remove_many_by_accessors(const struct isa__edit *edit)
{
    const kvc_index_set *indexes = edit->change.indexes;
    if (isa__edit_has(edit, ISA_MUTATOR_REMOVE_MANY))
        return isa__edit_send(edit, ISA_MUTATOR_REMOVE_MANY, "v^",
                              &(union isa__element_value){.pointer = indexes});
    isa_status status = ISA_OK;
    // From the end, so that what is removed moves nothing that is still to go.
    for (size_t r = indexes->range_count; r-- > 0;)
        for (size_t i = indexes->ranges[r].count; i-- > 0 && status == ISA_OK;)
            status = send_remove(edit, indexes->ranges[r].start + i);
    return status;
}

static isa_status remove_by_accessors(const struct isa__edit *edit)
{
    bool many = edit->change.indexes != &edit->indexes;
    return !many && isa__edit_has(edit, ISA_MUTATOR_REMOVE_AT) ? send_remove(edit, edit->index)
                                                               : remove_many_by_accessors(edit);
}

// An ordered set's objects must not be replaced one by one: one that takes another's place would be
// there twice meanwhile.
static isa_status replace_by_accessors(const struct isa__edit *edit)
{
    bool many = edit->objects != NULL;
    bool has_one = isa__edit_has(edit, ISA_MUTATOR_REPLACE);
    if (!many && has_one) return send_replace(edit, edit->index, edit->object);
    if (isa__edit_has(edit, ISA_MUTATOR_REPLACE_MANY))
        return send_as_array(edit, send_replace_many);
    if (has_one && !keeps_unique((isa_id)edit->proxy)) return send_each(edit, true);
    isa_status status = remove_by_accessors(edit);
    return status == ISA_OK ? insert_by_accessors(edit) : status;
}

static isa_status send_change(const struct isa__edit *edit)
{
    switch (edit->change.kind) {
    case ISA_CHANGE_INSERTION: return insert_by_accessors(edit);
    case ISA_CHANGE_REMOVAL: return remove_by_accessors(edit);
    default: return replace_by_accessors(edit);
    }
}

// ---- in a collection ----------------------------------------------------------------------------

static isa_status apply_change(const struct isa__edit *edit, isa_id collection)
{
    const kvc_index_set *indexes = edit->change.indexes;
    bool many = indexes != &edit->indexes;
    switch (edit->change.kind) {
    case ISA_CHANGE_INSERTION:
        return many ? kvc_ordered_insert_at(collection, edit->objects, indexes)
                    : kvc_ordered_insert(collection, edit->object, edit->index);
    case ISA_CHANGE_REMOVAL:
        return many ? kvc_ordered_remove_at(collection, indexes)
                    : kvc_ordered_remove(collection, edit->index);
    default:
        return many ? kvc_ordered_replace_at(collection, indexes, edit->objects)
                    : kvc_ordered_replace(collection, edit->index, edit->object);
    }
}

// ---- change one ---------------------------------------------------------------------------------

static isa_status commit(struct isa__edit *edit, int kind, const kvc_index_set *indexes,
                         isa_id objects)
{
    edit->change.kind = kind;
    edit->change.indexes = indexes;
    edit->objects = objects;
    edit->apply = apply_change;
    edit->send = send_change;
    return isa__edit_commit(edit);
}

static isa_status commit_one(struct isa__edit *edit, int kind, size_t index, isa_id object)
{
    edit->range = (kvc_range){.start = index, .count = 1};
    edit->indexes = range_set(&edit->range);
    edit->index = index;
    edit->object = object;
    return commit(edit, kind, &edit->indexes, NULL);
}

// Whether the last of the indexes is below the count, as far as that can be read.
static isa_status check_index(const struct isa__edit *edit, isa_sel sel, size_t last, size_t added)
{
    if (edit->status != ISA_OK) return ISA_OK;
    size_t count = kvc_collection_count(edit->container) + added;
    return last < count ? ISA_OK
                        : isa__collection_check_index((isa_id)edit->proxy, sel, last, count);
}

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, size_t index)
{
    struct isa__edit edit;
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 1);
    bool is_there = keeps_unique(self) && kvc_collection_contains(edit.container, object);
    if (status == ISA_OK && !is_there)
        status = commit_one(&edit, ISA_CHANGE_INSERTION, index, object);
    isa__edit_end(&edit);
    return status;
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, size_t index)
{
    struct isa__edit edit;
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 0);
    if (status == ISA_OK) status = commit_one(&edit, ISA_CHANGE_REMOVAL, index, NULL);
    isa__edit_end(&edit);
    return status;
}

// What an ordered set has elsewhere already does not come again: the object that would be replaced
// is removed.
static isa_status replace_object(isa_id self, isa_sel sel, size_t index, isa_id object)
{
    struct isa__edit edit;
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 0);
    size_t other = keeps_unique(self) ? kvc_ordered_index_of(edit.container, object)
                                      : KVC_NOT_FOUND;
    bool removes = other != KVC_NOT_FOUND && other != index;
    if (status == ISA_OK)
        status = commit_one(&edit, removes ? ISA_CHANGE_REMOVAL : ISA_CHANGE_REPLACEMENT, index,
                            object);
    isa__edit_end(&edit);
    return status;
}

static isa_status add_object(isa_id self, isa_sel sel, isa_id object)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status
                            : kvc_ordered_insert(self, object, kvc_collection_count(self));
}

static isa_status remove_from_ordered_set(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    size_t index = kvc_ordered_index_of(self, object);
    return index == KVC_NOT_FOUND ? ISA_OK : kvc_ordered_remove(self, index);
}

// ---- change many --------------------------------------------------------------------------------

// The objects of `other` as an array that does not change, as many as there are indexes.
static isa_status copy_list(isa_id self, isa_sel sel, isa_id other, const kvc_index_set *indexes,
                            isa_id *out)
{
    struct isa__array objects;
    isa_status status = isa__collection_gather_for(self, sel, other, indexes, &objects);
    if (status != ISA_OK) return status;
    status = kvc_array_make((const isa_id *)objects.items, objects.count, out);
    isa__collection_let_go(&objects);
    return status;
}

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

static isa_status insert_newcomers(struct isa__edit *edit, isa_id list,
                                   const kvc_index_set *indexes)
{
    struct newcomers new = {0};
    isa_status status = find_newcomers(edit, list, indexes, &new);
    if (status == ISA_OK && new.indexes.count > 0)
        status = commit(edit, ISA_CHANGE_INSERTION, &new.indexes, new.objects);
    end_newcomers(&new);
    return status;
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    struct isa__edit edit;
    isa_id list = NULL;
    isa_status status = copy_list(self, sel, objects, indexes, &list);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status == ISA_OK) {
        if (indexes->count > 0)
            status = check_index(&edit, sel, kvc_index_set_last(indexes), indexes->count);
        if (status == ISA_OK && indexes->count > 0)
            status = keeps_unique(self) ? insert_newcomers(&edit, list, indexes)
                                        : commit(&edit, ISA_CHANGE_INSERTION, indexes, list);
        isa__edit_end(&edit);
    }
    isa_object_release(list);
    return status;
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    struct isa__edit edit;
    if (indexes == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "*** -[%s %s]: index set cannot be nil",
                         isa__box_class_name(self), isa_sel_name(sel));
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    if (indexes->count > 0) {
        status = check_index(&edit, sel, kvc_index_set_last(indexes), 0);
        if (status == ISA_OK) status = commit(&edit, ISA_CHANGE_REMOVAL, indexes, NULL);
    }
    isa__edit_end(&edit);
    return status;
}

// Whether an ordered set will have all of the objects at these indexes: none is elsewhere in it, and
// no two are equal.
static isa_status can_take_all(const struct isa__edit *edit, isa_id list,
                               const kvc_index_set *indexes, bool *out)
{
    isa_id set;
    isa_status status = kvc_collection_make(KVC_KIND_ORDERED_SET, false, list, &set);
    if (status != ISA_OK) return status;
    *out = kvc_collection_count(set) == indexes->count;
    for (size_t i = 0; i < indexes->count && *out && status == ISA_OK; i++) {
        isa_id object;
        status = kvc_ordered_copy_object(list, i, &object);
        if (status != ISA_OK) break;
        size_t index = kvc_ordered_index_of(edit->container, object);
        *out = index == KVC_NOT_FOUND || kvc_index_set_contains(indexes, index);
        isa_object_release(object);
    }
    isa_object_release(set);
    return status;
}

// Replaces the objects; where an ordered set would not take them all, removes the old ones and
// inserts those that are new, which is two changes.
static isa_status replace_list(isa_id self, isa_sel sel, const kvc_index_set *indexes, isa_id list)
{
    struct isa__edit edit;
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    bool takes_all = true;
    if (indexes->count > 0) status = check_index(&edit, sel, kvc_index_set_last(indexes), 0);
    if (status == ISA_OK && keeps_unique(self))
        status = can_take_all(&edit, list, indexes, &takes_all);
    if (status == ISA_OK && takes_all && indexes->count > 0)
        status = commit(&edit, ISA_CHANGE_REPLACEMENT, indexes, list);
    isa__edit_end(&edit);
    if (status != ISA_OK || takes_all) return status;
    status = kvc_ordered_remove_at(self, indexes);
    return status == ISA_OK ? kvc_ordered_insert_at(self, list, indexes) : status;
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    isa_id list = NULL;
    isa_status status = copy_list(self, sel, objects, indexes, &list);
    if (status == ISA_OK) status = replace_list(self, sel, indexes, list);
    isa_object_release(list);
    return status;
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    kvc_range all = {.count = kvc_collection_count(self)};
    kvc_index_set indexes = range_set(&all);
    return kvc_ordered_remove_at(self, &indexes);
}

// ---- give other objects -------------------------------------------------------------------------

static isa_status insert_range(isa_id self, isa_id *objects, kvc_range range)
{
    isa_id list;
    isa_status status = kvc_array_make(objects, range.count, &list);
    if (status != ISA_OK) return status;
    kvc_index_set indexes = range_set(&range);
    status = kvc_ordered_insert_at(self, list, &indexes);
    isa_object_release(list);
    return status;
}

static isa_status replace_range(isa_id self, isa_id *objects, kvc_range range)
{
    isa_id list;
    isa_status status = kvc_array_make(objects, range.count, &list);
    if (status != ISA_OK) return status;
    kvc_index_set indexes = range_set(&range);
    status = kvc_ordered_replace_at(self, &indexes, list);
    isa_object_release(list);
    return status;
}

// Replaces what both have an index for, then inserts or removes the rest: at most two changes.
static isa_status set_array(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__collection_gather(other, &objects);
    if (status != ISA_OK) return status;
    size_t old = kvc_collection_count(self), new = objects.count;
    size_t both = old < new ? old : new;
    isa_id *items = (isa_id *)objects.items;
    status = replace_range(self, items, (kvc_range){.count = both});
    if (status == ISA_OK && new > both)
        status = insert_range(self, items + both, (kvc_range){both, new - both});
    kvc_range rest = {both, old - both};
    kvc_index_set indexes = range_set(&rest);
    if (status == ISA_OK && rest.count > 0) status = kvc_ordered_remove_at(self, &indexes);
    isa__collection_let_go(&objects);
    return status;
}

// Adds the objects at the end, those that are there already excepted.
static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__collection_gather(other, &objects);
    if (status != ISA_OK) return status;
    kvc_range end = {kvc_collection_count(self), objects.count};
    status = insert_range(self, (isa_id *)objects.items, end);
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
        status = insert_range(self, (isa_id *)objects.items, (kvc_range){.count = objects.count});
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

// ---- start --------------------------------------------------------------------------------------

#define ORDERED_METHODS \
    {&isa__sel_count, (isa_imp)isa__to_many_count, "Q@:"}, \
        {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"}, \
        {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"}, \
        {&isa__sel_insert, (isa_imp)insert_object, "i@:@Q"}, \
        {&isa__sel_remove_at, (isa_imp)remove_object_at_index, "i@:Q"}, \
        {&isa__sel_replace, (isa_imp)replace_object, "i@:Q@"}, \
        {&isa__sel_insert_many, (isa_imp)insert_objects, "i@:@" ISA_INDEXES}, \
        {&isa__sel_remove_many, (isa_imp)remove_objects, "i@:" ISA_INDEXES}, \
        {&isa__sel_replace_many, (isa_imp)replace_objects, "i@:" ISA_INDEXES "@"}, \
        {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"}

isa_status isa__to_many_ordered_start(void)
{
    static const struct isa__box_method array[] = {
        ORDERED_METHODS,
        {&isa__sel_set_array, (isa_imp)set_array, "i@:@"},
    };
    static const struct isa__box_method ordered_set[] = {
        ORDERED_METHODS,
        {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
        {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
        {&isa__sel_add, (isa_imp)add_object, "i@:@"},
        {&isa__sel_remove, (isa_imp)remove_from_ordered_set, "i@:@"},
        {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
        {&isa__sel_unite, (isa_imp)unite, "i@:@"},
        {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
        {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
    };
    size_t size = sizeof(struct isa__to_many);
    isa_status status = isa__proxy_class_make(KVC_KIND_ARRAY, true, "IsaKeyValueMutableArray", size,
                                              array, ISA_COUNT_OF(array));
    if (status != ISA_OK) return status;
    return isa__proxy_class_make(KVC_KIND_ORDERED_SET, true, "IsaKeyValueMutableOrderedSet", size,
                                 ordered_set, ISA_COUNT_OF(ordered_set));
}
