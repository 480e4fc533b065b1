// Proxies that change an unordered key.
//
// Owns:  nothing beyond what each message has retained.
// Locks: none; everything here may run user code.
#include "../base/status.h"
#include "../objects/collection.h"
#include "proxy.h"

// ---- ask ----------------------------------------------------------------------------------------

static isa_status copy_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    isa_id container;
    isa_status status = isa__to_many_open(self, sel, &container);
    if (status != ISA_OK) return status;
    *out = NULL;
    if (container != NULL) status = kvc_set_copy_member(container, object, out);
    isa__to_many_close(container);
    return status;
}

static isa_status copy_objects(isa_id self, isa_sel sel, isa_id *out)
{
    isa_id container;
    isa_status status = isa__to_many_open(self, sel, &container);
    if (status != ISA_OK) return status;
    status = container == NULL ? kvc_array_make(NULL, 0, out)
                               : kvc_collection_copy_objects(container, out);
    isa__to_many_close(container);
    return status;
}

// ---- by accessors -------------------------------------------------------------------------------

static isa_status unordered_send(const struct isa__edit *edit, enum isa__mutator which,
                                 isa_id argument)
{
    return isa__edit_send(edit, which, &(struct isa__accessor_arguments){.object = argument});
}

static isa_status send_each(const struct isa__edit *edit, enum isa__mutator which, isa_id set)
{
    struct isa__array objects = {0};
    isa_status status = isa__collection_gather(set, &objects);
    for (size_t i = 0; i < objects.count && status == ISA_OK; i++)
        status = unordered_send(edit, which, objects.items[i]);
    isa__collection_let_go(&objects);
    return status;
}

// Adds or removes a set of objects, or the edit's one object where there is one.
static isa_status send_all(const struct isa__edit *edit, enum isa__mutator one,
                           enum isa__mutator many, isa_id set)
{
    if (edit->object != NULL && isa__edit_has(edit, one))
        return unordered_send(edit, one, edit->object);
    return isa__edit_has(edit, many) ? unordered_send(edit, many, set) : send_each(edit, one, set);
}

// The objects of `set` that `other` does not have; either may be NULL.
static isa_status copy_difference(isa_id set, isa_id other, isa_id *out)
{
    isa_id made;
    isa_status status = set == NULL ? kvc_mutable_set_make(NULL, 0, &made)
                                    : kvc_collection_make(KVC_KIND_SET, true, set, &made);
    if (status != ISA_OK) return status;
    if (other != NULL) status = kvc_set_subtract(made, other);
    return isa__object_hand_over(status, made, out);
}

static isa_status send_intersect(const struct isa__edit *edit, isa_id set)
{
    if (isa__edit_has(edit, ISA_MUTATOR_INTERSECT))
        return unordered_send(edit, ISA_MUTATOR_INTERSECT, set);
    if (edit->status != ISA_OK) return edit->status;
    isa_id gone = NULL;
    isa_status status = copy_difference(edit->container, set, &gone);
    if (status == ISA_OK && kvc_collection_count(gone) > 0)
        status = send_all(edit, ISA_MUTATOR_REMOVE, ISA_MUTATOR_REMOVE_SET, gone);
    isa_object_release(gone);
    return status;
}

// A setter keeps what it is given, and the accessors will change that: it gets a set that can.
static isa_status send_to_setter(const struct isa__edit *edit, isa_id set)
{
    isa_id copy = NULL, object = edit->proxy->head.object;
    isa_status status = kvc_collection_make(KVC_KIND_SET, true, set, &copy);
    if (status == ISA_OK) status = kvc_set_value(object, edit->change.key, copy);
    isa_object_release(copy);
    return status;
}

// By `set<Key>:`, or by taking away what does not stay and adding what comes.
static isa_status send_set(const struct isa__edit *edit, isa_id set)
{
    if (edit->proxy->way.has_setter) return send_to_setter(edit, set);
    isa_id come = NULL;
    isa_status status = copy_difference(set, edit->container, &come);
    if (status == ISA_OK) status = send_intersect(edit, set);
    if (status == ISA_OK && kvc_collection_count(come) > 0)
        status = send_all(edit, ISA_MUTATOR_ADD, ISA_MUTATOR_ADD_MANY, come);
    isa_object_release(come);
    return status;
}

static isa_status send_change(const struct isa__edit *edit)
{
    isa_id set = edit->change.objects;
    switch (edit->change.mutation) {
    case ISA_SET_UNION: return send_all(edit, ISA_MUTATOR_ADD, ISA_MUTATOR_ADD_MANY, set);
    case ISA_SET_MINUS: return send_all(edit, ISA_MUTATOR_REMOVE, ISA_MUTATOR_REMOVE_SET, set);
    case ISA_SET_INTERSECT: return send_intersect(edit, set);
    default: return send_set(edit, set);
    }
}

