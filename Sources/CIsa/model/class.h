// struct isa_class: what a class is made of. The newcomer's first stop in the core.
#ifndef ISA_MODEL_CLASS_H
#define ISA_MODEL_CLASS_H

#include "../base/array.h"
#include "../base/lock.h"
#include "../base/map.h"
#include "isa_class.h"

enum isa__class_flags {
    ISA_CLASS_META = 1,
    ISA_CLASS_REGISTERED = 2,
    ISA_CLASS_NOTIFYING = 4,   // NSKVONotifying_…, made by rank 5
    ISA_CLASS_LIBRARY = 8,     // made by the library itself: cannot be disposed of
    ISA_CLASS_OWNING_IVARS = 16, // it or a superclass has ivars to release at deallocation
};

struct isa_class {
    struct isa_header header;  // isa: the metaclass; immortal
    isa_imp **pages;           // dispatch table, see dispatch.h; atomic builtins
    isa_class superclass;      // NULL for a root class
    isa_class original;        // of a notifying class: the class it notifies for; else itself
    void *observing;           // rank 5: a notifying class's or an original's record; atomic builtins
    void *coding;              // rank 4: accessor cache; atomic builtins
    uint32_t flags;            // atomic builtins once registered
    uint32_t page_count;
    char *name;
    const isa_memory_hooks *hooks; // inherited; NULL: the core's own count
    size_t instance_size;
    size_t instance_align;
    int64_t instances;         // live ones, those of its notifying class included; atomic builtins
    isa_class first_subclass;  // guarded by the model lock, as all below
    isa_class next_sibling;
    struct isa__map methods;   // selector → isa_method, its own only
    struct isa__array method_order;
    struct isa__array ivars;
    struct isa__array properties;
    struct isa__array owned;   // see isa__class_own
};

static_assert(offsetof(struct isa_class, pages) == offsetof(struct isa_dispatch_class, pages),
              "isa_lookup reads this field by its public layout");

// Guards classes, methods, ivars, properties and the class table.
extern struct isa__lock isa__model_lock;

// Counts every change of a method anywhere, so that caches know when they are stale. Read with an
// acquire load; changed under the model lock, after the change can be seen.
extern uint64_t isa__method_epoch;

static inline uint32_t isa__class_flags(isa_class cls)
{
    return __atomic_load_n(&cls->flags, __ATOMIC_ACQUIRE);
}

// Gives `cls` a resource that is disposed of with it.
isa_status isa__class_own(isa_class cls, void *resource, void (*dispose)(void *resource));

// What a higher rank does when a class goes; filled at start.
struct isa__class_hooks {
    // Rank 5: the notifying class of `cls` if it has one, so that it is disposed of first.
    isa_class (*find_notifying)(isa_class cls);
    // Rank 5 and 4: frees `observing` and `coding`.
    void (*dispose_observing)(isa_class cls);
    void (*dispose_coding)(isa_class cls);
};
extern struct isa__class_hooks isa__class_hooks;

#endif
