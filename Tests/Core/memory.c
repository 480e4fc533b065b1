// Every public function, called with each of its allocations failing.
//
// A call that fails for want of memory leaves all as it was, and can be made again. One that comes
// to an end nevertheless has done its work.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "isa_testing.h"
#include "stage.h"

// ---- what the calls are given -------------------------------------------------------------------

#define NEW KVO_OPTION_NEW
#define ALL (KVO_OPTION_NEW | KVO_OPTION_OLD | KVO_OPTION_PRIOR | KVO_OPTION_INITIAL)

static isa_sel age, set_age, count, total, set_total;

static const isa_property_info property = {.name = "x", .types = "q"};
static const isa_property_info copied = {.name = "text", .types = "@",
                                         .ownership = ISA_OWNERSHIP_COPY};

static void told(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}
static const kvo_function function = {told, NULL, NULL};

static void callback(void *result, void *const *arguments, void *context)
{
    (void)result, (void)arguments, (void)context;
}

static void overhear(const isa_error *error, void *context)
{
    (void)error, (void)context;
}

static void see(const isa_event *event, void *context)
{
    (void)event, (void)context;
}

static bool visit(isa_id object, size_t index, void *context)
{
    (void)object, (void)index, (void)context;
    return true;
}

static isa_status guard(isa_id object, const char *key)
{
    (void)object, (void)key;
    return ISA_OK;
}

static isa_imp answer(isa_id object, isa_sel sel, void *context)
{
    (void)object, (void)sel, (void)context;
    return (isa_imp)answer;
}

static isa_status invoke(struct stage *s, const char *types)
{
    isa_sel sel = age;
    void *arguments[] = {&s->plain, &sel, &s->told};
    return isa_invoke(s->imp, types, arguments, &s->integer);
}

static void observe_tags(struct stage *s)
{
    must(kvo_observe(s->node, "tags", NEW, &function, NULL, &s->made_token));
}

static isa_status listen(void)
{
    isa_event_listener listener = 0;
    isa_status status = isa_event_add_listener(ISA_EVENT_KINDS_ALL, see, NULL, &listener);
    isa_event_remove_listener(listener);
    return status;
}

// Records into a file that goes at once; `*path`, if asked for, is what the trace says its path is.
static isa_status record(char **path)
{
    char file[64];
    snprintf(file, sizeof file, "/tmp/isakvo-memory-%ld.kvotrace", (long)getpid());
    isa_status status = isa_trace_start(file, NULL);
    unlink(file);
    if (status == ISA_OK && path != NULL) *path = isa_trace_copy_path();
    if (status == ISA_OK) (void)isa_trace_stop();
    return status;
}

static bool copy_path(void)
{
    char *path = NULL;
    bool is_given = record(&path) == ISA_OK && path != NULL;
    isa_free(path);
    return is_given;
}

static isa_status given(bool is_given)
{
    return is_given ? ISA_OK : ISA_ERR_NO_MEMORY;
}
#define GAVE(value) given((value) != 0)
#define DONE(call) ((void)(call), ISA_OK)

// ---- the calls ----------------------------------------------------------------------------------

#define NAME(line) NAME_AT(line)
#define NAME_AT(line) at_##line
#define PREPARATION(line) PREPARATION_AT(line)
#define PREPARATION_AT(line) before_##line

#define CALL(function, preparation, call) \
    static void PREPARATION(__LINE__)(struct stage *s) \
    { \
        (void)s; \
        preparation; \
    } \
    static isa_status NAME(__LINE__)(struct stage *s) \
    { \
        (void)s; \
        return call; \
    }
#include "functions.def"
#undef CALL

static const struct call {
    const char *function;
    int line; // in functions.def
    void (*prepare)(struct stage *stage);
    isa_status (*make)(struct stage *stage);
} calls[] = {
#define CALL(function, preparation, call) \
    {#function, __LINE__, PREPARATION(__LINE__), NAME(__LINE__)},
#include "functions.def"
#undef CALL
};

// ---- the walk -----------------------------------------------------------------------------------

static void check_call(const struct call *call, bool holds, int64_t allowed, const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "%s, %d allocations allowed: %s", call->function, (int)allowed,
             what);
    check(holds, "Tests/Core/functions.def", call->line, text);
}

