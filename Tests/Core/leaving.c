// Ways out of the library other than returning: fork beside threads that are inside it, threads
// that end inside a callback.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "observer.h"
#include "person.h"

enum { FORKS = 200, WORKERS = 3, CHILD_SECONDS = 60 };

static isa_class person_class;
static isa_id shared;
static int is_over;

// ---- fork ---------------------------------------------------------------------------------------

// Has the thread stay in the callback for a while.
static void dawdle(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    usleep(50);
}

static void observe_set_and_end(isa_id object, isa_test_tally *tally)
{
    kvo_token token;
    must(kvo_observe(object, "age", KVO_OPTION_OLD | KVO_OPTION_NEW,
                     &(kvo_function){isa_test_tally_change, tally, isa_test_tally_release}, NULL,
                     &token));
    isa_test_set_age(object, 1);
    CHECK(kvo_token_invalidate_and_wait(token));
    kvo_token_release(token);
}

// Observes an object of its own.
static void work_apart(isa_class cls, isa_test_tally *tally)
{
    isa_id object = make_object(cls);
    observe_set_and_end(object, tally);
    isa_object_release(object);
}

// Another thread, which was inside a callback, may release the tally later.
static void await_releases(const isa_test_tally *tally, int64_t count)
{
    while (isa_test_tally_read(tally).releases < count) usleep(10);
}

// Does all that takes a lock, on objects of its own and on the shared one.
static void *work(void *number)
{
    char name[32];
    for (int i = 0; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); i++) {
        isa_test_tally tally = {0};
        isa_class cls;
        work_apart(person_class, &tally);
        observe_set_and_end(shared, &tally);
        snprintf(name, sizeof name, "Worker%d_%d", (int)(intptr_t)number, i % 7);
        isa_sel_register(name);
        await_releases(&tally, 2);
        if (i % 7 != 0) continue;
        must(isa_test_person_make(name, &cls));
        work_apart(cls, &tally);
        must(isa_class_pair_dispose(cls));
        await_releases(&tally, 3);
    }
    return NULL;
}

// A child does all of it: nothing waits for a thread of the parent, and all that it ends is freed,
// although the parent's threads were inside callbacks and reader sections, unless it is `inside`
// one.
static bool child_is_usable(bool inside)
{
    isa_test_tally tally = {0};
    isa_class cls;
    kvo_token token;
    must(isa_test_person_make("Child", &cls));
    isa_id object = make_object(cls);
    observe_set_and_end(object, &tally);
    observe_set_and_end(shared, &tally);
    must(kvo_observe(object, "name", 0, &(kvo_function){dawdle, NULL, NULL}, NULL, &token));
    isa_object_release(object);
    kvo_token_release(token);
    return tally.changes == 2 && (inside || tally.releases == 2) &&
           isa_class_pair_dispose(cls) == ISA_OK;
}

// Forks; the child ends with 0 if it is usable, and by a signal if it waits for ever.
// There where coverage is counted.
extern int __llvm_profile_write_file(void) __attribute__((weak));

static void end_child(bool fails)
{
    if (__llvm_profile_write_file != NULL) __llvm_profile_write_file();
    _exit(fails);
}

static bool fork_is_survived(bool inside)
{
    fflush(stdout);
    pid_t child = fork();
    int status = 1;
    if (child == 0) {
        alarm(CHILD_SECONDS);
        end_child(!child_is_usable(inside));
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void fork_inside(const kvo_change *change, void *info)
{
    (void)change;
    *(bool *)info = fork_is_survived(true);
}

static void check_fork(void)
{
    pthread_t threads[WORKERS];
    bool is_survived = false;
    kvo_token slow, token;
    int survived = 0;
    shared = make_object(person_class);
    must(kvo_observe(shared, "age", 0, &(kvo_function){dawdle, NULL, NULL}, NULL, &slow));
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < FORKS; i++) survived += fork_is_survived(false);
    CHECK(survived == FORKS);

    isa_id object = make_object(person_class);
    must(kvo_observe(object, "age", 0, &(kvo_function){fork_inside, &is_survived, NULL}, NULL,
                     &token));
    isa_test_set_age(object, 2);
    CHECK(is_survived);
    kvo_token_release(token);
    isa_object_release(object);

    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
    kvo_token_release(slow);
    isa_object_release(shared);
}

// ---- other ways out -----------------------------------------------------------------------------

static int misuses;

static void count_ended(const isa_error *error, void *count)
{
    *(int *)count += error->status == ISA_ERR_UNSUPPORTED;
}

static void exit_thread(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    pthread_exit(NULL);
}

static void be_cancelled(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

static void *set_age_or_name(void *name)
{
    isa_last_error(); // gives the thread its record, in which its outermost set holds values
    if (name != NULL) isa_test_set_name(shared, name);
    else isa_test_set_age(shared, 3);
    return NULL;
}

// Whether what ends is freed at once, as where no thread is in a reader section.
static bool is_reclaiming(isa_class person)
{
    isa_test_tally tally = {0};
    isa_id object = make_object(person);
    observe_set_and_end(object, &tally);
    isa_object_release(object);
    return tally.releases == 1;
}

// A thread ends in the callback; the others go on, and what is removed is freed.
static void check_thread_end(kvo_callback callback, isa_id name)
{
    isa_test_tally tally = {0};
    pthread_t thread;
    kvo_token token, other;
    const char *key = name != NULL ? "name" : "age";
    misuses = 0;
    shared = make_object(person_class);
    must(kvo_observe(shared, key, 0,
                     &(kvo_function){isa_test_tally_change, &tally, isa_test_tally_release}, NULL,
                     &other));
    must(kvo_observe(shared, key, KVO_OPTION_OLD | KVO_OPTION_NEW,
                     &(kvo_function){callback, NULL, NULL}, NULL, &token));
    CHECK(pthread_create(&thread, NULL, set_age_or_name, name) == 0);
    pthread_join(thread, NULL);
    CHECK(misuses == 1);
    CHECK(is_reclaiming(person_class));
    CHECK(kvo_token_invalidate_and_wait(token));
    kvo_token_release(token);
    set_age_or_name(name);
    CHECK(tally.changes == 1); // not of the change that the thread ended in
    CHECK(kvo_token_invalidate_and_wait(other));
    kvo_token_release(other);
    CHECK(tally.releases == 1);
    isa_object_release(shared);
}

static void check_other_ways(void)
{
    isa_id name;
    must(kvc_string_make("a name", &name));
    isa_set_misuse_handler(count_ended, &misuses);
    check_thread_end(exit_thread, NULL);
    check_thread_end(be_cancelled, NULL);
    check_thread_end(exit_thread, name);
    isa_set_misuse_handler(NULL, NULL);
    isa_object_release(name);
}

void check_leaving(void)
{
    must(isa_test_person_make("Leaver", &person_class));
    check_fork();
    check_other_ways();
    CHECK(isa_class_pair_dispose(person_class) == ISA_OK);
}
