// Many observed objects, of which each set takes another.
#ifndef ENGINE_CROWD_H
#define ENGINE_CROWD_H

#include "stage.h"

typedef enum crowd_order {
    CROWD_IN_ORDER,  // as they were made
    CROWD_AT_RANDOM, // in an order that is read from an array, ahead of the sets
    CROWD_IN_CHAIN,  // the same, and each object holds the address of the next
} crowd_order;

// Puts addresses into an order that is none in memory, the same each time.
void crowd_shuffle(void **objects, size_t count);

// The bare programs that do what the rows of that name do, as their rivals.
extern const paired_workload crowd_bare_independent, crowd_bare_dependent;

#endif
