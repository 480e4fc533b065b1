#define ISA_UNCHECKED // what fails shows in the answers

#include "to_many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The notes that an instance keeps beside its collection, in an ivar of type "^v".
struct notes {
    char *text;
    size_t length;
    size_t room;
};

static const char *const backing_names[] = {"_items", "hidden_backing"};

// ---- an instance --------------------------------------------------------------------------------

static void *ivar_address(isa_id object, const char *name)
{
    isa_ivar ivar = isa_class_find_ivar(isa_object_get_class(object), name);
    return ivar == NULL ? NULL : isa_object_ivar_address(object, ivar);
}

static isa_id *slot(isa_id object, const char *name)
{
    return ivar_address(object, name);
}

static isa_id *backing_slot(isa_id object)
{
    isa_id *found = slot(object, backing_names[0]);
    return found != NULL ? found : slot(object, backing_names[1]);
}

static void store(isa_id *slot, isa_id value)
{
    isa_id old = *slot;
    *slot = isa_object_retain(value);
    isa_object_release(old);
}

isa_id isa_test_to_many_backing(isa_id object)
{
    return *backing_slot(object);
}

void isa_test_to_many_set_backing(isa_id object, isa_id collection)
{
    store(backing_slot(object), collection);
}

void isa_test_to_many_set_veto(isa_id object, isa_id refused, isa_id substitute)
{
    store(slot(object, "hidden_refused"), refused);
    store(slot(object, "hidden_substitute"), substitute);
}

static bool is_refused(isa_id object, isa_id value)
{
    isa_id refused = *slot(object, "hidden_refused");
    return refused != NULL && kvc_is_equal(refused, value);
}

static isa_id what_replaces(isa_id object, isa_id value)
{
    isa_id substitute = *slot(object, "hidden_substitute");
    return substitute != NULL ? substitute : value;
}

// ---- calls --------------------------------------------------------------------------------------

static struct notes *notes_of(isa_id object)
{
    struct notes **notes = ivar_address(object, "hidden_notes");
    if (*notes == NULL) *notes = calloc(1, sizeof **notes);
    return *notes;
}

static void append(struct notes *notes, const char *text)
{
    size_t length = strlen(text);
    if (notes->length + length + 1 > notes->room) {
        notes->room = 2 * (notes->length + length + 1);
        notes->text = realloc(notes->text, notes->room);
    }
    memcpy(notes->text + notes->length, text, length + 1);
    notes->length += length;
}

static void note(isa_id object, const char *what)
{
    struct notes *notes = notes_of(object);
    if (notes->length > 0) append(notes, ", ");
    append(notes, what);
}

static void note_number(isa_id object, const char *what, uint64_t number)
{
    char text[64];
    snprintf(text, sizeof text, "%s %llu", what, (unsigned long long)number);
    note(object, text);
}

static void note_indexes(isa_id object, const char *what, const kvc_index_set *indexes)
{
    note(object, what);
    struct notes *notes = notes_of(object);
    append(notes, " {");
    kvc_index_walk walk = {0};
    size_t index;
    for (size_t i = 0; kvc_index_set_next(indexes, &walk, &index); i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%zu", i > 0 ? " " : "", index);
        append(notes, text);
    }
    append(notes, "}");
}

const char *isa_test_to_many_calls(isa_id object)
{
    const char *text = notes_of(object)->text;
    return text == NULL ? "" : text;
}

void isa_test_to_many_forget_calls(isa_id object)
{
    struct notes *notes = notes_of(object);
    if (notes->length > 0) notes->text[notes->length = 0] = 0;
}

// Runs once for each fixture class that the object's class descends from.
static void dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    struct notes **notes = ivar_address(self, "hidden_notes");
    if (*notes == NULL) return;
    free((*notes)->text);
    free(*notes);
    *notes = NULL;
}

// ---- accessors that read ------------------------------------------------------------------------

// Keeps an answer for as long as it is the last one, and lends it.
static isa_id lend(isa_id self, isa_id owned)
{
    isa_id *lent = slot(self, "hidden_lent");
    isa_object_release(*lent);
    return *lent = owned;
}

static isa_id items(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa_test_to_many_backing(self);
}

static uint64_t count_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return kvc_collection_count(isa_test_to_many_backing(self));
}

static isa_id object_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    isa_id object = NULL;
    note_number(self, "at", index);
    kvc_ordered_copy_object(isa_test_to_many_backing(self), index, &object);
    return lend(self, object);
}

static isa_id objects_at(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    (void)sel;
    isa_id objects = NULL, object;
    note_indexes(self, "atIndexes", indexes);
    kvc_mutable_array_make(NULL, 0, &objects);
    kvc_index_walk walk = {0};
    size_t index;
    while (kvc_index_set_next(indexes, &walk, &index)) {
        isa_id backing = isa_test_to_many_backing(self);
        if (kvc_ordered_copy_object(backing, index, &object) != ISA_OK) break;
        kvc_collection_add(objects, object);
        isa_object_release(object);
    }
    return lend(self, objects);
}

