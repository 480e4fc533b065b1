// Registered key paths: the keys whose change concerns a path, its triggers, and the objects that
// it leads through, its hops. They are the same for all objects of a class, so they are worked out
// once for a class and a path.
//
// Owns:  a path, until the class's record frees it; drafts only while a path is made.
// Locks: none; class methods are asked with none held.
#include "path.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../objects/box.h"

// ---- key paths ----------------------------------------------------------------------------------

isa_status isa__path_check(const char *key_path)
{
    if (key_path == NULL || *key_path == 0)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no key path");
    size_t keys = 1;
    for (const char *at = strchr(key_path, '.'); at != NULL; at = strchr(at + 1, '.')) {
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

const struct isa__key *isa__path_head(const struct isa__key *path)
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

// ---- a path, being built ------------------------------------------------------------------------

// One trigger or hop while its list of hops grows.
struct draft {
    const struct isa__key *key; // a trigger's key; a hop's head
    const struct isa__key *path, *rest; // of a hop: all keys, and those behind the head
    bool is_exact;
    bool is_main;
    struct isa__array hops; // numbers, as pointers
};

struct plan {
    isa_class cls;
    struct isa__array triggers; // struct draft *
    struct isa__array hops;
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

// The trigger of `key`, made if there is none; NULL once something has failed, as a key that could
// not be interned.
static struct draft *trigger_for(struct plan *plan, const struct isa__key *key)
{
    if (key == NULL) plan->status = ISA_ERR_NO_MEMORY;
    if (key == NULL) return NULL;
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
    const struct isa__key *head = isa__path_head(path);
    const struct isa__key *rest = isa__key_intern(rest_of(path));
    struct draft *trigger = trigger_for(plan, head);
    if (rest == NULL) plan->status = ISA_ERR_NO_MEMORY;
    if (plan->status != ISA_OK || !may_forward(rest->text)) return;
    struct draft *hop = add_draft(plan, &plan->hops, head);
    if (hop == NULL) return;
    hop->path = path;
    hop->rest = rest;
    hop->is_main = is_main;
    draft_add_hop(plan, trigger, plan->hops.count - 1);
}

static void add_affecting(struct plan *plan, const struct isa__closure *closure)
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
    struct isa__closure closure;
    plan->status = isa__closure_find(plan->cls, hop->key, &closure);
    if (plan->status != ISA_OK) return;
    for (size_t i = 0; i < closure.paths.count; i++) {
        const struct isa__key *path = closure.paths.items[i];
        draft_add_hop(plan, trigger_for(plan, isa__path_head(path)), number);
        for (size_t other = 0; other < plan->hops.count; other++)
            if (other != number && ((struct draft *)plan->hops.items[other])->path == path)
                draft_add_hop(plan, plan->hops.items[other], number);
    }
    isa__closure_end(&closure);
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
}

// A key, a path of several keys, or an operator with its argument.
static void fill_plan(struct plan *plan, const struct isa__key *text)
{
    struct isa__closure closure = {.cls = plan->cls};
    bool is_operator = text->text[0] == '@';
    const struct isa__key *head = is_operator ? text : isa__path_head(text);
    struct draft *own = trigger_for(plan, head);
    if (own == NULL) return;
    own->is_exact = is_single(text);
    if (!is_operator) {
        plan->status = isa__closure_find(plan->cls, head, &closure);
    } else if (!is_single(text)) {
        const struct isa__key *argument = isa__key_intern(rest_of(text));
        plan->status = argument == NULL ? ISA_ERR_NO_MEMORY : isa__closure_add(&closure, argument);
        if (plan->status == ISA_OK) plan->status = isa__closure_complete(&closure);
    }
    if (plan->status == ISA_OK && !is_operator && !is_single(text)) add_hop(plan, text, true);
    add_affecting(plan, &closure);
    isa__closure_end(&closure);
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

// The keys that a path consists of; 0 where one is an operator.
static uint32_t count_keys(const char *text)
{
    uint32_t count = 1;
    if (strchr(text, '@') != NULL) return 0;
    for (; *text != 0; text++) count += *text == '.';
    return count;
}

// Splits a path without operators into its keys; false when memory is short.
static bool split(const struct isa__key *text, struct isa__path *path)
{
    const char *at = text->text;
    for (uint32_t i = 0; i < path->key_count; i++) {
        size_t length = strcspn(at, ".");
        path->keys[i] = path->key_count == 1 ? text : intern_range(at, length);
        if (path->keys[i] == NULL) return false;
        at += length + 1;
    }
    return true;
}

static size_t size_of(const struct isa__path *path)
{
    return sizeof *path + path->trigger_count * sizeof *path->triggers +
           path->hop_count * sizeof *path->hops + path->key_count * sizeof *path->keys +
           path->list_size * sizeof *path->lists;
}

// A path of so many triggers and hops, with room for all that it leads to behind it.
static struct isa__path *allocate_path(const struct isa__path *counts)
{
    struct isa__path *path = isa__alloc(ISA_KIND_OTHER, size_of(counts));
    if (path == NULL) return NULL;
    *path = *counts;
    path->triggers = (struct isa__trigger *)(path + 1);
    path->hops = (struct isa__hop_plan *)(path->triggers + path->trigger_count);
    path->keys = (const struct isa__key **)(path->hops + path->hop_count);
    path->lists = (uint32_t *)(path->keys + path->key_count);
    return path;
}

void isa__path_free(struct isa__path *path)
{
    if (path != NULL) isa__free(ISA_KIND_OTHER, path, size_of(path));
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
    struct isa__path *path =
        allocate_path(&(struct isa__path){.text = text,
                                          .is_nested = !is_single(text),
                                          .trigger_count = (uint32_t)plan->triggers.count,
                                          .hop_count = (uint32_t)plan->hops.count,
                                          .key_count = count_keys(text->text),
                                          .list_size = (uint32_t)list});
    if (path == NULL || !split(text, path)) {
        isa__path_free(path);
        return NULL;
    }
    uint32_t *at = path->lists;
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
