// An object that someone else counts: strong references keep it alive, unowned ones its memory.
#ifndef ISA_TEST_FOREIGN_H
#define ISA_TEST_FOREIGN_H

#include "isa.h"
#include "isa_foreign.h"

typedef struct isa_test_foreign isa_test_foreign;

// The hooks of a class of such objects.
const isa_memory_hooks *isa_test_foreign_hooks(void);

// Makes one with a strong count of 1 and adopts it as an instance of `cls`; NULL on failure.
isa_test_foreign *isa_test_foreign_make(isa_class cls);

isa_id isa_test_foreign_object(isa_test_foreign *foreign);

// Gives up the reference of its maker right after the next weak reference to it has been read, as
// another thread could.
void isa_test_foreign_give_up_when_read(isa_test_foreign *foreign);

// The counts at this moment. An object whose strong count has gone is abandoned, but its memory is
// there while it has unowned references.
int64_t isa_test_foreign_strong(const isa_test_foreign *foreign);
int64_t isa_test_foreign_unowned(const isa_test_foreign *foreign);

// How many have memory at this moment.
int64_t isa_test_foreign_live(void);

#endif
