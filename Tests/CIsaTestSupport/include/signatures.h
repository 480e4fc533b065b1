// C functions of many signatures, by table, for tests of calls: what Swift cannot declare.
#ifndef ISA_TEST_SIGNATURES_H
#define ISA_TEST_SIGNATURES_H

#include "isa.h"

// One value type, functions that take and return it, and callers of IMPs that do.
//
// A value that `fill` has written differs from one seed to the next; its padding is zero.
typedef struct isa_test_type {
    const char *name;
    const char *encoding;
    size_t size;
    size_t align;

    // value (isa_id, isa_sel, value): returns its argument.
    isa_imp echo;
    // value (isa_id, isa_sel, int8_t, value, double, value, float): returns the second value if all
    // others are 1, fill(1), 2.5, fill(2), 3.5; else zero bytes.
    isa_imp mix;
    // value (isa_id, isa_sel) and void (isa_id, isa_sel, value): read and write the ivar that is
    // right behind the object's header.
    isa_imp get;
    isa_imp set;

    void (*fill)(void *value, unsigned seed);
    bool (*equal)(const void *first, const void *second);
    // Call an IMP directly, as compiled code does.
    void (*call_echo)(isa_imp imp, isa_id object, isa_sel sel, const void *value, void *result);
    void (*call_mix)(isa_imp imp, isa_id object, isa_sel sel, void *result);
    void (*call_get)(isa_imp imp, isa_id object, isa_sel sel, void *result);
    void (*call_set)(isa_imp imp, isa_id object, isa_sel sel, const void *value);
} isa_test_type;

// Every scalar, complex numbers, structs of 1 to 64 words, nested ones, ones with arrays.
const isa_test_type *isa_test_types(size_t *count);

#endif
