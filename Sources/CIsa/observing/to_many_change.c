// Changes of to-many keys: which elements come and go, as accessors, proxies and manual
// announcements notify them.
//
// Owns:      nothing.
// Locks:     none: values are read, and proxies' accessors run, without.
// Invariant: one operation of a proxy notifies once, even if its accessors would announce more.
#include "change.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "../coding/coding.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../objects/collection.h"
#include "notifying_class.h"

// ---- values -------------------------------------------------------------------------------------

static isa_status nothing_at(size_t index, size_t count, const char *key)
{
    return isa__fail(KVC_ERR_RANGE, NULL,
                     "the value for key %.128s has nothing at the index %zu that was announced: "
                     "its count is %zu", key, index, count);
}

isa_status isa__objects_at(isa_id whole, const kvc_index_set *indexes, const char *key,
                           isa_id *out)
{
    struct isa__array objects = {0};
    kvc_index_walk walk = {0};
    size_t index, count = kvc_collection_count(whole);
    isa_status status = ISA_OK;
    while (status == ISA_OK && kvc_index_set_next(indexes, &walk, &index)) {
        isa_id object = NULL;
        if (index >= count) status = nothing_at(index, count, key);
        else status = kvc_ordered_copy_object(whole, index, &object);
        if (status == ISA_OK) status = isa__array_add(&objects, object);
        if (status != ISA_OK) isa_object_release(object);
    }
    if (status == ISA_OK)
        status = kvc_array_make((const isa_id *)objects.items, objects.count, out);
    isa__collection_let_go(&objects);
    return status;
}

isa_status isa__objects_by_accessors(isa_id object, const struct isa__element_change *elements,
                                     const char *key, isa_id *out)
{
    typedef uint64_t (*count_imp)(isa_id, isa_sel);
    typedef isa_id (*object_imp)(isa_id, isa_sel, uint64_t);
    count_imp count_of = (count_imp)elements->count.imp;
    object_imp object_at = (object_imp)elements->object_at.imp;
    size_t count = isa__elements_count(count_of(object, elements->count.selector)), index;
    struct isa__array objects = {0};
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    while (status == ISA_OK && kvc_index_set_next(elements->indexes, &walk, &index)) {
        isa_id found =
            index < count ? object_at(object, elements->object_at.selector, index) : NULL;
        status = found == NULL ? nothing_at(index, count, key) : isa__array_add(&objects, found);
        if (found != NULL && status == ISA_OK) isa_object_retain(found);
    }
    return isa__collection_adopt(status, isa__box_classes[ISA_BOX_ARRAY], &objects, out);
}

kvo_change_kind isa__mutation_kind(kvo_set_mutation mutation)
{
    switch (mutation) {
    case KVO_SET_UNION: return KVO_CHANGE_INSERTION;
    case KVO_SET_MINUS:
    case KVO_SET_INTERSECT: return KVO_CHANGE_REMOVAL;
    default: return KVO_CHANGE_REPLACEMENT;
    }
}

// A set of the objects of `from` that `other` has, or has not; either may be NULL, for none.
static isa_status select_members(isa_id from, isa_id other, bool has, isa_id *out)
{
    isa_id set = NULL;
    isa_status status = kvc_mutable_set_make(NULL, 0, &set);
    if (status == ISA_OK && from != NULL) status = kvc_set_unite(set, from);
    if (status == ISA_OK && other != NULL)
        status = has ? kvc_set_intersect(set, other) : kvc_set_subtract(set, other);
    if (status == ISA_OK && other == NULL && has) status = kvc_collection_remove_all(set);
    return isa__object_hand_over(status, set, out);
}

isa_status isa__set_difference(isa_id whole, kvo_set_mutation mutation, isa_id objects,
                               isa_id *added, isa_id *removed)
{
    isa_status status = ISA_OK;
    if (mutation == KVO_SET_UNION || mutation == KVO_SET_SET)
        status = select_members(objects, whole, false, added);
    if (status != ISA_OK || mutation == KVO_SET_UNION) return status;
    return select_members(whole, objects, mutation == KVO_SET_MINUS, removed);
}

// ---- changes of elements ------------------------------------------------------------------------

isa_status isa__element_change_at(kvo_change_kind kind, const kvc_index_set *indexes,
                                  struct isa__element_change *out)
{
    if (kind != KVO_CHANGE_INSERTION && kind != KVO_CHANGE_REMOVAL &&
        kind != KVO_CHANGE_REPLACEMENT)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "a change at indexes is an insertion, removal or replacement, not kind %d",
                         (int)kind);
    if (indexes == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no indexes");
    *out = (struct isa__element_change){.kind = kind, .indexes = indexes};
    return ISA_OK;
}

