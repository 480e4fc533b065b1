// Notifying classes.
//
// Owns:      one isa__observed per class that was ever observed, its watched keys and setter
//            records; the notifying class itself. All of it lives as long as the original class.
// Locks:     `observing_lock` orders making classes and watching keys. It is given up while the
//            observed class is asked anything, and events wait until it is.
// Invariant: a notifying class overrides `class`, `dealloc`, `_isKVOA` and the wrapped setters,
//            nothing else, and its `observing` is its original's.
#include "subclass.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "../kvc/coding.h"
#include "../model/class_pair.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "change.h"
#include "observation.h"
#include "setter.h"

static const char name_prefix[] = "NSKVONotifying_";

static struct isa__lock observing_lock = ISA_LOCK_INIT(ISA_LOCK_OBSERVING);

// ---- what a notifying class answers itself ------------------------------------------------------

static isa_class answer_original(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_class notifying = isa__notifying_find(isa_object_get_class(self));
    return notifying == NULL ? isa_object_get_class(self) : notifying->original;
}

static bool answer_yes(isa_id self, isa_sel sel)
{
    (void)self, (void)sel;
    return true;
}

// The first link of an observed object's deallocation. Registrations end after the class's own
// `dealloc`, which may still change values and is heard; what was announced and never ended ends
// here.
static void dealloc_observed(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__manual_end(self);
}

static isa_status add_base_methods(isa_class cls)
{
    isa_status status = isa_class_add_method(cls, isa__sel_class_, (isa_imp)answer_original, "#@:");
    if (status == ISA_OK)
        status = isa_class_add_method(cls, isa__sel_dealloc, (isa_imp)dealloc_observed, "v@:");
    if (status == ISA_OK)
        status = isa_class_add_method(cls, isa__sel_is_kvoa, (isa_imp)answer_yes, "B@:");
    return status;
}

// ---- records ------------------------------------------------------------------------------------

isa_class isa__notifying_find(isa_class cls)
{
    while (cls != NULL && !(isa__class_flags(cls) & ISA_CLASS_NOTIFYING)) cls = cls->superclass;
    return cls;
}

struct isa__observed *isa__observed_of_notifying(isa_class cls)
{
    return isa__class_flags(cls) & ISA_CLASS_NOTIFYING
               ? __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE)
               : NULL;
}

static struct isa__observed *make_observed_locked(isa_class cls)
{
    if (cls->observing != NULL) return cls->observing;
    struct isa__observed *made = isa__alloc(ISA_KIND_OTHER, sizeof *made);
    if (made == NULL) return NULL;
    made->original = cls;
    __atomic_store_n(&cls->observing, made, __ATOMIC_RELEASE);
    return made;
}

struct isa__observed *isa__observed_get(isa_class cls)
{
    isa_class notifying = isa__notifying_find(cls);
    if (notifying != NULL) cls = notifying;
    struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
    if (observed != NULL) return observed;
    isa__lock(&observing_lock);
    observed = make_observed_locked(cls);
    isa__unlock(&observing_lock);
    return observed;
}

static void free_getter(struct isa__retired *thing)
{
    isa__free(ISA_KIND_OTHER, thing, sizeof(struct isa__getter));
}

static void dispose_observed(isa_class cls)
{
    struct isa__observed *observed = cls->observing;
    if (observed->original != cls) {
        isa__setters_dispose(observed);
        observed->notifying = NULL;
        return;
    }
    size_t at = 0;
    for (const struct isa__map_entry *e; (e = isa__map_next(&observed->watched, &at)) != NULL;) {
        struct isa__watched *watched = e->value;
        if (watched->getter != NULL) free_getter(&watched->getter->retired);
        isa__free(ISA_KIND_OTHER, watched, sizeof *watched);
    }
    isa__map_clear(&observed->watched);
    isa__free(ISA_KIND_OTHER, observed, sizeof *observed);
    cls->observing = NULL;
}

// ---- the class's answers ------------------------------------------------------------------------

bool isa__class_notifies_automatically(isa_class cls, const char *key)
{
    typedef bool (*question)(isa_id, isa_sel, const char *);
    isa_id asked = isa_class_as_object(cls);
    if (!isa_object_responds_to(asked, isa__sel_automatically_notifies)) return false;
    return ISA_SEND(question, asked, isa__sel_automatically_notifies, key);
}

