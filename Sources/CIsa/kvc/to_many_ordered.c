// Proxies that change an ordered key: arrays, and what ordered sets share with them.
//
// Owns:      nothing beyond what each message has retained.
// Locks:     none; everything here may run user code.
// Invariant: an ordered set is never asked to take an object that it has.
#include "../base/status.h"
#include "collection.h"
#include "ordered_edit.h"

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

// ---- change one ---------------------------------------------------------------------------------

// Whether the last of the indexes is below the count, as far as that can be read.
static isa_status check_index(const struct isa__edit *edit, isa_sel sel, size_t last, size_t added)
{
    if (edit->status != ISA_OK) return ISA_OK;
    size_t count = kvc_collection_count(edit->container) + added;
    return last < count ? ISA_OK
                        : isa__collection_check_index((isa_id)edit->proxy, sel, last, count);
}

// The long way of a change whose index has been checked.
ISA_OUTLINE isa_status commit_checked(struct isa__to_many *proxy, int kind, size_t index,
                                      isa_id object)
{
    struct isa__edit edit = {.proxy = proxy, .change.key = proxy->head.key};
    if (isa__to_many_is_known(proxy)) edit.change.shortcut = &proxy->way.shortcut;
    return isa__ordered_commit_one(&edit, kind, index, object);
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
    isa_status status = isa__proxy_enter_on(thread, self, sel);
    if (status != ISA_OK) return status;
    struct isa__one_change change = {&proxy->way.shortcut, index, item};
    size_t count = isa__shortcut_count(change.shortcut, object) + (kind == ISA_CHANGE_INSERTION);
    if (ISA_UNLIKELY(index >= count))
        status = isa__collection_check_index(self, sel, index, count);
    else if (ISA_UNLIKELY(!isa__to_many_is_known(proxy)) ||
             !isa__coding_hooks.change_one[kind - ISA_CHANGE_INSERTION](object, &change))
        status = commit_checked(proxy, kind, index, item);
    thread->proxy_depth--;
    return status;
}

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, size_t index)
{
    if (object != NULL && has_shortcut(self, ISA_CHANGE_INSERTION))
        return edit_shortly(self, sel, ISA_CHANGE_INSERTION, index, object);
    struct isa__edit edit;
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 1);
    bool is_there = isa__ordered_is_set(&edit) && kvc_collection_contains(edit.container, object);
    if (status == ISA_OK && !is_there)
        status = isa__ordered_commit_one(&edit, ISA_CHANGE_INSERTION, index, object);
    isa__edit_end(&edit);
    return status;
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, size_t index)
{
    if (has_shortcut(self, ISA_CHANGE_REMOVAL))
        return edit_shortly(self, sel, ISA_CHANGE_REMOVAL, index, NULL);
    struct isa__edit edit;
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 0);
    if (status == ISA_OK) status = isa__ordered_commit_one(&edit, ISA_CHANGE_REMOVAL, index, NULL);
    isa__edit_end(&edit);
    return status;
}

// What an ordered set has elsewhere already does not come again: the object that would be replaced
// is removed.
static isa_status replace_object(isa_id self, isa_sel sel, size_t index, isa_id object)
{
    if (object != NULL && has_shortcut(self, ISA_CHANGE_REPLACEMENT))
        return edit_shortly(self, sel, ISA_CHANGE_REPLACEMENT, index, object);
    struct isa__edit edit;
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    status = check_index(&edit, sel, index, 0);
    size_t other = isa__ordered_is_set(&edit) ? kvc_ordered_index_of(edit.container, object)
                                            : KVC_NOT_FOUND;
    bool removes = other != KVC_NOT_FOUND && other != index;
    if (status == ISA_OK)
        status = isa__ordered_commit_one(
            &edit, removes ? ISA_CHANGE_REMOVAL : ISA_CHANGE_REPLACEMENT, index, object);
    isa__edit_end(&edit);
    return status;
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
            status = isa__ordered_is_set(&edit)
                         ? isa__ordered_insert_new(&edit, list, indexes)
                         : isa__ordered_commit(&edit, ISA_CHANGE_INSERTION, indexes, list);
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
        if (status == ISA_OK)
            status = isa__ordered_commit(&edit, ISA_CHANGE_REMOVAL, indexes, NULL);
    }
    isa__edit_end(&edit);
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
    if (status == ISA_OK && isa__ordered_is_set(&edit))
        status = isa__ordered_takes_all(&edit, list, indexes, &takes_all);
    if (status == ISA_OK && takes_all && indexes->count > 0)
        status = isa__ordered_commit(&edit, ISA_CHANGE_REPLACEMENT, indexes, list);
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
    kvc_index_set indexes = isa__ordered_range(&all);
    return kvc_ordered_remove_at(self, &indexes);
}

// ---- give other objects -------------------------------------------------------------------------

isa_status isa__ordered_insert_range(isa_id self, const isa_id *objects, kvc_range range)
{
    isa_id list;
    isa_status status = kvc_array_make(objects, range.count, &list);
    if (status != ISA_OK) return status;
    kvc_index_set indexes = isa__ordered_range(&range);
    status = kvc_ordered_insert_at(self, list, &indexes);
    isa_object_release(list);
    return status;
}

static isa_status replace_range(isa_id self, const isa_id *objects, kvc_range range)
{
    isa_id list;
    isa_status status = kvc_array_make(objects, range.count, &list);
    if (status != ISA_OK) return status;
    kvc_index_set indexes = isa__ordered_range(&range);
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
        status = isa__ordered_insert_range(self, items + both, (kvc_range){both, new - both});
    kvc_range rest = {both, old - both};
    kvc_index_set indexes = isa__ordered_range(&rest);
    if (status == ISA_OK && rest.count > 0) status = kvc_ordered_remove_at(self, &indexes);
    isa__collection_let_go(&objects);
    return status;
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

const struct isa__library_class isa__to_many_ordered_classes[2] = {
    {&isa__proxy_classes[KVC_KIND_ARRAY][true], "IsaKeyValueMutableArray",
     &isa__box_classes[ISA_BOX_MUTABLE_ARRAY], KVC_KIND_ARRAY, sizeof(struct isa__to_many),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_ordered), ISA_LIST_OF(of_arrays)}},
    {&isa__proxy_classes[KVC_KIND_ORDERED_SET][true], "IsaKeyValueMutableOrderedSet",
     &isa__box_classes[ISA_BOX_MUTABLE_ORDERED_SET], KVC_KIND_ORDERED_SET,
     sizeof(struct isa__to_many),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_ordered),
      ISA_LIST_OF(isa__to_many_ordered_set_methods)}},
};