isa_status isa__element_change_set(kvo_set_mutation mutation, isa_id objects,
                                   struct isa__element_change *out)
{
    if (mutation < KVO_SET_UNION || mutation > KVO_SET_SET)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "there is no set mutation %d",
                         (int)mutation);
    if (!isa__is_collection(objects))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "a set of objects was expected");
    *out = (struct isa__element_change){
        .kind = isa__mutation_kind(mutation), .mutation = mutation, .objects = objects};
    return ISA_OK;
}

// ---- ordered sets -------------------------------------------------------------------------------

// A change that is announced for an ordered set may turn out to change nothing: an object that it
// has is not inserted again, and one may be replaced by itself, or a value by the same value.

isa_status isa__ordered_before(isa_id whole, const struct isa__element_change *elements,
                               const char *key, isa_id *out)
{
    *out = NULL;
    if (kvc_kind_of(whole) != KVC_KIND_ORDERED_SET || elements->indexes == NULL) return ISA_OK;
    if (elements->kind == KVO_CHANGE_INSERTION) return kvc_collection_copy(whole, out);
    if (elements->kind == KVO_CHANGE_REMOVAL) return ISA_OK;
    return isa__objects_at(whole, elements->indexes, key, out);
}

// Whether the object at `index`, which is number `at` of those announced, did change.
static isa_status changes_at(const struct isa__element_change *elements, isa_id whole, size_t index,
                             size_t at, bool *out)
{
    isa_id now = NULL, before = NULL;
    isa_status status = ISA_OK;
    if (index < kvc_collection_count(whole)) status = kvc_ordered_copy_object(whole, index, &now);
    if (status == ISA_OK && elements->kind == KVO_CHANGE_REPLACEMENT)
        status = kvc_ordered_copy_object(elements->before, at, &before);
    *out = elements->kind == KVO_CHANGE_REPLACEMENT
               ? !isa__box_is_same(now, before)
               : now != NULL && !kvc_collection_contains(elements->before, now);
    isa_object_release(now);
    isa_object_release(before);
    return status;
}

// Keeps `count` of the announced indexes; `numbers` are theirs in `before`.
static isa_status indexes_keep(struct isa__element_change *elements, const size_t *indexes,
                               const size_t *numbers, size_t count, const char *key, isa_id *old)
{
    kvc_index_set numbered = {0};
    isa_status status = kvc_index_set_make(indexes, count, &elements->trimmed);
    if (status == ISA_OK && elements->kind == KVO_CHANGE_REPLACEMENT) {
        status = kvc_index_set_make(numbers, count, &numbered);
        if (status == ISA_OK) status = isa__objects_at(elements->before, &numbered, key, old);
        kvc_index_set_destroy(&numbered);
    }
    if (status == ISA_OK) elements->indexes = &elements->trimmed;
    return status;
}

isa_status isa__element_change_trim(struct isa__element_change *elements, isa_id whole,
                                    const char *key, isa_id *old)
{
    size_t announced = elements->indexes->count, most = announced, end = KVC_NOT_FOUND, index;
    *old = NULL;
    if (announced == 0) return ISA_OK;
    // Nothing was inserted beyond the end, however many indexes were announced.
    if (elements->kind == KVO_CHANGE_INSERTION) end = kvc_collection_count(whole);
    if (most > end) most = end;
    size_t room = 2 * most * sizeof(size_t);
    size_t *indexes = isa__alloc(ISA_KIND_OTHER, room + 1);
    if (indexes == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for indexes");
    size_t *numbers = indexes + most, count = 0;
    kvc_index_walk walk = {0};
    isa_status status = ISA_OK;
    for (size_t at = 0; kvc_index_set_next(elements->indexes, &walk, &index) && index < end; at++) {
        bool changes;
        status = changes_at(elements, whole, index, at, &changes);
        if (status != ISA_OK) break;
        indexes[count] = index;
        numbers[count] = at;
        count += changes;
    }
    if (status == ISA_OK && count < announced)
        status = indexes_keep(elements, indexes, numbers, count, key, old);
    isa__free(ISA_KIND_OTHER, indexes, room);
    return status;
}

void isa__element_change_end(struct isa__element_change *elements)
{
    isa_object_release(elements->before);
    elements->before = NULL;
    kvc_index_set_destroy(&elements->trimmed);
}

// ---- messages -----------------------------------------------------------------------------------

bool isa__to_many_is_overridden(isa_class cls)
{
    const isa_sel selectors[] = {isa__sel_will_change_at, isa__sel_did_change_at,
                                 isa__sel_will_change_set, isa__sel_did_change_set};
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++)
        if (isa__method_is_overridden(cls, selectors[i])) return true;
    return false;
}

isa_status isa__to_many_send_will(isa_id object, const char *key,
                                  const struct isa__element_change *elements)
{
    if (elements->mutation != 0)
        return kvo_will_change_set(object, key, elements->mutation, elements->objects);
    return kvo_will_change_indexes(object, elements->kind, elements->indexes, key);
}

