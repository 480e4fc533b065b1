// Traces of children of this process, which end in every way; each file is read by trace_reader.h,
// which knows the page about it only.
#define _GNU_SOURCE // unshare
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#endif

#include "check.h"
#include "node.h"
#include "observer.h"
#include "person.h"
#include "trace_reader.h"

enum { THREADS = 4, SETS = 5000, ENDS_BY_SIGNAL = 1000 };

// Shared with the children.
static struct shared {
    int64_t told[THREADS];    // by the handlers, of each thread's own object
    uint64_t person[THREADS]; // these objects
    char path[256];           // of the trace
    char other[300];          // of another one
    uint64_t object;
    int64_t status;
} *shared;

static isa_class person_class, node_class, observer_class;

static void must_hold(bool holds, const char *what)
{
    if (holds) return;
    printf("core: tracing: %s: %s, %s\n", what, isa_last_error()->reason, strerror(errno));
    fflush(stdout);
    _exit(99);
}
#define MUST(condition) must_hold((condition), #condition)

// ---- children -----------------------------------------------------------------------------------

// Lives in a child of this process. Returns its exit code, or ENDS_BY_SIGNAL and the signal.
static int run(void (*live)(void))
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        live();
        exit(0);
    }
    MUST(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? ENDS_BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static void start(const isa_trace_options *options)
{
    MUST(isa_trace_start(shared->path, options) == ISA_OK);
}

static void told(const kvo_change *change, void *info)
{
    (void)change;
    __atomic_fetch_add((int64_t *)info, 1, __ATOMIC_RELAXED);
}

static kvo_token observe(isa_id person, const char *key_path, int64_t *count)
{
    kvo_token token;
    kvo_function function = {told, count, NULL};
    MUST(kvo_observe(person, key_path, KVO_OPTION_NEW, &function, NULL, &token) == ISA_OK);
    return token;
}

static void set_ages(isa_id person, int64_t count)
{
    for (int64_t i = 0; i < count; i++) isa_test_set_age(person, i);
}

static void live_shortly(int64_t sets)
{
    isa_id person = make_object(person_class);
    kvo_token token = observe(person, "age", &shared->told[0]);
    set_ages(person, sets);
    kvo_token_release(token);
    isa_object_release(person);
}

// ---- what a file has ----------------------------------------------------------------------------

// A fresh path for each trial, and nothing counted.
static const char *fresh(void)
{
    static int number;
    memset(shared, 0, sizeof *shared);
    const char *folder = getenv("TMPDIR");
    snprintf(shared->path, sizeof shared->path, "%s/isakvo-%ld-%d.kvotrace",
             folder == NULL ? "/tmp" : folder, (long)getpid(), ++number);
    snprintf(shared->other, sizeof shared->other, "%s.other", shared->path);
    unlink(shared->path);
    return shared->path;
}

// Whether a trace that began while a thread was notifying may have the event without its cause: no
// event of the thread's before it has one.
static bool may_begin_with(const struct trace *trace, const struct trace_event *event)
{
    for (size_t i = 0; i < trace->event_count && trace->events[i].id < event->id; i++)
        if (trace->events[i].thread == event->thread && trace->events[i].cause != 0) return false;
    return true;
}

// Whether a notification may have that cause: a change of the same object or of a key of its that
// depends on others, or the notification of a registration that serves another.
static bool may_cause(const struct trace_event *cause, const struct trace_event *event)
{
    if (cause->thread != event->thread) return false;
    if (cause->kind == ISA_EVENT_NOTIFICATION) return (cause->flags & ISA_EVENT_FORWARDER) != 0;
    return cause->object == event->object && (cause->kind == ISA_EVENT_DID_CHANGE ||
                                              cause->kind == ISA_EVENT_DEPENDENT_REACHED);
}

// Whether each notification was caused by what may cause it, and each cause is there.
static bool has_true_causes(const struct trace *trace)
{
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct trace_event *event = &trace->events[i];
        const struct trace_event *cause = trace_find(trace, event->cause);
        if (event->cause != 0 && cause == NULL && trace->lost_events == 0) return false;
        if (event->kind != ISA_EVENT_NOTIFICATION) continue;
        if (event->cause == 0 && trace->lost_events == 0 && !may_begin_with(trace, event))
            return false;
        if (cause != NULL && !may_cause(cause, event)) return false;
    }
    return true;
}

static void read_any_trace(const char *path, struct trace *trace)
{
    bool is_fine = trace_read(path, trace);
    if (!is_fine) printf("tracing: %s: %s\n", path, trace->mistake);
    CHECK(is_fine);
}

static void read_trace(const char *path, struct trace *trace)
{
    read_any_trace(path, trace);
    CHECK(has_true_causes(trace));
}

static size_t count_in_thread(const struct trace *trace, unsigned kind, uint64_t thread)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++)
        count += trace->events[i].kind == kind && trace->events[i].thread == thread;
    return count;
}

// A whole trace of live_shortly(sets), ended so.
static void check_short_life(size_t sets, uint32_t end_reason)
{
    struct trace trace;
    read_trace(shared->path, &trace);
    CHECK(trace.end_reason == end_reason);
    CHECK((size_t)shared->told[0] == sets);
    CHECK(trace_count(&trace, ISA_EVENT_DID_CHANGE) == sets);
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) == sets);
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION_ENDED) == sets);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == 1);
    CHECK(trace.lost_events == 0);
    CHECK(trace.object_count == 1 && strcmp(trace.objects[0].cls, "Traced") == 0);
    trace_free(&trace);
    unlink(shared->path);
}

