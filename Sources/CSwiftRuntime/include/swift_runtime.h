// Calls that Swift itself does not have: to try to retain an object that may be in its deinit, to
// hold its memory without holding the object, to ask for an executor without stopping where it is
// another, to have an access that the compiler does not see checked for exclusivity, to call a
// getter or setter of any type and tell by symbols whose it is, to read what the compiler notes of
// a class, to see which classes conform to a protocol, to share words between threads, to keep a
// pointer for each thread that one load reaches, and to see at one load that no tracking of
// Observation runs.
//
// A target of its own because the C core knows nothing of Swift and is linked without it.
#ifndef SWIFT_RUNTIME_H
#define SWIFT_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Functions of the Swift runtime, as its RuntimeFunctions.def has them.
void *swift_tryRetain(void *object);
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
size_t swift_retainCount(void *object);

// Adds a strong reference, unless the object's deinit has begun.
static inline bool swift_runtime_try_retain(void *object)
{
    return swift_tryRetain(object) != NULL;
}

// Keeps the object's memory, dead or alive, until it is dropped as often.
static inline void swift_runtime_keep(void *object)
{
    swift_unownedRetain(object);
}

static inline void swift_runtime_drop(void *object)
{
    swift_unownedRelease(object);
}

// The strong references at this moment.
static inline size_t swift_runtime_count(void *object)
{
    return swift_retainCount(object);
}

// Whether the calling code runs on the executor of these two words; false where the Swift runtime
// cannot tell.
bool swift_runtime_is_executor(const void *identity, size_t witnesses);

// Calls a getter of any type of a Swift class on an object: a value that takes more than registers
// is written to `result`, any other is dropped as it is, and must be nobody's.
void swift_runtime_call_getter(const void *getter, void *object, void *result);

// Whether the place of a method table that leads there has no method any more: the optimiser takes
// out methods that nobody calls, and calling such a method ends the process.
bool swift_runtime_is_deleted_method(const void *code);

// Finds the program or library that the first of `count` addresses lies in, and calls `note` with
// each symbol that it has for one of the addresses. Where it was stripped of symbols, or its file
// cannot be read, `note` is not called.
void swift_runtime_symbols(
    const void *const *addresses, size_t count,
    void (*note)(void *context, const void *address, const char *name), void *context);

// Calls `note`, unless it is NULL, with the compiler's notes of each type that is declared to
// conform to a protocol, by its own notes. Answers how many images the process has; 0 where nothing
// tells.
size_t swift_runtime_conforming(
    const void *protocol, void (*note)(void *context, const void *type), void *context);

// Whether an address is in the program or a library, and not in memory that was made at run time.
bool swift_runtime_is_in_image(const void *address);

// Two and four bytes of what the compiler notes of a class. While the layout of notes is compared
// with the known layout they may be any constants near it, into which no sanitizer looks.
__attribute__((no_sanitize("address"))) static inline uint16_t
swift_runtime_note16(const void *note)
{
    uint16_t value;
    __builtin_memcpy(&value, note, sizeof value);
    return value;
}

__attribute__((no_sanitize("address"))) static inline uint32_t
swift_runtime_note32(const void *note)
{
    uint32_t value;
    __builtin_memcpy(&value, note, sizeof value);
    return value;
}

// Of the Swift runtime, as its Demangle.h has it: with no buffer, the text is the caller's to free.
char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

// ---- exclusivity --------------------------------------------------------------------------------

// Functions of the Swift runtime, as its Exclusivity.h has them.
void swift_beginAccess(void *place, void *access, uintptr_t flags, void *caller);
void swift_endAccess(void *access);

enum { SWIFT_RUNTIME_MODIFIES = 1, SWIFT_RUNTIME_TRACKS = 32 };

// The notes of the Swift runtime about an access while it is open.
typedef struct swift_runtime_access {
    void *words[3];
} swift_runtime_access;

// Stops the process with Swift's report if an access to the property at `place` that the calling
// thread has open conflicts with this one, which is over at once.
static inline void swift_runtime_check_access(void *place, bool modifies)
{
    swift_runtime_access access;
    swift_beginAccess(place, &access, modifies ? SWIFT_RUNTIME_MODIFIES : 0, NULL);
}

