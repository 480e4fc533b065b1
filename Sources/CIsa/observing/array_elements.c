// Observing collections. An array, a set or an ordered set refuses observers, as in Foundation; an
// array passes registrations on to its elements, by index. Values that cannot change accept
// observers and keep their class; a mutable dictionary notifies for any key.
//
// Locks: none.
#include "kvo_start.h"

#include "../base/containers.h"
#include "../base/status.h"
#include "../base/thread.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "../objects/collection.h"
#include "registry.h"

typedef isa_status (*add_at_imp)(isa_id, isa_sel, isa_id observer, const kvc_index_set *indexes,
                                 const char *key_path, uint64_t options, void *context);
typedef isa_status (*remove_at_imp)(isa_id, isa_sel, isa_id observer,
                                    const kvc_index_set *indexes, const char *key_path);
typedef isa_status (*remove_context_at_imp)(isa_id, isa_sel, isa_id observer,
                                            const kvc_index_set *indexes, const char *key_path,
                                            void *context);

// ---- refusing -----------------------------------------------------------------------------------

static isa_status refuse(isa_id self, isa_sel sel, const char *key_path)
{
    return isa__fail_for(self, key_path, KVO_ERR_NOT_OBSERVABLE, NULL,
                         "[<%s %p> %s] is not supported. Key path: %.128s",
                         isa__box_class_name(self), (void *)self, isa_sel_name(sel),
                         key_path == NULL ? "(null)" : key_path);
}

static isa_status refuse_add(isa_id self, isa_sel sel, isa_id observer, const char *key_path,
                             uint64_t options, void *context)
{
    (void)observer, (void)options, (void)context;
    return refuse(self, sel, key_path);
}

static isa_status refuse_remove(isa_id self, isa_sel sel, isa_id observer, const char *key_path)
{
    (void)observer;
    return refuse(self, sel, key_path);
}

static isa_status refuse_remove_context(isa_id self, isa_sel sel, isa_id observer,
                                        const char *key_path, void *context)
{
    (void)observer, (void)context;
    return refuse(self, sel, key_path);
}

// ---- the elements of an array -------------------------------------------------------------------

// The act on each element.
struct task {
    isa_id observer;
    const char *key_path;
    uint64_t options;
    void *const *context; // NULL: removal with any context
    bool adds;
};

static isa_status do_one(isa_id element, const struct task *task)
{
    if (task->adds)
        return kvo_add_observer(element, task->observer, task->key_path, (uint32_t)task->options,
                                *task->context);
    if (task->context == NULL) return kvo_remove_observer(element, task->observer, task->key_path);
    return kvo_remove_observer_context(element, task->observer, task->key_path, *task->context);
}

static isa_status elements_check(isa_id array, isa_sel sel, const kvc_index_set *indexes)
{
    if (indexes == NULL)
        return isa__box_fail(array, sel, ISA_ERR_INVALID_ARGUMENT, "index set cannot be nil");
    size_t count = kvc_collection_count(array), last = kvc_index_set_last(indexes);
    if (indexes->count == 0 || last < count) return ISA_OK;
    if (count == 0)
        return isa__box_fail(array, sel, KVC_ERR_RANGE,
                             "index %zu in index set beyond bounds for empty array", last);
    return isa__box_fail(array, sel, KVC_ERR_RANGE,
                         "index %zu in index set beyond bounds [0 .. %zu]", last, count - 1);
}

// How many registrations of an object a removal would find.
struct search {
    const struct isa__key *key;
    const struct isa__side *observer;
    void *const *context; // NULL: any
    size_t found;
};

static void count_match(struct isa__registration *registration, void *context)
{
    struct search *search = context;
    uint32_t tag = isa__registration_tag_load(registration);
    bool other = tag & (ISA_TAG_FUNCTION | ISA_TAG_SHARED) || registration->key != search->key ||
                 registration->observer.weak.record != search->observer;
    if (!other && (search->context == NULL ||
                   isa__registration_context(registration) == *search->context))
        search->found++;
}