// ---- endings ------------------------------------------------------------------------------------

static void end_well(void)
{
    start(NULL);
    live_shortly(SETS);
}

static void stop(void)
{
    start(NULL);
    live_shortly(SETS);
    char *path = isa_trace_copy_path();
    MUST(path != NULL && strcmp(path, shared->path) == 0);
    isa_free(path);
    MUST(isa_trace_stop() == ISA_OK);
    MUST(isa_trace_stop() == ISA_ERR_NOT_FOUND && isa_trace_copy_path() == NULL);
    live_shortly(0);
}

static void end_at_once(void)
{
    end_well();
    _exit(3);
}

static void end_by(int signal_number)
{
    signal(signal_number, SIG_DFL);
    end_well();
    kill(getpid(), signal_number);
    for (;;) pause();
}

static void be_killed(void) { end_by(SIGKILL); }
static void crash(void) { end_by(SIGSEGV); }
static void give_up(void) { end_by(SIGABRT); }

static void check_endings(void)
{
    fresh();
    CHECK(run(end_well) == 0);
    check_short_life(SETS, 1);
    fresh();
    CHECK(run(stop) == 0);
    check_short_life(SETS, 1);
    fresh();
    CHECK(run(end_at_once) == 3);
    check_short_life(SETS, 0);
    fresh();
    CHECK(run(be_killed) == ENDS_BY_SIGNAL + SIGKILL);
    check_short_life(SETS, 0);
    fresh();
    CHECK(run(crash) == ENDS_BY_SIGNAL + SIGSEGV);
    check_short_life(SETS, 0);
    fresh();
    CHECK(run(give_up) == ENDS_BY_SIGNAL + SIGABRT);
    check_short_life(SETS, 0);
}

// ---- threads ------------------------------------------------------------------------------------

// Sets without end.
static void *set_on(void *place)
{
    int index = (int)((int64_t *)place - shared->told);
    isa_id person = make_object(person_class);
    kvo_token token = observe(person, "age", &shared->told[index]);
    shared->person[index] = (uint64_t)(uintptr_t)person;
    for (int64_t i = 0;; i++) isa_test_set_age(person, i);
    kvo_token_release(token);
    return NULL;
}

static void set_on_threads(void)
{
    pthread_t thread;
    for (int i = 1; i < THREADS; i++)
        MUST(pthread_create(&thread, NULL, set_on, &shared->told[i]) == 0);
    set_on(&shared->told[0]);
}

static void be_killed_amidst(void)
{
    start(NULL);
    set_on_threads();
}

static int64_t told_at_least(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < THREADS; i++) {
        int64_t count = __atomic_load_n(&shared->told[i], __ATOMIC_RELAXED);
        if (count < least) least = count;
    }
    return least;
}

static size_t count_of_object(const struct trace *trace, unsigned kind, uint64_t object)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++)
        count += trace->events[i].kind == kind && trace->events[i].object == object;
    return count;
}

// Killed at any moment: each handler that ran is in the file, and one more at most that had not run
// yet.
static void check_kill_amidst(int round)
{
    struct trace trace;
    fresh();
    pid_t child = fork();
    if (child == 0) be_killed_amidst();
    while (told_at_least() < 100 + round * 997) usleep(100);
    kill(child, SIGKILL);
    MUST(waitpid(child, NULL, 0) == child);
    read_trace(shared->path, &trace);
    for (int i = 0; i < THREADS; i++) {
        size_t count = count_of_object(&trace, ISA_EVENT_NOTIFICATION, shared->person[i]);
        CHECK(count - (size_t)shared->told[i] <= 1);
    }
    trace_free(&trace);
    unlink(shared->path);
}

static void *set_for_a_while(void *place)
{
    int index = (int)((int64_t *)place - shared->told);
    isa_id person = make_object(person_class);
    kvo_token token = observe(person, "age", &shared->told[index]);
    set_ages(person, SETS);
    kvo_token_release(token);
    isa_object_release(person);
    return NULL;
}

// Threads that end hand their streams on to those that come.
static void have_many_threads(void)
{
    start(NULL);
    for (int round = 0; round < 50; round++) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            MUST(pthread_create(&threads[i], NULL, set_for_a_while, &shared->told[i]) == 0);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    }
}

static void check_many_threads(void)
{
    struct trace trace;
    fresh();
    CHECK(run(have_many_threads) == 0);
    read_trace(shared->path, &trace);
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) == 50u * THREADS * SETS);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == 50u * THREADS);
    uint64_t last = trace.events[trace.event_count - 1].thread;
    CHECK(last > 49 * THREADS);
    CHECK(count_in_thread(&trace, ISA_EVENT_NOTIFICATION, last) == SETS);
    trace_free(&trace);
    unlink(shared->path);
}

// While threads set, a trace begins and ends again and again: each file is whole.
static void begin_and_end(void)
{
    pthread_t thread;
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&thread, NULL, set_on, &shared->told[i]) == 0);
    while (told_at_least() == 0) usleep(100);
    for (int round = 0; round < 50; round++) {
        struct trace trace;
        start(NULL);
        usleep(1000);
        MUST(isa_trace_stop() == ISA_OK);
        bool is_fine = trace_read(shared->path, &trace);
        if (!is_fine) printf("tracing: %s\n", trace.mistake);
        MUST(is_fine && has_true_causes(&trace));
        // The registrations that were there are in the file.
        MUST(trace.event_count == 0 || trace.registration_count > 0);
        for (size_t i = 0; i < trace.registration_count; i++)
            MUST(strcmp(trace.registrations[i].key_path, "age") == 0);
        trace_free(&trace);
    }
    _exit(0);
}

