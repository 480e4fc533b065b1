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
//
// Executable memory is libffi's alone: where pages may not be written and executed at once, as on
// Apple silicon, it has pages of its own that were made before. docs/versions.md says what was run.
#ifndef ISA_BASE_SYSTEM_H
#define ISA_BASE_SYSTEM_H

#include <stdbool.h>
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

// Nanoseconds since some time.
uint64_t isa__system_clock(void);

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
