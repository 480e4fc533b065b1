// Retain, release, try-retain.
//
// Invariant: a count lives in the header's record word until the object gets a side record, and in
//            that from then on. The word changes by compare-and-swap only, so a count is never
//            added to a word that has become an address.
#include "object.h"

#include "../base/status.h"

// The same bit means something else of an object that is watched.
ISA_INLINE bool is_immortal(uintptr_t word)
{
    return (word & (ISA_RECORD_IMMORTAL | ISA_RECORD_WATCHED)) == ISA_RECORD_IMMORTAL;
}

// The count in the side record that the word leads to; NULL if someone else counts the object.
static uintptr_t *side_count(uintptr_t word)
{
    struct isa__side *side = isa__side_in(word);
    return isa__side_flags(side) & ISA_SIDE_HOOKED ? NULL : &side->count;
}

// Where the object's count is at this moment; NULL if someone else counts it.
static uintptr_t *count_cell(isa_id object, uintptr_t word)
{
    if (!(word & ISA_RECORD_INLINE)) return side_count(word);
    // Only a word without any reference can belong to an object that someone else counts.
    bool is_counted = isa__count_references(word) > 0;
    if (!is_counted && isa_object_get_class(object)->hooks != NULL) return NULL;
    return &((struct isa_header *)object)->record;
}

static const isa_memory_hooks *hooks_of(isa_id object)
{
    return isa_object_get_class(object)->hooks;
}

// Adds `units` to the cell if it still is a count; false if it became a side record's address.
static bool add_units(uintptr_t *cell, uintptr_t *seen, intptr_t units)
{
    uintptr_t to = *seen + (uintptr_t)(units * ISA_RECORD_COUNT_UNIT);
    return __atomic_compare_exchange_n(cell, seen, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

ISA_OUTLINE isa_id retain_slowly(isa_id object)
{
    for (;;) {
        uintptr_t word = isa_header_record((struct isa_header *)object);
        if (is_immortal(word)) return object;
        uintptr_t *cell = count_cell(object, word);
        if (cell == NULL) {
            hooks_of(object)->retain(object);
            return object;
        }
        uintptr_t seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
        // The count has moved to a side record meanwhile.
        if (!(seen & ISA_RECORD_INLINE)) continue;
        if (add_units(cell, &seen, 1)) return object;
    }
}

// Whether the word is a count without flags, of more than so many references.
static bool is_plain_count(uintptr_t word, uintptr_t references)
{
    uintptr_t count = word - ISA_RECORD_INLINE;
    return (count & ISA_RECORD_FLAG_MASK) == 0 && count > references * ISA_RECORD_COUNT_UNIT;
}

// The next usual case, an observed object: its side record; NULL if it is another one.
ISA_INLINE struct isa__side *find_side(uintptr_t word)
{
    bool is_usual = (word & (ISA_RECORD_INLINE | ISA_RECORD_IMMORTAL)) == 0;
    return is_usual ? isa__side_in(word) : NULL;
}

ISA_INLINE bool is_hooked(struct isa__side *side)
{
    return (isa__side_flags(side) & ISA_SIDE_HOOKED) != 0;
}

isa_id isa_object_retain(isa_id object)
{
    if (object == NULL) return NULL;
    uintptr_t *record = &((struct isa_header *)object)->record;
    uintptr_t plain = isa_header_record((const struct isa_header *)object);
    // The usual case: the count stands in the header and is this runtime's own.
    if (is_plain_count(plain, 0) && add_units(record, &plain, 1)) return object;
    struct isa__side *side = find_side(plain);
    if (side == NULL) return retain_slowly(object);
    if (is_hooked(side)) {
        side->hooks->retain(object);
        return object;
    }
    uintptr_t seen = __atomic_load_n(&side->count, __ATOMIC_RELAXED);
    return seen != 0 && add_units(&side->count, &seen, 1) ? object : retain_slowly(object);
}

bool isa__count_try_retain(uintptr_t *cell)
{
    uintptr_t seen = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
    do {
        if (seen & ISA_RECORD_DEALLOCATING) return false;
    } while (!add_units(cell, &seen, 1));
    return true;
}

bool isa_object_try_retain(isa_id object)
{
    ISA_REQUIRE_NOT_NULL(object);
    for (;;) {
        uintptr_t word = isa_header_record((struct isa_header *)object);
        if (is_immortal(word)) return true;
        uintptr_t *cell = count_cell(object, word);
        if (cell == NULL) return hooks_of(object)->try_retain(object);
        if (!(word & ISA_RECORD_INLINE)) return isa__count_try_retain(cell);
        if (word & ISA_RECORD_DEALLOCATING) return false;
        if (add_units(cell, &word, 1)) return true;
    }
}

// Takes one reference away. True if it was the last, and the caller has to deallocate.
static bool take_reference(isa_id object, uintptr_t *cell, uintptr_t seen, bool *done)
{
    ISA_REQUIRE(isa__count_references(seen) > 0,
                "isa_object_release: object %p (%s) was released more often than retained",
                (void *)object, isa_class_name(isa_object_get_class(object)));
    uintptr_t to = seen - ISA_RECORD_COUNT_UNIT;
    bool is_last = isa__count_references(to) == 0 && !(seen & ISA_RECORD_DEALLOCATING);
    if (is_last) to |= ISA_RECORD_DEALLOCATING;
    *done = __atomic_compare_exchange_n(cell, &seen, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return is_last;
}

ISA_OUTLINE void release_slowly(isa_id object)
{
    for (;;) {
        uintptr_t word = isa_header_record((struct isa_header *)object);
        if (is_immortal(word)) return;
        uintptr_t *cell = count_cell(object, word);
        if (cell == NULL) {
            hooks_of(object)->release(object);
            return;
        }
        uintptr_t seen = word & ISA_RECORD_INLINE ? word : __atomic_load_n(cell, __ATOMIC_ACQUIRE);
        bool done;
        bool is_last = take_reference(object, cell, seen, &done);
        if (done && is_last) isa__object_deallocate(object);
        if (done) return;
    }
}

void isa_object_release(isa_id object)
{
    if (object == NULL) return;
    uintptr_t *record = &((struct isa_header *)object)->record;
    uintptr_t plain = isa_header_record((const struct isa_header *)object);
    struct isa__side *side = find_side(plain);
    if (side != NULL && is_hooked(side)) return side->hooks->release(object);
    uintptr_t *count = side != NULL ? &side->count : record;
    uintptr_t seen = side != NULL ? __atomic_load_n(count, __ATOMIC_RELAXED) : plain;
    if (!is_plain_count(seen, 1) || !add_units(count, &seen, -1)) release_slowly(object);
}

size_t isa_object_retain_count(isa_id object)
{
    ISA_REQUIRE_NOT_NULL(object);
    uintptr_t word = isa_header_record((struct isa_header *)object);
    if (is_immortal(word)) return SIZE_MAX;
    uintptr_t *cell = count_cell(object, word);
    if (cell == NULL) {
        const isa_memory_hooks *hooks = hooks_of(object);
        return hooks->count == NULL ? 0 : hooks->count(object);
    }
    return isa__count_references(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
}
