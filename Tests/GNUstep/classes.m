// The classes of a program, made at run time: ivars, accessors that trace themselves, hooks.
#import "driver.h"

#include <string.h>

BOOL traces_getters;

// Name → NSValue of the class: one that is not registered yet understands no message.
static NSMutableDictionary *classes;

// "Class selector" → the ivar that the method works on.
static NSMutableDictionary *details;
// "Class ivar" → the ivar's encoding: a class that is not registered yet cannot be asked.
static NSMutableDictionary *encodings;
static NSMutableSet *registered;
static int programs;

void forget_classes(void)
{
    classes = [NSMutableDictionary new];
    details = [NSMutableDictionary new];
    encodings = [NSMutableDictionary new];
    registered = [NSMutableSet new];
    ++programs;
}

Class find_class(NSString *name)
{
    return [[classes objectForKey: name] pointerValue];
}

NSString *name_of_class(Class cls)
{
    NSString *name = [NSString stringWithUTF8String: class_getName(cls)];
    NSRange underscore = [name rangeOfString: @"_"];
    if (underscore.location == NSNotFound) return name;
    return [name substringFromIndex: underscore.location + 1];
}

static NSString *key_of(Class cls, const char *name)
{
    return [NSString stringWithFormat: @"%s %s", class_getName(cls), name];
}

static void register_class(Class cls)
{
    NSString *name = name_of_class(cls);
    if ([registered containsObject: name]) return;
    objc_registerClassPair(cls);
    [registered addObject: name];
}

// Names are of the process, so each program has its own.
void define_class(NSString *name, NSString *superclass)
{
    Class base = [superclass isEqual: @"-"] ? [NSObject class] : find_class(superclass);
    NSString *full = [NSString stringWithFormat: @"P%d_%@", programs, name];
    if (base == Nil) [NSException raise: @"Unknown" format: @"%@", superclass];
    if (base != [NSObject class]) register_class(base);
    Class cls = objc_allocateClassPair(base, [full UTF8String], 0);
    [classes setObject: [NSValue valueWithPointer: cls] forKey: name];
}

// The value that `table` has for the name in the class or the nearest superclass that has it.
static id find_for_class(NSDictionary *table, Class cls, const char *name)
{
    for (; cls != Nil; cls = class_getSuperclass(cls)) {
        id found = [table objectForKey: key_of(cls, name)];
        if (found != nil) return found;
    }
    return nil;
}

void define_ivar(Class cls, NSString *name, char letter)
{
    const char *types = encoding_of(letter);
    if (types == NULL) [NSException raise: @"Unknown" format: @"%c", letter];
    // Aligned for any type.
    if (class_addIvar(cls, [name UTF8String], size_of(letter), 3, types))
        [encodings setObject: [NSString stringWithUTF8String: types]
                      forKey: key_of(cls, [name UTF8String])];
}

id make_instance(Class cls)
{
    register_class(cls);
    return [[cls alloc] init];
}

void *ivar_of(id object, NSString *name, const char **types)
{
    Ivar ivar = class_getInstanceVariable(object_getClass(object), [name UTF8String]);
    if (ivar == NULL) return NULL;
    *types = ivar_getTypeEncoding(ivar);
    return (char *)object + ivar_getOffset(ivar);
}

void store_literal(const char *types, const char *text, void *bytes)
{
    if (*types == '@' || *types == '#') *(id *)bytes = [read_literal(&text) retain];
    else store_numbers(types, text + 2, bytes);
}

// ---- methods ------------------------------------------------------------------------------------

static void *slot_of(id self, SEL selector)
{
    const char *types;
    NSString *ivar = find_for_class(details, object_getClass(self), sel_getName(selector));
    return ivar_of(self, ivar, &types);
}

static void trace_getter(SEL selector)
{
    if (traces_getters) trace(@"> %@", NSStringFromSelector(selector));
}

#define ACCESSORS(name, type) \
    static type get_##name(id self, SEL selector) \
    { \
        trace_getter(selector); \
        return *(type *)slot_of(self, selector); \
    } \
    static void set_##name(id self, SEL selector, type value) \
    { \
        trace(@"> %@", NSStringFromSelector(selector)); \
        *(type *)slot_of(self, selector) = value; \
    }

#define TYPES(X) \
    X('c', char, signed char) X('C', uchar, unsigned char) X('s', short, short) \
    X('S', ushort, unsigned short) X('i', int, int) X('I', uint, unsigned) \
    X('q', llong, long long) X('Q', ullong, unsigned long long) \
    X('f', float, float) X('d', double, double) X('B', truth, _Bool) X('#', class, Class) \
    X('P', point, NSPoint) X('Z', size, NSSize) X('R', rect, NSRect) X('N', range, NSRange) \
    X('T', trio, Trio)

#define DEFINE_ACCESSORS(letter, name, type) ACCESSORS(name, type)
TYPES(DEFINE_ACCESSORS)

static id get_object(id self, SEL selector)
{
    trace_getter(selector);
    return *(id *)slot_of(self, selector);
}

// The value before is never freed: the process is short-lived.
static void set_object(id self, SEL selector, id value)
{
    trace(@"> %@", NSStringFromSelector(selector));
    *(id *)slot_of(self, selector) = [value retain];
}

static IMP accessor(const char *types, BOOL setter)
{
#define CHOOSE(letter, name, type) \
    if (strcmp(types, encoding_of(letter)) == 0) return setter ? (IMP)set_##name : (IMP)get_##name;
    TYPES(CHOOSE)
    return setter ? (IMP)set_object : (IMP)get_object;
}

// ---- collection accessors -----------------------------------------------------------------------

