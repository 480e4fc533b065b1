// The GObject applications' classes: properties that notify explicitly, by their descriptions.
#ifndef PEER_GLIB_OBJECTS_H
#define PEER_GLIB_OBJECTS_H

#include "parts.h"
#include "run.h"

#include <gio/gio.h>

// Properties: price, quantity; value, which is told of with either.
G_DECLARE_FINAL_TYPE(Item, item, APPLICATION, ITEM, GObject)
struct _Item {
    GObject parent;
    int64_t number;
    int64_t price;
    int64_t quantity;
};

Item *item_new(int64_t number);
void item_set_price(Item *item, int64_t price);
void item_set_quantity(Item *item, int64_t quantity);
int64_t item_get_value(const Item *item);

// Properties: net, discount; total, which is told of with either. The items are a list store's,
// which tells of what comes and goes.
G_DECLARE_FINAL_TYPE(Inventory, inventory, APPLICATION, INVENTORY, GObject)
struct _Inventory {
    GObject parent;
    GListStore *items;
    int64_t net;
    int64_t discount;
};

Inventory *inventory_new(void);
void inventory_set_net(Inventory *inventory, int64_t net);
void inventory_set_discount(Inventory *inventory, int64_t discount);
int64_t inventory_get_total(const Inventory *inventory);

// A description of a property that notifies when it is told to.
GParamSpec *integer_property(const char *name, GParamFlags flags);

extern const struct application gobject_inventory, gobject_graph, gobject_feed;

#endif
