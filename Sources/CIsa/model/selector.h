// Interned selectors: name → isa_sel, one address per name for the life of the process.
#ifndef ISA_MODEL_SELECTOR_H
#define ISA_MODEL_SELECTOR_H

#include "isa_class.h"
#include "name.h"

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