static void check_threads_beside(void)
{
    for (int round = 0; round < 10; round++) check_kill_amidst(round);
    check_many_threads();
    fresh();
    CHECK(run(begin_and_end) == 0);
    unlink(shared->path);
}

// ---- limits -------------------------------------------------------------------------------------

static void reach_limit(void)
{
    isa_trace_options options = {.limit = 1 << 20};
    start(&options);
    live_shortly(200000);
    MUST(isa_trace_copy_path() == NULL);
    start(&options); // the next one may begin
}

// Of a set two events; of an object three: registered, removed, deallocated.
static void start_a_ring(void)
{
    isa_trace_options options = {
        .limit = 1 << 20,
        .keep = ISA_TRACE_KEEP_LATEST,
        .kinds = ISA_EVENT_KIND(ISA_EVENT_DID_CHANGE) | ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION)};
    start(&options);
}

static void go_round(void)
{
    start_a_ring();
    live_shortly(200000);
}

static void *set_for_long(void *place)
{
    int index = (int)((int64_t *)place - shared->told);
    isa_id person = make_object(person_class);
    kvo_token token = observe(person, "age", &shared->told[index]);
    set_ages(person, 50 * SETS);
    kvo_token_release(token);
    isa_object_release(person);
    return NULL;
}

static void go_round_on_threads(void)
{
    start_a_ring();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&threads[i], NULL, set_for_long, &shared->told[i]) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

// The events that are there and those that are lost are all.
static void check_loss(size_t all, size_t added)
{
    struct trace trace;
    read_trace(shared->path, &trace);
    CHECK(trace.end_reason == 1 && trace.keep == 1);
    CHECK(trace.lost_events > 0 && trace.event_count + trace.lost_events == all);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == added);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_REMOVED) == added);
    trace_free(&trace);
    unlink(shared->path);
}

// More registrations than the file has room for: the newest are kept then, as other events are.
static void fill_structure(void)
{
    start_a_ring();
    for (int i = 0; i < 50000; i++) live_shortly(1);
}

static void check_limits(void)
{
    struct trace trace;
    fresh();
    CHECK(run(reach_limit) == 0);
    CHECK(shared->told[0] == 200000);
    unlink(shared->path);
    fresh();
    CHECK(run(go_round) == 0);
    check_loss(2 * 200000 + 3, 1);
    fresh();
    CHECK(run(go_round_on_threads) == 0);
    check_loss((2 * 50 * SETS + 3) * THREADS, THREADS);
    fresh();
    CHECK(run(fill_structure) == 0);
    read_trace(shared->path, &trace);
    CHECK(trace.structure_end > 0 && trace.lost_events > 0);
    CHECK(trace.event_count + trace.lost_events == 50000 * 5);
    trace_free(&trace);
    unlink(shared->path);
}

// ---- crowds -------------------------------------------------------------------------------------

enum { CROWD = 1000, TURNINGS = 10 };

static isa_id crowd[CROWD];
static kvo_token crowd_tokens[CROWD];

static void observe_one(unsigned number)
{
    crowd_tokens[number] = observe(crowd[number], "age", &shared->told[0]);
}

__attribute__((noinline)) static void go_left(unsigned number, int turning);

__attribute__((noinline)) static void go_right(unsigned number, int turning)
{
    if (turning == TURNINGS) observe_one(number);
    else if (number >> turning & 1) go_left(number, turning + 1);
    else go_right(number, turning + 1);
    __asm__ volatile(""); // no call is the last thing that it does
}

__attribute__((noinline)) static void go_left(unsigned number, int turning)
{
    if (turning == TURNINGS) observe_one(number);
    else if (number >> turning & 1) go_left(number, turning + 1);
    else go_right(number, turning + 1);
    __asm__ volatile("");
}

// So many objects that live, each observed by another way, and as many texts of a length.
static void gather(int length)
{
    char text[256];
    for (unsigned i = 0; i < CROWD; i++) {
        crowd[i] = make_object(person_class);
        go_left(i, 0);
        snprintf(text, sizeof text, "person %-*u", length, i);
        isa_trace_mark(text);
    }
}

static void live_in_crowds(void)
{
    start(NULL);
    gather(1);
    MUST(isa_trace_stop() == ISA_OK);
}

static void check_crowds(void)
{
    struct trace trace;
    unsigned marks = 0, stacks = 0;
    fresh();
    CHECK(run(live_in_crowds) == 0);
    read_trace(shared->path, &trace);
    CHECK(trace.object_count == CROWD && trace.text_count > CROWD);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == CROWD);
    // Where calls have frames, as the package manager builds.
    CHECK(trace.stack_count >= CROWD || trace.longest_stack < TURNINGS);
    for (size_t i = 0; i < trace.event_count; i++) {
        const struct trace_event *event = &trace.events[i];
        stacks += event->kind == ISA_EVENT_OBSERVER_ADDED && event->stack != 0;
        if (event->kind != ISA_EVENT_MARK) continue;
        char text[32];
        snprintf(text, sizeof text, "person %u", marks++);
        CHECK(event->name != NULL && strcmp(event->name, text) == 0);
    }
    // Where a processor's calls leave no frames at all there is no stack.
    CHECK(marks == CROWD && (stacks == CROWD || trace.longest_stack == 0));
    trace_free(&trace);
    unlink(shared->path);
}

