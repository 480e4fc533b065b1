// Synthesised accessors, and methods whose code is a callback.
//
// A class can have the core make the accessors of a property. Compiled code serves ivars at the
// offsets where most ivars are; any other accessor is a trampoline. A setter exchanges an object
// atomically, so two setters at once never release one object twice. Two threads that set one
// property race for the value and no further.
//
// Owns:      the trampolines of a property's accessors, in one record that its class disposes of.
// Lives:     until the class is disposed of.
// Locks:     none while an accessor runs; a value is read and written as C reads and writes it.
// Invariant: a failure leaves the class without property, ivar, getter and setter.
#include "call.h"

#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/ivar.h"
#include "../model/method.h"
#include "../model/selector.h"
#include "../model/type.h"
#include "../object/object.h"
#include "isa_object.h"

// ---- compiled accessors -------------------------------------------------------------------------

enum { FIRST = sizeof(struct isa_header) };

// X(…, block, n) for the slots of one block.
#define BLOCK(X, block, ...) \
    X(block, 0, __VA_ARGS__) X(block, 1, __VA_ARGS__) X(block, 2, __VA_ARGS__) \
    X(block, 3, __VA_ARGS__) X(block, 4, __VA_ARGS__) X(block, 5, __VA_ARGS__) \
    X(block, 6, __VA_ARGS__) X(block, 7, __VA_ARGS__) X(block, 8, __VA_ARGS__) \
    X(block, 9, __VA_ARGS__) X(block, 10, __VA_ARGS__) X(block, 11, __VA_ARGS__) \
    X(block, 12, __VA_ARGS__) X(block, 13, __VA_ARGS__) X(block, 14, __VA_ARGS__) \
    X(block, 15, __VA_ARGS__) X(block, 16, __VA_ARGS__) X(block, 17, __VA_ARGS__) \
    X(block, 18, __VA_ARGS__) X(block, 19, __VA_ARGS__) X(block, 20, __VA_ARGS__) \
    X(block, 21, __VA_ARGS__) X(block, 22, __VA_ARGS__) X(block, 23, __VA_ARGS__) \
    X(block, 24, __VA_ARGS__) X(block, 25, __VA_ARGS__) X(block, 26, __VA_ARGS__) \
    X(block, 27, __VA_ARGS__) X(block, 28, __VA_ARGS__) X(block, 29, __VA_ARGS__) \
    X(block, 30, __VA_ARGS__) X(block, 31, __VA_ARGS__)

enum { BLOCK_SLOTS = 32 };

// A slot is as wide as the type: small types have more of them, to reach as far.
#define ONE_BLOCK(X, ...) BLOCK(X, 0, __VA_ARGS__)
#define TWO_BLOCKS(X, ...) ONE_BLOCK(X, __VA_ARGS__) BLOCK(X, 1, __VA_ARGS__)
#define FOUR_BLOCKS(X, ...) \
    TWO_BLOCKS(X, __VA_ARGS__) BLOCK(X, 2, __VA_ARGS__) BLOCK(X, 3, __VA_ARGS__)

// A long double has none.
#define TYPES(X) \
    X(int8_t, s8, TWO_BLOCKS) \
    X(uint8_t, u8, FOUR_BLOCKS) \
    X(int16_t, s16, TWO_BLOCKS) \
    X(uint16_t, u16, TWO_BLOCKS) \
    X(int32_t, s32, TWO_BLOCKS) \
    X(uint32_t, u32, TWO_BLOCKS) \
    X(uint64_t, u64, ONE_BLOCK) \
    X(float, f32, TWO_BLOCKS) \
    X(double, f64, ONE_BLOCK) \
    X(void *, address, ONE_BLOCK)

#define OFFSET(block, slot, type) (FIRST + ((block) * BLOCK_SLOTS + (slot)) * sizeof(type))
#define PLACE(block, slot, type) ((type *)((char *)self + OFFSET(block, slot, type)))

// ---- code ---------------------------------------------------------------------------------------

