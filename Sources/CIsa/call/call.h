// Calls of methods by their encodings: types that can be passed, prepared interfaces, trampolines,
// synthesised accessors.
#ifndef ISA_CALL_CALL_H
#define ISA_CALL_CALL_H

#include <ffi.h>

#include "../model/type.h"
#include "isa_call.h"

// ---- call interfaces ----------------------------------------------------------------------------

// From a method encoding to what libffi needs for a call, prepared once per signature.

// How calls of one signature are made; equal for encodings that pass alike. Permanent.
struct isa__call_interface {
    ffi_cif cif;
    size_t count;       // arguments, receiver and selector included
    ffi_type **types;   // theirs
    size_t *sizes;      // and the bytes at each argument's address; an array's: a pointer's
    size_t result_size; // bytes that a result takes at the caller's; 0 for void
    bool has_structs;   // among the arguments
    char result_letter; // of an integer result narrower than ffi_arg, which libffi widens; else 0
    const char *signature; // canonical, see isa__encoding_copy_canonical
};

// The interface for calls of the method encoding `types`.
//
// An argument of array type is passed as C does: as a pointer to the first element.
// Errors: as isa_call_check.
isa_status isa__call_interface_get(const char *types, const struct isa__call_interface **out);

// ---- calls --------------------------------------------------------------------------------------

// Calls through a prepared call interface.

// Calls `imp` as isa_invoke does, without looking anything up. `imp` has the interface's signature.
void isa__call_interface_invoke(const struct isa__call_interface *interface, isa_imp imp,
                                void *const *arguments, void *result);

// ---- trampolines --------------------------------------------------------------------------------

// Trampolines: code made at run time that calls a handler with a context, for any signature.

struct isa__trampoline;

// The code that a trampoline runs. `result` has the result type's own size; `arguments` has one
// address per argument, receiver and selector first, and may be handed on to
// isa__call_interface_invoke.
typedef void (*isa__trampoline_handler)(const struct isa__call_interface *interface, void *result,
                                        void *const *arguments, void *context);

// Binds a trampoline of the method encoding `types` to `handler`, from the pool or new.
//
// Errors: as isa_imp_make.
isa_status isa__trampoline_acquire(const char *types, isa__trampoline_handler handler,
                                   void *context, struct isa__trampoline **out);

// Gives a trampoline back to the pool; its memory stays. NULL is ignored.
void isa__trampoline_recycle(struct isa__trampoline *trampoline);

// The code to call, and the context that was bound.
isa_imp isa__trampoline_imp(const struct isa__trampoline *trampoline);
void *isa__trampoline_context(const struct isa__trampoline *trampoline);

// The bound trampoline with that handler that `imp` is the code of; NULL if there is none.
struct isa__trampoline *isa__trampoline_find(isa_imp imp, isa__trampoline_handler handler);

// isa_imp_make in steps, for who must be able to undo: binds a callback, sets what is called with
// its context at the end, ends it. isa_imp_dispose refuses such an IMP. Errors: as isa_imp_make.
isa_status isa__callback_bind(const char *types, isa_callback callback, void *context,
                              struct isa__trampoline **out);
void isa__callback_set_release(struct isa__trampoline *trampoline, void (*release)(void *context));
void isa__callback_end(struct isa__trampoline *trampoline);

// ---- compiled accessors -------------------------------------------------------------------------

// Compiled accessors: for each scalar type and each of the first offsets a getter and a setter of
// their own, so that a synthesised property costs what a hand-written one does. An IMP must be good
// under any selector, on any object and called by anybody, so it can look nothing up; further
// offsets and other types have trampolines.

// Whether `imp` is such a getter of a plain value of that type: then where it reads.
bool isa__getter_code_find(isa_imp imp, char letter, size_t *offset);

// ---- synthesised accessors ----------------------------------------------------------------------

// The facts of synthesised accessors that other ranks need.

// The ivar that `imp` reads if it is a synthesised getter of a weak property, else NULL.
isa_ivar isa__synthesized_weak_ivar(isa_imp imp);

// Whether `imp` is a synthesised setter that writes the ivar, or one with its offset and type.
bool isa__synthesized_setter_writes(isa_imp imp, isa_ivar ivar);

#endif
