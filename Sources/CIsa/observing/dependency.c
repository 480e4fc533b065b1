// Dependent keys: a class declares which keys affect a key, and the core follows the declarations
// until it has all of them.
//
// Owns:      nothing for long: the older declarations belong to the class's record
//            (notifying_class.c), a closure of keys belongs to its caller.
// Locks:     `older_lock` guards the older declarations; class methods run with none.
// Invariant: finding a closure marks the keys that it has seen, so cycles end.
#include "path.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../objects/box.h"
#include "../objects/collection.h"
#include "notifying_class.h"


typedef isa_status (*set_keys_imp)(isa_id, isa_sel, isa_id keys, const char *key);

// ---- what a class declares ----------------------------------------------------------------------

// The question that this thread is asking at the moment. A class method that asks it again comes to
// an end by that.
struct question {
    isa_class cls;
    const char *key;
    struct question *outer;
};
static _Thread_local struct question *questions;

static bool is_asking(isa_class cls, const char *key)
{
    for (const struct question *q = questions; q != NULL; q = q->outer)
        if (q->cls == cls && strcmp(q->key, key) == 0) return true;
    return false;
}

static isa_status check_answer(isa_class cls, const char *key, isa_id answer)
{
    struct isa__array members = {0};
    isa_status status = ISA_OK;
    bool good = isa__is_collection(answer);
    if (good) status = isa__collection_gather(answer, &members);
    for (size_t i = 0; i < members.count; i++)
        good = good && kvc_kind_of(members.items[i]) == KVC_KIND_STRING;
    isa__collection_let_go(&members);
    if (good || status != ISA_OK) return status;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "+[%s keyPathsForValuesAffectingValueForKey:] answered for key %.128s with "
                     "something else than a set of strings", cls->name, key);
}

static isa_status ask(isa_class cls, const char *key, isa_id *out)
{
    isa_id asked = isa_class_as_object(cls);
    *out = NULL;
    if (isa_object_responds_to(asked, isa__sel_affecting)) {
        isa_status status = ISA_SEND(kvc_get_imp, asked, isa__sel_affecting, key, out);
        if (status != ISA_OK) return status;
    }
    if (*out == NULL) return kvc_set_make(NULL, 0, out);
    isa_status status = check_answer(cls, key, *out);
    if (status == ISA_OK) return ISA_OK;
    isa_object_release(*out);
    *out = NULL;
    return status;
}

isa_status kvo_class_copy_affecting(isa_class cls, const char *key, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (out == NULL || cls == NULL || key == NULL || isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no class, no key or nowhere to put it");
    *out = NULL;
    cls = cls->original;
    if (is_asking(cls, key))
        return isa__fail(KVO_ERR_TOO_DEEP, NULL,
                         "+[%s keyPathsForValuesAffectingValueForKey:] asks for key %.128s while "
                         "it is asked for it", cls->name, key);
    struct question question = {cls, key, questions};
    questions = &question;
    isa_status status = ask(cls, key, out);
    questions = question.outer;
    return status;
}

// ---- older declarations -------------------------------------------------------------------------

struct isa__older_declarations {
    struct isa__map keys; // dependent key → struct isa__array of keys
};

static ISA_LOCK_DEFINE(older_lock, ISA_LOCK_CODING)

void isa__older_declarations_free(struct isa__older_declarations *older)
{
    if (older == NULL) return;
    size_t at = 0;
    for (const struct isa__map_entry *e; (e = isa__map_next(&older->keys, &at)) != NULL;) {
        isa__array_clear(e->value);
        isa__free(ISA_KIND_OTHER, e->value, sizeof(struct isa__array));
    }
    isa__map_clear(&older->keys);
    isa__free(ISA_KIND_OTHER, older, sizeof *older);
}

// The strings in `keys` without a dot, as interned keys.
static isa_status intern_all(isa_id keys, struct isa__array *out)
{
    struct isa__array members = {0};
    isa_status status = isa__collection_gather(keys, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++) {
        const char *text = kvc_string_text(members.items[i]);
        if (text == NULL)
            status = isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                               "setKeys:triggerChangeNotificationsForDependentKey: an array of "
                               "strings was expected");
        else if (strchr(text, '.') == NULL) {
            const struct isa__key *key = isa__key_intern(text);
            status = key == NULL ? ISA_ERR_NO_MEMORY : isa__array_add(out, (void *)key);
        }
    }
    isa__collection_let_go(&members);
    return status;
}

