// Collection operators.
//
// Owns:      nothing; the arithmetic is that of kvc_get_decimal_operations.
// Locks:     none; members are asked by messages, of a snapshot of the collection.
// Invariant: an operator is a method of the collection's class: found by its name, inherited and
//            overridden like any other.
#include "coding.h"

#include <stdio.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/collection.h"

// ---- members' values ----------------------------------------------------------------------------

// Told of one value, which is not nil.
typedef isa_status (*taker)(isa_id value, void *context);

// Says of a failure to compute which key of the elements could not be computed with.
static isa_status blame(isa_id self, const char *path, isa_status status)
{
    if (status == ISA_OK) return status;
    isa_error error = *isa_last_error();
    if (error.status != status) return status; // it gave no reason
    error.object = self;
    error.class_name = isa__box_class_name(self);
    error.key = path;
    return isa_fail_with(&error);
}

// Tells `take` of the value of each member for `path`; nil is passed over. `*count`, if asked for,
// is the number of members.
static isa_status take_values(isa_id self, const char *path, taker take, void *context,
                              size_t *count)
{
    struct isa__array members = {0};
    isa_status status = isa__collection_gather(self, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++) {
        isa_id value = NULL;
        status = kvc_copy_value_for_path(members.items[i], path, &value);
        if (status == ISA_OK && value != NULL) status = blame(self, path, take(value, context));
        isa_object_release(value);
    }
    if (count != NULL) *count = members.count;
    isa__collection_let_go(&members);
    return status;
}

// ---- sum and average ----------------------------------------------------------------------------

static isa_status add_to_sum(isa_id value, void *sum)
{
    struct isa__decimal addend;
    isa_status status = isa__decimal_read(value, &addend);
    return status == ISA_OK ? isa__decimal_add(sum, &addend) : status;
}

static isa_status add_up(isa_id self, const char *path, struct isa__decimal *sum, size_t *count)
{
    isa__decimal_read(NULL, sum);
    return take_values(self, path, add_to_sum, sum, count);
}

static isa_status compute_sum(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    struct isa__decimal sum;
    isa_status status = add_up(self, path, &sum, NULL);
    return status != ISA_OK ? status : isa__decimal_copy_object(&sum, out);
}

// A member without a value counts all the same.
static isa_status compute_average(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    struct isa__decimal sum;
    size_t count;
    isa_status status = add_up(self, path, &sum, &count);
    if (status != ISA_OK) return status;
    *out = NULL;
    if (count == 0) return ISA_OK;
    status = blame(self, path, isa__decimal_divide(&sum, count));
    return status != ISA_OK ? status : isa__decimal_copy_object(&sum, out);
}

static isa_status compute_count(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel, (void)path;
    return kvc_number_make_integer((int64_t)kvc_collection_count(self), out);
}

// ---- least and greatest -------------------------------------------------------------------------

struct extreme {
    isa_id best; // retained; NULL before the first
    bool greatest;
};

static isa_status compare_with_best(isa_id value, void *context)
{
    struct extreme *extreme = context;
    int64_t order = 0;
    if (extreme->best != NULL) {
        isa_status status = kvc_compare(extreme->best, value, &order);
        if (status != ISA_OK) return status;
        if (extreme->greatest ? order >= 0 : order <= 0) return ISA_OK;
    }
    isa_object_release(extreme->best);
    extreme->best = isa_object_retain(value);
    return ISA_OK;
}

static isa_status find_extreme(isa_id self, const char *path, bool greatest, isa_id *out)
{
    struct extreme extreme = {.greatest = greatest};
    isa_status status = take_values(self, path, compare_with_best, &extreme, NULL);
    return isa__object_hand_over(status, extreme.best, out);
}

static isa_status compute_greatest(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    return find_extreme(self, path, true, out);
}

static isa_status compute_least(isa_id self, isa_sel sel, const char *path, isa_id *out)
{
    (void)sel;
    return find_extreme(self, path, false, out);
}

// ---- unions -------------------------------------------------------------------------------------

enum { ARRAY = 1 << KVC_KIND_ARRAY, SET = 1 << KVC_KIND_SET };
enum { ANY = ARRAY | SET | 1 << KVC_KIND_ORDERED_SET };

struct collecting {
    isa_id into;         // a collection that can change
    unsigned containers; // kinds whose members are collected; 0: the values themselves are
};

static isa_status not_container(const struct collecting *collecting, isa_id value)
{
    bool set = collecting->containers == SET;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "*** -[%s %s]: %s argument is not an %s, but of class %s",
                     isa__box_class_name(collecting->into),
                     set ? "unionSet:" : "addObjectsFromArray:", set ? "set" : "array",
                     set ? "IsaSet" : "IsaArray", isa__box_class_name(value));
}

static isa_status collect(isa_id value, void *context)
{
    const struct collecting *collecting = context;
    struct isa__array members = {0};
    if (collecting->containers == 0) return kvc_collection_add(collecting->into, value);
    if ((1u << kvc_kind_of(value) & collecting->containers) == 0)
        return not_container(collecting, value);
    isa_status status = isa__collection_gather(value, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++)
        status = kvc_collection_add(collecting->into, members.items[i]);
    isa__collection_let_go(&members);
    return status;
}

