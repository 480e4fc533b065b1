// What the core asks of a system beyond C17 and POSIX, and of a processor beyond C's atomics.
//
// - The calling thread's stack: pthread_getattr_np. Of the first thread, Linux's C libraries would
//   read a file, so it is asked for the bytes that the kernel gives every program (getauxval), and
//   for the limit. Apple's systems have pthread_get_stackaddr_np.
// - A full barrier on every thread: Linux's and Android's membarrier, if the kernel has it.
//   Elsewhere there is none, and the readers fence.
// - To stay where others close: dlopen with RTLD_NODELETE. A static program has no such call.
// - A loop that waits shortly: x86 has an instruction; other processors are told nothing.
// - A fence behind an atomic add: x86's add is one; other processors make one.
// - For traces: variables of the environment that a program with rights of others does not look at,
//   room for a file that no later write can lack, what is loaded where (Linux's dl_iterate_phdr),
//   and the calls that have led to a place, by frame pointers (x86, arm64).
//
// Executable memory is libffi's alone: where pages may not be written and executed at once, as on
// Apple silicon, it has pages of its own that were made before. docs/versions.md says what was run.
#ifndef ISA_BASE_SYSTEM_H
#define ISA_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A thread's stack; `high` is 0 if it is not known.
struct isa__stack {
    uintptr_t low, high;
};

static inline bool isa__stack_has(struct isa__stack stack, uintptr_t address)
{
    return stack.low <= address && address < stack.high;
}

// The stack that the system gave the calling thread, which stands at `here`. Where the first thread
// stands on another one, it has none.
struct isa__stack isa__system_stack(uintptr_t here);

// Whether the system has a barrier for all threads; once, before the first.
bool isa__system_has_barrier(void);

// Has every running thread of the process execute a full barrier; false if the system refuses it
// by now.
bool isa__system_barrier(void);

// Nanoseconds since some time; nanoseconds since 1970.
uint64_t isa__system_clock(void);
uint64_t isa__system_wall_clock(void);

// ---- for traces ---------------------------------------------------------------------------------

// A variable's value, lent; NULL if it is not set, or if the program runs with rights that its user
// has not.
const char *isa__system_variable(const char *name);

// Gives `size` bytes of the file from `offset` on their room, zeroed, so that writing to them by a
// mapping cannot fail. Returns 0 or the system's error number: EFBIG beyond the process's limit.
int isa__system_reserve(int file, uint64_t offset, uint64_t size);

// A program or library that is loaded.
struct isa__module {
    uintptr_t low, high; // from its first byte to the one behind its last
    uintptr_t bias;      // what its addresses have beyond those in its file
    const unsigned char *build_id;
    size_t build_id_size; // 0: it has none
    const char *path;
};

// Calls `call` for each module, with the loader's lock held; for none where a system says nothing.
void isa__system_modules(void (*call)(const struct isa__module *module, void *context),
                         void *context);

// Writes the addresses to which the calls return that have led here, innermost first, as far as the
// frames in `stack`, the calling thread's, have frame pointers. Returns how many.
//
// Code without frame pointers is passed over, or ends the walk; it reads nothing outside `stack`.
size_t isa__system_callers(struct isa__stack stack, uintptr_t *out, size_t room);

// Lets another thread of the processor go on, for a loop that waits for very little.
static inline void isa__pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

// Behind it what the thread loads is newer than its own atomic add before. A locked instruction is
// a full barrier on x86; elsewhere an add does not order the loads behind it.
static inline void isa__fence_after_add(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
