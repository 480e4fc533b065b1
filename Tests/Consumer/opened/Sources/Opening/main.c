// A host without Swift: Observation comes with the library.
#include "host.h"

int main(int argc, char **argv)
{
    (void)argc;
    return host_open(argv[0]) ? 0 : 1;
}
