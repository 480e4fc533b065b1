// What the Swift runtime can do with an object that Swift itself has no call for: try to retain one
// that may be in its deinit, and hold its memory without holding the object.
//
// A target of its own because the C core knows nothing of Swift and is linked without it.
#ifndef SWIFT_MEMORY_H
#define SWIFT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Functions of the Swift runtime, as its RuntimeFunctions.def has them.
void *swift_tryRetain(void *object);
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
size_t swift_retainCount(void *object);

// Adds a strong reference, unless the object's deinit has begun.
static inline bool swift_memory_try_retain(void *object)
{
    return swift_tryRetain(object) != NULL;
}

// Keeps the object's memory, dead or alive, until it is dropped as often.
static inline void swift_memory_keep(void *object)
{
    swift_unownedRetain(object);
}

static inline void swift_memory_drop(void *object)
{
    swift_unownedRelease(object);
}

// The strong references at this moment.
static inline size_t swift_memory_count(void *object)
{
    return swift_retainCount(object);
}

#endif
