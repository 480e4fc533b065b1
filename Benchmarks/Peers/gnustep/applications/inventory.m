// The inventory by GNUstep's key-value observing: dependent keys for values and total, a mutable
// proxy for the list. The document observes the items that come, and no longer those that go.
#import "objects.h"

enum { NEW = NSKeyValueObservingOptionNew, OLD = NSKeyValueObservingOptionOld };

// The addresses of these are contexts.
static char priceContext, quantityContext, valueContext, discountContext, itemsContext;

// ---- the document -------------------------------------------------------------------------------

@interface Document : NSObject
{
@public
    struct office *office;
    Inventory *inventory;
}
@end

@implementation Document

- (void)beginItem:(Item *)item
{
    [item addObserver:self forKeyPath:@"price" options:OLD context:&priceContext];
    [item addObserver:self forKeyPath:@"quantity" options:OLD context:&quantityContext];
    [item addObserver:self forKeyPath:@"value" options:OLD | NEW context:&valueContext];
}

- (void)endItem:(Item *)item
{
    [item removeObserver:self forKeyPath:@"price"];
    [item removeObserver:self forKeyPath:@"quantity"];
    [item removeObserver:self forKeyPath:@"value"];
}

- (void)addToNet:(int64_t)value { [inventory setNet:[inventory net] + value]; }

- (void)addValueOfItem:(Item *)item change:(NSDictionary *)change
{
    int64_t old = oldInteger(change), value = newInteger(change);
    office_add(office, item->number, old, value);
    [self addToNet:value - old];
}

- (void)followItems:(NSDictionary *)change
{
    NSInteger kind = [[change objectForKey:NSKeyValueChangeKindKey] integerValue];
    BOOL comes = kind == NSKeyValueChangeInsertion;
    NSUInteger row = [[change objectForKey:NSKeyValueChangeIndexesKey] firstIndex];
    NSArray *items =
        [change objectForKey:comes ? NSKeyValueChangeNewKey : NSKeyValueChangeOldKey];
    Item *item = [items objectAtIndex:0];
    if (comes) [self beginItem:item];
    else [self endItem:item];
    if (office_note_row(office, comes ? INVENTORY_INSERT : INVENTORY_REMOVE, item, item->number,
                        row) && !comes)
        [item retain];
    [self addToNet:comes ? [item value] : -[item value]];
}

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    Item *item = object;
    if (context == &valueContext) [self addValueOfItem:item change:change];
    else if (context == &priceContext)
        office_note_set(office, INVENTORY_SET_PRICE, item, item->number, oldInteger(change));
    else if (context == &quantityContext)
        office_note_set(office, INVENTORY_SET_QUANTITY, item, item->number, oldInteger(change));
    else if (context == &discountContext)
        office_note_set(office, INVENTORY_SET_DISCOUNT, NULL, -1, oldInteger(change));
    else if (context == &itemsContext) [self followItems:change];
}

@end

// ---- window and list ----------------------------------------------------------------------------

@interface Window : NSObject
{
@public
    struct office *office;
}
@end

@implementation Window

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    office_show_total(office, newInteger(change));
}

@end

@interface List : NSObject
{
@public
    struct office *office;
}
@end

@implementation List

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    NSInteger kind = [[change objectForKey:NSKeyValueChangeKindKey] integerValue];
    NSUInteger row = [[change objectForKey:NSKeyValueChangeIndexesKey] firstIndex];
    Item *item = [[change objectForKey:NSKeyValueChangeNewKey] objectAtIndex:0];
    if (kind == NSKeyValueChangeInsertion) office_insert_row(office, row, item->number);
    else office_remove_row(office, row);
}

@end

// ---- the application ----------------------------------------------------------------------------

struct desk {
    struct office office;
    Inventory *inventory;
    NSMutableArray *items; // the mutable proxy
    Document *document;
    Window *window;
    List *list;
};

