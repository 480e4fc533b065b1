// struct isa__class: the parts of a class. The newcomer's first stop in the core.
#ifndef ISA_MODEL_CLASS_H
#define ISA_MODEL_CLASS_H

#include "../base/containers.h"
#include "../base/directory.h"
#include "../base/reclaim.h"
#include "../base/thread.h"
#include "isa_class.h"
#include "isa_foreign.h"

enum isa__class_flags {
    ISA_CLASS_META = 1,
    ISA_CLASS_REGISTERED = 2,
    ISA_CLASS_NOTIFYING = 4,   // NSKVONotifying_…, made by observing/
    ISA_CLASS_LIBRARY = 8,     // made by the library itself: cannot be disposed of
    ISA_CLASS_GNUSTEP = 32,      // behaves as GNUstep's KVO does; inherited
    ISA_CLASS_LAID_OUT = 64,     // its layout is someone else's, see isa_class_set_layout
    ISA_CLASS_OWNING_IVARS = 16, // it or a superclass has ivars to release at deallocation
    ISA_CLASS_UNSEEN = 128,      // being made: nothing has been found out about it yet
    // Rank 4: the kvc_kind of its instances, in the bits from ISA_CLASS_KIND_SHIFT on; inherited.
    ISA_CLASS_KIND_SHIFT = 8,
    ISA_CLASS_KIND_MASK = 15 << ISA_CLASS_KIND_SHIFT,
    ISA_CLASS_CHANGED = 1 << 12, // methods of its own have come or changed since it was registered
};

struct isa__class {
    struct isa_header header;  // isa: the metaclass; immortal
    isa_imp **pages;           // dispatch table, see dispatch.h; atomic builtins
    void *setters;             // observing/: of a notifying class, what it wraps; atomic builtins
    isa_class superclass;      // NULL for a root class
    isa_class original;        // of a notifying class: the class it notifies for; else itself
    void *observing;           // observing/: a notifying or original class's; atomic builtins
    struct isa__directory facts; // coding/: the facts of its keys
    uint32_t flags;            // atomic builtins
    char *name;                // the metaclass's is its class's own
    const isa_memory_hooks *hooks; // inherited; NULL: the core's own count
    isa_class_guard guard;     // inherited; NULL: key-value coding may come from anywhere
    const void *info;          // inherited; its maker's, see isa_class_set_info
    size_t instance_size;
    size_t instance_align;
    isa__count64 instances;    // live ones, its notifying class's included; atomic builtins
    uint64_t registration;     // its place in the order of registrations; model lock
    isa_class first_subclass;  // guarded by the model lock, as all below
    isa_class next_sibling;    // of a root class: the next root class
    isa_class *sibling_link;   // what leads here of these two
    struct isa__page_array *page_array; // the block that `pages` points into, see dispatch.c
    struct isa__map methods;   // selector → isa_method, its own only
    struct isa__array method_order;
    struct isa__array later_types; // encodings that replaced those its methods were added with
    struct isa__array ivars;
    struct isa__map ivars_by_name;
    struct isa__array properties;
    struct isa__map properties_by_name;
    struct isa__array owned;   // see isa__class_own
};

static_assert(offsetof(struct isa__class, pages) == offsetof(struct isa_dispatch_class, pages),
              "isa_lookup reads this field by its public layout");

// Guards classes, methods, ivars, properties and the class table.
extern struct isa__lock isa__model_lock;

static inline uint32_t isa__class_flags(isa_class cls)
{
    return __atomic_load_n(&cls->flags, __ATOMIC_ACQUIRE);
}

// Ends the making of a class: a change in it from here on makes caches stale.
static inline void isa__class_show(isa_class cls)
{
    if (isa__class_flags(cls) & ISA_CLASS_UNSEEN)
        __atomic_fetch_and(&cls->flags, ~(uint32_t)ISA_CLASS_UNSEEN, __ATOMIC_RELEASE);
}

static inline bool isa__class_is_gnustep(isa_class cls)
{
    return (isa__class_flags(cls) & ISA_CLASS_GNUSTEP) != 0;
}

static inline isa_class isa__class_metaclass(isa_class cls)
{
    return (isa_class)isa_header_isa(&cls->header);
}

// Walks `top` and all below it, each class before its subclasses: start with `top`; NULL ends.
// Without `descend`, passes over what is below `cls`. A NULL `top` walks all classes, metaclasses
// too, since a root metaclass is a subclass of its root class: start with isa__class_first_locked.
isa_class isa__class_next_locked(isa_class cls, isa_class top, bool descend);
isa_class isa__class_first_locked(void);

// Copies a class's list for the caller of the library: `*out` NULL for a count of 0.
isa_status isa__class_copy_items(const struct isa__array *items, void **out, size_t *count);

// Gives `cls` a resource that is disposed of with it, the latest first, with no lock held.
isa_status isa__class_own(isa_class cls, void *resource, void (*dispose)(void *resource));

// Takes a resource back without disposing, for an undo.
void isa__class_disown(isa_class cls, void *resource);

// The acts of higher ranks when a class goes; filled at start. Called with no lock held.
struct isa__class_hooks {
    // Rank 6: frees `observing` where it is not NULL, of a notifying class before its original's.
    void (*dispose_observing)(isa_class cls);
    // Rank 4: frees `facts`.
    void (*dispose_facts)(isa_class cls);
    // Rank 2: ends the weak references to the class as an object, and what is associated with it.
    void (*end_object)(isa_class cls);
};
extern struct isa__class_hooks isa__class_hooks;

// ---- class pairs --------------------------------------------------------------------------------

// Class pairs: allocate, register, dispose of a class and its metaclass.

// As isa_class_pair_allocate and isa_class_pair_register in one, with flags set before anyone can
// see the class: for the classes that the library makes itself, notifying ones among them. A
// notifying class has `original` set to `superclass`, its instances are counted there, and the pair
// counts as a notifying class instead of a class.
isa_status isa__class_pair_make(isa_class superclass, const char *name, uint32_t flags,
                                isa_class *out);

// Disposes of a class, without a look at its flags; it must have no instances and no subclasses but
// its notifying class.
void isa__class_pair_destroy(isa_class cls);

// Makes the root class, which higher ranks then give its methods.
isa_status isa__classes_start(void);

#endif
