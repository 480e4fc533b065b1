// Plays a scene: reads its lines from standard input, does what they say with the student's
// functions, and writes down what was done and, from the runtime's log, who heard what.
//
// The lines and the channel to the grader are taken before the student's code runs, which finds an
// empty standard input and a standard output of its own. A line of the timeline begins with a key
// that the grader draws for each scene.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "student_kvo.h"
#include "world.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#define HAS_FRAMES 1
#endif

enum { MOST_WORDS = 24, MOST_REACTIONS = 64, MOST_LINES = 500, MOST_FRAMES = 48 };
enum { CHANNEL = 3, HIGH_FILE = 100 };

struct reaction {
    isa_id observer;
    char text[160];
    bool is_lasting;
};

static struct reaction reactions[MOST_REACTIONS];
static int reaction_count, line_count, heard_count;
static pthread_t main_thread;
static bool is_quiet;
static isa_class kept_class;
static isa_sel hear_message;

static void perform(const char *line);

// ---- the channel ----------------------------------------------------------------------------

static char script[1 << 14], line_key[40];
static char *script_rest = script;
static FILE *channel;

static char *next_line(void)
{
    if (*script_rest == '\0') return NULL;
    char *line = script_rest;
    size_t length = strcspn(line, "\n");
    script_rest += length + (line[length] != '\0');
    line[length] = '\0';
    return line;
}

// A key "-" stands for a scene that is played by hand: its timeline goes to standard output.
__attribute__((constructor(101))) static void take_channel(void)
{
    size_t size = 0;
    ssize_t count;
    while ((count = read(0, script + size, sizeof script - 1 - size)) > 0) size += (size_t)count;
    const char *first = next_line();
    bool is_by_hand = first == NULL || strcmp(first, "-") == 0;
    snprintf(line_key, sizeof line_key, "%s", is_by_hand ? "" : first);
    int file = fcntl(is_by_hand ? 1 : CHANNEL, F_DUPFD_CLOEXEC, HIGH_FILE);
    if (!is_by_hand) close(CHANNEL);
    channel = fdopen(file, "w");
    if (channel == NULL) exit(4);
    setvbuf(channel, NULL, _IOLBF, 1 << 12);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    close(nothing);
}

static void write_line(const char *mark, const char *format, va_list arguments)
{
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(channel, "%s%s%s\n", line_key, mark, text);
}

static void report(const char *mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(mark, format, arguments);
    va_end(arguments);
}

static void say(const char *format, ...)
{
    if (is_quiet) return;
    if (++line_count > MOST_LINES) stop("more is told than the scene can tell", "without end");
    va_list arguments;
    va_start(arguments, format);
    write_line("  ", format, arguments);
    va_end(arguments);
}

_Noreturn static void stop(const char *what, const char *about)
{
    report("! ", "%s: %s", what, about);
    exit(3);
}

// ---- hearing --------------------------------------------------------------------------------

#if LAB_LEVEL >= 3
static void add_value(char *line, size_t room, const char *label, isa_id value)
{
    char text[160];
    describe_value(value, text, sizeof text);
    size_t length = strlen(line);
    snprintf(line + length, room - length, "%s%s", label, text);
}

// The words for a change, as far as the level has it.
static void describe_change(const student_change *change, char *out, size_t room)
{
    *out = '\0';
#if LAB_LEVEL >= 7
    static const char *const kinds[] = {"", "", ", insertion", ", removal", ", replacement"};
    unsigned kind = (unsigned)change->kind;
    if (kind < STUDENT_SETTING || kind > STUDENT_REPLACEMENT)
        snprintf(out, room, ", kind %u, which does not exist", kind);
    else if (kind > STUDENT_SETTING)
        snprintf(out, room, "%s at %zu", kinds[kind], change->index);
#endif
    if (change->is_prior) snprintf(out + strlen(out), room - strlen(out), ", prior");
    if (change->has_old) add_value(out, room, ", old ", change->old_value);
    if (change->has_new) add_value(out, room, ", new ", change->new_value);
    if (change->context != NULL)
        snprintf(out + strlen(out), room - strlen(out), ", context %zu",
                 (size_t)change->context);
}
#else
static void describe_change(const student_change *change, char *out, size_t room)
{
    (void)change, (void)room;
    *out = '\0';
}
#endif

