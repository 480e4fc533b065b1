// Names made from a key, and interned selectors.
#ifndef ISA_MODEL_SELECTOR_H
#define ISA_MODEL_SELECTOR_H

#include "../base/containers.h"
#include "isa_class.h"

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

// Of methods that answer for the elements of a to-many key, and of its mutators: with the signature
// by which they are called, the letters of their result and arguments.
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

// The signature by which a method of a to-many key is called.
const char *isa__name_signature(enum isa__name name);

// The value that a map by text has for the name made from `key`; NULL if none.
void *isa__name_find(const struct isa__map *map, enum isa__name name, const char *key);

// Writes the name made from `key`. Owner: the caller, isa__free_text. NULL when memory is short.
char *isa__name_copy(enum isa__name name, const char *key);

// ---- selectors ----------------------------------------------------------------------------------

// Interned selectors: name → isa_sel, one address per name for the life of the process.

struct isa_selector {
    struct isa_dispatch_selector dispatch; // where a dispatch table has it
    uint32_t index;                        // 0, 1, 2, … in order of interning
    uint32_t colons;
    const struct isa__sent *sent; // how the core sends it; complete once the runtime has started
    char name[];
};

// That the core sends a selector to instances of `scope` by an encoding, which a method of theirs
// must have: any other would be called with arguments that it does not take.
struct isa__sent {
    isa_class scope; // and classes below it; for the root class and its metaclass, any class
    const char *types;
    const struct isa__sent *next;
};

static_assert(offsetof(struct isa_selector, dispatch) == 0,
              "isa_lookup reads it by its public layout");

// The selectors that the core itself sends. Filled at start; isa__sel_class and so on.
#define ISA_CORE_SELECTORS(X) \
    X(dealloc, "dealloc") \
    X(copy, "copy") \
    X(class_, "class") \
    X(is_kvoa, "_isKVOA") \
    X(add_observer, "addObserver:forKeyPath:options:context:") \
    X(remove_observer, "removeObserver:forKeyPath:") \
    X(remove_observer_context, "removeObserver:forKeyPath:context:") \
    X(observe_value, "observeValueForKeyPath:ofObject:change:context:") \
    X(will_change, "willChangeValueForKey:") \
    X(did_change, "didChangeValueForKey:") \
    X(observation_info, "observationInfo") \
    X(value_for_key, "valueForKey:") \
    X(set_value_for_key, "setValue:forKey:") \
    X(value_for_undefined_key, "valueForUndefinedKey:") \
    X(set_value_for_undefined_key, "setValue:forUndefinedKey:") \
    X(set_nil_value_for_key, "setNilValueForKey:") \
    X(value_for_key_path, "valueForKeyPath:") \
    X(set_value_for_key_path, "setValue:forKeyPath:") \
    X(validate_value, "validateValue:forKey:error:") \
    X(validate_value_path, "validateValue:forKeyPath:error:") \
    X(dictionary_with_values, "dictionaryWithValuesForKeys:") \
    X(set_values, "setValuesForKeysWithDictionary:") \
    X(access_ivars, "accessInstanceVariablesDirectly") \
    X(automatically_notifies, "automaticallyNotifiesObserversForKey:") \
    X(set_observation_info, "setObservationInfo:") \
    X(will_change_at, "willChange:valuesAtIndexes:forKey:") \
    X(did_change_at, "didChange:valuesAtIndexes:forKey:") \
    X(will_change_set, "willChangeValueForKey:withSetMutation:usingObjects:") \
    X(did_change_set, "didChangeValueForKey:withSetMutation:usingObjects:") \
    X(affecting, "keyPathsForValuesAffectingValueForKey:") \
    X(set_keys, "setKeys:triggerChangeNotificationsForDependentKey:") \
    X(add_observer_at, "addObserver:toObjectsAtIndexes:forKeyPath:options:context:") \
    X(remove_observer_at, "removeObserver:fromObjectsAtIndexes:forKeyPath:") \
    X(remove_observer_context_at, "removeObserver:fromObjectsAtIndexes:forKeyPath:context:")

#define ISA_DECLARE_SELECTOR(identifier, name) extern isa_sel isa__sel_##identifier;
ISA_CORE_SELECTORS(ISA_DECLARE_SELECTOR)
#undef ISA_DECLARE_SELECTOR

// The selector of the name made from `key`; NULL if it was never interned.
isa_sel isa__selector_find_named(enum isa__name name, const char *key);

// How many selectors there are. Counted up once a new one can be found; atomic builtins.
extern uint32_t isa__selector_total;

static inline uint32_t isa__selector_count(void)
{
    return __atomic_load_n(&isa__selector_total, __ATOMIC_ACQUIRE);
}

// Notes that the core sends `sel` to instances of `scope` as `types`, a text that lasts. At start
// only.
isa_status isa__selector_note_sent(isa_sel sel, isa_class scope, const char *types);

// The encoding by which the core sends `sel` to instances of `cls`; NULL if it does not.
const char *isa__selector_sent_types(isa_sel sel, isa_class cls);

// Interns the core's own selectors. At start, before any class exists.
isa_status isa__selectors_start(void);

#endif
