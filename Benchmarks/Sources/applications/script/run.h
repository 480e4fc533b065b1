// Runs a subject's applications, and prints one line of JSON for each.
#ifndef APPLICATIONS_RUN_H
#define APPLICATIONS_RUN_H

#include "script.h"

#ifdef __cplusplus
extern "C" {
#endif

// An application of a subject, by the subject's own means.
struct application {
    const char *name; // the script's
    // Makes the objects and whoever observes them, before the first operation.
    void *(*make)(void);
    // Carries out an operation; of a script with locks, under the lock of its place.
    void (*perform)(void *context, unsigned thread, const struct operation *operation);
    // Says what was told, and what the objects' values are. Called once, after the last operation.
    void (*answer)(void *context, struct answer *out);
    void (*end)(void *context);
    // On each thread of a script of several, before its operations and after; may be NULL.
    void *(*enter)(void);
    void (*leave)(void *entered);
    // Why it cannot be run with this subject; NULL: it can.
    const char *not_run;
};

struct subject {
    const char *name;     // "isakvo", "gobject", …
    const char *language; // "C", …
    const struct application *applications;
    size_t count;
};

// The driver's whole main function; `--help` lists the command line. Each application is run
// twice: once for its throughput, and once with each operation timed.
//
// Shape:  application, subject, language, operations, threads, right; per_second, p50_ns and
//         p99_ns, each a list of one; instead of the figures not_run, with the reason, where that
//         is so.
// Result: 0; 1: an answer is wrong; 2: the command line is wrong.
int applications_main(const struct subject *subject, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
