// Names made from a key.
//
// Owns:  nothing; the caller brings the room, so that many names cost one allocation.
// Locks: none held; the look-ups take the model's own, one at a time.
#include "name.h"

#include <string.h>

#include "../model/encoding.h"

size_t isa__name_room(const char *key)
{
    return ISA_NAME_PATTERN + 2 * strlen(key) + 1;
}

size_t isa__name_argument_count(isa_method method)
{
    return isa__signature_argument_count(isa_method_types(method));
}

// Writes the name and answers how many arguments it announces, receiver and selector included.
static size_t write_name(const char *pattern, const char *key, char *name)
{
    size_t length = strlen(key), arguments = 2;
    for (; *pattern != 0; pattern++) {
        if (*pattern == ':') arguments++;
        if (*pattern != '%' && *pattern != '$') {
            *name++ = *pattern;
            continue;
        }
        memcpy(name, key, length);
        if (*pattern == '%' && *key >= 'a' && *key <= 'z') *name = (char)(*key - 'a' + 'A');
        name += length;
    }
    *name = 0;
    return arguments;
}

isa_sel isa__name_find_selector(const char *pattern, const char *key, char *name)
{
    write_name(pattern, key, name);
    return isa_sel_find(name);
}

isa_method isa__name_find_method(isa_class cls, const char *pattern, const char *key, char *name)
{
    size_t arguments = write_name(pattern, key, name);
    isa_sel sel = isa_sel_find(name);
    isa_method method = sel == NULL ? NULL : isa_class_find_method(cls, sel);
    return method != NULL && isa__name_argument_count(method) == arguments ? method : NULL;
}
