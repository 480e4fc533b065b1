// The driver of a subject's applications: which of them, and what came of each as a line of JSON.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "internal.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FILTERS = 32, EXIT_WRONG = 1, EXIT_USAGE = 2 };

struct command {
    const struct subject *subject;
    const char *filters[MOST_FILTERS];
    size_t filter_count;
    bool list;
};

static const char help_text[] =
    "Runs applications, checks their answers, and prints one JSON object per line.\n"
    "  --list         the applications\n"
    "  --filter TEXT  only those whose subject/application-NAME has TEXT in it; may be repeated\n"
    "  --help         this text\n"
    "Exit code: 0; 1: an answer is wrong; 2: the command line is wrong.\n";

static const struct {
    const char *name;
    bool (*write)(struct script *out);
} scripts[] = {
    { "inventory", inventory_write }, { "graph", graph_write }, { "feed", feed_write },
};

static bool write_script(const char *name, struct script *out)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(scripts[i].name, name) == 0) return scripts[i].write(out);
    return false;
}

// ---- lines --------------------------------------------------------------------------------------

// Names and reasons are this project's own texts, without anything that JSON would escape.
static void print_names(const struct command *command, const struct application *application)
{
    printf("{\"application\":\"%s\",\"subject\":\"%s\",\"language\":\"%s\"", application->name,
           command->subject->name, command->subject->language);
}

static void print_figures(const struct script *script, const struct measured *measured, bool right)
{
    printf(",\"operations\":%zu,\"threads\":%u,\"per_second\":[%.6g],\"p50_ns\":[%.6g],"
           "\"p99_ns\":[%.6g],\"call_ns\":[%.6g],\"others\":[%.3f],\"steady\":%s,\"right\":%s",
           measured->operations, script->threads, measured->per_second, measured->p50,
           measured->p99, measured->call_ns, measured->others,
           measured->is_steady ? "true" : "false", right ? "true" : "false");
}

static void print_end(void)
{
    puts("}");
    fflush(stdout);
}

// ---- answers ------------------------------------------------------------------------------------

static bool is_right_observer(const struct script *script, size_t index, struct told told)
{
    struct told expected = script->expected.observers[index];
    if (told.count == expected.count && told.hash == expected.hash) return true;
    fprintf(stderr, "%s: %s was told %" PRIu64 " times, not %" PRIu64 "%s\n", script->name,
            script->observers[index], told.count, expected.count,
            told.count == expected.count ? ": of other values" : "");
    return false;
}

static bool is_right(const struct script *script, const struct answer *answer)
{
    bool right = answer->values == script->expected.values;
    if (!right) fprintf(stderr, "%s: the objects end with other values\n", script->name);
    for (size_t i = 0; i < MOST_OBSERVERS && script->observers[i] != NULL; i++)
        right &= is_right_observer(script, i, answer->observers[i]);
    return right;
}

static int measure(const struct command *command, const struct application *application)
{
    struct script script = { 0 };
    struct measured measured;
    bool right = write_script(application->name, &script) &&
                 application_measure(application, &script, &measured);
    if (!right) {
        fprintf(stderr, "%s: no such script, or no memory\n", application->name);
        script_free(&script);
        return EXIT_WRONG;
    }
    for (size_t i = 0; i < RUNS; i++) right &= is_right(&script, &measured.answers[i]);
    print_names(command, application);
    print_figures(&script, &measured, right);
    print_end();
    script_free(&script);
    return right ? 0 : EXIT_WRONG;
}

// ---- the command line ---------------------------------------------------------------------------

static bool is_chosen(const struct command *command, const struct application *application)
{
    char name[128];
    snprintf(name, sizeof name, "%s/application-%s", command->subject->name, application->name);
    for (size_t i = 0; i < command->filter_count; i++)
        if (strstr(name, command->filters[i]) != NULL) return true;
    return command->filter_count == 0;
}

static int run_application(const struct command *command, const struct application *application)
{
    if (!command->list && application->not_run == NULL) return measure(command, application);
    print_names(command, application);
    if (application->not_run != NULL) printf(",\"not_run\":\"%s\"", application->not_run);
    print_end();
    return 0;
}

// Returns -1 to go on, else the exit code.
static int read_command_line(struct command *command, int argc, char **argv)
{
    static const struct option options[] = {
        { "list", no_argument, NULL, 'l' },
        { "filter", required_argument, NULL, 'f' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') return fputs(help_text, stdout), 0;
        if (option == 'l') command->list = true;
        else if (option == 'f' && command->filter_count < MOST_FILTERS)
            command->filters[command->filter_count++] = optarg;
        else return EXIT_USAGE;
    }
    return optind == argc ? -1 : EXIT_USAGE;
}

int applications_main(const struct subject *subject, int argc, char **argv)
{
    struct command command = { .subject = subject };
    int code = read_command_line(&command, argc, argv);
    if (code == EXIT_USAGE) fputs(help_text, stderr);
    if (code >= 0) return code;
    code = 0;
    for (size_t i = 0; i < subject->count; i++) {
        const struct application *application = &subject->applications[i];
        if (is_chosen(&command, application)) code |= run_application(&command, application);
    }
    return code;
}
