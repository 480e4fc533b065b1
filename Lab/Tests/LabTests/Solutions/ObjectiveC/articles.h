// As much of Foundation and the runtime as the articles' code names, for a compiler to check it.
#define nil ((id)0)
#define YES ((BOOL)1)
typedef signed char BOOL;
typedef unsigned long NSUInteger;
typedef struct objc_selector *SEL;
typedef void (*IMP)(void);
typedef struct {
  unsigned long state;
  __unsafe_unretained id *itemsPtr;
  unsigned long *mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;
struct objc_super { __unsafe_unretained id receiver; Class super_class; };
enum { OBJC_ASSOCIATION_RETAIN = 1 };

extern Class object_getClass(id), object_setClass(id, Class), class_getSuperclass(Class);
extern BOOL class_addMethod(Class, SEL, IMP, const char *);
extern id objc_msgSendSuper(struct objc_super *, SEL, ...);
extern id objc_getAssociatedObject(id, const void *);
extern void objc_setAssociatedObject(id, const void *, id, unsigned long);

@protocol NSCopying @end
__attribute__((objc_root_class)) @interface NSObject
- (BOOL)isEqual:(id)other;
- (void)dealloc;
@end
@interface NSString : NSObject <NSCopying>
- (BOOL)isEqualToString:(NSString *)other;
@end
@interface NSDictionary : NSObject
@end
@interface NSArray : NSObject <NSCopying>
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)objects
                                    count:(NSUInteger)count;
@end
@interface NSMutableArray : NSArray
+ (instancetype)array;
- (void)addObject:(id)object;
@end
@interface NSHashTable : NSObject
- (id)member:(id)object;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id *)objects
                                    count:(NSUInteger)count;
@end
@interface NSObject (Observing)
- (void)observeValueForKeyPath:(NSString *)path ofObject:(id)object
                        change:(NSDictionary *)change context:(void *)context;
- (void)removeObserver:(id)observer forKeyPath:(NSString *)path;
- (void)changedKey:(NSString *)key ofObject:(id)object;
@end

typedef struct { long words[5]; } pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);

// The helpers that the code calls and does not show.
static char place;
extern NSString *keyOf(SEL setter);
extern SEL setterOf(NSString *key);
extern Class subclassOf(Class cls);
extern void inBackground(void (^block)(void));
extern void send(id observer, SEL action, NSDictionary *change, id object);

// The classes that the code of the controller's stage implements.
#if STAGE == 6
@interface Controller : NSObject
@property (nonatomic, weak) id observer;
@end
@interface Info : NSObject
@property (nonatomic, weak) Controller *controller;
@property (nonatomic, copy) NSString *keyPath;
@property (nonatomic, copy) void (^block)(id observer, id object, NSDictionary *change);
@property (nonatomic, assign) SEL action;
@property (nonatomic, assign) void *context;
@end
@interface SharedObserver : NSObject {
  pthread_mutex_t _lock;
  NSHashTable *_infos;
}
@end
#endif
