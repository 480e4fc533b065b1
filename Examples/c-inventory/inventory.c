// A day in a small shop: key paths, collection operators, observers that are functions and objects,
// validation, and what is refused.
#include <stdio.h>

#include "shop.h"

static void print(const char *before, kvc_value value, const char *after)
{
    isa_id object, text;
    must(kvc_box(value, &object));
    must(kvc_copy_description(object, &text));
    printf("%s%s%s", before, kvc_string_text(text), after);
    isa_object_release(text);
    isa_object_release(object);
}

static void show(isa_id object, const char *key_path)
{
    isa_id value;
    must(kvc_copy_value_for_path(object, key_path, &value));
    printf("%s = ", key_path);
    print("", (kvc_value){"@", &value}, "\n");
    isa_object_release(value);
}

static isa_id make_supplier(const char *name)
{
    isa_id supplier = make(SUPPLIER);
    set_text(supplier, "name", name);
    return supplier;
}

static isa_id make_product(const char *name, double price, int64_t stock, isa_id supplier)
{
    isa_id product = make(PRODUCT);
    set_text(product, "name", name);
    set(product, "price", "d", &price);
    set(product, "stock", "q", &stock);
    must(kvc_set_value(product, "supplier", supplier));
    return product;
}

// ---- what happens in the shop -------------------------------------------------------------------

// Tells where products came or went; of any other change, the old value and the new.
static void tell(const kvo_change *change, void *info)
{
    (void)info;
    printf("  %s", change->key_path);
    if (change->indexes != NULL) {
        const char *what = change->kind == KVO_CHANGE_INSERTION ? "inserted" : "removed";
        printf(": %s at %zu\n", what, kvc_index_set_last(change->indexes));
    } else {
        print(" was ", change->old_value, "");
        print(", is ", change->new_value, "\n");
    }
}

static kvo_token observe(isa_id object, const char *key_path)
{
    kvo_token token;
    const kvo_options options = KVO_OPTION_OLD | KVO_OPTION_NEW;
    must(kvo_observe(object, key_path, options, &(kvo_function){tell, NULL, NULL}, NULL, &token));
    return token;
}

static void fill(isa_id shelf, const isa_id *items, size_t count)
{
    isa_id list;
    must(kvc_array_make(items, 1, &list));
    must(kvc_set_value(shelf, "products", list));
    isa_object_release(list);
    kvo_token token = observe(shelf, "products");
    must(kvc_proxy_make_array(shelf, "products", &list));
    for (size_t i = 1; i < count; i++) must(kvc_collection_add(list, items[i]));
    must(kvc_ordered_remove(list, count - 1));
    isa_object_release(list);
    kvo_token_release(token);
    show(shelf, "products.name");
    show(shelf, "products.@sum.value");
    show(shelf, "products.@max.price");
    show(shelf, "products.@distinctUnionOfObjects.supplier.name");
}

static void change_quantity(isa_id order, int64_t pieces)
{
    isa_id wanted, value, error = NULL;
    bool is_valid;
    must(kvc_number_make_integer(pieces, &wanted));
    value = wanted;
    must(kvc_validate_value(order, "quantity", &value, &error, &is_valid));
    if (is_valid)
        must(kvc_set_value(order, "quantity", value));
    else
        printf("%d pieces: %s\n", (int)pieces, kvc_string_text(error));
    isa_object_release(error);
    if (value != wanted) isa_object_release(value);
    isa_object_release(wanted);
}

static void sell(isa_id order, isa_id tea, isa_id coffee)
{
    kvo_token cost = observe(order, "cost"), maker = observe(order, "product.supplier.name");
    must(kvc_set_value(order, "product", tea));
    change_quantity(order, 0);
    change_quantity(order, 250);
    set(tea, "price", "d", &(double){3.5});
    must(kvc_set_value(order, "product", coffee));
    kvo_token_release(cost);
    kvo_token_release(maker);
    set(order, "quantity", "q", &(int64_t){1}); // nobody is told
}

static void count_stock(isa_id clerk, isa_id tea)
{
    must(kvo_add_observer(tea, clerk, "stock", KVO_OPTION_NEW, "tea"));
    set(tea, "stock", "q", &(int64_t){30});
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), tea, isa_sel_register("setStock:"), 3);
    must(kvo_remove_observer(tea, clerk, "stock"));
    show(clerk, "told");
}

static void show_refusal(isa_status status)
{
    printf("refused: %s\n", status == ISA_OK ? "nothing" : isa_last_error()->reason);
}

int main(void)
{
    shop_make_classes();
    isa_id orchard = make_supplier("Orchard"), estate = make_supplier("Estate");
    isa_id tea = make_product("tea", 3, 40, orchard), mint = make_product("mint", 2, 60, orchard);
    isa_id coffee = make_product("coffee", 8, 10, estate);
    isa_id shelf = make(SHELF), order = make(ORDER), clerk = make(CLERK);
    fill(shelf, (isa_id[]){tea, coffee, mint}, 3);
    sell(order, tea, coffee);
    count_stock(clerk, tea);
    show_refusal(kvc_set_value(tea, "stock", NULL));
    show_refusal(kvc_set_value(tea, "colour", clerk));
    show_refusal(kvo_remove_observer(tea, clerk, "stock"));
    isa_id all[] = {orchard, estate, tea, mint, coffee, shelf, order, clerk};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) isa_object_release(all[i]);
    shop_dispose_of_classes();
}
