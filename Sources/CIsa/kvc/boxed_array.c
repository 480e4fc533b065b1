// Arrays: instances of IsaArray, and of IsaMutableArray, which is the one that answers the messages
// that change it.
//
// Owns:      an array owns its items' storage and a reference to each object.
// Locks:     none.
// Invariant: a change is whole before an object is released, whose deallocation may look at the
//            array.
#include "boxed_array.h"

#include <string.h>

#include "../base/array.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "collection.h"

struct array_box {
    struct isa_header header;
    struct isa__array items;
};

static struct isa__array *items_of(isa_id self)
{
    return &((struct array_box *)self)->items;
}

static void dealloc_array(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__collection_let_go(items_of(self));
}

isa_status isa__array_fill(isa_id array, const isa_id *objects, size_t count)
{
    struct isa__array *items = items_of(array);
    isa_status status = count == 0 ? ISA_OK : isa__array_reserve(items, count);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < count; i++) items->items[i] = isa_object_retain(objects[i]);
    items->count = count;
    return ISA_OK;
}

isa_status isa__array_make_room(size_t count, isa_id *out, isa_id **items)
{
    isa_id made;
    isa_status status = isa_object_allocate(isa__box_classes[ISA_BOX_ARRAY], &made);
    if (status != ISA_OK) return status;
    if (count > 0) status = isa__array_reserve(items_of(made), count);
    if (status != ISA_OK) {
        isa_object_release(made);
        return status;
    }
    items_of(made)->count = count;
    *items = (isa_id *)items_of(made)->items;
    *out = made;
    return ISA_OK;
}

// ---- what arrays and ordered sets share ---------------------------------------------------------

isa_status isa__ordered_copy_objects(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    if (isa_object_get_class(self) == isa__box_classes[ISA_BOX_ARRAY]) {
        *out = isa_object_retain(self);
        return ISA_OK;
    }
    size_t count = kvc_collection_count(self);
    isa_id made;
    isa_id *items;
    isa_status status = isa__array_make_room(count, &made, &items);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < count && status == ISA_OK; i++)
        status = kvc_ordered_copy_object(self, i, &items[i]);
    if (status == ISA_OK) *out = made;
    else isa_object_release(made);
    return status;
}

static bool is_equal_at(isa_id first, isa_id second, size_t index)
{
    isa_id a = NULL, b = NULL;
    bool equal = kvc_ordered_copy_object(first, index, &a) == ISA_OK &&
                 kvc_ordered_copy_object(second, index, &b) == ISA_OK && kvc_is_equal(a, b);
    isa_object_release(a);
    isa_object_release(b);
    return equal;
}

bool isa__ordered_is_equal(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    if (kvc_kind_of(other) != kvc_kind_of(self)) return false;
    size_t count = kvc_collection_count(self);
    if (kvc_collection_count(other) != count) return false;
    for (size_t i = 0; i < count; i++)
        if (!is_equal_at(self, other, i)) return false;
    return true;
}

// ---- ask ----------------------------------------------------------------------------------------

static size_t array_count(isa_id self, isa_sel sel)
{
    (void)sel;
    return items_of(self)->count;
}

static isa_status object_at_index(isa_id self, isa_sel sel, size_t index, isa_id *out)
{
    isa_status status = isa__collection_check_index(self, sel, index, items_of(self)->count);
    if (status == ISA_OK) *out = isa_object_retain(items_of(self)->items[index]);
    return status;
}

// Whether the object at `index` is equal to `object`.
static isa_status compare_at(isa_id self, size_t index, isa_id object, bool *equal)
{
    isa_id found = NULL;
    isa_status status = kvc_ordered_copy_object(self, index, &found);
    *equal = status == ISA_OK && kvc_is_equal(found, object);
    isa_object_release(found);
    return status;
}

static size_t index_of_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    bool equal;
    for (size_t i = 0; i < kvc_collection_count(self); i++) {
        if (compare_at(self, i, object, &equal) != ISA_OK) break;
        if (equal) return i;
    }
    return KVC_NOT_FOUND;
}

