// The inventory's classes.
#import "objects.h"

@implementation Item

// Release 1.28 does not ask keyPathsForValuesAffectingValue.
+ (void)initialize
{
    if (self != [Item class]) return;
    [self setKeys:[NSArray arrayWithObjects:@"price", @"quantity", nil]
        triggerChangeNotificationsForDependentKey:@"value"];
}

- (id)initWithNumber:(int64_t)itsNumber
{
    self = [super init];
    number = itsNumber;
    _price = inventory_price(number);
    _quantity = inventory_quantity(number);
    return self;
}

- (int64_t)price { return _price; }
- (void)setPrice:(int64_t)price { _price = price; }
- (int64_t)quantity { return _quantity; }
- (void)setQuantity:(int64_t)quantity { _quantity = quantity; }
- (int64_t)value { return _price * _quantity; }

@end

@implementation Inventory

+ (void)initialize
{
    if (self != [Inventory class]) return;
    [self setKeys:[NSArray arrayWithObjects:@"net", @"discount", nil]
        triggerChangeNotificationsForDependentKey:@"total"];
}

- (id)init
{
    self = [super init];
    _items = [NSMutableArray new];
    return self;
}

- (void)dealloc
{
    [_items release];
    [super dealloc];
}

- (NSUInteger)countOfItems { return [_items count]; }
- (Item *)objectInItemsAtIndex:(NSUInteger)index { return [_items objectAtIndex:index]; }

- (void)insertObject:(Item *)item inItemsAtIndex:(NSUInteger)index
{
    [_items insertObject:item atIndex:index];
}

- (void)removeObjectFromItemsAtIndex:(NSUInteger)index { [_items removeObjectAtIndex:index]; }

- (int64_t)net { return _net; }
- (void)setNet:(int64_t)net { _net = net; }
- (int64_t)discount { return _discount; }
- (void)setDiscount:(int64_t)discount { _discount = discount; }
- (int64_t)total { return _net - _discount; }

@end
