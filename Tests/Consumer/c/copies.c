// Two copies of the library in one process: one is linked into the program, the other one is the
// shared library, which a module brings that the program opens. Each has a class of the same name,
// and an observer of one copy sets an object of the other. Compiled with MODULE it is the module.
// Prints how often each copy's observers were told.
#include <dlfcn.h>
#include <isa.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20000 };

struct copy {
    isa_id (*make)(void);
    void (*set)(isa_id object, int64_t age);
    void *(*observe)(isa_id object, void (*then)(int64_t age));
    void (*end)(void *observation, isa_id object);
};

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "copies: %s\n", isa_last_error()->reason);
    exit(1);
}

static isa_id make(void)
{
    static isa_class cls;
    isa_id object;
    if (cls == NULL) {
        const isa_property_info info = {.name = "age", .types = "q"};
        must(isa_class_pair_allocate(isa_root_class(), "Person", &cls));
        must(isa_class_synthesize(cls, &info));
        must(isa_class_pair_register(cls));
    }
    must(isa_object_allocate(cls, &object));
    return object;
}

static void set(isa_id object, int64_t age)
{
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), object, isa_sel_register("setAge:"), age);
}

static void tell(const kvo_change *change, void *info)
{
    void (*then)(int64_t) = (void (*)(int64_t))info;
    then(*(const int64_t *)change->new_value.address);
}

static void *observe(isa_id object, void (*then)(int64_t age))
{
    const kvo_function function = {tell, (void *)then, NULL};
    kvo_token token;
    must(kvo_observe(object, "age", KVO_OPTION_NEW, &function, NULL, &token));
    return token;
}

static void end(void *observation, isa_id object)
{
    kvo_token_invalidate(observation);
    kvo_token_release(observation);
    isa_object_release(object);
}

struct copy module_copy(void);
struct copy module_copy(void)
{
    return (struct copy){make, set, observe, end};
}

#ifndef MODULE

static struct copy own, other;
static _Thread_local isa_id next;
static int64_t told_own, told_other;

static void after_own(int64_t age)
{
    __atomic_fetch_add(&told_own, 1, __ATOMIC_RELAXED);
    if (next != NULL) other.set(next, age);
}

static void after_other(int64_t age)
{
    (void)age;
    __atomic_fetch_add(&told_other, 1, __ATOMIC_RELAXED);
}

static void *run(void *unused)
{
    isa_id first = own.make(), second = other.make();
    void *one = own.observe(first, after_own), *two = other.observe(second, after_other);
    next = second;
    for (int64_t age = 1; age <= ROUNDS; age++) own.set(first, age);
    own.end(one, first);
    other.end(two, second);
    return unused;
}

int main(int count, char **arguments)
{
    void *module = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    struct copy (*copy)(void) =
        module == NULL ? NULL : (struct copy (*)(void))dlsym(module, "module_copy");
    if (copy == NULL) {
        fprintf(stderr, "copies: %s\n", count == 2 ? dlerror() : "no module");
        return 1;
    }
    own = module_copy();
    other = copy();
    isa_object_release(own.make());
    isa_object_release(other.make());
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, run, NULL) != 0) return 1;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%s, told %lld and %lld\n", own.set == other.set ? "one copy" : "two copies",
           (long long)told_own, (long long)told_other);
    return 0;
}

#endif
