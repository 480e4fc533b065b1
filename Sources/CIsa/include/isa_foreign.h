// For runtimes of other languages, such as the layer in Swift: classes whose instances somebody
// else allocates, counts and lays out. A program in C does not need this header.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_FOREIGN_H
#define ISA_FOREIGN_H

#include "isa_class.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- classes ------------------------------------------------------------------------------------

// How a class's instances are counted by someone else, such as the Swift runtime.
//
// `keep` and `drop` hold the memory of an object that may die meanwhile (an unowned reference), so
// that `try_retain` may be asked at any time between them. Inherited; instances of such a class are
// not allocated by isa_object_allocate, and the record word of their header is never a count.
//
// `access`, unless it is NULL, is called before a value that is no object is read or set by its
// key: through the method `accessor`, or where that is NULL in the ivar at `offset`.
typedef struct isa_memory_hooks {
    void (*retain)(isa_id object);
    void (*release)(isa_id object);
    bool (*try_retain)(isa_id object);
    void (*keep)(isa_id object);
    void (*drop)(isa_id object);
    size_t (*count)(isa_id object);
    void (*access)(isa_id object, isa_sel accessor, size_t offset, bool sets);
} isa_memory_hooks;

// Sets the memory hooks of an unregistered class. The table is kept by address, for ever.
ISA_TRY isa_status isa_class_set_memory_hooks(isa_class cls, const isa_memory_hooks *hooks);

// Says that instances of an unregistered class with memory hooks are laid out by someone else and
// have `size` bytes from the header on, the superclass's bytes among them. Its own ivars are added
// by isa_class_add_ivar_at, and no object of another such class can become its instance.
//
// Errors: ISA_ERR_REGISTERED; ISA_ERR_INVALID_ARGUMENT for a class without memory hooks, a class
//         that has ivars already, or a size smaller than the superclass's.
ISA_TRY isa_status isa_class_set_layout(isa_class cls, size_t size);

// Adds an ivar without ownership at `offset` bytes from the header, to a class whose layout was set
// by isa_class_set_layout.
//
// Errors: as isa_class_add_ivar; ISA_ERR_INVALID_ARGUMENT for another class, or for an offset that
//         is not aligned or beyond the layout's size.
ISA_TRY isa_status isa_class_add_ivar_at(isa_class cls, const char *name, const char *types,
                                         size_t offset);

// Gives an unregistered class a pointer of its maker's, which classes allocated below it afterwards
// inherit, notifying ones too. NULL unless given.
//
// Errors: ISA_ERR_REGISTERED; ISA_ERR_INVALID_ARGUMENT for a metaclass.
ISA_TRY isa_status isa_class_set_info(isa_class cls, const void *info);
ISA_API const void *isa_class_find_info(isa_class cls);

// Whether methods were added to, replaced in or exchanged with those of the class, or one above it,
// after it was registered. Classes that the library has made for itself, such as the root class,
// do not count.
ISA_API bool isa_class_is_changed(isa_class cls);

// ---- objects ------------------------------------------------------------------------------------

// Makes `header`, zeroed memory inside an object of someone else's, an instance of `cls`, which has
// memory hooks; nothing happens if it is an instance already, also by another thread meanwhile.
// `isa_object_abandon` ends it, before the memory goes: registrations, weak references and
// associated objects end as at a deallocation.
ISA_TRY isa_status isa_object_adopt(isa_class cls, struct isa_header *header, isa_id *out);
ISA_API void isa_object_abandon(isa_id object);

// ---- messages -----------------------------------------------------------------------------------

// Sends `sel`, a message "v@:X", with the argument at `value`; X is the scalar, pointer or object
// type whose encoding begins with `letter`.
//
// Misuse: any other letter stops the process with a sentence.
ISA_API void isa_send_value(isa_id object, isa_sel sel, char letter, const void *value);

#ifdef __cplusplus
}
#endif
#endif
