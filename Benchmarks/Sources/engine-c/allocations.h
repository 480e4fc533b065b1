// How many heap blocks this process has asked for.
#ifndef ENGINE_C_ALLOCATIONS_H
#define ENGINE_C_ALLOCATIONS_H

#include <stdint.h>

// The function that answers it, for the calling thread; NULL where malloc cannot be stood in for.
uint64_t (*allocation_counter(void))(void);

#endif
