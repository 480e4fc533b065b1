// The conformances to a protocol that the program and its libraries declare.
//
// The Swift runtime looks for a conformance through all of them, once for each class that it is
// asked about. One look tells for which classes that may succeed.
//
// Owns:  nothing; what the images declare stays where it is.
// Locks: the Swift runtime's, while it tells what is loaded.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // dladdr
#endif
#include "swift_runtime.h"

#include <dlfcn.h>

// The sections of an image, as the Swift runtime's MetadataSections.h has them, as far as they are
// read here.
typedef struct section {
    const int32_t *start;
    size_t size;
} section;

typedef struct sections {
    uintptr_t version;
    const void *base;
    const void *unused[2];
    section protocols, conformances;
} sections;

#if defined(__ELF__)
// Of the Swift runtime, as its _SwiftRuntime.h has it.
__attribute__((weak)) void swift_enumerateAllMetadataSections(
    bool (*body)(const void *sections, void *context), void *context);
#endif

// A conformance as it is declared; all but the flags are distances from where they stand.
typedef struct conformance {
    int32_t protocol, type, witnesses;
    uint32_t flags;
} conformance;

typedef struct search {
    size_t images;
    const void *protocol;
    void (*note)(void *context, const void *type);
    void *context;
} search;

// What a distance leads to; if it is odd, the address stands there.
__attribute__((no_sanitize("address"))) static const void *target(const int32_t *distance)
{
    if (*distance == 0) return NULL;
    const void *at = (const char *)distance + (*distance & ~1);
    return *distance & 1 ? *(const void *const *)at : at;
}

__attribute__((no_sanitize("address"))) static void note_type(
    const search *search, const conformance *found)
{
    enum { KIND = 7 << 3, DIRECT = 0, INDIRECT = 1 << 3 };
    const char *at = (const char *)&found->type + found->type;
    uint32_t kind = found->flags & KIND;
    if (kind == DIRECT) search->note(search->context, at);
    if (kind == INDIRECT) search->note(search->context, *(const void *const *)at);
}

__attribute__((no_sanitize("address"))) static bool look(const void *context, void *into)
{
    const sections *image = context;
    search *search = into;
    search->images += 1;
    if (search->note == NULL) return true;
    section all = image->conformances;
    for (size_t i = 0; i < all.size / sizeof *all.start; i++) {
        const conformance *found = target(&all.start[i]);
        if (found == NULL || target(&found->protocol) != search->protocol) continue;
        note_type(search, found);
    }
    return true;
}

bool swift_runtime_is_in_image(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0;
}

size_t swift_runtime_conforming(
    const void *protocol, void (*note)(void *context, const void *type), void *context)
{
    search search = {.protocol = protocol, .note = note, .context = context};
#if defined(__ELF__)
    if (swift_enumerateAllMetadataSections != NULL)
        swift_enumerateAllMetadataSections(look, &search);
#else
    (void)look;
#endif
    return search.images;
}
