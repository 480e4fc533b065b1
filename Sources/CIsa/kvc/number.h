// Boxed numbers, and conversion between number types.
#ifndef ISA_KVC_NUMBER_H
#define ISA_KVC_NUMBER_H

#include "box.h"

// Converts the number at `from` (encoding letter `from_letter`) to `to_letter`'s type at `to`, as a
// C cast does; where a cast from a floating type would be undefined the number is clamped to the
// type's range, and NaN gives 0. False if either is not a number.
bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to);

// Makes a number of the value's type, which is the letter of a number.
isa_status isa__number_make(char letter, const void *bytes, isa_id *out);

// Gives a class the messages that read a number, `charValue`, `intValue` and so on, each by
// kvc_number_read.
isa_status isa__numbers_add_readings(isa_class cls);

extern const struct isa__library_class isa__number_classes[2];

#endif