// The same, but the access stays open: another access that conflicts with it before it ends stops
// likewise. `access` stays where it is until then.
static inline void swift_runtime_begin_modifying(void *place, swift_runtime_access *access)
{
    swift_beginAccess(place, access, SWIFT_RUNTIME_MODIFIES | SWIFT_RUNTIME_TRACKS, NULL);
}

static inline void swift_runtime_end_modifying(swift_runtime_access *access)
{
    swift_endAccess(access);
}

// ---- functions of Swift -------------------------------------------------------------------------

#ifdef __clang__ // other compilers do not know how Swift calls, and are not used

typedef __attribute__((swiftcall)) void (*swift_runtime_teller)(
    const void *object, const void *old_value, const void *new_value, uint64_t mark,
    __attribute__((swift_context)) const void *context);

// Calls a function value of Swift by the two words that it is in memory: its code, and what that is
// called with. The caller holds the latter, so that nothing is counted.
static inline void swift_runtime_tell(
    const void *const *function, const void *object, const void *old_value, const void *new_value,
    uint64_t mark)
{
    ((swift_runtime_teller)function[0])(object, old_value, new_value, mark, function[1]);
}

typedef __attribute__((swiftcall)) void (*swift_runtime_key_path_getter)(
    __attribute__((swift_indirect_result)) void *result, const void *base, const void *arguments,
    size_t size);
typedef __attribute__((swiftcall)) void (*swift_runtime_key_path_setter)(
    const void *value, const void *base, const void *arguments, size_t size);

// Calls the code by which a key path reads a computed property or a subscript of what stands at
// `base`. The value, a +1, is made at `result`.
static inline void swift_runtime_read_step(
    const void *getter, void *result, const void *base, const void *arguments, size_t size)
{
    ((swift_runtime_key_path_getter)getter)(result, base, arguments, size);
}

// The same for a property of the object that a reference at `base` leads to.
static inline void swift_runtime_read_property(
    const void *getter, void *result, const void *const *base)
{
    swift_runtime_read_step(getter, result, base, NULL, 0);
}

// Calls the code by which one sets it to a copy of the value at `value`.
static inline void swift_runtime_write_property(
    const void *setter, const void *value, const void *const *base)
{
    ((swift_runtime_key_path_setter)setter)(value, base, NULL, 0);
}

#endif

// ---- memory -------------------------------------------------------------------------------------

// Has the processor fetch so many bytes, which are used soon, while it does something else.
static inline void swift_runtime_fetch(const void *address, size_t size)
{
    for (size_t at = 0; at < size; at += 64) __builtin_prefetch((const char *)address + at);
}

// ---- words that threads share -------------------------------------------------------------------

// A word as another thread may have stored it; that thread's earlier writes are seen then.
static inline uint64_t swift_runtime_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void swift_runtime_store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Sets a word that is 0 to 1; true for the thread that has done so. No read that comes later is
// done before.
static inline bool swift_runtime_claim(uint64_t *word)
{
    return __atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST) == 0;
}

// Sets a claimed word to 0. No read that comes later is done before.
static inline void swift_runtime_give_back(uint64_t *word)
{
    (void)__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST);
}

