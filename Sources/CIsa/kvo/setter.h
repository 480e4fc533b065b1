// Wrapped setters: will change → original IMP → did change.
#ifndef ISA_KVO_SETTER_H
#define ISA_KVO_SETTER_H

#include "../call/trampoline.h"
#include "subclass.h"

// One setter of one notifying class.
struct isa__setter {
    isa_sel selector;
    isa_class notifying;
    struct isa__observed *observed; // the notifying class's
    struct isa__watched *watched; // atomic builtins: "x" and "X" share setX:, the latest key wins
    isa_imp wrapper;
    struct isa__trampoline *closure; // NULL: a typed thunk
    bool is_planted;                 // the notifying class's method leads here
    char letter;                     // of the argument's encoding where it is a scalar, else 0
    kvo_wrapping wrapping;           // the policy that it was wrapped under
    const char *types;               // the method's encoding, interned
};

// Wraps the setter `method` for the watched key in the notifying class, unless that has been done
// under the present policy. Observing lock held.
//
// Errors: KVO_ERR_NOT_WRAPPED if the policy or the signature leaves it alone; ISA_ERR_NO_MEMORY.
isa_status isa__setter_wrap_locked(struct isa__observed *observed, struct isa__watched *watched,
                                   isa_method method);

// Whether the setter of the watched key announces that key. Observing lock held.
static inline bool isa__setter_serves_locked(const struct isa__watched *watched)
{
    return watched->setter->watched == watched;
}

// What the wrapper calls at this moment: the original class's present code, so that a patch counts.
isa_imp isa__setter_original(const struct isa__setter *setter);

// As kvo_class_copy_setters. Observing lock held.
isa_status isa__setters_copy_locked(const struct isa__observed *observed, kvo_setter_info **out,
                                    size_t *count);

// Frees the setter records and tables of a class that goes.
void isa__setters_dispose(struct isa__observed *observed);

#endif