// Collects into a collection of kind `via`, and answers one of the receiver's kind.
static isa_status unite(isa_id self, const char *path, kvc_kind via, unsigned containers,
                        isa_id *out)
{
    struct collecting collecting = {.containers = containers};
    isa_status status = via == KVC_KIND_ARRAY
                            ? kvc_mutable_array_make(NULL, 0, &collecting.into)
                            : kvc_mutable_ordered_set_make(NULL, 0, &collecting.into);
    if (status == ISA_OK) status = take_values(self, path, collect, &collecting, NULL);
    if (status == ISA_OK)
        status = kvc_collection_make(kvc_kind_of(self), false, collecting.into, out);
    isa_object_release(collecting.into);
    return status;
}

#define DEFINE_UNION(name, via, containers) \
    static isa_status unite_##name(isa_id self, isa_sel sel, const char *path, isa_id *out) \
    { \
        (void)sel; \
        return unite(self, path, KVC_KIND_##via, containers, out); \
    }
DEFINE_UNION(objects, ARRAY, 0)
DEFINE_UNION(arrays, ARRAY, ARRAY)
DEFINE_UNION(sets, ARRAY, SET)
DEFINE_UNION(distinct_objects, ORDERED_SET, 0)
// A set's members may be sets as well as arrays; an array takes its name for it.
DEFINE_UNION(distinct_arrays, ORDERED_SET, kvc_kind_of(self) == KVC_KIND_ARRAY ? ARRAY : ANY)
DEFINE_UNION(distinct_sets, ORDERED_SET, SET)

// ---- by name ------------------------------------------------------------------------------------

enum { LONGEST_AFFIXES = sizeof "_ForKeyPath:" };

// The selector of the first of the operator's two names that the class has a method of; NULL if it
// has none. A name that was never interned has no method.
static isa_sel find_method(isa_class cls, const char *name)
{
    isa_sel sel = isa_sel_find(name);
    isa_method method = sel == NULL ? NULL : isa_class_find_method(cls, sel);
    return isa__method_has_types(method, "i@:*^@") ? sel : NULL;
}

static isa_status find_operator(isa_class cls, const char *name, size_t length, isa_sel *out)
{
    size_t size = length + LONGEST_AFFIXES;
    char *text = isa__alloc(ISA_KIND_OTHER, size);
    if (text == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to look for an operator");
    text[0] = '_';
    memcpy(text + 1, name, length);
    strcpy(text + 1 + length, "ForKeyPath:");
    *out = find_method(cls, text + 1);
    if (*out == NULL) *out = find_method(cls, text);
    isa__free(ISA_KIND_OTHER, text, size);
    return ISA_OK;
}

isa_status isa__operator_compute(isa_id collection, const char *path, isa_id *out)
{
    const char *name = path + 1, *dot = strchr(name, '.');
    isa_sel sel = NULL;
    if (dot == NULL) return isa__collection_copy_own_value(collection, name, out);
    size_t length = (size_t)(dot - name);
    isa_status status = find_operator(isa_object_get_class(collection), name, length, &sel);
    if (status != ISA_OK) return status;
    if (sel != NULL) return isa__nested_copy_value(collection, sel, dot + 1, out);
    char operator[128];
    snprintf(operator, sizeof operator, "@%.*s", length < 120 ? (int)length : 120, name);
    return isa__fail_for(collection, operator, ISA_ERR_INVALID_ARGUMENT, NULL,
                         "[<%s %p> valueForKeyPath:]: this class does not implement the %s "
                         "operation.", isa__box_class_name(collection), (void *)collection,
                         operator + 1);
}

// ---- start --------------------------------------------------------------------------------------

struct operator {
    const char *name; // of its method
    isa_imp imp;
    bool arrays_only;
};

static const struct operator operators[] = {
    {"_countForKeyPath:", (isa_imp)compute_count, false},
    {"_sumForKeyPath:", (isa_imp)compute_sum, false},
    {"_avgForKeyPath:", (isa_imp)compute_average, false},
    {"_maxForKeyPath:", (isa_imp)compute_greatest, false},
    {"_minForKeyPath:", (isa_imp)compute_least, false},
    {"_distinctUnionOfObjectsForKeyPath:", (isa_imp)unite_distinct_objects, false},
    {"_distinctUnionOfArraysForKeyPath:", (isa_imp)unite_distinct_arrays, false},
    {"_distinctUnionOfSetsForKeyPath:", (isa_imp)unite_distinct_sets, false},
    {"_unionOfObjectsForKeyPath:", (isa_imp)unite_objects, true},
    {"_unionOfArraysForKeyPath:", (isa_imp)unite_arrays, true},
    {"_unionOfSetsForKeyPath:", (isa_imp)unite_sets, true},
};

static isa_status add_operators(enum isa__box_class which)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < ISA_COUNT_OF(operators) && status == ISA_OK; i++) {
        if (operators[i].arrays_only && which != ISA_BOX_ARRAY) continue;
        isa_sel sel = isa_sel_register(operators[i].name);
        if (sel == NULL) return ISA_ERR_NO_MEMORY;
        status = isa_class_add_method(isa__box_classes[which], sel, operators[i].imp, "i@:*^@");
    }
    return status;
}

isa_status isa__operators_start(void)
{
    isa_status status = add_operators(ISA_BOX_ARRAY);
    if (status == ISA_OK) status = add_operators(ISA_BOX_ORDERED_SET);
    return status == ISA_OK ? add_operators(ISA_BOX_SET) : status;
}
