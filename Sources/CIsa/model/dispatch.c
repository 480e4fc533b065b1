// Dispatch tables: made, grown, shared, changed.
//
// Owns:      per class one array of page addresses, the arrays that it outgrew, and the pages that
//            the class changed.
// Lives:     until the class goes; nothing that a reader may have loaded is freed before.
// Locks:     all but isa__dispatch_get need the model lock.
// Invariant: in dispatch.h. All classes' arrays have `table_pages` entries.
#include "dispatch.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "method.h"
#include "selector.h"

enum { FIRST_PAGES = 16 };

// The block that `pages` of a class points into.
struct isa__page_array {
    struct isa__page_array *outgrown;
    size_t count;
    isa_imp *pages[];
};

// The block that an entry of a page array points to. The slots stand first: a tool that looks for
// leaks takes a block for lost if all pointers to it lead into its middle.
struct page {
    isa_imp slots[ISA_DISPATCH_PAGE_SLOTS];
    isa_class owner;
};

static struct page empty_page; // never written: no class owns it
static size_t table_pages = FIRST_PAGES;

static size_t array_size(size_t count)
{
    return offsetof(struct isa__page_array, pages) + count * sizeof(isa_imp *);
}

static struct page *page_of(isa_imp *slots)
{
    return (struct page *)slots;
}

static bool owns(isa_class cls, size_t page)
{
    return page_of(cls->pages[page])->owner == cls;
}

// An array of `count` pages that starts with the pages of `model` and goes on with empty ones.
static struct isa__page_array *make_array(struct isa__page_array *model, size_t count)
{
    struct isa__page_array *array = isa__alloc_unset(ISA_KIND_OTHER, array_size(count));
    if (array == NULL) return NULL;
    *array = (struct isa__page_array){.count = count};
    size_t known = model == NULL ? 0 : model->count;
    if (known > 0) memcpy(array->pages, model->pages, known * sizeof *array->pages);
    for (size_t i = known; i < count; i++) array->pages[i] = empty_page.slots;
    return array;
}

static void free_arrays(struct isa__page_array *array)
{
    while (array != NULL) {
        struct isa__page_array *outgrown = array->outgrown;
        isa__free(ISA_KIND_OTHER, array, array_size(array->count));
        array = outgrown;
    }
}

static void publish_array(isa_class cls, struct isa__page_array *array)
{
    cls->page_array = array;
    __atomic_store_n(&cls->pages, array->pages, __ATOMIC_RELEASE);
}

static void publish_page(isa_class cls, size_t page, struct page *copy)
{
    __atomic_store_n(&cls->pages[page], copy->slots, __ATOMIC_RELEASE);
}

isa_status isa__dispatch_create_locked(isa_class cls)
{
    struct isa__page_array *model = cls->superclass == NULL ? NULL : cls->superclass->page_array;
    struct isa__page_array *array = make_array(model, table_pages);
    if (array == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the dispatch table of class %s",
                         cls->name);
    publish_array(cls, array);
    return ISA_OK;
}

void isa__dispatch_destroy_locked(isa_class cls)
{
    struct isa__page_array *array = cls->page_array;
    for (size_t i = 0; i < array->count; i++) {
        if (owns(cls, i)) isa__free(ISA_KIND_OTHER, page_of(cls->pages[i]), sizeof(struct page));
    }
    free_arrays(array);
    cls->page_array = NULL;
    cls->pages = NULL;
}

// One longer array for each class, in the order of the walk, linked by `outgrown`; none is left
// when memory is short.
static isa_status make_longer_arrays(size_t count, struct isa__page_array **out)
{
    struct isa__page_array *first = NULL, **end = &first;
    for (isa_class cls = isa__class_first_locked(); cls != NULL;
         cls = isa__class_next_locked(cls, NULL, true)) {
        *end = make_array(cls->page_array, count);
        if (*end == NULL) {
            free_arrays(first);
            return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for dispatch tables of %zu pages",
                             count);
        }
        end = &(*end)->outgrown;
    }
    *out = first;
    return ISA_OK;
}

isa_status isa__dispatch_grow_locked(uint32_t selector_index)
{
    size_t count = table_pages;
    while (selector_index / ISA_DISPATCH_PAGE_SLOTS >= count) count *= 2;
    if (count == table_pages) return ISA_OK;
    struct isa__page_array *array = NULL;
    isa_status status = make_longer_arrays(count, &array);
    if (status != ISA_OK) return status;
    for (isa_class cls = isa__class_first_locked(); cls != NULL;
         cls = isa__class_next_locked(cls, NULL, true)) {
        struct isa__page_array *next = array->outgrown;
        array->outgrown = cls->page_array;
        publish_array(cls, array);
        array = next;
    }
    table_pages = count;
    return ISA_OK;
}

// A page of `cls` with the slots of `slots`.
static struct page *copy_page(isa_class cls, isa_imp *slots)
{
    struct page *copy = isa__alloc_unset(ISA_KIND_OTHER, sizeof *copy);
    if (copy == NULL) return NULL;
    copy->owner = cls;
    memcpy(copy->slots, slots, sizeof copy->slots);
    return copy;
}

isa_status isa__dispatch_reserve_locked(isa_class cls, isa_sel sel)
{
    size_t page = sel->index / ISA_DISPATCH_PAGE_SLOTS;
    if (owns(cls, page)) return ISA_OK;
    isa_imp *shared = cls->pages[page];
    struct page *copy = copy_page(cls, shared);
    if (copy == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for selector %s in class %s",
                         sel->name, cls->name);
    bool shares = true;
    for (isa_class at = cls; at != NULL; at = isa__class_next_locked(at, cls, shares)) {
        shares = at->pages[page] == shared;
        if (shares) publish_page(at, page, copy);
    }
    return ISA_OK;
}

void isa__dispatch_set_locked(isa_class cls, isa_sel sel, isa_imp imp)
{
    size_t page = sel->index / ISA_DISPATCH_PAGE_SLOTS;
    size_t slot = sel->index % ISA_DISPATCH_PAGE_SLOTS;
    ISA_ASSERT(owns(cls, page));
    bool inherits = true;
    for (isa_class at = cls; at != NULL; at = isa__class_next_locked(at, cls, inherits)) {
        inherits = at == cls || isa__method_find_own_locked(at, sel) == NULL;
        if (inherits && owns(at, page))
            __atomic_store_n(&at->pages[page][slot], imp, __ATOMIC_RELEASE);
    }
}

size_t isa__dispatch_size(isa_class cls)
{
    size_t size = 0;
    isa__lock(&isa__model_lock);
    for (size_t i = 0; i < cls->page_array->count; i++) {
        if (owns(cls, i)) size += sizeof(struct page);
    }
    for (struct isa__page_array *array = cls->page_array; array != NULL; array = array->outgrown)
        size += array_size(array->count);
    isa__unlock(&isa__model_lock);
    return size;
}
