// Where Swift's Observation keeps the tracking that runs on a thread.
//
// Owns:      nothing; the word is Observation's.
// Locks:     none; the place is one word, written once or twice in a process.
// Invariant: only places inside blocks that the calling thread has are read, until the same place
//            has been seen on two threads.
#define _GNU_SOURCE // dl_iterate_phdr
#include "swift_runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const void *swift_runtime_stack_place(void)
{
    return __builtin_frame_address(0);
}

const char *swift_runtime_environment(const char *name)
{
    return getenv(name);
}

void swift_runtime_warn(const char *line)
{
    fprintf(stderr, "%s\n", line);
}

#if SWIFT_RUNTIME_FINDS_TRACKINGS
#include <link.h>

intptr_t swift_runtime_tracking_place;

static _Thread_local void *nothing; // of each thread, NULL but for the library's own evaluations

static const char *thread_pointer(void)
{
#if defined(__x86_64__)
    return swift_runtime_thread_word(0); // the ABI has it stand there
#else
    return __builtin_thread_pointer();
#endif
}

struct search {
    const char *low, *high;
    swift_runtime_word *words;
    size_t capacity, count;
};

static void note_word(struct search *search, size_t library, const char *block, size_t offset)
{
    const char *value = *(char *const *)(block + offset);
    if (value <= search->low || value >= search->high) return;
    if (search->count < search->capacity)
        search->words[search->count] =
            (swift_runtime_word){library, offset, block + offset - thread_pointer()};
    search->count++;
}

static int search_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (info->dlpi_tls_data == NULL) return 0; // it has none on this thread
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
        size_t end = info->dlpi_phdr[i].p_memsz;
        for (size_t at = 0; at + sizeof(void *) <= end; at += sizeof(void *))
            note_word(context, info->dlpi_tls_modid, info->dlpi_tls_data, at);
    }
    return 0;
}

size_t swift_runtime_find_words(
    const void *low, const void *high, swift_runtime_word *words, size_t capacity)
{
    struct search search = {low, high, words, capacity, 0};
    dl_iterate_phdr(search_library, &search);
    return search.count;
}

// Of the C library, as the ABI of thread-local memory has it.
struct tls_index {
    size_t library, offset;
};
void *__tls_get_addr(struct tls_index *index);

bool swift_runtime_has_word(swift_runtime_word word)
{
    struct tls_index index = {word.library, word.offset};
    return (const char *)__tls_get_addr(&index) == thread_pointer() + word.place;
}

static void look_at(intptr_t place)
{
    __atomic_store_n(&swift_runtime_tracking_place, place, __ATOMIC_RELAXED);
}

void swift_runtime_look_for_trackings(swift_runtime_word word)
{
    look_at(word.place);
}

void swift_runtime_ignore_trackings(void)
{
    look_at((const char *)&nothing - thread_pointer());
}

#else

size_t swift_runtime_find_words(
    const void *low, const void *high, swift_runtime_word *words, size_t capacity)
{
    (void)low, (void)high, (void)words, (void)capacity;
    return 0;
}

bool swift_runtime_has_word(swift_runtime_word word)
{
    (void)word;
    return false;
}

void swift_runtime_look_for_trackings(swift_runtime_word word)
{
    (void)word;
}

void swift_runtime_ignore_trackings(void)
{
    // No word of a thread tells of evaluations: reads go on asking.
}

#endif

// ---- a thread for a moment ----------------------------------------------------------------------

// Two threads know of an errand, the thread that it is for and the thread that waits. The later one
// frees it.
struct errand {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    void (*body)(void *context);
    void *context;
    bool is_over;  // the body has ended
    bool is_alone; // nobody waits any more
};

static void free_errand(struct errand *errand)
{
    pthread_cond_destroy(&errand->ended);
    pthread_mutex_destroy(&errand->mutex);
    free(errand);
}

static void *run_errand(void *context)
{
    struct errand *errand = context;
    errand->body(errand->context);
    pthread_mutex_lock(&errand->mutex);
    bool is_mine = errand->is_alone;
    errand->is_over = true;
    pthread_cond_signal(&errand->ended);
    pthread_mutex_unlock(&errand->mutex);
    if (is_mine) free_errand(errand);
    return NULL;
}

static struct errand *make_errand(void (*body)(void *), void *context)
{
    struct errand *errand = malloc(sizeof *errand);
    if (errand == NULL) return NULL;
    *errand = (struct errand){.body = body, .context = context};
    pthread_mutex_init(&errand->mutex, NULL);
    pthread_cond_init(&errand->ended, NULL);
    return errand;
}

static bool await_errand(struct errand *errand, unsigned seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    int status = 0;
    pthread_mutex_lock(&errand->mutex);
    while (!errand->is_over && status == 0)
        status = pthread_cond_timedwait(&errand->ended, &errand->mutex, &until);
    bool is_over = errand->is_over;
    errand->is_alone = !is_over;
    pthread_mutex_unlock(&errand->mutex);
    return is_over;
}

bool swift_runtime_run_on_thread(void (*body)(void *context), void *context, unsigned seconds)
{
    struct errand *errand = make_errand(body, context);
    if (errand == NULL) return false;
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_errand, errand) != 0) {
        free_errand(errand);
        return false;
    }
    pthread_detach(thread);
    bool is_over = await_errand(errand, seconds);
    if (is_over) free_errand(errand);
    return is_over;
}
