// The pool of libffi closures, and IMPs made from callbacks.
//
// Owns:      every closure made, each with what it is bound to in one block.
// Lives:     for ever. A thread may have fetched an IMP just before it was given
//            up, so memory goes back to the pool and is never unmapped while the runtime runs.
// Locks:     `pool_lock` guards the free list and the table of code addresses; a handler runs with
//            no lock held and reads its trampoline without one, since nobody changes a bound one.
// Invariant: every closure ever made is in the table; the spare ones are in the free list.
#include "call.h"

#include "../base/alloc.h"
#include "../base/containers.h"
#include "../base/status.h"
#include "../base/thread.h"
#include "../model/type.h"

struct isa__trampoline {
    ffi_closure closure; // first: libffi hands out the block's address
    isa_imp imp;
    const struct isa__call_interface *interface;
    isa__trampoline_handler handler; // NULL: spare
    void *context;
    struct isa__trampoline *next; // in the free list
};

static ISA_LOCK_DEFINE(pool_lock, ISA_LOCK_CALL)
static struct isa__trampoline *spare;
static struct isa__map by_code = {0}; // code address → its trampoline
static bool denied;                   // by a test; atomic builtins

void isa_testing_deny_trampolines(bool deny)
{
    __atomic_store_n(&denied, deny, __ATOMIC_RELAXED);
}

// ---- running ------------------------------------------------------------------------------------

static void run(ffi_cif *cif, void *result, void **arguments, void *user)
{
    (void)cif;
    const struct isa__trampoline *t = user;
    t->handler(t->interface, result, arguments, t->context);
}

// libffi reads a whole ffi_arg where the result is a narrower integer.
static void run_and_widen(ffi_cif *cif, void *result, void **arguments, void *user)
{
    (void)cif;
    const struct isa__trampoline *t = user;
    ffi_arg narrow = 0;
    t->handler(t->interface, &narrow, arguments, t->context);
    *(ffi_arg *)result = isa__integer_load(t->interface->result_letter, &narrow);
}

// ---- the pool -----------------------------------------------------------------------------------

#ifdef __ELF__
// Of a leak checker, which else does not look into memory that libffi has mapped.
extern __attribute__((weak)) void __lsan_register_root_region(const void *start, size_t size);
#endif

static void show_to_leak_checker(const struct isa__trampoline *t)
{
    (void)t;
#ifdef __ELF__
    if (__lsan_register_root_region != NULL) __lsan_register_root_region(t, sizeof *t);
#endif
}

// A closure that nothing is bound to, known by its code address.
static isa_status make_locked(struct isa__trampoline **out)
{
    void *code = NULL;
    if (isa__alloc_must_fail())
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for a trampoline");
    struct isa__trampoline *t = ffi_closure_alloc(sizeof *t, &code);
    if (t == NULL)
        return isa__fail(ISA_ERR_NO_TRAMPOLINE, NULL, "libffi gives no memory for a trampoline");
    isa_status status = isa__map_set(&by_code, code, t);
    if (status != ISA_OK) {
        ffi_closure_free(t);
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to remember a trampoline");
    }
    t->imp = (isa_imp)(uintptr_t)code;
    t->handler = NULL;
    t->next = NULL;
    show_to_leak_checker(t);
    isa__count(ISA_KIND_SPARE_TRAMPOLINE, 1);
    *out = t;
    return ISA_OK;
}

static isa_status trampoline_take(struct isa__trampoline **out)
{
    isa_status status = ISA_OK;
    isa__lock(&pool_lock);
    if (spare == NULL) status = make_locked(&spare);
    if (status == ISA_OK) {
        *out = spare;
        spare = spare->next;
    }
    isa__unlock(&pool_lock);
    return status;
}

static void give_back(struct isa__trampoline *t)
{
    isa__lock(&pool_lock);
    __atomic_store_n(&t->handler, NULL, __ATOMIC_RELEASE);
    t->next = spare;
    spare = t;
    isa__unlock(&pool_lock);
}

