// Each public function that answers with a status, without any of its arguments: it refuses, says
// why, and changes nothing.
#include <stdio.h>

#include "check.h"
#include "isa_foreign.h"
#include "kvc_typed.h"
#include "kvo_foreign.h"

// Eight words are at least as many arguments as any has; those that it has not it does not look at.
typedef isa_status (*any_function)(void *, void *, void *, void *, void *, void *, void *, void *);

static const struct {
    const char *name;
    any_function function;
} functions[] = {
#define STATUS(function) {#function, (any_function)(void (*)(void))function},
#include "statuses.def"
#undef STATUS
};
enum { COUNT = sizeof functions / sizeof *functions };

enum {
#define STATUS(function) PLACE_OF_##function,
#include "statuses.def"
#undef STATUS
};

void print_statuses(void)
{
    for (int i = 0; i < COUNT; i++) puts(functions[i].name);
}

static isa_status call(int place)
{
    const kvc_value none = {NULL, NULL};
    switch (place) {
    // Some processors pass the address of a struct that has two words.
    case PLACE_OF_kvc_box: return kvc_box(none, NULL);
    case PLACE_OF_kvc_write: return kvc_write(NULL, NULL, none);
    default: return functions[place].function(0, 0, 0, 0, 0, 0, 0, 0);
    }
}

void check_nulls(void)
{
    for (int i = 0; i < COUNT; i++) {
        isa_status status = call(i);
        // isa_fail answers with the status that it is given.
        bool refuses = status != ISA_OK || i == PLACE_OF_isa_fail;
        CHECK(refuses);
        CHECK(status == ISA_OK || isa_last_error()->reason[0] != '\0');
        if (!refuses) printf("  it was %s\n", functions[i].name);
    }
}