#define DEFINE(block, slot, type, name) \
    static type get_##name##_##block##_##slot(isa_id self, isa_sel sel) \
    { \
        (void)sel; \
        type value; \
        __atomic_load(PLACE(block, slot, placed_##name), &value, __ATOMIC_RELAXED); \
        return value; \
    } \
    static void set_##name##_##block##_##slot(isa_id self, isa_sel sel, type value) \
    { \
        (void)sel; \
        __atomic_store(PLACE(block, slot, placed_##name), &value, __ATOMIC_RELAXED); \
    }
// A slot is aligned to its size, which a type of 64 bits need not be.
#define DEFINE_TYPE(type, name, blocks) \
    typedef type placed_##name __attribute__((aligned(sizeof(type)))); \
    blocks(DEFINE, type, name)
TYPES(DEFINE_TYPE)

// Stores an object that a property retains.
static void store_retained(isa_id *slot, isa_id value)
{
    isa_object_retain(value);
    // The old one goes last: its release may run anything, this very setter too.
    isa_object_release(__atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL));
}

#define DEFINE_OBJECT(block, slot, type, name) \
    static isa_id get_##name##_##block##_##slot(isa_id self, isa_sel sel) \
    { \
        (void)sel; \
        return __atomic_load_n(PLACE(block, slot, isa_id), __ATOMIC_ACQUIRE); \
    } \
    static void set_##name##_##block##_##slot(isa_id self, isa_sel sel, isa_id value) \
    { \
        (void)sel; \
        store_retained(PLACE(block, slot, isa_id), value); \
    }
ONE_BLOCK(DEFINE_OBJECT, isa_id, retained)

// ---- tables -------------------------------------------------------------------------------------

struct code {
    const isa_imp *getters;
    const isa_imp *setters;
    size_t slots;
    size_t width; // bytes of a slot
};

#define GETTER(block, slot, type, name) (isa_imp)get_##name##_##block##_##slot,
#define SETTER(block, slot, type, name) (isa_imp)set_##name##_##block##_##slot,
#define DEFINE_TABLES(type, name, blocks) \
    static const isa_imp name##_getters[] = {blocks(GETTER, type, name)}; \
    static const isa_imp name##_setters[] = {blocks(SETTER, type, name)}; \
    static const struct code name##_code = {name##_getters, name##_setters, \
                                            sizeof name##_getters / sizeof(isa_imp), sizeof(type)};
TYPES(DEFINE_TABLES)
DEFINE_TABLES(isa_id, retained, ONE_BLOCK)

// An object that is not owned is an address.
#define CODE(type, name, blocks) [ISA_PASSED_##name] = &name##_code,
static const struct code *const codes[ISA_PASSED_COUNT] = {
    TYPES(CODE)
    [ISA_PASSED_object] = &address_code,
};

// ---- finding ------------------------------------------------------------------------------------

// The code of a property's values; NULL if none can have been compiled.
static const struct code *code_of(char letter, isa_ownership ownership)
{
    if (ownership == ISA_OWNERSHIP_WEAK) return NULL;
    return ownership == ISA_OWNERSHIP_NONE ? codes[isa__scalar(letter)->passed] : &retained_code;
}

static isa_imp at(const struct code *code, const isa_imp *imps, size_t offset)
{
    size_t distance = offset - FIRST;
    bool fits = offset >= FIRST && distance % code->width == 0 &&
                distance / code->width < code->slots;
    return fits ? imps[distance / code->width] : NULL;
}

static isa_imp getter_at(char letter, isa_ownership ownership, size_t offset)
{
    const struct code *code = code_of(letter, ownership);
    return code == NULL ? NULL : at(code, code->getters, offset);
}

// A copy is not made by compiled code.
static isa_imp setter_at(char letter, isa_ownership ownership, size_t offset)
{
    const struct code *code = ownership == ISA_OWNERSHIP_COPY ? NULL : code_of(letter, ownership);
    return code == NULL ? NULL : at(code, code->setters, offset);
}

bool isa__getter_code_find(isa_imp imp, char letter, size_t *offset)
{
    const struct code *code = code_of(letter, ISA_OWNERSHIP_NONE);
    for (size_t slot = 0; code != NULL && slot < code->slots; slot++) {
        if (code->getters[slot] != imp) continue;
        *offset = FIRST + slot * code->width;
        return true;
    }
    return false;
}

// The context of the accessors of one property.
struct accessors {
    isa_ivar ivar;
    size_t offset;
    size_t size;
    struct isa__trampoline *getter; // NULL where the code is compiled
    struct isa__trampoline *setter; // also NULL: read-only
};

// A property on its way into a class, and what has to be undone if the rest fails.
struct synthesis {
    isa_class cls;
    const isa_property_info *wanted;
    isa_property_info info; // with the ivar's name filled in
    char *ivar_name;
    char *getter_types;
    char *setter_types;
    struct accessors *accessors;
    isa_imp getter_imp;
    isa_imp setter_imp;
    bool is_owned;
    bool has_new_ivar;
    isa_property property;
    isa_method getter;
};

// ---- accessors ----------------------------------------------------------------------------------

static void *slot_of(void *const *arguments, const struct accessors *accessors)
{
    return *(char *const *)arguments[0] + accessors->offset;
}

static void get_bytes(const struct isa__call_interface *interface, void *result,
                      void *const *arguments, void *context)
{
    (void)interface;
    const struct accessors *accessors = context;
    memcpy(result, slot_of(arguments, accessors), accessors->size);
}

static void set_bytes(const struct isa__call_interface *interface, void *result,
                      void *const *arguments, void *context)
{
    (void)interface, (void)result;
    const struct accessors *accessors = context;
    memcpy(slot_of(arguments, accessors), arguments[2], accessors->size);
}

static void get_object(const struct isa__call_interface *interface, void *result,
                       void *const *arguments, void *context)
{
    (void)interface;
    *(isa_id *)result = __atomic_load_n((isa_id *)slot_of(arguments, context), __ATOMIC_ACQUIRE);
}

static void set_retained(const struct isa__call_interface *interface, void *result,
                         void *const *arguments, void *context)
{
    (void)interface, (void)result;
    store_retained(slot_of(arguments, context), *(const isa_id *)arguments[2]);
}

static void set_copied(const struct isa__call_interface *interface, void *result,
                       void *const *arguments, void *context)
{
    (void)interface, (void)result;
    isa_id value = *(const isa_id *)arguments[2];
    if (value != NULL && !isa__object_copies(value)) {
        isa__misuse(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                    "%s: an instance of %s cannot be copied: it does not respond to copy",
                    isa_sel_name(*(const isa_sel *)arguments[1]),
                    isa_class_name(isa_object_get_class(value)));
        return;
    }
    if (value != NULL) value = ISA_SEND(isa_id(*)(isa_id, isa_sel), value, isa__sel_copy);
    // The old one goes last: its release may run anything, this very setter too.
    isa_id *slot = slot_of(arguments, context);
    isa_object_release(__atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL));
}

static void get_weak(const struct isa__call_interface *interface, void *result,
                     void *const *arguments, void *context)
{
    (void)interface;
    isa_id object = isa_weak_copy(slot_of(arguments, context));
    isa_object_release(object);
    *(isa_id *)result = object;
}

isa_ivar isa__synthesized_weak_ivar(isa_imp imp)
{
    const struct isa__trampoline *trampoline = isa__trampoline_find(imp, get_weak);
    if (trampoline == NULL) return NULL;
    return ((const struct accessors *)isa__trampoline_context(trampoline))->ivar;
}

static void set_weak(const struct isa__call_interface *interface, void *result,
                     void *const *arguments, void *context)
{
    (void)interface, (void)result;
    isa_status status = isa_weak_store(slot_of(arguments, context), *(const isa_id *)arguments[2]);
    if (status == ISA_OK) return;
    isa__misuse(status, NULL, "%s: %s", isa_sel_name(*(const isa_sel *)arguments[1]),
                isa_last_error()->reason);
}

static const struct {
    isa__trampoline_handler getter;
    isa__trampoline_handler setter;
} handlers[] = {
    [ISA_OWNERSHIP_NONE] = {get_bytes, set_bytes},
    [ISA_OWNERSHIP_RETAIN] = {get_object, set_retained},
    [ISA_OWNERSHIP_COPY] = {get_object, set_copied},
    [ISA_OWNERSHIP_WEAK] = {get_weak, set_weak},
};

bool isa__synthesized_setter_writes(isa_imp imp, isa_ivar ivar)
{
    if (imp == setter_at(*ivar->types, ivar->ownership, ivar->offset)) return true;
    const struct isa__trampoline *trampoline =
        isa__trampoline_find(imp, handlers[ivar->ownership].setter);
    return trampoline != NULL &&
           ((const struct accessors *)isa__trampoline_context(trampoline))->ivar == ivar;
}

static void dispose_accessors(void *resource)
{
    struct accessors *accessors = resource;
    isa__trampoline_recycle(accessors->getter);
    isa__trampoline_recycle(accessors->setter);
    isa__free(ISA_KIND_OTHER, accessors, sizeof *accessors);
}

// ---- one synthesis ------------------------------------------------------------------------------

static isa_status no_memory(const struct synthesis *s)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to synthesize property %s of class %s",
                     s->wanted->name, s->cls->name);
}

