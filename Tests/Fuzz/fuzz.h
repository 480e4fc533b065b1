// Ground that the fuzzers share: input as numbers and text, and that each input leaves nothing.
#ifndef ISA_FUZZ_H
#define ISA_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "isa_testing.h"

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Ends the program, by which the fuzzer keeps the input.
#define HOLDS(condition) \
    do { \
        if (condition) break; \
        fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
                isa_last_error()->reason); \
        abort(); \
    } while (false)

struct input {
    const uint8_t *next, *end;
};

// The next byte below `limit`; 0 behind the end.
static inline unsigned take(struct input *input, unsigned limit)
{
    return input->next == input->end ? 0 : *input->next++ % limit;
}

static inline bool has_more(const struct input *input)
{
    return input->next != input->end;
}

// All bytes as text; the caller frees it.
static inline char *copy_text(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

static inline void ignore_misuse(const isa_error *error, void *context)
{
    (void)error, (void)context;
}

// Those of live things that an input may not leave behind; its objects' side records go with them.
static inline void has_left_nothing(isa_live_counts before)
{
    isa_live_counts after = isa_testing_live_counts();
    HOLDS(before.objects == after.objects);
    HOLDS(before.classes == after.classes);
    HOLDS(before.registrations == after.registrations);
    HOLDS(before.lists == after.lists);
    HOLDS(before.pending == after.pending);
    HOLDS(before.trampolines == after.trampolines);
}

#endif
