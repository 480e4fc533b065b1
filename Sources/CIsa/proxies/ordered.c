// Proxies that change an ordered key: arrays and ordered sets.
//
// Owns:      nothing beyond what each message has retained.
// Locks:     none; everything here may run user code.
// Invariant: an ordered set is never asked to take an object that it has. A change of one object
//            goes to the accessor for one, of many objects to the accessor for many; the other
//            serves where a class lacks it.
#include "../base/alloc.h"
#include "../base/status.h"
#include "../objects/collection.h"
#include "proxy.h"

// Whether no two objects may be equal: by the proxy, or by the collection that changes, which
// accessors do not show.
static bool is_set(const struct isa__edit *edit)
{
    bool shows = edit->proxy->way.tier != ISA_TIER_ACCESSORS;
    return kvc_kind_of((isa_id)edit->proxy) == KVC_KIND_ORDERED_SET ||
           (shows && kvc_kind_of(edit->container) == KVC_KIND_ORDERED_SET);
}

// The indexes of a range, which must outlive them.
static kvc_index_set indexes_of(kvc_range *range)
{
    return (kvc_index_set){.ranges = range, .range_count = range->count > 0, .count = range->count};
}

// ---- by accessors -------------------------------------------------------------------------------

static isa_status call_one(const struct isa__edit *edit, int kind, size_t index, isa_id object)
{
    return isa__edit_send(edit, isa__mutator_for(kind, false),
                          &(struct isa__accessor_arguments){.object = object, .index = index});
}

static isa_status call_many(const struct isa__edit *edit, int kind)
{
    struct isa__accessor_arguments arguments = {.object = edit->objects,
                                                .pointer = edit->change.indexes};
    isa_id objects = NULL;
    isa_status status = ISA_OK;
    if (edit->objects == NULL && kind != ISA_CHANGE_REMOVAL)
        status = kvc_array_make(&edit->object, 1, &objects);
    if (objects != NULL) arguments.object = objects;
    if (status == ISA_OK) status = isa__edit_send(edit, isa__mutator_for(kind, true), &arguments);
    isa_object_release(objects);
    return status;
}

// From the end, so that what is removed moves nothing that is still to go.
static isa_status remove_each(const struct isa__edit *edit)
{
    const kvc_index_set *indexes = edit->change.indexes;
    isa_status status = ISA_OK;
    for (size_t r = indexes->range_count; r-- > 0;)
        for (size_t i = indexes->ranges[r].count; i-- > 0 && status == ISA_OK;)
            status = call_one(edit, ISA_CHANGE_REMOVAL, indexes->ranges[r].start + i, NULL);
    return status;
}

static isa_status put_each(const struct isa__edit *edit, int kind)
{
    const struct isa__array *objects = isa__array_items(edit->objects);
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    size_t index;
    for (size_t i = 0;
         status == ISA_OK && kvc_index_set_next(edit->change.indexes, &walk, &index); i++)
        status = call_one(edit, kind, index, objects->items[i]);
    return status;
}

// An ordered set's objects must not be replaced one by one: an object that takes another's place
// would be there twice meanwhile.
static isa_status change_by_accessors(const struct isa__edit *edit, int kind)
{
    bool many = edit->change.indexes != &edit->indexes;
    bool has_one = isa__edit_has(edit, isa__mutator_for(kind, false));
    if (has_one && !many) return call_one(edit, kind, edit->index, edit->object);
    if (isa__edit_has(edit, isa__mutator_for(kind, true))) return call_many(edit, kind);
    if (kind == ISA_CHANGE_REMOVAL) return remove_each(edit);
    if (kind == ISA_CHANGE_INSERTION || (has_one && !is_set(edit))) return put_each(edit, kind);
    isa_status status = change_by_accessors(edit, ISA_CHANGE_REMOVAL);
    return status == ISA_OK ? change_by_accessors(edit, ISA_CHANGE_INSERTION) : status;
}

static isa_status send_change(const struct isa__edit *edit)
{
    return change_by_accessors(edit, edit->change.kind);
}

