// Shortcuts.
//
// Owns:  nothing.
// Locks: none; finding one may run user code.
#include "shortcut.h"

#include <string.h>

#include "../base/status.h"
#include "../model/dispatch.h"
#include "element_call.h"

static const uint64_t never = UINT64_MAX;

void isa__shortcut_clear(struct isa__shortcut *shortcut)
{
    memset(shortcut, 0, sizeof *shortcut);
    shortcut->ways = never;
}

static struct isa__shortcut_method usual(isa_class cls, isa_method method, const char *shape)
{
    if (method == NULL || !isa__element_call_is_direct(method, shape))
        return (struct isa__shortcut_method){NULL, NULL};
    isa_sel sel = isa_method_selector(method);
    return (struct isa__shortcut_method){isa__dispatch_get(cls, sel), sel};
}

isa_status isa__shortcut_find(isa_class cls, const char *key, const struct isa__mutators *mutators,
                              uint64_t epoch, struct isa__shortcut *out)
{
    static const struct {
        enum isa__mutator which;
        const char *shape;
    } edits[ISA_SHORTCUT_EDITS] = {
        {ISA_MUTATOR_INSERT, "v@Q"}, {ISA_MUTATOR_REMOVE_AT, "vQ"}, {ISA_MUTATOR_REPLACE, "vQ@"}};
    isa__shortcut_clear(out);
    if (isa__coding_hooks.plan_one == NULL || isa__class_is_gnustep(cls)) return ISA_OK;
    kvc_kind kind;
    struct isa__elements elements;
    isa_status status = isa__coding_elements(cls, key, &kind);
    if (status != ISA_OK || kind != KVC_KIND_ARRAY) return status;
    isa__elements_find(cls, key, &elements);
    out->count = usual(cls, elements.methods[ISA_ELEMENT_COUNT_OF], "Q");
    out->object_at = usual(cls, elements.methods[ISA_ELEMENT_OBJECT_AT], "@Q");
    for (size_t i = 0; i < ISA_SHORTCUT_EDITS; i++)
        out->edits[i] = usual(cls, mutators->methods[edits[i].which], edits[i].shape);
    if (out->count.imp == NULL) return ISA_OK;
    isa__coding_hooks.plan_one(cls, key, out);
    out->ways = epoch;
    return ISA_OK;
}
