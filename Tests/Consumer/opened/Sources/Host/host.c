#define _GNU_SOURCE // dlopen by any C library
#include "host.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static void *library;
static sem_t opened;

static void *find(const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) fprintf(stderr, "%s\n", dlerror());
    return found;
}

static void print_fires(const char *thread)
{
    int (*count)(void) = (int (*)(void))find("opened_fires");
    printf("%s: %d\n", thread, count == NULL ? -1 : count());
}

static void *wait_and_track(void *thread)
{
    sem_wait(&opened);
    print_fires(thread);
    return NULL;
}

static void *track(void *thread)
{
    print_fires(thread);
    return NULL;
}

static void open_library(const char *program)
{
    char folder[PATH_MAX], path[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", program);
    snprintf(path, sizeof path, "%s/libOpened.so", dirname(folder));
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fprintf(stderr, "%s\n", dlerror());
}

_Bool host_open(const char *program)
{
    pthread_t earlier, later;
    sem_init(&opened, 0, 0);
    pthread_create(&earlier, NULL, wait_and_track, "a thread that was there before");
    open_library(program);
    if (library == NULL) return 0;
    const char *(*mode)(void) = (const char *(*)(void))find("opened_mode");
    if (mode == NULL) return 0;
    print_fires("the thread that opens the library");
    sem_post(&opened);
    pthread_join(earlier, NULL);
    pthread_create(&later, NULL, track, "a thread that came afterwards");
    pthread_join(later, NULL);
    printf("%s\n", mode());
    return 1;
}

int host_track(int (*track)(void (*read)(void), void (*change)(void)))
{
    void (*read)(void) = (void (*)(void))find("opened_read");
    void (*change)(void) = (void (*)(void))find("opened_change");
    return read == NULL || change == NULL ? -1 : track(read, change);
}