// Two texts as one; isa__free_text frees it.
static char *join(const char *first, const char *second)
{
    size_t one = strlen(first), two = strlen(second);
    char *joined = isa__alloc(ISA_KIND_OTHER, one + two + 1);
    if (joined == NULL) return NULL;
    memcpy(joined, first, one);
    memcpy(joined + one, second, two);
    return joined;
}

static isa_status make_texts(struct synthesis *s)
{
    const isa_property_info *wanted = s->wanted;
    s->ivar_name = wanted->ivar != NULL ? isa__copy_text(wanted->ivar)
                                        : isa__name_copy(ISA_NAME_UNDERSCORED, wanted->name);
    s->getter_types = join(wanted->types, "@:");
    s->setter_types = join("v@:", wanted->types);
    if (s->ivar_name == NULL || s->getter_types == NULL || s->setter_types == NULL)
        return no_memory(s);
    s->info = *wanted;
    s->info.ivar = s->ivar_name;
    return ISA_OK;
}

static isa_status make_trampoline(struct synthesis *s, const char *types,
                                  isa__trampoline_handler handler,
                                  struct isa__trampoline **trampoline, isa_imp *imp)
{
    if (*imp != NULL) return ISA_OK;
    isa_status status = isa__trampoline_acquire(types, handler, s->accessors, trampoline);
    if (status == ISA_OK) *imp = isa__trampoline_imp(*trampoline);
    return status;
}

