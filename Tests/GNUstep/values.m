// Literals of the language as Foundation's objects, and objects as the trace shows them.
#import "driver.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

NSMutableDictionary *variables;

const char *encoding_of(char letter)
{
    static char scalar[256][2];
    switch (letter) {
    case 'P': return @encode(NSPoint);
    case 'Z': return @encode(NSSize);
    case 'R': return @encode(NSRect);
    case 'N': return @encode(NSRange);
    case 'T': return @encode(Trio);
    }
    if (letter == 0 || strchr("cCsSiIqQfdB@#", letter) == NULL) return NULL;
    scalar[(unsigned char)letter][0] = letter;
    return scalar[(unsigned char)letter];
}

// ---- numbers in place ---------------------------------------------------------------------------

typedef void (*visitor)(char letter, void *address, void *context);

static size_t size_of_scalar(char letter)
{
    switch (letter) {
    case 'c': case 'C': case 'B': return 1;
    case 's': case 'S': return 2;
    case 'i': case 'I': case 'f': return 4;
    default: return 8;
    }
}

size_t size_of(char letter)
{
    switch (letter) {
    case 'P': return sizeof(NSPoint);
    case 'Z': return sizeof(NSSize);
    case 'R': return sizeof(NSRect);
    case 'N': return sizeof(NSRange);
    case 'T': return sizeof(Trio);
    default: return size_of_scalar(letter);
    }
}

// Calls `visit` for each scalar of a type, with its address, and returns what is behind the type.
// Every scalar is aligned to its size; the structs of the language need no padding at their end.
static const char *walk(const char *types, char **at, visitor visit, void *context)
{
    if (*types != '{') {
        size_t size = size_of_scalar(*types);
        *at += -(uintptr_t)*at % size;
        visit(*types, *at, context);
        *at += size;
        return types + 1;
    }
    for (types = strchr(types, '=') + 1; *types != '}';) types = walk(types, at, visit, context);
    return types + 1;
}

#define SCALARS(X) \
    X('c', signed char, strtoll) X('C', unsigned char, strtoull) X('s', short, strtoll) \
    X('S', unsigned short, strtoull) X('i', int, strtoll) X('I', unsigned, strtoull) \
    X('q', long long, strtoll) X('Q', unsigned long long, strtoull) X('B', _Bool, strtoll)

#define strto_integer(parse) parse(*text, &end, 10)

static void store_scalar(char letter, void *address, void *context)
{
    const char **text = context;
    char *end = NULL;
    switch (letter) {
#define STORE(letter, type, parse) \
    case letter: *(type *)address = (type)strto_integer(parse); break;
        SCALARS(STORE)
    case 'f': *(float *)address = (float)strtod(*text, &end); break;
    case 'd': *(double *)address = strtod(*text, &end); break;
    }
    *text = *end == ',' ? end + 1 : end;
}

const char *store_numbers(const char *types, const char *text, void *bytes)
{
    char *at = bytes;
    walk(types, &at, store_scalar, &text);
    return text;
}

static NSString *describe_double(double value)
{
    if (value == (double)(long long)value && value > -1e15 && value < 1e15)
        return [NSString stringWithFormat: @"%lld", (long long)value];
    return [NSString stringWithFormat: @"%.17g", value];
}

static void describe_scalar(char letter, void *address, void *context)
{
    NSMutableArray *texts = context;
    switch (letter) {
#define DESCRIBE(letter, type, parse) \
    case letter: \
        [texts addObject: [NSString stringWithFormat: (type)-1 < 0 ? @"%lld" : @"%llu", \
                                                      (long long)*(type *)address]]; \
        break;
        SCALARS(DESCRIBE)
    case 'f': [texts addObject: describe_double(*(float *)address)]; break;
    case 'd': [texts addObject: describe_double(*(double *)address)]; break;
    default: [texts addObject: describe(*(id *)address)]; break;
    }
}

NSString *describe_bytes(const char *types, const void *bytes)
{
    NSMutableArray *texts = [NSMutableArray array];
    char *at = (char *)bytes;
    walk(types, &at, describe_scalar, texts);
    NSString *joined = [texts componentsJoinedByString: @", "];
    return *types == '{' ? [NSString stringWithFormat: @"{%@}", joined] : joined;
}

// ---- objects in the trace -----------------------------------------------------------------------

static NSString *describe_all(id objects, BOOL sorted, NSString *format)
{
    NSMutableArray *texts = [NSMutableArray array];
    for (id object in objects) [texts addObject: describe(object)];
    if (sorted) [texts sortUsingSelector: @selector(compare:)];
    return [NSString stringWithFormat: format, [texts componentsJoinedByString: @", "]];
}

static NSString *describe_dictionary(NSDictionary *dictionary)
{
    NSMutableArray *texts = [NSMutableArray array];
    for (id key in dictionary) {
        id value = [dictionary objectForKey: key];
        [texts addObject: [NSString stringWithFormat: @"%@ = %@", describe(key), describe(value)]];
    }
    [texts sortUsingSelector: @selector(compare:)];
    return [NSString stringWithFormat: @"(%@)", [texts componentsJoinedByString: @", "]];
}

