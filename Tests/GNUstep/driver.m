// Runs programs over GNUstep's Foundation and prints what they do.
//
// Reads programs from standard input, each ended by a line `end`, and answers each with `#N` and
// the lines of its trace for each command N, and `end`.
#import "driver.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void trace(NSString *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    NSString *line = [[[NSString alloc] initWithFormat: format arguments: arguments] autorelease];
    va_end(arguments);
    printf("%s\n", [line UTF8String]);
}

@interface Observer : NSObject
@end

// A value as the trace shows it; null stands for nil, which is left out at the end of a path.
static NSString *placeholder(id value)
{
    return value == nil ? @"null" : describe(value);
}

@implementation Observer
- (void) observeValueForKeyPath: (NSString *)path
                       ofObject: (id)object
                         change: (NSDictionary *)change
                        context: (void *)context
{
    NSString *name = name_of(object);
    trace(@"* %@.%@ %@: %@ to %@", name ? name : describe(object), path,
          [change objectForKey: NSKeyValueChangeKindKey],
          placeholder([change objectForKey: NSKeyValueChangeOldKey]),
          placeholder([change objectForKey: NSKeyValueChangeNewKey]));
}
@end

static Observer *observer;

// ---- commands -----------------------------------------------------------------------------------

// A command's words: the first ones by themselves, and what is behind them as text.
struct words {
    NSArray *list;
    const char *line;
};

static NSString *word(const struct words *words, NSUInteger index)
{
    if (index >= [words->list count]) [NSException raise: @"Unknown" format: @"a word"];
    NSString *text = [words->list objectAtIndex: index];
    return [text isEqual: @"\"\""] ? @"" : text;
}

// The text that begins with word `index`.
static const char *rest(const struct words *words, NSUInteger index)
{
    const char *at = words->line;
    for (; index > 0; index--) {
        const char *blank = strchr(at, ' ');
        if (blank == NULL) [NSException raise: @"Unknown" format: @"a value"];
        at = blank + 1;
    }
    return at;
}

static id literal(const struct words *words, NSUInteger index)
{
    const char *text = rest(words, index);
    return read_literal(&text);
}

static id variable(const struct words *words, NSUInteger index)
{
    id found = [variables objectForKey: word(words, index)];
    if (found == nil) [NSException raise: @"Unknown" format: @"%@", word(words, index)];
    return found;
}

static Class class_named(const struct words *words, NSUInteger index)
{
    Class found = find_class(word(words, index));
    if (found == Nil) [NSException raise: @"Unknown" format: @"%@", word(words, index)];
    return found;
}

static BOOL define(NSString *verb, const struct words *words)
{
    if ([verb isEqual: @"class"]) define_class(word(words, 1), word(words, 2));
    else if ([verb isEqual: @"ivar"])
        define_ivar(class_named(words, 1), word(words, 2), [word(words, 3) characterAtIndex: 0]);
    else if ([verb isEqual: @"method"]) {
        NSUInteger count = [words->list count];
        define_method(class_named(words, 1), word(words, 2), count > 3 ? word(words, 3) : nil,
                      count > 4 ? word(words, 4) : nil);
    } else if ([verb isEqual: @"new"])
        [variables setObject: make_instance(class_named(words, 2)) forKey: word(words, 1)];
    else if ([verb isEqual: @"let"]) {
        id value = literal(words, 2);
        if (value != nil) [variables setObject: value forKey: word(words, 1)];
    } else return NO;
    return YES;
}

static void raw(NSString *verb, const struct words *words)
{
    const char *types;
    void *bytes = ivar_of(variable(words, 1), word(words, 2), &types);
    if (bytes == NULL) [NSException raise: @"Unknown" format: @"%@", word(words, 2)];
    if ([verb isEqual: @"read"]) trace(@"= %@", describe_bytes(types, bytes));
    else store_literal(types, rest(words, 3), bytes);
}

static void validate_value(const struct words *words, BOOL path)
{
    id object = variable(words, 1), value = literal(words, 3);
    NSError *error = nil;
    BOOL valid = path ? [object validateValue: &value forKeyPath: word(words, 2) error: &error]
                      : [object validateValue: &value forKey: word(words, 2) error: &error];
    trace(@"= %@ %@", valid ? @"yes" : @"no", describe(value));
}