static uint64_t index_of(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    note(self, "indexOf");
    return kvc_ordered_index_of(isa_test_to_many_backing(self), object);
}

static isa_id enumerator_of(isa_id self, isa_sel sel)
{
    (void)sel;
    note(self, "enumerator");
    return isa_test_to_many_backing(self);
}

static isa_id member_of(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    isa_id member = NULL;
    note(self, "member");
    kvc_set_copy_member(isa_test_to_many_backing(self), object, &member);
    return lend(self, member);
}

// ---- accessors that change ----------------------------------------------------------------------

static void set_items(isa_id self, isa_sel sel, isa_id collection)
{
    (void)sel;
    note_number(self, "set", kvc_collection_count(collection));
    isa_test_to_many_set_backing(self, collection);
}

static void insert(isa_id self, isa_sel sel, isa_id object, uint64_t index)
{
    (void)sel;
    note_number(self, "insert", index);
    if (is_refused(self, object)) return;
    kvc_ordered_insert(isa_test_to_many_backing(self), object, index);
}

static void insert_many(isa_id self, isa_sel sel, isa_id objects, const kvc_index_set *indexes)
{
    (void)sel;
    note_indexes(self, "insertAt", indexes);
    kvc_ordered_insert_many(isa_test_to_many_backing(self), objects, indexes);
}

static void remove_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    isa_id object = NULL;
    note_number(self, "remove", index);
    kvc_ordered_copy_object(isa_test_to_many_backing(self), index, &object);
    if (!is_refused(self, object)) kvc_ordered_remove(isa_test_to_many_backing(self), index);
    isa_object_release(object);
}

static void remove_many(isa_id self, isa_sel sel, const kvc_index_set *indexes)
{
    (void)sel;
    note_indexes(self, "removeAt", indexes);
    kvc_ordered_remove_many(isa_test_to_many_backing(self), indexes);
}

static void replace(isa_id self, isa_sel sel, uint64_t index, isa_id object)
{
    (void)sel;
    note_number(self, "replace", index);
    kvc_ordered_replace(isa_test_to_many_backing(self), index, what_replaces(self, object));
}

static void replace_many(isa_id self, isa_sel sel, const kvc_index_set *indexes, isa_id objects)
{
    (void)sel;
    note_indexes(self, "replaceAt", indexes);
    kvc_ordered_replace_many(isa_test_to_many_backing(self), indexes, objects);
}

static void add(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    note(self, "add");
    if (!is_refused(self, object)) kvc_collection_add(isa_test_to_many_backing(self), object);
}

static void add_many(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    note_number(self, "addAll", kvc_collection_count(objects));
    kvc_set_unite(isa_test_to_many_backing(self), objects);
}

static void remove_object(isa_id self, isa_sel sel, isa_id object)
{
    (void)sel;
    note(self, "removeObject");
    if (!is_refused(self, object)) kvc_collection_remove(isa_test_to_many_backing(self), object);
}

static void remove_set(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    note_number(self, "removeAll", kvc_collection_count(objects));
    kvc_set_subtract(isa_test_to_many_backing(self), objects);
}

static void intersect(isa_id self, isa_sel sel, isa_id objects)
{
    (void)sel;
    note_number(self, "intersect", kvc_collection_count(objects));
    kvc_set_intersect(isa_test_to_many_backing(self), objects);
}

// ---- the informal protocol ----------------------------------------------------------------------

// Answers for `items` with the backing collection; for other keys as the root class does.
static isa_status value_for(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    typedef isa_status (*get_imp)(isa_id, isa_sel, const char *, isa_id *);
    if (strcmp(key, "items") != 0)
        return ((get_imp)isa_class_find_imp(isa_root_class(), sel))(self, sel, key, out);
    *out = isa_object_retain(isa_test_to_many_backing(self));
    return ISA_OK;
}

static isa_status set_value_for(isa_id self, isa_sel sel, isa_id value, const char *key)
{
    typedef isa_status (*set_imp)(isa_id, isa_sel, isa_id, const char *);
    if (strcmp(key, "items") != 0)
        return ((set_imp)isa_class_find_imp(isa_root_class(), sel))(self, sel, value, key);
    bool undefined = strcmp(isa_sel_name(sel), "setValue:forUndefinedKey:") == 0;
    note_number(self, undefined ? "undefined" : "override", kvc_collection_count(value));
    isa_test_to_many_set_backing(self, value);
    return ISA_OK;
}

// ---- the class ----------------------------------------------------------------------------------

#define INDEXES "^{kvc_index_set=}"