// Whether `element` has more registrations to remove than `taken` already asked for. One whose
// class removes in its own way is taken at its word.
static bool has_match(isa_id element, const struct task *task, size_t taken)
{
    if (isa__kvo_takes_over(element)) return true;
    struct search search = {.context = task->context};
    bool gnustep = isa__class_is_gnustep(isa_object_get_class(element));
    if (gnustep && task->context != NULL && *task->context == NULL) search.context = NULL;
    search.key = task->key_path == NULL ? NULL : isa__key_find(task->key_path);
    search.observer = task->observer == NULL ? NULL : isa__side_find(task->observer);
    if (search.key != NULL && search.observer != NULL)
        isa__registry_visit(element, count_match, &search);
    return search.found > taken;
}

// Whether every element has the registration to remove. An element that has not refuses, before any
// other has lost its own.
static isa_status check_removal(isa_id array, const kvc_index_set *indexes,
                                const struct task *task, isa_id *refusing)
{
    struct isa__map taken = {0};
    kvc_index_walk walk = {0};
    size_t index;
    isa_status status = ISA_OK;
    *refusing = NULL;
    while (status == ISA_OK && *refusing == NULL && kvc_index_set_next(indexes, &walk, &index)) {
        isa_id element = NULL;
        status = kvc_ordered_copy_object(array, index, &element);
        if (status != ISA_OK) break;
        size_t before = (size_t)isa__map_find(&taken, element);
        if (!has_match(element, task, before)) *refusing = isa_object_retain(element);
        status = isa__map_set(&taken, element, (void *)(before + 1));
        isa_object_release(element);
    }
    isa__map_clear(&taken);
    return status;
}

// Takes back the registrations on the elements that have one; a notification meanwhile may have
// changed the array.
static void undo(const struct isa__array *done, const struct task *task)
{
    for (size_t i = 0; i < done->count; i++)
        kvo_remove_observer_context(done->items[i], task->observer, task->key_path, *task->context);
}

// Does it to each element, noting those done.
static isa_status do_each(isa_id array, const kvc_index_set *indexes, const struct task *task,
                          struct isa__array *done)
{
    kvc_index_walk walk = {0};
    size_t index;
    isa_status status = isa__array_reserve(done, indexes->count);
    while (status == ISA_OK && kvc_index_set_next(indexes, &walk, &index)) {
        isa_id element = NULL;
        status = kvc_ordered_copy_object(array, index, &element);
        if (status == ISA_OK) status = do_one(element, task);
        if (status == ISA_OK) isa__array_add(done, element); // there is room
        else isa_object_release(element);
    }
    return status;
}

static isa_status do_all(isa_id array, isa_sel sel, const kvc_index_set *indexes,
                         const struct task *task)
{
    isa_id refusing = NULL;
    struct isa__array done = {0};
    isa_status status = elements_check(array, sel, indexes);
    if (status == ISA_OK && indexes->count == 0) return ISA_OK;
    if (status == ISA_OK && !task->adds) status = check_removal(array, indexes, task, &refusing);
    if (status == ISA_OK && refusing != NULL) status = do_one(refusing, task);
    isa_object_release(refusing);
    if (status == ISA_OK) status = do_each(array, indexes, task, &done);
    if (status != ISA_OK && task->adds && done.count > 0) {
        struct isa__kept_error kept;
        isa__error_keep(&kept);
        undo(&done, task);
        isa_fail_with(&kept.error);
    }
    isa__collection_let_go(&done);
    return status;
}

static isa_status add_at(isa_id self, isa_sel sel, isa_id observer, const kvc_index_set *indexes,
                         const char *key_path, uint64_t options, void *context)
{
    return do_all(self, sel, indexes, &(struct task){observer, key_path, options, &context, true});
}

static isa_status remove_at(isa_id self, isa_sel sel, isa_id observer,
                            const kvc_index_set *indexes, const char *key_path)
{
    return do_all(self, sel, indexes, &(struct task){observer, key_path, 0, NULL, false});
}

static isa_status remove_context_at(isa_id self, isa_sel sel, isa_id observer,
                                    const kvc_index_set *indexes, const char *key_path,
                                    void *context)
{
    return do_all(self, sel, indexes, &(struct task){observer, key_path, 0, &context, false});
}

