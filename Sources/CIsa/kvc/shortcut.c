// Shortcuts.
//
// Owns:  nothing.
// Locks: none; finding one may run user code.
#include "shortcut.h"

#include <string.h>

#include "../base/status.h"
#include "../call/shape.h"
#include "../model/dispatch.h"

static const uint64_t never = UINT64_MAX;

void isa__shortcut_clear(struct isa__shortcut *shortcut)
{
    memset(shortcut, 0, sizeof *shortcut);
    shortcut->ways = never;
}

static struct isa__shortcut_method usual(isa_class cls, isa_method method, enum isa__name name)
{
    if (method == NULL || !isa__shape_of(isa_method_types(method), isa__name_shape(name)).is_exact)
        return (struct isa__shortcut_method){NULL, NULL};
    isa_sel sel = isa_method_selector(method);
    return (struct isa__shortcut_method){isa__dispatch_get(cls, sel), sel};
}

isa_status isa__shortcut_find(isa_class cls, const char *key, const struct isa__mutators *mutators,
                              uint64_t epoch, struct isa__shortcut *out)
{
    static const enum isa__mutator edits[ISA_SHORTCUT_EDITS] = {
        ISA_MUTATOR_INSERT, ISA_MUTATOR_REMOVE_AT, ISA_MUTATOR_REPLACE};
    isa__shortcut_clear(out);
    if (isa__coding_hooks.plan_one == NULL || isa__class_is_gnustep(cls)) return ISA_OK;
    kvc_kind kind;
    struct isa__elements elements;
    isa_status status = isa__coding_elements(cls, key, &kind);
    if (status != ISA_OK || kind != KVC_KIND_ARRAY) return status;
    isa__elements_find(cls, key, &elements);
    out->count = usual(cls, elements.methods[ISA_ELEMENT_COUNT_OF], ISA_NAME_COUNT_OF);
    out->object_at = usual(cls, elements.methods[ISA_ELEMENT_OBJECT_AT], ISA_NAME_OBJECT_AT);
    for (size_t i = 0; i < ISA_SHORTCUT_EDITS; i++)
        out->edits[i] = usual(cls, mutators->methods[edits[i]], ISA_NAME_INSERT + edits[i]);
    if (out->count.imp == NULL) return ISA_OK;
    isa__coding_hooks.plan_one(cls, key, out);
    out->ways = epoch;
    return ISA_OK;
}
