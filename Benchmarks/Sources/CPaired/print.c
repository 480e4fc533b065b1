// Rows as JSON, one object per line, written whole.
#include "paired_internal.h"

#include <math.h>
#include <stdio.h>

static void print_text(const char *text)
{
    putchar('"');
    for (; *text != 0; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') printf("\\%c", c);
        else if (c < 0x20) printf("\\u%04x", c);
        else putchar(c);
    }
    putchar('"');
}

static void print_text_field(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    if (text == NULL) printf("null");
    else print_text(text);
}

// JSON has neither infinities nor a number that is none.
static void print_number(double value)
{
    if (isfinite(value)) printf("%.6g", value);
    else printf("null");
}

static void print_number_field(const char *name, double value)
{
    printf(",\"%s\":", name);
    print_number(value);
}

static void print_bool_field(const char *name, const bool *value)
{
    printf(",\"%s\":%s", name, value == NULL ? "null" : *value ? "true" : "false");
}

static void print_name(const paired_workload *workload)
{
    printf("{\"workload\":");
    print_text(workload->name);
}

static void print_end(void)
{
    printf("}\n");
    fflush(stdout);
}

static double goal_of(const paired_workload *workload)
{
    if (workload->goal == 0) return (double)NAN;
    return workload->goal > 0 ? workload->goal : 0;
}

const bool *paired_is_met(const paired_workload *workload, const struct paired_result *result)
{
    static const bool yes = true, no = false;
    if (workload->goal == 0 || workload->partner != NULL || !result->checked) return NULL;
    double goal = goal_of(workload);
    bool is_missed = workload->at_least ? result->ratio.q3 < goal : result->ratio.q1 > goal;
    return is_missed ? &no : &yes;
}

static const char *surroundings;

void paired_print_surroundings(const char *name)
{
    surroundings = name;
}

// The rival's name, which needs its subject: it has the same name as the row.
static void print_rival(const paired_workload *rival)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", rival->subject, rival->name);
    print_text_field("rival", name);
}

static void print_partner(const paired_workload *workload)
{
    print_text_field("partner", workload->partner);
    print_bool_field("goal_is_count", &workload->goal_is_count);
}

static void print_kind(const paired_workload *workload)
{
    static const char *const groups[] = { "table", "ladder", "growth", "plain", "limit" };
    print_text_field("subject", workload->subject);
    print_text_field("language", workload->language);
    print_text_field("group", groups[workload->group]);
    print_text_field("unit", workload->unit != NULL ? workload->unit : "ns");
    print_bool_field("at_least", &workload->at_least);
    if (workload->partner != NULL) print_partner(workload);
    if (workload->rival != NULL) print_rival(workload->rival);
    if (surroundings != NULL) print_text_field("surroundings", surroundings);
    if (workload->series == NULL) return;
    print_text_field("series", workload->series);
    print_text_field("x_name", workload->x_name);
    print_number_field("x", workload->x);
}

static void print_goal(const paired_workload *workload)
{
    print_number_field("goal", goal_of(workload));
}

static void print_numbers_field(const char *name, const double *values, uint32_t count)
{
    printf(",\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) putchar(',');
        print_number(values[i]);
    }
    putchar(']');
}

static void print_samples(const struct paired_result *result)
{
    print_number_field("ratio_q1", result->ratio.q1);
    print_number_field("ratio_q3", result->ratio.q3);
    print_numbers_field("samples", result->ratios, result->samples);
    if (result->samples > 0 && result->besides[0] > 0)
        print_numbers_field("beside", result->besides, result->samples);
    printf(",\"unsteady\":%u", result->unsteady);
}

void paired_print_result(const paired_workload *workload, const struct paired_result *result,
                         bool full)
{
    bool is_time = workload->figure == NULL;
    print_name(workload);
    print_number_field("ns_median", is_time ? result->ns.median : (double)NAN);
    print_number_field("ns_min", is_time ? result->ns.min : (double)NAN);
    print_number_field("ns_max", is_time ? result->ns.max : (double)NAN);
    print_number_field("ratio", result->ratio.median);
    print_goal(workload);
    print_bool_field("met", paired_is_met(workload, result));
    if (full) {
        print_kind(workload);
        print_samples(result);
    }
    if (full || !result->checked) print_bool_field("checked", &result->checked);
    print_end();
}

void paired_print_failure(const paired_workload *workload, bool full)
{
    struct paired_spread none = { NAN, NAN, NAN, NAN, NAN };
    struct paired_result result = { .ns = none, .ratio = none, .checked = false };
    paired_print_result(workload, &result, full);
}

void paired_print_left_out(const paired_workload *workload, const char *reason)
{
    print_name(workload);
    print_text_field("subject", workload->subject);
    print_text_field("left_out", reason);
    print_end();
}

void paired_print_description(const paired_workload *workload)
{
    print_name(workload);
    print_goal(workload);
    print_kind(workload);
    print_end();
}
