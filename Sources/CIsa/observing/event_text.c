// The texts of events' values, for listeners: of strings of the core's, and of a foreign layer's
// texts where they stand.
#include <string.h>

#include "isa_event.h"
#include "kvc_collections.h"
#include "kvo_foreign.h"

static size_t text_copy(const char *text, char *buffer, size_t size)
{
    size_t length = strlen(text);
    if (size == 0) return length;
    size_t room = length < size ? length : size - 1;
    memcpy(buffer, text, room);
    buffer[room] = 0;
    return length;
}

size_t isa_event_copy_text(const isa_event *event, bool of_old, char *buffer, size_t size)
{
    if (event == NULL || (buffer == NULL && size > 0)) return SIZE_MAX;
    const char *types = of_old ? event->old_types : event->types;
    const void *value = of_old ? event->old_value : event->value;
    if (types == NULL || value == NULL) return SIZE_MAX;
    if (types[0] == 1) {
        const kvo_form *form = ((const kvo_form_tag *)types)->form;
        if (form->copy_text == NULL) return SIZE_MAX;
        return form->copy_text(form, value, buffer, size);
    }
    isa_id object = types[0] == '@' ? *(const isa_id *)value : NULL;
    const char *text = object == NULL ? NULL : kvc_string_text(object);
    return text == NULL ? SIZE_MAX : text_copy(text, buffer, size);
}