// ---- room ---------------------------------------------------------------------------------------

// No file may be longer, up to the call with RLIM_INFINITY: what the compiler adds to a program may
// write files when it ends.
static void limit_files(rlim_t bytes)
{
    struct rlimit limit = {bytes, RLIM_INFINITY};
    MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void have_little_room(void)
{
    limit_files(300000);
    start(NULL);
    live_shortly(200000);
    MUST(isa_trace_copy_path() == NULL);
    limit_files(RLIM_INFINITY);
}

static void have_no_room(void)
{
    limit_files(1000);
    MUST(isa_trace_start(shared->path, NULL) == ISA_ERR_FILE);
    live_shortly(1);
    limit_files(RLIM_INFINITY);
}

#ifdef __linux__
// Where this user may not mount, nothing is tried: status 1.
static void fill_device(void)
{
    char folder[] = "/tmp/isakvo-device-XXXXXX";
    MUST(mkdtemp(folder) != NULL);
    bool is_mounted = unshare(CLONE_NEWNS) == 0 &&
                      mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                      mount("tmpfs", folder, "tmpfs", 0, "size=512k") == 0;
    shared->status = !is_mounted;
    if (!is_mounted) {
        rmdir(folder);
        return;
    }
    snprintf(shared->other, sizeof shared->other, "%s/full.kvotrace", folder);
    MUST(isa_trace_start(shared->other, NULL) == ISA_OK);
    live_shortly(200000);
    struct trace trace;
    MUST(trace_read(shared->other, &trace));
    MUST(trace.end_reason == 3 && trace.end_error == ENOSPC && trace.event_count > 10000);
    trace_free(&trace);
    umount(folder);
    rmdir(folder);
}
#endif

#ifdef __linux__
// The blocks in which the recorder takes its memory, which the system refuses from here on.
enum { BLOCK = 256 * 1024, LENGTH = 200 };

static bool refuse_blocks(void)
{
    const uint32_t first = offsetof(struct seccomp_data, args[1]);
    const uint32_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? first : first + 4;
    struct sock_filter refusal[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __NR_mmap2
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap2, 0, 3),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 3),
#endif
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BLOCK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return confine(refusal, sizeof refusal / sizeof *refusal);
}

static void *set_first(void *unused)
{
    set_ages(crowd[0], SETS);
    return unused;
}

// The recorder's memory runs out amidst a crowd; another thread has none to begin with.
static void have_no_memory(void)
{
    pthread_t thread;
    live_shortly(0); // the library itself has what it needs
    start(NULL);
    if (!refuse_blocks()) {
        shared->status = 1;
        return;
    }
    gather(LENGTH);
    for (unsigned i = 0; i < CROWD; i++) isa_test_set_age(crowd[i], i);
    MUST(pthread_create(&thread, NULL, set_first, NULL) == 0);
    pthread_join(thread, NULL);
    MUST(isa_trace_stop() == ISA_OK);
    // Nothing can be recorded into.
    MUST(isa_trace_start(shared->other, NULL) == ISA_ERR_NO_MEMORY);
    isa_test_set_age(crowd[0], 1);
}

// A system that has no call for room, such as some containers.
static void have_no_call(void)
{
    struct sock_filter refusal[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fallocate, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    shared->status = !confine(refusal, sizeof refusal / sizeof *refusal);
    start(NULL);
    live_shortly(SETS);
    MUST(isa_trace_stop() == ISA_OK);
}

// What fits is recorded, and all the rest is counted.
static void check_refusals(void)
{
    struct trace trace;
    fresh();
    CHECK(run(have_no_call) == 0);
    check_short_life(SETS, 1);
    if (IS_SANITIZED) return;
    fresh();
    CHECK(run(have_no_memory) == 0);
    if (shared->status != 0) {
        printf("tracing: nothing to refuse memory here: not tried\n");
        unlink(shared->path);
        return;
    }
    CHECK(shared->told[0] == CROWD + SETS + 1);
    CHECK(access(shared->other, F_OK) != 0);
    read_trace(shared->path, &trace);
    CHECK(trace.end_reason == 1 && trace.text_count < CROWD && trace.object_count == CROWD);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == CROWD);
    CHECK(trace_count(&trace, ISA_EVENT_MARK) == CROWD);
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) == CROWD);
    CHECK(trace.lost_events >= 2 * SETS);
    trace_free(&trace);
    unlink(shared->path);
}
#else
static void check_refusals(void) {}
#endif

static void check_room(void)
{
    struct trace trace;
    check_refusals();
    fresh();
    CHECK(run(have_little_room) == 0);
    CHECK(shared->told[0] == 200000);
    read_trace(shared->path, &trace);
    CHECK(trace.end_reason == 3 && trace.end_error == EFBIG && trace.event_count > 10000);
    trace_free(&trace);
    unlink(shared->path);
    fresh();
    CHECK(run(have_no_room) == 0);
    CHECK(shared->told[0] == 1);
    CHECK(access(shared->path, F_OK) != 0);
#ifdef __linux__
    fresh();
    CHECK(run(fill_device) == 0);
    if (shared->status != 0) printf("tracing: no device to fill here: not tried\n");
    else CHECK(shared->told[0] == 200000);
#endif
}

// ---- fork and exec ------------------------------------------------------------------------------

