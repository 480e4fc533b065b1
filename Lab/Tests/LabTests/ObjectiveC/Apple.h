// The parts of Apple's Objective-C runtime, Foundation and AppKit that scenarios use, declared and
// no more: so that the compiler reads translated lines where those are not.
#include <stdbool.h>
#include <stddef.h>
#include <limits.h>

typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define Nil ((Class)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;
#define NSIntegerMin LONG_MIN
typedef const void *CFTypeRef;
typedef struct _NSZone NSZone;
typedef struct { NSUInteger location, length; } NSRange;
NSRange NSMakeRange(NSUInteger location, NSUInteger length);

@class NSString, NSArray, NSSet, NSDictionary, NSError, NSIndexSet, NSMutableArray, NSMutableSet;
@class NSMutableOrderedSet, NSKeyValueSharedObserversSnapshot;
typedef NSUInteger NSKeyValueObservingOptions, NSKeyValueChange, NSKeyValueSetMutationKind;
enum {
    NSKeyValueObservingOptionNew = 1, NSKeyValueObservingOptionOld = 2,
    NSKeyValueObservingOptionInitial = 4, NSKeyValueObservingOptionPrior = 8,
    NSKeyValueChangeInsertion = 2, NSKeyValueChangeRemoval = 3, NSKeyValueChangeReplacement = 4,
    NSKeyValueUnionSetMutation = 1, NSKeyValueMinusSetMutation = 2,
    NSKeyValueIntersectSetMutation = 3, NSKeyValueSetSetMutation = 4,
};

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)new;
+ (instancetype)alloc;
+ (void)initialize;
+ (Class)class;
- (instancetype)init;
- (Class)class;
- (id)copy;
- (id)mutableCopy;
- (id)valueForKey:(NSString *)key;
- (id)valueForKeyPath:(NSString *)path;
- (void)setValue:(id)value forKey:(NSString *)key;
- (void)setValue:(id)value forKeyPath:(NSString *)path;
- (void)setValuesForKeysWithDictionary:(NSDictionary *)values;
- (NSDictionary *)dictionaryWithValuesForKeys:(NSArray *)keys;
- (BOOL)validateValue:(inout id *)value forKeyPath:(NSString *)path error:(NSError **)error;
- (NSMutableArray *)mutableArrayValueForKey:(NSString *)key;
- (NSMutableArray *)mutableArrayValueForKeyPath:(NSString *)key;
- (NSMutableSet *)mutableSetValueForKey:(NSString *)key;
- (NSMutableSet *)mutableSetValueForKeyPath:(NSString *)key;
- (NSMutableOrderedSet *)mutableOrderedSetValueForKey:(NSString *)key;
- (NSMutableOrderedSet *)mutableOrderedSetValueForKeyPath:(NSString *)key;
- (void)addObserver:(NSObject *)observer forKeyPath:(NSString *)path
            options:(NSKeyValueObservingOptions)options context:(void *)context;
- (void)removeObserver:(NSObject *)observer forKeyPath:(NSString *)path;
- (void)removeObserver:(NSObject *)observer forKeyPath:(NSString *)path context:(void *)context;
- (void)willChangeValueForKey:(NSString *)key;
- (void)didChangeValueForKey:(NSString *)key;
- (void)willChange:(NSKeyValueChange)kind valuesAtIndexes:(NSIndexSet *)indexes
            forKey:(NSString *)key;
- (void)didChange:(NSKeyValueChange)kind valuesAtIndexes:(NSIndexSet *)indexes
           forKey:(NSString *)key;
- (void)willChangeValueForKey:(NSString *)key withSetMutation:(NSKeyValueSetMutationKind)kind
                 usingObjects:(NSSet *)objects;
- (void)didChangeValueForKey:(NSString *)key withSetMutation:(NSKeyValueSetMutationKind)kind
                usingObjects:(NSSet *)objects;
- (void)observeValueForKeyPath:(NSString *)path ofObject:(id)object change:(NSDictionary *)change
                       context:(void *)context;
+ (NSSet *)keyPathsForValuesAffectingValueForKey:(NSString *)key;
+ (void)setKeys:(NSArray *)keys triggerChangeNotificationsForDependentKey:(NSString *)key;
- (void *)observationInfo;
- (void)setSharedObservers:(NSKeyValueSharedObserversSnapshot *)observers;
- (void)bind:(NSString *)name toObject:(id)object withKeyPath:(NSString *)path
     options:(NSDictionary *)options;
- (void)unbind:(NSString *)name;
@end

