// The classes whose objects are measured. Each row makes a class of its own, so that nothing that
// another row has observed is wrapped already.
#include "model.h"

#include "paired.h"

#include <stdio.h>
#include <stdlib.h>

struct shelf {
    struct isa_header header;
    isa_id *items;
    size_t count;
    size_t capacity;
};

struct accessor {
    const char *selector;
    isa_imp imp;
    const char *types;
};

struct field {
    const char *name;
    const char *types;
    isa_ownership ownership;
};

// ---- Person -------------------------------------------------------------------------------------

// Atomic, since two threads may set one object; on the machines concerned a plain store.
void model_set_age(isa_id self, isa_sel sel, int64_t age)
{
    (void)sel;
    __atomic_store_n(&((struct person *)self)->age, age, __ATOMIC_RELAXED);
}

static int64_t age_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return __atomic_load_n(&((struct person *)self)->age, __ATOMIC_RELAXED);
}

static void set_weight(isa_id self, isa_sel sel, int64_t weight)
{
    (void)sel;
    ((struct person *)self)->weight = weight;
}

static int64_t weight_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct person *)self)->weight;
}

static void set_next(isa_id self, isa_sel sel, isa_id next)
{
    (void)sel;
    struct person *person = (struct person *)self;
    isa_id before = person->next;
    person->next = isa_object_retain(next);
    isa_object_release(before);
}

static isa_id next_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct person *)self)->next;
}

static int64_t sum_of(isa_id self, isa_sel sel)
{
    return age_of(self, sel) + weight_of(self, sel);
}

static const struct field person_fields[] = {
    { "_age", "q", ISA_OWNERSHIP_NONE },
    { "_weight", "q", ISA_OWNERSHIP_NONE },
    { "_next", "@", ISA_OWNERSHIP_RETAIN },
};

static const struct accessor person_accessors[] = {
    { "age", (isa_imp)age_of, "q@:" },       { "setAge:", (isa_imp)model_set_age, "v@:q" },
    { "weight", (isa_imp)weight_of, "q@:" }, { "setWeight:", (isa_imp)set_weight, "v@:q" },
    { "next", (isa_imp)next_of, "@@:" },     { "setNext:", (isa_imp)set_next, "v@:@" },
    { "sum", (isa_imp)sum_of, "q@:" },
};

// ---- Shelf --------------------------------------------------------------------------------------

static uint64_t count_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct shelf *)self)->count;
}

static isa_id item_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    return ((struct shelf *)self)->items[index];
}

static void insert(isa_id self, isa_sel sel, isa_id item, uint64_t index)
{
    (void)sel;
    struct shelf *shelf = (struct shelf *)self;
    if (shelf->count == shelf->capacity) {
        shelf->capacity = shelf->capacity == 0 ? 1024 : shelf->capacity * 2;
        shelf->items = realloc(shelf->items, shelf->capacity * sizeof *shelf->items);
        if (shelf->items == NULL) abort();
    }
    for (size_t i = shelf->count++; i > index; i--) shelf->items[i] = shelf->items[i - 1];
    shelf->items[index] = isa_object_retain(item);
}

static void remove_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    struct shelf *shelf = (struct shelf *)self;
    isa_object_release(shelf->items[index]);
    shelf->count--;
    for (size_t i = index; i < shelf->count; i++) shelf->items[i] = shelf->items[i + 1];
}

static void dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    model_shelf_truncate(self, 0);
    free(((struct shelf *)self)->items);
}

size_t model_shelf_count(isa_id shelf)
{
    return ((struct shelf *)shelf)->count;
}

void model_shelf_truncate(isa_id shelf, size_t count)
{
    struct shelf *s = (struct shelf *)shelf;
    while (s->count > count) isa_object_release(s->items[--s->count]);
}

static const struct field shelf_fields[] = {
    { "_storage", "^v", ISA_OWNERSHIP_NONE },
    { "_count", "Q", ISA_OWNERSHIP_NONE },
    { "_capacity", "Q", ISA_OWNERSHIP_NONE },
};

