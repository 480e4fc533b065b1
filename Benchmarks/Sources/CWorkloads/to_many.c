// Rows of an ordered to-many key that is changed through its mutable proxy, one observer being told
// the indexes.
#include "stage.h"

#include <stdlib.h>

struct indexes_heard {
    uint64_t count;
    uint64_t sum;
};

struct shelf_row {
    isa_class cls;
    isa_id shelf;
    isa_id proxy;
    isa_id item;
    kvo_token token;
    struct indexes_heard heard;
    uint64_t failures;
    uint64_t expected_sum;
    size_t size; // which the shelf has before each run
};

static void hear_indexes(const kvo_change *change, void *info)
{
    struct indexes_heard *heard = info;
    heard->count++;
    heard->sum += change->indexes->ranges[0].start;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    struct shelf_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    row->cls = model_make_shelf();
    if (row->cls == NULL) return PAIRED_FAILED;
    row->shelf = model_allocate(row->cls);
    row->item = model_allocate(isa_root_class());
    if (row->shelf == NULL || row->item == NULL) return PAIRED_FAILED;
    isa_status status = kvc_proxy_make_array(row->shelf, "items", &row->proxy);
    row->size = *(const size_t *)self->data;
    for (size_t i = 0; i < row->size && status == ISA_OK; i++)
        status = kvc_ordered_insert(row->proxy, row->item, i);
    kvo_function function = { hear_indexes, &row->heard, NULL };
    if (status == ISA_OK)
        status = kvo_observe(row->shelf, "items", 0, &function, NULL, &row->token);
    if (status == ISA_OK) return PAIRED_READY;
    paired_reason("shelf: %s", isa_last_error()->reason);
    return PAIRED_FAILED;
}

static void insert(void *context, uint64_t count)
{
    struct shelf_row *row = context;
    size_t first = model_shelf_count(row->shelf);
    for (size_t i = first; i < first + count; i++)
        row->failures += kvc_ordered_insert(row->proxy, row->item, i) != ISA_OK;
}

// The inserted objects go; not timed, and nobody is told.
static void truncate_to_size(void *context, uint64_t count)
{
    struct shelf_row *row = context;
    row->failures += model_shelf_count(row->shelf) != row->size + count;
    row->expected_sum += row->size * count + paired_sum(count);
    model_shelf_truncate(row->shelf, row->size);
}

static bool check_inserted(void *context, uint64_t count)
{
    struct shelf_row *row = context;
    return row->failures == 0 && row->heard.count == count && row->heard.sum == row->expected_sum;
}

static void insert_and_remove(void *context, uint64_t count)
{
    struct shelf_row *row = context;
    size_t end = row->size;
    for (uint64_t i = 0; i < count; i++) {
        row->failures += kvc_ordered_insert(row->proxy, row->item, end) != ISA_OK;
        row->failures += kvc_ordered_remove(row->proxy, end) != ISA_OK;
    }
}

static bool check_pairs(void *context, uint64_t count)
{
    struct shelf_row *row = context;
    return row->failures == 0 && row->heard.count == 2 * count &&
           row->heard.sum == 2 * count * row->size && model_shelf_count(row->shelf) == row->size;
}

static void tear_down(void *context)
{
    struct shelf_row *row = context;
    kvo_token_release(row->token);
    isa_object_release(row->proxy);
    isa_object_release(row->shelf);
    isa_object_release(row->item);
    if (row->cls != NULL) model_dispose(row->cls);
    free(row);
}

#define SIZE(n) \
    { .name = "ordered-insert-remove-" #n, GROWTH("to-many", "elements", n), ISAKVO, \
      .operations = 2, .setup = set_up, .run = insert_and_remove, .check = check_pairs, \
      .teardown = tear_down, .data = &(const size_t){ n } }

static const paired_workload rows[] = {
    { .name = ROW_ORDERED_INSERT, .goal = GOAL_ORDERED_INSERT, ISAKVO, .largest_count = 20000,
      .setup = set_up, .run = insert, .finish = truncate_to_size, .check = check_inserted,
      .teardown = tear_down, .data = &(const size_t){ 10 } },
    SIZE(10), SIZE(100), SIZE(1000), SIZE(10000), SIZE(100000),
};

struct row_list to_many_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