static void react(isa_id observer)
{
    for (int i = 0; i < reaction_count; i++) {
        if (reactions[i].observer != observer) continue;
        struct reaction reaction = reactions[i];
        if (!reaction.is_lasting) reactions[i].observer = NULL;
        char *rest = NULL;
        for (char *line = strtok_r(reaction.text, ";", &rest); line != NULL;
             line = strtok_r(NULL, ";", &rest)) {
            line += strspn(line, " ");
            size_t end = strlen(line);
            while (end > 0 && line[end - 1] == ' ') line[--end] = '\0';
            say("%s does: %s", name_of(observer), line);
            perform(line);
        }
        return;
    }
}

// The change that this thread is about to tell, for the line that the runtime's log leads to.
static _Thread_local const student_change *told;

static void say_heard(isa_id observer, const student_change *change)
{
    char what[400];
    const char *where = pthread_equal(pthread_self(), main_thread) ? "" : ", on another thread";
    describe_change(change, what, sizeof what);
    say("%s%s hears %s.%s%s%s", is_dead(observer) ? "the dead " : "", name_of(observer),
        name_of(change->object), change->key_path, what, where);
}

// The timeline's lines from the runtime's log: a message that says hear:, an object's end.
static void log_event(const isa_event *event, void *context)
{
    (void)context;
    if (event->kind == ISA_EVENT_DEALLOCATED) {
        note_death(event->object);
    } else if (event->kind == ISA_EVENT_MESSAGE && event->selector == hear_message && !is_quiet) {
        say_heard(event->object, told);
    }
}

// Tells by a message. There is none for an observer that is dead or none of the scene's.
static void tell(isa_id observer, const student_change *change)
{
    __atomic_add_fetch(&heard_count, 1, __ATOMIC_SEQ_CST);
    const student_change *before = told;
    told = change;
    if (is_dead(observer)) {
        if (!is_quiet) say_heard(observer, change);
    } else {
        void *arguments[] = {&change};
        must(isa_invoke_message(observer, hear_message, arguments, NULL), "hear:");
    }
    told = before;
    react(observer);
}

// ---- words ----------------------------------------------------------------------------------

struct words {
    char text[256];
    char *at[MOST_WORDS];
    int count;
};

static void split(const char *line, struct words *words)
{
    memset(words, 0, sizeof *words);
    snprintf(words->text, sizeof words->text, "%s", line);
    char *rest = NULL;
    char *word = strtok_r(words->text, " ", &rest);
    for (; word != NULL && words->count < MOST_WORDS; word = strtok_r(NULL, " ", &rest))
        words->at[words->count++] = word;
}

// "i.name": the object i and the key path behind its dot.
static isa_id target(char *word, const char **path)
{
    char *dot = word == NULL ? NULL : strchr(word, '.');
    if (dot == NULL) stop("an object and a key were expected", word == NULL ? "" : word);
    *dot = '\0';
    *path = dot + 1;
    return find_object(word);
}

#if LAB_LEVEL >= 3
static bool has_word(const struct words *words, const char *word)
{
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->at[i], word) == 0) return true;
    return false;
}

static void *context_of(const struct words *words)
{
    for (int i = 0; i + 1 < words->count; i++)
        if (strcmp(words->at[i], "context") == 0)
            return (void *)(uintptr_t)strtoul(words->at[i + 1], NULL, 10);
    return NULL;
}
#endif

// ---- what a line may say --------------------------------------------------------------------

static void do_add(struct words *words)
{
    const char *path;
    isa_id observer = find_object(words->at[1]), object = target(words->at[2], &path);
    unsigned options = 0;
    void *context = NULL;
#if LAB_LEVEL >= 3
    if (has_word(words, "new")) options |= STUDENT_NEW;
    if (has_word(words, "old")) options |= STUDENT_OLD;
    if (has_word(words, "initial")) options |= STUDENT_INITIAL;
    if (has_word(words, "prior")) options |= STUDENT_PRIOR;
    context = context_of(words);
#endif
    if (student_add(object, observer, path, options, context, tell) != ISA_OK) say("refused");
}

