// The public functions on collections, each a check and a message; and what all collections share.
//
// Owns:      nothing.
// Locks:     none; every message may run code of a class that is not ours.
// Invariant: an object is sent a collection's message only if it descends from the class that
//            declares it, so that the message's signature is known.
#include "collection.h"

#include "../base/status.h"
#include "../model/dispatch.h"
#include "../model/selector.h"
#include "box.h"

// ---- checks -------------------------------------------------------------------------------------

enum { ARRAY = 1 << KVC_KIND_ARRAY, ORDERED_SET = 1 << KVC_KIND_ORDERED_SET };
enum { SET = 1 << KVC_KIND_SET, DICTIONARY = 1 << KVC_KIND_DICTIONARY };
enum { ORDERED = ARRAY | ORDERED_SET, SETS = SET | ORDERED_SET, ALL = ORDERED | SETS | DICTIONARY };

// The code with which `collection` answers `sel`, if it is of one of the kinds; else NULL.
ISA_INLINE isa_imp find(isa_id collection, unsigned kinds, isa_sel sel)
{
    if (ISA_UNLIKELY(collection == NULL)) return NULL;
    isa_class cls = (isa_class)isa_header_isa((const struct isa_header *)collection);
    return 1u << isa__class_kind(cls) & kinds ? isa__dispatch_get(cls, sel) : NULL;
}

// The failure of a collection for which there is no such code.
ISA_RARE isa_status refuse(isa_id collection, isa_sel sel)
{
    if (collection == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no collection to send %s to",
                         isa_sel_name(sel));
    return isa__box_unrecognized(collection, sel);
}

// Sends `sel`, whose methods are of that type, to a collection of one of the kinds; refuses others.
#define SEND(type, kinds, collection, sel, ...) \
    __extension__({ \
        isa_imp imp = find(collection, kinds, sel); \
        ISA_UNLIKELY(imp == NULL) ? refuse(collection, sel) \
                                  : ((type)imp)(collection, sel, ##__VA_ARGS__); \
    })

isa_status isa__collection_check_object(isa_id collection, isa_sel sel, isa_id object)
{
    return object != NULL ? ISA_OK : isa__box_fail(collection, sel, ISA_ERR_INVALID_ARGUMENT,
                                                   "object cannot be nil");
}

isa_status isa__collection_check_index(isa_id collection, isa_sel sel, uint64_t index,
                                       size_t count)
{
    if (index < count) return ISA_OK;
    if (count == 0)
        return isa__box_fail(
            collection, sel, KVC_ERR_RANGE, "index %llu beyond bounds for empty %s",
            (unsigned long long)index,
            kvc_kind_of(collection) == KVC_KIND_ARRAY ? "array" : "ordered set");
    return isa__box_fail(collection, sel, KVC_ERR_RANGE, "index %llu beyond bounds [0 .. %zu]",
                         (unsigned long long)index, count - 1);
}

isa_status isa__collection_check_other(isa_id collection, isa_sel sel, isa_id other)
{
    if (kvc_kind_of(other) >= KVC_KIND_ARRAY) return ISA_OK;
    return isa__box_fail(collection, sel, ISA_ERR_INVALID_ARGUMENT,
                         "argument is not a collection");
}

isa_status isa__collection_check_indexes(isa_id collection, isa_sel sel,
                                         const kvc_index_set *indexes, size_t count)
{
    if (indexes == NULL)
        return isa__box_fail(collection, sel, ISA_ERR_INVALID_ARGUMENT, "index set cannot be nil");
    if (indexes->count == 0) return ISA_OK;
    return isa__collection_check_index(collection, sel, kvc_index_set_last(indexes), count);
}

bool isa__collection_matches(isa_id collection, isa_id other)
{
    return kvc_kind_of(other) == kvc_kind_of(collection) &&
           kvc_collection_count(other) == kvc_collection_count(collection);
}

// ---- gather -------------------------------------------------------------------------------------

void isa__collection_let_go(struct isa__array *objects)
{
    for (size_t i = 0; i < objects->count; i++) isa_object_release(objects->items[i]);
    isa__array_clear(objects);
}

isa_status isa__ordered_gather(isa_id ordered, bool refuses_nil, struct isa__array *out)
{
    struct isa__array objects = {0};
    size_t count = kvc_collection_count(ordered);
    isa_status status = isa__array_reserve(&objects, count);
    for (size_t i = 0; i < count && status == ISA_OK; i++) {
        isa_id object = NULL;
        status = kvc_ordered_copy_object(ordered, i, &object);
        if (status == ISA_OK && refuses_nil)
            status = isa__collection_check_object(ordered, isa__sel_object_at, object);
        if (status == ISA_OK) objects.items[objects.count++] = object;
    }
    if (status == ISA_OK) *out = objects;
    else isa__collection_let_go(&objects);
    return status;
}

// Gathers what a list has in it, and releases the list.
static isa_status gather_list(isa_id list, struct isa__array *out)
{
    isa_status status = isa__ordered_gather(list, true, out);
    isa_object_release(list);
    return status;
}

isa_status isa__collection_gather(isa_id collection, struct isa__array *out)
{
    isa_id objects;
    if ((1u << kvc_kind_of(collection) & ORDERED) != 0)
        return isa__ordered_gather(collection, true, out);
    isa_status status = kvc_collection_copy_objects(collection, &objects);
    return status == ISA_OK ? gather_list(objects, out) : status;
}

isa_status isa__collection_gather_keys(isa_id dictionary, struct isa__array *out)
{
    isa_id keys;
    isa_status status = kvc_dictionary_copy_keys(dictionary, &keys);
    return status == ISA_OK ? gather_list(keys, out) : status;
}

isa_status isa__collection_gather_other(isa_id collection, isa_sel sel, isa_id other,
                                        struct isa__array *out)
{
    isa_status status = isa__collection_check_other(collection, sel, other);
    return status == ISA_OK ? isa__collection_gather(other, out) : status;
}

isa_status isa__collection_gather_for(isa_id collection, isa_sel sel, isa_id objects,
                                      const kvc_index_set *indexes, struct isa__array *out)
{
    isa_status status = isa__collection_check_other(collection, sel, objects);
    if (status == ISA_OK)
        status = isa__collection_check_indexes(collection, sel, indexes, SIZE_MAX);
    if (status == ISA_OK) status = isa__collection_gather(objects, out);
    if (status != ISA_OK || out->count == indexes->count) return status;
    status = isa__box_fail(collection, sel, ISA_ERR_INVALID_ARGUMENT,
                           "count of array (%zu) differs from count of index set (%zu)",
                           out->count, indexes->count);
    isa__collection_let_go(out);
    return status;
}

// ---- make ---------------------------------------------------------------------------------------

// For the public function `caller`.
static isa_status collection_make(const char *caller, kvc_kind kind, bool is_mutable,
                                  const isa_id *objects, size_t count, isa_id *out)
{
    if (out == NULL) return isa__fail_null(caller, "out");
    isa_class cls = kvc_class_of_kind(kind, is_mutable);
    for (size_t i = 0; i < count; i++)
        if (objects == NULL || objects[i] == NULL)
            return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                             "*** -[%s initWithObjects:count:]: attempt to insert nil object from "
                             "objects[%zu]", isa_class_name(cls), i);
    return kind == KVC_KIND_ARRAY ? isa__array_make(cls, objects, count, out)
                                  : isa__set_make(cls, objects, count, out);
}

