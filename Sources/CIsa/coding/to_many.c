// The accessors of a to-many key: shortcuts for the usual ones, and the search for each kind.
//
// A class may have some of a dozen accessors for the elements of a key, and some for changing them.
// The search finds out which; a shortcut keeps the usual accessors of an array, so that a change of
// one element needs no search.
//
// Owns:  nothing.
// Locks: none; finding one may run user code.
#include "to_many.h"

#include <string.h>

#include "../base/status.h"
#include "../call/signature.h"
#include "../model/dispatch.h"
#include "../model/method.h"

static const uint64_t never = UINT64_MAX;

void isa__shortcut_clear(struct isa__shortcut *shortcut)
{
    memset(shortcut, 0, sizeof *shortcut);
    shortcut->ways = never;
}

static struct isa__shortcut_method usual(isa_class cls, isa_method method, enum isa__name name)
{
    if (method == NULL ||
        !isa__accessor_signature_of(isa_method_types(method), isa__name_signature(name)).is_exact)
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
    if (isa__coding_hooks.prepare_one == NULL || isa__class_is_gnustep(cls)) return ISA_OK;
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
    isa__coding_hooks.prepare_one(cls, key, out);
    out->ways = epoch;
    return ISA_OK;
}

// ---- elements -----------------------------------------------------------------------------------

void isa__elements_find(isa_class cls, const char *key, struct isa__elements *out)
{
    *out = (struct isa__elements){0};
    for (size_t i = 0; i < ISA_ELEMENT_COUNT; i++) {
        out->methods[i] = isa__method_find_named(cls, ISA_NAME_COUNT_OF + i, key);
        if (out->methods[ISA_ELEMENT_COUNT_OF] == NULL) break;
    }
}

kvc_kind isa__elements_kind(const struct isa__elements *elements)
{
    const isa_method *methods = elements->methods;
    if (methods[ISA_ELEMENT_COUNT_OF] == NULL) return KVC_KIND_OTHER;
    if (methods[ISA_ELEMENT_OBJECT_AT] != NULL || methods[ISA_ELEMENT_OBJECTS_AT] != NULL)
        return methods[ISA_ELEMENT_INDEX_OF] != NULL ? KVC_KIND_ORDERED_SET : KVC_KIND_ARRAY;
    bool is_set = methods[ISA_ELEMENT_ENUMERATOR] != NULL && methods[ISA_ELEMENT_MEMBER] != NULL;
    return is_set ? KVC_KIND_SET : KVC_KIND_OTHER;
}

// ---- mutators -----------------------------------------------------------------------------------

void isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out)
{
    for (size_t i = 0; i < ISA_MUTATOR_COUNT; i++)
        out->methods[i] = isa__method_find_named(cls, ISA_NAME_INSERT + i, key);
}