static void do_remove(struct words *words)
{
    const char *path;
    isa_id observer = find_object(words->at[1]), object = target(words->at[2], &path);
    isa_status status;
#if LAB_LEVEL >= 3
    status = has_word(words, "context")
                 ? student_remove_context(object, observer, path, context_of(words))
                 : student_remove(object, observer, path);
#else
    status = student_remove(object, observer, path);
#endif
    if (status != ISA_OK) {
        bool was_quiet = is_quiet;
        is_quiet = false;
        say("refused");
        is_quiet = was_quiet;
    }
}

static void do_new(struct words *words)
{
    isa_class cls = isa_class_find(words->at[2]);
    isa_id object;
    if (cls == NULL) stop("there is no such class", words->at[2]);
    must(isa_object_allocate(cls, &object), words->at[2]);
    note_thing(words->at[1], object, cls);
}

// Makes objects until one stands where a dead one stood.
static void do_reuse(struct words *words)
{
    isa_class cls = isa_class_find(words->at[2]);
    isa_id before = find_object(words->at[3]), made[256];
    int count = 0;
    do must(isa_object_allocate(cls, &made[count]), words->at[2]);
    while (made[count++] != before && count < 256);
    note_thing(words->at[1], made[count - 1], cls);
    for (int i = 0; i < count - 1; i++) isa_object_release(made[i]);
}

static void do_observer(struct words *words)
{
    isa_class cls = isa_class_find("Observer");
    for (int i = 1; i < words->count; i++) {
        isa_id object;
        must(isa_object_allocate(cls, &object), "Observer");
        note_thing(words->at[i], object, cls);
    }
}

static void do_set(struct words *words, const char *line)
{
    const char *path;
    isa_id object = target(words->at[1], &path);
    const char *text = strchr(line, '"');
    set_value(object, path, text != NULL ? text : words->at[2]);
}

static void do_get(struct words *words)
{
    const char *path;
    char text[200];
    isa_id value, object = target(words->at[1], &path);
    must(kvc_copy_value_for_path(object, path, &value), path);
    describe_value(value, text, sizeof text);
    say("%s", text);
    isa_object_release(value);
}

static void do_isa(struct words *words)
{
    isa_id object = find_object(words->at[1]);
    isa_class cls = isa_object_get_class(object), made_as = class_made_as(object);
    if (cls == made_as) say("%s", isa_class_name(cls));
    else if (isa_class_superclass(cls) == made_as)
        say("a subclass of %s", isa_class_name(made_as));
    else say("the class %s", isa_class_name(cls));
}

static void do_class(struct words *words)
{
    isa_id object = find_object(words->at[1]);
    isa_class cls = ISA_SEND(isa_class(*)(isa_id, isa_sel), object, isa_sel_register("class"));
    say("%s", isa_class_name(cls));
}

static void do_setter(struct words *words)
{
    const char *key;
    isa_id object = target(words->at[1], &key);
    isa_property property = isa_class_find_property(class_made_as(object), key);
    isa_sel setter = isa_sel_register(isa_property_get_info(property)->setter);
    isa_imp now = isa_class_find_imp(isa_object_get_class(object), setter);
    isa_imp before = isa_class_find_imp(class_made_as(object), setter);
    say("%s", now == before ? "as it was" : "replaced");
}

static void do_references(struct words *words)
{
    say("%zu", isa_object_retain_count(find_object(words->at[1])));
}

static void do_keep(struct words *words)
{
    kept_class = isa_object_get_class(find_object(words->at[1]));
}

static void do_kept(struct words *words)
{
    bool is_kept = kept_class == isa_object_get_class(find_object(words->at[1]));
    say("%s", is_kept ? "the same class" : "another class");
}

static void do_alive(struct words *words)
{
    say("%s", is_dead(find_object(words->at[1])) ? "no" : "yes");
}

static void do_release(struct words *words)
{
    isa_object_release(find_object(words->at[1]));
}

static void do_append(struct words *words)
{
    append_bare(find_object(words->at[1]), find_object(words->at[2]));
}

// ---- items, by the accessors ----------------------------------------------------------------

