// The C engine's driver.
#include "allocations.h"
#include "engine_workloads.h"

#include <stdio.h>
#include <stdlib.h>

// Of the core as `make install` builds it the table is enough.
static size_t choose(paired_workload *workloads, size_t count)
{
#if defined(ENGINE_SUBJECT)
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        if (workloads[i].group == PAIRED_TABLE) workloads[chosen++] = workloads[i];
    return chosen;
#else
    (void)workloads;
    return count;
#endif
}

int main(int argc, char **argv)
{
    size_t count = 0;
    engine_count_allocations = allocation_counter();
    paired_workload *workloads = engine_copy_workloads(&count);
    if (workloads == NULL) {
        fputs("engine-c: no memory\n", stderr);
        return 1;
    }
    paired_run_beside(engine_bare_program());
    paired_surround_by(engine_surroundings());
    int code = paired_main(workloads, choose(workloads, count), argc, argv);
    free(workloads);
    return code;
}
