// Calls by type encoding: from argument addresses to registers and stack, through libffi.
//
// Owns:      nothing.
// Locks:     none while the called code runs.
// Invariant: exactly the result type's bytes are written to the caller's `result`.
#include "call.h"

#include <complex.h>
#include <string.h>

#include "../base/alloc.h"
#include "../base/event.h"
#include "../base/status.h"
#include "../model/type.h"
#include "isa_foreign.h"

enum { ARGUMENTS_ON_STACK = 16 };

// Anything that comes back in registers.
union dropped {
    ffi_arg integer;
    long double complex number;
    char bytes[64];
};

static void call(const struct isa__call_interface *interface, isa_imp imp, void **values,
                 void *result)
{
    ffi_cif *cif = (ffi_cif *)&interface->cif; // libffi only reads it
    union dropped dropped;
    if (result == NULL) {
        // Without a place for it libffi would leave a long double in the x87 registers, of which
        // there are eight. Memory for a result that needs more it takes from the stack itself.
        ffi_call(cif, imp, interface->result_size <= sizeof dropped ? &dropped : NULL, values);
    } else if (interface->result_letter == 0) {
        ffi_call(cif, imp, result, values);
    } else {
        ffi_arg wide = 0;
        ffi_call(cif, imp, &wide, values);
        isa__integer_store(interface->result_letter, wide, result);
    }
}

void isa__call_interface_invoke(const struct isa__call_interface *interface, isa_imp imp,
                                void *const *arguments, void *result)
{
    if (!interface->has_structs) {
        call(interface, imp, (void **)arguments, result);
        return;
    }
    // libffi puts the addresses of its own copies of large structs into the list that it is given.
    void *values[interface->count];
    memcpy(values, arguments, sizeof values);
    call(interface, imp, values, result);
}

isa_status isa_invoke(isa_imp imp, const char *types, void *const *arguments, void *result)
{
    if (imp == NULL || arguments == NULL) return isa__fail_null(__func__, "imp or arguments");
    const struct isa__call_interface *interface;
    isa_status status = isa__call_interface_get(types, &interface);
    if (status == ISA_OK) isa__call_interface_invoke(interface, imp, arguments, result);
    return status;
}

// Calls with the message reported as the cause of what happens in its course.
static void invoke_send(const struct isa__call_interface *interface, isa_imp imp,
                        void *const *arguments, void *result)
{
    if (!isa__event_on()) {
        isa__call_interface_invoke(interface, imp, arguments, result);
        return;
    }
    uint64_t cause = isa__event_begin(&(isa_event){
        .kind = ISA_EVENT_MESSAGE,
        .object = *(const isa_id *)arguments[0],
        .selector = *(const isa_sel *)arguments[1],
        .imp = imp,
    });
    isa__call_interface_invoke(interface, imp, arguments, result);
    isa__event_end(cause);
}

// `arguments` are those behind receiver and selector.
static isa_status send_all(const struct isa__call_interface *interface, isa_imp imp, isa_id object,
                           isa_sel sel, void *const *arguments, void *result)
{
    if (arguments == NULL && interface->count > 2)
        return isa__fail_null("isa_invoke_message", "arguments");
    void *few[ARGUMENTS_ON_STACK], **all = few;
    size_t size = interface->count * sizeof *all;
    if (interface->count > ARGUMENTS_ON_STACK) all = isa__alloc(ISA_KIND_OTHER, size);
    if (all == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory for the arguments of %s",
                         isa_sel_name(sel));
    all[0] = &object;
    all[1] = &sel;
    if (interface->count > 2) memcpy(all + 2, arguments, size - 2 * sizeof *all);
    invoke_send(interface, imp, all, result);
    if (all != few) isa__free(ISA_KIND_OTHER, all, size);
    return ISA_OK;
}

isa_status isa_invoke_message(isa_id object, isa_sel sel, void *const *arguments, void *result)
{
    if (object == NULL || sel == NULL) return isa__fail_null(__func__, "object or sel");
    isa_class cls = isa_object_get_class(object);
    isa_method method = isa_class_find_method(cls, sel);
    if (method == NULL)
        return isa__fail(ISA_ERR_UNRECOGNIZED_SELECTOR, NULL,
                         "%s does not respond to the selector %s", isa_class_name(cls),
                         isa_sel_name(sel));
    const struct isa__call_interface *interface;
    isa_status status = isa__call_interface_get(isa_method_types(method), &interface);
    if (status != ISA_OK) return status;
    return send_all(interface, isa_method_imp(method), object, sel, arguments, result);
}

// ---- one scalar argument ------------------------------------------------------------------------

#define DEFINE_SEND(type, name) \
    static void send_##name(isa_id object, isa_sel sel, const void *value) \
    { \
        ISA_SEND(void (*)(isa_id, isa_sel, type), object, sel, *(type const *)value); \
    }

ISA_PASSED_TYPES(DEFINE_SEND)

#define SENDER(type, name) [ISA_PASSED_##name] = send_##name,
static void (*const senders[ISA_PASSED_COUNT])(isa_id, isa_sel, const void *) = {
    ISA_PASSED_TYPES(SENDER)};

void isa_send_value(isa_id object, isa_sel sel, char letter, const void *value)
{
    void (*sender)(isa_id, isa_sel, const void *) = senders[isa__scalar(letter)->passed];
    ISA_REQUIRE(sender != NULL, "isa_send_value: '%c' is no scalar's letter", letter);
    sender(object, sel, value);
}
