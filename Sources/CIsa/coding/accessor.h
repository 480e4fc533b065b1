// Accessor search: how a class answers for a key, and reading and writing through the answer.
#ifndef ISA_CODING_ACCESSOR_H
#define ISA_CODING_ACCESSOR_H

#include "../model/class.h"
#include "../model/type.h"
#include "../object/object.h"
#include "facts.h"
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
};

// The ivar in which a to-many key is changed in place: `_key` or `key`, if the class allows it.
isa_status isa__accessor_find_collection(isa_class cls, const char *key, struct isa__accessor *out);

// The method with which `cls` sets `key`, by the same three names; NULL if there is none.
isa_method isa__accessor_find_setter_method(isa_class cls, const char *key);

// How the method takes the argument, or with `number` 0 answers the value, whose type has that
// number in its encoding.
isa_status isa__accessor_of_method(isa_method method, size_t number, struct isa__accessor *out);

// The letter that an accessor of values of this type has.
char isa__letter_of(const struct isa__type *type);

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
    const isa_memory_hooks *hooks = isa__class_in(object)->hooks;
    if (hooks == NULL || hooks->access == NULL || isa__accessor_is_object(accessor)) return;
    bool is_method = accessor->kind == ISA_ACCESSOR_METHOD;
    hooks->access(object, is_method ? accessor->selector : NULL, accessor->offset, sets);
}

// How a class answers for a key: searched once, and then a fact.
struct isa__answer {
    struct isa__accessor accessor;
    bool is_direct; // the root class's code answers `valueForKey:`; a setter's, `setValue:forKey:`
    bool is_walked; // a getter's: and `valueForKeyPath:`, and the class has no guard
    bool is_at_once; // nothing else has a say: no guard; a getter's, any accessor; a setter's, a
                     // method that takes a number other than a bool
};

// How instances of `cls` answer for `key`, as the accessor search finds it. `subject` is
// ISA_FACT_GETTER or ISA_FACT_SETTER.
isa_status isa__answer_find(isa_class cls, const char *key, enum isa__subject subject,
                            struct isa__answer *out);

// The same if it is known; false tells nothing. Asks the class nothing.
ISA_INLINE bool isa__answer_recall(isa_class cls, const char *key, enum isa__subject subject,
                                   struct isa__answer *out)
{
    const struct isa__key *interned = isa__key_find(key);
    return interned != NULL && isa__fact_recall(cls, interned, subject, out, sizeof *out);
}

// Whether it is known and nothing else has a say, of any object and key.
ISA_INLINE bool isa__answer_is_at_once(isa_id object, const char *key, enum isa__subject subject,
                                       struct isa__answer *out)
{
    return object != NULL && key != NULL &&
           isa__answer_recall(isa__class_in(object), key, subject, out) && out->is_at_once;
}

// The getter's, of an interned key, if it is known; NULL tells nothing. In a reader section, which
// must cover its use.
ISA_INLINE const struct isa__answer *isa__answer_known(isa_class cls, const struct isa__key *key)
{
    return isa__fact_find(cls, key, ISA_FACT_GETTER);
}

// `types`, interned: names of structs and members included; NULL when memory is short.
const char *isa__encoding_intern(const char *types);
const char *isa__encoding_intern_range(const char *start, size_t length);

#endif
