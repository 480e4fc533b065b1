// Boxed values: instances of IsaValue, each with an encoding and a copy of the bytes; and null, the
// object that stands for nil in collections.
//
// Owns:  a box owns its text and bytes; they go with it. The one instance of IsaNull itself is
//        static and immortal; one of a class below is an object as any other.
// Lives: null, from start on.
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/encoding.h"
#include "../model/selector.h"
#include "number.h"
#include "string.h"

struct value_box {
    struct isa__box box;
    size_t size; // of the bytes
};

static void dealloc_box(isa_id self, isa_sel sel)
{
    (void)sel;
    if (kvc_kind_of(self) != KVC_KIND_VALUE) return; // a number has its bytes within
    struct value_box *value = (struct value_box *)self;
    isa__free_text((char *)value->box.types);
    isa__free(ISA_KIND_OTHER, (void *)value->box.bytes, value->size);
}

static isa_status make_box(kvc_value value, size_t size, isa_id *out)
{
    isa_id object;
    isa_status status = isa_object_allocate(isa__box_classes[ISA_BOX_VALUE], &object);
    if (status != ISA_OK) return status;
    struct value_box *box = (struct value_box *)object;
    box->box.types = isa__copy_text(value.types);
    box->size = size == 0 ? 1 : size;
    void *bytes = isa__alloc(ISA_KIND_OTHER, box->size);
    box->box.bytes = bytes;
    if (box->box.types == NULL || bytes == NULL) {
        isa_object_release(object);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to box a value of type \"%.64s\"",
                         value.types);
    }
    memcpy(bytes, value.address, size);
    *out = object;
    return ISA_OK;
}

isa_status kvc_box(kvc_value value, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    struct isa__type type;
    if (value.types == NULL || value.address == NULL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no value to box");
    isa_status status = isa__type_parse(value.types, &type);
    if (status != ISA_OK) return status;
    if (!type.sized)
        return isa__fail(ISA_ERR_BAD_ENCODING, NULL, "type \"%.64s\" has no size to box",
                         value.types);
    bool is_scalar = type.type_class == ISA_TYPE_SCALAR;
    if (is_scalar && isa__letter_is_number(type.letter))
        return isa__number_make(type.letter, value.address, out);
    if (!is_scalar || !isa__letter_is_object(type.letter))
        return make_box(value, type.size, out);
    *out = isa_object_retain(*(const isa_id *)value.address);
    return ISA_OK;
}

kvc_value kvc_unbox(const isa_id *object)
{
    ISA_REQUIRE_NOT_NULL(object);
    if (*object == NULL || !isa_object_is_kind_of(*object, isa__box_classes[ISA_BOX_VALUE]))
        return (kvc_value){.types = "@", .address = object};
    const struct isa__box *box = (const struct isa__box *)*object;
    return (kvc_value){.types = box->types, .address = box->bytes};
}

// ---- messages -----------------------------------------------------------------------------------

// Bytes are compared as they are, what stands between a struct's members included, as Foundation
// does.
static bool is_equal_value(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    if (kvc_kind_of(other) != KVC_KIND_VALUE) return false;
    const struct value_box *a = (const struct value_box *)self;
    const struct value_box *b = (const struct value_box *)other;
    if (a->size != b->size || a->size == 0) return a->size == b->size;
    return memcmp(a->box.bytes, b->box.bytes, a->size) == 0 &&
           isa__encoding_equal(a->box.types, b->box.types);
}

// Numbers are equal whatever their types, and yet not the same.
static bool is_same_value(isa_id self, isa_sel sel, isa_id other)
{
    (void)sel;
    return isa__encoding_equal(kvc_unbox(&self).types, kvc_unbox(&other).types) &&
           kvc_is_equal(self, other);
}

static size_t value_hash(isa_id self, isa_sel sel)
{
    (void)sel;
    const struct value_box *value = (const struct value_box *)self;
    return isa__bytes_hash(value->box.bytes, value->size);
}

// The bytes in groups of four: <0000803f 00000040>.
static isa_status describe_value(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    const struct value_box *value = (const struct value_box *)self;
    const unsigned char *bytes = value->box.bytes;
    struct isa__text text = {0};
    isa__text_append(&text, "<", 1);
    for (size_t i = 0; i < value->size; i++)
        isa__text_format(&text, i > 0 && i % 4 == 0 ? " %02x" : "%02x", bytes[i]);
    isa__text_append(&text, ">", 1);
    return isa__text_finish(&text, out);
}

// ---- null ---------------------------------------------------------------------------------------

static struct isa_header null_object = {.record = ISA_RECORD_IMMORTAL};

isa_id kvc_null(void)
{
    return (isa_id)&null_object;
}

void isa__null_start(void)
{
    null_object.isa = (uintptr_t)isa__box_classes[ISA_BOX_NULL];
}

static isa_status describe_null(isa_id self, isa_sel sel, isa_id *out)
{
    (void)self, (void)sel;
    return kvc_string_make("<null>", out);
}

// ---- classes ------------------------------------------------------------------------------------

static const struct isa__box_method of_values[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_box, "v@:"},
    {&isa__sel_copy, (isa_imp)isa__box_copy, "@@:"},
    {&isa__sel_is_equal, (isa_imp)is_equal_value, "B@:@"},
    {&isa__sel_is_same_value, (isa_imp)is_same_value, "B@:@"},
    {&isa__sel_hash, (isa_imp)value_hash, "Q@:"},
    {&isa__sel_description, (isa_imp)describe_value, "i@:^@"},
};

// There is one null: being equal is being the same.
static const struct isa__box_method of_null[] = {
    {&isa__sel_copy, (isa_imp)isa__box_copy, "@@:"},
    {&isa__sel_description, (isa_imp)describe_null, "i@:^@"},
};

const struct isa__library_class isa__value_classes[2] = {
    {&isa__box_classes[ISA_BOX_VALUE], "IsaValue", NULL, KVC_KIND_VALUE, sizeof(struct value_box),
     {ISA_LIST_OF(of_values)}},
    {&isa__box_classes[ISA_BOX_NULL], "IsaNull", NULL, KVC_KIND_NULL, sizeof(struct isa_header),
     {ISA_LIST_OF(of_null)}},
};
