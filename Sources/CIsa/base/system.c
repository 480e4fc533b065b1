// The calls of one system or another; system.h says which, and why.
//
// Owns:      nothing; what the first thread's stack is.
// Locks:     none.
// Invariant: no other file of the core asks which system it is on.
#define _GNU_SOURCE // pthread_getattr_np, syscall, secure_getenv, dl_iterate_phdr
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <linux/membarrier.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
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

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t isa__system_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t isa__system_wall_clock(void)
{
    return read_clock(CLOCK_REALTIME);
}

// ---- files --------------------------------------------------------------------------------------

const char *isa__system_variable(const char *name)
{
#ifdef __linux__
    return secure_getenv(name);
#else
    return issetugid() ? NULL : getenv(name);
#endif
}

// Where the file system has no call for room. Bytes that were never written read zero.
static int write_zeros(int file, uint64_t offset, uint64_t size)
{
    static const char zeros[4096];
    while (size > 0) {
        size_t part = size < sizeof zeros ? (size_t)size : sizeof zeros;
        ssize_t written = pwrite(file, zeros, part, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : ENOSPC;
        offset += (uint64_t)written;
        size -= (uint64_t)written;
    }
    return 0;
}

// Beyond the process's limit the system would send SIGXFSZ.
int isa__system_reserve(int file, uint64_t offset, uint64_t size)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        offset + size > limit.rlim_cur)
        return EFBIG;
    int error = EOPNOTSUPP;
#ifdef __linux__
    do error = posix_fallocate(file, (off_t)offset, (off_t)size);
    while (error == EINTR);
#endif
    bool has_call = error != EOPNOTSUPP && error != EINVAL && error != ENOSYS;
    return has_call ? error : write_zeros(file, offset, size);
}

// ---- modules ------------------------------------------------------------------------------------

#ifdef __linux__
struct module_question {
    void (*call)(const struct isa__module *module, void *context);
    void *context;
};

static void find_build_id(const char *notes, size_t size, struct isa__module *module)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, text = (note.n_descsz + 3u) & ~(size_t)3;
        if (name + text > size - sizeof note) return;
        const char *at = notes + sizeof note;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at, "GNU", 4) == 0) {
            module->build_id = (const unsigned char *)at + name;
            module->build_id_size = note.n_descsz;
            return;
        }
        notes = at + name + text;
        size -= sizeof note + name + text;
    }
}

static int tell_of_module(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct module_question *question = context;
    struct isa__module module = {.low = UINTPTR_MAX, .bias = info->dlpi_addr};
    char program[PATH_MAX];
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + part->p_vaddr, high = low + part->p_memsz;
        if (part->p_type == PT_NOTE && module.build_id_size == 0)
            find_build_id((const char *)low, part->p_memsz, &module);
        if (part->p_type != PT_LOAD) continue;
        if (low < module.low) module.low = low;
        if (high > module.high) module.high = high;
    }
    module.path = info->dlpi_name;
    if (module.path == NULL || *module.path == 0) {
        ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        program[length < 0 ? 0 : length] = 0;
        module.path = program;
    }
    if (module.low < module.high) question->call(&module, question->context);
    return 0;
}

void isa__system_modules(void (*call)(const struct isa__module *module, void *context),
                         void *context)
{
    dl_iterate_phdr(tell_of_module, &(struct module_question){call, context});
}
#else
void isa__system_modules(void (*call)(const struct isa__module *module, void *context),
                         void *context)
{
    (void)call;
    (void)context;
}
#endif

// ---- callers ------------------------------------------------------------------------------------

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
// Swift marks the frames of its asynchronous functions in a bit of the frame pointer, and arm64 may
// sign the address to return to in bits that no address has.
enum { ADDRESS_BITS = sizeof(void *) == 8 ? 48 : 32 };

static uintptr_t address_of(uintptr_t word)
{
    return ADDRESS_BITS == 48 ? word & (((uint64_t)1 << 48) - 1) : word;
}

__attribute__((noinline, no_sanitize("address"))) size_t
isa__system_callers(struct isa__stack stack, uintptr_t *out, size_t room)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    size_t count = 0;
    uintptr_t least = frame;
    while (count < room && frame >= least && stack.low <= frame &&
           frame + 2 * sizeof(uintptr_t) <= stack.high && frame % sizeof(uintptr_t) == 0) {
        const uintptr_t *words = (const uintptr_t *)frame;
        uintptr_t back = address_of(words[1]);
        if (back == 0) break;
        out[count++] = back;
        least = frame + 1; // the stack grows down: each caller's frame is above
        frame = address_of(words[0]);
    }
    return count;
}
#else
size_t isa__system_callers(struct isa__stack stack, uintptr_t *out, size_t room)
{
    (void)stack;
    (void)out;
    (void)room;
    return 0;
}
#endif

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
