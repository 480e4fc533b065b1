// A second thread beside the measured one, which does one thing again and again.
#ifndef ENGINE_COMPANION_H
#define ENGINE_COMPANION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LINE = 128 }; // bytes that no two threads may share: two cache lines

struct companion {
    void (*step)(void *context); // one round
    void *context;
    uint64_t every_ns; // from the start of a round to that of the next; 0: as fast as it can
    atomic_bool is_over;
    atomic_ullong rounds; // that it has done
    bool is_running;
    pthread_t thread;
};

// Whether two threads can run at the same time; false: a reason is given.
bool companion_is_possible(void);

// Starts the thread and waits for its first round. Returns false, and has given a reason, if it
// cannot be started.
bool companion_start(struct companion *companion, void (*step)(void *), void *context,
                     uint64_t every_ns);

// Ends the thread after its present round, if it runs.
void companion_stop(struct companion *companion);

#endif