// The accessors' code: compiled, or trampolines that the class owns.
static isa_status make_accessors(struct synthesis *s, char letter)
{
    isa_ownership ownership = s->info.ownership;
    s->getter_imp = getter_at(letter, ownership, s->accessors->offset);
    s->setter_imp = setter_at(letter, ownership, s->accessors->offset);
    isa_status status = make_trampoline(s, s->getter_types, handlers[ownership].getter,
                                        &s->accessors->getter, &s->getter_imp);
    if (status == ISA_OK && !s->info.readonly)
        status = make_trampoline(s, s->setter_types, handlers[ownership].setter,
                                 &s->accessors->setter, &s->setter_imp);
    if (status == ISA_OK) status = isa__class_own(s->cls, s->accessors, dispose_accessors);
    s->is_owned = status == ISA_OK;
    return status;
}

static isa_status check_ivar(const struct synthesis *s, isa_ivar ivar)
{
    if (isa__encoding_equal(ivar->types, s->info.types) && ivar->ownership == s->info.ownership)
        return ISA_OK;
    return isa__fail(
        ISA_ERR_INVALID_ARGUMENT, NULL,
        "class %s: ivar %s has encoding %s and ownership %d, property %s has %s and %d",
        s->cls->name, ivar->name, ivar->types, (int)ivar->ownership, s->info.name, s->info.types,
        (int)s->info.ownership);
}

static isa_status find_or_add_ivar(struct synthesis *s)
{
    s->accessors = isa__alloc(ISA_KIND_OTHER, sizeof *s->accessors);
    if (s->accessors == NULL) return no_memory(s);
    isa_ivar ivar = isa_class_find_ivar(s->cls, s->ivar_name);
    isa_status status = ISA_OK;
    if (ivar != NULL) {
        status = check_ivar(s, ivar);
    } else if (isa_class_is_registered(s->cls)) {
        status = isa__fail(ISA_ERR_NOT_FOUND, NULL,
                           "class %s is registered and has no ivar %s for property %s",
                           s->cls->name, s->ivar_name, s->info.name);
    } else {
        status = isa_class_add_ivar(s->cls, s->ivar_name, s->info.types, s->info.ownership);
        s->has_new_ivar = status == ISA_OK;
    }
    if (status != ISA_OK) return status;
    if (ivar == NULL) ivar = isa_class_find_ivar(s->cls, s->ivar_name);
    s->accessors->ivar = ivar;
    s->accessors->offset = ivar->offset;
    s->accessors->size = ivar->size;
    return ISA_OK;
}

