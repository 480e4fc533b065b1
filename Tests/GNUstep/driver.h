// The declarations that the parts of the driver share. README.md has the language of the programs.
#import <Foundation/Foundation.h>
#import <objc/runtime.h>

// ---- values.m -----------------------------------------------------------------------------------

// The variables of the program that runs: name → object. Classes are found by their names in it.
extern NSMutableDictionary *variables;

typedef struct Trio {
    short first;
    int second;
    double third;
} Trio;

// The encoding that a type letter of the language stands for; NULL if none.
const char *encoding_of(char letter);
size_t size_of(char letter);

// Writes the numbers of `text`, one for each scalar of the type, and returns what is behind them.
const char *store_numbers(const char *types, const char *text, void *bytes);

// A value that stands at `bytes`, as the trace shows it.
NSString *describe_bytes(const char *types, const void *bytes);
NSString *describe(id object);

// The variable that holds the object; nil if none.
NSString *name_of(id object);

// Reads a literal and moves `*text` behind it. Raises `Unknown` for a name that nothing has.
id read_literal(const char **text);

// ---- classes.m ----------------------------------------------------------------------------------

// Whether getters are traced.
extern BOOL traces_getters;

void forget_classes(void);

// The class of the running program that has that name, or Nil; it is registered by its first
// instance or subclass.
Class find_class(NSString *name);
NSString *name_of_class(Class cls);
void define_class(NSString *name, NSString *superclass);
void define_ivar(Class cls, NSString *name, char letter);
void define_method(Class cls, NSString *kind, NSString *name, NSString *detail);
id make_instance(Class cls);

// An ivar as bytes; NULL if the object has none of that name.
void *ivar_of(id object, NSString *name, const char **types);

// Writes the literal at `text` to the ivar, objects retained.
void store_literal(const char *types, const char *text, void *bytes);

// Calls a method that takes one value of its own type.
void call_setter(id object, SEL selector, const char *text);

// ---- driver.m -----------------------------------------------------------------------------------

// Prints a line of the trace.
void trace(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2);
