// The core's own table of scalars, for tests that go through all of them.
#ifndef ISA_TEST_SCALARS_H
#define ISA_TEST_SCALARS_H

#include "isa.h"

typedef struct isa_test_scalar {
    const char *encoding;
    size_t size;
    bool is_integer;
    bool is_signed; // an integer
    bool is_float;
    bool is_boxed;  // by Foundation
} isa_test_scalar;

const isa_test_scalar *isa_test_scalars(size_t *count);

#endif