isa_status isa__collection_adopt(isa_status status, isa_class cls, struct isa__array *objects,
                                 isa_id *out)
{
    bool is_array = isa__class_kind(cls) == KVC_KIND_ARRAY;
    if (status == ISA_OK)
        status = is_array ? isa__array_adopt(cls, objects, out)
                          : isa__set_make(cls, (const isa_id *)objects->items, objects->count, out);
    isa__collection_let_go(objects);
    return status;
}

#define DEFINE_MAKE(name, kind, is_mutable) \
    isa_status name(const isa_id *objects, size_t count, isa_id *out) \
    { \
        return collection_make(__func__, KVC_KIND_##kind, is_mutable, objects, count, out); \
    }
DEFINE_MAKE(kvc_array_make, ARRAY, false)
DEFINE_MAKE(kvc_mutable_array_make, ARRAY, true)
DEFINE_MAKE(kvc_ordered_set_make, ORDERED_SET, false)
DEFINE_MAKE(kvc_mutable_ordered_set_make, ORDERED_SET, true)
DEFINE_MAKE(kvc_set_make, SET, false)
DEFINE_MAKE(kvc_mutable_set_make, SET, true)

isa_status kvc_collection_make(kvc_kind kind, bool is_mutable, isa_id other, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct isa__array objects = {0};
    if (kind < KVC_KIND_ARRAY || kind > KVC_KIND_SET)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "kind %d is not an array, ordered set or set", (int)kind);
    isa_status status = isa__collection_gather(other, &objects);
    return isa__collection_adopt(status, kvc_class_of_kind(kind, is_mutable), &objects, out);
}

