// Boxed values: instances of IsaValue, each with an encoding and a copy of the bytes.
//
// Owns:  a box owns its text and bytes; they go with it.
#include "value.h"

#include <math.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/class_pair.h"
#include "../model/encoding.h"
#include "../model/selector.h"
#include "../object/object.h"

struct box {
    struct isa_header header;
    char *types;
    void *bytes;
    size_t size;
};

static isa_class value_class;

static void dealloc_box(isa_id self, isa_sel sel)
{
    (void)sel;
    struct box *box = (struct box *)self;
    isa__free_text(box->types);
    isa__free(ISA_KIND_OTHER, box->bytes, box->size);
}

static isa_id copy_box(isa_id self, isa_sel sel)
{
    (void)sel; // immutable: a copy is the box itself
    return isa_object_retain(self);
}

static isa_status make_box(kvc_value value, size_t size, isa_id *out)
{
    isa_id object;
    isa_status status = isa_object_allocate(value_class, &object);
    if (status != ISA_OK) return status;
    struct box *box = (struct box *)object;
    box->types = isa__copy_text(value.types);
    box->size = size == 0 ? 1 : size;
    box->bytes = isa__alloc(ISA_KIND_OTHER, box->size);
    if (box->types == NULL || box->bytes == NULL) {
        isa_object_release(object);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to box a value of type \"%.64s\"",
                         value.types);
    }
    memcpy(box->bytes, value.address, size);
    *out = object;
    return ISA_OK;
}

isa_status kvc_box(kvc_value value, isa_id *out)
{
    struct isa__type type;
    if (value.types == NULL || value.address == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no value to box");
    isa_status status = isa__type_parse(value.types, &type);
    if (status != ISA_OK) return status;
    if (!type.sized)
        return isa__fail(ISA_ERR_BAD_ENCODING, NULL, "type \"%.64s\" has no size to box",
                         value.types);
    bool is_object =
        type.type_class == ISA_TYPE_SCALAR && (type.letter == '@' || type.letter == '#');
    if (!is_object) return make_box(value, type.size, out);
    *out = isa_object_retain(*(const isa_id *)value.address);
    return ISA_OK;
}

kvc_value kvc_unbox(const isa_id *object)
{
    if (*object == NULL || !isa_object_is_kind_of(*object, value_class))
        return (kvc_value){.types = "@", .address = object};
    const struct box *box = (const struct box *)*object;
    return (kvc_value){.types = box->types, .address = box->bytes};
}

// ---- numbers ------------------------------------------------------------------------------------

// A number on its way between types, in the widest type of its kind.
struct number {
    enum { SIGNED, UNSIGNED, FLOATING } kind;
    union {
        int64_t i;
        uint64_t u;
        long double f;
    };
};

#define LOAD_INTEGER(letter, ctype, name, ffi) \
    case letter: \
        out->kind = (ctype)-1 < (ctype)1 ? SIGNED : UNSIGNED; \
        if (out->kind == SIGNED) out->i = (int64_t) * (const ctype *)from; \
        else out->u = (uint64_t) * (const ctype *)from; \
        return true;
#define LOAD_FLOAT(letter, ctype, name, ffi) \
    case letter: \
        out->kind = FLOATING; \
        out->f = *(ctype const *)from; \
        return true;

static bool load_number(char letter, const void *from, struct number *out)
{
    switch (letter) {
        ISA_INTEGER_SCALARS(LOAD_INTEGER)
        ISA_FLOAT_SCALARS(LOAD_FLOAT)
    default: return false;
    }
}

// Cuts towards zero and clamps to a signed type of `size` bytes; NaN gives 0.
static int64_t clamp_signed(long double f, size_t size)
{
    int64_t max = INT64_MAX >> (64 - 8 * size);
    if (isnan(f)) return 0;
    if (f >= (long double)max) return max;
    return f <= -(long double)max - 1 ? -max - 1 : (int64_t)f;
}

static uint64_t clamp_unsigned(long double f, size_t size)
{
    uint64_t max = UINT64_MAX >> (64 - 8 * size);
    if (isnan(f) || f <= 0) return 0;
    return f >= (long double)max ? max : (uint64_t)f;
}

// The bits of `n` as an integer type; those beyond `size` bytes are for the caller to cut off.
static uint64_t to_integer(const struct number *n, bool is_signed, bool is_bool, size_t size)
{
    if (n->kind != FLOATING) return n->kind == SIGNED ? (uint64_t)n->i : n->u;
    if (is_bool) return n->f != 0;
    return is_signed ? (uint64_t)clamp_signed(n->f, size) : clamp_unsigned(n->f, size);
}

static long double to_floating(const struct number *n)
{
    if (n->kind == FLOATING) return n->f;
    return n->kind == SIGNED ? (long double)n->i : (long double)n->u;
}

#define STORE_INTEGER(letter, ctype, name, ffi) \
    case letter: \
        *(ctype *)to = (ctype)to_integer(&number, (ctype)-1 < (ctype)1, (ctype)2 == (ctype)1, \
                                         sizeof(ctype)); \
        return true;
#define STORE_FLOAT(letter, ctype, name, ffi) \
    case letter: *(ctype *)to = (ctype)to_floating(&number); return true;

bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to)
{
    struct number number;
    if (!load_number(from_letter, from, &number)) return false;
    switch (to_letter) {
        ISA_INTEGER_SCALARS(STORE_INTEGER)
        ISA_FLOAT_SCALARS(STORE_FLOAT)
    default: return false;
    }
}

// ---- start --------------------------------------------------------------------------------------

isa_status isa__values_start(void)
{
    isa_status status = isa__class_pair_make(isa_root_class(), "IsaValue", ISA_CLASS_LIBRARY,
                                             &value_class);
    if (status != ISA_OK) return status;
    // The struct above is the layout; no ivars are declared, so key-value coding sees none.
    value_class->instance_size = sizeof(struct box);
    status = isa_class_add_method(value_class, isa__sel_dealloc, (isa_imp)dealloc_box, "v@:");
    if (status != ISA_OK) return status;
    return isa_class_add_method(value_class, isa__sel_copy, (isa_imp)copy_box, "@@:");
}

void isa__values_stop(void)
{
    // A box that leaked keeps the class, and both are counted.
    if (__atomic_load_n(&value_class->instances, __ATOMIC_ACQUIRE) == 0)
        isa__class_pair_destroy(value_class);
    value_class = NULL;
}