static BOOL code(NSString *verb, const struct words *words)
{
    if ([verb isEqual: @"get"]) {
        id object = variable(words, 1);
        // In which order a set asks its members is nobody's business.
        traces_getters = ![object isKindOfClass: [NSSet class]];
        trace(@"= %@", describe([object valueForKey: word(words, 2)]));
    } else if ([verb isEqual: @"path"])
        trace(@"= %@", describe([variable(words, 1) valueForKeyPath: word(words, 2)]));
    else if ([verb isEqual: @"set"])
        [variable(words, 1) setValue: literal(words, 3) forKey: word(words, 2)];
    else if ([verb isEqual: @"setpath"])
        [variable(words, 1) setValue: literal(words, 3) forKeyPath: word(words, 2)];
    else if ([verb isEqual: @"validate"]) validate_value(words, NO);
    else if ([verb isEqual: @"validatepath"]) validate_value(words, YES);
    else if ([verb isEqual: @"values"])
        trace(@"= %@",
              describe([variable(words, 1) dictionaryWithValuesForKeys: literal(words, 2)]));
    else if ([verb isEqual: @"setvalues"])
        [variable(words, 1) setValuesForKeysWithDictionary: literal(words, 2)];
    else return NO;
    return YES;
}

static id proxy(id object, NSString *kind, NSString *path)
{
    if ([kind isEqual: @"array"]) return [object mutableArrayValueForKeyPath: path];
    return [object mutableSetValueForKeyPath: path];
}

static BOOL change(NSString *verb, const struct words *words)
{
    if ([verb isEqual: @"proxy"])
        [variables setObject: proxy(variable(words, 3), word(words, 2), word(words, 4))
                      forKey: word(words, 1)];
    else if ([verb isEqual: @"add"]) [variable(words, 1) addObject: literal(words, 2)];
    else if ([verb isEqual: @"take"]) [variable(words, 1) removeObject: literal(words, 2)];
    else if ([verb isEqual: @"clear"]) [variable(words, 1) removeAllObjects];
    else if ([verb isEqual: @"insert"])
        [variable(words, 1) insertObject: literal(words, 3) atIndex: [word(words, 2) intValue]];
    else if ([verb isEqual: @"remove"])
        [variable(words, 1) removeObjectAtIndex: [word(words, 2) intValue]];
    else if ([verb isEqual: @"replace"])
        [variable(words, 1) replaceObjectAtIndex: [word(words, 2) intValue]
                                      withObject: literal(words, 3)];
    else return NO;
    return YES;
}

static BOOL observe(NSString *verb, const struct words *words)
{
    if ([verb isEqual: @"observe"])
        [variable(words, 1) addObserver: observer
                             forKeyPath: word(words, 2)
                                options: NSKeyValueObservingOptionOld | NSKeyValueObservingOptionNew
                                context: NULL];
    else if ([verb isEqual: @"unobserve"])
        [variable(words, 1) removeObserver: observer forKeyPath: word(words, 2)];
    else return NO;
    return YES;
}

static void perform(const char *line)
{
    struct words words = {
        [[NSString stringWithUTF8String: line] componentsSeparatedByString: @" "], line};
    NSString *verb = [words.list objectAtIndex: 0];
    if (define(verb, &words) || code(verb, &words) || change(verb, &words) || observe(verb, &words))
        return;
    if ([verb isEqual: @"read"] || [verb isEqual: @"poke"]) raw(verb, &words);
    else if ([verb isEqual: @"show"]) trace(@"= %@", describe(variable(&words, 1)));
    else if ([verb isEqual: @"call"])
        call_setter(variable(&words, 1), NSSelectorFromString(word(&words, 2)), rest(&words, 3));
    else trace(@"? %@", verb);
}

static void run(const char *line, int number)
{
    printf("#%d\n", number);
    traces_getters = NO;
    NS_DURING
        perform(line);
    NS_HANDLER
        trace(@"! %@", [localException name]);
        if (getenv("REASONS")) trace(@"! %@", [localException reason]);
    NS_ENDHANDLER
    fflush(stdout);
}

static void begin(void)
{
    variables = [NSMutableDictionary new];
    forget_classes();
}

int main(void)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    char line[4096];
    int number = 0;
    observer = [Observer new];
    begin();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "end") != 0) {
            alarm(20); // a command that hangs ends the process
            run(line, number++);
            alarm(0);
            continue;
        }
        printf("end\n");
        fflush(stdout);
        number = 0;
        begin();
    }
    [pool release];
    return 0;
}
