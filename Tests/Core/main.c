// Checks every area of the core; prints what is not as it should be, and the number of checks.
//
// Arguments: the names of the areas to check; none: all. `functions` alone prints the public
//            functions that are called with their allocations failing, `statuses` those that are
//            called without arguments.
// Status:    1 if a check does not hold.
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_testing.h"

static int checks;
static int failures;

void check(bool holds, const char *file, int line, const char *condition)
{
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    if (holds) return;
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    printf("%s:%d: %s (last error: %s)\n", file, line, condition, isa_last_error()->reason);
}

int failure_count(void)
{
    return failures;
}

void must(isa_status status)
{
    if (status == ISA_OK) return;
    printf("core: %s\n", isa_last_error()->reason);
    exit(1);
}

isa_id make_object(isa_class cls)
{
    isa_id object;
    must(isa_object_allocate(cls, &object));
    return object;
}

void set_child(isa_id node, isa_id child)
{
    ISA_SEND(void (*)(isa_id, isa_sel, isa_id), node, isa_sel_register("setChild:"), child);
}

void set_count(isa_id node, int64_t count)
{
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), node, isa_sel_register("setCount:"), count);
}

char *make_path(int keys)
{
    static const char link[] = "child.", end[] = "count";
    size_t length = sizeof link - 1;
    char *path = malloc((size_t)keys * length);
    for (int i = 0; i < keys - 1; i++) memcpy(path + (size_t)i * length, link, length);
    memcpy(path + (size_t)(keys - 1) * length, end, sizeof end);
    return path;
}

static void check_count(const char *area, const char *name, int64_t before, int64_t after)
{
    CHECK(before == after);
    if (before != after) printf("  %s: %" PRId64 " more %s\n", area, after - before, name);
}

// Checks an area, and that it leaves behind only what is permanent.
static void check_area(const char *name, void (*area)(void))
{
    isa_live_counts before = isa_testing_live_counts();
    area();
    isa_live_counts after = isa_testing_live_counts();
    check_count(name, "objects", before.objects, after.objects);
    check_count(name, "classes", before.classes, after.classes);
    check_count(name, "side records", before.side_records, after.side_records);
    check_count(name, "registrations", before.registrations, after.registrations);
    check_count(name, "lists", before.lists, after.lists);
    check_count(name, "pending changes", before.pending, after.pending);
    check_count(name, "trampolines", before.trampolines, after.trampolines);
}

static const struct {
    const char *name;
    void (*check)(void);
} areas[] = {
    {"calls", check_calls},         {"classes", check_classes}, {"setters", check_setters},
    {"observing", check_observing}, {"threads", check_threads}, {"leaving", check_leaving},
    {"memory", check_memory},       {"others", check_others},   {"depth", check_depth},
    {"ways", check_ways},           {"nulls", check_nulls},     {"typed", check_typed},
    {"scale", check_scale},         {"tracing", check_tracing}, {"confined", check_confined},
    {"events", check_events},
};

static bool is_asked_for(const char *name, int count, char **names)
{
    for (int i = 1; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return count < 2;
}

static bool is_area(const char *name)
{
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        if (strcmp(areas[i].name, name) == 0) return true;
    return false;
}

int main(int count, char **names)
{
    if (count == 2 && strcmp(names[1], "functions") == 0) {
        print_functions();
        return 0;
    }
    if (count == 2 && strcmp(names[1], "statuses") == 0) {
        print_statuses();
        return 0;
    }
    for (int i = 1; i < count; i++)
        if (!is_area(names[i])) return fprintf(stderr, "there is no area %s\n", names[i]), 2;
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        if (is_asked_for(areas[i].name, count, names)) check_area(areas[i].name, areas[i].check);
    printf("%d checks, %d failures\n", checks, failures);
    return failures > 0;
}
