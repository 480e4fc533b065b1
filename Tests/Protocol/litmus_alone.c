// The litmus tests of base/reclaim.h without the rest of the core, for scripts/test-protocol.sh.
//
// Arguments: how the names of the tests begin that are run, up to the first that fails; none: all.
// Output:    the names of those that fail.
// Status:    1 if any does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Sources/CIsa/base/reclaim.h"
#include "../CIsaTestSupport/include/litmus.h"

enum { ROUNDS = 20000 };

static int status;

__attribute__((constructor)) static void start(void)
{
    isa__reclaim_start();
}

static const char *wanted = "";

static bool is_wanted(const char *name)
{
    return strncmp(name, wanted, strlen(wanted)) == 0;
}

static void fail(const char *name, bool fences)
{
    printf("%s%s\n", name, fences ? " with fences" : "");
    status = 1;
    if (*wanted != 0) exit(status);
}

#define EXPECT(name, fences, trial) \
    do { \
        if (!is_wanted(name)) break; \
        isa_test_litmus result = trial; \
        if (result.violations != 0 || result.left != 0) fail(name, fences); \
    } while (0)

int main(int count, char **arguments)
{
    if (count > 1) wanted = arguments[1];
    for (int i = 0; i < 2; i++) {
        bool fences = i == 1;
        EXPECT("callouts", fences, isa_test_litmus_callouts(ROUNDS, fences));
        EXPECT("owned records", fences, isa_test_litmus_census(ROUNDS, true, fences));
        EXPECT("readers", fences, isa_test_litmus_census(ROUNDS, false, fences));
        EXPECT("new records", fences, isa_test_litmus_new_records(ROUNDS, fences));
        EXPECT("forks", fences, isa_test_litmus_forks(ROUNDS, fences));
        EXPECT("new owners", fences, isa_test_litmus_new_owners(ROUNDS / 20, fences));
        EXPECT("lasting reads", fences, isa_test_litmus_lasting_reads(ROUNDS / 20, fences));
    }
    EXPECT("stopped readers", false, isa_test_litmus_stopped_readers(ROUNDS / 40));
    EXPECT("pending, another inside", false, isa_test_litmus_pending(10, false));
    EXPECT("pending, itself inside", false, isa_test_litmus_pending(10, true));
    for (uint64_t age = 0; age < 40000 && is_wanted("shared barrier"); age += 5000)
        if (isa_test_litmus_shared_barrier(10, age) != 10) fail("shared barrier", false);
    EXPECT("two removers", false, isa_test_litmus_removers(10));
    EXPECT("leaving", false, isa_test_litmus_leaving());
    return status;
}
