// Methods: selector, IMP, type encoding, and the class that declares them.
#ifndef ISA_MODEL_METHOD_H
#define ISA_MODEL_METHOD_H

#include "class.h"
#include "selector.h"

struct isa__method {
    isa_sel selector;
    isa_imp imp; // atomic builtins
    const char *types; // `own_types`, or the latest that replaced them; atomic builtins
    isa_class cls;
    char own_types[];
};

// The method that `cls` itself declares, or NULL. Model lock held.
isa_method isa__method_find_own_locked(isa_class cls, isa_sel sel);

// The same without the lock held.
isa_method isa__method_find_own(isa_class cls, isa_sel sel);

// The method that instances of `cls` answer the name made from `key` with, inherited or not. NULL
// if there is none, or if it has out-parameters behind the arguments that its name announces.
isa_method isa__method_find_named(isa_class cls, enum isa__name name, const char *key);

// Whether the method, none if NULL, answers an integer of `size` bytes and takes no argument. A
// method found by a name made up from a key may be another one.
bool isa__method_answers_integer(isa_method method, size_t size);

// Whether the method, none if NULL, passes and answers as the method encoding `types` does.
bool isa__method_has_types(isa_method method, const char *types);

// Whether instances of `cls` answer `sel` with other code than instances of the root class.
bool isa__method_is_overridden(isa_class cls, isa_sel sel);

// As isa_class_add_method and isa_class_replace_method, for an encoding that has been checked.
isa_status isa__method_add(isa_class cls, isa_sel sel, isa_imp imp, const char *types);
isa_status isa__method_replace(isa_class cls, isa_sel sel, isa_imp imp, const char *types,
                               isa_imp *old);

// As isa_class_add_method, for a method that the core itself sends to instances of `cls`: a method
// that overrides it must have the same encoding. At start only.
isa_status isa__method_add_sent(isa_class cls, isa_sel sel, isa_imp imp, const char *types);

// Takes a method out of the class that declares it, for an undo: instances answer as the
// superclass's do. The caller sees to it that nobody uses `method` any more.
void isa__method_remove(isa_method method);

// Frees the methods of a class that goes. Model lock held.
void isa__methods_free_locked(isa_class cls);

#endif
