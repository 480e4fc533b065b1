// Registered key paths: the keys whose change concerns a path, its dependencies, and the objects
// that it leads through, its links. They are the same for all objects of a class, so they are
// worked out once for a class and a path.
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

// One dependency or link while its list of links grows.
struct draft {
    const struct isa__key *key; // a dependency's key; a link's head
    const struct isa__key *path, *rest; // of a link: all keys, and those behind the head
    bool is_exact;
    bool is_main;
    struct isa__array links; // numbers, as pointers
};

struct builder {
    isa_class cls;
    struct isa__array dependencies; // struct draft *
    struct isa__array links;
    isa_status status;
};

static struct draft *add_draft(struct builder *builder, struct isa__array *to,
                               const struct isa__key *key)
{
    struct draft *draft = isa__alloc(ISA_KIND_OTHER, sizeof *draft);
    if (draft != NULL && isa__array_add(to, draft) == ISA_OK) {
        draft->key = key;
        return draft;
    }
    isa__free(ISA_KIND_OTHER, draft, sizeof *draft);
    builder->status = ISA_ERR_NO_MEMORY;
    return NULL;
}

// The dependency of `key`, made if there is none; NULL once something has failed, as a key that
// could not be interned.
static struct draft *dependency_for(struct builder *builder, const struct isa__key *key)
{
    if (key == NULL) builder->status = ISA_ERR_NO_MEMORY;
    if (key == NULL) return NULL;
    for (size_t i = 0; i < builder->dependencies.count; i++)
        if (((struct draft *)builder->dependencies.items[i])->key == key)
            return builder->dependencies.items[i];
    return add_draft(builder, &builder->dependencies, key);
}

static void draft_add_link(struct builder *builder, struct draft *draft, size_t link)
{
    if (draft == NULL) return;
    for (size_t i = 0; i < draft->links.count; i++)
        if ((size_t)draft->links.items[i] == link) return;
    if (isa__array_add(&draft->links, (void *)link) != ISA_OK) builder->status = ISA_ERR_NO_MEMORY;
}

// Adds a link for `path`, which has several keys, and makes the path's first key a dependency that
// leads to the link.
static void add_link(struct builder *builder, const struct isa__key *path, bool is_main)
{
    const struct isa__key *head = isa__path_head(path);
    const struct isa__key *rest = isa__key_intern(rest_of(path));
    struct draft *dependency = dependency_for(builder, head);
    if (rest == NULL) builder->status = ISA_ERR_NO_MEMORY;
    if (builder->status != ISA_OK || !may_forward(rest->text)) return;
    struct draft *link = add_draft(builder, &builder->links, head);
    if (link == NULL) return;
    link->path = path;
    link->rest = rest;
    link->is_main = is_main;
    draft_add_link(builder, dependency, builder->links.count - 1);
}

static void add_affecting(struct builder *builder, const struct isa__closure *closure)
{
    for (size_t i = 0; i < closure->paths.count && builder->status == ISA_OK; i++) {
        const struct isa__key *path = closure->paths.items[i];
        if (is_single(path)) dependency_for(builder, path);
        else add_link(builder, path, false);
    }
}

// Makes each key that affects the head of link `number` a dependency that leads to the link: its
// related object may be another one then.
static void connect_link(struct builder *builder, size_t number)
{
    const struct draft *link = builder->links.items[number];
    struct isa__closure closure;
    builder->status = isa__closure_find(builder->cls, link->key, &closure);
    if (builder->status != ISA_OK) return;
    for (size_t i = 0; i < closure.paths.count; i++) {
        const struct isa__key *path = closure.paths.items[i];
        draft_add_link(builder, dependency_for(builder, isa__path_head(path)), number);
        for (size_t other = 0; other < builder->links.count; other++)
            if (other != number && ((struct draft *)builder->links.items[other])->path == path)
                draft_add_link(builder, builder->links.items[other], number);
    }
    isa__closure_end(&closure);
}

static void builder_end(struct builder *builder)
{
    struct isa__array *lists[] = {&builder->dependencies, &builder->links};
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < lists[l]->count; i++) {
            struct draft *draft = lists[l]->items[i];
            isa__array_clear(&draft->links);
            isa__free(ISA_KIND_OTHER, draft, sizeof *draft);
        }
        isa__array_clear(lists[l]);
    }
}

// A key, a path of several keys, or an operator with its argument.
static void fill_builder(struct builder *builder, const struct isa__key *text)
{
    struct isa__closure closure = {.cls = builder->cls};
    bool is_operator = text->text[0] == '@';
    const struct isa__key *head = is_operator ? text : isa__path_head(text);
    struct draft *own = dependency_for(builder, head);
    if (own == NULL) return;
    own->is_exact = is_single(text);
    if (!is_operator) {
        builder->status = isa__closure_find(builder->cls, head, &closure);
    } else if (!is_single(text)) {
        const struct isa__key *argument = isa__key_intern(rest_of(text));
        builder->status =
            argument == NULL ? ISA_ERR_NO_MEMORY : isa__closure_add(&closure, argument);
        if (builder->status == ISA_OK) builder->status = isa__closure_complete(&closure);
    }
    if (builder->status == ISA_OK && !is_operator && !is_single(text))
        add_link(builder, text, true);
    add_affecting(builder, &closure);
    isa__closure_end(&closure);
    for (size_t i = 0; i < builder->links.count && builder->status == ISA_OK; i++)
        connect_link(builder, i);
}

