// A sequence of numbers that is the same everywhere.
#ifndef APPLICATIONS_RANDOM_H
#define APPLICATIONS_RANDOM_H

#include "script.h"

struct random {
    uint64_t state;
};

// A number below `bound`.
static inline uint32_t draw(struct random *random, size_t bound)
{
    random->state += 0x9e3779b97f4a7c15u;
    return (uint32_t)(scramble(random->state) % bound);
}

// A number from 1 to `bound` that is not `other`.
static inline int64_t draw_other(struct random *random, size_t bound, int64_t other)
{
    int64_t drawn = 1 + (int64_t)draw(random, bound);
    return drawn != other ? drawn : drawn % (int64_t)bound + 1;
}

#endif
