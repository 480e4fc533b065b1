// Ground that the programs of this folder share: failures that are counted, random numbers,
// function observers whose info is poisoned once it is released, and that nothing is left.
#ifndef ISA_STRESS_GROUND_H
#define ISA_STRESS_GROUND_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa.h"
#include "isa_testing.h"

static int64_t violations; // atomic builtins

static void fail(const char *words)
{
    __atomic_fetch_add(&violations, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "violation: %s (last error: %s)\n", words, isa_last_error()->reason);
}

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fail("a call fails");
    abort();
}

static isa_id make(isa_class cls)
{
    isa_id object;
    must(isa_object_allocate(cls, &object));
    return object;
}

// A number below `limit`, of which `random`, not 0, is the state.
static uint64_t draw_number(uint64_t *random, uint64_t limit)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (*random >> 11) % limit;
}

// ---- function observers -------------------------------------------------------------------------

enum { ALIVE = 0x600D, POISON = 0xDEAD };

// A function observer's info, in memory of its own until it is released.
struct watched {
    int64_t state;
    int64_t told;
    int64_t is_closed;
};

static void told(const kvo_change *change, void *info)
{
    struct watched *watched = info;
    (void)change;
    if (__atomic_load_n(&watched->state, __ATOMIC_ACQUIRE) != ALIVE) fail("told once released");
    if (__atomic_load_n(&watched->is_closed, __ATOMIC_ACQUIRE)) fail("told behind the end");
    __atomic_fetch_add(&watched->told, 1, __ATOMIC_RELAXED);
}

static void release(void *info)
{
    struct watched *watched = info;
    if (__atomic_exchange_n(&watched->state, POISON, __ATOMIC_ACQ_REL) != ALIVE)
        fail("released twice");
    free(watched);
}

static struct watched *new_watched(void)
{
    struct watched *watched = calloc(1, sizeof *watched);
    if (watched == NULL) abort();
    watched->state = ALIVE;
    return watched;
}

// ---- the end ------------------------------------------------------------------------------------

static void check_left(isa_live_counts before)
{
    isa_live_counts after = isa_testing_live_counts();
    if (before.objects != after.objects || before.classes != after.classes ||
        before.registrations != after.registrations || before.lists != after.lists ||
        before.side_records != after.side_records || before.pending != after.pending ||
        before.trampolines != after.trampolines)
        fail("something is left");
}

#endif