// ---- in a collection ----------------------------------------------------------------------------

static isa_status apply_change(const struct isa__edit *edit, isa_id collection)
{
    const kvc_index_set *indexes = edit->change.indexes;
    bool many = indexes != &edit->indexes;
    switch (edit->change.kind) {
    case ISA_CHANGE_INSERTION:
        return many ? kvc_ordered_insert_many(collection, edit->objects, indexes)
                    : kvc_ordered_insert(collection, edit->object, edit->index);
    case ISA_CHANGE_REMOVAL:
        return many ? kvc_ordered_remove_many(collection, indexes)
                    : kvc_ordered_remove(collection, edit->index);
    default:
        return many ? kvc_ordered_replace_many(collection, indexes, edit->objects)
                    : kvc_ordered_replace(collection, edit->index, edit->object);
    }
}

// ---- commit -------------------------------------------------------------------------------------

// Announces and makes a change of many objects: of `kind`, at `indexes`, by an array of as many
// (NULL for a removal).
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
    edit->indexes = indexes_of(&edit->range);
    edit->index = index;
    edit->object = object;
    return commit(edit, kind, &edit->indexes, NULL);
}

// Whether the last of the indexes is below the count, as far as that can be read.
static isa_status check_index(const struct isa__edit *edit, isa_sel sel, size_t last, size_t added)
{
    if (edit->status != ISA_OK) return ISA_OK;
    size_t count = kvc_collection_count(edit->container) + added;
    return isa__collection_check_index((isa_id)edit->proxy, sel, last, count);
}

// ---- ask ----------------------------------------------------------------------------------------

static isa_status object_at_index(isa_id self, isa_sel sel, uint64_t index, isa_id *out)
{
    isa_id container;
    isa_status status = isa__to_many_open(self, sel, &container);
    if (status != ISA_OK) return status;
    status = container == NULL
                 ? isa__collection_check_index(self, sel, index, 0)
                 : kvc_ordered_copy_object(container, isa__index_narrowed(index), out);
    isa__to_many_close(container);
    return status;
}

static uint64_t index_of_object(isa_id self, isa_sel sel, isa_id object)
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

// ---- change one ---------------------------------------------------------------------------------

// The long way of a change whose index has been checked.
ISA_OUTLINE isa_status commit_checked(struct isa__to_many *proxy, int kind, size_t index,
                                      isa_id object)
{
    struct isa__edit edit = {.proxy = proxy, .change.key = proxy->head.key};
    if (isa__to_many_is_known(proxy)) edit.change.shortcut = &proxy->way.shortcut;
    return commit_one(&edit, kind, index, object);
}

// Whether the proxy has a shortcut for the edit.
ISA_INLINE bool has_shortcut(isa_id self, int kind)
{
    struct isa__to_many *proxy = (struct isa__to_many *)self;
    return isa__to_many_has_shortcut(proxy) &&
           isa__shortcut_edit(&proxy->way.shortcut, kind)->imp != NULL;
}

// Takes it.
ISA_INLINE isa_status edit_shortly(isa_id self, isa_sel sel, int kind, size_t index, isa_id item)
{
    struct isa__to_many *proxy = (struct isa__to_many *)self;
    struct isa__thread *thread = isa__thread_get();
    isa_id object = proxy->head.object;
    isa_status status = isa__proxy_enter(thread, self, sel);
    if (status != ISA_OK) return status;
    struct isa__one_change change = {&proxy->way.shortcut, index, item};
    size_t count = isa__shortcut_count(change.shortcut, object) + (kind == ISA_CHANGE_INSERTION);
    if (ISA_UNLIKELY(index >= count)) status = isa__collection_check_index(self, sel, index, count);
    else if (ISA_UNLIKELY(!isa__to_many_is_known(proxy)) ||
             !isa__coding_hooks.change_one[kind - ISA_CHANGE_INSERTION](object, &change))
        status = commit_checked(proxy, kind, index, item);
    isa__proxy_leave(thread);
    return status;
}