static bool contains_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    return kvc_ordered_index_of(self, object) != KVC_NOT_FOUND;
}

static isa_status describe_array(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return isa__collection_describe(self, "(", ")", out);
}

// ---- change one ---------------------------------------------------------------------------------

// An index at which an object may be inserted: at most the count.
static isa_status check_insertion(isa_id self, isa_sel sel, size_t index, size_t count)
{
    return index == count ? ISA_OK : isa__collection_check_index(self, sel, index, count);
}

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, size_t index)
{
    struct isa__array *items = items_of(self);
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = check_insertion(self, sel, index, items->count);
    if (status == ISA_OK) status = isa__array_add(items, object);
    if (status != ISA_OK) return status;
    isa_object_retain(object);
    memmove(&items->items[index + 1], &items->items[index],
            (items->count - 1 - index) * sizeof *items->items);
    items->items[index] = object;
    return ISA_OK;
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, size_t index)
{
    struct isa__array *items = items_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, items->count);
    if (status != ISA_OK) return status;
    isa_id removed = items->items[index];
    isa__array_remove_at(items, index);
    isa_object_release(removed);
    return ISA_OK;
}

static isa_status replace_object(isa_id self, isa_sel sel, size_t index, isa_id object)
{
    struct isa__array *items = items_of(self);
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK) status = isa__collection_check_index(self, sel, index, items->count);
    if (status != ISA_OK) return status;
    isa_id replaced = items->items[index];
    items->items[index] = isa_object_retain(object);
    isa_object_release(replaced);
    return ISA_OK;
}

static isa_status add_object(isa_id self, isa_sel sel, isa_id object)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status
                            : kvc_ordered_insert(self, object, kvc_collection_count(self));
}

// Every equal one, from the end, so that what is removed moves nothing that is still to be asked.
static isa_status remove_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    isa_status status = ISA_OK;
    for (size_t i = kvc_collection_count(self); i-- > 0 && status == ISA_OK;) {
        bool equal;
        status = compare_at(self, i, object, &equal);
        if (equal) status = kvc_ordered_remove(self, i);
    }
    return status;
}

// ---- change many --------------------------------------------------------------------------------

// Gives the array other items, with their references, and answers with those that it had.
static struct isa__array exchange_items(isa_id self, struct isa__array items)
{
    struct isa__array old = *items_of(self);
    *items_of(self) = items;
    return old;
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    struct isa__array added = {0}, next = {0};
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &added);
    if (status != ISA_OK || added.count == 0) return status;
    size_t count = items_of(self)->count + added.count;
    status = isa__collection_check_index(self, sel, kvc_index_set_last(indexes), count);
    if (status == ISA_OK) status = isa__array_reserve(&next, count);
    if (status != ISA_OK) {
        isa__collection_let_go(&added);
        return status;
    }
    kvc_index_walk walk = {0};
    size_t from = 0, index;
    for (size_t i = 0; kvc_index_set_next(indexes, &walk, &index); i++) {
        while (next.count < index) next.items[next.count++] = items_of(self)->items[from++];
        next.items[next.count++] = added.items[i];
    }
    while (next.count < count) next.items[next.count++] = items_of(self)->items[from++];
    struct isa__array old = exchange_items(self, next);
    isa__array_clear(&old);
    isa__array_clear(&added);
    return ISA_OK;
}

static isa_status check_indexes(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    if (indexes == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "*** -[%s %s]: index set cannot be nil",
                         isa__box_class_name(self), isa_sel_name(sel));
    if (indexes->count == 0) return ISA_OK;
    return isa__collection_check_index(self, sel, kvc_index_set_last(indexes),
                                       items_of(self)->count);
}

