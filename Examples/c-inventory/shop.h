// The shop's five classes, made at run time, and its objects' values by key.
//
//   Supplier   name
//   Product    name, price, stock, supplier; value is price × stock
//   Shelf      products, an ordered to-many key
//   Order      product, quantity, which is validated; cost is product.price × quantity
//   Clerk      told, a number; it is an observer, which counts there how often it was told
#ifndef SHOP_H
#define SHOP_H

#include <kvo.h>

typedef enum shop_class { SUPPLIER, PRODUCT, SHELF, ORDER, CLERK, SHOP_CLASS_COUNT } shop_class;

// Ends the program with the reason of a failure: for what fails by a mistake or for want of memory.
void must(isa_status status);

void shop_make_classes(void);
void shop_dispose_of_classes(void);

// A new object, which the caller releases.
isa_id make(shop_class which);

// Reads a scalar of `size` bytes; sets one whose type has the encoding `types`.
void get(isa_id object, const char *key, void *value, size_t size);
void set(isa_id object, const char *key, const char *types, const void *value);
void set_text(isa_id object, const char *key, const char *text);

#endif
