// A driver's command line: which rows, how many samples, which form.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "paired_internal.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILTER_COUNT = 32, QUICK_SAMPLES = 15, FULL_SAMPLES = 31, MOST_SAMPLES = 100000 };
enum { EXIT_MISSED = 1, EXIT_USAGE = 2, EXIT_MISSING = 3 };

struct command {
    const paired_workload *workloads;
    size_t count;
    const char *program;
    const char *filters[LARGEST_FILTER_COUNT];
    size_t filter_count;
    bool quick;
    bool goals;
    bool list;
    bool is_program; // measured in surroundings
    const char *once;
    uint64_t once_count;
    struct paired_options options;
};

static const char help_text[] =
    "Measures, and prints one JSON object per line.\n"
    "  --list             the rows, and what they are\n"
    "  --filter TEXT      only rows whose subject/name contains TEXT; may be repeated\n"
    "  --quick            the rows of the table, 15 samples, the short form\n"
    "  --goals            only rows that have a goal\n"
    "  --full             the full form, after --quick as well; otherwise the default\n"
    "  --samples N        how many samples a row\n"
    "  --surroundings S   bare: nothing but the row (the default);\n"
    "                     program: in a program that uses the library already\n"
    "  --once NAME COUNT  sets up, does the work COUNT times, checks; NAME may be subject/name\n"
    "  --help             this text\n"
    "Exit code: 0; 1: a goal is missed by more than the spread, or a check failed;\n"
    "2: the command line is wrong; 3: all is well, but something is missing.\n";

// Whether `workload` goes by `name`, with or without its subject.
static bool has_name(const paired_workload *workload, const char *name)
{
    size_t length = strlen(workload->subject);
    if (strcmp(workload->name, name) == 0) return true;
    return strncmp(workload->subject, name, length) == 0 && name[length] == '/' &&
           strcmp(workload->name, name + length + 1) == 0;
}

static bool is_chosen(const struct command *command, const paired_workload *workload)
{
    char name[256];
    if (command->quick && workload->group != PAIRED_TABLE) return false;
    if (command->goals && workload->goal == 0) return false;
    if (command->filter_count == 0) return true;
    snprintf(name, sizeof name, "%s/%s", workload->subject, workload->name);
    for (size_t i = 0; i < command->filter_count; i++)
        if (strstr(name, command->filters[i]) != NULL) return true;
    return false;
}

static void complain(const paired_workload *workload, const char *what, const char *otherwise)
{
    const char *reason = paired_take_reason();
    fprintf(stderr, "%s/%s: %s: %s\n", workload->subject, workload->name, what,
            reason[0] != 0 ? reason : otherwise);
}

// One row's contribution to the exit code.
static int judge(const paired_workload *workload, const struct paired_result *result)
{
    const bool *is_met = paired_is_met(workload, result);
    if (!result->checked) {
        complain(workload, "check failed", "what was heard is not what was done");
        return EXIT_MISSED;
    }
    return is_met != NULL && !*is_met ? EXIT_MISSED : 0;
}

static int leave_out(const struct command *command, const paired_workload *workload)
{
    const char *reason = paired_take_reason();
    if (reason[0] == 0) reason = "not to be had here";
    fprintf(stderr, "left out: %s/%s: %s\n", workload->subject, workload->name, reason);
    if (command->options.full) paired_print_left_out(workload, reason);
    return EXIT_MISSING;
}

static int measure_row(const struct command *command, const paired_workload *workload)
{
    struct paired_result result;
    int code = EXIT_MISSED;
    switch (paired_measure(workload, &command->options, &result)) {
    case PAIRED_READY:
        code = judge(workload, &result);
        paired_print_result(workload, &result, command->options.full);
        break;
    case PAIRED_MISSING: code = leave_out(command, workload); break;
    case PAIRED_FAILED:
        complain(workload, "failed", "cannot be set up");
        paired_print_failure(workload, command->options.full);
        break;
    }
    free(result.ratios);
    free(result.besides);
    return code;
}

// A missed goal or a failed check outweighs a missing row.
static int worse(int code, int other)
{
    if (code == EXIT_MISSED || other == EXIT_MISSED) return EXIT_MISSED;
    return code != 0 ? code : other;
}

static int refuse(const struct command *command, const char *what)
{
    const char *reason = paired_take_reason();
    fprintf(stderr, "%s: %s: %s\n", command->program, what,
            reason[0] != 0 ? reason : "no memory");
    return EXIT_MISSED;
}

static int measure_rows(const struct command *command)
{
    int code = 0;
    size_t chosen = 0;
    if (!paired_control_calibrate(&command->options))
        return refuse(command, "what runs beside the samples cannot be set up");
    for (size_t i = 0; i < command->count; i++) {
        if (!is_chosen(command, &command->workloads[i])) continue;
        code = worse(code, measure_row(command, &command->workloads[i]));
        chosen++;
    }
    if (chosen == 0) {
        fprintf(stderr, "%s: no row of that name; --list prints them\n", command->program);
        return EXIT_USAGE;
    }
    return code;
}

