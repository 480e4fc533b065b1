// Compiled accessors.
//
// Owns:  nothing but code.
// Locks: none; a value is read and written at once, so that two threads which set one property race
//        for it and no further; an object is exchanged, so that two setters at once never release
//        one twice.
#include "accessor_code.h"

#include "../model/encoding.h"
#include "isa_object.h"

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
        __atomic_load(PLACE(block, slot, type), &value, __ATOMIC_RELAXED); \
        return value; \
    } \
    static void set_##name##_##block##_##slot(isa_id self, isa_sel sel, type value) \
    { \
        (void)sel; \
        __atomic_store(PLACE(block, slot, type), &value, __ATOMIC_RELAXED); \
    }
#define DEFINE_TYPE(type, name, blocks) blocks(DEFINE, type, name)
TYPES(DEFINE_TYPE)

void isa__retained_store(isa_id *slot, isa_id value)
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
        isa__retained_store(PLACE(block, slot, isa_id), value); \
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

static isa_imp at(const struct code *code, const isa_imp *imps, size_t offset)
{
    size_t distance = offset - FIRST;
    bool fits = offset >= FIRST && distance % code->width == 0 &&
                distance / code->width < code->slots;
    return fits ? imps[distance / code->width] : NULL;
}

isa_imp isa__getter_code(char letter, size_t offset)
{
    const struct code *code = codes[isa__scalar(letter)->passed];
    return code == NULL ? NULL : at(code, code->getters, offset);
}

isa_imp isa__setter_code(char letter, size_t offset)
{
    const struct code *code = codes[isa__scalar(letter)->passed];
    return code == NULL ? NULL : at(code, code->setters, offset);
}

isa_imp isa__object_getter_code(size_t offset)
{
    return at(&retained_code, retained_code.getters, offset);
}

isa_imp isa__retained_setter_code(size_t offset)
{
    return at(&retained_code, retained_code.setters, offset);
}

static bool find(const struct code *code, const isa_imp *imps, isa_imp imp, size_t *offset)
{
    for (size_t slot = 0; slot < code->slots; slot++) {
        if (imps[slot] != imp) continue;
        *offset = FIRST + slot * code->width;
        return true;
    }
    return false;
}

bool isa__getter_code_find(isa_imp imp, char letter, size_t *offset)
{
    const struct code *code = codes[isa__scalar(letter)->passed];
    return code != NULL && find(code, code->getters, imp, offset);
}