static void have_child(void)
{
    start(NULL);
    isa_id person = make_object(person_class);
    kvo_token token = observe(person, "age", &shared->told[0]);
    set_ages(person, SETS / 2);
    pid_t child = fork();
    if (child == 0) {
        set_ages(person, 100000);
        live_shortly(10);
        MUST(isa_trace_copy_path() == NULL && isa_trace_stop() == ISA_ERR_NOT_FOUND);
        // It may record into a file of its own, while the parent holds the first.
        MUST(isa_trace_start(shared->path, NULL) == ISA_OK);
        char *path = isa_trace_copy_path();
        MUST(path != NULL && strlen(path) > strlen(shared->path));
        strcpy(shared->other, path);
        isa_free(path);
        live_shortly(7);
        exit(0);
    }
    int status = 0;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    set_ages(person, SETS / 2);
    kvo_token_release(token);
    isa_object_release(person);
}

static void check_fork(void)
{
    struct trace trace;
    fresh();
    CHECK(run(have_child) == 0);
    read_trace(shared->other, &trace);
    CHECK(trace.end_reason == 1 && trace_count(&trace, ISA_EVENT_NOTIFICATION) == 7);
    trace_free(&trace);
    unlink(shared->other);
    shared->told[0] = SETS;
    check_short_life(SETS, 1);
}

// Executes this program for its check of setters, traced by the environment, which has these
// variables too, up to NULL.
static void execute_with(char *const variables[])
{
    fflush(stdout);
    MUST(freopen("/dev/null", "w", stdout) != NULL);
    setenv("ISAKVO_TRACE", shared->path, 1);
    for (; *variables != NULL; variables++) putenv(*variables);
    execl("/proc/self/exe", "core", "setters", (char *)NULL);
    _exit(77);
}

static void execute(void)
{
    execute_with((char *const[]){"ISAKVO_TRACE_KINDS=all", NULL});
}

// The process that executes has a trace of its own before, at the same path.
static void execute_after_trace(void)
{
    start(NULL);
    live_shortly(SETS);
    execute();
}

static void execute_beside_trace(void)
{
    start(NULL);
    live_shortly(SETS);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) execute();
    snprintf(shared->other, sizeof shared->other, "%s.%ld", shared->path, (long)child);
    int status = 0;
    MUST(waitpid(child, &status, 0) == child && status == 0);
}

static void check_executed(const char *path)
{
    struct trace trace;
    read_any_trace(path, &trace);
    CHECK(trace.end_reason == 1);
    CHECK(trace_count(&trace, ISA_EVENT_WRAPPER_ENTERED) > 10);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) > 10);
    trace_free(&trace);
    unlink(path);
}

static bool is_emulated;

static void check_exec(void)
{
    fresh();
    int code = run(execute_after_trace);
    if (code == 77) {
        printf("tracing: this program cannot execute itself here: not tried\n");
        is_emulated = true;
        return;
    }
    CHECK(code == 0);
    check_executed(shared->path);
    fresh();
    CHECK(run(execute_beside_trace) == 0);
    check_executed(shared->other);
    check_short_life(SETS, 1);
}

