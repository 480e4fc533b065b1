// Notifying classes, and the class of an observed object set by hand.
//
// Each observed class has one subclass whose setters notify. If a program sets the class of an
// observed object, the object goes to the notifying class of the new class, so that its observers
// are notified as before.
//
// Owns:      one isa__observed per class that was ever observed, its paths and setter records; the
//            notifying class itself. They live as long as the original class.
// Locks:     `observing_lock` orders making classes and wrapping. The thread gives it up while it
//            asks the observed class anything, and events wait until then. isa__lock_for(object) is
//            held while a class set by hand looks at the registrations; the new class is asked with
//            none.
// Invariant: a notifying class overrides `class`, `dealloc`, `_isKVOA` and the wrapped methods,
//            nothing else, and its `observing` is its original's. A class that is set by hand has
//            been prepared for every key that is registered then: a thread that registers another
//            key meanwhile makes the caller prepare anew.
#include "notifying_class.h"

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "../coding/coding.h"
#include "../model/class.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../object/object.h"
#include "../objects/box.h"
#include "change.h"
#include "kvo_start.h"
#include "path.h"
#include "registry.h"

static ISA_LOCK_DEFINE(observing_lock, ISA_LOCK_OBSERVING)

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
// `dealloc`, which may still change values and is heard; a change that was announced and never
// ended ends here.
static void dealloc_observed(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__manual_end(self);
}

static isa_status add_base_methods(isa_class cls)
{
    isa_status status = isa__method_add(cls, isa__sel_class_, (isa_imp)answer_original, "#@:");
    if (status == ISA_OK)
        status = isa__method_add(cls, isa__sel_dealloc, (isa_imp)dealloc_observed, "v@:");
    if (status == ISA_OK)
        status = isa__method_add(cls, isa__sel_is_kvoa, (isa_imp)answer_yes, "B@:");
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
    struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
    if (observed != NULL) return observed;
    isa_class notifying = isa__notifying_find(cls);
    if (notifying != NULL) return __atomic_load_n(&notifying->observing, __ATOMIC_ACQUIRE);
    isa__lock(&observing_lock);
    observed = make_observed_locked(cls);
    isa__unlock(&observing_lock);
    return observed;
}

