// Trampolines: code made at run time that calls a handler with a context, for any signature.
#ifndef ISA_CALL_TRAMPOLINE_H
#define ISA_CALL_TRAMPOLINE_H

#include "ffi_type.h"

struct isa__trampoline;

// What a trampoline runs. `result` has the result type's own size; `arguments` has one address per
// argument, receiver and selector first, and may be handed on to isa__call_interface_invoke.
typedef void (*isa__trampoline_handler)(const struct isa__call_interface *interface, void *result,
                                        void *const *arguments, void *context);

// Binds a trampoline of the method encoding `types` to `handler`, from the pool or new.
//
// Errors: as isa_imp_make.
isa_status isa__trampoline_acquire(const char *types, isa__trampoline_handler handler,
                                   void *context, struct isa__trampoline **out);

// Gives a trampoline back to the pool; its memory stays. NULL is ignored.
void isa__trampoline_recycle(struct isa__trampoline *trampoline);

// What to call, and what was bound.
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

#endif
