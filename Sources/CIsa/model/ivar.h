// Ivars: name, encoding, offset, ownership; a class's instance layout; declared properties.
#ifndef ISA_MODEL_IVAR_H
#define ISA_MODEL_IVAR_H

#include "class.h"
#include "selector.h"
#include "type.h"

struct isa__ivar {
    char *name;
    char *types;
    size_t offset;
    size_t size;
    size_t align;
    isa_ownership ownership;
};

// Checks the encoding of one value, and that `ownership` suits it: the check that ivars and
// properties share.
//
// Errors: as isa_class_add_ivar.
isa_status isa__ivar_check(const char *name, const char *types, isa_ownership ownership,
                           struct isa__type *out);

// As isa_class_find_ivar, by the name made from `key`.
isa_ivar isa__ivar_find_named(isa_class cls, enum isa__name name, const char *key);

// Takes back the ivar that was added last to an unregistered class, for an undo.
void isa__ivar_remove_last(isa_class cls);

// Frees the ivars of a class that goes. Model lock held.
void isa__ivars_free_locked(isa_class cls);

// ---- properties ---------------------------------------------------------------------------------

// Declared properties.

struct isa__property {
    isa_property_info info; // every text is a copy of its own
};

// Takes a declaration back, for an undo: the caller sees to it that nobody uses `property` any
// more.
void isa__property_remove(isa_class cls, isa_property property);

// Frees the properties of a class that goes. Model lock held.
void isa__properties_free_locked(isa_class cls);

#endif
