// The C engine's driver.
#include "allocations.h"
#include "engine_workloads.h"

#include <stdio.h>
#include <stdlib.h>

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
    int code = paired_main(workloads, count, argc, argv);
    free(workloads);
    return code;
}