// Moves the items at `indexes` to `removed` and the rest to `kept`, both empty.
static void split(const struct isa__array *items, const kvc_index_set *indexes,
                  struct isa__array *kept, struct isa__array *removed)
{
    kvc_index_walk walk = {0};
    size_t from = 0, index;
    while (kvc_index_set_next(indexes, &walk, &index)) {
        while (from < index) kept->items[kept->count++] = items->items[from++];
        removed->items[removed->count++] = items->items[from++];
    }
    while (from < items->count) kept->items[kept->count++] = items->items[from++];
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    struct isa__array kept = {0}, removed = {0};
    isa_status status = check_indexes(self, sel, indexes);
    if (status != ISA_OK || indexes->count == 0) return status;
    size_t rest = items_of(self)->count - indexes->count;
    status = isa__array_reserve(&removed, indexes->count);
    if (status == ISA_OK && rest > 0) status = isa__array_reserve(&kept, rest);
    if (status == ISA_OK) {
        split(items_of(self), indexes, &kept, &removed);
        struct isa__array old = exchange_items(self, kept);
        isa__array_clear(&old);
    }
    isa__collection_let_go(&removed);
    return status;
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    struct isa__array objects_now = {0};
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &objects_now);
    if (status != ISA_OK) return status;
    status = check_indexes(self, sel, indexes);
    kvc_index_walk walk = {0};
    size_t index;
    for (size_t i = 0; status == ISA_OK && kvc_index_set_next(indexes, &walk, &index); i++) {
        void *replaced = items_of(self)->items[index];
        items_of(self)->items[index] = objects_now.items[i];
        objects_now.items[i] = replaced;
    }
    isa__collection_let_go(&objects_now);
    return status;
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    struct isa__array old = exchange_items(self, (struct isa__array){0});
    isa__collection_let_go(&old);
    return ISA_OK;
}

static isa_status set_array(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array next;
    isa_status status = isa__collection_check_other(self, sel, other);
    if (status == ISA_OK) status = isa__collection_gather(other, &next);
    if (status != ISA_OK) return status;
    struct isa__array old = exchange_items(self, next);
    isa__collection_let_go(&old);
    return ISA_OK;
}

// ---- start --------------------------------------------------------------------------------------

static isa_status start_mutable(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_add, (isa_imp)add_object, "i@:@"},
        {&isa__sel_remove, (isa_imp)remove_object, "i@:@"},
        {&isa__sel_remove_all, (isa_imp)remove_all_objects, "i@:"},
        {&isa__sel_set_array, (isa_imp)set_array, "i@:@"},
        {&isa__sel_insert, (isa_imp)insert_object, "i@:@Q"},
        {&isa__sel_remove_at, (isa_imp)remove_object_at_index, "i@:Q"},
        {&isa__sel_replace, (isa_imp)replace_object, "i@:Q@"},
        {&isa__sel_insert_many, (isa_imp)insert_objects, "i@:@" ISA_INDEXES},
        {&isa__sel_remove_many, (isa_imp)remove_objects, "i@:" ISA_INDEXES},
        {&isa__sel_replace_many, (isa_imp)replace_objects, "i@:" ISA_INDEXES "@"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_MUTABLE_ARRAY, ISA_BOX_ARRAY,
                                            "IsaMutableArray", sizeof(struct array_box));
    if (status != ISA_OK) return status;
    return isa__box_add_methods(ISA_BOX_MUTABLE_ARRAY, methods, ISA_COUNT_OF(methods));
}

isa_status isa__arrays_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_dealloc, (isa_imp)dealloc_array, "v@:"},
        {&isa__sel_is_equal, (isa_imp)isa__ordered_is_equal, "B@:@"},
        {&isa__sel_description, (isa_imp)describe_array, "i@:^@"},
        {&isa__sel_count, (isa_imp)array_count, "Q@:"},
        {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
        {&isa__sel_contains, (isa_imp)contains_object, "B@:@"},
        {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
        {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
    };
    isa_status status = isa__box_class_make(ISA_BOX_ARRAY, ISA_BOX_ARRAY, "IsaArray",
                                            sizeof(struct array_box));
    if (status == ISA_OK) status = isa__collection_add_shared(ISA_BOX_ARRAY);
    if (status == ISA_OK)
        status = isa__box_add_methods(ISA_BOX_ARRAY, methods, ISA_COUNT_OF(methods));
    return status == ISA_OK ? start_mutable() : status;
}