static void dispose_observed(isa_class cls)
{
    struct isa__observed *observed = cls->observing;
    if (observed->original != cls) {
        isa__wrappers_dispose(observed);
        observed->notifying = NULL;
        return;
    }
    for (size_t i = 0; i < observed->paths.count; i++) isa__path_free(observed->paths.items[i]);
    isa__array_clear(&observed->paths);
    isa__map_clear(&observed->reported);
    isa__older_declarations_free(observed->older_declarations);
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

// The root class's answer: that of `automaticallyNotifiesObserversOf<Key>`, or yes without it.
static bool automatically_notifies(isa_id self, isa_sel sel, const char *key)
{
    (void)sel;
    isa_sel question = isa__selector_find_named(ISA_NAME_AUTOMATIC, key);
    isa_method method = isa_class_find_method(isa_object_get_class(self), question);
    if (!isa__method_answers_integer(method, sizeof(bool))) return true;
    return ISA_SEND(bool (*)(isa_id, isa_sel), self, question);
}

bool isa__key_notifies_automatically(isa_class cls, const struct isa__key *key)
{
    if (isa_class_find_imp(isa__class_metaclass(cls), isa__sel_automatically_notifies) !=
        (isa_imp)automatically_notifies)
        return isa__class_notifies_automatically(cls, key->text);
    return !isa__key_is_named(key, ISA_NAMES_AUTOMATIC) ||
           isa__class_notifies_automatically(cls, key->text);
}

uint32_t isa__observed_check_overrides(struct isa__observed *observed, uint64_t epoch)
{
    uint32_t result = 0;
    isa_class cls = observed->original;
    if (isa__method_is_overridden(cls, isa__sel_will_change) ||
        isa__method_is_overridden(cls, isa__sel_did_change))
        result |= ISA_OVERRIDES_CHANGES;
    if (isa__method_is_overridden(cls, isa__sel_observation_info)) result |= ISA_OVERRIDES_INFO;
    if (isa__class_is_gnustep(cls) || isa__class_keeps_info(cls) ||
        isa__class_is_collection(cls) || isa__method_is_overridden(cls, isa__sel_add_observer))
        result |= ISA_IS_UNUSUAL;
    __atomic_store_n(&observed->overrides, epoch << ISA_OVERRIDES_BITS | result, __ATOMIC_RELEASE);
    return result;
}

// ---- watching a key -----------------------------------------------------------------------------

static isa_status make_class(isa_class original, isa_class *out)
{
    char *name = isa__name_copy(ISA_NAME_NOTIFYING_CLASS, original->name);
    if (name == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a class name");
    isa_status status =
        isa__class_pair_make(original, name, ISA_CLASS_NOTIFYING | ISA_CLASS_UNSEEN, out);
    isa__free_text(name);
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

// The answers of the class's methods about a key, found with no lock held.
struct findings {
    isa_method setter; // NULL: none
    struct isa__mutators mutators;
    struct isa__dictionary_methods dictionary;
    bool automatic;
};

static isa_status wrap_locked(struct isa__observed *observed, const struct isa__key *key,
                              const struct findings *findings, struct isa__wrapper **setter)
{
    isa_status status = isa__mutators_wrap_locked(observed, key, &findings->mutators);
    if (status == ISA_OK && findings->dictionary.set != NULL)
        status = isa__dictionary_wrap_locked(observed, key, &findings->dictionary);
    if (status == ISA_OK && findings->setter != NULL)
        status = isa__setter_wrap_locked(observed, key, findings->setter, setter);
    return status;
}

// Whether it was reported before that the key's setter is left alone; from now on it was.
static bool note_reported_locked(struct isa__observed *observed, const struct isa__key *key)
{
    if (isa__map_find(&observed->reported, key) != NULL) return true;
    isa__map_set(&observed->reported, key, observed); // without memory it is reported once more
    return false;
}

static isa_status watch_locked(struct isa__observed *observed, const struct isa__key *key,
                               const struct findings *findings, struct isa__wrapper **setter)
{
    isa_status status = findings->automatic ? need_class_locked(observed) : ISA_OK;
    if (status == ISA_OK && findings->automatic && !observed->name_taken)
        status = wrap_locked(observed, key, findings, setter);
    if (observed->notifying != NULL) isa__class_show(observed->notifying);
    bool left_alone = status == KVO_ERR_NOT_WRAPPED;
    return left_alone && note_reported_locked(observed, key) ? ISA_OK : status;
}

static void report_not_wrapped(struct isa__observed *observed, isa_status status, isa_method method)
{
    if (status == KVO_ERR_NAME_TAKEN)
        isa__misuse(
            status, "NSInternalInconsistencyException",
            "KVO failed to allocate class pair for name NSKVONotifying_%s, automatic key-value "
            "observing will not work for this class", observed->original->name);
    else
        isa__misuse(
            status, "NSInvalidArgumentException",
            "the setter -[%s %s] of type \"%s\" is not wrapped: automatic key-value observing "
            "will not work for its key",
            observed->original->name, isa_sel_name(isa_method_selector(method)),
            isa_method_types(method));
}

// The messages that change a dictionary, if instances of the class are such.
static void find_dictionary(isa_class cls, struct isa__dictionary_methods *out)
{
    isa_class dictionary = kvc_class_of_kind(KVC_KIND_DICTIONARY, true);
    *out = (struct isa__dictionary_methods){0};
    if (!isa_class_is_subclass(cls, dictionary)) return;
    out->set = isa_class_find_method(cls, isa__sel_set_object_for);
    out->remove = isa_class_find_method(cls, isa__sel_remove_object_for);
    out->remove_all = isa_class_find_method(cls, isa__sel_remove_all);
}

static isa_status find_all(isa_class cls, const struct isa__key *key, struct findings *out)
{
    *out = (struct findings){.automatic = isa__key_notifies_automatically(cls, key)};
    out->setter = isa__accessor_find_setter_method(cls, key->text);
    if (isa__key_is_named(key, ISA_NAMES_MUTATORS))
        isa__mutators_find(cls, key->text, &out->mutators);
    find_dictionary(cls, &out->dictionary);
    // How the key is read has been asked then, so that memory for that suffices later.
    struct isa__answer answer;
    return isa__answer_find(cls, key->text, ISA_FACT_GETTER, &answer);
}

static isa_status watch(struct isa__observed *observed, const struct isa__key *key,
                        bool *automatic)
{
    struct findings findings;
    isa_status status = find_all(observed->original, key, &findings);
    if (status != ISA_OK) return status;
    struct isa__wrapper *setter = NULL;
    struct isa__event_queue events;
    isa__event_hold(&events);
    isa__lock(&observing_lock);
    status = watch_locked(observed, key, &findings, &setter);
    isa__unlock(&observing_lock);
    isa__event_flush(&events);
    if (setter != NULL) isa__cached_setter_renew(setter);
    *automatic = *automatic || findings.automatic;
    bool left_alone = status == KVO_ERR_NAME_TAKEN || status == KVO_ERR_NOT_WRAPPED;
    if (left_alone) report_not_wrapped(observed, status, findings.setter);
    return left_alone ? ISA_OK : status;
}

// ---- paths --------------------------------------------------------------------------------------

// Watches each key that the path has to do with.
static isa_status watch_all(struct isa__observed *observed, const struct isa__path *path,
                            bool *automatic)
{
    isa_status status = ISA_OK;
    for (uint32_t i = 0; i < path->dependency_count && status == ISA_OK; i++)
        status = watch(observed, path->dependencies[i].key, automatic);
    return status;
}

// Gives the class a path that was made; a path that says the same as the latest gives way to that.
static isa_status path_settle(struct isa__observed *observed, struct isa__path *made,
                              const struct isa__path **out)
{
    struct isa__known_path former;
    if (isa__fact_recall_former(observed->original, made->text, ISA_FACT_PATH, &former,
                                sizeof former) &&
        isa__path_equal(former.path, made)) {
        isa__path_free(made);
        *out = former.path;
        return ISA_OK;
    }
    isa__lock(&observing_lock);
    isa_status status = isa__array_add(&observed->paths, made);
    isa__unlock(&observing_lock);
    *out = made;
    if (status == ISA_OK) return ISA_OK;
    isa__fail(status, NULL, "no memory to observe \"%.128s\"", made->text->text);
    isa__path_free(made);
    return status;
}

static isa_status make_known(struct isa__observed *observed, const struct isa__key *key_path,
                             struct isa__known_path *out)
{
    struct isa__path *made;
    bool automatic = false;
    isa_status status = isa__path_make(observed->original, key_path, &made);
    if (status != ISA_OK) return status;
    status = watch_all(observed, made, &automatic);
    if (status != ISA_OK) {
        isa__path_free(made);
        return status;
    }
    status = path_settle(observed, made, &out->path);
    if (automatic) out->notifying = __atomic_load_n(&observed->notifying, __ATOMIC_ACQUIRE);
    return status;
}

isa_status isa__observed_prepare(struct isa__observed *observed, const struct isa__key *key_path,
                                 struct isa__known_path *out)
{
    isa_class cls = observed->original;
    if (isa__fact_recall(cls, key_path, ISA_FACT_PATH, out, sizeof *out)) return ISA_OK;
    // Wrapping advances it where the notifying class is known already: a fact asked for now is
    // asked for once more next time, and then stays as it is.
    uint64_t epoch = isa__method_epoch();
    isa__observed_overrides(observed);
    *out = (struct isa__known_path){0};
    isa_status status = make_known(observed, key_path, out);
    if (status == ISA_OK) isa__fact_keep(cls, key_path, ISA_FACT_PATH, out, sizeof *out, epoch);
    return status;
}

isa_status isa__observed_copy_setters(struct isa__observed *observed, kvo_setter_info **out,
                                      size_t *count)
{
    isa__lock(&observing_lock);
    isa_status status = isa__wrappers_copy_locked(observed, out, count);
    isa__unlock(&observing_lock);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

static void count_own(struct isa__registration *registration, void *context)
{
    bool own = !(isa__registration_tag_load(registration) & (ISA_TAG_FORWARDER | ISA_TAG_SHARED));
    *(size_t *)context += own && !isa__registration_is_dead(registration);
}

// GNUstep refuses to lose an object that somebody registered on.
static void report_left(isa_id object)
{
    size_t count = 0;
    isa_class cls = isa_object_get_class(object);
    if (!isa__class_is_gnustep(cls)) return;
    isa__registry_visit(object, count_own, &count);
    if (count == 0) return;
    isa__misuse(ISA_ERR_DEALLOCATING, "NSInvalidArgumentException",
                "<%s %p> was deallocated while observers were registered on it: %zu",
                cls->original->name, (void *)object, count);
}

static void end_observing(isa_id object)
{
    report_left(object);
    isa__registry_end(object);
    isa__manual_end(object);
}

isa_status isa__subclass_start(void)
{
    isa__class_hooks.dispose_observing = dispose_observed;
    isa__object_hooks.end_observing = end_observing;
    return isa__method_add_sent(isa_class_metaclass(isa_root_class()),
                                isa__sel_automatically_notifies, (isa_imp)automatically_notifies,
                                "B@:*");
}

// ---- class set by hand --------------------------------------------------------------------------

// The word of an object. Its lock is held.
static uintptr_t word_of(isa_id object)
{
    const struct isa__side *side = isa__side_find(object);
    return side == NULL ? 0 : isa__observing_value(side);
}

static isa_status no_memory(void)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to set the class of an observed object");
}

static bool is_known(const struct isa__array *known, const struct isa__key *key)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->items[i] == key) return true;
    return false;
}

// Adds the keys registered on the object to `known`.
static isa_status gather(isa_id object, struct isa__array *known)
{
    struct isa__registration *item;
    uint32_t at = 0;
    isa_status status = ISA_OK;
    struct isa__lock *lock = isa__lock_object(object);
    while (status == ISA_OK && (item = isa__word_next(word_of(object), &at)) != NULL)
        if (!is_known(known, item->key)) status = isa__array_add(known, (void *)item->key);
    isa__unlock(lock);
    return status == ISA_OK ? ISA_OK : no_memory();
}

static isa_status class_prepare(isa_id object, isa_class cls, struct isa__array *known,
                                isa_class *to)
{
    *to = cls;
    if (isa__notifying_find(cls) != NULL) return ISA_OK;
    isa_status status = gather(object, known);
    if (status != ISA_OK || known->count == 0) return status;
    struct isa__observed *observed = isa__observed_get(cls);
    if (observed == NULL) return no_memory();
    for (size_t i = 0; i < known->count && status == ISA_OK; i++) {
        struct isa__known_path path;
        status = isa__observed_prepare(observed, known->items[i], &path);
        if (status == ISA_OK && path.notifying != NULL) *to = path.notifying;
    }
    return status;
}

static bool choose_locked(isa_id object, isa_class cls, const struct isa__array *known,
                          isa_class *to)
{
    const struct isa__registration *item;
    uint32_t at = 0;
    if (word_of(object) == 0) *to = cls->original;
    if (isa__notifying_find(cls) != NULL) return true;
    while ((item = isa__word_next(word_of(object), &at)) != NULL)
        if (!is_known(known, item->key)) return false;
    return true;
}

void isa__class_change_start(void)
{
    isa__object_hooks.prepare_class = class_prepare;
    isa__object_hooks.choose_class_locked = choose_locked;
}
