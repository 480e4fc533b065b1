// Shared observers: a program registers once for a class, and assigns the registrations to many
// objects.
//
// Owns:      a collection owns what its registrations are made of, and a use of the list of them
//            that is assigned to objects. The list never changes: after an addition or a removal
//            the next assignment makes another list, so objects that have the former list keep it.
// Lives:     a list until the last object that it was assigned to, and the collection, let it go.
// Locks:     `list_lock` guards the collections' lists, which several threads may assign; a thread
//            that changes a collection has it for itself.
// Invariant: a shared registration is of one key that nothing affects, so it has no chain. Its
//            callback and info are the caller's, so it is called as an object's own registration
//            is.
#include <string.h>

#include "../base/alloc.h"
#include "../base/containers.h"
#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "notifying_class.h"
#include "registry.h"

// The parts of one registration, which is made again for each list.
struct entry {
    const struct isa__key *key;
    uint32_t options;
    void *context;
    isa_weak observer;          // of an observer object
    struct isa__shared_function *function;
};

// A function, until the collection and every registration of the function has gone.
struct isa__shared_function {
    kvo_function function;
    isa__word64 users; // atomic builtins
};

struct isa__shared_observers {
    isa_class cls;
    struct isa__array entries;      // struct entry *
    struct isa__registration_list *list; // NULL: to be made; holds a use
};

static ISA_LOCK_DEFINE(list_lock, ISA_LOCK_OBSERVING)

// ---- functions ----------------------------------------------------------------------------------

struct isa__shared_function *isa__shared_function_use(struct isa__shared_function *function)
{
    __atomic_fetch_add(&function->users, 1, __ATOMIC_RELAXED);
    return function;
}

void isa__shared_function_drop(struct isa__shared_function *function)
{
    if (__atomic_fetch_sub(&function->users, 1, __ATOMIC_ACQ_REL) != 1) return;
    if (function->function.release != NULL) function->function.release(function->function.info);
    isa__free(ISA_KIND_OTHER, function, sizeof *function);
}

// ---- the collection -----------------------------------------------------------------------------