static int run_once(const struct command *command)
{
    for (size_t i = 0; i < command->count; i++) {
        const paired_workload *workload = &command->workloads[i];
        if (!has_name(workload, command->once)) continue;
        if (workload->largest_count != 0 && command->once_count > workload->largest_count) {
            fprintf(stderr, "%s: %s/%s is done at most %llu times at once, not %llu\n",
                    command->program, workload->subject, workload->name,
                    (unsigned long long)workload->largest_count,
                    (unsigned long long)command->once_count);
            return EXIT_USAGE;
        }
        switch (paired_once(workload, command->once_count)) {
        case PAIRED_READY: return 0;
        case PAIRED_MISSING:
            complain(workload, "left out", "not to be had here");
            return EXIT_MISSING;
        case PAIRED_FAILED: complain(workload, "failed", "check failed"); return EXIT_MISSED;
        }
    }
    fprintf(stderr, "%s: no row %s; --list prints them\n", command->program, command->once);
    return EXIT_USAGE;
}

// The rows were not measured in the surroundings that they ask for, whatever they said.
static int end_surroundings(const struct command *command, int code)
{
    static const paired_workload whole = { .name = "surroundings", .subject = "driver",
                                           .language = "C" };
    if (paired_surroundings_stop()) return code;
    if (command->once == NULL) paired_print_failure(&whole, command->options.full);
    return refuse(command, "the surroundings' check failed");
}

static int measure(const struct command *command)
{
    if (command->is_program && !paired_surroundings_start())
        return refuse(command, "the surroundings cannot be set up");
    int code = command->once != NULL ? run_once(command) : measure_rows(command);
    return command->is_program ? end_surroundings(command, code) : code;
}

static int list_rows(const struct command *command)
{
    for (size_t i = 0; i < command->count; i++)
        if (is_chosen(command, &command->workloads[i]))
            paired_print_description(&command->workloads[i]);
    return 0;
}

static bool read_count(const char *text, uint64_t largest, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0) return false;
    *out = value;
    return value > 0 && value <= largest;
}

static bool read_surroundings(struct command *command, const char *name)
{
    command->is_program = strcmp(name, "program") == 0;
    if (!command->is_program) return strcmp(name, "bare") == 0;
    if (paired_surroundings_are_there()) return true;
    fprintf(stderr, "%s: this driver has no surroundings\n", command->program);
    return false;
}

static bool read_option(struct command *command, int option)
{
    uint64_t number = 0;
    switch (option) {
    case 'l': command->list = true; return true;
    case 'o': command->once = optarg; return true;
    case 'r': return read_surroundings(command, optarg);
    case 'u': command->options.full = true; return true;
    case 'g': command->goals = true; return true;
    case 'q':
        command->options.full = false;
        command->quick = true;
        return true;
    case 'f':
        if (command->filter_count == LARGEST_FILTER_COUNT) return false;
        command->filters[command->filter_count++] = optarg;
        return true;
    case 's':
        if (!read_count(optarg, MOST_SAMPLES, &number)) return false;
        command->options.samples = (uint32_t)number;
        return true;
    default: return false;
    }
}

// Returns -1 to go on, else the exit code.
static int read_command_line(struct command *command, int argc, char **argv)
{
    static const struct option options[] = {
        { "list", no_argument, NULL, 'l' },          { "filter", required_argument, NULL, 'f' },
        { "quick", no_argument, NULL, 'q' },         { "full", no_argument, NULL, 'u' },
        { "samples", required_argument, NULL, 's' }, { "once", required_argument, NULL, 'o' },
        { "goals", no_argument, NULL, 'g' },         { "help", no_argument, NULL, 'h' },
        { "surroundings", required_argument, NULL, 'r' },
        { NULL, 0, NULL, 0 },
    };
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            printf("%s: %s", command->program, help_text);
            return 0;
        }
        if (!read_option(command, option)) return EXIT_USAGE;
    }
    if (command->options.samples == 0)
        command->options.samples = command->quick ? QUICK_SAMPLES : FULL_SAMPLES;
    // About as long again as the samples themselves.
    command->options.patience_ns = 30e6 * command->options.samples;
    if (command->once != NULL) {
        bool has_count = optind + 1 == argc;
        if (!has_count || !read_count(argv[optind], UINT64_MAX / 4, &command->once_count))
            return EXIT_USAGE;
        return -1;
    }
    return optind == argc ? -1 : EXIT_USAGE;
}

int paired_main(const paired_workload *workloads, size_t count, int argc, char **argv)
{
    struct command command = {
        .workloads = workloads,
        .count = count,
        .program = argc > 0 ? argv[0] : "driver",
        .options = { .full = true, .sample_ns = 2e6, .control_ns = 3e5 },
    };
    int code = read_command_line(&command, argc, argv);
    if (code == EXIT_USAGE) fprintf(stderr, "%s: %s", command.program, help_text);
    if (code >= 0) return code;
    if (paired_surroundings_are_there())
        paired_print_surroundings(command.is_program ? "program" : "bare");
    return command.list ? list_rows(&command) : measure(&command);
}