@interface NSString : NSObject
+ (instancetype)stringWithFormat:(NSString *)format, ...;
- (double)doubleValue;
@end
@interface NSConstantString : NSString
@end
@interface NSError : NSObject
@end
@interface NSNull : NSObject
@property (class, readonly) NSNull *null;
@end
@interface NSValue : NSObject
+ (instancetype)valueWithBytes:(const void *)bytes objCType:(const char *)type;
@end
@interface NSNumber : NSValue
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithChar:(char)value;
+ (NSNumber *)numberWithUnsignedChar:(unsigned char)value;
+ (NSNumber *)numberWithShort:(short)value;
+ (NSNumber *)numberWithUnsignedShort:(unsigned short)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithUnsignedInt:(unsigned)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithUnsignedLong:(unsigned long)value;
+ (NSNumber *)numberWithLongLong:(long long)value;
+ (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
+ (NSNumber *)numberWithFloat:(float)value;
+ (NSNumber *)numberWithDouble:(double)value;
- (double)doubleValue;
@end
@interface NSIndexSet : NSObject
+ (instancetype)indexSetWithIndex:(NSUInteger)index;
+ (instancetype)indexSetWithIndexesInRange:(NSRange)range;
@end
@interface NSMutableIndexSet : NSIndexSet
- (void)addIndex:(NSUInteger)index;
@end

@interface NSArray : NSObject
+ (instancetype)arrayWithObjects:(const id *)objects count:(NSUInteger)count;
- (NSUInteger)count;
- (void)addObserver:(NSObject *)observer toObjectsAtIndexes:(NSIndexSet *)indexes
         forKeyPath:(NSString *)path options:(NSKeyValueObservingOptions)options
            context:(void *)context;
- (void)removeObserver:(NSObject *)observer fromObjectsAtIndexes:(NSIndexSet *)indexes
            forKeyPath:(NSString *)path;
@end
@protocol Ordered
- (void)insertObject:(id)object atIndex:(NSUInteger)index;
- (void)removeObjectAtIndex:(NSUInteger)index;
- (void)replaceObjectAtIndex:(NSUInteger)index withObject:(id)object;
- (void)insertObjects:(NSArray *)objects atIndexes:(NSIndexSet *)indexes;
- (void)removeObjectsAtIndexes:(NSIndexSet *)indexes;
- (void)replaceObjectsAtIndexes:(NSIndexSet *)indexes withObjects:(NSArray *)objects;
- (void)addObject:(id)object;
- (void)removeObject:(id)object;
- (void)setArray:(NSArray *)array;
@end
@protocol Unordered
- (void)addObject:(id)object;
- (void)removeObject:(id)object;
- (void)unionSet:(NSSet *)set;
- (void)minusSet:(NSSet *)set;
- (void)intersectSet:(NSSet *)set;
- (void)setSet:(NSSet *)set;
@end
@interface NSMutableArray : NSArray <Ordered>
@end
@interface NSSet : NSObject
+ (instancetype)setWithArray:(NSArray *)array;
- (NSUInteger)count;
@end
@interface NSMutableSet : NSSet <Unordered>
@end
@interface NSOrderedSet : NSObject
+ (instancetype)orderedSetWithArray:(NSArray *)array;
@end
@interface NSMutableOrderedSet : NSOrderedSet <Ordered, Unordered>
@end
@interface NSDictionary : NSObject
+ (instancetype)dictionaryWithObjects:(const id *)objects forKeys:(const id *)keys
                                count:(NSUInteger)count;
@end
@interface NSMutableDictionary : NSDictionary
@end

@interface NSThread : NSObject
+ (void)detachNewThreadWithBlock:(void (^)(void))block;
@end
@interface NSKeyValueSharedObserversSnapshot : NSObject
@end
@interface NSKeyValueSharedObservers : NSObject
- (instancetype)initWithObservableClass:(Class)cls;
- (void)addSharedObserver:(NSObject *)observer forKey:(NSString *)key
                  options:(NSKeyValueObservingOptions)options context:(void *)context;
- (NSKeyValueSharedObserversSnapshot *)snapshot;
@end

// The program's own.
@interface Observer : NSObject
@property (nonatomic, copy) void (^once)(void);
@property (nonatomic, copy) void (^always)(void);
@end
@interface SwiftView : NSObject
@property (nonatomic) NSInteger width;
@end

extern NSString *const NSKeyValueChangeOldKey, *const NSKeyValueChangeNewKey;
void NSLog(NSString *format, ...);
Class NSClassFromString(NSString *name);
Class object_getClass(id object);
Class object_setClass(id object, Class cls);
Class class_getSuperclass(Class cls);
void *class_copyMethodList(Class cls, unsigned *count);
typedef void (*IMP)(void);
typedef struct objc_method *Method;
IMP class_getMethodImplementation(Class cls, SEL selector);
Method class_getInstanceMethod(Class cls, SEL selector);
BOOL class_addMethod(Class cls, SEL selector, IMP code, const char *types);
void method_exchangeImplementations(Method first, Method second);
long CFGetRetainCount(CFTypeRef reference);
