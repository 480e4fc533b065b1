// Decimal arithmetic: the operations in use, and the default ones, which compute in double.
//
// Owns:  nothing; the table belongs to whoever set it.
// Locks: none; the table's address is read and replaced whole.
#include <math.h>
#include <string.h>

#include "../base/status.h"
#include "../model/selector.h"
#include "box.h"
#include "string.h"

static double double_in(const kvc_decimal *number)
{
    double value;
    memcpy(&value, number, sizeof value);
    return value;
}

static void set_double(kvc_decimal *number, double value)
{
    *number = (kvc_decimal){0};
    memcpy(number, &value, sizeof value);
}

// What is neither number nor string does not answer decimalValue.
static isa_status double_from_object(isa_id object, kvc_decimal *out, void *context)
{
    (void)context;
    double value = 0;
    kvc_kind kind = kvc_kind_of(object);
    if (kind == KVC_KIND_STRING && !isa__string_is_numeric(object)) value = NAN;
    else if (kind == KVC_KIND_STRING || kind == KVC_KIND_NUMBER)
        kvc_number_read(object, 'd', &value);
    else if (object != NULL)
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "-[%s decimalValue]: unrecognized selector sent to instance %p",
                         isa__box_class_name(object), (void *)object);
    set_double(out, value);
    return ISA_OK;
}

static isa_status add_doubles(kvc_decimal *sum, const kvc_decimal *addend, void *context)
{
    (void)context;
    set_double(sum, double_in(sum) + double_in(addend));
    return ISA_OK;
}

static isa_status divide_double(kvc_decimal *dividend, uint64_t count, void *context)
{
    (void)context;
    if (isnan(double_in(dividend)))
        return isa__fail(KVC_ERR_OVERFLOW, NULL,
                         "what is not a number cannot be divided by %llu",
                         (unsigned long long)count);
    set_double(dividend, double_in(dividend) / (double)count);
    return ISA_OK;
}

static int compare_doubles(const kvc_decimal *first, const kvc_decimal *second, void *context)
{
    (void)context;
    double a = double_in(first), b = double_in(second);
    return a < b ? -1 : a > b;
}

static isa_status copy_double(const kvc_decimal *number, isa_id *out, void *context)
{
    (void)context;
    return kvc_number_make_double(double_in(number), out);
}

static const kvc_decimal_operations in_double = {
    .from_object = double_from_object,
    .add = add_doubles,
    .divide = divide_double,
    .compare = compare_doubles,
    .copy_object = copy_double,
};

static const kvc_decimal_operations *in_use = &in_double;

void kvc_set_decimal_operations(const kvc_decimal_operations *operations)
{
    __atomic_store_n(&in_use, operations == NULL ? &in_double : operations, __ATOMIC_RELEASE);
}

const kvc_decimal_operations *kvc_get_decimal_operations(void)
{
    return __atomic_load_n(&in_use, __ATOMIC_ACQUIRE);
}
