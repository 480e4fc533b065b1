// A plugin that links the library is opened, used by threads, and closed while they run, again and
// again: the threads end when its code has gone, and the library's with it, if it is not kept.
// Compiled with MODULE it is the plugin; the program links no library. Prints what was told.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 1000, THREADS = 3 };

#ifdef MODULE
#include <isa.h>

static void tell(const kvo_change *change, void *info)
{
    *(int64_t *)info += *(const int64_t *)change->new_value.address;
}

// Uses a class of which nothing leads into the plugin; answers what the observer was told, or -1.
int64_t use(void);
int64_t use(void)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    const isa_property_info info = {.name = "age", .types = "q"};
    int64_t sum = 0;
    kvo_token token;
    isa_id object;
    pthread_mutex_lock(&making);
    isa_class cls = isa_class_find("Person");
    isa_status status = ISA_OK;
    if (cls == NULL) {
        status = isa_class_pair_allocate(isa_root_class(), "Person", &cls);
        if (status == ISA_OK) status = isa_class_synthesize(cls, &info);
        if (status == ISA_OK) status = isa_class_pair_register(cls);
    }
    pthread_mutex_unlock(&making);
    if (status != ISA_OK || isa_object_allocate(cls, &object) != ISA_OK) return -1;
    const kvo_function observer = {tell, &sum, NULL};
    status = kvo_observe(object, "age", KVO_OPTION_NEW, &observer, NULL, &token);
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), object, isa_sel_register("setAge:"), 1);
    if (status == ISA_OK) {
        kvo_token_invalidate_and_wait(token);
        kvo_token_release(token);
    }
    isa_object_release(object);
    return sum;
}

#else
typedef int64_t (*use_fn)(void);

static use_fn use;
static pthread_barrier_t used, closed;

static void *run(void *unused)
{
    (void)unused;
    intptr_t told = (intptr_t)use();
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&closed);
    return (void *)told;
}

// Answers what the threads were told in one round.
static intptr_t once(const char *path)
{
    pthread_t threads[THREADS];
    intptr_t told = 0;
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    use = plugin == NULL ? NULL : (use_fn)dlsym(plugin, "use");
    if (use == NULL) {
        fprintf(stderr, "closed: %s\n", dlerror());
        exit(1);
    }
    pthread_barrier_init(&used, NULL, THREADS + 1);
    pthread_barrier_init(&closed, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, NULL);
    pthread_barrier_wait(&used);
    dlclose(plugin);
    pthread_barrier_wait(&closed);
    for (int i = 0; i < THREADS; i++) {
        void *one;
        pthread_join(threads[i], &one);
        told += (intptr_t)one;
    }
    return told;
}

int main(int count, char **arguments)
{
    intptr_t told = 0;
    for (int i = 0; i < ROUNDS && count > 1; i++) told += once(arguments[1]);
    printf("told %ld\n", (long)told);
    return 0;
}
#endif
