// All rows of the C engine in one array.
#include "engine_workloads.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

paired_workload *engine_copy_workloads(size_t *count)
{
    const struct row_list lists[] = {
        set_rows(),          path_rows(),   to_many_rows(), memory_rows(), limit_rows(),
        registration_rows(), ladder_rows(), key_rows(),     crowd_rows(),  thread_rows(),
        latency_rows(),      many_rows(),
    };
    size_t total = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) total += lists[i].count;
    paired_workload *rows = malloc(total * sizeof *rows);
    if (rows == NULL) return NULL;
    *count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        memcpy(rows + *count, lists[i].rows, lists[i].count * sizeof *rows);
        *count += lists[i].count;
    }
    return rows;
}
