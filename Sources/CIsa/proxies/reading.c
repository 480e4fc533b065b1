// Proxies that read a to-many key through the accessors for its elements.
//
// Owns:      what a proxy owns, and where the accessors stood when it was made.
// Locks:     none; every message runs user code.
// Invariant: a proxy never changes once it is made, so any thread may use it. Where the class has
//            changed since, each message looks the accessors up for itself.
#include "../base/status.h"
#include "../call/signature.h"
#include "../model/class.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/collection.h"
#include "proxy.h"

struct read_proxy {
    struct isa__proxy head;
    struct isa__elements elements;
    isa_class cls;  // that `elements` were looked up in
    uint64_t epoch; // isa__method_epoch before
};

// ---- calls --------------------------------------------------------------------------------------

// Finds the accessors, or recalls where they were found.
static struct isa__elements get_elements(isa_class cls, const char *key, uint64_t epoch)
{
    struct isa__elements found;
    const struct isa__key *known = isa__key_find(key);
    if (known != NULL && isa__fact_recall(cls, known, ISA_FACT_ELEMENTS, &found, sizeof found))
        return found;
    isa__elements_find(cls, key, &found);
    if (known != NULL) isa__fact_keep(cls, known, ISA_FACT_ELEMENTS, &found, sizeof found, epoch);
    return found;
}

static isa_method find_element(isa_id self, enum isa__element which)
{
    const struct read_proxy *proxy = (const struct read_proxy *)self;
    isa_class cls = isa_object_get_class(proxy->head.object);
    uint64_t epoch = isa__method_epoch();
    if (cls == proxy->cls && epoch == proxy->epoch) return proxy->elements.methods[which];
    return get_elements(cls, proxy->head.key, epoch).methods[which];
}

// Calls the object's accessor with one argument or none.
static isa_status ask(isa_id self, isa_sel sel, enum isa__element which,
                      struct isa__accessor_arguments arguments, union isa__accessor_answer *answer)
{
    const struct isa__proxy *proxy = (const struct isa__proxy *)self;
    isa_method method = find_element(self, which);
    if (method == NULL)
        return isa__fail_for(proxy->object, proxy->key, ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                             "-[%s %s]: <%s %p> has no accessors for key %.128s any more",
                             isa__box_class_name(self), isa_sel_name(sel),
                             isa__box_class_name(proxy->object), (void *)proxy->object, proxy->key);
    struct isa__thread *thread = isa__thread_get();
    isa_status status = isa__proxy_enter(thread, self, sel);
    if (status != ISA_OK) return status;
    status = isa__accessor_send(proxy->object, method,
                                isa__name_signature(ISA_NAME_COUNT_OF + which), &arguments, answer);
    isa__proxy_leave(thread);
    return status;
}

static uint64_t proxy_count(isa_id self, isa_sel sel)
{
    struct isa__accessor_arguments none = {0};
    union isa__accessor_answer count = {0};
    isa_status status = ask(self, sel, ISA_ELEMENT_COUNT_OF, none, &count);
    return status == ISA_OK ? isa__elements_count(count.index) : 0;
}

// A copy is what the elements are now: the proxy itself is not.
static isa_id copy_proxy(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id made = NULL;
    isa_status status = kvc_collection_make(kvc_kind_of(self), false, self, &made);
    return status == ISA_OK ? made : NULL;
}

// ---- arrays and ordered sets --------------------------------------------------------------------

static isa_status no_element(isa_id self, isa_sel sel, size_t index)
{
    const struct isa__proxy *proxy = (const struct isa__proxy *)self;
    return isa__fail_for(proxy->object, proxy->key, KVC_ERR_RANGE, NULL,
                         "-[%s %s]: <%s %p> has no element at index %zu of key %.128s",
                         isa__box_class_name(self), isa_sel_name(sel),
                         isa__box_class_name(proxy->object), (void *)proxy->object, index,
                         proxy->key);
}

static isa_status ask_with_indexes(isa_id self, isa_sel sel, size_t index, isa_id *out)
{
    kvc_range range = {.start = index, .count = 1};
    kvc_index_set indexes = {.ranges = &range, .range_count = 1, .count = 1};
    struct isa__accessor_arguments argument = {.pointer = &indexes};
    union isa__accessor_answer objects = {0};
    isa_status status = ask(self, sel, ISA_ELEMENT_OBJECTS_AT, argument, &objects);
    if (status != ISA_OK) return status;
    if (kvc_collection_count(objects.object) != 1) return no_element(self, sel, index);
    return kvc_ordered_copy_object(objects.object, 0, out);
}

static isa_status ask_with_index(isa_id self, isa_sel sel, size_t index, isa_id *out)
{
    struct isa__accessor_arguments argument = {.index = index};
    union isa__accessor_answer object = {0};
    isa_status status = ask(self, sel, ISA_ELEMENT_OBJECT_AT, argument, &object);
    if (status != ISA_OK) return status;
    if (object.object == NULL) return no_element(self, sel, index);
    *out = isa_object_retain(object.object);
    return ISA_OK;
}

static isa_status object_at_index(isa_id self, isa_sel sel, uint64_t index, isa_id *out)
{
    isa_status status = isa__collection_check_index(self, sel, index, proxy_count(self, sel));
    if (status != ISA_OK) return status;
    bool has_one = find_element(self, ISA_ELEMENT_OBJECT_AT) != NULL;
    return has_one ? ask_with_index(self, sel, index, out)
                   : ask_with_indexes(self, sel, index, out);
}