static size_t number(const char *word)
{
    return strtoul(word, NULL, 10);
}

static void do_insert(struct words *words)
{
    ISA_SEND(void (*)(isa_id, isa_sel, isa_id, size_t), find_object(words->at[1]),
             isa_sel_register("insertObject:inItemsAtIndex:"), find_object(words->at[2]),
             number(words->at[3]));
}

static void do_take(struct words *words)
{
    ISA_SEND(void (*)(isa_id, isa_sel, size_t), find_object(words->at[1]),
             isa_sel_register("removeObjectFromItemsAtIndex:"), number(words->at[2]));
}

static void do_replace(struct words *words)
{
    ISA_SEND(void (*)(isa_id, isa_sel, size_t, isa_id), find_object(words->at[1]),
             isa_sel_register("replaceObjectInItemsAtIndex:withObject:"), number(words->at[2]),
             find_object(words->at[3]));
}

#if LAB_LEVEL >= 6
static void do_depends(struct words *words)
{
    const char *key, *paths[MOST_WORDS];
    char *dot = strchr(words->at[1], '.');
    *dot = '\0';
    key = dot + 1;
    for (int i = 2; i < words->count; i++) paths[i - 2] = words->at[i];
    isa_class cls = isa_class_find(words->at[1]);
    if (student_depends(cls, key, paths, (size_t)words->count - 2) != ISA_OK) say("refused");
}
#endif

#if LAB_LEVEL >= 7
static student_kind kind_named(const char *word)
{
    if (strcmp(word, "insertion") == 0) return STUDENT_INSERTION;
    if (strcmp(word, "removal") == 0) return STUDENT_REMOVAL;
    if (strcmp(word, "replacement") == 0) return STUDENT_REPLACEMENT;
    return STUDENT_SETTING;
}

static void do_will(struct words *words)
{
    const char *key;
    isa_id object = target(words->at[1], &key);
    student_kind kind = words->count > 2 ? kind_named(words->at[2]) : STUDENT_SETTING;
    size_t index = words->count > 3 ? number(words->at[3]) : 0;
    if (strcmp(words->at[0], "will") == 0) student_will_change(object, key, kind, index);
    else student_did_change(object, key, kind, index);
}
#endif

// ---- later, elsewhere, often ----------------------------------------------------------------

static void do_when(struct words *words, const char *line)
{
    if (reaction_count == MOST_REACTIONS) stop("too many reactions", line);
    struct reaction *reaction = &reactions[reaction_count++];
    words->at[1][strcspn(words->at[1], ":")] = '\0';
    reaction->observer = find_object(words->at[1]);
    reaction->is_lasting = strcmp(words->at[0], "always") == 0;
    const char *text = strchr(line, ':') + 1;
    snprintf(reaction->text, sizeof reaction->text, "%s", text + strspn(text, " "));
}

struct runner {
    pthread_t thread;
    char line[160];
    long times;
};

static void *run(void *context)
{
    struct runner *runner = context;
    for (long i = 0; i < runner->times; i++) perform(runner->line);
    return NULL;
}

static void start(struct runner *runner, const char *line, long times)
{
    snprintf(runner->line, sizeof runner->line, "%s", line + strspn(line, " "));
    runner->times = times;
    if (pthread_create(&runner->thread, NULL, run, runner) != 0) stop("no thread", line);
}

static void do_thread(const char *line)
{
    struct runner runner;
    start(&runner, line + strlen("thread"), 1);
    pthread_join(runner.thread, NULL);
}

// race 1000: LINE | LINE: each on a thread of its own, so often, nothing said meanwhile.
static void do_race(struct words *words, const char *line)
{
    struct runner runners[8];
    char text[256], *rest = NULL;
    int count = 0;
    snprintf(text, sizeof text, "%s", strchr(line, ':') + 1);
    is_quiet = true;
    heard_count = 0;
    char *each = strtok_r(text, "|", &rest);
    for (; each != NULL && count < 8; each = strtok_r(NULL, "|", &rest))
        start(&runners[count++], each, strtol(words->at[1], NULL, 10));
    for (int i = 0; i < count; i++) pthread_join(runners[i].thread, NULL);
    is_quiet = false;
}