static NSUInteger count_of(id self, SEL selector)
{
    return [*(id *)slot_of(self, selector) count];
}

static id object_in(id self, SEL selector, NSUInteger index)
{
    return [*(NSArray **)slot_of(self, selector) objectAtIndex: index];
}

static void insert_in(id self, SEL selector, id object, NSUInteger index)
{
    trace(@"> %@ %@ %lu", NSStringFromSelector(selector), describe(object), (unsigned long)index);
    [*(NSMutableArray **)slot_of(self, selector) insertObject: object atIndex: index];
}

static void remove_from(id self, SEL selector, NSUInteger index)
{
    trace(@"> %@ %lu", NSStringFromSelector(selector), (unsigned long)index);
    [*(NSMutableArray **)slot_of(self, selector) removeObjectAtIndex: index];
}

static void replace_in(id self, SEL selector, NSUInteger index, id object)
{
    trace(@"> %@ %lu %@", NSStringFromSelector(selector), (unsigned long)index, describe(object));
    [*(NSMutableArray **)slot_of(self, selector) replaceObjectAtIndex: index withObject: object];
}

static void add_object(id self, SEL selector, id object)
{
    trace(@"> %@ %@", NSStringFromSelector(selector), describe(object));
    [*(NSMutableSet **)slot_of(self, selector) addObject: object];
}

static void remove_object(id self, SEL selector, id object)
{
    trace(@"> %@ %@", NSStringFromSelector(selector), describe(object));
    [*(NSMutableSet **)slot_of(self, selector) removeObject: object];
}

// ---- hooks --------------------------------------------------------------------------------------

static BOOL no_ivars(id self, SEL selector)
{
    return NO;
}

static id undefined_get(id self, SEL selector, NSString *key)
{
    trace(@"> undefined %@", key);
    return [@"undefined " stringByAppendingString: key];
}

static void undefined_set(id self, SEL selector, id value, NSString *key)
{
    trace(@"> undefined %@ %@", key, describe(value));
}

static void nil_set(id self, SEL selector, NSString *key)
{
    trace(@"> nil %@", key);
}

// Lets numbers pass, replaces strings by the number 7, and refuses anything else.
static BOOL validate(id self, SEL selector, id *value, NSError **error)
{
    trace(@"> %@ %@", NSStringFromSelector(selector), describe(*value));
    if ([*value isKindOfClass: [NSNumber class]]) return YES;
    if (![*value isKindOfClass: [NSString class]]) return NO;
    *value = [NSNumber numberWithInt: 7];
    return YES;
}

static void add_method(Class cls, NSString *name, IMP imp, const char *types, NSString *detail)
{
    if (class_addMethod(cls, NSSelectorFromString(name), imp, types) && detail != nil)
        [details setObject: detail forKey: key_of(cls, [name UTF8String])];
}

static void add_accessor(Class cls, NSString *name, NSString *ivar, BOOL setter)
{
    NSString *found = find_for_class(encodings, cls, [ivar UTF8String]);
    if (found == nil) [NSException raise: @"Unknown" format: @"%@", ivar];
    const char *types = [found UTF8String];
    NSString *encoding = setter ? [NSString stringWithFormat: @"v@:%s", types]
                                : [NSString stringWithFormat: @"%s@:", types];
    add_method(cls, name, accessor(types, setter), [encoding UTF8String], ivar);
}

static const struct {
    const char *kind;
    IMP imp;
    const char *types;
} kinds[] = {
    {"count", (IMP)count_of, "Q@:"},      {"object", (IMP)object_in, "@@:Q"},
    {"insert", (IMP)insert_in, "v@:@Q"},  {"removal", (IMP)remove_from, "v@:Q"},
    {"replace", (IMP)replace_in, "v@:Q@"}, {"add", (IMP)add_object, "v@:@"},
    {"take", (IMP)remove_object, "v@:@"}, {"validator", (IMP)validate, "B@:^@^@"},
};

void define_method(Class cls, NSString *kind, NSString *name, NSString *detail)
{
    if ([kind isEqual: @"getter"]) return add_accessor(cls, name, detail, NO);
    if ([kind isEqual: @"setter"]) return add_accessor(cls, name, detail, YES);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ([kind isEqual: [NSString stringWithUTF8String: kinds[i].kind]])
            return add_method(cls, name, kinds[i].imp, kinds[i].types, detail);
    if ([kind isEqual: @"noivars"])
        add_method(object_getClass(cls), @"accessInstanceVariablesDirectly", (IMP)no_ivars, "B@:",
                   nil);
    if ([kind isEqual: @"undefined"]) {
        add_method(cls, @"valueForUndefinedKey:", (IMP)undefined_get, "@@:@", nil);
        add_method(cls, @"setValue:forUndefinedKey:", (IMP)undefined_set, "v@:@@", nil);
    }
    if ([kind isEqual: @"nilhook"])
        add_method(cls, @"setNilValueForKey:", (IMP)nil_set, "v@:@", nil);
}

void call_setter(id object, SEL selector, const char *text)
{
    NSMethodSignature *signature = [object methodSignatureForSelector: selector];
    if (signature == nil) [NSException raise: @"Unknown" format: @"a selector"];
    const char *types = [signature getArgumentTypeAtIndex: 2];
    _Alignas(16) char bytes[256] = {0};
    store_literal(types, text, bytes);
    void (*imp)(id, SEL, id) = (void (*)(id, SEL, id))objc_msg_lookup(object, selector);
#define CALL(letter, name, type) \
    if (strcmp(types, encoding_of(letter)) == 0) \
        return ((void (*)(id, SEL, type))imp)(object, selector, *(type *)bytes);
    TYPES(CALL)
    imp(object, selector, *(id *)bytes);
}
