// Declarations that running and printing share.
#ifndef APPLICATIONS_INTERNAL_H
#define APPLICATIONS_INTERNAL_H

#include "run.h"

enum { RUNS = 2 }; // of each application in a process: for throughput, and with operations timed

struct measured {
    size_t operations;
    double per_second;
    double p50; // nanoseconds
    double p99;
    struct answer answers[RUNS];
};

// false: no memory.
bool application_measure(const struct application *application, const struct script *script,
                         struct measured *out);

#endif
