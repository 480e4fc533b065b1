#include "shop.h"

#include <stdio.h>
#include <stdlib.h>

enum { LARGEST_ORDER = 100, LOW_STOCK = 5 };

static isa_class classes[SHOP_CLASS_COUNT];

void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "shop: %s\n", isa_last_error()->reason);
    exit(1);
}

// ---- values by key ------------------------------------------------------------------------------

void get(isa_id object, const char *key, void *value, size_t size)
{
    const char *types;
    must(kvc_read(object, key, value, size, &types));
}

void set(isa_id object, const char *key, const char *types, const void *value)
{
    must(kvc_write(object, key, (kvc_value){types, value}));
}

void set_text(isa_id object, const char *key, const char *text)
{
    isa_id string;
    must(kvc_string_make(text, &string));
    must(kvc_set_value(object, key, string));
    isa_object_release(string);
}

// ---- methods ------------------------------------------------------------------------------------

// Answers a set of the key paths that affect a computed key.
static isa_status copy_pair(const char *first, const char *second, isa_id *out)
{
    isa_id paths[2];
    must(kvc_string_make(first, &paths[0]));
    must(kvc_string_make(second, &paths[1]));
    isa_status status = kvc_set_make(paths, 2, out);
    for (int i = 0; i < 2; i++) isa_object_release(paths[i]);
    return status;
}

static isa_status product_value_affected(isa_id cls, isa_sel sel, isa_id *out)
{
    (void)cls, (void)sel;
    return copy_pair("price", "stock", out);
}

static double product_value(isa_id self, isa_sel sel)
{
    (void)sel;
    double price;
    int64_t stock;
    get(self, "price", &price, sizeof price);
    get(self, "stock", &stock, sizeof stock);
    return price * (double)stock;
}

static isa_status order_cost_affected(isa_id cls, isa_sel sel, isa_id *out)
{
    (void)cls, (void)sel;
    return copy_pair("product.price", "quantity", out);
}

static double order_cost(isa_id self, isa_sel sel)
{
    (void)sel;
    isa_id product;
    double price = 0;
    int64_t quantity;
    get(self, "quantity", &quantity, sizeof quantity);
    must(kvc_copy_value(self, "product", &product));
    if (product != NULL) get(product, "price", &price, sizeof price);
    isa_object_release(product);
    return price * (double)quantity;
}

// Refuses an order of less than one piece, and corrects one of too many.
static bool order_validate_quantity(isa_id self, isa_sel sel, isa_id *value, isa_id *error)
{
    (void)self, (void)sel;
    int64_t quantity = 0;
    if (kvc_number_read(*value, 'q', &quantity) != ISA_OK || quantity < 1) {
        if (error != NULL) must(kvc_string_make("an order has at least one piece", error));
        return false;
    }
    if (quantity > LARGEST_ORDER) must(kvc_number_make_integer(LARGEST_ORDER, value));
    return true;
}

// A clerk watches stocks, and counts how often it was told.
static void clerk_observe(isa_id self, isa_sel sel, const char *key_path, isa_id product,
                          const kvo_change *change, void *name)
{
    (void)sel, (void)product;
    int64_t left = *(const int64_t *)change->new_value.address, told;
    get(self, "told", &told, sizeof told);
    set(self, "told", "q", &(int64_t){told + 1});
    printf("  clerk: %s of %s is %d%s\n", key_path, (const char *)name, (int)left,
           left < LOW_STOCK ? ", order more" : "");
}

// ---- classes ------------------------------------------------------------------------------------

static const char *const names[] = {"Supplier", "Product", "Shelf", "Order", "Clerk"};

static const struct property {
    shop_class owner;
    const char *name;
    const char *types;
} properties[] = {
    {SUPPLIER, "name", "@"}, {PRODUCT, "name", "@"},     {PRODUCT, "price", "d"},
    {PRODUCT, "stock", "q"}, {PRODUCT, "supplier", "@"}, {SHELF, "products", "@"},
    {ORDER, "product", "@"}, {ORDER, "quantity", "q"},   {CLERK, "told", "q"},
};

static void add_property(struct property property)
{
    isa_property_info info = {.name = property.name, .types = property.types};
    if (*property.types == '@') info.ownership = ISA_OWNERSHIP_RETAIN;
    must(isa_class_synthesize(classes[property.owner], &info));
}

static void add_method(isa_class cls, const char *selector, isa_imp imp, const char *types)
{
    must(isa_class_add_method(cls, isa_sel_register(selector), imp, types));
}

void shop_make_classes(void)
{
    for (int i = 0; i < SHOP_CLASS_COUNT; i++)
        must(isa_class_pair_allocate(isa_root_class(), names[i], &classes[i]));
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        add_property(properties[i]);
    isa_class product = classes[PRODUCT], order = classes[ORDER];
    add_method(product, "value", (isa_imp)product_value, "d@:");
    add_method(isa_class_metaclass(product), "keyPathsForValuesAffectingValue",
               (isa_imp)product_value_affected, "i@:^@");
    add_method(order, "cost", (isa_imp)order_cost, "d@:");
    add_method(isa_class_metaclass(order), "keyPathsForValuesAffectingCost",
               (isa_imp)order_cost_affected, "i@:^@");
    add_method(order, "validateQuantity:error:", (isa_imp)order_validate_quantity, "B@:^@^@");
    add_method(classes[CLERK], "observeValueForKeyPath:ofObject:change:context:",
               (isa_imp)clerk_observe, "v@:*@^v^v");
    for (int i = 0; i < SHOP_CLASS_COUNT; i++) must(isa_class_pair_register(classes[i]));
}

void shop_dispose_of_classes(void)
{
    for (int i = 0; i < SHOP_CLASS_COUNT; i++) must(isa_class_pair_dispose(classes[i]));
}

isa_id make(shop_class which)
{
    isa_id object;
    must(isa_object_allocate(classes[which], &object));
    return object;
}
