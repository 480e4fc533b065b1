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
    double call_ns;  // a plain indirect call, before and after
    double others;   // share of the machine's processors that other programs had; 0 where unknown
    bool is_steady;  // neither others nor the machine's speed were in the way
    struct answer answers[RUNS];
};

// false: no memory.
bool application_measure(const struct application *application, const struct script *script,
                         struct measured *out);

#endif
