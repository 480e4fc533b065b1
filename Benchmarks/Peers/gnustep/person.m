// Accessors written by hand, and the one method that all observers are told by.
#import "person.h"

@implementation Person

- (id)init
{
    self = [super init];
    _items = [NSMutableArray new];
    return self;
}

- (void)dealloc
{
    [_next release];
    [_items release];
    [super dealloc];
}

- (int64_t)age { return _age; }
- (void)setAge:(int64_t)age { _age = age; }
- (int64_t)weight { return _weight; }
- (void)setWeight:(int64_t)weight { _weight = weight; }
- (int64_t)sum { return _age + _weight; }
- (Person *)next { return _next; }

- (void)setNext:(Person *)next
{
    Person *before = _next;
    _next = [next retain];
    [before release];
}

- (NSMutableArray *)store { return _items; }
- (NSUInteger)countOfItems { return [_items count]; }
- (id)objectInItemsAtIndex:(NSUInteger)index { return [_items objectAtIndex:index]; }

- (void)insertObject:(id)object inItemsAtIndex:(NSUInteger)index
{
    [_items insertObject:object atIndex:index];
}

- (void)removeObjectFromItemsAtIndex:(NSUInteger)index { [_items removeObjectAtIndex:index]; }

@end

@implementation SummedPerson

// The method keyPathsForValuesAffectingSum would not be asked by release 1.28.
+ (void)initialize
{
    if (self != [SummedPerson class]) return;
    [self setKeys:[NSArray arrayWithObjects:@"age", @"weight", nil]
        triggerChangeNotificationsForDependentKey:@"sum"];
}

@end

static uint64_t ageOf(id value)
{
    return [value isKindOfClass:[Person class]] ? (uint64_t)[(Person *)value age] : 0;
}

static uint64_t numberIn(id value)
{
    return value == [NSNull null] ? 0 : (uint64_t)[value longLongValue];
}

@implementation Listener

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    id new = [change objectForKey:NSKeyValueChangeNewKey];
    id old = [change objectForKey:NSKeyValueChangeOldKey];
    heard.count++;
    switch (told) {
    case TELL_COUNT: break;
    case TELL_AGES: heard.sum += numberIn(new) + 2 * numberIn(old); break;
    case TELL_PERSONS: heard.sum += ageOf(new) + 2 * ageOf(old); break;
    case TELL_INDEXES:
        heard.sum += [[change objectForKey:NSKeyValueChangeIndexesKey] firstIndex];
        break;
    }
}

@end
