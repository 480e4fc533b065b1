// Changes of ordered keys: which accessors make one, and how a collection does.
//
// Owns:      nothing.
// Locks:     none; everything here may run user code.
// Invariant: one asked for goes to the accessor for one, many go to the one for many; the other
//            serves where a class lacks it.
#include "ordered_edit.h"

#include "../call/shape.h"

// ---- by accessors -------------------------------------------------------------------------------

static isa_status send_insert(const struct isa__edit *edit, isa_id object, size_t index)
{
    return isa__edit_send(edit, ISA_MUTATOR_INSERT,
                          &(struct isa__shape_arguments){.object = object, .index = index});
}

static isa_status send_insert_many(const struct isa__edit *edit, isa_id objects)
{
    const struct isa__shape_arguments arguments = {.object = objects,
                                                   .pointer = edit->change.indexes};
    return isa__edit_send(edit, ISA_MUTATOR_INSERT_MANY, &arguments);
}

static isa_status send_remove(const struct isa__edit *edit, size_t index)
{
    return isa__edit_send(edit, ISA_MUTATOR_REMOVE_AT,
                          &(struct isa__shape_arguments){.index = index});
}

static isa_status send_replace(const struct isa__edit *edit, size_t index, isa_id object)
{
    return isa__edit_send(edit, ISA_MUTATOR_REPLACE,
                          &(struct isa__shape_arguments){.object = object, .index = index});
}

static isa_status send_replace_many(const struct isa__edit *edit, isa_id objects)
{
    const struct isa__shape_arguments arguments = {.object = objects,
                                                   .pointer = edit->change.indexes};
    return isa__edit_send(edit, ISA_MUTATOR_REPLACE_MANY, &arguments);
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
        return isa__edit_send(edit, ISA_MUTATOR_REMOVE_MANY,
                              &(struct isa__shape_arguments){.pointer = indexes});
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
    if (has_one && !isa__ordered_is_set(edit)) return send_each(edit, true);
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

// ---- commit -------------------------------------------------------------------------------------

isa_status isa__ordered_commit(struct isa__edit *edit, int kind, const kvc_index_set *indexes,
                         isa_id objects)
{
    edit->change.kind = kind;
    edit->change.indexes = indexes;
    edit->objects = objects;
    edit->apply = apply_change;
    edit->send = send_change;
    return isa__edit_commit(edit);
}

isa_status isa__ordered_commit_one(struct isa__edit *edit, int kind, size_t index, isa_id object)
{
    edit->range = (kvc_range){.start = index, .count = 1};
    edit->indexes = isa__ordered_range(&edit->range);
    edit->index = index;
    edit->object = object;
    return isa__ordered_commit(edit, kind, &edit->indexes, NULL);
}
