#include "scalars.h"

#include "../../Sources/CIsa/model/type.h"

#define ROW(code, type, name, ffi, kind, passed, boxed) \
    {(const char[]){code, 0}, \
     sizeof(type), \
     ISA_SCALAR_##kind >= ISA_SCALAR_SIGNED && ISA_SCALAR_##kind <= ISA_SCALAR_BOOL, \
     ISA_SCALAR_##kind == ISA_SCALAR_SIGNED, \
     ISA_SCALAR_##kind == ISA_SCALAR_FLOAT, \
     boxed},

static const isa_test_scalar scalars[] = {ISA_SCALARS(ROW)};

const isa_test_scalar *isa_test_scalars(size_t *count)
{
    *count = sizeof scalars / sizeof *scalars;
    return scalars;
}
