// The GNUstep peer's model, and the observer of all its rows.
#import <Foundation/Foundation.h>

#include "../peer.h"

// `items` is an ordered to-many key with accessors of its own; `store` is what it is kept in.
@interface Person : NSObject
{
    int64_t _age;
    int64_t _weight;
    Person *_next;
    NSMutableArray *_items;
}
- (int64_t)age;
- (void)setAge:(int64_t)age;
- (int64_t)weight;
- (void)setWeight:(int64_t)weight;
- (Person *)next;
- (void)setNext:(Person *)next;
- (int64_t)sum;
- (NSMutableArray *)store;
@end

// A class of its own: once a key depends on age, each change of age costs more.
@interface SummedPerson : Person
@end

// The sum that an observer keeps: numbers, the ages of persons, the first index; or it only counts.
typedef enum { TELL_AGES, TELL_COUNT, TELL_PERSONS, TELL_INDEXES } Told;

@interface Listener : NSObject
{
@public
    struct heard heard;
    Told told;
}
@end
