// Boxed values, and conversion between numbers.
#ifndef ISA_KVC_VALUE_H
#define ISA_KVC_VALUE_H

#include "kvc.h"

// Converts the number at `from` (encoding letter `from_letter`) to `to_letter`'s type at `to`, as a
// C cast does; where a cast from a floating type would be undefined the number is clamped to the
// type's range, and NaN gives 0. False if either is not a number.
bool isa__number_convert(char from_letter, const void *from, char to_letter, void *to);

// Makes the class IsaValue; forgets it.
isa_status isa__values_start(void);
void isa__values_stop(void);

#endif
