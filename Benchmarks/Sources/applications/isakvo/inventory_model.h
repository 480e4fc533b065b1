// The inventory's classes.
#ifndef APPLICATIONS_INVENTORY_MODEL_H
#define APPLICATIONS_INVENTORY_MODEL_H

#include "object.h"

// Keys: price, quantity; value, which depends on both.
struct item {
    struct isa_header header;
    int64_t number;
    int64_t price;
    int64_t quantity;
};

// Keys: items, which is ordered and to-many; net, discount; total, which depends on both.
struct inventory {
    struct isa_header header;
    isa_id *items;
    size_t count;
    size_t capacity;
    int64_t net;
    int64_t discount;
};

isa_class item_class(void);
isa_class inventory_class(void);
int64_t inventory_total(isa_id inventory, isa_sel sel);

#endif
