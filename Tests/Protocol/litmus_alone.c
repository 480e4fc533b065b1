// The litmus tests of base/reclaim.h without the rest of the core, for scripts/test-protocol.sh.
//
// Output:    the names of those that fail.
// Status:    1 if any does.
#include <stdio.h>

#include "../../Sources/CIsa/base/reclaim.h"
#include "../CIsaTestSupport/include/litmus.h"

enum { ROUNDS = 20000 };

static int status;

__attribute__((constructor)) static void start(void)
{
    isa__reclaim_start();
}

static void expect(const char *name, bool fences, isa_test_litmus result)
{
    if (result.violations == 0 && result.left == 0) return;
    printf("%s%s\n", name, fences ? " with fences" : "");
    status = 1;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        bool fences = i == 1;
        expect("callouts", fences, isa_test_litmus_callouts(ROUNDS, fences));
        expect("owned records", fences, isa_test_litmus_census(ROUNDS, true, fences));
        expect("readers", fences, isa_test_litmus_census(ROUNDS, false, fences));
        expect("new records", fences, isa_test_litmus_new_records(ROUNDS, fences));
        expect("forks", fences, isa_test_litmus_forks(ROUNDS, fences));
        expect("new owners", fences, isa_test_litmus_new_owners(ROUNDS / 20, fences));
        expect("lasting reads", fences, isa_test_litmus_lasting_reads(ROUNDS / 20, fences));
    }
    expect("stopped readers", false, isa_test_litmus_stopped_readers(ROUNDS / 40));
    expect("pending, another inside", false, isa_test_litmus_pending(10, false));
    expect("pending, itself inside", false, isa_test_litmus_pending(10, true));
    for (uint64_t age = 0; age < 40000; age += 5000)
        if (isa_test_litmus_shared_barrier(10, age) != 10) status = 1, puts("shared barrier");
    expect("two removers", false, isa_test_litmus_removers(10));
    expect("leaving", false, isa_test_litmus_leaving());
    return status;
}
