// Get and set by key, the hooks for undefined keys and nil, and the change hooks that rank 5 fills.
#ifndef ISA_KVC_CODING_H
#define ISA_KVC_CODING_H

#include "accessor.h"
#include "kvc.h"

// What rank 5 does around a value that is set by writing an ivar; filled at start.
struct isa__coding_hooks {
    // Announces the change; false if there is nothing to announce, and `did_change` is not called
    // then.
    bool (*will_change)(isa_id object, const char *key);
    void (*did_change)(isa_id object, const char *key);
};
extern struct isa__coding_hooks isa__coding_hooks;

// How instances of `cls` answer for `key`, cached per class and key until a method changes.
isa_status isa__coding_getter(isa_class cls, const char *key, struct isa__accessor *out);
isa_status isa__coding_setter(isa_class cls, const char *key, struct isa__accessor *out);

// Whether instances of `cls` answer `valueForKey:` with the root class's code.
bool isa__coding_is_direct(isa_class cls);

// Gives the root class `valueForKey:` and so on, and sees to it that a class's cache goes with it.
isa_status isa__coding_start(void);

#endif