// ---- other files --------------------------------------------------------------------------------

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    MUST(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static isa_status try_start(void)
{
    isa_status status = isa_trace_start(shared->path, NULL);
    if (status == ISA_OK) (void)isa_trace_stop();
    return status;
}

static void check_files(void)
{
    struct stat status;
    char text[8] = "";
    fresh();
    write_text(shared->path, "hello");
    CHECK(try_start() == ISA_ERR_EXISTS);
    FILE *file = fopen(shared->path, "r");
    CHECK(file != NULL && fgets(text, sizeof text, file) != NULL && strcmp(text, "hello") == 0);
    if (file != NULL) fclose(file);
    // Neither through a link, nor what has another name.
    CHECK(rename(shared->path, shared->other) == 0 && symlink(shared->other, shared->path) == 0);
    write_text(shared->other, "");
    CHECK(try_start() == ISA_ERR_EXISTS);
    CHECK(stat(shared->other, &status) == 0 && status.st_size == 0);
    CHECK(unlink(shared->path) == 0 && link(shared->other, shared->path) == 0);
    CHECK(try_start() == ISA_ERR_EXISTS);
    unlink(shared->other);
    // What is empty, and a trace, it may take.
    CHECK(chmod(shared->path, 0644) == 0 && try_start() == ISA_OK);
    CHECK(stat(shared->path, &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(try_start() == ISA_OK);
    unlink(shared->path);
    CHECK(mkfifo(shared->path, 0600) == 0 && try_start() == ISA_ERR_EXISTS);
    unlink(shared->path);
    CHECK(mkdir(shared->path, 0700) == 0 && try_start() != ISA_OK);
    rmdir(shared->path);
    CHECK(isa_trace_start("/no/such/folder/x.kvotrace", NULL) == ISA_ERR_FILE);
    CHECK(isa_trace_start("", NULL) == ISA_ERR_INVALID_ARGUMENT);
    CHECK(isa_trace_start(shared->path, &(isa_trace_options){.limit = 1000}) ==
          ISA_ERR_INVALID_ARGUMENT);
    CHECK(isa_trace_start(shared->path, &(isa_trace_options){.keep = (isa_trace_keep)2}) ==
          ISA_ERR_INVALID_ARGUMENT);
    CHECK(access(shared->path, F_OK) != 0);
}

static void use_number(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s-%%p-%%%%", shared->path);
    MUST(isa_trace_start(path, NULL) == ISA_OK);
    MUST(isa_trace_start(path, NULL) == ISA_ERR_IN_USE);
    snprintf(path, sizeof path, "%s-%ld-%%", shared->path, (long)getpid());
    char *real = isa_trace_copy_path();
    MUST(real != NULL && strcmp(real, path) == 0);
    isa_free(real);
    unlink(path);
}

// ---- what is recorded ---------------------------------------------------------------------------

// By function, object, key path, and shared by objects: two objects, and two that they are about.
static void observe_before(void)
{
    isa_id person = make_object(person_class), other = make_object(person_class);
    isa_id node = make_object(node_class), child = make_object(node_class);
    isa_id observer = make_object(observer_class);
    isa_test_observer_set(observer, &(kvo_function){told, &shared->told[2], NULL});
    kvo_function function = {told, &shared->told[3], NULL};
    kvo_shared_observers all;
    shared->object = (uint64_t)(uintptr_t)person;
    set_child(node, child);
    kvo_token tokens[] = {observe(person, "age", &shared->told[0]),
                          observe(person, "height", &shared->told[1]),
                          observe(node, "child.count", &shared->told[0])};
    MUST(kvo_add_observer(person, observer, "age", KVO_OPTION_NEW, NULL) == ISA_OK);
    MUST(kvo_shared_observers_make(person_class, &all) == ISA_OK);
    MUST(kvo_shared_observers_add_function(all, &function, "age", 0, NULL) == ISA_OK);
    MUST(kvo_set_shared_observers(other, all) == ISA_OK);
    start(NULL);
    isa_test_set_age(person, 1);
    kvo_token later = observe(person, "age", &shared->told[0]);
    isa_test_set_age(person, 2);
    isa_test_set_age(other, 3);
    set_count(child, 4);
    set_child(node, NULL);
    MUST(kvo_remove_observer(person, observer, "age") == ISA_OK);
    MUST(kvo_set_shared_observers(other, NULL) == ISA_OK);
    for (size_t i = 0; i < 3; i++) kvo_token_release(tokens[i]);
    kvo_token_release(later);
    kvo_shared_observers_release(all);
    isa_object_release(observer);
    isa_object_release(node);
    isa_object_release(child);
    isa_object_release(other);
    isa_object_release(person);
}

// Whether the file says what was registered by that number.
static bool knows_registration(const struct trace *trace, uint64_t number)
{
    for (size_t i = 0; i < trace->registration_count; i++)
        if (trace->registrations[i].number == number) return true;
    for (size_t i = 0; i < trace->event_count; i++)
        if (trace->events[i].kind == ISA_EVENT_OBSERVER_ADDED &&
            trace->events[i].registration == number)
            return true;
    return false;
}

static void check_registrations(void)
{
    struct trace trace;
    fresh();
    CHECK(run(observe_before) == 0);
    read_trace(shared->path, &trace);
    CHECK(shared->told[0] == 2 + 1 + 2 && shared->told[2] == 2 && shared->told[3] == 1);
    static const char *const key_paths[] = {"age", "height", "age", "age", "count", "child.count"};
    CHECK(trace.registration_count == sizeof key_paths / sizeof *key_paths);
    for (size_t i = 0; i < trace.registration_count; i++) {
        const struct trace_registration *found = &trace.registrations[i];
        CHECK((found->object == shared->object) == (i < 3) && found->number != 0);
        CHECK(strcmp(found->key_path, key_paths[i]) == 0);
    }
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == 1);
    // And one that serves the path.
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) ==
          (size_t)(shared->told[0] + shared->told[2] + shared->told[3]) + 1);
    for (size_t i = 0; i < trace.event_count; i++)
        CHECK(trace.events[i].registration == 0 ||
              knows_registration(&trace, trace.events[i].registration));
    trace_free(&trace);
    unlink(shared->path);
}

// One object after the other at one address: each is an object of its own.
static void use_addresses_again(void)
{
    start(NULL);
    for (int i = 0; i < 100; i++) live_shortly(1);
}

static void check_lives(void)
{
    struct trace trace;
    fresh();
    CHECK(run(use_addresses_again) == 0);
    read_trace(shared->path, &trace);
    CHECK(trace.object_count == 100);
    CHECK(trace_count(&trace, ISA_EVENT_DEALLOCATED) == 100);
    trace_free(&trace);
    unlink(shared->path);
}

static void mark(void)
{
    isa_trace_mark("before");
    start(&(isa_trace_options){.stacks = ISA_TRACE_STACKS_ALL});
    isa_trace_mark("one");
    uint64_t outer = isa_trace_begin("outer"), inner = isa_trace_begin("inner");
    live_shortly(1);
    isa_trace_end(inner, "inner");
    isa_trace_mark("two");
    isa_trace_end(outer, "outer");
}

static const struct trace_event *find_kind(const struct trace *trace, unsigned kind, size_t place)
{
    for (size_t i = 0; i < trace->event_count; i++)
        if (trace->events[i].kind == kind && place-- == 0) return &trace->events[i];
    static const struct trace_event none;
    return &none;
}

static bool has_name(const struct trace_event *event, const char *name)
{
    return event->name != NULL && strcmp(event->name, name) == 0;
}

