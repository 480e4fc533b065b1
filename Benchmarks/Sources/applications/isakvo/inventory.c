// The inventory by this library: dependent keys for values and total, a mutable proxy for the list.
//
// The document is an observer object, registered on every item as an application registers one
// object in many places; window and list are functions. The document learns of items that come and
// go by the to-many changes themselves, and begins and ends to observe them then.
#include "inventory_model.h"

enum { BOTH = KVO_OPTION_OLD | KVO_OPTION_NEW };

struct desk {
    struct office office;
    isa_id inventory;
    isa_id items; // the mutable proxy
    isa_id document;
    kvo_token window;
    kvo_token list;
    isa_sel set_price;
    isa_sel set_quantity;
    isa_sel set_net;
    isa_sel set_discount;
};

// ---- the document -------------------------------------------------------------------------------

struct document {
    struct isa_header header;
    struct desk *desk;
};

// The document's act when it is told; a registration's context leads to it.
struct errand {
    void (*run)(struct desk *desk, const kvo_change *change);
};

static void add_to_net(struct desk *desk, int64_t value)
{
    int64_t net = ((struct inventory *)desk->inventory)->net;
    ISA_SEND(set_integer, desk->inventory, desk->set_net, net + value);
}

static void note_price(struct desk *desk, const kvo_change *change)
{
    office_note_set(&desk->office, INVENTORY_SET_PRICE, change->object,
                    ((struct item *)change->object)->number, integer_in(change->old_value));
}

static void note_quantity(struct desk *desk, const kvo_change *change)
{
    office_note_set(&desk->office, INVENTORY_SET_QUANTITY, change->object,
                    ((struct item *)change->object)->number, integer_in(change->old_value));
}

static void note_discount(struct desk *desk, const kvo_change *change)
{
    office_note_set(&desk->office, INVENTORY_SET_DISCOUNT, NULL, -1,
                    integer_in(change->old_value));
}

static void add_value(struct desk *desk, const kvo_change *change)
{
    int64_t old = integer_in(change->old_value), value = integer_in(change->new_value);
    office_add(&desk->office, ((struct item *)change->object)->number, old, value);
    add_to_net(desk, value - old);
}

static const struct errand price_errand = { note_price }, quantity_errand = { note_quantity },
                           value_errand = { add_value }, discount_errand = { note_discount };

static const struct {
    const char *key;
    uint32_t options;
    const struct errand *errand;
} item_errands[] = {
    { "price", KVO_OPTION_OLD, &price_errand },
    { "quantity", KVO_OPTION_OLD, &quantity_errand },
    { "value", BOTH, &value_errand },
};

static void begin_item(struct desk *desk, isa_id item)
{
    for (size_t i = 0; i < COUNT(item_errands); i++)
        must(kvo_add_observer(item, desk->document, item_errands[i].key, item_errands[i].options,
                              (void *)item_errands[i].errand));
}

static void end_item(struct desk *desk, isa_id item)
{
    for (size_t i = 0; i < COUNT(item_errands); i++)
        must(kvo_remove_observer(item, desk->document, item_errands[i].key));
}

// The only object of an array, which keeps it.
static struct item *only_object(kvc_value array)
{
    isa_id object = NULL;
    must(kvc_ordered_copy_object(*(const isa_id *)array.address, 0, &object));
    isa_object_release(object);
    return (struct item *)object;
}

static void follow_items(struct desk *desk, const kvo_change *change)
{
    bool comes = change->kind == KVO_CHANGE_INSERTION;
    struct item *item = only_object(comes ? change->new_value : change->old_value);
    size_t row = change->indexes->ranges[0].start;
    int64_t value = item->price * item->quantity;
    if (comes) begin_item(desk, (isa_id)item);
    else end_item(desk, (isa_id)item);
    if (office_note_row(&desk->office, comes ? INVENTORY_INSERT : INVENTORY_REMOVE, item,
                        item->number, row) && !comes)
        isa_object_retain((isa_id)item);
    add_to_net(desk, comes ? value : -value);
}

static const struct errand items_errand = { follow_items };

static void observe_value(isa_id self, isa_sel sel, const char *path, isa_id object,
                          const kvo_change *change, void *context)
{
    (void)sel, (void)path, (void)object;
    ((const struct errand *)context)->run(((struct document *)self)->desk, change);
}

static isa_class document_class(void)
{
    static const struct field fields[] = { { "_desk", "^v", ISA_OWNERSHIP_NONE } };
    static const struct method methods[] = {
        { "observeValueForKeyPath:ofObject:change:context:", (isa_imp)observe_value,
          "v@:*@^v^v" },
    };
    static isa_class cls;
    if (cls == NULL)
        cls = make_class("Document", fields, COUNT(fields), methods, COUNT(methods));
    return cls;
}

// ---- window and list ----------------------------------------------------------------------------

static void show_total(const kvo_change *change, void *info)
{
    office_show_total(info, integer_in(change->new_value));
}

