// Boxed numbers, and conversion between number types.
#ifndef ISA_KVC_NUMBER_H
#define ISA_KVC_NUMBER_H

#include <assert.h>

#include "box.h"
#include "kvc.h"
#include "value.h"

// The start of an instance of IsaNumber.
struct isa__number_box {
    struct isa__box box;
    _Alignas(16) char bytes[16];
};

static_assert(sizeof(long double) <= sizeof((struct isa__number_box *)NULL)->bytes,
              "the widest number fits");

// Converts the number at `from` (encoding letter `from_letter`) to `to_letter`'s type at `to`, as a
// C cast does; where a cast from a floating type would be undefined the number is clamped to the
// type's range, and NaN gives 0. False if either is not a number.
bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to);

// Makes a number of the value's type, which is the letter of a number.
isa_status isa__number_make(char letter, const void *bytes, isa_id *out);

// The same as an instance of `cls`, IsaNumber or a class below it.
isa_status isa__number_make_of(isa_class cls, char letter, const void *bytes, isa_id *out);

// Gives a class the messages that read a number, `charValue`, `intValue` and so on, each by
// kvc_number_read.
isa_status isa__numbers_add_readings(isa_class cls);

extern const struct isa__library_class isa__number_classes[1], isa__decimal_number_classes[1];

#endif
