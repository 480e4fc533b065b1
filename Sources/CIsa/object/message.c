// Message lookup beyond the inline path: super calls, and objects that do not respond.
#include "message.h"

#include "../base/status.h"
#include "../model/dispatch.h"
#include "isa_object.h"

static struct isa__callout unrecognized;

void isa_set_unrecognized_hook(isa_unrecognized_hook hook, void *context)
{
    isa__callout_set(&unrecognized, (void (*)(void))hook, context);
}

isa_imp isa__message_ask_hook(isa_id object, isa_sel sel)
{
    void (*function)(void);
    void *context;
    unsigned ticket;
    if (!isa__callout_enter(&unrecognized, &function, &context, &ticket)) return NULL;
    isa_imp imp = ((isa_unrecognized_hook)function)(object, sel, context);
    isa__callout_leave(&unrecognized, ticket);
    return imp;
}

isa_imp isa_lookup_unrecognized(isa_id object, isa_sel sel)
{
    isa_imp imp = isa__message_ask_hook(object, sel);
    if (imp != NULL) return imp;
    isa_class cls = isa_object_get_class(object);
    isa__stop("%c[%s %s]: unrecognized selector sent to object %p",
              isa_class_is_metaclass(cls) ? '+' : '-', isa_class_name(cls), isa_sel_name(sel),
              (void *)object);
}

isa_imp isa_lookup_super(isa_class cls, isa_sel sel)
{
    ISA_REQUIRE_NOT_NULL(cls);
    ISA_REQUIRE_NOT_NULL(sel);
    isa_class superclass = isa_class_superclass(cls);
    return superclass == NULL ? NULL : isa__dispatch_get(superclass, sel);
}