// The root class's answer: `automaticallyNotifiesObserversOf<Key>` if the class has it, else yes.
static bool automatically_notifies(isa_id self, isa_sel sel, const char *key)
{
    (void)sel;
    static const char prefix[] = "automaticallyNotifiesObserversOf";
    size_t size = sizeof prefix + strlen(key);
    char *name = isa__alloc(ISA_KIND_OTHER, size);
    if (name == NULL) return true;
    strcpy(name, prefix);
    strcat(name, key);
    char *first = name + sizeof prefix - 1;
    if (*first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
    isa_sel question = isa_sel_find(name);
    isa__free(ISA_KIND_OTHER, name, size);
    if (question == NULL || !isa_object_responds_to(self, question)) return true;
    return ISA_SEND(bool (*)(isa_id, isa_sel), self, question);
}

static bool overrides(isa_class cls, isa_sel sel)
{
    return isa_class_find_imp(cls, sel) != isa_class_find_imp(isa_root_class(), sel);
}

bool isa__observed_check_changes(struct isa__observed *observed, uint64_t epoch)
{
    bool result = overrides(observed->original, isa__sel_will_change) ||
                  overrides(observed->original, isa__sel_did_change);
    __atomic_store_n(&observed->overrides_changes, result, __ATOMIC_RELAXED);
    __atomic_store_n(&observed->checked_epoch, epoch, __ATOMIC_RELEASE);
    return result;
}

// ---- getters ------------------------------------------------------------------------------------

static isa_status make_getter(isa_class cls, const char *key, struct isa__getter **out)
{
    struct isa__getter *getter = isa__alloc(ISA_KIND_OTHER, sizeof *getter);
    if (getter == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a getter record");
    getter->retired.tag = (uint32_t)ISA_RETIRED_GETTER << ISA_RETIRED_TAG_SHIFT;
    isa_status status = isa__accessor_find_getter(cls, key, &getter->accessor);
    if (status != ISA_OK) {
        free_getter(&getter->retired);
        return status;
    }
    getter->by_message =
        getter->accessor.kind == ISA_ACCESSOR_NONE || !isa__coding_is_direct(cls);
    *out = getter;
    return ISA_OK;
}

const struct isa__getter *isa__watched_renew(struct isa__watched *watched)
{
    struct isa__getter *fresh;
    isa_status status = make_getter(watched->observed->original, watched->key->text, &fresh);
    if (status != ISA_OK) return NULL;
    struct isa__getter *stale = __atomic_exchange_n(&watched->getter, fresh, __ATOMIC_ACQ_REL);
    isa__retire(&stale->retired);
    return fresh;
}

// ---- watching a key -----------------------------------------------------------------------------

// The name of the notifying class: prefix and original. NULL when memory is short.
static char *copy_name(isa_class original)
{
    size_t size = sizeof name_prefix + strlen(original->name);
    char *name = isa__alloc(ISA_KIND_OTHER, size);
    if (name == NULL) return NULL;
    strcpy(name, name_prefix);
    return strcat(name, original->name);
}

static isa_status make_class(isa_class original, isa_class *out)
{
    char *name = copy_name(original);
    if (name == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a class name");
    isa_status status = isa__class_pair_make(original, name, ISA_CLASS_NOTIFYING, out);
    isa__free(ISA_KIND_OTHER, name, sizeof name_prefix + strlen(original->name));
    if (status != ISA_OK) return status;
    status = add_base_methods(*out);
    if (status != ISA_OK) isa__class_pair_destroy(*out);
    return status;
}

// Makes the notifying class unless there is one. A taken name is no failure: the class is then
// observed without automatic notification.
static isa_status need_class_locked(struct isa__observed *observed)
{
    if (observed->notifying != NULL) return ISA_OK;
    isa_class made;
    isa_status status = make_class(observed->original, &made);
    if (status == ISA_ERR_EXISTS) {
        bool reported = observed->name_taken;
        observed->name_taken = true;
        return reported ? ISA_OK : KVO_ERR_NAME_TAKEN;
    }
    if (status != ISA_OK) return status;
    observed->name_taken = false;
    __atomic_store_n(&made->observing, observed, __ATOMIC_RELEASE);
    __atomic_store_n(&observed->notifying, made, __ATOMIC_RELEASE);
    return ISA_OK;
}

static struct isa__watched *need_watched_locked(struct isa__observed *observed,
                                                const struct isa__key *key,
                                                struct isa__getter **getter)
{
    struct isa__watched *watched = isa__map_find(&observed->watched, key);
    if (watched != NULL) return watched;
    watched = isa__alloc(ISA_KIND_OTHER, sizeof *watched);
    if (watched == NULL) return NULL;
    watched->observed = observed;
    watched->key = key;
    if (isa__map_set(&observed->watched, key, watched) != ISA_OK) {
        isa__free(ISA_KIND_OTHER, watched, sizeof *watched);
        return NULL;
    }
    watched->getter = *getter;
    *getter = NULL;
    return watched;
}

static isa_status watch_locked(struct isa__observed *observed, const struct isa__key *key,
                               bool automatic, isa_method method, struct isa__getter **getter)
{
    struct isa__watched *watched = need_watched_locked(observed, key, getter);
    if (watched == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to watch key %.128s", key->text);
    watched->automatic = automatic;
    watched->wrapping = kvo_get_wrapping();
    isa_status status = automatic ? need_class_locked(observed) : ISA_OK;
    if (status == ISA_OK && automatic && !observed->name_taken && method != NULL)
        status = isa__setter_wrap_locked(observed, watched, method);
    // The epoch is that of now, after wrapping has changed it; a change by another thread in
    // between shows in the getter, which has an epoch of its own.
    if (status == ISA_OK || status == KVO_ERR_NOT_WRAPPED)
        watched->epoch = __atomic_load_n(&isa__method_epoch, __ATOMIC_ACQUIRE);
    if (status != KVO_ERR_NOT_WRAPPED) return status;
    if (watched->reported) return ISA_OK;
    watched->reported = true;
    return status;
}

static void report_not_wrapped(struct isa__observed *observed, isa_status status, isa_method method)
{
    if (status == KVO_ERR_NAME_TAKEN)
        isa__misuse(
            status, "NSInternalInconsistencyException",
            "KVO failed to allocate class pair for name %s%s, automatic key-value observing "
            "will not work for this class",
            name_prefix, observed->original->name);
    else
        isa__misuse(
            status, "NSInvalidArgumentException",
            "the setter -[%s %s] of type \"%s\" is not wrapped: automatic key-value observing "
            "will not work for its key",
            observed->original->name, isa_sel_name(isa_method_selector(method)),
            isa_method_types(method));
}

// Whether the key is watched already and nothing has changed since that could matter.
static bool is_watched(struct isa__observed *observed, const struct isa__key *key,
                       isa_class *notifying)
{
    uint64_t epoch = __atomic_load_n(&isa__method_epoch, __ATOMIC_ACQUIRE);
    isa__lock(&observing_lock);
    const struct isa__watched *watched = isa__map_find(&observed->watched, key);
    bool fresh =
        watched != NULL && watched->epoch == epoch && watched->wrapping == kvo_get_wrapping();
    // A key that differs in its first letter may have taken the setter over.
    if (fresh && watched->setter != NULL) fresh = isa__setter_serves_locked(watched);
    if (fresh) *notifying = watched->automatic ? observed->notifying : NULL;
    isa__unlock(&observing_lock);
    return fresh;
}

static isa_status watch(struct isa__observed *observed, const struct isa__key *key,
                        isa_class *notifying)
{
    isa_class original = observed->original;
    bool automatic = isa__class_notifies_automatically(original, key->text);
    isa_status status;
    isa_method method = isa__accessor_find_setter_method(original, key->text, &status);
    struct isa__getter *getter = NULL;
    if (status == ISA_OK) status = make_getter(original, key->text, &getter);
    if (status != ISA_OK) return status;
    struct isa__event_queue events;
    isa__event_hold(&events);
    isa__lock(&observing_lock);
    status = watch_locked(observed, key, automatic, method, &getter);
    isa__unlock(&observing_lock);
    isa__event_flush(&events);
    if (getter != NULL) free_getter(&getter->retired);
    bool left_alone = status == KVO_ERR_NAME_TAKEN || status == KVO_ERR_NOT_WRAPPED;
    if (left_alone) report_not_wrapped(observed, status, method);
    if (status != ISA_OK && !left_alone) return status;
    *notifying = automatic ? observed->notifying : NULL;
    return ISA_OK;
}

isa_status isa__observed_watch(struct isa__observed *observed, const struct isa__key *key,
                               isa_class *notifying)
{
    if (is_watched(observed, key, notifying)) return ISA_OK;
    return watch(observed, key, notifying);
}

isa_status isa__observed_copy_setters(struct isa__observed *observed, kvo_setter_info **out,
                                      size_t *count)
{
    isa__lock(&observing_lock);
    isa_status status = isa__setters_copy_locked(observed, out, count);
    isa__unlock(&observing_lock);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

static isa_class class_to_set_locked(isa_id object, isa_class cls)
{
    struct isa__side *side = isa__side_find(object);
    bool observed = side != NULL && isa__observing_load(side) != 0;
    return observed ? cls : cls->original;
}

static void end_observing(isa_id object)
{
    isa__registry_end(object);
    isa__manual_end(object);
}

isa_status isa__subclass_start(void)
{
    isa__class_hooks.dispose_observing = dispose_observed;
    isa__object_hooks.class_to_set_locked = class_to_set_locked;
    isa__object_hooks.end_observing = end_observing;
    isa__retired_free[ISA_RETIRED_GETTER] = free_getter;
    return isa_class_add_method(isa_class_metaclass(isa_root_class()),
                                isa__sel_automatically_notifies, (isa_imp)automatically_notifies,
                                "B@:*");
}
