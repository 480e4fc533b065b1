// Search for the accessors of a to-many key's elements.
//
// Owns:  nothing.
// Locks: none held.
#include "elements.h"

#include "../model/method.h"

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
