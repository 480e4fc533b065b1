// Litmus tests of the reclamation protocol: one thread reads under marks as fast as it can, another
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
} isa_test_litmus;

// The remover waits for checks after each unlinking; a use is a violation if it comes after that.
// `fences` makes both threads do without the asymmetric barrier.
isa_test_litmus isa_test_litmus_checks(uint64_t rounds, bool fences);

// The remover retires each thing; a use is a violation if the thing has been freed.
isa_test_litmus isa_test_litmus_marks(uint64_t rounds, bool fences);

// The same of a thread's only mark, without fences.
isa_test_litmus isa_test_litmus_first_marks(uint64_t rounds);

// Begins and ends a check of the calling thread, which meanwhile stands for one that has found a
// registration standing and not called it yet.
void isa_test_check_begin(void);
void isa_test_check_end(void);

#endif
