// Executors, and pointers of each thread.
//
// Owns:  one key of the C library's, for the life of the process; the memory at a pointer is its
//        user's.
// Locks: none; each thread reaches its own pointers only.
#include "swift_runtime.h"

#include <pthread.h>

#if defined(__has_attribute) && __has_attribute(swiftcall)
#define SWIFT_CALL __attribute__((swiftcall))
#else
#define SWIFT_CALL // a compiler that only looks at this file
#endif

// Of the Swift runtime's concurrency library, as its Concurrency.h has it; missing from old ones.
SWIFT_CALL __attribute__((weak)) bool
swift_task_isCurrentExecutorWithFlags(const void *identity, size_t witnesses, size_t flags);

bool swift_runtime_is_executor(const void *identity, size_t witnesses)
{
    enum { ANSWER_AND_GO_ON = 0 };
    return swift_task_isCurrentExecutorWithFlags != NULL &&
           swift_task_isCurrentExecutorWithFlags(identity, witnesses, ANSWER_AND_GO_ON);
}

_Thread_local void *swift_runtime_slots[SWIFT_RUNTIME_SLOTS];

static void (*ends[SWIFT_RUNTIME_SLOTS])(void *);
static pthread_key_t end_key;
static bool has_key; // written once, by pthread_once
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool has_end; // whether the C library knows of the thread's slots

// The C library's next round ends a pointer that one of the ends sets anew.
static void end_thread(void *slots)
{
    void **pointers = slots;
    has_end = false;
    for (size_t i = 0; i < SWIFT_RUNTIME_SLOTS; i++) {
        void (*end)(void *) = __atomic_load_n(&ends[i], __ATOMIC_ACQUIRE);
        void *pointer = pointers[i];
        pointers[i] = NULL;
        if (pointer != NULL && end != NULL) end(pointer);
    }
}

static void make_key(void)
{
    has_key = pthread_key_create(&end_key, end_thread) == 0;
}

bool swift_runtime_set_slot(size_t number, void *pointer)
{
    swift_runtime_slots[number] = pointer;
    if (pointer == NULL || has_end) return true;
    pthread_once(&once, make_key);
    has_end = has_key && pthread_setspecific(end_key, swift_runtime_slots) == 0;
    return has_end;
}

void swift_runtime_end_slot(size_t number, void (*end)(void *pointer))
{
    __atomic_store_n(&ends[number], end, __ATOMIC_RELEASE);
}