isa_status kvo_shared_observers_make(isa_class cls, kvo_shared_observers *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (cls == NULL || isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "a class of objects to observe, and somewhere to put it, was expected");
    *out = NULL;
    struct isa__shared_observers *made = isa__alloc(ISA_KIND_OTHER, sizeof *made);
    if (made == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for shared observers");
    made->cls = cls->original;
    *out = made;
    return ISA_OK;
}

static void free_entry(struct entry *entry)
{
    if (entry->function != NULL) isa__shared_function_drop(entry->function);
    else isa_weak_destroy(&entry->observer);
    isa__free(ISA_KIND_OTHER, entry, sizeof *entry);
}

// The list is of entries that are no more: the next assignment makes another.
static void outdate(kvo_shared_observers shared)
{
    if (shared->list != NULL) isa__list_drop(shared->list);
    shared->list = NULL;
}

void kvo_shared_observers_release(kvo_shared_observers shared)
{
    if (shared == NULL) return;
    outdate(shared);
    for (size_t i = 0; i < shared->entries.count; i++) free_entry(shared->entries.items[i]);
    isa__array_clear(&shared->entries);
    isa__free(ISA_KIND_OTHER, shared, sizeof *shared);
}

// ---- adding and removing ------------------------------------------------------------------------

static isa_status shared_check(kvo_shared_observers shared, const char *key, uint32_t options)
{
    if (shared == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no shared observers");
    isa_status status = isa__path_check(key);
    if (status != ISA_OK) return status;
    uint32_t known = KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR;
    if (options & ~known)
        return isa__fail(KVO_ERR_INVALID_OPTIONS, NULL,
                         "options 0x%x of shared observers: new, old, prior (0x%x) were expected",
                         options, known);
    isa_id affecting;
    status = kvo_class_copy_all_affecting(shared->cls, key, &affecting);
    if (status != ISA_OK) return status;
    bool plain = strpbrk(key, ".@") == NULL && kvc_collection_count(affecting) == 0;
    isa_object_release(affecting);
    if (plain) return ISA_OK;
    return isa__fail(KVO_ERR_NOT_OBSERVABLE, NULL,
                     "\"%.128s\" of %s cannot have shared observers: one key that no other affects "
                     "was expected", key, shared->cls->name);
}

static isa_status shared_append(kvo_shared_observers shared, struct entry *entry)
{
    isa_status status = isa__array_add(&shared->entries, entry);
    if (status == ISA_OK) outdate(shared);
    else free_entry(entry);
    return status;
}

static struct entry *make_entry(const char *key, uint32_t options, void *context)
{
    const struct isa__key *interned = isa__key_intern(key);
    struct entry *entry = interned == NULL ? NULL : isa__alloc(ISA_KIND_OTHER, sizeof *entry);
    if (entry == NULL) {
        isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a shared observer of \"%.128s\"", key);
        return NULL;
    }
    entry->key = interned;
    entry->options = options;
    entry->context = context;
    return entry;
}

isa_status kvo_shared_observers_add(kvo_shared_observers shared, isa_id observer,
                                    const char *key, kvo_options options, void *context)
{
    isa_status status = shared_check(shared, key, options);
    if (status != ISA_OK) return status;
    if (observer == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no observer");
    struct entry *entry = make_entry(key, options, context);
    if (entry == NULL) return ISA_ERR_NO_MEMORY;
    status = isa_weak_init(&entry->observer, observer);
    if (status == ISA_OK) return shared_append(shared, entry);
    isa__free(ISA_KIND_OTHER, entry, sizeof *entry);
    return status;
}

isa_status kvo_shared_observers_add_function(kvo_shared_observers shared,
                                             const kvo_function *function, const char *key,
                                             kvo_options options, void *context)
{
    isa_status status = shared_check(shared, key, options);
    if (status != ISA_OK) return status;
    if (function == NULL || function->callback == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no function to call");
    struct entry *entry = make_entry(key, options, context);
    if (entry == NULL) return ISA_ERR_NO_MEMORY;
    // Its release is the caller's business until the registration stands.
    entry->function = isa__alloc(ISA_KIND_OTHER, sizeof *entry->function);
    if (entry->function != NULL && isa__array_add(&shared->entries, entry) == ISA_OK) {
        *entry->function = (struct isa__shared_function){*function, 1};
        outdate(shared);
        return ISA_OK;
    }
    isa__free(ISA_KIND_OTHER, entry->function, sizeof *entry->function);
    isa__free(ISA_KIND_OTHER, entry, sizeof *entry);
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a shared observer of \"%.128s\"", key);
}

isa_status kvo_shared_observers_remove(kvo_shared_observers shared, isa_id observer,
                                       const char *key, void *context)
{
    if (shared == NULL || observer == NULL || key == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "no shared observers, no observer or no key");
    const struct isa__key *interned = isa__key_find(key);
    const struct isa__side *side = isa__side_find(observer);
    for (size_t i = shared->entries.count; i-- > 0 && side != NULL;) {
        struct entry *entry = shared->entries.items[i];
        if (entry->function != NULL || entry->key != interned || entry->context != context ||
            entry->observer.record != side)
            continue;
        isa__array_remove_at(&shared->entries, i);
        free_entry(entry);
        outdate(shared);
        return ISA_OK;
    }
    return isa__fail(KVO_ERR_NOT_REGISTERED, NULL,
                     "Cannot remove a shared observer <%s %p> for the key \"%.128s\" of %s because "
                     "it is not registered as an observer.",
                     isa_object_get_class(observer)->original->name, (void *)observer, key,
                     shared->cls->name);
}

// ---- assigning ----------------------------------------------------------------------------------

static isa_status make_registration(const struct entry *entry, const struct isa__path *path,
                                    struct isa__registration **out)
{
    struct isa__registration_parts parts = {
        .path = path, .options = entry->options, .context = entry->context};
    if (entry->function != NULL) {
        parts.function = &entry->function->function;
        parts.uses = entry->function;
        isa_status status = isa__registration_make(&parts, out);
        if (status == ISA_OK) isa__registration_drop(*out); // nobody has a token for it
        return status;
    }
    isa_id observer = isa_weak_copy(&entry->observer);
    *out = NULL;
    if (observer == NULL) return ISA_OK; // it has died
    parts.observer = observer;
    isa_status status = isa__registration_make(&parts, out);
    isa_object_release(observer);
    return status;
}

static void end_registrations(struct isa__array *registrations)
{
    for (size_t i = 0; i < registrations->count; i++)
        isa__retire((struct isa__retired *)registrations->items[i]);
    isa__array_clear(registrations);
}

static isa_status make_list(kvo_shared_observers shared, struct isa__observed *observed,
                                struct isa__registration_list **out)
{
    struct isa__array made = {0};
    isa_status status = isa__array_reserve(&made, shared->entries.count + 1);
    for (size_t i = 0; i < shared->entries.count && status == ISA_OK; i++) {
        const struct entry *entry = shared->entries.items[i];
        struct isa__known_path known;
        struct isa__registration *registration = NULL;
        status = isa__observed_prepare(observed, entry->key, &known);
        if (status == ISA_OK) status = make_registration(entry, known.path, &registration);
        if (registration != NULL) made.items[made.count++] = registration;
    }
    if (status == ISA_OK)
        status = isa__list_make_shared((struct isa__registration **)made.items,
                                       (uint32_t)made.count, out);
    if (status != ISA_OK) end_registrations(&made);
    isa__array_clear(&made);
    return status;
}

// Finds the collection's list, made if there is none, with a use for the caller. Classes are
// asked, hence it is made without the lock: of two that make it the first one's is kept.
static isa_status copy_list(kvo_shared_observers shared, struct isa__observed *observed,
                            struct isa__registration_list **out)
{
    struct isa__registration_list *made = NULL;
    isa__lock(&list_lock);
    *out = shared->list;
    if (*out != NULL) isa__list_use(*out);
    isa__unlock(&list_lock);
    if (*out != NULL) return ISA_OK;
    isa_status status = make_list(shared, observed, &made);
    if (status != ISA_OK) return status;
    isa__lock(&list_lock);
    if (shared->list == NULL) {
        shared->list = made;
        made = NULL;
    }
    *out = shared->list;
    isa__list_use(*out);
    isa__unlock(&list_lock);
    if (made != NULL) isa__list_drop(made);
    return ISA_OK;
}

static isa_status check_object(isa_id object, kvo_shared_observers shared)
{
    if (object == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no object");
    isa_class cls = isa_object_get_class(object);
    if (shared != NULL && !isa_class_is_subclass(cls->original, shared->cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "<%s %p> cannot have shared observers of %s", cls->original->name,
                         (void *)object, shared->cls->name);
    if (isa__is_collection(object) || isa_class_is_metaclass(cls) ||
        !isa_object_responds_to(object, isa__sel_add_observer))
        return isa__fail(KVO_ERR_NOT_OBSERVABLE, NULL, "an instance of %s cannot be observed",
                         cls->name);
    if (!isa__object_is_deallocating(object)) return ISA_OK;
    return isa__fail(ISA_ERR_DEALLOCATING, NULL, "<%s %p> is being deallocated",
                     cls->original->name, (void *)object);
}

// Prepares the object's own class for each key, as it may be a subclass.
static isa_status shared_prepare(kvo_shared_observers shared, struct isa__observed *observed,
                                 isa_class *notifying)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < shared->entries.count && status == ISA_OK; i++) {
        const struct entry *entry = shared->entries.items[i];
        struct isa__known_path known = {0};
        status = isa__observed_prepare(observed, entry->key, &known);
        if (status == ISA_OK && !known.path->is_plain)
            status = isa__fail(KVO_ERR_NOT_OBSERVABLE, NULL,
                               "key \"%.128s\" of %s depends on others and cannot have shared "
                               "observers", entry->key->text, observed->original->name);
        if (known.notifying != NULL) *notifying = known.notifying;
    }
    return status;
}

isa_status kvo_set_shared_observers(isa_id object, kvo_shared_observers shared)
{
    isa_class notifying = NULL;
    isa_status status = check_object(object, shared);
    if (status != ISA_OK) return status;
    struct isa__observed *observed = isa__observed_get(isa_object_get_class(object));
    if (observed == NULL || isa__side_get(object) == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for shared observers");
    if (shared != NULL && shared->entries.count == 0) shared = NULL;
    if (shared == NULL) return isa__registry_share(object, NULL, NULL);
    struct isa__registration_list *list = NULL;
    status = shared_prepare(shared, observed, &notifying);
    if (status == ISA_OK) status = copy_list(shared, observed, &list);
    if (status != ISA_OK) return status;
    status = isa__registry_share(object, list, notifying);
    isa__list_drop(list);
    return status;
}

void *kvo_find_shared_info(isa_id object, kvo_callback callback)
{
    ISA_REQUIRE_NOT_NULL(object);
    const struct isa__side *side = isa__side_find(object);
    const struct isa__registration *item;
    uint32_t at = 0;
    void *info = NULL;
    if (side == NULL) return NULL;
    struct isa__lock *lock = isa__lock_object(object);
    while (info == NULL && (item = isa__word_next(isa__observing_value(side), &at)) != NULL) {
        uint32_t tag = isa__registration_tag_load(item);
        if (!(tag & ISA_TAG_SHARED)) break;
        if (tag & ISA_TAG_FUNCTION && item->function.callback == callback)
            info = item->function.info;
    }
    isa__unlock(lock);
    return info;
}
