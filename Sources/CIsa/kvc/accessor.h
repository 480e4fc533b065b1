// Accessor search: how a class answers for a key, and reading and writing through the answer.
#ifndef ISA_KVC_ACCESSOR_H
#define ISA_KVC_ACCESSOR_H

#include "../model/class.h"
#include "../model/encoding.h"
#include "isa_call.h"
#include "kvc_collections.h"

enum isa__accessor_kind {
    ISA_ACCESSOR_NONE,
    ISA_ACCESSOR_METHOD,
    ISA_ACCESSOR_IVAR,
};

struct isa__accessor;

// Reads a scalar into `buffer`, an object retained; cannot fail.
typedef void (*isa__reader)(const struct isa__accessor *accessor, isa_id object, void *buffer);

// One way to read, or to write, one key of one class. A value: copied freely, owns nothing.
struct isa__accessor {
    enum isa__accessor_kind kind;
    kvc_kind elements; // kind NONE: the collection that accessors for its elements make up, if any
    isa_ownership ownership; // of an ivar
    char letter; // of a scalar's encoding, '{' for a struct, 0 for what cannot be passed
    isa_sel selector;        // of a method; sent, so that an override counts
    size_t offset;           // of an ivar
    size_t size;             // of the value, bytes
    const char *types;       // the value's encoding; interned, good for ever
    isa__reader reader;      // of a getter of scalars, else NULL: isa__accessor_read knows how
    const char *method_types; // of a method that passes a struct: its whole encoding, interned
    uint64_t epoch;          // isa__method_epoch when it was found
};

// Finds how instances of `cls` answer for `key`: `get<Key>`, `<key>`, `is<Key>`, `_get<Key>`,
// `_<key>`, then the accessors of elements.h, then the ivars `_key`, `_isKey`, `key`, `isKey` if
// the class allows it. Kind NONE where nothing does, and where accessors for elements do: with
// those `valueForKey:` makes a proxy.
//
// Runs `accessInstanceVariablesDirectly`, so call it with no lock held.
// Errors: ISA_ERR_NO_MEMORY.
isa_status isa__accessor_find_getter(isa_class cls, const char *key, struct isa__accessor *out);

// The same for writing: `set<Key>:`, `_set<Key>:`, `setIs<Key>:`, then the ivars.
isa_status isa__accessor_find_setter(isa_class cls, const char *key, struct isa__accessor *out);

// The ivar in which a to-many key is changed in place: `_key` or `key`, if the class allows it.
isa_status isa__accessor_find_collection(isa_class cls, const char *key, struct isa__accessor *out);

// The method with which `cls` sets `key`, by the same three names; NULL if there is none.
isa_method isa__accessor_find_setter_method(isa_class cls, const char *key);

// Reads the value into `buffer`, of `accessor->size` bytes. An object is retained for the caller.
//
// Errors: ISA_ERR_NOT_PASSABLE, ISA_ERR_NO_MEMORY of a call through libffi.
isa_status isa__accessor_read(const struct isa__accessor *accessor, isa_id object, void *buffer);

// Writes the value in `buffer`, whose type is the accessor's. An ivar keeps an object as its
// ownership says.
isa_status isa__accessor_write(const struct isa__accessor *accessor, isa_id object,
                               const void *buffer);

// Whether values of this type hold a counted reference once read.
static inline bool isa__accessor_is_object(const struct isa__accessor *accessor)
{
    return accessor->letter == '@';
}

// Says that a value is about to be read or set to who counts the object; an object's own accessor
// says so itself.
static inline void isa__accessor_note(const struct isa__accessor *accessor, isa_id object,
                                      bool sets)
{
    const isa_memory_hooks *hooks = isa_object_get_class(object)->hooks;
    if (hooks == NULL || hooks->access == NULL || isa__accessor_is_object(accessor)) return;
    bool is_method = accessor->kind == ISA_ACCESSOR_METHOD;
    hooks->access(object, is_method ? accessor->selector : NULL, accessor->offset, sets);
}

static inline bool isa__accessor_is_stale(const struct isa__accessor *accessor)
{
    return accessor->epoch != isa__method_epoch();
}

// `types`, interned: names of structs and members included; NULL when memory is short.
const char *isa__encoding_intern(const char *types);
const char *isa__encoding_intern_range(const char *start, size_t length);

#endif