// ---- visitors -------------------------------------------------------------------------------

static void ignore(isa_id observer, const student_change *change)
{
    (void)observer, (void)change;
}

// Comes and goes, with an observer of its own for each thread.
static void do_visit(struct words *words)
{
    static _Thread_local isa_id visitor;
    const char *path;
    isa_id object = target(words->at[1], &path);
    if (visitor == NULL)
        must(isa_object_allocate(isa_class_find("Observer"), &visitor), "Observer");
    must(student_add(object, visitor, path, 0, NULL, ignore), "student_add");
    must(student_remove(object, visitor, path), "student_remove");
}

// ---- the scene ------------------------------------------------------------------------------

struct command {
    const char *name;
    void (*run)(struct words *words);
};

static const struct command commands[] = {
    {"add", do_add},
    {"remove", do_remove},
    {"new", do_new},
    {"reuse", do_reuse},
    {"observer", do_observer},
    {"get", do_get},
    {"isa", do_isa},
    {"class", do_class},
    {"setter", do_setter},
    {"references", do_references},
    {"keep-class", do_keep},
    {"class-kept", do_kept},
    {"alive", do_alive},
    {"release", do_release},
    {"append", do_append},
    {"insert", do_insert},
    {"take", do_take},
    {"replace", do_replace},
    {"visit", do_visit},
#if LAB_LEVEL >= 6
    {"depends", do_depends},
#endif
#if LAB_LEVEL >= 7
    {"will", do_will},
    {"did", do_will},
#endif
};

static void perform(const char *line)
{
    struct words words;
    split(line, &words);
    if (words.count == 0) return;
    const char *verb = words.at[0];
    if (strcmp(verb, "set") == 0) do_set(&words, line);
    else if (strcmp(verb, "when") == 0 || strcmp(verb, "always") == 0) do_when(&words, line);
    else if (strcmp(verb, "thread") == 0) do_thread(line);
    else if (strcmp(verb, "race") == 0) do_race(&words, line);
    else if (strcmp(verb, "heard") == 0) say("heard %d", heard_count);
    else if (strcmp(verb, "note") == 0) say("%s", line + strlen("note "));
    else {
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (strcmp(verb, commands[i].name) == 0) {
                commands[i].run(&words);
                return;
            }
        stop("there is no such command", line);
    }
}

// An object that observes itself and ends that when it dies.
static void selfish_dealloc(isa_id self, isa_sel sel)
{
    (void)sel;
    if (student_remove(self, self, "count") != ISA_OK) say("refused");
}

// ---- crashes --------------------------------------------------------------------------------

#ifdef HAS_FRAMES
// Reports where the program's own code was, as distances from its beginning.
static void report_frames(int number)
{
    void *frames[MOST_FRAMES];
    Dl_info own, at;
    int count = backtrace(frames, MOST_FRAMES);
    bool is_known = dladdr((void *)report_frames, &own) != 0;
    signal(number, SIG_DFL);
    for (int i = 1; is_known && i < count; i++)
        if (dladdr(frames[i], &at) != 0 && at.dli_fbase == own.dli_fbase)
            report("@ ", "%zx", (size_t)((char *)frames[i] - (char *)own.dli_fbase) - (i > 2));
    raise(number);
}

// A stack of its own: the other one may have come to its end. The first backtrace loads code.
static void watch_crashes(void)
{
    static char stack[1 << 16];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP};
    void *frames[1];
    backtrace(frames, 1);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_handler = report_frames, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}
#else
static void watch_crashes(void) {}
#endif

// Whoever started it may have been killed, hence the alarm.
int main(void)
{
    alarm(60);
    watch_crashes();
    main_thread = pthread_self();
    hear_message = isa_sel_register("hear:");
    make_classes((isa_imp)selfish_dealloc);
    isa_event_listener listener;
    if (isa_event_add_listener(ISA_EVENT_KINDS_ALL, log_event, NULL, &listener) != ISA_OK) return 1;
    for (const char *line = next_line(); line != NULL; line = next_line()) {
        report("> ", "%s", line);
        perform(line);
    }
    report("", "end");
    return 0;
}

#include "world.c"