static isa_status store_older_locked(struct isa__observed *observed, const struct isa__key *key,
                                     struct isa__array *keys)
{
    if (observed->older_declarations == NULL)
        observed->older_declarations =
            isa__alloc(ISA_KIND_OTHER, sizeof *observed->older_declarations);
    if (observed->older_declarations == NULL) return ISA_ERR_NO_MEMORY;
    struct isa__array *stored = isa__map_find(&observed->older_declarations->keys, key);
    if (stored == NULL) {
        stored = isa__alloc(ISA_KIND_OTHER, sizeof *stored);
        if (stored == NULL) return ISA_ERR_NO_MEMORY;
        if (isa__map_set(&observed->older_declarations->keys, key, stored) != ISA_OK) {
            isa__free(ISA_KIND_OTHER, stored, sizeof *stored);
            return ISA_ERR_NO_MEMORY;
        }
    }
    isa__array_clear(stored);
    *stored = *keys;
    *keys = (struct isa__array){0};
    return ISA_OK;
}

static isa_status set_keys(isa_id self, isa_sel sel, isa_id keys, const char *dependent_key)
{
    (void)sel;
    kvc_kind kind = kvc_kind_of(keys);
    if (dependent_key == NULL || (kind != KVC_KIND_ARRAY && kind != KVC_KIND_SET))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "setKeys:triggerChangeNotificationsForDependentKey: %s",
                         dependent_key == NULL ? "no dependent key"
                                               : "an array of strings was expected");
    struct isa__observed *observed = isa__observed_get(((isa_class)self)->original);
    const struct isa__key *key = isa__key_intern(dependent_key);
    struct isa__array interned = {0};
    isa_status status = observed == NULL || key == NULL ? ISA_ERR_NO_MEMORY
                                                        : intern_all(keys, &interned);
    if (status == ISA_OK) {
        isa__lock(&older_lock);
        status = store_older_locked(observed, key, &interned);
        isa__unlock(&older_lock);
    }
    isa__array_clear(&interned);
    if (status == ISA_ERR_NO_MEMORY)
        return isa__fail(status, NULL, "no memory to declare what affects key %.128s",
                         dependent_key);
    // Paths that were worked out before are stale.
    if (status == ISA_OK) isa__method_epoch_advance();
    return status;
}

isa_status kvo_class_set_keys(isa_class cls, isa_id keys, const char *dependent_key)
{
    isa_id asked = cls == NULL ? NULL : isa_class_as_object(cls->original);
    if (cls == NULL || !isa_object_responds_to(asked, isa__sel_set_keys))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "a class that descends from the root class was expected");
    return ISA_SEND(set_keys_imp, asked, isa__sel_set_keys, keys, dependent_key);
}

// The keys that `cls`, or the nearest class above it that has any, declared by the older message;
// an array of keys.
static isa_status copy_older(isa_class cls, const struct isa__key *key, struct isa__array *out)
{
    isa_status status = ISA_OK;
    isa__lock(&older_lock);
    for (; key != NULL && cls != NULL; cls = cls->superclass) {
        const struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
        if (observed == NULL || observed->original != cls) continue;
        const struct isa__older_declarations *older = observed->older_declarations;
        if (older == NULL) continue;
        const struct isa__array *found = isa__map_find(&older->keys, key);
        if (found == NULL) continue;
        for (size_t i = 0; i < found->count && status == ISA_OK; i++)
            status = isa__array_add(out, found->items[i]);
        break;
    }
    isa__unlock(&older_lock);
    return status;
}

// ---- the root class's answers -------------------------------------------------------------------

// A set of the texts of `keys`, interned keys.
static isa_status make_set(const struct isa__array *keys, isa_id *out)
{
    struct isa__array texts = {0};
    isa_status status = isa__array_reserve(&texts, keys->count);
    for (size_t i = 0; i < keys->count && status == ISA_OK; i++) {
        isa_id text;
        status = kvc_string_make(((const struct isa__key *)keys->items[i])->text, &text);
        if (status == ISA_OK) texts.items[texts.count++] = text;
    }
    return isa__collection_adopt(status, isa__box_classes[ISA_BOX_MUTABLE_SET], &texts, out);
}

// Asks the class's own method, which hands the set out as the messages of this library do, or lends
// it as Foundation's do.
static isa_status ask_method(isa_id self, isa_method method, isa_id *out)
{
    isa_sel sel = isa_method_selector(method);
    if (isa__method_has_types(method, "i@:^@")) return ISA_SEND(isa__answer_imp, self, sel, out);
    if (!isa__method_has_types(method, "@@:"))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "+[%s %s] has encoding \"%s\": \"i@:^@\" or \"@@:\" was expected",
                         ((isa_class)self)->name, isa_sel_name(sel), isa_method_types(method));
    *out = isa_object_retain(ISA_SEND(isa__copy_imp, self, sel));
    return ISA_OK;
}

static isa_status affecting(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel;
    isa_sel question = isa__selector_find_named(ISA_NAME_AFFECTING, key);
    isa_method method = isa_class_find_method(isa_object_get_class(self), question);
    if (method != NULL) return ask_method(self, method, out);
    struct isa__array keys = {0};
    isa_status status = copy_older(((isa_class)self)->original, isa__key_find(key), &keys);
    if (status == ISA_OK) status = make_set(&keys, out);
    isa__array_clear(&keys);
    return status;
}

// ---- closure ------------------------------------------------------------------------------------