static void check_marks(void)
{
    struct trace trace;
    fresh();
    CHECK(run(mark) == 0);
    read_trace(shared->path, &trace);
    const struct trace_event *outer = find_kind(&trace, ISA_EVENT_SPAN_BEGAN, 0);
    const struct trace_event *inner = find_kind(&trace, ISA_EVENT_SPAN_BEGAN, 1);
    const struct trace_event *two = find_kind(&trace, ISA_EVENT_MARK, 1);
    CHECK(trace_count(&trace, ISA_EVENT_MARK) == 2 && has_name(two, "two"));
    CHECK(has_name(find_kind(&trace, ISA_EVENT_MARK, 0), "one"));
    CHECK(has_name(outer, "outer") && has_name(inner, "inner"));
    CHECK(inner->cause == outer->id && two->cause == outer->id && outer->cause == 0);
    CHECK(find_kind(&trace, ISA_EVENT_DID_CHANGE, 0)->cause == inner->id);
    CHECK(find_kind(&trace, ISA_EVENT_OBSERVER_ADDED, 0)->cause == inner->id);
    CHECK(trace_count(&trace, ISA_EVENT_SPAN_ENDED) == 2);
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(two->stack > 0 && find_kind(&trace, ISA_EVENT_OBSERVER_ADDED, 0)->stack > 0);
    CHECK(find_kind(&trace, ISA_EVENT_DID_CHANGE, 0)->stack > 0);
#endif
#ifdef __linux__
    CHECK(trace.module_count > 0);
#if defined(__x86_64__) || defined(__aarch64__)
    CHECK(trace.stack_modules == trace.stack_calls);
#endif
#endif
    trace_free(&trace);
    unlink(shared->path);
}

static void set_values(void)
{
    isa_id person = make_object(person_class), name;
    must(kvc_string_make("secret", &name));
    kvo_token tokens[] = {observe(person, "age", &shared->told[0]),
                          observe(person, "height", &shared->told[0]),
                          observe(person, "name", &shared->told[0])};
    isa_test_set_age(person, -7);
    isa_test_set_height(person, 1.5);
    isa_test_set_name(person, name);
    isa_test_set_name(person, NULL);
    for (int i = 0; i < 3; i++) kvo_token_release(tokens[i]);
    isa_object_release(name);
    isa_object_release(person);
}

static isa_trace_values wished;

static void record_values(void)
{
    start(&(isa_trace_options){.values = wished});
    set_values();
}

// The letters of the values of the notifications, in their order.
static void check_values(isa_trace_values values, const char *letters)
{
    struct trace trace;
    wished = values;
    fresh();
    CHECK(run(record_values) == 0);
    read_trace(shared->path, &trace);
    for (size_t i = 0; i < 4; i++) {
        const struct trace_event *event = find_kind(&trace, ISA_EVENT_NOTIFICATION, i);
        CHECK(event->value == (letters[i] == ' ' ? 0 : letters[i]));
        CHECK(event->value != 'q' || event->number == -7);
        CHECK(event->value != 'T' || strcmp(event->text, "secret") == 0);
    }
    trace_free(&trace);
    unlink(shared->path);
}

static void choose(void)
{
    isa_class other;
    must(isa_test_person_make("Elsewhere", &other));
    start(&(isa_trace_options){.classes = "Nobody,Tra*",
                               .kinds = ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION)});
    live_shortly(5);
    person_class = other;
    live_shortly(5);
}

static void check_choices(void)
{
    struct trace trace;
    fresh();
    CHECK(run(choose) == 0);
    read_any_trace(shared->path, &trace);
    CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) == 5);
    CHECK(trace_count(&trace, ISA_EVENT_DID_CHANGE) == 0);
    CHECK(trace_count(&trace, ISA_EVENT_OBSERVER_ADDED) == 1);
    for (size_t i = 0; i < trace.object_count; i++)
        CHECK(strcmp(trace.objects[i].cls, "Traced") == 0);
    trace_free(&trace);
    unlink(shared->path);
}

// ---- variables ----------------------------------------------------------------------------------

// Variables that say what nobody knows; what is printed of them is in `other`.
static void mistake(void)
{
    MUST(freopen(shared->other, "w", stderr) != NULL);
    execute_with((char *const[]){"ISAKVO_TRACE_LIMIT=12x", "ISAKVO_TRACE_KEEP=last",
                                 "ISAKVO_TRACE_STACKS=some", "ISAKVO_TRACE_VALUES=text",
                                 "ISAKVO_TRACE_KINDS=notification,nothing", NULL});
}

static void choose_by_variables(void)
{
    execute_with((char *const[]){"ISAKVO_TRACE_LIMIT=1G", "ISAKVO_TRACE_KEEP=latest",
                                 "ISAKVO_TRACE_STACKS=all", "ISAKVO_TRACE_VALUES=none",
                                 "ISAKVO_TRACE_KINDS=changes", "ISAKVO_TRACE_CLASSES=", NULL});
}

static void check_variables(void)
{
    struct trace trace;
    fresh();
    if (run(choose_by_variables) == 77) return;
    read_any_trace(shared->path, &trace);
    CHECK(trace.keep == 1 && trace.end_reason == 1 && trace.event_count > 0);
    for (size_t i = 0; i < trace.event_count; i++)
        CHECK(trace.events[i].value == 0 && trace.events[i].old_value == 0);
    trace_free(&trace);
    unlink(shared->path);
}

static void check_mistakes(void)
{
    static const char *const names[] = {"LIMIT", "KEEP", "STACKS", "VALUES", "KINDS"};
    char line[512];
    size_t count = 0;
    fresh();
    if (run(mistake) == 77) return;
    FILE *file = fopen(shared->other, "r");
    CHECK(file != NULL);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char name[64];
        if (strstr(line, "ISAKVO_TRACE_") == NULL || count == 5) continue;
        snprintf(name, sizeof name, "ISAKVO_TRACE_%s is \"", names[count++]);
        CHECK(strstr(line, name) != NULL && strstr(line, "expected is") != NULL);
    }
    CHECK(count == 5);
    if (file != NULL) fclose(file);
    unlink(shared->other);
    struct trace trace;
    read_any_trace(shared->path, &trace);
    CHECK(trace.end_reason == 1 && trace.event_count > 0);
    trace_free(&trace);
    unlink(shared->path);
}

