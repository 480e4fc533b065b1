// Dependent keys.
//
// Owns:      nothing for long: paths belong to the class's record (subclass.c), as do the keys that
//            were declared the old way.
// Locks:     `legacy_lock` guards the keys declared the old way; class methods run with none.
// Invariant: a closure is found with a visited set, so that cycles end.
#include "dependency.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/array.h"
#include "../base/map.h"
#include "../base/status.h"
#include "../kvc/collection.h"
#include "../kvc/string.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "subclass.h"

typedef isa_status (*affecting_imp)(isa_id, isa_sel, const char *key, isa_id *out);
typedef isa_status (*set_keys_imp)(isa_id, isa_sel, isa_id keys, const char *key);

// ---- key paths ----------------------------------------------------------------------------------

isa_status isa__path_check(const char *key_path)
{
    if (key_path == NULL || *key_path == 0)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no key path");
    size_t keys = 1;
    for (const char *at = key_path; *at != 0; at++) {
        if (*at != '.') continue;
        keys++;
        if (at == key_path || at[1] == '.' || at[1] == 0)
            return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                             "key path \"%.128s\": there is an empty key in it", key_path);
    }
    if (!isa__utf8_is_valid(key_path))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "the key path is not UTF-8 text");
    if (keys <= ISA_PATH_MAX_KEYS) return ISA_OK;
    return isa__fail(KVO_ERR_TOO_DEEP, NULL,
                     "key path \"%.64s...\" has %zu keys, at most %d were expected", key_path, keys,
                     ISA_PATH_MAX_KEYS);
}

static bool is_single(const struct isa__key *path)
{
    return strchr(path->text, '.') == NULL;
}

static const struct isa__key *intern_range(const char *start, size_t length)
{
    char *text = isa__alloc(ISA_KIND_OTHER, length + 1);
    if (text == NULL) return NULL;
    memcpy(text, start, length);
    const struct isa__key *key = isa__key_intern(text);
    isa__free(ISA_KIND_OTHER, text, length + 1);
    return key;
}

// The key before the first dot, `path` itself if there is none; NULL when memory is short.
static const struct isa__key *head_of(const struct isa__key *path)
{
    const char *dot = strchr(path->text, '.');
    return dot == NULL ? path : intern_range(path->text, (size_t)(dot - path->text));
}

static const char *rest_of(const struct isa__key *path)
{
    const char *dot = strchr(path->text, '.');
    return dot == NULL ? NULL : dot + 1;
}

// An operator without argument needs no forwarder: it concerns the collection as a whole.
static bool may_forward(const char *rest)
{
    return *rest != '@' || strchr(rest, '.') != NULL;
}

// ---- what a class declares ----------------------------------------------------------------------

// What this thread is asking at the moment, so that a class method that asks for what it is asked
// for comes to an end.
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
    kvc_kind kind = kvc_kind_of(answer);
    struct isa__array members = {0};
    isa_status status = ISA_OK;
    bool good = kind == KVC_KIND_SET || kind == KVC_KIND_ARRAY || kind == KVC_KIND_ORDERED_SET;
    if (good) status = isa__collection_gather(answer, &members);
    for (size_t i = 0; i < members.count; i++)
        good = good && kvc_kind_of(members.items[i]) == KVC_KIND_STRING;
    isa__collection_let_go(&members);
    if (good || status != ISA_OK) return status;
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                     "+[%s keyPathsForValuesAffectingValueForKey:] answered for key %.128s with "
                     "something else than a set of strings",
                     cls->name, key);
}