// ---- a path, made -------------------------------------------------------------------------------

static size_t count_list(const struct isa__array *drafts)
{
    size_t count = 0;
    for (size_t i = 0; i < drafts->count; i++)
        count += ((struct draft *)drafts->items[i])->links.count;
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
    return sizeof *path + path->dependency_count * sizeof *path->dependencies +
           path->link_count * sizeof *path->links + path->key_count * sizeof *path->keys +
           path->list_size * sizeof *path->lists;
}

// A path of so many dependencies and links, with room for all that it leads to behind it.
static struct isa__path *allocate_path(const struct isa__path *counts)
{
    struct isa__path *path = isa__alloc(ISA_KIND_OTHER, size_of(counts));
    if (path == NULL) return NULL;
    *path = *counts;
    path->dependencies = (struct isa__dependency *)(path + 1);
    path->links = (struct isa__path_link *)(path->dependencies + path->dependency_count);
    path->keys = (const struct isa__key **)(path->links + path->link_count);
    path->lists = (uint32_t *)(path->keys + path->key_count);
    return path;
}

void isa__path_free(struct isa__path *path)
{
    if (path != NULL) isa__free(ISA_KIND_OTHER, path, size_of(path));
}

static struct isa__dependency make_dependency(const struct draft *draft, uint32_t **list)
{
    struct isa__dependency dependency = {.is_exact = draft->is_exact,
                                         .link_count = (uint32_t)draft->links.count,
                                         .links = *list};
    for (size_t i = 0; i < draft->links.count; i++)
        *(*list)++ = (uint32_t)(size_t)draft->links.items[i];
    return dependency;
}

static struct isa__path *make_path(const struct builder *builder, const struct isa__key *text)
{
    size_t list = count_list(&builder->dependencies) + count_list(&builder->links);
    struct isa__path *path =
        allocate_path(&(struct isa__path){.text = text,
                                          .is_nested = !is_single(text),
                                          .dependency_count = (uint32_t)builder->dependencies.count,
                                          .link_count = (uint32_t)builder->links.count,
                                          .key_count = count_keys(text->text),
                                          .list_size = (uint32_t)list});
    if (path == NULL || !split(text, path)) {
        isa__path_free(path);
        return NULL;
    }
    uint32_t *at = path->lists;
    for (size_t i = 0; i < builder->dependencies.count; i++) {
        path->dependencies[i] = make_dependency(builder->dependencies.items[i], &at);
        path->dependencies[i].key = ((struct draft *)builder->dependencies.items[i])->key;
    }
    for (size_t i = 0; i < builder->links.count; i++) {
        const struct draft *draft = builder->links.items[i];
        path->links[i] = (struct isa__path_link){.head = draft->key,
                                                 .rest = draft->rest,
                                                 .is_main = draft->is_main,
                                                 .dependency = make_dependency(draft, &at)};
        path->affecting_links += !draft->is_main;
    }
    path->is_plain = !path->is_nested && path->dependency_count == 1 && path->link_count == 0;
    return path;
}

isa_status isa__path_make(isa_class cls, const struct isa__key *text, struct isa__path **out)
{
    struct builder builder = {.cls = cls};
    fill_builder(&builder, text);
    if (builder.status == ISA_OK) {
        *out = make_path(&builder, text);
        if (*out == NULL) builder.status = ISA_ERR_NO_MEMORY;
    }
    builder_end(&builder);
    if (builder.status == ISA_ERR_NO_MEMORY)
        isa__fail(builder.status, NULL, "no memory to observe \"%.128s\"", text->text);
    return builder.status;
}

static bool dependency_equal(const struct isa__dependency *first,
                             const struct isa__dependency *second)
{
    return first->key == second->key && first->is_exact == second->is_exact &&
           first->link_count == second->link_count &&
           (first->link_count == 0 ||
            memcmp(first->links, second->links, first->link_count * sizeof *first->links) == 0);
}

bool isa__path_equal(const struct isa__path *first, const struct isa__path *second)
{
    if (first->text != second->text || first->dependency_count != second->dependency_count ||
        first->link_count != second->link_count)
        return false;
    for (uint32_t i = 0; i < first->dependency_count; i++)
        if (!dependency_equal(&first->dependencies[i], &second->dependencies[i])) return false;
    for (uint32_t i = 0; i < first->link_count; i++) {
        const struct isa__path_link *a = &first->links[i], *b = &second->links[i];
        if (a->head != b->head || a->rest != b->rest ||
            !dependency_equal(&a->dependency, &b->dependency))
            return false;
    }
    return true;
}
