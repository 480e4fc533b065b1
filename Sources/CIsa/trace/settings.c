// The variables are read by one table of names and choices, which their complaints print too.
//
// Owns:  nothing.
// Locks: none.
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const uint64_t least_limit = UINT64_C(1) << 20, most_limit = UINT64_C(1) << 36;

static const isa_event_kinds needed_kinds = ISA_EVENT_KIND(ISA_EVENT_OBSERVER_ADDED) |
                                            ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REMOVED) |
                                            ISA_EVENT_KIND(ISA_EVENT_DEALLOCATED);

static struct isa__trace_settings default_settings(void)
{
    return (struct isa__trace_settings){.limit = UINT64_C(256) << 20, .kinds = ISA_TRACE_CHANGES};
}

// ---- variables ----------------------------------------------------------------------------------

static void complain(const char *variable, const char *value, const char *expected)
{
    isa__misuse(ISA_ERR_INVALID_ARGUMENT, NULL, "%s is \"%.128s\"; expected is %s", variable, value,
                expected);
}

static bool parse_limit(const char *value, uint64_t *out)
{
    char *behind = NULL;
    unsigned long long number = strtoull(value, &behind, 10);
    int shift = *behind == 'K' ? 10 : *behind == 'M' ? 20 : *behind == 'G' ? 30 : 0;
    if (shift != 0) behind++;
    if (*value < '0' || *value > '9' || *behind != 0 || number > most_limit >> shift) return false;
    *out = (uint64_t)number << shift;
    return *out >= least_limit;
}

// The place of `value` among words with blanks between them; -1: it is none of them.
static int find_word(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (int place = 0; *words != 0; place++) {
        size_t word = strcspn(words, " ");
        if (word == length && strncmp(words, value, word) == 0) return place;
        words += word + (words[word] == ' ');
    }
    return -1;
}

static int read_choice(const char *variable, const char *words, const char *expected)
{
    const char *value = isa__system_variable(variable);
    int choice = value == NULL || *value == 0 ? 0 : find_word(words, value);
    if (choice < 0) complain(variable, value, expected);
    return choice < 0 ? 0 : choice;
}

static isa_event_kinds find_kind(const char *name, size_t length)
{
    for (int kind = 1; kind < 64; kind++) {
        const char *known = isa_event_kind_name((isa_event_kind)kind);
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return ISA_EVENT_KIND(kind);
    }
    return 0;
}

// The kinds of a list of names; 0 if one is unknown.
static isa_event_kinds parse_kinds(const char *names)
{
    isa_event_kinds kinds = 0;
    if (strcmp(names, "all") == 0) return ISA_EVENT_KINDS_ALL;
    if (strcmp(names, "changes") == 0) return ISA_TRACE_CHANGES;
    while (*names != 0) {
        size_t length = strcspn(names, ",");
        isa_event_kinds kind = find_kind(names, length);
        if (kind == 0 || (length == strlen("unknown") && strncmp(names, "unknown", length) == 0))
            return 0;
        kinds |= kind;
        names += length + (names[length] == ',');
    }
    return kinds;
}

static isa_event_kinds read_kinds(void)
{
    const char *value = isa__system_variable("ISAKVO_TRACE_KINDS");
    if (value == NULL || *value == 0) return ISA_TRACE_CHANGES;
    isa_event_kinds kinds = parse_kinds(value);
    if (kinds != 0) return kinds;
    complain("ISAKVO_TRACE_KINDS", value,
             "changes, all, or names of kinds with commas between them, such as "
             "notification,observer-added");
    return ISA_TRACE_CHANGES;
}

struct isa__trace_settings isa__trace_settings_of_variables(void)
{
    struct isa__trace_settings settings = default_settings();
    const char *limit = isa__system_variable("ISAKVO_TRACE_LIMIT");
    uint64_t bytes = settings.limit;
    if (limit != NULL && *limit != 0 && !parse_limit(limit, &bytes)) {
        complain("ISAKVO_TRACE_LIMIT", limit, "1M to 64G: bytes, or with K, M or G behind them");
        bytes = settings.limit;
    }
    settings.limit = bytes;
    settings.keep = (isa_trace_keep)read_choice("ISAKVO_TRACE_KEEP", "first latest",
                                                "first or latest");
    settings.stacks = (isa_trace_stacks)read_choice(
        "ISAKVO_TRACE_STACKS", "registrations none all", "registrations, none or all");
    settings.values = (isa_trace_values)read_choice("ISAKVO_TRACE_VALUES", "numbers none all",
                                                    "numbers, none or all");
    settings.kinds = read_kinds() | needed_kinds;
    settings.classes = isa__system_variable("ISAKVO_TRACE_CLASSES");
    if (settings.classes != NULL && *settings.classes == 0) settings.classes = NULL;
    return settings;
}

// ---- options ------------------------------------------------------------------------------------

isa_status isa__trace_settings_of_options(const isa_trace_options *options,
                                          struct isa__trace_settings *out)
{
    struct isa__trace_settings settings = default_settings();
    if (options->limit != 0) settings.limit = options->limit;
    if (settings.limit < least_limit || settings.limit > most_limit)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_trace_start: a limit of %llu bytes; 1 MiB to 64 GiB is expected",
                         (unsigned long long)options->limit);
    if ((unsigned)options->keep > ISA_TRACE_KEEP_LATEST ||
        (unsigned)options->stacks > ISA_TRACE_STACKS_ALL ||
        (unsigned)options->values > ISA_TRACE_VALUES_ALL)
        return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL,
                         "isa_trace_start: keep, stacks or values is none of its constants");
    if (options->kinds != 0) settings.kinds = options->kinds;
    settings.kinds |= needed_kinds;
    settings.keep = options->keep;
    settings.stacks = options->stacks;
    settings.values = options->values;
    settings.classes = options->classes;
    *out = settings;
    return ISA_OK;
}

// ---- paths and classes --------------------------------------------------------------------------

const char *isa__trace_path(struct isa__arena *arena, const char *path)
{
    enum { MOST_DIGITS = 20 };
    size_t room = strlen(path) + 1;
    for (const char *at = path; *at != 0; at++) room += *at == '%' ? MOST_DIGITS : 0;
    char *text = isa__arena_allocate(arena, room), *to = text;
    if (text == NULL) return NULL;
    for (const char *at = path; *at != 0; at++) {
        bool is_sign = *at == '%' && (at[1] == 'p' || at[1] == '%');
        if (is_sign && *++at == 'p') to += sprintf(to, "%ld", (long)getpid());
        else *to++ = *at;
    }
    return text;
}

bool isa__trace_wants_class(const struct isa__trace_settings *settings, const char *name)
{
    const char *classes = settings->classes;
    while (classes != NULL && *classes != 0) {
        size_t length = strcspn(classes, ",");
        bool is_start = length > 0 && classes[length - 1] == '*';
        if (strncmp(classes, name, length - is_start) == 0 &&
            (is_start || name[length] == 0))
            return true;
        classes += length + (classes[length] == ',');
    }
    return settings->classes == NULL;
}