static isa_status ask(isa_class cls, const char *key, isa_id *out)
{
    isa_id asked = isa_class_as_object(cls);
    *out = NULL;
    if (isa_object_responds_to(asked, isa__sel_affecting)) {
        isa_status status = ISA_SEND(affecting_imp, asked, isa__sel_affecting, key, out);
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
    if (out == NULL || cls == NULL || key == NULL || isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no class, no key or nowhere to put it");
    *out = NULL;
    cls = cls->original;
    if (is_asking(cls, key))
        return isa__fail(KVO_ERR_TOO_DEEP, NULL,
                         "+[%s keyPathsForValuesAffectingValueForKey:] asks for key %.128s while "
                         "it is asked for it",
                         cls->name, key);
    struct question question = {cls, key, questions};
    questions = &question;
    isa_status status = ask(cls, key, out);
    questions = question.outer;
    return status;
}

// ---- declared the old way -----------------------------------------------------------------------

struct isa__legacy {
    struct isa__map keys; // dependent key → struct isa__array of keys
};

static struct isa__lock legacy_lock = ISA_LOCK_INIT(ISA_LOCK_CODING);

void isa__legacy_free(struct isa__legacy *legacy)
{
    if (legacy == NULL) return;
    size_t at = 0;
    for (const struct isa__map_entry *e; (e = isa__map_next(&legacy->keys, &at)) != NULL;) {
        isa__array_clear(e->value);
        isa__free(ISA_KIND_OTHER, e->value, sizeof(struct isa__array));
    }
    isa__map_clear(&legacy->keys);
    isa__free(ISA_KIND_OTHER, legacy, sizeof *legacy);
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

static isa_status store_legacy_locked(struct isa__observed *observed, const struct isa__key *key,
                                      struct isa__array *keys)
{
    if (observed->legacy == NULL)
        observed->legacy = isa__alloc(ISA_KIND_OTHER, sizeof *observed->legacy);
    if (observed->legacy == NULL) return ISA_ERR_NO_MEMORY;
    struct isa__array *stored = isa__map_find(&observed->legacy->keys, key);
    if (stored == NULL) {
        stored = isa__alloc(ISA_KIND_OTHER, sizeof *stored);
        if (stored == NULL) return ISA_ERR_NO_MEMORY;
        if (isa__map_set(&observed->legacy->keys, key, stored) != ISA_OK) {
            isa__free(ISA_KIND_OTHER, stored, sizeof *stored);
            return ISA_ERR_NO_MEMORY;
        }
    }
    isa__array_clear(stored);
    *stored = *keys;
    *keys = (struct isa__array){0};
    return ISA_OK;
}

// Paths that were worked out before are stale.
static void count_change(void)
{
    isa__lock(&isa__model_lock);
    __atomic_fetch_add(&isa__method_epoch, 1, __ATOMIC_RELEASE);
    isa__unlock(&isa__model_lock);
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
        isa__lock(&legacy_lock);
        status = store_legacy_locked(observed, key, &interned);
        isa__unlock(&legacy_lock);
    }
    isa__array_clear(&interned);
    if (status == ISA_ERR_NO_MEMORY)
        return isa__fail(status, NULL, "no memory to declare what affects key %.128s",
                         dependent_key);
    if (status == ISA_OK) count_change();
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

// The keys that `cls` or the nearest class above it declared the old way; an array of keys.
static isa_status copy_legacy(isa_class cls, const char *text, struct isa__array *out)
{
    const struct isa__key *key = isa__key_find(text);
    isa_status status = ISA_OK;
    isa__lock(&legacy_lock);
    for (; key != NULL && cls != NULL; cls = cls->superclass) {
        const struct isa__observed *observed = __atomic_load_n(&cls->observing, __ATOMIC_ACQUIRE);
        if (observed == NULL || observed->legacy == NULL || observed->original != cls) continue;
        const struct isa__array *found = isa__map_find(&observed->legacy->keys, key);
        if (found == NULL) continue;
        for (size_t i = 0; i < found->count && status == ISA_OK; i++)
            status = isa__array_add(out, found->items[i]);
        break;
    }
    isa__unlock(&legacy_lock);
    return status;
}

// ---- the root class's answers -------------------------------------------------------------------

// A set of the texts of `keys`, interned keys.
static isa_status make_set(const struct isa__array *keys, isa_id *out)
{
    isa_id set;
    isa_status status = kvc_mutable_set_make(NULL, 0, &set);
    if (status != ISA_OK) return status;
    for (size_t i = 0; i < keys->count && status == ISA_OK; i++) {
        isa_id text;
        status = kvc_string_make(((const struct isa__key *)keys->items[i])->text, &text);
        if (status != ISA_OK) break;
        status = kvc_collection_add(set, text);
        isa_object_release(text);
    }
    if (status == ISA_OK) *out = set;
    else isa_object_release(set);
    return status;
}

// The class method `keyPathsForValuesAffecting<Key>`, NULL where no such selector exists.
static isa_status find_question(const char *key, isa_sel *out)
{
    static const char prefix[] = "keyPathsForValuesAffecting";
    size_t size = sizeof prefix + strlen(key);
    char *name = isa__alloc(ISA_KIND_OTHER, size);
    if (name == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a method's name");
    strcpy(name, prefix);
    strcat(name, key);
    char *first = name + sizeof prefix - 1;
    if (*first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
    *out = isa_sel_find(name);
    isa__free(ISA_KIND_OTHER, name, size);
    return ISA_OK;
}

// Asks the class's own method, which hands the set out as the messages of this library do, or lends
// it as Foundation's do.
static isa_status ask_method(isa_id self, isa_method method, isa_id *out)
{
    isa_sel sel = isa_method_selector(method);
    if (isa__method_has_shape(method, "i", 3)) return ISA_SEND(isa__answer_imp, self, sel, out);
    if (!isa__method_has_shape(method, "@", 2))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "+[%s %s] has encoding \"%s\": \"i@:^@\" or \"@@:\" was expected",
                         ((isa_class)self)->name, isa_sel_name(sel), isa_method_types(method));
    *out = isa_object_retain(ISA_SEND(isa__copy_imp, self, sel));
    return ISA_OK;
}

static isa_status affecting(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel;
    isa_sel question = NULL;
    isa_status status = find_question(key, &question);
    if (status != ISA_OK) return status;
    isa_method method =
        question == NULL ? NULL : isa_class_find_method(isa_object_get_class(self), question);
    if (method != NULL) return ask_method(self, method, out);
    struct isa__array keys = {0};
    status = copy_legacy(((isa_class)self)->original, key, &keys);
    if (status == ISA_OK) status = make_set(&keys, out);
    isa__array_clear(&keys);
    return status;
}

// ---- closure ------------------------------------------------------------------------------------

// A class method that makes up a path for every key that it is asked for is to come to an end.
enum { MOST_PATHS = 4096 };

// Paths in the order in which they were found.
struct closure {
    isa_class cls;
    struct isa__array paths; // const struct isa__key *
    struct isa__map seen;
};

static isa_status closure_add(struct closure *closure, const struct isa__key *path)
{
    if (isa__map_find(&closure->seen, path) != NULL) return ISA_OK;
    isa_status status = isa__array_add(&closure->paths, (void *)path);
    if (status == ISA_OK) status = isa__map_set(&closure->seen, path, closure);
    return status;
}

static isa_status check_no_self(const struct closure *closure, const struct isa__key *key,
                                const char *path)
{
    bool starts = strncmp(path, key->text, key->length) == 0;
    if (!starts || (path[key->length] != 0 && path[key->length] != '.')) return ISA_OK;
    return isa__fail(KVO_ERR_SELF_DEPENDENT, NULL,
                     "+[%s keyPathsForValuesAffectingValueForKey:]: key path \"%.128s\" cannot "
                     "affect key \"%.128s\", which it is or goes through",
                     closure->cls->name, path, key->text);
}

// Adds what the class declares to affect `key`.
static isa_status closure_add_declared(struct closure *closure, const struct isa__key *key)
{
    isa_id answer;
    struct isa__array members = {0};
    isa_status status = kvo_class_copy_affecting(closure->cls, key->text, &answer);
    if (status != ISA_OK) return status;
    status = isa__collection_gather(answer, &members);
    for (size_t i = 0; i < members.count && status == ISA_OK; i++) {
        const char *text = kvc_string_text(members.items[i]);
        status = isa__path_check(text);
        if (status == ISA_OK) status = check_no_self(closure, key, text);
        const struct isa__key *path = status == ISA_OK ? isa__key_intern(text) : NULL;
        if (status == ISA_OK)
            status = path == NULL ? ISA_ERR_NO_MEMORY : closure_add(closure, path);
    }
    isa__collection_let_go(&members);
    isa_object_release(answer);
    return status;
}

// Adds what affects the paths that are in it, until nothing more comes.
static isa_status closure_complete(struct closure *closure)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < closure->paths.count && status == ISA_OK; i++) {
        if (closure->paths.count > MOST_PATHS)
            return isa__fail(KVO_ERR_TOO_DEEP, NULL,
                             "+[%s keyPathsForValuesAffectingValueForKey:] names more and more key "
                             "paths: more than %d",
                             closure->cls->name, MOST_PATHS);
        const struct isa__key *head = head_of(closure->paths.items[i]);
        status = head == NULL ? ISA_ERR_NO_MEMORY : closure_add_declared(closure, head);
    }
    return status;
}

static void closure_end(struct closure *closure)
{
    isa__array_clear(&closure->paths);
    isa__map_clear(&closure->seen);
}

// All that affects `key`, itself left out unless it is on a cycle.
static isa_status closure_of(isa_class cls, const struct isa__key *key, struct closure *out)
{
    *out = (struct closure){.cls = cls};
    isa_status status = closure_add_declared(out, key);
    if (status == ISA_OK) status = closure_complete(out);
    if (status == ISA_ERR_NO_MEMORY)
        isa__fail(status, NULL, "no memory to work out what affects key %.128s", key->text);
    if (status != ISA_OK) closure_end(out);
    return status;
}

isa_status kvo_class_copy_closure(isa_class cls, const char *text, isa_id *out)
{
    if (cls == NULL || text == NULL || out == NULL || isa_class_is_metaclass(cls))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no class, no key or nowhere to put it");
    *out = NULL;
    const struct isa__key *key = isa__key_intern(text);
    struct closure closure;
    if (key == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a key");
    isa_status status = closure_of(cls->original, key, &closure);
    if (status != ISA_OK) return status;
    size_t at = 0;
    while (at < closure.paths.count && closure.paths.items[at] != key) at++;
    if (at < closure.paths.count) isa__array_remove_at(&closure.paths, at);
    status = make_set(&closure.paths, out);
    closure_end(&closure);
    return status;
}

// ---- a path, being built ------------------------------------------------------------------------

// One trigger or hop while its list of hops grows.
struct draft {
    const struct isa__key *key; // a trigger's key; a hop's head
    const struct isa__key *rest; // of a hop
    bool is_exact;
    bool is_main;
    struct isa__array hops; // numbers, as pointers
};

struct plan {
    isa_class cls;
    struct isa__array triggers; // struct draft *
    struct isa__array hops;
    struct isa__array by_path;  // the path that each hop is, main: NULL
    isa_status status;
};

static struct draft *add_draft(struct plan *plan, struct isa__array *to,
                               const struct isa__key *key)
{
    struct draft *draft = isa__alloc(ISA_KIND_OTHER, sizeof *draft);
    if (draft != NULL && isa__array_add(to, draft) == ISA_OK) {
        draft->key = key;
        return draft;
    }
    isa__free(ISA_KIND_OTHER, draft, sizeof *draft);
    plan->status = ISA_ERR_NO_MEMORY;
    return NULL;
}

// The trigger of `key`, made if there is none; NULL once something has failed.
static struct draft *trigger_for(struct plan *plan, const struct isa__key *key)
{
    for (size_t i = 0; i < plan->triggers.count; i++)
        if (((struct draft *)plan->triggers.items[i])->key == key) return plan->triggers.items[i];
    return add_draft(plan, &plan->triggers, key);
}

static void draft_add_hop(struct plan *plan, struct draft *draft, size_t hop)
{
    if (draft == NULL) return;
    for (size_t i = 0; i < draft->hops.count; i++)
        if ((size_t)draft->hops.items[i] == hop) return;
    if (isa__array_add(&draft->hops, (void *)hop) != ISA_OK) plan->status = ISA_ERR_NO_MEMORY;
}

// Adds a hop for `path`, which has several keys, and makes its first key trigger it.
static void add_hop(struct plan *plan, const struct isa__key *path, bool is_main)
{
    const struct isa__key *head = head_of(path);
    const struct isa__key *rest = isa__key_intern(rest_of(path));
    struct draft *trigger = head == NULL ? NULL : trigger_for(plan, head);
    if (rest == NULL || trigger == NULL) {
        plan->status = ISA_ERR_NO_MEMORY;
        return;
    }
    if (!may_forward(rest->text)) return;
    if (isa__array_add(&plan->by_path, (void *)path) != ISA_OK) {
        plan->status = ISA_ERR_NO_MEMORY;
        return;
    }
    struct draft *hop = add_draft(plan, &plan->hops, head);
    if (hop == NULL) return;
    hop->rest = rest;
    hop->is_main = is_main;
    draft_add_hop(plan, trigger, plan->hops.count - 1);
}

static void add_affecting(struct plan *plan, const struct closure *closure)
{
    for (size_t i = 0; i < closure->paths.count && plan->status == ISA_OK; i++) {
        const struct isa__key *path = closure->paths.items[i];
        if (is_single(path)) trigger_for(plan, path);
        else add_hop(plan, path, false);
    }
}

// Makes whatever affects the head of hop `number` trigger it: its related object may be another
// one then.
static void link_hop(struct plan *plan, size_t number)
{
    const struct draft *hop = plan->hops.items[number];
    struct closure closure;
    isa_status status = closure_of(plan->cls, hop->key, &closure);
    if (status != ISA_OK) {
        plan->status = status;
        return;
    }
    for (size_t i = 0; i < closure.paths.count; i++) {
        const struct isa__key *path = closure.paths.items[i];
        const struct isa__key *head = head_of(path);
        if (head == NULL) plan->status = ISA_ERR_NO_MEMORY;
        else draft_add_hop(plan, trigger_for(plan, head), number);
        for (size_t other = 0; other < plan->hops.count; other++)
            if (other != number && plan->by_path.items[other] == path)
                draft_add_hop(plan, plan->hops.items[other], number);
    }
    closure_end(&closure);
}

static void plan_end(struct plan *plan)
{
    struct isa__array *lists[] = {&plan->triggers, &plan->hops};
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            struct draft *draft = lists[l]->items[i];
            isa__array_clear(&draft->hops);
            isa__free(ISA_KIND_OTHER, draft, sizeof *draft);
        }
        isa__array_clear(lists[l]);
    }
    isa__array_clear(&plan->by_path);
}

// A key, a path of several keys, or an operator with its argument.
static void fill_plan(struct plan *plan, const struct isa__key *text)
{
    struct closure closure = {.cls = plan->cls};
    bool is_operator = text->text[0] == '@';
    const struct isa__key *head = is_operator ? text : head_of(text);
    struct draft *own = head == NULL ? NULL : trigger_for(plan, head);
    if (own == NULL) {
        plan->status = ISA_ERR_NO_MEMORY;
        return;
    }
    own->is_exact = is_single(text);
    if (!is_operator) {
        plan->status = closure_of(plan->cls, head, &closure);
    } else if (!is_single(text)) {
        const struct isa__key *argument = isa__key_intern(rest_of(text));
        plan->status = argument == NULL ? ISA_ERR_NO_MEMORY : closure_add(&closure, argument);
        if (plan->status == ISA_OK) plan->status = closure_complete(&closure);
    }
    if (plan->status == ISA_OK && !is_operator && !is_single(text)) add_hop(plan, text, true);
    add_affecting(plan, &closure);
    closure_end(&closure);
    for (size_t i = 0; i < plan->hops.count && plan->status == ISA_OK; i++) link_hop(plan, i);
}

// ---- a path, made -------------------------------------------------------------------------------

static size_t count_list(const struct isa__array *drafts)
{
    size_t count = 0;
    for (size_t i = 0; i < drafts->count; i++)
        count += ((struct draft *)drafts->items[i])->hops.count;
    return count;
}

static struct isa__path *allocate_path(size_t triggers, size_t hops, size_t list)
{
    struct isa__path *path = isa__alloc(ISA_KIND_OTHER, sizeof *path);
    if (path == NULL) return NULL;
    path->trigger_count = (uint32_t)triggers;
    path->hop_count = (uint32_t)hops;
    path->list_size = (uint32_t)list;
    path->triggers = isa__alloc(ISA_KIND_OTHER, triggers * sizeof *path->triggers);
    if (hops > 0) path->hops = isa__alloc(ISA_KIND_OTHER, hops * sizeof *path->hops);
    if (list > 0) path->lists = isa__alloc(ISA_KIND_OTHER, list * sizeof *path->lists);
    if (path->triggers != NULL && (hops == 0 || path->hops != NULL) &&
        (list == 0 || path->lists != NULL))
        return path;
    isa__path_free(path);
    return NULL;
}

void isa__path_free(struct isa__path *path)
{
    if (path == NULL) return;
    isa__free(ISA_KIND_OTHER, path->triggers, path->trigger_count * sizeof *path->triggers);
    isa__free(ISA_KIND_OTHER, path->hops, path->hop_count * sizeof *path->hops);
    isa__free(ISA_KIND_OTHER, path->lists, path->list_size * sizeof *path->lists);
    isa__free(ISA_KIND_OTHER, path, sizeof *path);
}

static struct isa__trigger make_trigger(const struct draft *draft, uint32_t **list)
{
    struct isa__trigger trigger = {.is_exact = draft->is_exact,
                                   .hop_count = (uint32_t)draft->hops.count,
                                   .hops = *list};
    for (size_t i = 0; i < draft->hops.count; i++)
        *(*list)++ = (uint32_t)(size_t)draft->hops.items[i];
    return trigger;
}

static struct isa__path *make_path(const struct plan *plan, const struct isa__key *text)
{
    size_t list = count_list(&plan->triggers) + count_list(&plan->hops);
    struct isa__path *path = allocate_path(plan->triggers.count, plan->hops.count, list);
    if (path == NULL) return NULL;
    uint32_t *at = path->lists;
    path->text = text;
    path->is_nested = !is_single(text);
    for (size_t i = 0; i < plan->triggers.count; i++) {
        path->triggers[i] = make_trigger(plan->triggers.items[i], &at);
        path->triggers[i].key = ((struct draft *)plan->triggers.items[i])->key;
    }
    for (size_t i = 0; i < plan->hops.count; i++) {
        const struct draft *draft = plan->hops.items[i];
        path->hops[i] = (struct isa__hop_plan){.head = draft->key,
                                               .rest = draft->rest,
                                               .is_main = draft->is_main,
                                               .trigger = make_trigger(draft, &at)};
        path->dependency_hops += !draft->is_main;
    }
    path->is_plain = !path->is_nested && path->trigger_count == 1 && path->hop_count == 0;
    return path;
}

isa_status isa__path_make(isa_class cls, const struct isa__key *text, struct isa__path **out)
{
    struct plan plan = {.cls = cls};
    fill_plan(&plan, text);
    if (plan.status == ISA_OK) {
        *out = make_path(&plan, text);
        if (*out == NULL) plan.status = ISA_ERR_NO_MEMORY;
    }
    plan_end(&plan);
    if (plan.status == ISA_ERR_NO_MEMORY)
        isa__fail(plan.status, NULL, "no memory to observe \"%.128s\"", text->text);
    return plan.status;
}

static bool trigger_equal(const struct isa__trigger *first, const struct isa__trigger *second)
{
    return first->key == second->key && first->is_exact == second->is_exact &&
           first->hop_count == second->hop_count &&
           (first->hop_count == 0 ||
            memcmp(first->hops, second->hops, first->hop_count * sizeof *first->hops) == 0);
}

bool isa__path_equal(const struct isa__path *first, const struct isa__path *second)
{
    if (first->text != second->text || first->trigger_count != second->trigger_count ||
        first->hop_count != second->hop_count)
        return false;
    for (uint32_t i = 0; i < first->trigger_count; i++)
        if (!trigger_equal(&first->triggers[i], &second->triggers[i])) return false;
    for (uint32_t i = 0; i < first->hop_count; i++) {
        const struct isa__hop_plan *a = &first->hops[i], *b = &second->hops[i];
        if (a->head != b->head || a->rest != b->rest || !trigger_equal(&a->trigger, &b->trigger))
            return false;
    }
    return true;
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__dependency_start(void)
{
    isa_class metaclass = isa_class_metaclass(isa_root_class());
    isa_status status =
        isa_class_add_method(metaclass, isa__sel_affecting, (isa_imp)affecting, "i@:*^@");
    if (status == ISA_OK)
        status = isa_class_add_method(metaclass, isa__sel_set_keys, (isa_imp)set_keys, "i@:@*");
    return status;
}