static void show_items(const kvo_change *change, void *info)
{
    size_t row = change->indexes->ranges[0].start;
    if (change->kind == KVO_CHANGE_INSERTION)
        office_insert_row(info, row, only_object(change->new_value)->number);
    else office_remove_row(info, row);
}

// ---- the application ----------------------------------------------------------------------------

static void observe_inventory(struct desk *desk)
{
    kvo_function window = { show_total, &desk->office, NULL };
    kvo_function list = { show_items, &desk->office, NULL };
    isa_id inventory = desk->inventory;
    must(kvo_observe(inventory, "total", KVO_OPTION_NEW, &window, NULL, &desk->window));
    must(kvo_observe(inventory, "items", KVO_OPTION_NEW, &list, NULL, &desk->list));
    must(kvo_add_observer(inventory, desk->document, "discount", KVO_OPTION_OLD,
                          (void *)&discount_errand));
    must(kvo_add_observer(inventory, desk->document, "items", BOTH, (void *)&items_errand));
}

static void *make(void)
{
    struct desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL) abort();
    desk->inventory = make_object(inventory_class());
    desk->document = make_object(document_class());
    ((struct document *)desk->document)->desk = desk;
    must(kvc_proxy_make_array(desk->inventory, "items", &desk->items));
    desk->set_price = isa_sel_register("setPrice:");
    desk->set_quantity = isa_sel_register("setQuantity:");
    desk->set_net = isa_sel_register("setNet:");
    desk->set_discount = isa_sel_register("setDiscount:");
    observe_inventory(desk);
    return desk;
}

static void insert_new(struct desk *desk, size_t row, int64_t number)
{
    isa_id item = make_object(item_class());
    struct item *fields = (struct item *)item;
    fields->number = number;
    fields->price = inventory_price(number);
    fields->quantity = inventory_quantity(number);
    must(kvc_ordered_insert(desk->items, item, row));
    isa_object_release(item);
}

static void undo(struct desk *desk)
{
    struct undo record = undo_pop(&desk->office.undo);
    desk->office.undo.is_undoing = true;
    switch (record.done) {
    case INVENTORY_SET_PRICE:
        ISA_SEND(set_integer, (isa_id)record.item, desk->set_price, record.value);
        break;
    case INVENTORY_SET_QUANTITY:
        ISA_SEND(set_integer, (isa_id)record.item, desk->set_quantity, record.value);
        break;
    case INVENTORY_SET_DISCOUNT:
        ISA_SEND(set_integer, desk->inventory, desk->set_discount, record.value);
        break;
    case INVENTORY_INSERT: must(kvc_ordered_remove(desk->items, record.row)); break;
    case INVENTORY_REMOVE:
        must(kvc_ordered_insert(desk->items, record.item, record.row));
        isa_object_release(record.item);
        break;
    case INVENTORY_UNDO: break;
    }
    desk->office.undo.is_undoing = false;
}

static isa_id item_in_row(const struct desk *desk, size_t row)
{
    return ((struct inventory *)desk->inventory)->items[row];
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct desk *desk = context;
    (void)thread;
    size_t row = operation->place;
    int64_t value = operation->value;
    switch ((enum inventory_operation)operation->kind) {
    case INVENTORY_SET_PRICE:
        ISA_SEND(set_integer, item_in_row(desk, row), desk->set_price, value);
        break;
    case INVENTORY_SET_QUANTITY:
        ISA_SEND(set_integer, item_in_row(desk, row), desk->set_quantity, value);
        break;
    case INVENTORY_SET_DISCOUNT:
        ISA_SEND(set_integer, desk->inventory, desk->set_discount, value);
        break;
    case INVENTORY_INSERT: insert_new(desk, row, value); break;
    case INVENTORY_REMOVE: must(kvc_ordered_remove(desk->items, row)); break;
    case INVENTORY_UNDO: undo(desk); break;
    }
}

static void answer(void *context, struct answer *out)
{
    struct desk *desk = context;
    office_answer(&desk->office, inventory_total(desk->inventory, NULL), out);
    for (size_t row = 0; row < ((struct inventory *)desk->inventory)->count; row++) {
        struct item *item = (struct item *)item_in_row(desk, row);
        answer_add_item(out, item->number, item->price, item->quantity);
    }
}

static void end(void *context)
{
    struct desk *desk = context;
    kvo_token_release(desk->window);
    kvo_token_release(desk->list);
    isa_object_release(desk->items);
    isa_object_release(desk->inventory);
    isa_object_release(desk->document);
    for (size_t i = 0; i < desk->office.undo.count; i++)
        if (desk->office.undo.records[i].done == INVENTORY_REMOVE)
            isa_object_release(desk->office.undo.records[i].item);
    office_free(&desk->office);
    free(desk);
}

const struct application isakvo_inventory = {
    .name = "inventory", .make = make, .perform = perform, .answer = answer, .end = end,
};
