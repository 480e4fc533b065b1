// Calls by type encoding: invoke an IMP with argument addresses, make an IMP from a callback.
//
// NULL: as at the top of isa_types.h.
#ifndef ISA_CALL_H
#define ISA_CALL_H

#include "isa_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether libffi can pass every type of the method encoding.
//
// An argument of array type is passed as C passes it: as a pointer to the first element, so that
// the argument's address is that of a pointer.
//
// Errors: ISA_ERR_BAD_ENCODING; ISA_ERR_NOT_PASSABLE for unions and bit-fields by value, 128-bit
//         integers, empty structs and those whose members are not known, arrays as results, and
//         more than 256 KiB in one call; ISA_ERR_NO_MEMORY.
ISA_TRY isa_status isa_call_check(const char *types);

// Calls `imp` as `types` says.
//
// Shape:  `arguments` has one address per argument, receiver and selector first.
// Units:  `result` has the size of the result type, however small; NULL drops the result.
// Errors: as isa_call_check; the call is not made then.
ISA_TRY isa_status isa_invoke(isa_imp imp, const char *types, void *const *arguments, void *result);

// Sends `sel` to `object`: looks the method up and calls it by its own encoding. `arguments` are
// those behind receiver and selector.
//
// Errors: ISA_ERR_UNRECOGNIZED_SELECTOR, and as isa_call_check.
ISA_TRY isa_status isa_invoke_message(isa_id object, isa_sel sel, void *const *arguments,
                                      void *result);

// A method's body: `arguments` has one address per argument, receiver and selector first; the
// result is written to `result`, whose size is the result type's.
typedef void (*isa_callback)(void *result, void *const *arguments, void *context);

// Makes an IMP of the given encoding that calls `callback` with `context`.
//
// Owner:  the caller; isa_imp_dispose ends it and calls `release(context)`, unless NULL.
// Errors: as isa_call_check; ISA_ERR_NO_TRAMPOLINE. `release` is not called then.
// Source: imp_implementationWithBlock, Objective-C Runtime reference.
ISA_TRY isa_status isa_imp_make(const char *types, isa_callback callback, void *context,
                                void (*release)(void *context), isa_imp *out);

// Disposes of an IMP made by isa_imp_make; its trampoline is used again.
//
// Errors: ISA_ERR_NOT_FOUND for any other IMP.
// Threads: the caller sees to it that nobody calls it any more.
ISA_API isa_status isa_imp_dispose(isa_imp imp);

// The context of an IMP made by isa_imp_make; NULL for any other.
ISA_API void *isa_imp_find_context(isa_imp imp);

// Declares a property, adds its backing ivar where the class has none of that name and is not
// registered yet, and adds getter and setter that read and write the ivar as `ownership` says.
//
// Errors: the errors of isa_class_add_property, isa_class_add_ivar, isa_class_add_method and
//         isa_imp_make; ISA_ERR_NOT_FOUND if the class is registered and lacks the ivar;
//         ISA_ERR_INVALID_ARGUMENT if the ivar exists with another encoding or ownership. Nothing
//         is added then.
// Lives:  the accessors' trampolines are disposed of with the class.
// Owner:  the getter lends the object that it answers; nothing keeps a weak one alive for the
//         caller, who uses isa_weak_copy on the ivar's storage for a reference.
// Misuse: a value that cannot be copied, or has no weak references, leaves the ivar as it was and
//         goes to the misuse handler.
ISA_TRY isa_status isa_class_synthesize(isa_class cls, const isa_property_info *info);

// Adds a method whose code is a callback: isa_imp_make and isa_class_add_method in one, the IMP
// being disposed of with the class.
ISA_TRY isa_status isa_class_add_callback(isa_class cls, isa_sel sel, const char *types,
                                          isa_callback callback, void *context,
                                          void (*release)(void *context));

#ifdef __cplusplus
}
#endif
#endif
