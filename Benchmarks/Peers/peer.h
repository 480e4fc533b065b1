// Code that the peers' drivers share: what an observer heard.
//
// No peer hands an observer the value before the change, so an observer here remembers the value it
// was told last: the work is that of one who asked for old and new.
#ifndef PEER_H
#define PEER_H

#include "paired.h"
#include "paired_rows.h"

struct heard {
    uint64_t count;
    uint64_t sum; // of new values once and old ones twice
    uint64_t last;
};

static inline void hear(struct heard *heard, int64_t value)
{
    heard->count++;
    heard->sum += (uint64_t)value + 2 * heard->last;
    heard->last = (uint64_t)value;
}

// Whether it heard of all of 0, 1, … count - 1, set in this order over a 0.
static inline bool has_heard(const struct heard *heard, uint64_t count)
{
    uint64_t olds = count > 0 ? paired_sum(count - 1) : 0;
    if (heard->count == count && heard->sum == paired_sum(count) + 2 * olds) return true;
    paired_reason("heard %llu changes instead of %llu, or other values than were set",
                  (unsigned long long)heard->count, (unsigned long long)count);
    return false;
}

static inline bool all_have_heard(const struct heard *heard, size_t observers, uint64_t count)
{
    for (size_t i = 0; i < observers; i++)
        if (!has_heard(&heard[i], count)) return false;
    return true;
}

// Of two objects whose numbers are 1 and 2, set in turn: 1 + 2 + 1 + 2 + …
static inline uint64_t alternating_sum(uint64_t count)
{
    return count + count / 2;
}

enum { FRESH_COUNT = 100000 }; // objects whose bytes are counted

#endif