// An ordered set does not take what it has: such an object is not inserted, and where it would
// replace another, that one is removed.
ISA_OUTLINE isa_status edit_at_length(isa_id self, isa_sel sel, int kind, size_t index,
                                      isa_id object)
{
    struct isa__edit edit;
    bool removes = kind == ISA_CHANGE_REMOVAL, inserts = kind == ISA_CHANGE_INSERTION;
    isa_status status = removes ? ISA_OK : isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, inserts);
    bool set = !removes && is_set(&edit);
    bool is_there = set && inserts && kvc_collection_contains(edit.container, object);
    size_t other = set && !inserts ? kvc_ordered_index_of(edit.container, object) : KVC_NOT_FOUND;
    if (other != KVC_NOT_FOUND && other != index) kind = ISA_CHANGE_REMOVAL;
    if (status == ISA_OK && !is_there) status = commit_one(&edit, kind, index, object);
    isa__edit_end(&edit);
    return status;
}

ISA_INLINE isa_status edit_one(isa_id self, isa_sel sel, int kind, size_t index, isa_id object)
{
    bool complete = object != NULL || kind == ISA_CHANGE_REMOVAL;
    return complete && has_shortcut(self, kind) ? edit_shortly(self, sel, kind, index, object)
                                                : edit_at_length(self, sel, kind, index, object);
}

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    return edit_one(self, sel, ISA_CHANGE_INSERTION, isa__index_narrowed(index), object);
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, uint64_t index)
{
    return edit_one(self, sel, ISA_CHANGE_REMOVAL, isa__index_narrowed(index), NULL);
}

static isa_status replace_object(isa_id self, isa_sel sel, uint64_t index, isa_id object)
{
    return edit_one(self, sel, ISA_CHANGE_REPLACEMENT, isa__index_narrowed(index), object);
}

static isa_status remove_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    size_t index = kvc_ordered_index_of(self, object);
    return index == KVC_NOT_FOUND ? ISA_OK : kvc_ordered_remove(self, index);
}

// ---- change many --------------------------------------------------------------------------------

static isa_status allocate_indexes(size_t count, size_t **out)
{
    *out = isa__alloc(ISA_KIND_OTHER, count * sizeof **out);
    return *out != NULL ? ISA_OK : isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for indexes");
}

static void free_indexes(size_t *indexes, size_t count)
{
    isa__free(ISA_KIND_OTHER, indexes, count * sizeof *indexes);
}

// Adds those objects of the list that an ordered set does not have yet to `set`, and writes where
// each will stand. An object that comes later than others did not come stands at the end, where its
// index would lie beyond that.
static isa_status gather_newcomers(const struct isa__edit *edit, isa_id list,
                                   const kvc_index_set *indexes, isa_id set, size_t *places)
{
    size_t count = kvc_collection_count(edit->container), index;
    const struct isa__array *objects = isa__array_items(list);
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    for (size_t i = 0; status == ISA_OK && kvc_index_set_next(indexes, &walk, &index); i++) {
        isa_id object = objects->items[i];
        size_t added = kvc_collection_count(set);
        if (!kvc_collection_contains(edit->container, object))
            status = kvc_collection_add(set, object);
        bool bounded = edit->status == ISA_OK && index > count + added;
        places[added] = bounded ? count + added : index;
    }
    return status;
}

// Of an ordered set: inserts the objects that it does not have yet, each at its index or, where
// that lies beyond the end because others did not come, at the end.
static isa_status insert_new(struct isa__edit *edit, isa_id list, const kvc_index_set *indexes)
{
    isa_id set = NULL, objects = NULL;
    kvc_index_set where = {0};
    size_t *places;
    isa_status status = allocate_indexes(indexes->count, &places);
    if (status == ISA_OK) status = kvc_mutable_ordered_set_make(NULL, 0, &set);
    if (status == ISA_OK) status = gather_newcomers(edit, list, indexes, set, places);
    if (status == ISA_OK) status = kvc_collection_copy_objects(set, &objects);
    if (status == ISA_OK) status = kvc_index_set_make(places, kvc_collection_count(set), &where);
    if (status == ISA_OK && where.count > 0)
        status = commit(edit, ISA_CHANGE_INSERTION, &where, objects);
    free_indexes(places, indexes->count);
    kvc_index_set_destroy(&where);
    isa_object_release(objects);
    isa_object_release(set);
    return status;
}

