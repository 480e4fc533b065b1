// The inventory's classes.
#include "objects.h"

GParamSpec *integer_property(const char *name, GParamFlags flags)
{
    return g_param_spec_int64(name, NULL, NULL, INT64_MIN, INT64_MAX, 0,
                              flags | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

// ---- items --------------------------------------------------------------------------------------

enum { PRICE = 1, QUANTITY, VALUE, ITEM_PROPERTIES };

static GParamSpec *item_properties[ITEM_PROPERTIES];

G_DEFINE_FINAL_TYPE(Item, item, G_TYPE_OBJECT)

static void item_notify(Item *item, int property)
{
    g_object_notify_by_pspec((GObject *)item, item_properties[property]);
    g_object_notify_by_pspec((GObject *)item, item_properties[VALUE]);
}

void item_set_price(Item *item, int64_t price)
{
    item->price = price;
    item_notify(item, PRICE);
}

void item_set_quantity(Item *item, int64_t quantity)
{
    item->quantity = quantity;
    item_notify(item, QUANTITY);
}

int64_t item_get_value(const Item *item)
{
    return item->price * item->quantity;
}

static void item_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    switch (id) {
    case PRICE: item_set_price((Item *)object, g_value_get_int64(value)); break;
    case QUANTITY: item_set_quantity((Item *)object, g_value_get_int64(value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void item_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    const Item *item = (const Item *)object;
    switch (id) {
    case PRICE: g_value_set_int64(value, item->price); break;
    case QUANTITY: g_value_set_int64(value, item->quantity); break;
    case VALUE: g_value_set_int64(value, item_get_value(item)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void item_class_init(ItemClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    object_class->set_property = item_set_property;
    object_class->get_property = item_get_property;
    item_properties[PRICE] = integer_property("price", G_PARAM_READWRITE);
    item_properties[QUANTITY] = integer_property("quantity", G_PARAM_READWRITE);
    item_properties[VALUE] = integer_property("value", G_PARAM_READABLE);
    g_object_class_install_properties(object_class, ITEM_PROPERTIES, item_properties);
}

static void item_init(Item *item)
{
    (void)item;
}

Item *item_new(int64_t number)
{
    Item *item = g_object_new(item_get_type(), NULL);
    item->number = number;
    item->price = inventory_price(number);
    item->quantity = inventory_quantity(number);
    return item;
}

// ---- the inventory ------------------------------------------------------------------------------

enum { NET = 1, DISCOUNT, TOTAL, INVENTORY_PROPERTIES };

static GParamSpec *inventory_properties[INVENTORY_PROPERTIES];

G_DEFINE_FINAL_TYPE(Inventory, inventory, G_TYPE_OBJECT)

static void inventory_notify(Inventory *inventory, int property)
{
    g_object_notify_by_pspec((GObject *)inventory, inventory_properties[property]);
    g_object_notify_by_pspec((GObject *)inventory, inventory_properties[TOTAL]);
}

void inventory_set_net(Inventory *inventory, int64_t net)
{
    inventory->net = net;
    inventory_notify(inventory, NET);
}

void inventory_set_discount(Inventory *inventory, int64_t discount)
{
    inventory->discount = discount;
    inventory_notify(inventory, DISCOUNT);
}

int64_t inventory_get_total(const Inventory *inventory)
{
    return inventory->net - inventory->discount;
}

static void inventory_set_property(GObject *object, guint id, const GValue *value,
                                   GParamSpec *spec)
{
    switch (id) {
    case NET: inventory_set_net((Inventory *)object, g_value_get_int64(value)); break;
    case DISCOUNT: inventory_set_discount((Inventory *)object, g_value_get_int64(value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void inventory_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    const Inventory *inventory = (const Inventory *)object;
    switch (id) {
    case NET: g_value_set_int64(value, inventory->net); break;
    case DISCOUNT: g_value_set_int64(value, inventory->discount); break;
    case TOTAL: g_value_set_int64(value, inventory_get_total(inventory)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void inventory_dispose(GObject *object)
{
    g_clear_object(&((Inventory *)object)->items);
    G_OBJECT_CLASS(inventory_parent_class)->dispose(object);
}

static void inventory_class_init(InventoryClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    object_class->set_property = inventory_set_property;
    object_class->get_property = inventory_get_property;
    object_class->dispose = inventory_dispose;
    inventory_properties[NET] = integer_property("net", G_PARAM_READWRITE);
    inventory_properties[DISCOUNT] = integer_property("discount", G_PARAM_READWRITE);
    inventory_properties[TOTAL] = integer_property("total", G_PARAM_READABLE);
    g_object_class_install_properties(object_class, INVENTORY_PROPERTIES, inventory_properties);
}

static void inventory_init(Inventory *inventory)
{
    inventory->items = g_list_store_new(item_get_type());
}

Inventory *inventory_new(void)
{
    return g_object_new(inventory_get_type(), NULL);
}