static const struct accessor {
    uint32_t flag;
    const char *name;
    isa_imp imp;
    const char *types;
} accessors_by_flag[] = {
    {ISA_TEST_GETTER, "items", (isa_imp)items, "@@:"},
    {ISA_TEST_SETTER, "setItems:", (isa_imp)set_items, "v@:@"},
    {ISA_TEST_COUNT_OF, "countOfItems", (isa_imp)count_of, "Q@:"},
    {ISA_TEST_OBJECT_AT, "objectInItemsAtIndex:", (isa_imp)object_at, "@@:Q"},
    {ISA_TEST_OBJECTS_AT, "itemsAtIndexes:", (isa_imp)objects_at, "@@:" INDEXES},
    {ISA_TEST_INDEX_OF, "indexInItemsOfObject:", (isa_imp)index_of, "Q@:@"},
    {ISA_TEST_ENUMERATOR, "enumeratorOfItems", (isa_imp)enumerator_of, "@@:"},
    {ISA_TEST_MEMBER, "memberOfItems:", (isa_imp)member_of, "@@:@"},
    {ISA_TEST_INSERT, "insertObject:inItemsAtIndex:", (isa_imp)insert, "v@:@Q"},
    {ISA_TEST_INSERT_MANY, "insertItems:atIndexes:", (isa_imp)insert_many, "v@:@" INDEXES},
    {ISA_TEST_REMOVE_AT, "removeObjectFromItemsAtIndex:", (isa_imp)remove_at, "v@:Q"},
    {ISA_TEST_REMOVE_MANY, "removeItemsAtIndexes:", (isa_imp)remove_many, "v@:" INDEXES},
    {ISA_TEST_REPLACE, "replaceObjectInItemsAtIndex:withObject:", (isa_imp)replace, "v@:Q@"},
    {ISA_TEST_REPLACE_MANY, "replaceItemsAtIndexes:withItems:", (isa_imp)replace_many,
     "v@:" INDEXES "@"},
    {ISA_TEST_ADD, "addItemsObject:", (isa_imp)add, "v@:@"},
    {ISA_TEST_ADD_MANY, "addItems:", (isa_imp)add_many, "v@:@"},
    {ISA_TEST_REMOVE, "removeItemsObject:", (isa_imp)remove_object, "v@:@"},
    {ISA_TEST_REMOVE_SET, "removeItems:", (isa_imp)remove_set, "v@:@"},
    {ISA_TEST_INTERSECT, "intersectItems:", (isa_imp)intersect, "v@:@"},
    {ISA_TEST_HOOKS, "valueForUndefinedKey:", (isa_imp)value_for, "i@:*^@"},
    {ISA_TEST_HOOKS, "setValue:forUndefinedKey:", (isa_imp)set_value_for, "i@:@*"},
    {ISA_TEST_OVERRIDES, "valueForKey:", (isa_imp)value_for, "i@:*^@"},
    {ISA_TEST_OVERRIDES, "setValue:forKey:", (isa_imp)set_value_for, "i@:@*"},
};

isa_status isa_test_to_many_add(isa_class cls, uint32_t accessors)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < sizeof accessors_by_flag / sizeof *accessors_by_flag; i++) {
        const struct accessor *accessor = &accessors_by_flag[i];
        if (status == ISA_OK && (accessors & accessor->flag) != 0)
            status = isa_class_add_method(cls, isa_sel_register(accessor->name), accessor->imp,
                                          accessor->types);
    }
    return status;
}

// Gives the class what an instance keeps, and sees to its end.
static isa_status add_ivars(isa_class cls, bool visible)
{
    static const char *const hidden[] = {"hidden_lent", "hidden_refused", "hidden_substitute"};
    isa_status status = isa_class_add_ivar(cls, backing_names[visible ? 0 : 1], "@",
                                           ISA_OWNERSHIP_RETAIN);
    if (status == ISA_OK)
        status = isa_class_add_ivar(cls, "hidden_notes", "^v", ISA_OWNERSHIP_NONE);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && status == ISA_OK; i++)
        status = isa_class_add_ivar(cls, hidden[i], "@", ISA_OWNERSHIP_RETAIN);
    if (status == ISA_OK)
        status = isa_class_add_method(cls, isa_sel_register("dealloc"), (isa_imp)dealloc, "v@:");
    return status;
}

isa_status isa_test_to_many_make(const char *name, isa_class superclass, uint32_t accessors,
                                 isa_class *out)
{
    isa_class cls;
    isa_class above = superclass != NULL ? superclass : isa_root_class();
    isa_status status = isa_class_pair_allocate(above, name, &cls);
    if (status != ISA_OK) return status;
    // A fixture class's subclass has what it needs.
    if (isa_class_find_ivar(above, "hidden_notes") == NULL)
        status = add_ivars(cls, (accessors & ISA_TEST_IVAR) != 0);
    if (status == ISA_OK) status = isa_test_to_many_add(cls, accessors);
    if (status == ISA_OK) status = isa_class_pair_register(cls);
    if (status == ISA_OK) *out = cls;
    else isa_class_pair_dispose(cls);
    return status;
}