// Exchanges a word; what other threads have written before they stored what it had is seen then.
static inline uint64_t swift_runtime_exchange(uint64_t *word, uint64_t value)
{
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

// ---- pointers of each thread --------------------------------------------------------------------

enum { SWIFT_RUNTIME_SLOTS = 11 };

extern __attribute__((tls_model("initial-exec"))) _Thread_local void
    *swift_runtime_slots[SWIFT_RUNTIME_SLOTS];

// The calling thread's pointer with that number, NULL at first.
static inline void *swift_runtime_slot(size_t number)
{
    return swift_runtime_slots[number];
}

// The same address whenever a thread asks, and another one for each that runs.
static inline const void *swift_runtime_this_thread(void)
{
    return swift_runtime_slots;
}

// Replaces a pointer that has no end; answers the former pointer.
static inline void *swift_runtime_exchange_slot(size_t number, void *pointer)
{
    void *old = swift_runtime_slots[number];
    swift_runtime_slots[number] = pointer;
    return old;
}

// Replaces it. False if the C library has nothing left to remember the thread's end by: the pointer
// is kept, but nothing happens at the end.
bool swift_runtime_set_slot(size_t number, void *pointer);

// Has `end` called with each thread's pointer, unless it is NULL, when the thread ends. Once for
// each number, before the first pointer is set.
void swift_runtime_end_slot(size_t number, void (*end)(void *pointer));

// ---- trackings of Swift's Observation -----------------------------------------------------------

// Observation has a word for each thread which leads to the tracking that runs there, and is NULL
// without one. No public call asks for it. Where its place can be found and checked, a read takes
// one load to see that nobody tracks it; elsewhere each read asks, which takes longer.

#if defined(__clang__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#define SWIFT_RUNTIME_FINDS_TRACKINGS 1

// Bytes from the thread pointer to a word that is NULL where no tracking can run. At first 0: the C
// library's own word there is never NULL, so that each read goes the slow way, which looks for the
// place.
extern intptr_t swift_runtime_tracking_place;

// The word of the calling thread at that distance from the thread pointer.
static inline void *swift_runtime_thread_word(intptr_t place)
{
#if defined(__x86_64__)
    return *(void *const __seg_fs *)place;
#else
    return *(void *const *)((const char *)__builtin_thread_pointer() + place);
#endif
}
#else
#define SWIFT_RUNTIME_FINDS_TRACKINGS 0

static inline void *swift_runtime_thread_word(intptr_t place)
{
    (void)place;
    return NULL;
}
#endif

// The word at the place where reads look, of the calling thread; NULL where no place can be found.
static inline void *swift_runtime_looked_at_word(void)
{
#if SWIFT_RUNTIME_FINDS_TRACKINGS
    return swift_runtime_thread_word(
        __atomic_load_n(&swift_runtime_tracking_place, __ATOMIC_RELAXED));
#else
    return NULL;
#endif
}

// False where no tracking runs on the calling thread; true where one may.
static inline bool swift_runtime_may_track(void)
{
#if SWIFT_RUNTIME_FINDS_TRACKINGS
    return swift_runtime_looked_at_word() != NULL;
#else
    return true;
#endif
}

// A word in a library's block of thread-local memory: the library's number, bytes from the start of
// the block, and from the thread pointer of the thread that it was found on.
typedef struct swift_runtime_word {
    size_t library;
    size_t offset;
    intptr_t place;
} swift_runtime_word;

// Finds the words of the calling thread that hold an address above `low` and below `high`: notes up
// to `capacity` of them, and answers how many there are. None where the place cannot be found.
size_t swift_runtime_find_words(
    const void *low, const void *high, swift_runtime_word *words, size_t capacity);

// Whether the calling thread has the word as far from its thread pointer as the thread that it was
// found on, which it has not where the library was opened at run time.
bool swift_runtime_has_word(swift_runtime_word word);

// Puts another address into the word of the calling thread at that distance from the thread
// pointer, and answers the former address.
static inline void *swift_runtime_exchange_thread_word(intptr_t place, void *address)
{
#if SWIFT_RUNTIME_FINDS_TRACKINGS
#if defined(__x86_64__)
    void *__seg_fs *word = (void *__seg_fs *)place;
#else
    void **word = (void **)((char *)__builtin_thread_pointer() + place);
#endif
    void *old = *word;
    *word = address;
    return old;
#else
    (void)place, (void)address;
    return NULL;
#endif
}

// The same with the word at the place where reads look, which has to be one of the library's own.
static inline void *swift_runtime_exchange_looked_at_word(void *address)
{
#if SWIFT_RUNTIME_FINDS_TRACKINGS
    return swift_runtime_exchange_thread_word(
        __atomic_load_n(&swift_runtime_tracking_place, __ATOMIC_RELAXED), address);
#else
    (void)address;
    return NULL;
#endif
}

// Lets go of an object of Swift's.
void swift_release(void *object);

// An address in the caller's part of the stack: above it are those who called the caller.
const void *swift_runtime_stack_place(void);

// Has reads look at that word from now on.
void swift_runtime_look_for_trackings(swift_runtime_word word);

// Has no read take note of trackings from now on, but of evaluations.
void swift_runtime_ignore_trackings(void);

// The value of a variable of the environment, or NULL.
const char *swift_runtime_environment(const char *name);

// Prints a line to standard error.
void swift_runtime_warn(const char *line);

// Runs `body` on a thread of its own; false if it has not ended within the time, or there is no
// thread to be had. Then `body` may still be running, and `context` must last.
bool swift_runtime_run_on_thread(void (*body)(void *context), void *context, unsigned seconds);

#endif