// Whether an ordered set would have all of the objects in the place of those at `indexes`: no two
// are equal, and none is elsewhere in it.
static isa_status takes_all(const struct isa__edit *edit, isa_id list,
                            const kvc_index_set *indexes, bool *out)
{
    isa_id set;
    isa_status status = kvc_collection_make(KVC_KIND_ORDERED_SET, false, list, &set);
    if (status != ISA_OK) return status;
    *out = kvc_collection_count(set) == indexes->count;
    for (size_t i = 0; i < indexes->count && *out; i++) {
        size_t index = kvc_ordered_index_of(edit->container, isa__array_items(list)->items[i]);
        *out = index == KVC_NOT_FOUND || kvc_index_set_contains(indexes, index);
    }
    isa_object_release(set);
    return ISA_OK;
}

// Changes by a list of objects, NULL for a removal. Where an ordered set would not take them all in
// the place of others, it removes those and inserts what is new, which is two changes.
static isa_status edit_many(isa_id self, isa_sel sel, int kind, const kvc_index_set *indexes,
                            isa_id list)
{
    struct isa__edit edit;
    bool inserts = kind == ISA_CHANGE_INSERTION, fits = true;
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    if (indexes->count > 0)
        status = check_index(&edit, sel, kvc_index_set_last(indexes), inserts ? indexes->count : 0);
    bool set = list != NULL && is_set(&edit);
    if (status == ISA_OK && set && !inserts) status = takes_all(&edit, list, indexes, &fits);
    if (status == ISA_OK && fits && indexes->count > 0)
        status = set && inserts ? insert_new(&edit, list, indexes)
                                : commit(&edit, kind, indexes, list);
    isa__edit_end(&edit);
    if (status != ISA_OK || fits) return status;
    status = kvc_ordered_remove_many(self, indexes);
    return status == ISA_OK ? kvc_ordered_insert_many(self, list, indexes) : status;
}

static isa_status put_objects(isa_id self, isa_sel sel, int kind, const kvc_index_set *indexes,
                              isa_id objects)
{
    struct isa__array gathered = {0};
    isa_id list = NULL;
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &gathered);
    status = isa__collection_adopt(status, isa__box_classes[ISA_BOX_ARRAY], &gathered, &list);
    if (status == ISA_OK) status = edit_many(self, sel, kind, indexes, list);
    isa_object_release(list);
    return status;
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    return put_objects(self, sel, ISA_CHANGE_INSERTION, indexes, objects);
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    return put_objects(self, sel, ISA_CHANGE_REPLACEMENT, indexes, objects);
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    isa_status status = isa__collection_check_indexes(self, sel, indexes, SIZE_MAX);
    return status == ISA_OK ? edit_many(self, sel, ISA_CHANGE_REMOVAL, indexes, NULL) : status;
}

static isa_status remove_range(isa_id self, kvc_range range)
{
    kvc_index_set indexes = indexes_of(&range);
    return kvc_ordered_remove_many(self, &indexes);
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    return remove_range(self, (kvc_range){.count = kvc_collection_count(self)});
}

// ---- give other objects -------------------------------------------------------------------------

// Inserts `range.count` objects, or puts them in the place of others.
static isa_status put_range(isa_id self, void *const *objects, kvc_range range, bool replaces)
{
    isa_id list;
    isa_status status = kvc_array_make((const isa_id *)objects, range.count, &list);
    if (status != ISA_OK) return status;
    kvc_index_set indexes = indexes_of(&range);
    status = replaces ? kvc_ordered_replace_many(self, &indexes, list)
                      : kvc_ordered_insert_many(self, list, &indexes);
    isa_object_release(list);
    return status;
}

