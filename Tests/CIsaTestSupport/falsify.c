// Falsifies what the library assumes of the Swift runtime's layout, before anything asks for it, as
// the variable ISAKVO_FALSIFIED of the environment says.
#include <stdlib.h>

// Of IsaKVOTestSupport; NULL in a program that has no Swift.
__attribute__((weak)) void isakvo_test_falsify(const char *kinds);

__attribute__((constructor)) static void falsify(void)
{
    const char *kinds = getenv("ISAKVO_FALSIFIED");
    if (kinds != NULL && isakvo_test_falsify != NULL) isakvo_test_falsify(kinds);
}
