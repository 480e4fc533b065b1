// Arrays: instances of IsaArray, and of IsaMutableArray, which answers the messages that change an
// array.
//
// Owns:      an array owns its items' storage and a reference to each object.
// Locks:     none.
// Invariant: a change is whole before an object is released, whose deallocation may look at the
//            array.
#include <string.h>

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

const struct isa__array *isa__array_items(isa_id array)
{
    return items_of(array);
}

// ---- make ---------------------------------------------------------------------------------------

isa_status isa__array_adopt(isa_class cls, struct isa__array *objects, isa_id *out)
{
    isa_id made;
    isa_status status = isa_object_allocate(cls, &made);
    if (status != ISA_OK) return status;
    *items_of(made) = *objects;
    *objects = (struct isa__array){0};
    *out = made;
    return ISA_OK;
}

isa_status isa__array_make(isa_class cls, const isa_id *objects, size_t count, isa_id *out)
{
    struct isa__array items = {0};
    isa_status status = isa__array_reserve(&items, count);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < count; i++) items.items[i] = isa_object_retain(objects[i]);
    items.count = count;
    status = isa__array_adopt(cls, &items, out);
    if (status != ISA_OK) isa__collection_let_go(&items);
    return status;
}

static void dealloc_array(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__collection_let_go(items_of(self));
}

// ---- what arrays and ordered sets share ---------------------------------------------------------

isa_status isa__ordered_copy_objects(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    struct isa__array objects = {0};
    isa_class plain = isa__box_classes[ISA_BOX_ARRAY];
    if (isa_object_get_class(self) == plain) {
        *out = isa_object_retain(self);
        return ISA_OK;
    }
    isa_status status = isa__ordered_gather(self, false, &objects);
    return isa__collection_adopt(status, plain, &objects, out);
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

static bool is_equal_ordered(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    size_t count = kvc_collection_count(self);
    bool equal = isa__collection_matches(self, other);
    for (size_t i = 0; i < count && equal; i++) {
        isa_id object = NULL;
        equal = kvc_ordered_copy_object(other, i, &object) == ISA_OK;
        if (equal) compare_at(self, i, object, &equal);
        isa_object_release(object);
    }
    return equal;
}

static isa_status copy_end(isa_id self, bool last, isa_id *out)
{
    size_t count = kvc_collection_count(self);
    *out = NULL;
    return count == 0 ? ISA_OK : kvc_ordered_copy_object(self, last ? count - 1 : 0, out);
}

static isa_status copy_first(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return copy_end(self, false, out);
}

static isa_status copy_last(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    return copy_end(self, true, out);
}

const struct isa__box_method isa__ordered_methods[3] = {
    {&isa__sel_is_equal, (isa_imp)is_equal_ordered, "B@:@"},
    {&isa__sel_first, (isa_imp)copy_first, "i@:^@"},
    {&isa__sel_last, (isa_imp)copy_last, "i@:^@"},
};

// ---- ask ----------------------------------------------------------------------------------------

static uint64_t array_count(isa_id self, isa_sel sel)
{
    (void)sel;
    return items_of(self)->count;
}

static isa_status object_at_index(isa_id self, isa_sel sel, uint64_t index, isa_id *out)
{
    isa_status status = isa__collection_check_index(self, sel, index, items_of(self)->count);
    if (status == ISA_OK) *out = isa_object_retain(items_of(self)->items[index]);
    return status;
}

static uint64_t index_of_object(isa_id self, isa_sel sel, isa_id object)
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

// ---- change one ---------------------------------------------------------------------------------

static isa_status insert_object(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    struct isa__array *items = items_of(self);
    isa_status status = isa__collection_check_object(self, sel, object);
    if (status == ISA_OK && index != items->count)
        status = isa__collection_check_index(self, sel, index, items->count);
    if (status == ISA_OK) status = isa__array_add(items, object);
    if (status != ISA_OK) return status;
    isa_object_retain(object);
    memmove(&items->items[index + 1], &items->items[index],
            (items->count - 1 - index) * sizeof *items->items);
    items->items[index] = object;
    return ISA_OK;
}

static isa_status remove_object_at_index(isa_id self, isa_sel sel, uint64_t index)
{
    struct isa__array *items = items_of(self);
    isa_status status = isa__collection_check_index(self, sel, index, items->count);
    if (status != ISA_OK) return status;
    isa_id removed = items->items[index];
    isa__array_remove_at(items, index);
    isa_object_release(removed);
    return ISA_OK;
}

static isa_status replace_object(isa_id self, isa_sel sel, uint64_t index, isa_id object)
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

isa_status isa__ordered_add(isa_id self, isa_sel sel, isa_id object)
{
    isa_status status = isa__collection_check_object(self, sel, object);
    return status != ISA_OK ? status : kvc_ordered_insert(self, object, kvc_collection_count(self));
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

// Gives the array other items, with their references, and lets its own go.
static void give_items(isa_id self, struct isa__array items)
{
    struct isa__array old = *items_of(self);
    *items_of(self) = items;
    isa__collection_let_go(&old);
}

// Moves items from `*all` to `*part`, or back, and both on.
static void move(void ***all, void ***part, size_t count, bool back)
{
    if (count == 0) return;
    memmove(back ? *all : *part, back ? *part : *all, count * sizeof **all);
    *all += count;
    *part += count;
}

// Deals all items out to those at the indexes and the others, or collects them from there.
static void deal(struct isa__array *items, const kvc_index_set *indexes, void **at, void **others,
                 bool collects)
{
    void **all = items->items, **end = all + items->count;
    for (size_t r = 0; r < indexes->range_count; r++) {
        const kvc_range *range = &indexes->ranges[r];
        move(&all, &others, (size_t)(items->items + range->start - all), collects);
        move(&all, &at, range->count, collects);
    }
    move(&all, &others, (size_t)(end - all), collects);
}

static isa_status insert_objects(isa_id self, isa_sel sel, isa_id objects,
                                 const kvc_index_set *indexes)
{
    struct isa__array added = {0}, next = {0};
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &added);
    if (status != ISA_OK || added.count == 0) return status;
    size_t count = items_of(self)->count + added.count;
    status = isa__collection_check_indexes(self, sel, indexes, count);
    if (status == ISA_OK) status = isa__array_reserve(&next, count);
    if (status != ISA_OK) {
        isa__collection_let_go(&added);
        return status;
    }
    next.count = count;
    deal(&next, indexes, added.items, items_of(self)->items, true);
    items_of(self)->count = 0; // the items are in `next`
    give_items(self, next);
    isa__array_clear(&added);
    return ISA_OK;
}

static isa_status remove_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    struct isa__array removed = {0}, *items = items_of(self);
    isa_status status = isa__collection_check_indexes(self, sel, indexes, items->count);
    if (status == ISA_OK) status = isa__array_reserve(&removed, indexes->count);
    if (status != ISA_OK || indexes->count == 0) return status;
    removed.count = indexes->count;
    deal(items, indexes, removed.items, items->items, false);
    items->count -= removed.count;
    if (items->count == 0) isa__array_clear(items);
    isa__collection_let_go(&removed);
    return ISA_OK;
}