static void observeInventory(struct desk *desk)
{
    Inventory *inventory = desk->inventory;
    [inventory addObserver:desk->window forKeyPath:@"total" options:NEW context:NULL];
    [inventory addObserver:desk->list forKeyPath:@"items" options:NEW context:NULL];
    [inventory addObserver:desk->document
                forKeyPath:@"discount"
                   options:OLD
                   context:&discountContext];
    [inventory addObserver:desk->document
                forKeyPath:@"items"
                   options:OLD | NEW
                   context:&itemsContext];
}

static void *make(void)
{
    struct desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL) abort();
    desk->inventory = [Inventory new];
    desk->items = [[desk->inventory mutableArrayValueForKey:@"items"] retain];
    desk->document = [Document new];
    desk->document->office = &desk->office;
    desk->document->inventory = desk->inventory;
    desk->window = [Window new];
    desk->window->office = &desk->office;
    desk->list = [List new];
    desk->list->office = &desk->office;
    observeInventory(desk);
    return desk;
}

static void insertNew(struct desk *desk, NSUInteger row, int64_t number)
{
    Item *item = [[Item alloc] initWithNumber:number];
    [desk->items insertObject:item atIndex:row];
    [item release];
}

static void undo(struct desk *desk)
{
    struct undo record = undo_pop(&desk->office.undo);
    Item *item = record.item;
    desk->office.undo.is_undoing = true;
    switch (record.done) {
    case INVENTORY_SET_PRICE: [item setPrice:record.value]; break;
    case INVENTORY_SET_QUANTITY: [item setQuantity:record.value]; break;
    case INVENTORY_SET_DISCOUNT: [desk->inventory setDiscount:record.value]; break;
    case INVENTORY_INSERT: [desk->items removeObjectAtIndex:record.row]; break;
    case INVENTORY_REMOVE:
        [desk->items insertObject:item atIndex:record.row];
        [item release];
        break;
    case INVENTORY_UNDO: break;
    }
    desk->office.undo.is_undoing = false;
}

// The objects that a message leaves to be released later go with each operation, as with each
// event.
static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct desk *desk = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    Inventory *inventory = desk->inventory;
    NSUInteger row = operation->place;
    int64_t value = operation->value;
    (void)thread;
    switch ((enum inventory_operation)operation->kind) {
    case INVENTORY_SET_PRICE: [[inventory objectInItemsAtIndex:row] setPrice:value]; break;
    case INVENTORY_SET_QUANTITY: [[inventory objectInItemsAtIndex:row] setQuantity:value]; break;
    case INVENTORY_SET_DISCOUNT: [inventory setDiscount:value]; break;
    case INVENTORY_INSERT: insertNew(desk, row, value); break;
    case INVENTORY_REMOVE: [desk->items removeObjectAtIndex:row]; break;
    case INVENTORY_UNDO: undo(desk); break;
    }
    [pool release];
}

static void answer(void *context, struct answer *out)
{
    struct desk *desk = context;
    office_answer(&desk->office, [desk->inventory total], out);
    for (NSUInteger row = 0; row < [desk->inventory countOfItems]; row++) {
        Item *item = [desk->inventory objectInItemsAtIndex:row];
        answer_add_item(out, item->number, [item price], [item quantity]);
    }
}

static void endInventory(struct desk *desk)
{
    Inventory *inventory = desk->inventory;
    for (NSUInteger row = 0; row < [inventory countOfItems]; row++)
        [desk->document endItem:[inventory objectInItemsAtIndex:row]];
    [inventory removeObserver:desk->window forKeyPath:@"total"];
    [inventory removeObserver:desk->list forKeyPath:@"items"];
    [inventory removeObserver:desk->document forKeyPath:@"discount"];
    [inventory removeObserver:desk->document forKeyPath:@"items"];
}

static void end(void *context)
{
    struct desk *desk = context;
    endInventory(desk);
    [desk->items release];
    [desk->inventory release];
    [desk->document release];
    [desk->window release];
    [desk->list release];
    for (size_t i = 0; i < desk->office.undo.count; i++)
        if (desk->office.undo.records[i].done == INVENTORY_REMOVE)
            [(Item *)desk->office.undo.records[i].item release];
    office_free(&desk->office);
    free(desk);
}

const struct application gnustep_inventory = {
    .name = "inventory", .make = make, .perform = perform, .answer = answer, .end = end,
};
