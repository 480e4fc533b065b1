// IsaSet and IsaMutableSet, and what ordered sets share with them.
//
// A class below IsaMutableSet that keeps its objects elsewhere answers `count`, `member:`,
// `allObjects`, `addObject:`, `removeObject:`, `removeAllObjects`, `setSet:`, `unionSet:`,
// `minusSet:` and `intersectSet:`; the rest of the messages rests on those.
#ifndef ISA_KVC_SET_H
#define ISA_KVC_SET_H

#include "box.h"
#include "table.h"

// Fills a fresh set or ordered set.
isa_status isa__set_fill(isa_id set, const isa_id *objects, size_t count);

// Gives the classes of sets or of ordered sets the messages that both answer.
isa_status isa__set_add_asking(enum isa__box_class which);
isa_status isa__set_add_changing(enum isa__box_class which);

isa_status isa__sets_start(void);

#endif