static const struct accessor shelf_accessors[] = {
    { "countOfItems", (isa_imp)count_of, "Q@:" },
    { "objectInItemsAtIndex:", (isa_imp)item_at, "@@:Q" },
    { "insertObject:inItemsAtIndex:", (isa_imp)insert, "v@:@Q" },
    { "removeObjectFromItemsAtIndex:", (isa_imp)remove_at, "v@:Q" },
    { "dealloc", (isa_imp)dealloc, "v@:" },
};

// ---- class pairs --------------------------------------------------------------------------------

static isa_status add_members(isa_class cls, const struct field *fields, size_t field_count,
                              const struct accessor *accessors, size_t accessor_count)
{
    isa_status status = ISA_OK;
    for (size_t i = 0; i < field_count && status == ISA_OK; i++)
        status = isa_class_add_ivar(cls, fields[i].name, fields[i].types, fields[i].ownership);
    for (size_t i = 0; i < accessor_count && status == ISA_OK; i++)
        status = isa_class_add_method(cls, isa_sel_register(accessors[i].selector),
                                      accessors[i].imp, accessors[i].types);
    return status;
}

static isa_status allocate(const char *kind, isa_class *out)
{
    static unsigned made;
    char name[64];
    snprintf(name, sizeof name, "%s%u", kind, ++made);
    return isa_class_pair_allocate(isa_root_class(), name, out);
}

// The class if all went well, else NULL and the reason.
static isa_class finish(isa_class cls, isa_status status)
{
    if (status == ISA_OK) return cls;
    paired_reason("the model's class cannot be made: %s", isa_last_error()->reason);
    if (cls != NULL) isa_class_pair_dispose(cls);
    return NULL;
}

static isa_status declare_sum(isa_class cls)
{
    isa_id keys[2] = { NULL, NULL }, array = NULL;
    isa_status status = kvc_string_make("age", &keys[0]);
    if (status == ISA_OK) status = kvc_string_make("weight", &keys[1]);
    if (status == ISA_OK) status = kvc_array_make(keys, 2, &array);
    if (status == ISA_OK) status = kvo_class_set_keys(cls, array, "sum");
    isa_object_release(keys[0]);
    isa_object_release(keys[1]);
    isa_object_release(array);
    return status;
}

isa_class model_allocate_person(void)
{
    isa_class cls = NULL;
    isa_property_info height = { .name = "height", .types = "q" };
    isa_status status = allocate("Person", &cls);
    if (status == ISA_OK)
        status = add_members(cls, person_fields, sizeof person_fields / sizeof *person_fields,
                             person_accessors, sizeof person_accessors / sizeof *person_accessors);
    if (status == ISA_OK) status = isa_class_synthesize(cls, &height);
    return finish(cls, status);
}

isa_class model_make_person(void)
{
    isa_class cls = model_allocate_person();
    if (cls == NULL) return NULL;
    isa_status status = isa_class_pair_register(cls);
    if (status == ISA_OK) status = declare_sum(cls);
    return finish(cls, status);
}

isa_class model_make_shelf(void)
{
    isa_class cls = NULL;
    isa_status status = allocate("Shelf", &cls);
    if (status == ISA_OK)
        status = add_members(cls, shelf_fields, sizeof shelf_fields / sizeof *shelf_fields,
                             shelf_accessors, sizeof shelf_accessors / sizeof *shelf_accessors);
    if (status == ISA_OK) status = isa_class_pair_register(cls);
    return finish(cls, status);
}

isa_id model_allocate(isa_class cls)
{
    isa_id object = NULL;
    if (isa_object_allocate(cls, &object) != ISA_OK)
        paired_reason("no object: %s", isa_last_error()->reason);
    return object;
}

bool model_dispose(isa_class cls)
{
    if (isa_class_pair_dispose(cls) == ISA_OK) return true;
    fprintf(stderr, "the model's class stays: %s\n", isa_last_error()->reason);
    return false;
}

struct model_selectors model_selectors(void)
{
    return (struct model_selectors){ isa_sel_register("setAge:"), isa_sel_register("setWeight:"),
                                     isa_sel_register("setNext:"),
                                     isa_sel_register("setHeight:") };
}
