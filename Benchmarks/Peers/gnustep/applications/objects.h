// The GNUstep applications' classes. Accessors are plain; observing wraps them.
#import <Foundation/Foundation.h>

#include "parts.h"
#include "run.h"

// Keys: price, quantity; value, which depends on both.
@interface Item : NSObject
{
@public
    int64_t number;
    int64_t _price;
    int64_t _quantity;
}
- (id)initWithNumber:(int64_t)number;
- (int64_t)price;
- (void)setPrice:(int64_t)price;
- (int64_t)quantity;
- (void)setQuantity:(int64_t)quantity;
- (int64_t)value;
@end

// Keys: items, which is ordered and to-many; net, discount; total, which depends on both.
@interface Inventory : NSObject
{
    NSMutableArray *_items;
    int64_t _net;
    int64_t _discount;
}
- (NSUInteger)countOfItems;
- (Item *)objectInItemsAtIndex:(NSUInteger)index;
- (int64_t)net;
- (void)setNet:(int64_t)net;
- (int64_t)discount;
- (void)setDiscount:(int64_t)discount;
- (int64_t)total;
@end

// The values that are read off a change.
static inline int64_t newInteger(NSDictionary *change)
{
    return [[change objectForKey:NSKeyValueChangeNewKey] longLongValue];
}

static inline int64_t oldInteger(NSDictionary *change)
{
    return [[change objectForKey:NSKeyValueChangeOldKey] longLongValue];
}

extern const struct application gnustep_inventory, gnustep_graph, gnustep_feed;