static isa_status check_array(isa_id array, isa_sel sel)
{
    if (array != NULL && isa_object_responds_to(array, sel)) return ISA_OK;
    return isa__fail(KVO_ERR_NOT_OBSERVABLE, NULL,
                     "the receiver of %s is none: an array was expected", isa_sel_name(sel));
}

isa_status kvo_elements_add_observer(isa_id array, isa_id observer, const kvc_index_set *indexes,
                                     const char *key_path, kvo_options options, void *context)
{
    isa_status status = check_array(array, isa__sel_add_observer_at);
    if (status != ISA_OK) return status;
    return ISA_SEND(add_at_imp, array, isa__sel_add_observer_at, observer, indexes, key_path,
                    options, context);
}

isa_status kvo_elements_remove_observer(isa_id array, isa_id observer, const kvc_index_set *indexes,
                                        const char *key_path)
{
    isa_status status = check_array(array, isa__sel_remove_observer_at);
    if (status != ISA_OK) return status;
    return ISA_SEND(remove_at_imp, array, isa__sel_remove_observer_at, observer, indexes, key_path);
}

isa_status kvo_elements_remove_observer_context(isa_id array, isa_id observer,
                                                const kvc_index_set *indexes, const char *key_path,
                                                void *context)
{
    isa_status status = check_array(array, isa__sel_remove_observer_context_at);
    if (status != ISA_OK) return status;
    return ISA_SEND(remove_context_at_imp, array, isa__sel_remove_observer_context_at, observer,
                    indexes, key_path, context);
}

// ---- what cannot change -------------------------------------------------------------------------

static bool answer_no(isa_id self, isa_sel sel, const char *key)
{
    (void)self, (void)sel, (void)key;
    return false;
}

static bool answer_yes(isa_id self, isa_sel sel, const char *key)
{
    (void)self, (void)sel, (void)key;
    return true;
}

static isa_status add_answers(void)
{
    static const enum isa__box_class fixed[] = {ISA_BOX_VALUE, ISA_BOX_STRING, ISA_BOX_NULL,
                                                ISA_BOX_DICTIONARY};
    isa_status status = ISA_OK;
    for (size_t i = 0; i < ISA_COUNT_OF(fixed) && status == ISA_OK; i++)
        status = isa_class_add_method(isa_class_metaclass(isa__box_classes[fixed[i]]),
                                      isa__sel_automatically_notifies, (isa_imp)answer_no, "B@:*");
    if (status != ISA_OK) return status;
    isa_class changing = isa__box_classes[ISA_BOX_MUTABLE_DICTIONARY];
    return isa_class_add_method(isa_class_metaclass(changing), isa__sel_automatically_notifies,
                                (isa_imp)answer_yes, "B@:*");
}

isa_status isa__observed_collections_start(void)
{
    static const struct isa__box_method refusals[] = {
        {&isa__sel_add_observer, (isa_imp)refuse_add, "i@:@*Q^v"},
        {&isa__sel_remove_observer, (isa_imp)refuse_remove, "i@:@*"},
        {&isa__sel_remove_observer_context, (isa_imp)refuse_remove_context, "i@:@*^v"},
    };
    static const struct isa__box_method array[] = {
        {&isa__sel_add_observer_at, (isa_imp)add_at, "i@:@" ISA_INDEXES "*Q^v"},
        {&isa__sel_remove_observer_at, (isa_imp)remove_at, "i@:@" ISA_INDEXES "*"},
        {&isa__sel_remove_observer_context_at, (isa_imp)remove_context_at,
         "i@:@" ISA_INDEXES "*^v"},
    };
    static const enum isa__box_class refusing[] = {ISA_BOX_ARRAY, ISA_BOX_ORDERED_SET, ISA_BOX_SET};
    isa_status status = ISA_OK;
    for (size_t i = 0; i < ISA_COUNT_OF(refusing) && status == ISA_OK; i++)
        status = isa__box_add_methods(isa__box_classes[refusing[i]], refusals,
                                      ISA_COUNT_OF(refusals));
    if (status == ISA_OK)
        status = isa__box_add_methods(isa__box_classes[ISA_BOX_ARRAY], array, ISA_COUNT_OF(array));
    return status == ISA_OK ? add_answers() : status;
}
