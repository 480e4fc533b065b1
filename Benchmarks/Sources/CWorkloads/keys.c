// The row that writes by key in a program of many keys: each write is to another pair of a class
// and a key, in an order that is none in memory, of an object that nobody observes. The pairs are
// those of the surroundings; where there are none, the row makes as many.
#include "surroundings.h"

#include "crowd.h"

#include <stdlib.h>

struct keys_row {
    struct vocabulary *own; // NULL: the surroundings'
    struct pair *order[PAIR_COUNT];
    uint64_t written; // how many values: 0, 1, 2, …
    uint64_t failures;
};

static bool open_own(struct keys_row *row)
{
    row->own = calloc(1, sizeof *row->own);
    return row->own != NULL && vocabulary_open(row->own) && vocabulary_use(row->own);
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    (void)self;
    struct keys_row *row = calloc(1, sizeof *row);
    *context = row;
    if (row == NULL) return PAIRED_FAILED;
    struct vocabulary *vocabulary = surroundings_vocabulary();
    if (vocabulary == NULL) {
        if (!open_own(row)) return PAIRED_FAILED;
        vocabulary = row->own;
    }
    for (size_t i = 0; i < PAIR_COUNT; i++) row->order[i] = &vocabulary->pairs[i];
    crowd_shuffle((void **)row->order, PAIR_COUNT);
    return PAIRED_READY;
}

static void write_each(void *context, uint64_t count)
{
    struct keys_row *row = context;
    uint64_t first = row->written, end = first + count;
    size_t place = (size_t)(first % PAIR_COUNT);
    for (uint64_t i = first; i < end; i++) {
        int64_t value = (int64_t)i;
        const struct pair *pair = row->order[place];
        row->failures += kvc_write(pair->plain, pair->key, (kvc_value){ "q", &value }) != ISA_OK;
        if (++place == PAIR_COUNT) place = 0;
    }
    row->written = end;
}

// Whether the pair in that place has the value that was written to it last.
static bool is_written(const struct keys_row *row, uint64_t place)
{
    int64_t value = -1;
    const char *types = NULL;
    const struct pair *pair = row->order[place];
    if (place >= row->written) return true;
    uint64_t last = place + (row->written - 1 - place) / PAIR_COUNT * PAIR_COUNT;
    return kvc_read(pair->plain, pair->key, &value, sizeof value, &types) == ISA_OK &&
           value == (int64_t)last;
}

static bool check(void *context, uint64_t count)
{
    struct keys_row *row = context;
    if (row->failures != 0 || row->written != count) return false;
    for (uint64_t place = 0; place < PAIR_COUNT; place++)
        if (!is_written(row, place)) return false;
    return true;
}

static void tear_down(void *context)
{
    struct keys_row *row = context;
    if (row->own != NULL) vocabulary_close(row->own);
    free(row->own);
    free(row);
}

static const paired_workload rows[] = {
    { .name = ROW_WRITE_BY_KEY, .goal = GOAL_WRITE_BY_KEY, ISAKVO, .setup = set_up,
      .run = write_each, .check = check, .teardown = tear_down },
};

struct row_list key_rows(void)
{
    return (struct row_list){ rows, sizeof rows / sizeof *rows };
}
