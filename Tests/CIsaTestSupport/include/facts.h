// Trials of facts: threads that keep them beside threads that read them.
#ifndef ISA_TEST_FACTS_H
#define ISA_TEST_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "isa_types.h"

typedef struct isa_test_facts {
    uint64_t reads;    // facts or keys that were found
    uint64_t lost;     // had been kept, and were not found
    uint64_t torn;     // were found, but not whole, or freed already, or of another key
    uint64_t outdated; // held, and told of what was no longer so when they were looked for
} isa_test_facts;

// Two threads keep facts of one class's keys, each of its own ones, and two read them, while the
// class's directory grows; once more in each round, of another class.
isa_test_facts isa_test_facts_growing(uint64_t rounds);

// One thread asks and keeps what another changes, so many times, and looks for.
isa_test_facts isa_test_facts_changing(uint64_t changes);

// One thread asks a class how it reads a key while another gives it a method for it; then for the
// next key, so many.
isa_test_facts isa_test_answers_changing(uint64_t keys);

// Two threads intern the same texts, so many: two keys of one text are torn.
isa_test_facts isa_test_keys_interning(uint64_t count);

// One thread adds texts to a table and two find those that are added, while the table grows; once
// more in each round, in another table.
isa_test_facts isa_test_texts_growing(uint64_t rounds);

// How many of the pairs of a class and a key have a getter that is found without a lock.
size_t isa_test_known_getters(const isa_class *classes, size_t class_count,
                              const char *const *keys, size_t key_count);

#endif
