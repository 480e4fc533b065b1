// Code that programs of the limit share: see limit.c.
#ifndef ENGINE_LIMIT_H
#define ENGINE_LIMIT_H

#include "stage.h"

struct limit_object;
struct limit_selector;

typedef void (*limit_setter)(struct limit_object *self, const struct limit_selector *sel,
                             int64_t value);

struct limit_selector {
    uint32_t page_offset;
    uint32_t slot_offset;
};

struct limit_record {
    limit_setter original;
    size_t offset; // of the value in the object
    const char *key;
};

struct limit_class {
    limit_setter *const *pages;
    struct limit_record *const *records; // by the selector's slot
};

// The head of each object.
struct limit_object {
    const struct limit_class *cls;
};

// A class of one setter, and what belongs to it.
struct limit_model {
    struct limit_class cls;
    struct limit_selector sel;
    struct limit_record record;
    struct limit_record *records[1];
    limit_setter page[1];
    limit_setter *pages[1];
};

// Builds it: messages find `setter`, which finds `record`.
void limit_build(struct limit_model *model, limit_setter setter, struct limit_record record);

// The word that the reclaiming side would look at: NULL, or what this thread reads of observers.
extern _Thread_local const void *limit_mark;

// Marks the thread, outside of every mark.
static inline void limit_mark_enter(const void *observers)
{
    __atomic_store_n(&limit_mark, observers, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void limit_mark_leave(void)
{
    __atomic_store_n(&limit_mark, NULL, __ATOMIC_RELEASE);
}

static inline const struct limit_record *limit_record_of(const struct limit_object *object,
                                                         const struct limit_selector *sel)
{
    const char *records = (const char *)object->cls->records;
    return *(struct limit_record *const *)(records + sel->slot_offset);
}

// The change that the observers of a set are told; `old` and `new` live as long as that.
static inline kvo_change limit_change(struct limit_object *object,
                                      const struct limit_record *record, const int64_t *old,
                                      const int64_t *new)
{
    return (kvo_change){ .object = (isa_id)object, .key_path = record->key,
                         .kind = KVO_CHANGE_SETTING, .old_value = { "q", old },
                         .new_value = { "q", new }, .cause = record->key };
}

static inline void limit_send(struct limit_object *object, const struct limit_selector *sel,
                              int64_t value)
{
    const struct limit_class *cls = __atomic_load_n(&object->cls, __ATOMIC_ACQUIRE);
    const char *pages = (const char *)__atomic_load_n(&cls->pages, __ATOMIC_ACQUIRE);
    const char *page =
        (const char *)__atomic_load_n((limit_setter *const *)(pages + sel->page_offset),
                                      __ATOMIC_ACQUIRE);
    __atomic_load_n((const limit_setter *)(page + sel->slot_offset), __ATOMIC_ACQUIRE)(
        object, sel, value);
}

#endif
