// The bytes of the heap, as the C library counts them.
#include "paired.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

double paired_allocated_bytes(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    paired_reason("the C library does not tell what it has allocated (mallinfo2)");
    return -1;
#endif
}
