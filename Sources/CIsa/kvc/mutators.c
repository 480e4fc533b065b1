// Search for the accessors of a to-many key.
//
// Owns:  nothing.
// Locks: none held.
#include "mutators.h"

#include "../base/alloc.h"
#include "../base/status.h"
#include "name.h"

static const char *const patterns[ISA_MUTATOR_COUNT] = {
    [ISA_MUTATOR_INSERT] = "insertObject:in%AtIndex:",
    [ISA_MUTATOR_INSERT_MANY] = "insert%:atIndexes:",
    [ISA_MUTATOR_REMOVE_AT] = "removeObjectFrom%AtIndex:",
    [ISA_MUTATOR_REMOVE_MANY] = "remove%AtIndexes:",
    [ISA_MUTATOR_REPLACE] = "replaceObjectIn%AtIndex:withObject:",
    [ISA_MUTATOR_REPLACE_MANY] = "replace%AtIndexes:with%:",
    [ISA_MUTATOR_ADD] = "add%Object:",
    [ISA_MUTATOR_ADD_MANY] = "add%:",
    [ISA_MUTATOR_REMOVE] = "remove%Object:",
    [ISA_MUTATOR_REMOVE_SET] = "remove%:",
    [ISA_MUTATOR_INTERSECT] = "intersect%:",
};

isa_status isa__mutators_find(isa_class cls, const char *key, struct isa__mutators *out)
{
    size_t room = isa__name_room(key);
    char *name = isa__alloc(ISA_KIND_OTHER, room);
    if (name == NULL)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to search the accessors of \"%.64s\"",
                         key);
    for (size_t i = 0; i < ISA_MUTATOR_COUNT; i++)
        out->methods[i] = isa__name_find_method(cls, patterns[i], key, name);
    isa__free(ISA_KIND_OTHER, name, room);
    return ISA_OK;
}

static bool has_selector(const char *key, char *name)
{
    for (size_t i = 0; i < ISA_MUTATOR_COUNT; i++)
        if (isa__name_find_selector(patterns[i], key, name) != NULL) return true;
    return false;
}

isa_status isa__mutators_find_interned(isa_class cls, const struct isa__key *key,
                                       struct isa__mutators *out)
{
    *out = (struct isa__mutators){0};
    if (isa__key_is_unnamed(key, ISA_NAMES_MUTATORS)) return ISA_OK;
    uint32_t selectors = isa__selector_count();
    size_t room = isa__name_room(key->text);
    char *name = isa__alloc(ISA_KIND_OTHER, room);
    bool named = name == NULL || has_selector(key->text, name);
    isa__free(ISA_KIND_OTHER, name, name == NULL ? 0 : room);
    if (named) return isa__mutators_find(cls, key->text, out);
    isa__key_note_unnamed(key, ISA_NAMES_MUTATORS, selectors);
    return ISA_OK;
}