static isa_status send_copy(const char *caller, isa_id collection, isa_sel sel, isa_id *out)
{
    if (out == NULL) return isa__fail_null(caller, "out");
    isa_imp imp = find(collection, ALL, sel);
    if (imp == NULL) return refuse(collection, sel);
    isa_id copy = ((isa__copy_imp)imp)(collection, sel);
    if (copy == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "-[%s %s]: no copy could be made",
                         isa__box_class_name(collection), isa_sel_name(sel));
    *out = copy;
    return ISA_OK;
}

isa_status kvc_collection_copy(isa_id collection, isa_id *out)
{
    return send_copy(__func__, collection, isa__sel_copy, out);
}

isa_status kvc_collection_mutable_copy(isa_id collection, isa_id *out)
{
    return send_copy(__func__, collection, isa__sel_mutable_copy, out);
}

// ---- any collection -----------------------------------------------------------------------------

size_t kvc_collection_count(isa_id collection)
{
    if (kvc_kind_of(collection) < KVC_KIND_ARRAY) return 0;
    return ISA_SEND(isa__count_imp, collection, isa__sel_count);
}

isa_status kvc_collection_copy_objects(isa_id collection, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    bool is_dictionary = kvc_kind_of(collection) == KVC_KIND_DICTIONARY;
    isa_sel sel = is_dictionary ? isa__sel_all_values : isa__sel_all_objects;
    return SEND(isa__answer_imp, ALL, collection, sel, out);
}

isa_status kvc_collection_enumerate(isa_id collection, kvc_visitor visit, void *context)
{
    if (visit == NULL) return isa__fail_null(__func__, "visit");
    struct isa__array objects;
    isa_status status = isa__collection_gather(collection, &objects);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < objects.count; i++)
        if (!visit(objects.items[i], i, context)) break;
    isa__collection_let_go(&objects);
    return ISA_OK;
}

// Looks among the values of a dictionary, which has no message for it.
static bool has_value(isa_id dictionary, isa_id object)
{
    isa_id values;
    if (kvc_collection_copy_objects(dictionary, &values) != ISA_OK) return false;
    bool found = kvc_ordered_index_of(values, object) != KVC_NOT_FOUND;
    isa_object_release(values);
    return found;
}

bool kvc_collection_contains(isa_id collection, isa_id object)
{
    kvc_kind kind = kvc_kind_of(collection);
    if (kind < KVC_KIND_ARRAY || object == NULL) return false;
    if (kind == KVC_KIND_DICTIONARY) return has_value(collection, object);
    return ISA_SEND(isa__question_imp, collection, isa__sel_contains, object);
}

static isa_status send_object(isa_id collection, unsigned kinds, isa_sel sel, isa_id object)
{
    return SEND(isa__object_imp, kinds, collection, sel, object);
}

isa_status kvc_collection_add(isa_id collection, isa_id object)
{
    return send_object(collection, ORDERED | SETS, isa__sel_add, object);
}

isa_status kvc_collection_remove(isa_id collection, isa_id object)
{
    return send_object(collection, ORDERED | SETS, isa__sel_remove, object);
}

isa_status kvc_collection_remove_all(isa_id collection)
{
    return SEND(isa__act_imp, ALL, collection, isa__sel_remove_all);
}

isa_status kvc_collection_set_objects(isa_id collection, isa_id other)
{
    bool is_array = kvc_kind_of(collection) == KVC_KIND_ARRAY;
    return send_object(collection, ORDERED | SETS, is_array ? isa__sel_set_array : isa__sel_set_set,
                       other);
}

// ---- arrays and ordered sets --------------------------------------------------------------------

isa_status kvc_ordered_copy_object(isa_id ordered, size_t index, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return SEND(isa__copy_at_imp, ORDERED, ordered, isa__sel_object_at, index, out);
}

size_t kvc_ordered_index_of(isa_id ordered, isa_id object)
{
    if ((1u << kvc_kind_of(ordered) & ORDERED) == 0 || object == NULL) return KVC_NOT_FOUND;
    return ISA_SEND(isa__index_imp, ordered, isa__sel_index_of, object);
}

isa_status kvc_ordered_insert(isa_id ordered, isa_id object, size_t index)
{
    return SEND(isa__insert_imp, ORDERED, ordered, isa__sel_insert, object, index);
}

isa_status kvc_ordered_remove(isa_id ordered, size_t index)
{
    return SEND(isa__at_imp, ORDERED, ordered, isa__sel_remove_at, index);
}

isa_status kvc_ordered_replace(isa_id ordered, size_t index, isa_id object)
{
    return SEND(isa__replace_imp, ORDERED, ordered, isa__sel_replace, index, object);
}

isa_status kvc_ordered_insert_many(isa_id ordered, isa_id objects, const kvc_index_set *indexes)
{
    return SEND(isa__insert_many_imp, ORDERED, ordered, isa__sel_insert_many, objects, indexes);
}