// A class method that makes up a path for every key that it is asked for is to come to an end.
enum { MOST_PATHS = 4096 };

isa_status isa__closure_add(struct isa__closure *closure, const struct isa__key *path)
{
    if (isa__map_find(&closure->seen, path) != NULL) return ISA_OK;
    isa_status status = isa__array_add(&closure->paths, (void *)path);
    if (status == ISA_OK) status = isa__map_set(&closure->seen, path, closure);
    return status;
}

static isa_status check_no_self(const struct isa__closure *closure, const struct isa__key *key,
                                const char *path)
{
    bool starts = strncmp(path, key->text, key->length) == 0;
    if (!starts || (path[key->length] != 0 && path[key->length] != '.')) return ISA_OK;
    return isa__fail(KVO_ERR_SELF_DEPENDENT, NULL,
                     "+[%s keyPathsForValuesAffectingValueForKey:]: key path \"%.128s\" cannot "
                     "affect key \"%.128s\", which it is or goes through",
                     closure->cls->name, path, key->text);
}

// Whether the class leaves the answer to the root class, which would find nothing: most keys.
static bool declares_nothing(isa_class cls, const struct isa__key *key)
{
    isa_class asked = isa__class_metaclass(cls->original);
    struct isa__array keys = {0};
    if (isa_class_find_imp(asked, isa__sel_affecting) != (isa_imp)affecting) return false;
    if (isa__key_is_named(key, ISA_NAMES_AFFECTING) &&
        isa_class_find_imp(asked, isa__selector_find_named(ISA_NAME_AFFECTING, key->text)) != NULL)
        return false;
    isa_status status = copy_older(cls->original, key, &keys);
    bool nothing = status == ISA_OK && keys.count == 0;
    isa__array_clear(&keys);
    return nothing;
}

// Adds what the class declares to affect `key`.
static isa_status closure_add_declared(struct isa__closure *closure, const struct isa__key *key)
{
    isa_id answer;
    struct isa__array members = {0};
    if (declares_nothing(closure->cls, key)) return ISA_OK;
    isa_status status = kvo_class_copy_affecting(closure->cls, key->text, &answer);
    if (status != ISA_OK) return status;
    status = isa__collection_gather(answer, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++) {
        const char *text = kvc_string_text(members.items[i]);
        status = isa__path_check(text);
        if (status == ISA_OK) status = check_no_self(closure, key, text);
        const struct isa__key *path = status == ISA_OK ? isa__key_intern(text) : NULL;
        if (status == ISA_OK)
            status = path == NULL ? ISA_ERR_NO_MEMORY : isa__closure_add(closure, path);
    }
    isa__collection_let_go(&members);
    isa_object_release(answer);
    return status;
}

isa_status isa__closure_complete(struct isa__closure *closure)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < closure->paths.count && status == ISA_OK; i++) {
        if (closure->paths.count > MOST_PATHS)
            return isa__fail(KVO_ERR_TOO_DEEP, NULL,
                             "+[%s keyPathsForValuesAffectingValueForKey:] names more and more key "
                             "paths: more than %d", closure->cls->name, MOST_PATHS);
        const struct isa__key *head = isa__path_head(closure->paths.items[i]);
        status = head == NULL ? ISA_ERR_NO_MEMORY : closure_add_declared(closure, head);
    }
    return status;
}

void isa__closure_end(struct isa__closure *closure)
{
    isa__array_clear(&closure->paths);
    isa__map_clear(&closure->seen);
}

isa_status isa__closure_find(isa_class cls, const struct isa__key *key, struct isa__closure *out)
{
    *out = (struct isa__closure){.cls = cls};
    isa_status status = closure_add_declared(out, key);
    if (status == ISA_OK) status = isa__closure_complete(out);
    if (status == ISA_ERR_NO_MEMORY)
        isa__fail(status, NULL, "no memory to work out what affects key %.128s", key->text);
    if (status != ISA_OK) isa__closure_end(out);
    return status;
}

isa_status kvo_class_copy_all_affecting(isa_class cls, const char *text, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (cls == NULL || text == NULL || out == NULL || isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no class, no key or nowhere to put it");
    *out = NULL;
    const struct isa__key *key = isa__key_intern(text);
    struct isa__closure closure;
    if (key == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a key");
    isa_status status = isa__closure_find(cls->original, key, &closure);
    if (status != ISA_OK) return status;
    isa__array_remove(&closure.paths, key);
    status = make_set(&closure.paths, out);
    isa__closure_end(&closure);
    return status;
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__dependency_start(void)
{
    static const struct isa__box_method methods[] = {
        {&isa__sel_affecting, (isa_imp)affecting, "i@:*^@"},
        {&isa__sel_set_keys, (isa_imp)set_keys, "i@:@*"},
    };
    return isa__box_add_methods(isa_class_metaclass(isa_root_class()), methods,
                                ISA_COUNT_OF(methods));
}
