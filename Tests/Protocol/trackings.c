// Trials of how the word is found that leads to a thread's tracking (Sources/CSwiftRuntime).
// They need no Swift, so that they can be compiled for another processor and run by an emulator:
// words of this program's and of a library's that it opens stand for Observation's.
//
//   trackings LIBRARIES    each is trackings_opened.c as a shared library
#define _GNU_SOURCE
#include "swift_runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define CHECK(what)                                                                               \
    do {                                                                                          \
        if (!(what)) {                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                    \
            failures++;                                                                           \
        }                                                                                         \
    } while (0)

static int failures;

// Observation's word, between others.
static _Thread_local void *before = &failures;
static _Thread_local void *tracking;
static _Thread_local long after = 1;

static void **own_word(void)
{
    return &tracking;
}

// Where the word is, and all that is found of it in a tracking and in a second one within.
struct trial {
    void **(*word)(void);
    const char *middle, *high;
    swift_runtime_word outer[4], inner[4];
    size_t outer_count, inner_count;
};

// Calls `body` in a tracking: the word leads to a list on the stack meanwhile.
__attribute__((noinline)) static void
track(void **word, void (*body)(struct trial *), struct trial *trial)
{
    void *list = NULL, *old = *word;
    *(void *volatile *)word = &list;
    body(trial);
    *(void *volatile *)word = old;
}

__attribute__((noinline)) static void search_inner(struct trial *trial)
{
    trial->inner_count =
        swift_runtime_find_words(swift_runtime_stack_place(), trial->middle, trial->inner, 4);
}

__attribute__((noinline)) static void search_outer(struct trial *trial)
{
    trial->middle = swift_runtime_stack_place();
    trial->outer_count = swift_runtime_find_words(trial->middle, trial->high, trial->outer, 4);
    track(trial->word(), search_inner, trial);
}

// Finds the one word that both trackings have led to; false if there is none.
__attribute__((noinline)) static bool find(void **(*word)(void), swift_runtime_word *out)
{
    struct trial trial = {.word = word, .high = swift_runtime_stack_place()};
    track(word(), search_outer, &trial);
    CHECK(trial.outer_count <= 1 && trial.inner_count == trial.outer_count);
    CHECK(trial.outer[0].place == trial.inner[0].place);
    *out = trial.outer[0];
    return trial.outer_count == 1;
}

// ---- a word that is there from the start --------------------------------------------------------

static swift_runtime_word found;

static void see_tracking(struct trial *trial)
{
    (void)trial;
    CHECK(swift_runtime_thread_word(found.place) == tracking && tracking != NULL);
    CHECK(swift_runtime_may_track());
    void *old = swift_runtime_exchange_thread_word(found.place, &found);
    CHECK(tracking == &found);
    swift_runtime_exchange_thread_word(found.place, old);
    CHECK(tracking == old);
}

static void see_nothing(struct trial *trial)
{
    (void)trial;
    CHECK(tracking != NULL && !swift_runtime_may_track());
}

static void try_found_word(void *context)
{
    (void)context;
    CHECK(swift_runtime_has_word(found));
    CHECK(!swift_runtime_may_track());
    track(&tracking, see_tracking, NULL);
    CHECK(!swift_runtime_may_track());
    CHECK(before == &failures && after == 1);
}

static void try_ignoring(void *context)
{
    (void)context;
    CHECK(!swift_runtime_may_track());
    track(&tracking, see_nothing, NULL);
}

// ---- one of a library that is opened ------------------------------------------------------------

struct opened {
    void **(*word)(void);
    swift_runtime_word found;
};

static const char *thread_pointer(void)
{
#if defined(__x86_64__)
    return swift_runtime_thread_word(0);
#else
    return __builtin_thread_pointer();
#endif
}

// On another thread it may be somewhere else, which must be found out.
static void try_opened_word(void *context)
{
    struct opened *opened = context;
    bool is_there = (const char *)opened->word() == thread_pointer() + opened->found.place;
    CHECK(swift_runtime_has_word(opened->found) == is_there);
}

static void open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    struct opened opened = {0};
    if (library != NULL) opened.word = (void **(*)(void))dlsym(library, "opened_word");
    CHECK(opened.word != NULL);
    // The C library need not tell of memory that it has made beside the thread's: reads ask then.
    if (opened.word == NULL || !find(opened.word, &opened.found)) return;
    CHECK(swift_runtime_has_word(opened.found));
    CHECK(swift_runtime_run_on_thread(try_opened_word, &opened, 60));
}

int main(int argc, char **argv)
{
    CHECK(swift_runtime_may_track()); // until the word is found each read goes the slow way
    CHECK(find(own_word, &found));
    swift_runtime_look_for_trackings(found);
    try_found_word(NULL);
    CHECK(swift_runtime_run_on_thread(try_found_word, NULL, 60));
    for (int i = 1; i < argc; i++) open_library(argv[i]);
    swift_runtime_ignore_trackings();
    try_ignoring(NULL);
    CHECK(swift_runtime_run_on_thread(try_ignoring, NULL, 60));
    return failures == 0 ? 0 : 1;
}
