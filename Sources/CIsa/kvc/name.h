// Methods whose names are made from a key: `insertObject:in<Key>AtIndex:` and the like.
#ifndef ISA_KVC_NAME_H
#define ISA_KVC_NAME_H

#include "isa_class.h"

// The method that instances of `cls` answer a name with, inherited or not, if it takes as many
// arguments as the name has colons; NULL if there is none. One with out-parameters behind those
// that its name announces is no accessor.
//
// In `pattern`, of at most ISA_NAME_PATTERN bytes, `%` stands for the key with its first letter
// upper-cased and `$` for the key as it is. A name that was never interned is looked up nowhere.
//
// Shape: `name` is room for isa__name_room(key) bytes, the same for every pattern.
isa_method isa__name_find_method(isa_class cls, const char *pattern, const char *key, char *name);

// The selector of that name; NULL if it was never interned.
isa_sel isa__name_find_selector(const char *pattern, const char *key, char *name);

enum { ISA_NAME_PATTERN = 48 };

size_t isa__name_room(const char *key);

// How many arguments the method takes, receiver and selector included; 0 if that cannot be told.
size_t isa__name_argument_count(isa_method method);

#endif
