// Search for the accessors of a to-many key's elements.
//
// Owns:  nothing.
// Locks: none held.
#include "elements.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "name.h"

static const char *const patterns[ISA_ELEMENT_COUNT] = {
    [ISA_ELEMENT_COUNT_OF] = "countOf%",
    [ISA_ELEMENT_OBJECT_AT] = "objectIn%AtIndex:",
    [ISA_ELEMENT_OBJECTS_AT] = "$AtIndexes:",
    [ISA_ELEMENT_INDEX_OF] = "indexIn%OfObject:",
    [ISA_ELEMENT_ENUMERATOR] = "enumeratorOf%",
    [ISA_ELEMENT_MEMBER] = "memberOf%:",
};

isa_status isa__elements_find(isa_class cls, const char *key, struct isa__elements *out)
{
    *out = (struct isa__elements){0};
    size_t room = isa__name_room(key);
    char *name = isa__alloc(ISA_KIND_OTHER, room);
    if (name == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to search the accessors of \"%.64s\"",
                         key);
    for (size_t i = 0; i < ISA_ELEMENT_COUNT; i++) {
        out->methods[i] = isa__name_find_method(cls, patterns[i], key, name);
        if (out->methods[ISA_ELEMENT_COUNT_OF] == NULL) break;
    }
    isa__free(ISA_KIND_OTHER, name, room);
    return ISA_OK;
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