isa_status isa__trampoline_acquire(const char *types, isa__trampoline_handler handler,
                                   void *context, struct isa__trampoline **out)
{
    const struct isa__call_interface *interface;
    isa_status status = isa__call_interface_get(types, &interface);
    if (status != ISA_OK) return status;
    if (__atomic_load_n(&denied, __ATOMIC_RELAXED))
        return isa__fail(ISA_ERR_NO_TRAMPOLINE, NULL, "trampolines are denied to this process");
    struct isa__trampoline *t;
    status = trampoline_take(&t);
    if (status != ISA_OK) return status;
    t->interface = interface;
    t->context = context;
    __atomic_store_n(&t->handler, handler, __ATOMIC_RELEASE);
    if (ffi_prep_closure_loc(&t->closure, (ffi_cif *)&interface->cif,
                             interface->result_letter == 0 ? run : run_and_widen, t,
                             (void *)(uintptr_t)t->imp) != FFI_OK) {
        give_back(t);
        return isa__fail(ISA_ERR_NO_TRAMPOLINE, NULL, "libffi cannot make a closure of \"%.200s\"",
                         types);
    }
    isa__count(ISA_KIND_SPARE_TRAMPOLINE, -1);
    isa__count(ISA_KIND_TRAMPOLINE, 1);
    *out = t;
    return ISA_OK;
}

void isa__trampoline_recycle(struct isa__trampoline *trampoline)
{
    if (trampoline == NULL) return;
    give_back(trampoline);
    isa__count(ISA_KIND_TRAMPOLINE, -1);
    isa__count(ISA_KIND_SPARE_TRAMPOLINE, 1);
}

isa_imp isa__trampoline_imp(const struct isa__trampoline *trampoline)
{
    return trampoline->imp;
}

void *isa__trampoline_context(const struct isa__trampoline *trampoline)
{
    return trampoline->context;
}

struct isa__trampoline *isa__trampoline_find(isa_imp imp, isa__trampoline_handler handler)
{
    if (imp == NULL) return NULL;
    isa__lock(&pool_lock);
    struct isa__trampoline *t = isa__map_find(&by_code, (void *)(uintptr_t)imp);
    isa__unlock(&pool_lock);
    if (t == NULL) return NULL;
    return __atomic_load_n(&t->handler, __ATOMIC_ACQUIRE) == handler ? t : NULL;
}

// ---- IMPs from callbacks ------------------------------------------------------------------------

// The context of an IMP made from a callback.
struct binding {
    isa_callback callback;
    void *context;
    void (*release)(void *context);
    bool disposable; // by isa_imp_dispose; else a class will end it
};

static void run_callback(const struct isa__call_interface *interface, void *result,
                         void *const *arguments, void *context)
{
    (void)interface;
    const struct binding *binding = context;
    binding->callback(result, arguments, binding->context);
}

isa_status isa__callback_bind(const char *types, isa_callback callback, void *context,
                              struct isa__trampoline **out)
{
    struct binding *binding = isa__alloc(ISA_KIND_OTHER, sizeof *binding);
    if (binding == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to bind a callback");
    binding->callback = callback;
    binding->context = context;
    isa_status status = isa__trampoline_acquire(types, run_callback, binding, out);
    if (status != ISA_OK) isa__free(ISA_KIND_OTHER, binding, sizeof *binding);
    return status;
}

void isa__callback_set_release(struct isa__trampoline *trampoline, void (*release)(void *context))
{
    struct binding *binding = trampoline->context;
    binding->release = release;
}

void isa__callback_end(struct isa__trampoline *trampoline)
{
    struct binding *binding = trampoline->context;
    struct binding ended = *binding;
    isa__trampoline_recycle(trampoline);
    isa__free(ISA_KIND_OTHER, binding, sizeof *binding);
    if (ended.release != NULL) ended.release(ended.context);
}

isa_status isa_imp_make(const char *types, isa_callback callback, void *context,
                        void (*release)(void *context), isa_imp *out)
{
    if (callback == NULL || out == NULL) return isa__fail_null(__func__, "callback or out");
    struct isa__trampoline *t;
    isa_status status = isa__callback_bind(types, callback, context, &t);
    if (status != ISA_OK) return status;
    isa__callback_set_release(t, release);
    ((struct binding *)t->context)->disposable = true;
    *out = t->imp;
    return ISA_OK;
}

isa_status isa_imp_dispose(isa_imp imp)
{
    struct isa__trampoline *t = isa__trampoline_find(imp, run_callback);
    if (t == NULL || !((struct binding *)t->context)->disposable)
        return isa__fail(ISA_ERR_NOT_FOUND, NULL, "the IMP was not made by isa_imp_make");
    isa__callback_end(t);
    return ISA_OK;
}

void *isa_imp_find_context(isa_imp imp)
{
    const struct isa__trampoline *t = isa__trampoline_find(imp, run_callback);
    return t == NULL ? NULL : ((const struct binding *)t->context)->context;
}