// The counts of what is not permanent.
static const struct kept {
    const char *name;
    size_t offset;
} kept[] = {
#define KEPT(field) {#field, offsetof(isa_live_counts, field)}
    KEPT(objects), KEPT(classes), KEPT(lists), KEPT(pending),
    KEPT(registrations), KEPT(trampolines), KEPT(side_records),
};
enum { KEPT_COUNT = sizeof kept / sizeof *kept, KEPT_BY_A_FAILURE = 2 };

static int64_t read_count(const isa_live_counts *counts, size_t index)
{
    return *(const int64_t *)((const char *)counts + kept[index].offset);
}

// Compares the first so many of them with those of before.
static void check_counts(const struct call *call, int64_t allowed, const isa_live_counts *before,
                         size_t compared)
{
    char text[64];
    isa_live_counts after = isa_testing_live_counts();
    for (size_t i = 0; i < compared; i++) {
        int64_t more = read_count(&after, i) - read_count(before, i);
        snprintf(text, sizeof text, "leaves %d more %s", (int)more, kept[i].name);
        check_call(call, more == 0, allowed, text);
    }
}

static void begin(const struct call *call, struct stage *stage)
{
    stage_begin(stage);
    call->prepare(stage);
}

// The stage before the call, in words.
static void describe_before(const struct call *call, char *out)
{
    struct stage stage;
    begin(call, &stage);
    stage_describe(&stage, out);
    stage_end(&stage);
}

// Makes the call with so many allocations; returns whether that was enough. In one that fails an
// object may come to a side record, and a class to a wrapped setter with its trampoline, which go
// when those do.
static bool try_call(const struct call *call, int64_t allowed, const char *before)
{
    char after[STAGE_TEXT];
    struct stage stage;
    isa_live_counts outside = isa_testing_live_counts();
    begin(call, &stage);
    isa_live_counts counts = isa_testing_live_counts();
    isa_testing_fail_allocation(allowed);
    isa_status status = call->make(&stage);
    bool has_failed = isa_testing_fail_allocation(-1);
    if (status != ISA_OK) {
        check_call(call, has_failed && status == ISA_ERR_NO_MEMORY, allowed, "fails for memory");
        check_counts(call, allowed, &counts, KEPT_COUNT - KEPT_BY_A_FAILURE);
        stage_describe(&stage, after);
        check_call(call, strcmp(before, after) == 0, allowed, "leaves all as it was");
        if (strcmp(before, after) != 0) printf("before:\n%safter:\n%s", before, after);
        check_call(call, call->make(&stage) == ISA_OK, allowed, "can be made again");
    }
    stage_end(&stage);
    check_counts(call, allowed, &outside, KEPT_COUNT);
    return !has_failed;
}

// What an event names is there while it is told.
static void read_event(const isa_event *event, void *context)
{
    uint64_t *read = context;
    if (event->cls != NULL) *read += strlen(isa_class_name(event->cls));
    if (event->other != NULL) *read += strlen(isa_class_name(event->other));
    if (event->name != NULL) *read += strlen(event->name);
}

static void make_calls(void)
{
    char before[STAGE_TEXT];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        describe_before(&calls[i], before);
        for (int64_t allowed = 0; !try_call(&calls[i], allowed, before); allowed++) {}
    }
}

void check_memory(void)
{
    uint64_t read = 0;
    isa_event_listener listener;
    age = isa_sel_register("age");
    set_age = isa_sel_register("setAge:");
    count = isa_sel_register("count");
    total = isa_sel_register("total");
    set_total = isa_sel_register("setTotal:");
    isa_set_misuse_handler(overhear, NULL);
    make_calls();
    // Not of steps within a setter, for which nothing is set in place.
    const isa_event_kinds kinds =
        ISA_TRACE_CHANGES | ISA_EVENT_KIND(ISA_EVENT_CLASS_ALLOCATED) |
        ISA_EVENT_KIND(ISA_EVENT_CLASS_REGISTERED) | ISA_EVENT_KIND(ISA_EVENT_CLASS_DISPOSED) |
        ISA_EVENT_KIND(ISA_EVENT_METHOD_ADDED) | ISA_EVENT_KIND(ISA_EVENT_METHOD_REPLACED);
    must(isa_event_add_listener(kinds, read_event, &read, &listener));
    make_calls();
    isa_event_remove_listener(listener);
    CHECK(read > 0);
    isa_set_misuse_handler(NULL, NULL);
    isa_set_unrecognized_hook(NULL, NULL);
}

void print_functions(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) printf("%s\n", calls[i].function);
}
