// Threads: the litmus tests of reclamation, and changes beside observers that come and go.
#define _GNU_SOURCE // syscall
#include <pthread.h>
#ifdef __linux__
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#endif

#include "base/reclaim.h"
#include "check.h"
#include "litmus.h"
#include "observer.h"
#include "person.h"

enum { LITMUS_ROUNDS = 300, ROUNDS = 2000, SETTERS = 2, ENDERS = 2 };

static void check_litmus(bool fences)
{
    const isa_test_litmus results[] = {
        isa_test_litmus_checks(LITMUS_ROUNDS, fences),
        isa_test_litmus_callouts(LITMUS_ROUNDS, fences),
        isa_test_litmus_readers(LITMUS_ROUNDS, fences),
        isa_test_litmus_census(LITMUS_ROUNDS, true, fences),
        isa_test_litmus_census(LITMUS_ROUNDS, false, fences),
        isa_test_litmus_new_records(LITMUS_ROUNDS, fences),
        isa_test_litmus_forks(LITMUS_ROUNDS, fences),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        CHECK(results[i].violations == 0 && results[i].left == 0);
}

static isa_id person;

static void *set_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) isa_test_set_age(person, i);
    return NULL;
}

// Observes and ends; no notification comes after the end.
static void *end_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS / 4; i++) {
        isa_test_tally tally = {0};
        kvo_token token;
        must(kvo_observe(person, "age", KVO_OPTION_NEW,
                         &(kvo_function){isa_test_tally_change, &tally, isa_test_tally_release},
                         NULL, &token));
        CHECK(kvo_token_invalidate_and_wait(token));
        isa_test_tally_close(&tally);
        kvo_token_release(token);
        CHECK(isa_test_tally_read(&tally).late == 0);
        while (isa_test_tally_read(&tally).releases == 0) {}
    }
    return NULL;
}

// A registration that stays is told of every change.
static void check_stress(void)
{
    isa_class cls;
    isa_test_tally tally = {0};
    kvo_token token;
    pthread_t threads[SETTERS + ENDERS];
    must(isa_test_person_make("Shared", &cls));
    person = make_object(cls);
    must(kvo_observe(person, "age", 0, &(kvo_function){isa_test_tally_change, &tally, NULL}, NULL,
                     &token));
    for (int i = 0; i < SETTERS + ENDERS; i++)
        CHECK(pthread_create(&threads[i], NULL, i < SETTERS ? set_often : end_often, NULL) == 0);
    for (int i = 0; i < SETTERS + ENDERS; i++) pthread_join(threads[i], NULL);
    CHECK(isa_test_tally_read(&tally).changes == SETTERS * ROUNDS);
    kvo_token_release(token);
    isa_object_release(person);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

#ifdef __linux__
// Has the system refuse membarrier from here on, to all threads; whether it can.
static bool refuse_membarrier(void)
{
    struct sock_filter refusal[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return confine(refusal, sizeof refusal / sizeof *refusal);
}

static bool is_over; // atomic builtins

static void *set_on(void *sets)
{
    isa__thread_get(); // where none is observed, a set needs no record
    while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
        isa_test_set_age(person, 1);
        __atomic_fetch_add((int *)sets, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

// Removes beside a thread that sets, when the barrier is refused; answers what went wrong.
static int remove_without_barrier(void)
{
    pthread_t setter;
    int sets = 0;
    if (isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES) return 0;
    if (pthread_create(&setter, NULL, set_on, &sets) != 0) return 2;
    while (__atomic_load_n(&sets, __ATOMIC_ACQUIRE) == 0) {}
    if (!refuse_membarrier()) return 0;
    isa__heavy_barrier();
    end_often(NULL);
    __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
    pthread_join(setter, NULL);
    return isa__slow_path_reasons() & ISA_SLOW_PATH_FENCES ? 0 : 4;
}

// A process may enter a sandbox that refuses the barrier when it has used it for long.
static void check_late_refusal(void)
{
    isa_class cls;
    must(isa_test_person_make("Confined", &cls));
    person = make_object(cls);
    check_child(remove_without_barrier);
    isa_object_release(person);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}
#else
static void check_late_refusal(void) {}
#endif

void check_threads(void)
{
    check_late_refusal();
    check_litmus(false);
    check_litmus(true);
    check_stress();
}
