// The calls of one system or another; system.h says which, and why.
//
// Owns:      nothing; what the first thread's stack is.
// Locks:     none.
// Invariant: no other file of the core asks which system it is on.
#define _GNU_SOURCE // pthread_getattr_np, syscall
#include "system.h"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#pragma weak dladdr
#pragma weak dlopen

// ---- stacks -------------------------------------------------------------------------------------

static struct isa__stack ask_for_stack(void)
{
    struct isa__stack stack = {0, 0};
#ifdef __APPLE__
    stack.high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    stack.low = stack.high - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    void *start;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0)
        stack = (struct isa__stack){(uintptr_t)start, (uintptr_t)start + size};
    pthread_attr_destroy(&attributes);
#endif
    return stack;
}

#ifdef __linux__
// The first thread's stack, as far as it may grow: the C libraries would read it from a file, or
// try page after page. Above it stand bytes that the kernel tells of, and below it the kernel
// leaves LEAST_ROOM, even without a limit. Found before main, as the kernel leaves no more room
// where the program raises the limit.
static struct isa__stack first_stack;

static __attribute__((constructor)) void find_first_stack(void)
{
    enum { LEAST_ROOM = 128 * 1024 * 1024 };
    struct rlimit limit;
    uintptr_t high = getauxval(AT_RANDOM), room = LEAST_ROOM;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = (uintptr_t)limit.rlim_cur;
    first_stack = (struct isa__stack){room < high ? high - room : 0, high};
}

struct isa__stack isa__system_stack(uintptr_t here)
{
    if (isa__stack_has(first_stack, here)) return first_stack;
    return syscall(SYS_gettid) == getpid() ? (struct isa__stack){0, 0} : ask_for_stack();
}
#else
struct isa__stack isa__system_stack(uintptr_t here)
{
    (void)here;
    return ask_for_stack();
}
#endif

// ---- barriers -----------------------------------------------------------------------------------

#ifdef __linux__
static bool membarrier(int command)
{
    return syscall(__NR_membarrier, command, 0, 0) == 0;
}

bool isa__system_has_barrier(void)
{
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

bool isa__system_barrier(void)
{
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
#else
bool isa__system_has_barrier(void)
{
    return false;
}

bool isa__system_barrier(void)
{
    return false;
}
#endif

uint64_t isa__system_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---- loading ------------------------------------------------------------------------------------

// Keeps what the library is linked into, such as a plugin, when that is closed: threads end by its
// code, and by the classes that it has made. As it is loaded, since the loader's lock is this
// thread's then: another thread's constructor may wait for what the first use makes. A static
// program has no such calls, and needs none.
static __attribute__((constructor)) void stay_loaded(void)
{
    static const char place;
    Dl_info here;
    if (dladdr == NULL || dlopen == NULL || dladdr(&place, &here) == 0) return;
    (void)dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
