// A process that has used the library for long is confined: it gets no memory any more that may be
// executed, or none at all. Calls answer a status then, and what was there goes on.
#define _GNU_SOURCE // syscall
#include "check.h"

#ifdef __linux__
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "person.h"

// Seconds after which a child that hangs is stopped; more calls than one page has trampolines; more
// objects than a process's spare memory has room for.
enum { CHILD_SECONDS = 60, MOST_CALLS = 20000, MOST_OBJECTS = 4000000, SPARE = 1 << 22 };

static isa_id person;
static int64_t told;

static void hear(const kvo_change *change, void *info)
{
    (void)info;
    told = *(const int64_t *)change->new_value.address;
}

static void answer(void *result, void *const *arguments, void *context)
{
    (void)arguments;
    *(int64_t *)result = *(int64_t *)context;
}

// Whether setting the person's age tells the observer.
static bool is_told(int64_t age)
{
    isa_test_set_age(person, age);
    return told == age;
}

bool confine(struct sock_filter *filter, unsigned short size)
{
    struct sock_fprog program = {size, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

void check_child(int (*live)(void))
{
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(live());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (WEXITSTATUS(status) != 0) printf("  a child: %d\n", WEXITSTATUS(status));
}

// Has the system refuse memory that may be executed from here on; whether it can.
static bool refuse_execution(void)
{
    const uint32_t first = offsetof(struct seccomp_data, args[2]);
    const uint32_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? first : first + 4;
    struct sock_filter refusal[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __NR_mmap2
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap2, 1, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 1, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return confine(refusal, sizeof refusal / sizeof *refusal);
}

// Makes callbacks until there is no page for another; answers what went wrong.
static int live_without_execution(void)
{
    static isa_imp imps[MOST_CALLS];
    static int64_t context = 54;
    isa_imp first;
    kvo_token token;
    const kvo_function function = {hear, NULL, NULL};
    must(isa_imp_make("q@:", answer, &context, NULL, &first));
    must(kvo_observe(person, "age", KVO_OPTION_NEW, &function, NULL, &token));
    if (!refuse_execution()) return 0;
    isa_status status = ISA_OK;
    int made = 0;
    while (made < MOST_CALLS && status == ISA_OK)
        if ((status = isa_imp_make("q@:", answer, &context, NULL, &imps[made])) == ISA_OK) made++;
    if (status != ISA_ERR_NO_TRAMPOLINE) return 2;
    if (((int64_t (*)(isa_id, isa_sel))first)(person, isa_sel_register("x")) != 54) return 3;
    if (!is_told(41)) return 4;
    // Trampolines that were given back are used again.
    for (int i = 0; i < made; i++)
        if (isa_imp_dispose(imps[i]) != ISA_OK) return 6;
    for (int i = 0; i < made; i++)
        if (isa_imp_make("q@:", answer, &context, NULL, &imps[i]) != ISA_OK) return 7;
    return is_told(42) ? 0 : 8;
}

// The process's address space in bytes; 0 if it is not known.
static rlim_t own_size(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// Observes objects until there is no memory, and goes on once there is; answers what went wrong.
static int live_without_memory(void)
{
    static isa_id objects[MOST_OBJECTS];
    static kvo_token tokens[MOST_OBJECTS];
    const kvo_function function = {hear, NULL, NULL};
    kvo_token token;
    isa_class cls = isa_object_get_class(person);
    must(kvo_observe(person, "age", KVO_OPTION_NEW, &function, NULL, &token));
    struct rlimit limit;
    if (own_size() == 0 || getrlimit(RLIMIT_AS, &limit) != 0) return 0;
    struct rlimit less = {own_size() + SPARE, limit.rlim_max};
    if (setrlimit(RLIMIT_AS, &less) != 0) return 0;
    // An emulator gives memory that it has taken before.
    if (mmap(NULL, 2 * SPARE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        return 0;
    isa_status status = ISA_OK;
    int made = 0;
    while (made < MOST_OBJECTS && status == ISA_OK) {
        if ((status = isa_object_allocate(cls, &objects[made])) != ISA_OK) break;
        status = kvo_observe(objects[made], "age", KVO_OPTION_NEW, &function, NULL, &tokens[made]);
        made++;
    }
    if (status != ISA_ERR_NO_MEMORY) return 2;
    if (!is_told(43)) return 3;
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 4;
    for (int i = 0; i < made; i++) {
        told = -1;
        isa_test_set_age(objects[i], i);
        if (told != (tokens[i] != NULL ? i : -1)) return 5;
        kvo_token_release(tokens[i]);
        isa_object_release(objects[i]);
    }
    isa_id object;
    if (isa_object_allocate(cls, &object) != ISA_OK) return 6;
    if (kvo_observe(object, "age", KVO_OPTION_NEW, &function, NULL, &token) != ISA_OK) return 7;
    isa_test_set_age(object, 44);
    return told == 44 ? 0 : 8;
}

void check_confined(void)
{
    isa_class cls;
    must(isa_test_person_make("Captive", &cls));
    person = make_object(cls);
    check_child(live_without_execution);
    if (!IS_SANITIZED) check_child(live_without_memory);
    isa_object_release(person);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}
#else
void check_confined(void) {}
#endif
