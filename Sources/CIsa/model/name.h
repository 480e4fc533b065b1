// Names made from a key: which there are, and how they are spelled.
#ifndef ISA_MODEL_NAME_H
#define ISA_MODEL_NAME_H

#include "../base/map.h"

// Each name with its pattern, in which `%` stands for the key with its first letter upper-cased and
// `$` for the key as it is.

// Of methods that read a key, in the order in which they are asked for, and of ivars.
#define ISA_GETTER_NAMES(X) \
    X(GET, "get%") \
    X(KEY, "$") \
    X(IS, "is%") \
    X(UNDERSCORED_GET, "_get%") \
    X(UNDERSCORED, "_$")
#define ISA_IVAR_NAMES(X) \
    X(UNDERSCORED_IS, "_is%")

// Of methods that write a key, in that order too.
#define ISA_SETTER_NAMES(X) \
    X(SET, "set%:") \
    X(UNDERSCORED_SET, "_set%:") \
    X(SET_IS, "setIs%:")

// Of methods that answer for the elements of a to-many key, and of those that change it: with the
// shape by which they are called, the letters of their result and arguments.
#define ISA_ELEMENT_NAMES(X) \
    X(COUNT_OF, "countOf%", "Q") \
    X(OBJECT_AT, "objectIn%AtIndex:", "@Q") \
    X(OBJECTS_AT, "$AtIndexes:", "@^") \
    X(INDEX_OF, "indexIn%OfObject:", "Q@") \
    X(ENUMERATOR, "enumeratorOf%", "@") \
    X(MEMBER, "memberOf%:", "@@")
#define ISA_MUTATOR_NAMES(X) \
    X(INSERT, "insertObject:in%AtIndex:", "v@Q") \
    X(INSERT_MANY, "insert%:atIndexes:", "v@^") \
    X(REMOVE_AT, "removeObjectFrom%AtIndex:", "vQ") \
    X(REMOVE_MANY, "remove%AtIndexes:", "v^") \
    X(REPLACE, "replaceObjectIn%AtIndex:withObject:", "vQ@") \
    X(REPLACE_MANY, "replace%AtIndexes:with%:", "v^@") \
    X(ADD, "add%Object:", "v@") \
    X(ADD_MANY, "add%:", "v@") \
    X(REMOVE, "remove%Object:", "v@") \
    X(REMOVE_SET, "remove%:", "v@") \
    X(INTERSECT, "intersect%:", "v@")

// Of a method that validates a value, and of class methods that say something about a key.
#define ISA_QUESTION_NAMES(X) \
    X(VALIDATE, "validate%:error:") \
    X(AFFECTING, "keyPathsForValuesAffecting%") \
    X(AUTOMATIC, "automaticallyNotifiesObserversOf%")

// Made from other names: from a setter's, where a notifying class keeps its original, and from a
// class's, of its notifying class.
#define ISA_DERIVED_NAMES(X) \
    X(ORIGINAL, "_original_$") \
    X(NOTIFYING_CLASS, "NSKVONotifying_$")

#define ISA_NAMES(X) \
    ISA_GETTER_NAMES(X) ISA_IVAR_NAMES(X) ISA_SETTER_NAMES(X) ISA_ELEMENT_NAMES(X) \
    ISA_MUTATOR_NAMES(X) ISA_QUESTION_NAMES(X) ISA_DERIVED_NAMES(X)

enum isa__name {
#define ISA_NAME_CONSTANT(name, ...) ISA_NAME_##name,
    ISA_NAMES(ISA_NAME_CONSTANT)
#undef ISA_NAME_CONSTANT
    ISA_NAME_COUNT,
};

// How many arguments a method of that name takes, receiver and selector included.
size_t isa__name_argument_count(enum isa__name name);

// The shape by which a method of a to-many key is called.
const char *isa__name_shape(enum isa__name name);

// Compares the name made from `key` with a text, without writing it anywhere.
bool isa__name_is(enum isa__name name, const char *key, const char *text);

// What a map by text has for the name made from `key`; NULL if nothing.
void *isa__name_find(const struct isa__map *map, enum isa__name name, const char *key);

// Writes the name made from `key`. Owner: the caller, isa__free_text. NULL when memory is short.
char *isa__name_copy(enum isa__name name, const char *key);

#endif