isa_status kvc_ordered_remove_many(isa_id ordered, const kvc_index_set *indexes)
{
    return SEND(isa__remove_many_imp, ORDERED, ordered, isa__sel_remove_many, indexes);
}

isa_status kvc_ordered_replace_many(isa_id ordered, const kvc_index_set *indexes, isa_id objects)
{
    return SEND(isa__replace_many_imp, ORDERED, ordered, isa__sel_replace_many, indexes, objects);
}

// ---- sets and ordered sets ----------------------------------------------------------------------

isa_status kvc_set_copy_member(isa_id set, isa_id object, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return SEND(isa__find_imp, SETS, set, isa__sel_member, object, out);
}

isa_status kvc_set_unite(isa_id set, isa_id other)
{
    return send_object(set, SETS, isa__sel_unite, other);
}

isa_status kvc_set_subtract(isa_id set, isa_id other)
{
    return send_object(set, SETS, isa__sel_subtract, other);
}

isa_status kvc_set_intersect(isa_id set, isa_id other)
{
    return send_object(set, SETS, isa__sel_intersect, other);
}

// ---- dictionaries -------------------------------------------------------------------------------

isa_status kvc_dictionary_copy_value(isa_id dictionary, isa_id key, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return SEND(isa__find_imp, DICTIONARY, dictionary, isa__sel_object_for, key, out);
}

isa_status kvc_dictionary_copy_keys(isa_id dictionary, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    return SEND(isa__answer_imp, DICTIONARY, dictionary, isa__sel_all_keys, out);
}

isa_status kvc_dictionary_set(isa_id dictionary, isa_id key, isa_id value)
{
    return SEND(isa__objects_imp, DICTIONARY, dictionary, isa__sel_set_object_for, value, key);
}

isa_status kvc_dictionary_remove(isa_id dictionary, isa_id key)
{
    return send_object(dictionary, DICTIONARY, isa__sel_remove_object_for, key);
}

// ---- messages -----------------------------------------------------------------------------------

// As Foundation has it: contents may change, and nested hashes would be slow.
static uint64_t collection_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    return kvc_collection_count(self);
}

static isa_id make_like(isa_id self, bool is_mutable)
{
    kvc_kind kind = kvc_kind_of(self);
    isa_id made = NULL;
    isa_status status = kind == KVC_KIND_DICTIONARY
                            ? isa__dictionary_make_like(self, is_mutable, &made)
                            : kvc_collection_make(kind, is_mutable, self, &made);
    return status == ISA_OK ? made : NULL;
}

static isa_id copy_collection(isa_id self, isa_sel sel)
{
    (void)sel;
    return kvc_is_mutable(self) ? make_like(self, false) : isa_object_retain(self);
}

static isa_id mutable_copy_collection(isa_id self, isa_sel sel)
{
    (void)sel;
    return make_like(self, true);
}

static void describe_value(struct isa__text *text, isa_id dictionary, isa_id key)
{
    isa_id value = NULL;
    isa__text_append(text, " = ", 3);
    isa_status status = kvc_dictionary_copy_value(dictionary, key, &value);
    if (status == ISA_OK) isa__text_describe(text, value);
    else text->status = status;
    isa_object_release(value);
}

static isa_status describe_collection(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    struct isa__array objects;
    kvc_kind kind = kvc_kind_of(self);
    bool keyed = kind == KVC_KIND_DICTIONARY, is_array = kind == KVC_KIND_ARRAY;
    isa_status status = keyed ? isa__collection_gather_keys(self, &objects)
                              : isa__collection_gather(self, &objects);
    if (status != ISA_OK) return status;
    struct isa__text text = {0};
    isa__text_format(&text, keyed ? "{" : is_array ? "(" : "{(");
    for (size_t i = 0; i < objects.count; i++) {
        if (i > 0) isa__text_append(&text, keyed ? "; " : ", ", 2);
        isa__text_describe(&text, objects.items[i]);
        if (keyed) describe_value(&text, self, objects.items[i]);
    }
    isa__text_format(&text, keyed ? "}" : is_array ? ")" : ")}");
    isa__collection_let_go(&objects);
    return isa__text_finish(&text, out);
}

const struct isa__box_method isa__collection_methods[4] = {
    {&isa__sel_hash, (isa_imp)collection_hash, "Q@:"},
    {&isa__sel_copy, (isa_imp)copy_collection, "@@:"},
    {&isa__sel_mutable_copy, (isa_imp)mutable_copy_collection, "@@:"},
    {&isa__sel_description, (isa_imp)describe_collection, "i@:^@"},
};