// ---- in a collection ----------------------------------------------------------------------------

// An array in the set's place would hold an equal object twice.
static isa_status unordered_add(isa_id collection, isa_id object)
{
    bool is_there = kvc_kind_of(collection) == KVC_KIND_ARRAY &&
                    kvc_collection_contains(collection, object);
    return is_there ? ISA_OK : kvc_collection_add(collection, object);
}

static isa_status apply_change(const struct isa__edit *edit, isa_id collection)
{
    isa_id set = edit->change.objects, object = edit->object;
    switch (edit->change.mutation) {
    case ISA_SET_UNION:
        return object != NULL ? unordered_add(collection, object) : kvc_set_unite(collection, set);
    case ISA_SET_MINUS:
        return object != NULL ? kvc_collection_remove(collection, object)
                              : kvc_set_subtract(collection, set);
    case ISA_SET_INTERSECT: return kvc_set_intersect(collection, set);
    default: return kvc_collection_set_objects(collection, set);
    }
}

// ---- change -------------------------------------------------------------------------------------

// Changes by `set`, which is `object` alone unless that is NULL. A collection that holds nothing
// loses nothing.
static isa_status unordered_change(isa_id self, isa_sel sel, int mutation, isa_id object,
                                   isa_id set)
{
    struct isa__edit edit;
    isa_status status = isa__edit_begin(&edit, self, sel);
    if (status != ISA_OK) return status;
    edit.change.mutation = mutation;
    edit.change.objects = set;
    edit.object = object;
    edit.apply = apply_change;
    edit.send = send_change;
    bool adds = mutation == ISA_SET_UNION || mutation == ISA_SET_SET;
    bool by_accessors = edit.proxy->way.tier == ISA_TIER_ACCESSORS;
    if (adds || by_accessors || edit.container != NULL) status = isa__edit_commit(&edit);
    isa__edit_end(&edit);
    return status;
}

static isa_status change_by_one(isa_id self, isa_sel sel, int mutation, isa_id object)
{
    isa_id set = NULL;
    isa_status status = kvc_set_make(&object, 1, &set);
    if (status == ISA_OK) status = unordered_change(self, sel, mutation, object, set);
    isa_object_release(set);
    return status;
}

static isa_status change_by_many(isa_id self, isa_sel sel, int mutation, isa_id other)
{
    isa_id set = NULL;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = kvc_collection_make(KVC_KIND_SET, false, other, &set);
    if (status == ISA_OK) status = unordered_change(self, sel, mutation, NULL, set);
    isa_object_release(set);
    return status;
}

static isa_status add_object(isa_id self, isa_sel sel, isa_id object)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status : change_by_one(self, sel, ISA_SET_UNION, object);
}

static isa_status remove_object(isa_id self, isa_sel sel, isa_id object)
{
    return object == NULL ? ISA_OK : change_by_one(self, sel, ISA_SET_MINUS, object);
}

static isa_status unite(isa_id self, isa_sel sel, isa_id other)
{
    return change_by_many(self, sel, ISA_SET_UNION, other);
}

static isa_status subtract(isa_id self, isa_sel sel, isa_id other)
{
    return change_by_many(self, sel, ISA_SET_MINUS, other);
}

static isa_status intersect(isa_id self, isa_sel sel, isa_id other)
{
    return change_by_many(self, sel, ISA_SET_INTERSECT, other);
}

static isa_status set_set(isa_id self, isa_sel sel, isa_id other)
{
    return change_by_many(self, sel, ISA_SET_SET, other);
}

// Nothing stays that is not in the empty set.
static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id none = NULL;
    isa_status status = kvc_set_make(NULL, 0, &none);
    if (status == ISA_OK)
        status = unordered_change(self, isa__sel_intersect, ISA_SET_INTERSECT, NULL, none);
    isa_object_release(none);
    return status;
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method methods[] = {
    {&isa__sel_count, (isa_imp)isa__to_many_count, "Q@:"},
    {&isa__sel_member, (isa_imp)copy_member, "i@:@^@"},
    {&isa__sel_all_objects, (isa_imp)copy_objects, "i@:^@"},
    {&isa__sel_add, (isa_imp)add_object, "i@:@"},
    {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
    {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"},
    {&isa__sel_set_set, (isa_imp)set_set, "i@:@"},
    {&isa__sel_unite, (isa_imp)unite, "i@:@"},
    {&isa__sel_subtract, (isa_imp)subtract, "i@:@"},
    {&isa__sel_intersect, (isa_imp)intersect, "i@:@"},
};

const struct isa__library_class isa__to_many_set_classes[1] = {
    {&isa__proxy_classes[KVC_KIND_SET][true], "IsaKeyValueMutableSet",
     &isa__box_classes[ISA_BOX_MUTABLE_SET], KVC_KIND_SET, sizeof(struct isa__to_many),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(methods)}},
};
