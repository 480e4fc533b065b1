// Dispatch tables: selector → IMP in two loads. The vtable that an isa selects.
//
// Shape:     `pages[sel / 32][sel % 32]`; a selector holds both as byte offsets. A page that a
//            class does not change is its superclass's own page, shared; the first change copies
//            it.
// Owner:     a page remembers the class that copied it and frees it; the empty page is nobody's.
// Locks:     readers none. Writers hold the model lock and publish with release stores.
// Invariant: every class's `pages` reaches every selector ever interned, so readers check no
//            bounds: growing happens before the new selector is handed out. Outgrown arrays are
//            kept, since a reader may be inside; as they double, their sum stays below the current
//            one's size. A class's page is its own copy or its superclass's page, and a class that
//            declares a method has a copy of the method's page.
#ifndef ISA_MODEL_DISPATCH_H
#define ISA_MODEL_DISPATCH_H

#include "class.h"

enum { ISA_DISPATCH_PAGE_SLOTS = 32 };

// Makes every class's table reach the selector with that index, or changes nothing. Model lock
// held.
isa_status isa__dispatch_grow_locked(uint32_t selector_index);

// Where a table has the selector with that index.
static inline struct isa_dispatch_selector isa__dispatch_place(uint32_t selector_index)
{
    return (struct isa_dispatch_selector){
        .page_offset = (uint32_t)(selector_index / ISA_DISPATCH_PAGE_SLOTS * sizeof(isa_imp *)),
        .slot_offset = (uint32_t)(selector_index % ISA_DISPATCH_PAGE_SLOTS * sizeof(isa_imp)),
    };
}

// Gives a new class its table: all pages shared with its superclass. Model lock held.
isa_status isa__dispatch_create_locked(isa_class cls);

// Frees the table of a class that has no subclasses. Model lock held.
void isa__dispatch_destroy_locked(isa_class cls);

// Copies, for `cls` and the classes that share it, the page that a change of `sel` in `cls` needs.
// The set that follows cannot fail then. Model lock held.
isa_status isa__dispatch_reserve_locked(isa_class cls, isa_sel sel);

// Makes `cls`, and each subclass that inherits the method, answer `sel` with `imp`. Model lock
// held.
void isa__dispatch_set_locked(isa_class cls, isa_sel sel, isa_imp imp);

// The IMP by which `cls` answers `sel`, NULL if none. No lock.
static inline isa_imp isa__dispatch_get(isa_class cls, isa_sel sel)
{
    const struct isa_dispatch_selector *s = (const struct isa_dispatch_selector *)sel;
    const char *pages = (const char *)__atomic_load_n(&cls->pages, __ATOMIC_ACQUIRE);
    const char *page =
        (const char *)__atomic_load_n((isa_imp *const *)(pages + s->page_offset), __ATOMIC_ACQUIRE);
    return __atomic_load_n((const isa_imp *)(page + s->slot_offset), __ATOMIC_ACQUIRE);
}

// The bytes that the table of `cls` alone takes: its arrays, outgrown ones too, and its own pages.
size_t isa__dispatch_size(isa_class cls);

#endif