// Replaces what both have an index for, then inserts or removes the rest: at most two changes.
static isa_status set_array(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_gather_other(self, sel, other, &objects);
    if (status != ISA_OK) return status;
    size_t old = kvc_collection_count(self), new = objects.count;
    size_t both = old < new ? old : new;
    status = put_range(self, objects.items, (kvc_range){.count = both}, true);
    if (status == ISA_OK && new > both)
        status = put_range(self, objects.items + both, (kvc_range){both, new - both}, false);
    if (status == ISA_OK && old > both) status = remove_range(self, (kvc_range){both, old - both});
    isa__collection_let_go(&objects);
    return status;
}

// Adds objects that are not there yet at the end.
static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects;
    isa_status status = isa__collection_gather_other(self, sel, other, &objects);
    if (status != ISA_OK) return status;
    kvc_range end = {kvc_collection_count(self), objects.count};
    status = put_range(self, objects.items, end, false);
    isa__collection_let_go(&objects);
    return status;
}

// Removes everything, then inserts what the other has: two changes.
static isa_status set_set(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array objects = {0};
    isa_status status = isa__collection_gather_other(self, sel, other, &objects);
    if (status == ISA_OK) status = kvc_collection_remove_all(self);
    if (status == ISA_OK)
        status = put_range(self, objects.items, (kvc_range){.count = objects.count}, false);
    isa__collection_let_go(&objects);
    return status;
}

static isa_status remove_selected(isa_id self, const struct isa__array *objects, isa_id set,
                                  bool contained)
{
    size_t *selected, count = 0;
    kvc_index_set indexes = {0};
    isa_status status = allocate_indexes(objects->count + 1, &selected);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < objects->count; i++)
        if (kvc_collection_contains(set, objects->items[i]) == contained) selected[count++] = i;
    status = kvc_index_set_make(selected, count, &indexes);
    if (status == ISA_OK) status = kvc_ordered_remove_many(self, &indexes);
    kvc_index_set_destroy(&indexes);
    free_indexes(selected, objects->count + 1);
    return status;
}

// Removes the objects that `other` contains, or the objects that it does not.
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

static const struct isa__box_method of_ordered[] = {
    {&isa__sel_count, (isa_imp)isa__to_many_count, "Q@:"},
    {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
    {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
    {&isa__sel_insert, (isa_imp)insert_object, "i@:@Q"},
    {&isa__sel_remove_at, (isa_imp)remove_object_at_index, "i@:Q"},
    {&isa__sel_replace, (isa_imp)replace_object, "i@:Q@"},
    {&isa__sel_insert_many, (isa_imp)insert_objects, "i@:@" ISA_INDEXES},
    {&isa__sel_remove_many, (isa_imp)remove_objects, "i@:" ISA_INDEXES},
    {&isa__sel_replace_many, (isa_imp)replace_objects, "i@:" ISA_INDEXES "@"},
    {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"},
};

static const struct isa__box_method of_arrays[] = {
    {&isa__sel_set_array, (isa_imp)set_array, "i@:@"},
};

static const struct isa__box_method of_ordered_sets[] = {
    {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
    {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
    {&isa__sel_add, (isa_imp)isa__ordered_add, "i@:@"},
    {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
    {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
    {&isa__sel_unite, (isa_imp)unite, "i@:@"},
    {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
    {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
};

const struct isa__library_class isa__to_many_ordered_classes[2] = {
    {&isa__proxy_classes[KVC_KIND_ARRAY][true], "IsaKeyValueMutableArray",
     &isa__box_classes[ISA_BOX_MUTABLE_ARRAY], KVC_KIND_ARRAY, sizeof(struct isa__to_many),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_ordered), ISA_LIST_OF(of_arrays)}},
    {&isa__proxy_classes[KVC_KIND_ORDERED_SET][true], "IsaKeyValueMutableOrderedSet",
     &isa__box_classes[ISA_BOX_MUTABLE_ORDERED_SET], KVC_KIND_ORDERED_SET,
     sizeof(struct isa__to_many),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_ordered), ISA_LIST_OF(of_ordered_sets)}},
};
