// Observers in C: a tally that any thread may add to, and a class of observers that are objects.
#ifndef ISA_TEST_OBSERVER_H
#define ISA_TEST_OBSERVER_H

#include "isa.h"

// The notifications that a function observer has been told, counted. Read with isa_test_tally_read.
typedef struct isa_test_tally {
    int64_t changes;   // notifications after a change
    int64_t priors;
    int64_t initials;
    int64_t old_sum;   // of values "q"
    int64_t new_sum;
    int64_t releases;  // of the tally as a function's info
    int64_t late;      // notifications while `closed`
    int64_t closed;
} isa_test_tally;

isa_test_tally isa_test_tally_read(const isa_test_tally *tally);

// From now on each notification counts as late as well.
void isa_test_tally_close(isa_test_tally *tally);

// Callback and release of a function observer whose info is a tally.
void isa_test_tally_change(const kvo_change *change, void *tally);
void isa_test_tally_release(void *tally);

// A function observer that ends its registration by its token as soon as it is told. Read with
// isa_test_handle_read.
typedef struct isa_test_handle {
    kvo_token token; // where kvo_observe is to put it
    int64_t told;
    int64_t unknown; // told while there was no token yet
    int64_t ended;   // told, and ended the registration
} isa_test_handle;

isa_test_handle isa_test_handle_read(const isa_test_handle *handle);
void isa_test_handle_change(const kvo_change *change, void *handle);

// Makes and registers a class `name` of observers that hand what they are told to a function.
isa_status isa_test_observer_make(const char *name, isa_class *out);

// The function that an instance of it calls, with `info`, which is released when the instance is
// deallocated.
void isa_test_observer_set(isa_id observer, const kvo_function *function);

// How often an instance was told other arguments than its change record says, in all.
int64_t isa_test_observer_mismatches(void);

#endif
