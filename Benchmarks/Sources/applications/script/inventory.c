// Writes the inventory's script. The plain model is what a program does that keeps its own books.
#include "parts.h"
#include "random.h"

enum { MOST_ITEMS = INVENTORY_ITEMS + INVENTORY_EDITS };
enum { LARGEST_PRICE = 1000, LARGEST_QUANTITY = 100, LARGEST_DISCOUNT = 500 };
enum { RECENT_ROWS = 256 };

struct plain_item {
    int64_t price;
    int64_t quantity;
};

struct plain {
    struct office office; // whose list is the list of items as well
    struct plain_item items[MOST_ITEMS]; // by their numbers
    int64_t item_count;
    int64_t net;
    int64_t discount;
};

static struct plain_item *item_in_row(struct plain *plain, size_t row, int64_t *number)
{
    *number = plain->office.list.numbers[row];
    return &plain->items[*number];
}

// ---- what is done -------------------------------------------------------------------------------

static int64_t value_of(const struct plain_item *item)
{
    return item->price * item->quantity;
}

static void add(struct plain *plain, int64_t value)
{
    plain->net += value;
    office_show_total(&plain->office, plain->net - plain->discount);
}

static void set(struct plain *plain, enum inventory_operation kind, struct plain_item *item,
                int64_t value)
{
    int64_t number = item - plain->items, before = value_of(item);
    int64_t *field = kind == INVENTORY_SET_PRICE ? &item->price : &item->quantity;
    int64_t old = *field;
    *field = value;
    office_note_set(&plain->office, kind, item, number, old);
    office_add(&plain->office, number, before, value_of(item));
    add(plain, value_of(item) - before);
}

static void set_discount(struct plain *plain, int64_t value)
{
    int64_t old = plain->discount;
    plain->discount = value;
    office_note_set(&plain->office, INVENTORY_SET_DISCOUNT, NULL, -1, old);
    office_show_total(&plain->office, plain->net - value);
}

static void insert(struct plain *plain, int64_t number, size_t row)
{
    struct plain_item *item = &plain->items[number];
    office_insert_row(&plain->office, row, number);
    office_note_row(&plain->office, INVENTORY_INSERT, item, number, row);
    add(plain, value_of(item));
}

static void remove_row(struct plain *plain, size_t row)
{
    int64_t number = 0;
    struct plain_item *item = item_in_row(plain, row, &number);
    office_remove_row(&plain->office, row);
    office_note_row(&plain->office, INVENTORY_REMOVE, item, number, row);
    add(plain, -value_of(item));
}

static void undo(struct plain *plain)
{
    struct undo_stack *stack = &plain->office.undo;
    struct undo record = undo_pop(stack);
    struct plain_item *item = record.item;
    stack->is_undoing = true;
    switch (record.done) {
    case INVENTORY_SET_PRICE:
    case INVENTORY_SET_QUANTITY: set(plain, record.done, item, record.value); break;
    case INVENTORY_SET_DISCOUNT: set_discount(plain, record.value); break;
    case INVENTORY_INSERT: remove_row(plain, record.row); break;
    case INVENTORY_REMOVE: insert(plain, item - plain->items, record.row); break;
    case INVENTORY_UNDO: break;
    }
    stack->is_undoing = false;
}

// ---- the operations -----------------------------------------------------------------------------

static struct operation do_insert(struct plain *plain, size_t row)
{
    int64_t number = plain->item_count++;
    plain->items[number] =
        (struct plain_item){ inventory_price(number), inventory_quantity(number) };
    insert(plain, number, row);
    return (struct operation){ .kind = INVENTORY_INSERT, .place = (uint32_t)row,
                               .value = number };
}

static struct operation do_remove(struct plain *plain, uint32_t row)
{
    remove_row(plain, row);
    return (struct operation){ .kind = INVENTORY_REMOVE, .place = row };
}

static struct operation do_set(struct plain *plain, enum inventory_operation kind,
                               struct random *random)
{
    int64_t number = 0;
    uint32_t row = draw(random, plain->office.list.count);
    struct plain_item *item = item_in_row(plain, row, &number);
    int64_t value = kind == INVENTORY_SET_PRICE
                        ? draw_other(random, LARGEST_PRICE, item->price)
                        : draw_other(random, LARGEST_QUANTITY, item->quantity);
    set(plain, kind, item, value);
    return (struct operation){ .kind = kind, .place = row, .value = value };
}

static struct operation do_set_discount(struct plain *plain, struct random *random)
{
    int64_t value = draw_other(random, LARGEST_DISCOUNT, plain->discount);
    set_discount(plain, value);
    return (struct operation){ .kind = INVENTORY_SET_DISCOUNT, .value = value };
}

// Rows come and go near the end of the list, so that little of the time is that of moving the rows
// behind them, which is no matter of observing.
static uint32_t draw_recent(struct random *random, size_t count)
{
    return (uint32_t)count - 1 - draw(random, RECENT_ROWS);
}

// Of a hundred operations 40 set a price, 25 a quantity, 5 the discount; 8 insert, 8 remove, 14
// undo.
static struct operation do_any(struct plain *plain, struct random *random)
{
    size_t count = plain->office.list.count;
    uint32_t dice = draw(random, 100);
    if (dice < 40) return do_set(plain, INVENTORY_SET_PRICE, random);
    if (dice < 65) return do_set(plain, INVENTORY_SET_QUANTITY, random);
    if (dice < 70) return do_set_discount(plain, random);
    if (dice < 78) return do_insert(plain, draw_recent(random, count + 1));
    if (dice < 86) return do_remove(plain, draw_recent(random, count));
    undo(plain);
    return (struct operation){ .kind = INVENTORY_UNDO };
}

static void write_answer(struct plain *plain, struct answer *out)
{
    office_answer(&plain->office, plain->net - plain->discount, out);
    for (size_t row = 0; row < plain->office.list.count; row++) {
        int64_t number = 0;
        struct plain_item *item = item_in_row(plain, row, &number);
        answer_add_item(out, number, item->price, item->quantity);
    }
}

bool inventory_write(struct script *out)
{
    struct random random = { 1 };
    struct plain *plain = calloc(1, sizeof *plain);
    *out = (struct script){ .name = "inventory", .observers = { "undo", "sum", "window", "list" },
                            .threads = 1, .count = INVENTORY_ITEMS + INVENTORY_EDITS,
                            .untimed = INVENTORY_ITEMS };
    struct operation *operations = calloc(out->count, sizeof *operations);
    out->operations[0] = operations;
    if (plain == NULL || operations == NULL) {
        free(plain);
        return false;
    }
    for (size_t i = 0; i < out->untimed; i++) operations[i] = do_insert(plain, i);
    for (size_t i = out->untimed; i < out->count; i++) operations[i] = do_any(plain, &random);
    write_answer(plain, &out->expected);
    office_free(&plain->office);
    free(plain);
    return true;
}
