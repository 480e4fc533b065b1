// Boxed strings, and the building of a text piece by piece.
#ifndef ISA_KVC_STRING_H
#define ISA_KVC_STRING_H

#include "box.h"

// Reads the number that the string begins with as the type of `letter`; false if that is none.
bool isa__string_convert(isa_id string, char letter, void *out);

// Whether the string begins with a number at all, behind blanks.
bool isa__string_is_numeric(isa_id string);

// Whether a text is UTF-8: no byte sequence is cut off, longer than need be, a surrogate, or beyond
// U+10FFFF.
bool isa__utf8_is_valid(const char *text);

// A hash of bytes.
size_t isa__bytes_hash(const void *bytes, size_t size);

// A text that grows; zeroed memory is an empty one. A failure is remembered until it is finished.
struct isa__text {
    char *bytes;
    size_t size;
    size_t capacity;
    isa_status status;
};

void isa__text_append(struct isa__text *text, const char *bytes, size_t size);
void isa__text_format(struct isa__text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // up to 255 bytes; what is beyond is left out

// Appends the description of `object`, a string in quotation marks unless it is a plain word.
void isa__text_describe(struct isa__text *text, isa_id object);

// Makes the text a string and ends it, also if something has failed.
isa_status isa__text_finish(struct isa__text *text, isa_id *out);

extern const struct isa__library_class isa__string_classes[1];

#endif