static uint64_t index_of_object(isa_id self, isa_sel sel, isa_id object)
{
    struct isa__accessor_arguments argument = {.object = object};
    union isa__accessor_answer index = {.index = KVC_NOT_FOUND};
    if (object == NULL) return KVC_NOT_FOUND;
    isa_status status = ask(self, sel, ISA_ELEMENT_INDEX_OF, argument, &index);
    return status == ISA_OK && index.index < KVC_NOT_FOUND ? (size_t)index.index : KVC_NOT_FOUND;
}

static isa_status ordered_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    (void)sel;
    *out = NULL;
    size_t index = kvc_ordered_index_of(self, object);
    return index == KVC_NOT_FOUND ? ISA_OK : kvc_ordered_copy_object(self, index, out);
}

// ---- sets ---------------------------------------------------------------------------------------

static isa_status set_member(isa_id self, isa_sel sel, isa_id object, isa_id *out)
{
    struct isa__accessor_arguments argument = {.object = object};
    union isa__accessor_answer member = {0};
    isa_status status = ISA_OK;
    if (object != NULL) status = ask(self, sel, ISA_ELEMENT_MEMBER, argument, &member);
    if (status == ISA_OK) *out = isa_object_retain(member.object);
    return status;
}

// The next object of an enumerator, with a reference, whichever way it hands them out.
static isa_status next_object(isa_id enumerator, isa_sel sel, bool gives, isa_id *out)
{
    *out = NULL;
    if (gives) return ISA_SEND(isa__answer_imp, enumerator, sel, out);
    *out = isa_object_retain(ISA_SEND(isa__copy_imp, enumerator, sel));
    return ISA_OK;
}

static isa_status walk(isa_id enumerator, struct isa__array *objects)
{
    isa_sel sel = isa_sel_find("nextObject");
    isa_method method =
        sel == NULL ? NULL : isa_class_find_method(isa_object_get_class(enumerator), sel);
    bool gives = isa__method_has_types(method, "i@:^@");
    if (!gives && !isa__method_has_types(method, "@@:"))
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "<%s %p> is no enumerator: a collection, or an object that answers "
                         "nextObject, was expected", isa__box_class_name(enumerator),
                         (void *)enumerator);
    for (;;) {
        isa_id object;
        isa_status status = next_object(enumerator, sel, gives, &object);
        if (status != ISA_OK || object == NULL) return status;
        status = isa__array_add(objects, object);
        if (status == ISA_OK) continue;
        isa_object_release(object);
        return status;
    }
}

static isa_status enumerate(isa_id enumerator, isa_id *out)
{
    struct isa__array objects = {0};
    if (kvc_kind_of(enumerator) >= KVC_KIND_ARRAY)
        return kvc_collection_copy_objects(enumerator, out);
    isa_status status = enumerator == NULL ? ISA_OK : walk(enumerator, &objects);
    return isa__collection_adopt(status, isa__box_classes[ISA_BOX_ARRAY], &objects, out);
}

static isa_status set_objects(isa_id self, isa_sel sel, isa_id *out)
{
    struct isa__accessor_arguments none = {0};
    union isa__accessor_answer enumerator = {0};
    isa_status status = ask(self, sel, ISA_ELEMENT_ENUMERATOR, none, &enumerator);
    if (status != ISA_OK) return status;
    isa_object_retain(enumerator.object);
    status = enumerate(enumerator.object, out);
    isa_object_release(enumerator.object);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__read_proxy_make(kvc_kind kind, isa_id object, const char *key, isa_id *out)
{
    isa_id made;
    uint64_t epoch = isa__method_epoch();
    isa_status status = isa__proxy_make(kind, false, object, key, &made);
    if (status != ISA_OK) return status;
    struct read_proxy *proxy = (struct read_proxy *)made;
    proxy->cls = isa_object_get_class(object);
    proxy->epoch = epoch;
    proxy->elements = get_elements(proxy->cls, key, epoch);
    *out = made;
    return ISA_OK;
}

static const struct isa__box_method of_all[] = {
    {&isa__sel_copy, (isa_imp)copy_proxy, "@@:"},
    {&isa__sel_count, (isa_imp)proxy_count, "Q@:"},
};

static const struct isa__box_method of_ordered[] = {
    {&isa__sel_object_at, (isa_imp)object_at_index, "i@:Q^@"},
};

static const struct isa__box_method of_ordered_sets[] = {
    {&isa__sel_index_of, (isa_imp)index_of_object, "Q@:@"},
    {&isa__sel_member, (isa_imp)ordered_member, "i@:@^@"},
    {&isa__sel_all_objects, (isa_imp)isa__ordered_copy_objects, "i@:^@"},
};

static const struct isa__box_method of_sets[] = {
    {&isa__sel_member, (isa_imp)set_member, "i@:@^@"},
    {&isa__sel_all_objects, (isa_imp)set_objects, "i@:^@"},
};

const struct isa__library_class isa__read_proxy_classes[3] = {
    {&isa__proxy_classes[KVC_KIND_ARRAY][false], "IsaKeyValueArray",
     &isa__box_classes[ISA_BOX_ARRAY], KVC_KIND_ARRAY, sizeof(struct read_proxy),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_all), ISA_LIST_OF(of_ordered)}},
    {&isa__proxy_classes[KVC_KIND_ORDERED_SET][false], "IsaKeyValueOrderedSet",
     &isa__box_classes[ISA_BOX_ORDERED_SET], KVC_KIND_ORDERED_SET, sizeof(struct read_proxy),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_all), ISA_LIST_OF(of_ordered),
      ISA_LIST_OF(of_ordered_sets)}},
    {&isa__proxy_classes[KVC_KIND_SET][false], "IsaKeyValueSet", &isa__box_classes[ISA_BOX_SET],
     KVC_KIND_SET, sizeof(struct read_proxy),
     {ISA_LIST_OF(isa__proxy_methods), ISA_LIST_OF(of_all), ISA_LIST_OF(of_sets)}},
};
