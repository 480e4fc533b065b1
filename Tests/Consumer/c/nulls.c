// Gives every public function NULL for each of its pointers in turn, a child process a call, and
// says which calls do not come to what the headers promise. `nulls names` lists the functions.
#include <isa.h>
#include <isa_foreign.h>
#include <kvo_foreign.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_SIZE = 512, NOT_RECORDED = 255 };

static bool is_listing;
static int failures;

// The end of the latest child: how it ended, and what it said.
static int ending;
static char said[TEXT_SIZE];

// The arguments that the rows pass for anything but NULL.
static void nothing(void)
{
}
static uint64_t room[64];
static void *const any = room;
static isa_class cls;
static isa_id object, observer, number, string, array, set, dictionary;
static isa_sel sel;
static void *const both[] = {&object, &sel};
static isa_method method;
static isa_ivar ivar;
static isa_property property;
static kvo_token token;
static kvo_shared_observers shared;
static kvc_range range = {0, 1};
static kvc_index_set indexes = {&range, 1, 1};
static const kvc_value value = {"q", room};
static const kvo_function function = {(kvo_callback)nothing, NULL, NULL};
static const isa_event event = {.kind = ISA_EVENT_NOTIFICATION};
static const isa_property_info info = {.name = "age", .types = "q"};

// ---- a call in a child --------------------------------------------------------------------------

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "nulls: %s\n", isa_last_error()->reason);
    exit(2);
}

static void read_all(int file)
{
    char rest[TEXT_SIZE];
    ssize_t size = read(file, said, sizeof said - 1);
    said[size > 0 ? size : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    while (size > 0) size = read(file, rest, sizeof rest);
    close(file);
}

// True in the child, which is to make the call; false in the parent, once the child has ended.
static bool is_child(const char *call)
{
    int ends[2];
    if (is_listing) printf("%.*s\n", (int)strcspn(call, "("), call);
    if (is_listing) return false;
    if (pipe(ends) != 0) exit(2);
    pid_t child = fork();
    if (child < 0) exit(2);
    if (child > 0) {
        close(ends[1]);
        read_all(ends[0]);
        waitpid(child, &ending, 0);
        return false;
    }
    dup2(ends[1], STDERR_FILENO);
    alarm(10);
    return true;
}

// Ends the child with the call's status, if that is the one that its error tells.
static void leave(isa_status status)
{
    _exit(status == ISA_OK || isa_last_error()->status == status ? (int)status : NOT_RECORDED);
}

// ---- what is expected ---------------------------------------------------------------------------

static void complain(const char *call, const char *expected)
{
    failures++;
    printf("%s: expected %s, ", call, expected);
    if (WIFSIGNALED(ending)) printf("stopped by signal %d: %s\n", WTERMSIG(ending), said);
    else printf("came to %d: %s\n", WEXITSTATUS(ending), isa_status_text(WEXITSTATUS(ending)));
}

static void expect_status(const char *call, isa_status status)
{
    if (is_listing || (WIFEXITED(ending) && WEXITSTATUS(ending) == (int)status)) return;
    complain(call, isa_status_text(status));
}

// The sentence names the function, and what is NULL.
static void expect_stop(const char *call)
{
    char begin[TEXT_SIZE];
    snprintf(begin, sizeof begin, "isakvo: %.*s: ", (int)strcspn(call, "("), call);
    if (is_listing || (WIFSIGNALED(ending) && WTERMSIG(ending) == SIGABRT &&
                       strncmp(said, begin, strlen(begin)) == 0 && strstr(said, " is NULL")))
        return;
    complain(call, "a stop with a sentence");
}

// Fails with `status`; with that of an invalid argument; succeeds, the argument being optional.
#define FAILS_AS(status, call) COMES_TO(status, call, #call)
#define FAILS(call) COMES_TO(ISA_ERR_INVALID_ARGUMENT, call, #call)
#define SUCCEEDS(call) COMES_TO(ISA_OK, call, #call)
#define COMES_TO(status, call, text) \
    if (is_child(text)) leave(call); \
    expect_status(text, status);

// Answers something else than a status, or nothing.
#define RETURNS(call) \
    if (is_child(#call)) { (void)(call); _exit(ISA_OK); } \
    expect_status(#call, ISA_OK);

#define STOPS(call) \
    if (is_child(#call)) { (void)(call); _exit(ISA_OK); } \
    expect_stop(#call);

// Looks at no argument, for speed; has none that could be NULL.
#define UNCHECKED(function) NAMED(function)
#define TAKES_NONE(function) NAMED(function)
#define NAMED(function) \
    (void)&function; \
    if (is_listing) puts(#function);

static void run_rows(void)
{
#include "nulls_rows.h"
}

// ---- the arguments ------------------------------------------------------------------------------

static void make_class(void)
{
    const isa_property_info name = {.name = "name", .types = "@"};
    must(isa_class_pair_allocate(isa_root_class(), "Person", &cls));
    must(isa_class_synthesize(cls, &info));
    must(isa_class_synthesize(cls, &name));
    must(isa_class_pair_register(cls));
    sel = isa_sel_register("age");
    method = isa_class_find_method(cls, sel);
    ivar = isa_class_find_ivar(cls, "_age");
    property = isa_class_find_property(cls, "age");
}

static void make_objects(void)
{
    must(isa_object_allocate(cls, &object));
    must(isa_object_allocate(cls, &observer));
    must(kvc_number_make_integer(1, &number));
    must(kvc_string_make("age", &string));
    must(kvc_mutable_array_make(&string, 1, &array));
    must(kvc_mutable_set_make(&string, 1, &set));
    must(kvc_mutable_dictionary_make(&string, &number, 1, &dictionary));
    must(kvo_observe(object, "age", KVO_OPTION_NEW, &function, NULL, &token));
    must(kvo_shared_observers_make(cls, &shared));
}

int main(int count, char **arguments)
{
    (void)arguments;
    is_listing = count > 1;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    make_class();
    make_objects();
    run_rows();
    return failures > 0;
}
