// The inventory by GObject: handlers of notify for price, quantity, value, discount and total, and
// of a list store's items-changed for the list.
//
// A handler is not told the value before, nor which item was removed. So the document has a watch
// for each item, with the values that it saw last, and its own list of watches.
#include "objects.h"

struct desk {
    struct office office;
    Inventory *inventory;
    GPtrArray *watches; // in the order of the rows
    int64_t discount;   // seen last
};

// ---- the document -------------------------------------------------------------------------------

enum { WATCHED = 3 }; // properties of an item

struct watch {
    struct desk *desk;
    Item *item;
    int64_t price;
    int64_t quantity;
    int64_t value;
    gulong handlers[WATCHED];
};

static void note_price(Item *item, GParamSpec *spec, struct watch *watch)
{
    (void)spec;
    office_note_set(&watch->desk->office, INVENTORY_SET_PRICE, item, item->number, watch->price);
    watch->price = item->price;
}

static void note_quantity(Item *item, GParamSpec *spec, struct watch *watch)
{
    (void)spec;
    office_note_set(&watch->desk->office, INVENTORY_SET_QUANTITY, item, item->number,
                    watch->quantity);
    watch->quantity = item->quantity;
}

static void note_discount(Inventory *inventory, GParamSpec *spec, struct desk *desk)
{
    (void)spec;
    office_note_set(&desk->office, INVENTORY_SET_DISCOUNT, NULL, -1, desk->discount);
    desk->discount = inventory->discount;
}

static void add_to_net(struct desk *desk, int64_t value)
{
    inventory_set_net(desk->inventory, desk->inventory->net + value);
}

static void add_value(Item *item, GParamSpec *spec, struct watch *watch)
{
    int64_t old = watch->value, value = item_get_value(item);
    (void)spec;
    watch->value = value;
    office_add(&watch->desk->office, item->number, old, value);
    add_to_net(watch->desk, value - old);
}

static struct watch *begin_item(struct desk *desk, Item *item)
{
    struct watch *watch = g_new(struct watch, 1);
    *watch = (struct watch){
        .desk = desk, .item = item, .price = item->price, .quantity = item->quantity,
        .value = item_get_value(item),
        .handlers = {
            g_signal_connect(item, "notify::price", G_CALLBACK(note_price), watch),
            g_signal_connect(item, "notify::quantity", G_CALLBACK(note_quantity), watch),
            g_signal_connect(item, "notify::value", G_CALLBACK(add_value), watch),
        },
    };
    return watch;
}

static void end_item(struct watch *watch)
{
    for (int i = 0; i < WATCHED; i++)
        g_signal_handler_disconnect(watch->item, watch->handlers[i]);
    g_free(watch);
}

// The store has let go of the item; only the undo record's reference keeps it, taken before that.
static void follow_removal(struct desk *desk, guint row)
{
    struct watch *watch = g_ptr_array_steal_index(desk->watches, row);
    Item *item = watch->item;
    int64_t value = watch->value;
    end_item(watch);
    bool is_noted = office_note_row(&desk->office, INVENTORY_REMOVE, item, item->number, row);
    add_to_net(desk, -value);
    if (!is_noted) g_object_unref(item);
}

static void follow_insertion(struct desk *desk, Item *item, guint row)
{
    g_ptr_array_insert(desk->watches, (gint)row, begin_item(desk, item));
    office_note_row(&desk->office, INVENTORY_INSERT, item, item->number, row);
    add_to_net(desk, item_get_value(item));
}

static void follow_items(GListModel *items, guint row, guint removed, guint added,
                         struct desk *desk)
{
    if (removed > 0) follow_removal(desk, row);
    if (added == 0) return;
    Item *item = g_list_model_get_item(items, row);
    follow_insertion(desk, item, row);
    g_object_unref(item);
}

// ---- window and list ----------------------------------------------------------------------------

static void show_total(Inventory *inventory, GParamSpec *spec, struct office *office)
{
    (void)spec;
    office_show_total(office, inventory_get_total(inventory));
}

