// Null: the object that stands for nil in collections.
//
// Owns:  the one instance of the class itself, which is static and immortal: it is not counted. One
//        of a class below is an object as any other.
// Lives: from start to reset.
#include "null.h"

#include "../base/status.h"
#include "../model/selector.h"
#include "../object/object.h"

static struct isa_header null_object;

isa_id kvc_null(void)
{
    return (isa_id)&null_object;
}

static isa_id copy_null(isa_id self, isa_sel sel)
{
    (void)sel;
    return isa_object_retain(self);
}

static isa_status null_value_for_key(isa_id self, isa_sel sel, const char *key, isa_id *out)
{
    (void)sel, (void)key;
    *out = isa_object_retain(self);
    return ISA_OK;
}

static isa_status describe_null(isa_id self, isa_sel sel, isa_id *out)
{
    (void)self, (void)sel;
    return kvc_string_make("<null>", out);
}

// There is one instance: being equal is being the same.
static const struct isa__box_method methods[] = {
    {&isa__sel_copy, (isa_imp)copy_null, "@@:"},
    {&isa__sel_value_for_key, (isa_imp)null_value_for_key, "i@:*^@"},
    {&isa__sel_description, (isa_imp)describe_null, "i@:^@"},
};

const struct isa__library_class isa__null_classes[1] = {
    {&isa__box_classes[ISA_BOX_NULL], "IsaNull", NULL, KVC_KIND_NULL, sizeof(struct isa_header),
     {ISA_LIST_OF(methods)}},
};

void isa__null_start(void)
{
    null_object.record = ISA_RECORD_IMMORTAL;
    null_object.isa = (uintptr_t)isa__box_classes[ISA_BOX_NULL];
}