isa_status isa__to_many_send_did(isa_id object, const char *key,
                                 const struct isa__element_change *elements)
{
    if (elements->mutation != 0)
        return kvo_did_change_set(object, key, elements->mutation, elements->objects);
    return kvo_did_change_indexes(object, elements->kind, elements->indexes, key);
}

// ---- the change hook ----------------------------------------------------------------------------

// A proxy's change in progress.
struct mutation {
    isa_id object;
    const struct isa__key *key;
    struct isa__element_change elements;
    isa_status (*mutate)(void *context);
    void *context;
};

static isa_status mutate_silently(const struct mutation *mutation)
{
    struct isa__thread *thread = isa__reader_enter(); // a thread in a section looks for silences
    struct isa__silence silence = {thread->silences, mutation->object, mutation->key,
                                   thread->hazard_count};
    thread->silences = &silence;
    isa_status status = mutation->mutate(mutation->context);
    thread->silences = silence.outer;
    isa__reader_leave(thread);
    return status;
}

// Ends a change by its frame or, if that is NULL, by message. The failure that `status` is of stays
// the last error: observers of a change that failed may not find what was announced, which is no
// news.
static isa_status end_mutation(const struct mutation *mutation, struct kvo_frame *frame,
                               isa_status status)
{
    struct isa__kept_error kept;
    isa_status ended = ISA_OK;
    if (status != ISA_OK) isa__error_keep(&kept);
    if (frame != NULL) isa__change_did(frame);
    else ended = isa__to_many_send_did(mutation->object, mutation->key->text, &mutation->elements);
    if (status == ISA_OK) return frame == NULL ? ended : frame->status;
    // A method may answer with a status and say nothing.
    if (kept.error.status == status) isa_fail_with(&kept.error);
    return status;
}

static isa_status mutate_by_messages(const struct mutation *mutation)
{
    isa_status status =
        isa__to_many_send_will(mutation->object, mutation->key->text, &mutation->elements);
    if (status != ISA_OK) return status;
    return end_mutation(mutation, NULL, mutate_silently(mutation));
}

static isa_status mutate_by_frame(const struct mutation *mutation, struct isa__side *side)
{
    struct kvo_frame frame;
    struct isa__element_change elements = mutation->elements;
    bool announced = isa__change_will(&frame, mutation->object, side, mutation->key, &elements);
    isa_status status = mutate_silently(mutation);
    if (!announced) return status;
    status = end_mutation(mutation, &frame, status);
    isa__element_change_end(&elements);
    return status;
}

static struct isa__element_change element_change_of(isa_id object,
                                                    const struct isa__to_many_change *change)
{
    bool is_set = change->mutation != 0;
    struct isa__element_change elements = {
        .kind = is_set ? isa__mutation_kind((kvo_set_mutation)change->mutation)
                       : (kvo_change_kind)change->kind,
        .indexes = change->indexes,
        .mutation = (kvo_set_mutation)change->mutation,
        .objects = change->objects,
        .returns_status = true};
    const struct isa__shortcut *shortcut = change->shortcut;
    if (shortcut == NULL || shortcut->object_at.imp == NULL) return elements;
    elements.ways = shortcut->ways;
    elements.cls = isa__class_in(object);
    elements.count = shortcut->count;
    elements.object_at = shortcut->object_at;
    return elements;
}

// Whether a proxy's change is announced at all; asks the class.
static bool is_announced(isa_id object, struct isa__side *side, const struct isa__key *key)
{
    isa_class cls = isa_object_get_class(object)->original;
    return isa__may_notify(object, side) && isa__key_notifies_automatically(cls, key) &&
           !(isa__class_is_gnustep(cls) && isa__manual_is_pending(side, key));
}

static isa_status change_to_many(isa_id object, const struct isa__to_many_change *change,
                                 isa_status (*mutate)(void *context), void *context)
{
    struct isa__side *side = isa__side_find(object);
    if (side == NULL || isa__observing_value(side) == 0) return mutate(context);
    struct mutation mutation = {.object = object,
                                .elements = element_change_of(object, change),
                                .mutate = mutate,
                                .context = context};
    bool is_usual = change->shortcut != NULL && change->shortcut->key != NULL;
    mutation.key = is_usual ? change->shortcut->key : isa__key_find(change->key);
    if (mutation.key == NULL || isa__is_silenced(object, mutation.key)) return mutate(context);
    if (is_usual) return mutate_by_frame(&mutation, side);
    if (!is_announced(object, side, mutation.key)) return mutate(context);
    if (isa__to_many_is_overridden(isa_object_get_class(object)->original))
        return mutate_by_messages(&mutation);
    return mutate_by_frame(&mutation, side);
}

void isa__to_many_hook_start(void)
{
    isa__coding_hooks.change_to_many = change_to_many;
}