static NSString *describe_value(NSValue *value)
{
    const char *types = [value objCType];
    _Alignas(16) char bytes[256] = {0};
    // `getValue:` copies but the first member of these.
    if (strcmp(types, @encode(NSPoint)) == 0) *(NSPoint *)bytes = [value pointValue];
    else if (strcmp(types, @encode(NSSize)) == 0) *(NSSize *)bytes = [value sizeValue];
    else if (strcmp(types, @encode(NSRect)) == 0) *(NSRect *)bytes = [value rectValue];
    else if (strcmp(types, @encode(NSRange)) == 0) *(NSRange *)bytes = [value rangeValue];
    else [value getValue: bytes];
    return describe_bytes(types, bytes);
}

static NSString *describe_number(NSNumber *number)
{
    if ([number isKindOfClass: [NSDecimalNumber class]])
        return describe_double([number doubleValue]);
    return describe_value(number);
}

NSString *name_of(id object)
{
    for (NSString *name in variables)
        if ([variables objectForKey: name] == object) return name;
    return nil;
}

NSString *describe(id object)
{
    if (object == nil) return @"nil";
    if (object == [NSNull null]) return @"null";
    if (class_isMetaClass(object_getClass(object))) return name_of_class(object);
    if ([object isKindOfClass: [NSString class]])
        return [NSString stringWithFormat: @"\"%@\"", object];
    if ([object isKindOfClass: [NSNumber class]]) return describe_number(object);
    if ([object isKindOfClass: [NSValue class]]) return describe_value(object);
    if ([object isKindOfClass: [NSArray class]]) return describe_all(object, NO, @"[%@]");
    if ([object isKindOfClass: [NSOrderedSet class]]) return describe_all(object, NO, @"<%@>");
    if ([object isKindOfClass: [NSSet class]]) return describe_all(object, YES, @"{%@}");
    if ([object isKindOfClass: [NSDictionary class]]) return describe_dictionary(object);
    NSString *name = name_of(object);
    return name ? name : [NSString stringWithFormat: @"a %@", name_of_class([object class])];
}

// ---- literals -----------------------------------------------------------------------------------

static void skip_blanks(const char **text)
{
    while (**text == ' ') ++*text;
}

static NSString *read_string(const char **text)
{
    const char *start = ++*text;
    while (**text != '"' && **text != 0) ++*text;
    NSString *string = [[[NSString alloc] initWithBytes: start
                                                 length: *text - start
                                               encoding: NSUTF8StringEncoding] autorelease];
    if (**text == '"') ++*text;
    return string;
}

static id read_typed(const char **text)
{
    const char *types = encoding_of(**text);
    _Alignas(16) char bytes[256] = {0};
    *text = store_numbers(types, *text + 2, bytes);
    switch (*types) {
#define NUMBER(letter, type, name) \
    case letter: return [NSNumber numberWith##name: *(type *)bytes];
        NUMBER('c', char, Char) NUMBER('C', unsigned char, UnsignedChar)
        NUMBER('s', short, Short) NUMBER('S', unsigned short, UnsignedShort)
        NUMBER('i', int, Int) NUMBER('I', unsigned, UnsignedInt)
        NUMBER('q', long long, LongLong) NUMBER('Q', unsigned long long, UnsignedLongLong)
        NUMBER('f', float, Float) NUMBER('d', double, Double) NUMBER('B', _Bool, Bool)
    }
    return [NSValue valueWithBytes: bytes objCType: types];
}

static id read_name(const char **text)
{
    const char *start = *text;
    while (isalnum(**text)) ++*text;
    NSString *name = [[[NSString alloc] initWithBytes: start
                                               length: *text - start
                                             encoding: NSASCIIStringEncoding] autorelease];
    if (*text == start) ++*text;
    if ([name isEqual: @"nil"]) return nil;
    if ([name isEqual: @"null"]) return [NSNull null];
    id found = [variables objectForKey: name];
    if (found == nil) found = find_class(name);
    if (found == nil) [NSException raise: @"Unknown" format: @"%@", name];
    return found;
}

static NSMutableArray *read_list(const char **text, char end)
{
    NSMutableArray *list = [NSMutableArray array];
    for (++*text; skip_blanks(text), **text != end && **text != 0;) {
        id object = read_literal(text);
        [list addObject: object ? object : [NSNull null]];
    }
    if (**text == end) ++*text;
    return list;
}

static NSMutableDictionary *read_dictionary(const char **text)
{
    NSArray *list = read_list(text, ')');
    NSMutableDictionary *dictionary = [NSMutableDictionary dictionary];
    for (NSUInteger i = 0; i + 1 < [list count]; i += 2)
        [dictionary setObject: [list objectAtIndex: i + 1] forKey: [list objectAtIndex: i]];
    return dictionary;
}

static id read_collection(const char **text)
{
    switch (**text) {
    case '[': return read_list(text, ']');
    case '{': return [NSMutableSet setWithArray: read_list(text, '}')];
    case '<': return [NSMutableOrderedSet orderedSetWithArray: read_list(text, '>')];
    default: return read_dictionary(text);
    }
}

id read_literal(const char **text)
{
    skip_blanks(text);
    if (**text == '"') return read_string(text);
    if (**text != 0 && (*text)[1] == ':' && encoding_of(**text)) return read_typed(text);
    if (**text == 'm' && (*text)[1] != 0 && strchr("[{<(", (*text)[1])) {
        ++*text;
        return read_collection(text);
    }
    if (**text != 0 && strchr("[{<(", **text)) return [[read_collection(text) copy] autorelease];
    return read_name(text);
}