#ifdef __linux__
// The address sanitizer's question: with another user's rights it cannot look for leaks.
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return geteuid() != getuid();
}

// Whether a copy of what is executed is one of this program: it may be one of its emulator.
static bool is_this_program(const char *copy)
{
    char name[512] = "";
    struct stat own, other;
    return readlink("/proc/self/exe", name, sizeof name - 1) > 0 && stat(name, &own) == 0 &&
           stat(copy, &other) == 0 && own.st_size == other.st_size;
}

// As a program with another user's rights: a copy of this one that is nobody's, and says so.
static void be_another(void)
{
    char command[600];
    unsigned nobody = 65534;
    snprintf(command, sizeof command, "cp /proc/%ld/exe %s", (long)getpid(), shared->other);
    bool is_copied = getuid() == 0 && system(command) == 0 && is_this_program(shared->other) &&
                     chown(shared->other, nobody, nobody) == 0 && chmod(shared->other, 04755) == 0;
    shared->status = is_copied ? 0 : 77;
    if (!is_copied) return;
    setenv("ISAKVO_TRACE", shared->path, 1);
    MUST(freopen("/dev/null", "w", stdout) != NULL);
    execl(shared->other, "core", "setters", (char *)NULL);
    _exit(99);
}

static void check_rights(void)
{
    if (is_emulated) return;
    fresh();
    CHECK(run(be_another) == 0);
    if (shared->status != 0) printf("tracing: no rights of others to be had here: not tried\n");
    CHECK(access(shared->path, F_OK) != 0);
    unlink(shared->other);
}
#else
static void check_rights(void) {}
#endif

// ---- reading while it grows ---------------------------------------------------------------------

static void grow(void)
{
    start(&(isa_trace_options){.limit = 2 << 20, .keep = (isa_trace_keep)shared->status});
    set_on_threads();
}

static void check_growing(isa_trace_keep keep)
{
    fresh();
    shared->status = (int64_t)keep;
    pid_t child = fork();
    if (child == 0) grow();
    while (told_at_least() < 10) usleep(100);
    for (int round = 0; round < 40; round++) {
        struct trace trace;
        int64_t least = told_at_least();
        read_trace(shared->path, &trace);
        CHECK((int64_t)(trace.event_count + trace.lost_events) >= least || trace.end_reason != 0);
        trace_free(&trace);
        usleep(500);
    }
    kill(child, SIGKILL);
    MUST(waitpid(child, NULL, 0) == child);
    unlink(shared->path);
}

// ---- a debugger ---------------------------------------------------------------------------------

// The call that a debugger makes in a running program.
static void check_debugger(void)
{
    char command[800];
    if (system("gdb --version >/dev/null 2>&1") != 0) {
        printf("tracing: no gdb: not tried\n");
        return;
    }
    fresh();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) set_on(&shared->told[0]);
    while (__atomic_load_n(&shared->told[0], __ATOMIC_RELAXED) < 10) usleep(100);
    snprintf(command, sizeof command,
             "gdb -q -batch -p %ld -ex 'print (int)isa_trace_start(\"%s\",0)' 2>/dev/null | "
             "grep -q '= 0$'",
             (long)child, shared->path);
    if (system(command) != 0) printf("tracing: gdb cannot attach here: not tried\n");
    else {
        struct trace trace;
        int64_t before = __atomic_load_n(&shared->told[0], __ATOMIC_RELAXED);
        while (__atomic_load_n(&shared->told[0], __ATOMIC_RELAXED) < before + 100) usleep(100);
        read_trace(shared->path, &trace);
        CHECK(trace_count(&trace, ISA_EVENT_NOTIFICATION) >= 100);
        CHECK(trace.registration_count == 1);
        trace_free(&trace);
    }
    kill(child, SIGKILL);
    MUST(waitpid(child, NULL, 0) == child);
    unlink(shared->path);
}

void check_tracing(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(shared != MAP_FAILED);
    must(isa_test_person_make("Traced", &person_class));
    must(isa_test_node_make("TracedNode", &node_class));
    must(isa_test_observer_make("TracedObserver", &observer_class));
    check_endings();
    check_threads_beside();
    check_limits();
    check_crowds();
    check_room();
    check_fork();
    check_exec();
    check_files();
    fresh();
    CHECK(run(use_number) == 0);
    check_registrations();
    check_lives();
    check_marks();
    check_values(ISA_TRACE_VALUES_NONE, "    ");
    check_values(ISA_TRACE_VALUES_NUMBERS, "qd?n");
    check_values(ISA_TRACE_VALUES_ALL, "qdTn");
    check_choices();
    check_variables();
    check_mistakes();
    check_rights();
    check_growing(ISA_TRACE_KEEP_FIRST);
    check_growing(ISA_TRACE_KEEP_LATEST);
    check_debugger();
    CHECK(isa_class_pair_dispose(person_class) == ISA_OK);
    CHECK(isa_class_pair_dispose(node_class) == ISA_OK);
    CHECK(isa_class_pair_dispose(observer_class) == ISA_OK);
    munmap(shared, sizeof *shared);
}
