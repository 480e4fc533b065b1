// Litmus tests of the reclamation protocol: one thread reads in sections as fast as it can, another
// unlinks one thing after the other.
#ifndef ISA_TEST_LITMUS_H
#define ISA_TEST_LITMUS_H

#include <stdbool.h>
#include <stdint.h>

// How many rounds a trial should have: 100000, a tenth of it under the thread sanitizer.
uint64_t isa_test_litmus_rounds(void);

typedef struct isa_test_litmus {
    uint64_t reads;      // things that the reader used
    uint64_t violations; // uses of a thing that the remover was already done with
    uint64_t freed;      // things given back
    uint64_t left;       // of the census: things removed and not given back
} isa_test_litmus;

// Has all threads do without the system's barrier if `on`, until the second is given what the first
// has answered. No other thread is inside the library.
bool isa_test_fences_begin(bool on);
void isa_test_fences_end(bool needed);

// The remover waits for checks after each unlinking; a use is a violation if it comes after that.
// `fences` makes both threads do without the asymmetric barrier.
isa_test_litmus isa_test_litmus_checks(uint64_t rounds, bool fences);

// The same of a function that one thread replaces while another calls it: a call is a violation if
// it is of a function whose replacement has returned.
isa_test_litmus isa_test_litmus_callouts(uint64_t rounds, bool fences);

// The remover retires each thing; a use is a violation if the thing has been freed.
isa_test_litmus isa_test_litmus_readers(uint64_t rounds, bool fences);

// The same of a thread's only section, without fences.
isa_test_litmus isa_test_litmus_first_readers(uint64_t rounds);

// A thread is in guards while another prepares to fork.
isa_test_litmus isa_test_litmus_forks(uint64_t rounds, bool fences);

// One thread removes from a record that another reads; it owns the record at first, or nobody does.
isa_test_litmus isa_test_litmus_census(uint64_t rounds, bool is_owned, bool fences);

// The same with a record for each round, which its owner removes from while another comes in.
isa_test_litmus isa_test_litmus_new_records(uint64_t rounds, bool fences);

// The same with a thread that becomes the owner while another comes in, and removes at once.
isa_test_litmus isa_test_litmus_new_owners(uint64_t rounds, bool fences);

// A thread becomes the owner while a signal has stopped another, at any instruction, on its way in.
isa_test_litmus isa_test_litmus_stopped_readers(uint64_t rounds);

// A thread is inside, by any of the ways in, while another removes twice.
isa_test_litmus isa_test_litmus_lasting_reads(uint64_t rounds, bool fences);

// A thread is inside an open record since before something is added, or so is the one that adds;
// meanwhile a removal from another record makes the barrier, and then what was added is removed.
isa_test_litmus isa_test_litmus_pending(uint64_t rounds, bool is_inside);

// How many of so many records, each of which something was added to, count their readers once a
// removal from another record has made the barrier. Another thread does nothing meanwhile. So many
// epochs have ended between the addition and another one.
uint64_t isa_test_litmus_shared_barrier(uint64_t records, uint64_t age);

// A thread that a removal has seen outside comes in and removes while that is held up.
isa_test_litmus isa_test_litmus_removers(uint64_t rounds);

// Things that are freed as a thread leaves a record set again, and must find nobody inside. Two are
// freed.
isa_test_litmus isa_test_litmus_leaving(void);

// Begins and ends a check of the calling thread, which meanwhile stands for one that has found a
// registration standing and not called it yet.
void isa_test_check_begin(void);
void isa_test_check_end(void);

#endif
