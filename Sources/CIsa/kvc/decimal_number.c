// Boxed decimal numbers: instances of IsaDecimalNumber, numbers with digits of their own.
//
// Owns: a decimal number owns its digits.
#include <assert.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "../model/encoding.h"
#include "../model/selector.h"
#include "number.h"

struct decimal_number {
    struct isa__number_box number; // the nearest double
    char *digits;
};

static isa_status give_digits(isa_id object, const char *digits)
{
    struct decimal_number *decimal = (struct decimal_number *)object;
    decimal->digits = isa__copy_text(digits);
    if (decimal->digits != NULL) return ISA_OK;
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the number %.64s", digits);
}

isa_status kvc_number_make_in(isa_class cls, char letter, const void *bytes, const char *digits,
                              isa_id *out)
{
    if (bytes == NULL || out == NULL) return isa__fail_null(__func__, "bytes or out");
    isa_id object;
    if (!isa__letter_is_number(letter))
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "\"%c\" is no number's letter", letter);
    isa_status status = isa__number_make_of(cls, letter, bytes, &object);
    if (status != ISA_OK) return status;
    if (digits != NULL) status = give_digits(object, digits);
    if (status == ISA_OK) *out = object;
    else isa_object_release(object);
    return status;
}

isa_status kvc_number_make_decimal(double nearest, const char *digits, isa_id *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (digits == NULL) return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "NULL digits");
    return kvc_number_make_in(isa__box_classes[ISA_BOX_DECIMAL_NUMBER], 'd', &nearest, digits, out);
}

const char *kvc_number_digits(isa_id number)
{
    if (number == NULL) return NULL;
    if (!isa_object_is_kind_of(number, isa__box_classes[ISA_BOX_DECIMAL_NUMBER])) return NULL;
    return ((const struct decimal_number *)number)->digits;
}

static void dealloc_decimal(isa_id self, isa_sel sel)
{
    (void)sel;
    isa__free_text(((struct decimal_number *)self)->digits);
}

static isa_status describe_decimal(isa_id self, isa_sel sel, isa_id *out)
{
    (void)sel;
    const char *digits = kvc_number_digits(self);
    return kvc_string_make(digits == NULL ? "0" : digits, out);
}

static const struct isa__box_method methods[] = {
    {&isa__sel_dealloc, (isa_imp)dealloc_decimal, "v@:"},
    {&isa__sel_description, (isa_imp)describe_decimal, "i@:^@"},
};

const struct isa__library_class isa__decimal_number_classes[1] = {
    {&isa__box_classes[ISA_BOX_DECIMAL_NUMBER], "IsaDecimalNumber",
     &isa__box_classes[ISA_BOX_NUMBER], KVC_KIND_NUMBER, sizeof(struct decimal_number),
     {ISA_LIST_OF(methods)}},
};
