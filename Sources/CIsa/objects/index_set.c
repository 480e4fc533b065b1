// Index sets: ascending ranges that do not touch.
//
// Owns:  a set owns its ranges, one block of exactly `range_count`.
// Locks: none; a set that nobody changes may be read by any thread.
#include <stdlib.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/status.h"
#include "kvc_collections.h"

static int compare_indexes(const void *first, const void *second)
{
    size_t a = *(const size_t *)first, b = *(const size_t *)second;
    return a < b ? -1 : a > b;
}

// Writes the ranges of sorted indexes to `ranges`, unless NULL, and answers how many they are.
static size_t write_ranges(const size_t *indexes, size_t count, kvc_range *ranges)
{
    size_t written = 0;
    size_t end = 0; // of the range at hand
    for (size_t i = 0; i < count; i++) {
        if (written > 0 && indexes[i] < end) continue;
        bool touches = written > 0 && indexes[i] == end;
        end = indexes[i] + 1;
        if (!touches) written++;
        if (ranges == NULL) continue;
        if (touches) ranges[written - 1].count++;
        else ranges[written - 1] = (kvc_range){.start = indexes[i], .count = 1};
    }
    return written;
}

static isa_status no_memory(size_t count)
{
    return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a set of %zu indexes", count);
}

static isa_status make_ranges(size_t count, kvc_index_set *out)
{
    *out = (kvc_index_set){.range_count = count};
    if (count == 0) return ISA_OK;
    out->ranges = isa__alloc(ISA_KIND_OTHER, count * sizeof *out->ranges);
    return out->ranges == NULL ? no_memory(count) : ISA_OK;
}

static isa_status check_index(size_t index)
{
    if (index < KVC_NOT_FOUND) return ISA_OK;
    // A number above that was negative where it was given.
    return isa__fail(KVC_ERR_RANGE, NULL, "index %td is no index: those are 0 to %zu",
                     (ptrdiff_t)index, KVC_NOT_FOUND - 1);
}

static isa_status make_sorted(const size_t *indexes, size_t count, kvc_index_set *out)
{
    kvc_index_set made;
    if (count > 0) {
        isa_status status = check_index(indexes[count - 1]);
        if (status != ISA_OK) return status;
    }
    isa_status status = make_ranges(write_ranges(indexes, count, NULL), &made);
    if (status != ISA_OK) return status;
    write_ranges(indexes, count, made.ranges);
    for (size_t i = 0; i < made.range_count; i++) made.count += made.ranges[i].count;
    *out = made;
    return ISA_OK;
}

static bool is_sorted(const size_t *indexes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (indexes[i - 1] > indexes[i]) return false;
    return true;
}

isa_status kvc_index_set_make(const size_t *indexes, size_t count, kvc_index_set *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    if (indexes == NULL && count > 0)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "no indexes to make a set of");
    if (is_sorted(indexes, count)) return make_sorted(indexes, count, out);
    size_t size = count * sizeof *indexes;
    size_t *sorted = isa__alloc(ISA_KIND_OTHER, size);
    if (sorted == NULL) return no_memory(count);
    memcpy(sorted, indexes, size);
    qsort(sorted, count, sizeof *sorted, compare_indexes);
    isa_status status = make_sorted(sorted, count, out);
    isa__free(ISA_KIND_OTHER, sorted, size);
    return status;
}

isa_status kvc_index_set_make_range(size_t start, size_t count, kvc_index_set *out)
{
    if (out == NULL) return isa__fail_null(__func__, "out");
    kvc_index_set made;
    isa_status status = check_index(start);
    if (status == ISA_OK && count > KVC_NOT_FOUND - start) status = check_index(KVC_NOT_FOUND);
    if (status == ISA_OK) status = make_ranges(count > 0, &made);
    if (status != ISA_OK) return status;
    if (count > 0) made.ranges[0] = (kvc_range){.start = start, .count = count};
    made.count = count;
    *out = made;
    return ISA_OK;
}

isa_status kvc_index_set_copy(const kvc_index_set *set, kvc_index_set *out)
{
    if (set == NULL || out == NULL) return isa__fail_null(__func__, "set or out");
    kvc_index_set made;
    isa_status status = make_ranges(set->range_count, &made);
    if (status != ISA_OK) return status;
    if (made.ranges != NULL)
        memcpy(made.ranges, set->ranges, set->range_count * sizeof *set->ranges);
    made.count = set->count;
    *out = made;
    return ISA_OK;
}

void kvc_index_set_destroy(kvc_index_set *set)
{
    ISA_REQUIRE_NOT_NULL(set);
    isa__free(ISA_KIND_OTHER, set->ranges, set->range_count * sizeof *set->ranges);
    *set = (kvc_index_set){0};
}

// ---- questions ----------------------------------------------------------------------------------

bool kvc_index_set_contains(const kvc_index_set *set, size_t index)
{
    ISA_REQUIRE_NOT_NULL(set);
    size_t low = 0, high = set->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->ranges[middle].start <= index) low = middle + 1;
        else high = middle;
    }
    return low > 0 && index - set->ranges[low - 1].start < set->ranges[low - 1].count;
}

bool kvc_index_set_equal(const kvc_index_set *first, const kvc_index_set *second)
{
    ISA_REQUIRE_NOT_NULL(first);
    ISA_REQUIRE_NOT_NULL(second);
    if (first->range_count != second->range_count) return false;
    if (first->range_count == 0) return true;
    return memcmp(first->ranges, second->ranges, first->range_count * sizeof *first->ranges) == 0;
}

size_t kvc_index_set_last(const kvc_index_set *set)
{
    ISA_REQUIRE_NOT_NULL(set);
    if (set->range_count == 0) return KVC_NOT_FOUND;
    const kvc_range *last = &set->ranges[set->range_count - 1];
    return last->start + last->count - 1;
}

bool kvc_index_set_next(const kvc_index_set *set, kvc_index_walk *walk, size_t *index)
{
    ISA_REQUIRE_NOT_NULL(set);
    ISA_REQUIRE_NOT_NULL(walk);
    ISA_REQUIRE_NOT_NULL(index);
    if (walk->range >= set->range_count) return false;
    const kvc_range *range = &set->ranges[walk->range];
    *index = range->start + walk->offset++;
    if (walk->offset == range->count) *walk = (kvc_index_walk){.range = walk->range + 1};
    return true;
}