static isa_status replace_objects(isa_id self, isa_sel sel, const kvc_index_set *indexes,
                                  isa_id objects)
{
    struct isa__array others = {0};
    isa_status status = isa__collection_gather_for(self, sel, objects, indexes, &others);
    if (status != ISA_OK) return status;
    status = isa__collection_check_indexes(self, sel, indexes, items_of(self)->count);
    kvc_index_walk walk = {0};
    size_t index;
    for (size_t i = 0; status == ISA_OK && kvc_index_set_next(indexes, &walk, &index); i++) {
        void *replaced = items_of(self)->items[index];
        items_of(self)->items[index] = others.items[i];
        others.items[i] = replaced;
    }
    isa__collection_let_go(&others);
    return status;
}

static isa_status remove_all_objects(isa_id self, isa_sel sel)
{
    (void)sel;
    give_items(self, (struct isa__array){0});
    return ISA_OK;
}

static isa_status set_array(isa_id self, isa_sel sel, isa_id other)
{
    struct isa__array next;
    isa_status status = isa__collection_gather_other(self, sel, other, &next);
    if (status == ISA_OK) give_items(self, next);
    return status;
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method asking[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_array, "v@:"},
    {&isa__sel_count, (isa_imp)array_count, "Q@:"},
    {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
    {&isa__sel_contains, (isa_imp)contains_object, "B@:@"},
    {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
    {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
};

static const struct isa__box_method changing[] = {
    {&isa__sel_add, (isa_imp)isa__ordered_add, "i@:@"},
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

const struct isa__library_class isa__array_classes[2] = {
    {&isa__box_classes[ISA_BOX_ARRAY], "IsaArray", NULL, KVC_KIND_ARRAY, sizeof(struct array_box),
     {ISA_LIST_OF(isa__collection_methods), ISA_LIST_OF(isa__ordered_methods),
      ISA_LIST_OF(asking)}},
    {&isa__box_classes[ISA_BOX_MUTABLE_ARRAY], "IsaMutableArray", &isa__box_classes[ISA_BOX_ARRAY],
     KVC_KIND_ARRAY, sizeof(struct array_box), {ISA_LIST_OF(changing)}},
};