static void show_items(GListModel *items, guint row, guint removed, guint added,
                       struct office *office)
{
    if (removed > 0) office_remove_row(office, row);
    if (added == 0) return;
    Item *item = g_list_model_get_item(items, row);
    office_insert_row(office, row, item->number);
    g_object_unref(item);
}

// ---- the application ----------------------------------------------------------------------------

static void *make(void)
{
    struct desk *desk = g_new0(struct desk, 1);
    desk->inventory = inventory_new();
    desk->watches = g_ptr_array_new();
    GObject *inventory = (GObject *)desk->inventory, *items = (GObject *)desk->inventory->items;
    g_signal_connect(inventory, "notify::total", G_CALLBACK(show_total), &desk->office);
    g_signal_connect(inventory, "notify::discount", G_CALLBACK(note_discount), desk);
    g_signal_connect(items, "items-changed", G_CALLBACK(show_items), &desk->office);
    g_signal_connect(items, "items-changed", G_CALLBACK(follow_items), desk);
    return desk;
}

// Lent: the store has a reference.
static Item *item_in_row(const struct desk *desk, guint row)
{
    Item *item = g_list_model_get_item((GListModel *)desk->inventory->items, row);
    g_object_unref(item);
    return item;
}

static void insert(struct desk *desk, Item *item, guint row)
{
    g_list_store_insert(desk->inventory->items, row, item);
    g_object_unref(item);
}

static void remove_row(struct desk *desk, guint row)
{
    g_object_ref(item_in_row(desk, row));
    g_list_store_remove(desk->inventory->items, row);
}

static void undo(struct desk *desk)
{
    struct undo record = undo_pop(&desk->office.undo);
    desk->office.undo.is_undoing = true;
    switch (record.done) {
    case INVENTORY_SET_PRICE: item_set_price(record.item, record.value); break;
    case INVENTORY_SET_QUANTITY: item_set_quantity(record.item, record.value); break;
    case INVENTORY_SET_DISCOUNT: inventory_set_discount(desk->inventory, record.value); break;
    case INVENTORY_INSERT: remove_row(desk, record.row); break;
    case INVENTORY_REMOVE: insert(desk, record.item, record.row); break;
    case INVENTORY_UNDO: break;
    }
    desk->office.undo.is_undoing = false;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct desk *desk = context;
    guint row = operation->place;
    int64_t value = operation->value;
    (void)thread;
    switch ((enum inventory_operation)operation->kind) {
    case INVENTORY_SET_PRICE: item_set_price(item_in_row(desk, row), value); break;
    case INVENTORY_SET_QUANTITY: item_set_quantity(item_in_row(desk, row), value); break;
    case INVENTORY_SET_DISCOUNT: inventory_set_discount(desk->inventory, value); break;
    case INVENTORY_INSERT: insert(desk, item_new(value), row); break;
    case INVENTORY_REMOVE: remove_row(desk, row); break;
    case INVENTORY_UNDO: undo(desk); break;
    }
}

static void answer(void *context, struct answer *out)
{
    struct desk *desk = context;
    guint count = g_list_model_get_n_items((GListModel *)desk->inventory->items);
    office_answer(&desk->office, inventory_get_total(desk->inventory), out);
    for (guint row = 0; row < count; row++) {
        const Item *item = item_in_row(desk, row);
        answer_add_item(out, item->number, item->price, item->quantity);
    }
}

static void end(void *context)
{
    struct desk *desk = context;
    for (guint i = 0; i < desk->watches->len; i++)
        end_item(g_ptr_array_index(desk->watches, i));
    g_ptr_array_unref(desk->watches);
    g_object_unref(desk->inventory);
    for (size_t i = 0; i < desk->office.undo.count; i++)
        if (desk->office.undo.records[i].done == INVENTORY_REMOVE)
            g_object_unref(desk->office.undo.records[i].item);
    office_free(&desk->office);
    g_free(desk);
}

const struct application gobject_inventory = {
    .name = "inventory", .make = make, .perform = perform, .answer = answer, .end = end,
};