static isa_status declare(struct synthesis *s)
{
    isa_status status = isa_class_add_property(s->cls, &s->info);
    if (status == ISA_OK) s->property = isa_class_find_property(s->cls, s->info.name);
    return status;
}

static isa_status add_method(struct synthesis *s, const char *name, isa_imp imp,
                             const char *types)
{
    isa_sel sel = isa_sel_register(name);
    if (sel == NULL) return no_memory(s);
    return isa_class_add_method(s->cls, sel, imp, types);
}

// Asked beforehand, so that only want of memory ever takes back a getter that others could see.
static isa_status check_setter_is_new(const struct synthesis *s, const char *setter)
{
    isa_sel sel = setter == NULL ? NULL : isa_sel_find(setter);
    if (sel == NULL || isa__method_find_own(s->cls, sel) == NULL) return ISA_OK;
    return isa__fail(ISA_ERR_EXISTS, NULL, "isa_class_synthesize: class %s has a method %s",
                     s->cls->name, setter);
}

static isa_status add_accessors(struct synthesis *s)
{
    const isa_property_info *info = isa_property_get_info(s->property); // selectors filled in
    isa_status status = check_setter_is_new(s, info->setter);
    if (status != ISA_OK) return status;
    status = add_method(s, info->getter, s->getter_imp, s->getter_types);
    if (status != ISA_OK) return status;
    s->getter = isa__method_find_own(s->cls, isa_sel_find(info->getter));
    if (info->setter == NULL) return ISA_OK;
    return add_method(s, info->setter, s->setter_imp, s->setter_types);
}

static void free_texts(struct synthesis *s)
{
    isa__free_text(s->ivar_name);
    isa__free_text(s->getter_types);
    isa__free_text(s->setter_types);
}

// Takes back what has been done, the latest first.
static void undo(struct synthesis *s)
{
    if (s->getter != NULL) isa__method_remove(s->getter);
    if (s->property != NULL) isa__property_remove(s->cls, s->property);
    if (s->has_new_ivar) isa__ivar_remove_last(s->cls);
    if (s->is_owned) isa__class_disown(s->cls, s->accessors);
    if (s->accessors != NULL) dispose_accessors(s->accessors);
}

isa_status isa_class_synthesize(isa_class cls, const isa_property_info *info)
{
    if (cls == NULL) return isa__fail_null(__func__, "cls");
    if (info == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "isa_class_synthesize: class %s: no info",
                         cls->name);
    struct isa__type type;
    struct synthesis s = {.cls = cls, .wanted = info};
    isa_status status = isa__ivar_check(info->name, info->types, info->ownership, &type);
    if (status == ISA_OK) status = make_texts(&s);
    if (status == ISA_OK) status = find_or_add_ivar(&s);
    if (status == ISA_OK)
        status = make_accessors(&s, type.type_class == ISA_TYPE_SCALAR ? type.letter : 0);
    if (status == ISA_OK) status = declare(&s);
    if (status == ISA_OK) status = add_accessors(&s);
    if (status != ISA_OK) undo(&s);
    free_texts(&s);
    return status;
}

// ---- callbacks ----------------------------------------------------------------------------------

static void end_callback(void *resource)
{
    isa__callback_end(resource);
}

isa_status isa_class_add_callback(isa_class cls, isa_sel sel, const char *types,
                                  isa_callback callback, void *context,
                                  void (*release)(void *context))
{
    if (cls == NULL || callback == NULL) return isa__fail_null(__func__, "cls or callback");
    struct isa__trampoline *trampoline;
    isa_status status = isa__callback_bind(types, callback, context, &trampoline);
    if (status != ISA_OK) return status;
    status = isa__class_own(cls, trampoline, end_callback);
    if (status == ISA_OK) {
        status = isa_class_add_method(cls, sel, isa__trampoline_imp(trampoline), types);
        if (status != ISA_OK) isa__class_disown(cls, trampoline);
    }
    if (status != ISA_OK) {
        isa__callback_end(trampoline);
        return status;
    }
    isa__callback_set_release(trampoline, release);
    return ISA_OK;
}
