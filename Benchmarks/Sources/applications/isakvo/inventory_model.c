// Accessors written by hand, and what depends on what.
#include "inventory_model.h"

// ---- items --------------------------------------------------------------------------------------

static int64_t price_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct item *)self)->price;
}

static void set_price(isa_id self, isa_sel sel, int64_t price)
{
    (void)sel;
    ((struct item *)self)->price = price;
}

static int64_t quantity_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct item *)self)->quantity;
}

static void set_quantity(isa_id self, isa_sel sel, int64_t quantity)
{
    (void)sel;
    ((struct item *)self)->quantity = quantity;
}

static int64_t value_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct item *)self)->price * ((struct item *)self)->quantity;
}

static const struct field item_fields[] = {
    { "_number", "q", ISA_OWNERSHIP_NONE },
    { "_price", "q", ISA_OWNERSHIP_NONE },
    { "_quantity", "q", ISA_OWNERSHIP_NONE },
};

static const struct method item_methods[] = {
    { "price", (isa_imp)price_of, "q@:" },       { "setPrice:", (isa_imp)set_price, "v@:q" },
    { "quantity", (isa_imp)quantity_of, "q@:" }, { "setQuantity:", (isa_imp)set_quantity, "v@:q" },
    { "value", (isa_imp)value_of, "q@:" },
};

isa_class item_class(void)
{
    static isa_class cls;
    if (cls != NULL) return cls;
    cls = make_class("Item", item_fields, COUNT(item_fields), item_methods, COUNT(item_methods));
    declare_dependent(cls, "price", "quantity", "value");
    return cls;
}

// ---- the inventory ------------------------------------------------------------------------------

static uint64_t count_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct inventory *)self)->count;
}

static isa_id item_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    return ((struct inventory *)self)->items[index];
}

static void insert(isa_id self, isa_sel sel, isa_id item, uint64_t index)
{
    (void)sel;
    struct inventory *inventory = (struct inventory *)self;
    inventory->items =
        grown(inventory->items, inventory->count, &inventory->capacity, sizeof *inventory->items);
    isa_id *place = inventory->items + index;
    memmove(place + 1, place, (inventory->count++ - index) * sizeof *place);
    *place = isa_object_retain(item);
}

static void remove_at(isa_id self, isa_sel sel, uint64_t index)
{
    (void)sel;
    struct inventory *inventory = (struct inventory *)self;
    isa_id *place = inventory->items + index, item = *place;
    memmove(place, place + 1, (--inventory->count - index) * sizeof *place);
    isa_object_release(item);
}

static int64_t net_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct inventory *)self)->net;
}

static void set_net(isa_id self, isa_sel sel, int64_t net)
{
    (void)sel;
    ((struct inventory *)self)->net = net;
}

static int64_t discount_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct inventory *)self)->discount;
}

static void set_discount(isa_id self, isa_sel sel, int64_t discount)
{
    (void)sel;
    ((struct inventory *)self)->discount = discount;
}

int64_t inventory_total(isa_id self, isa_sel sel)
{
    return net_of(self, sel) - discount_of(self, sel);
}

static void dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    struct inventory *inventory = (struct inventory *)self;
    for (size_t i = 0; i < inventory->count; i++) isa_object_release(inventory->items[i]);
    free(inventory->items);
}

static const struct field inventory_fields[] = {
    { "_storage", "^v", ISA_OWNERSHIP_NONE }, { "_count", "Q", ISA_OWNERSHIP_NONE },
    { "_capacity", "Q", ISA_OWNERSHIP_NONE }, { "_net", "q", ISA_OWNERSHIP_NONE },
    { "_discount", "q", ISA_OWNERSHIP_NONE },
};

static const struct method inventory_methods[] = {
    { "countOfItems", (isa_imp)count_of, "Q@:" },
    { "objectInItemsAtIndex:", (isa_imp)item_at, "@@:Q" },
    { "insertObject:inItemsAtIndex:", (isa_imp)insert, "v@:@Q" },
    { "removeObjectFromItemsAtIndex:", (isa_imp)remove_at, "v@:Q" },
    { "net", (isa_imp)net_of, "q@:" },
    { "setNet:", (isa_imp)set_net, "v@:q" },
    { "discount", (isa_imp)discount_of, "q@:" },
    { "setDiscount:", (isa_imp)set_discount, "v@:q" },
    { "total", (isa_imp)inventory_total, "q@:" },
    { "dealloc", (isa_imp)dealloc, "v@:" },
};

isa_class inventory_class(void)
{
    static isa_class cls;
    if (cls != NULL) return cls;
    cls = make_class("Inventory", inventory_fields, COUNT(inventory_fields), inventory_methods,
                     COUNT(inventory_methods));
    declare_dependent(cls, "net", "discount", "total");
    return cls;
}
