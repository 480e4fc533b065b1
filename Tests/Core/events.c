// The event log: that it tells what handlers were told, by whichever way a set goes; that a
// listener is named no cause that it has not got, also where listeners come and go beside threads
// that log; which number a registration has; what a foreign layer withholds, sends and runs later.
#define _GNU_SOURCE // sched_yield
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kvo_foreign.h"
#include "node.h"
#include "observer.h"
#include "person.h"

enum { MOST = 4096 };

// What a listener has got. One thread at a time, unless `lock` is taken.
struct record {
    isa_event event;
    char name[32];
    int64_t value, old_value; // of an integer, else 0
};
static struct record records[MOST];
static int record_count;

static int64_t integer(const char *types, const void *value)
{
    return types != NULL && value != NULL && strcmp(types, "q") == 0 ? *(const int64_t *)value : 0;
}

static void keep(const isa_event *event, void *unused)
{
    (void)unused;
    if (record_count == MOST) return;
    struct record *record = &records[record_count++];
    record->event = *event;
    strncpy(record->name, event->name == NULL ? "" : event->name, sizeof record->name - 1);
    record->value = integer(event->types, event->value);
    record->old_value = integer(event->old_types, event->old_value);
}

static isa_event_listener listen_to(isa_event_kinds kinds)
{
    isa_event_listener listener;
    record_count = 0;
    must(isa_event_add_listener(kinds, keep, NULL, &listener));
    return listener;
}

// The nth event of a kind; one of kind 0 where there is none.
static const struct record *find(isa_event_kind kind, int n)
{
    static const struct record none;
    for (int i = 0; i < record_count; i++)
        if (records[i].event.kind == kind && n-- == 0) return &records[i];
    return &none;
}

static int count_of(isa_event_kind kind)
{
    int count = 0;
    for (int i = 0; i < record_count; i++) count += records[i].event.kind == kind;
    return count;
}

static isa_class person_class;

static isa_id make_person(void)
{
    return make_object(person_class);
}

// ---- the usual kinds, as a recorder wants them --------------------------------------------------

#define USUAL \
    (ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION) | ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION_ENDED) | \
     ISA_EVENT_KIND(ISA_EVENT_OBSERVER_ADDED) | ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REMOVED) | \
     ISA_EVENT_KIND(ISA_EVENT_OBSERVER_REFUSED) | ISA_EVENT_KIND(ISA_EVENT_WILL_CHANGE) | \
     ISA_EVENT_KIND(ISA_EVENT_DID_CHANGE) | ISA_EVENT_KIND(ISA_EVENT_CHANGE_HELD) | \
     ISA_EVENT_KIND(ISA_EVENT_CHANGE_MUTED) | ISA_EVENT_KIND(ISA_EVENT_HANDLER_SENT) | \
     ISA_EVENT_KIND(ISA_EVENT_HANDLER_ARRIVED) | ISA_EVENT_KIND(ISA_EVENT_HANDLER_ENDED))

// ---- a random program, with an oracle -----------------------------------------------------------

enum { PEOPLE = 3, SLOTS = 8, STEPS = 400 };

// A registration as the oracle has it.
struct slot {
    kvo_token token;
    int person;
    bool is_age;
};
static struct slot slots[SLOTS];
static isa_id people[PEOPLE];
static int nesting;
static int handled; // how often handlers ran
static uint64_t seed;

static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static void told(const kvo_change *change, void *info)
{
    (void)info;
    handled++;
    if (change->is_initial || nesting >= 2 || draw(4) != 0) return;
    nesting++;
    isa_test_set_age(people[draw(PEOPLE)], draw(100));
    nesting--;
}

static void step(void)
{
    struct slot *slot = &slots[draw(SLOTS)];
    switch (draw(4)) {
    case 0:
        if (slot->token != NULL) return;
        *slot = (struct slot){.person = (int)draw(PEOPLE), .is_age = draw(2) == 0};
        must(kvo_observe(people[slot->person], slot->is_age ? "age" : "height",
                         draw(2) * KVO_OPTION_NEW | draw(2) * KVO_OPTION_OLD |
                             draw(2) * KVO_OPTION_INITIAL,
                         &(kvo_function){told, slot, NULL}, NULL, &slot->token));
        return;
    case 1:
        kvo_token_release(slot->token);
        slot->token = NULL;
        return;
    case 2: isa_test_set_age(people[draw(PEOPLE)], draw(100)); return;
    default: isa_test_set_height(people[draw(PEOPLE)], draw(100)); return;
    }
}

// Whether an event that caused another stands before it.
static const struct record *cause_of(int at)
{
    for (int i = at - 1; i >= 0; i--)
        if (records[i].event.id == records[at].event.cause) return &records[i];
    return NULL;
}

// Checks one event against what came before: its cause, and its registration.
static bool is_true(int at)
{
    const isa_event *event = &records[at].event;
    const struct record *cause = cause_of(at);
    if (event->cause != 0 && cause == NULL) return false;
    switch (event->kind) {
    case ISA_EVENT_NOTIFICATION:
        if (event->flags & ISA_EVENT_INITIAL) return event->registration != 0;
        return cause != NULL && cause->event.kind == ISA_EVENT_DID_CHANGE &&
               cause->event.object == event->object && strcmp(cause->name, records[at].name) == 0;
    case ISA_EVENT_NOTIFICATION_ENDED:
        return cause != NULL && cause->event.kind == ISA_EVENT_NOTIFICATION &&
               cause->event.registration == event->registration && event->types == NULL;
    default: return true;
    }
}

// How often a registration was notified, as the log has it; and that it came before, and did not
// after it was removed.
static int notified(uint64_t number)
{
    int count = 0, state = 0; // 1: there, 2: gone
    for (int i = 0; i < record_count; i++) {
        const isa_event *event = &records[i].event;
        if (event->registration != number) continue;
        if (event->kind == ISA_EVENT_OBSERVER_ADDED) CHECK(state++ == 0);
        if (event->kind == ISA_EVENT_OBSERVER_REMOVED) CHECK(state++ == 1);
        if (event->kind == ISA_EVENT_NOTIFICATION) CHECK(state == 1);
        count += event->kind == ISA_EVENT_NOTIFICATION;
    }
    CHECK(state == 2);
    return count;
}

// Runs the program of a seed. Answers how many notifications there were.
static int run(uint64_t start, isa_event_kinds kinds)
{
    int told_of = 0;
    seed = start;
    handled = 0;
    memset(slots, 0, sizeof slots);
    for (int i = 0; i < PEOPLE; i++) people[i] = make_person();
    isa_event_listener listener = listen_to(kinds);
    for (int i = 0; i < STEPS && record_count < MOST - 200; i++) step();
    for (int j = 0; j < SLOTS; j++) kvo_token_release(slots[j].token);
    isa_event_remove_listener(listener);
    for (int i = 0; i < record_count; i++) {
        CHECK(is_true(i));
        CHECK(kinds & ISA_EVENT_KIND(records[i].event.kind));
        if (records[i].event.kind == ISA_EVENT_OBSERVER_ADDED)
            told_of += notified(records[i].event.registration);
    }
    CHECK(told_of == handled && told_of == count_of(ISA_EVENT_NOTIFICATION));
    CHECK(told_of == count_of(ISA_EVENT_NOTIFICATION_ENDED));
    for (int i = 0; i < PEOPLE; i++) isa_object_release(people[i]);
    return told_of;
}

// The kinds, flags, keys and values of all notifications, by which two logs are compared.
static uint64_t digest(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < record_count; i++) {
        const struct record *record = &records[i];
        if (record->event.kind != ISA_EVENT_NOTIFICATION) continue;
        sum = sum * 31 + record->event.flags + (uint64_t)record->name[0] * 7 +
              (uint64_t)record->value * 3 + (uint64_t)record->old_value;
    }
    return sum;
}

static void check_random(void)
{
    int all = 0;
    for (uint64_t start = 1; start <= 20; start++) {
        int usual = run(start, USUAL);
        uint64_t by_plan = digest();
        CHECK(usual == run(start, USUAL | ISA_EVENT_KIND(ISA_EVENT_ORIGINAL_CALLED)));
        CHECK(by_plan == digest());
        all += usual;
    }
    CHECK(all > 1000);
}

// ---- causes -------------------------------------------------------------------------------------

static isa_event_listener inner;

static void listen_within(const kvo_change *change, void *info)
{
    (void)info;
    if (inner == 0) must(isa_event_add_listener(USUAL, keep, NULL, &inner));
    if (change->new_value.address != NULL && *(int64_t *)change->new_value.address == 1)
        isa_test_set_age(change->object, 2);
}

static void count_event(const isa_event *event, void *count)
{
    (void)event;
    ++*(int *)count;
}

// A log that begins within a handler is named no cause of before.
static void check_beginning(void)
{
    isa_id person = make_person();
    kvo_token token;
    int others = 0;
    isa_event_listener outer;
    must(kvo_observe(person, "age", KVO_OPTION_NEW, &(kvo_function){listen_within, NULL, NULL},
                     NULL, &token));
    must(isa_event_add_listener(ISA_EVENT_KINDS_ALL, count_event, &others, &outer));
    record_count = 0;
    isa_test_set_age(person, 1);
    CHECK(others > 0 && record_count > 0 && inner > outer);
    CHECK(find(ISA_EVENT_WILL_CHANGE, 0)->event.cause == 0);
    CHECK(find(ISA_EVENT_NOTIFICATION, 0)->event.cause == find(ISA_EVENT_DID_CHANGE, 0)->event.id);
    for (int i = 0; i < record_count; i++) {
        CHECK(records[i].event.id > inner);
        CHECK(records[i].event.cause == 0 || cause_of(i) != NULL);
    }
    isa_event_remove_listener(inner);
    isa_event_remove_listener(outer);
    inner = 0;
    kvo_token_release(token);
    isa_object_release(person);
}

// An event that a listener does not want is passed over when it is named causes.
static void check_passing_over(void)
{
    isa_id person = make_person();
    kvo_token token;
    int others = 0;
    isa_event_listener other;
    must(kvo_observe(person, "age", KVO_OPTION_NEW, &(kvo_function){listen_within, NULL, NULL},
                     NULL, &token));
    inner = 1; // it adds none
    must(isa_event_add_listener(ISA_EVENT_KINDS_ALL, count_event, &others, &other));
    isa_event_listener mine = listen_to(ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION));
    isa_test_set_age(person, 1);
    CHECK(record_count == 2 && records[0].event.cause == 0);
    CHECK(records[1].event.cause == records[0].event.id);
    isa_event_remove_listener(mine);
    isa_event_remove_listener(other);
    inner = 0;
    kvo_token_release(token);
    isa_object_release(person);
}

// ---- listeners that come and go beside threads --------------------------------------------------

enum { LOGGERS = 3, SEEN = 1 << 16, TURNS = 200 };

// A listener's own list of what it has got.
struct seen {
    pthread_mutex_t lock;
    isa_event_kinds kinds;
    uint64_t ids[SEEN];
    uint64_t causes[SEEN];
    int count, unwanted;
    bool is_over;
};
static struct seen seen[2];
static bool threads_stop;

static void see(const isa_event *event, void *context)
{
    struct seen *mine = context;
    pthread_mutex_lock(&mine->lock);
    mine->unwanted += mine->is_over || !(mine->kinds & ISA_EVENT_KIND(event->kind));
    if (mine->count < SEEN) {
        mine->ids[mine->count] = event->id;
        mine->causes[mine->count++] = event->cause;
    }
    pthread_mutex_unlock(&mine->lock);
}

static void change_another(const kvo_change *change, void *info)
{
    (void)change;
    if (info != NULL) isa_test_set_age(info, 7);
}

static void *log_often(void *unused)
{
    (void)unused;
    isa_id one = make_person(), two = make_person();
    kvo_token tokens[2];
    must(kvo_observe(two, "age", KVO_OPTION_NEW, &(kvo_function){change_another, NULL, NULL}, NULL,
                     &tokens[0]));
    while (!__atomic_load_n(&threads_stop, __ATOMIC_RELAXED)) {
        must(kvo_observe(one, "age", KVO_OPTION_NEW | KVO_OPTION_OLD,
                         &(kvo_function){change_another, two, NULL}, NULL, &tokens[1]));
        for (int i = 0; i < 8; i++) isa_test_set_age(one, i);
        kvo_token_release(tokens[1]);
    }
    kvo_token_release(tokens[0]);
    isa_object_release(one);
    isa_object_release(two);
    return NULL;
}

static int by_number(const void *first, const void *second)
{
    uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;
    return (a > b) - (a < b);
}

// Ends a listener and checks what it has got: no other kinds, nothing after its end, and no cause
// that it has not got.
static int judge(struct seen *mine, isa_event_listener listener)
{
    int unknown = 0;
    isa_event_remove_listener(listener);
    pthread_mutex_lock(&mine->lock);
    mine->is_over = true;
    pthread_mutex_unlock(&mine->lock);
    bool is_whole = mine->count < SEEN;
    qsort(mine->ids, (size_t)mine->count, sizeof *mine->ids, by_number);
    for (int i = 0; i < mine->count && is_whole; i++)
        unknown += mine->causes[i] != 0 && bsearch(&mine->causes[i], mine->ids,
                                                   (size_t)mine->count, sizeof *mine->ids,
                                                   by_number) == NULL;
    CHECK(unknown == 0 && mine->unwanted == 0);
    return mine->count;
}

static void *come_and_go(void *which)
{
    static const isa_event_kinds kinds[] = {
        ISA_EVENT_KINDS_ALL,
        ISA_EVENT_KIND(ISA_EVENT_NOTIFICATION) | ISA_EVENT_KIND(ISA_EVENT_DID_CHANGE)};
    struct seen *mine = which;
    int all = 0;
    // An emulated thread may get no turn of its own for long.
    for (int i = 0; i < TURNS || (all == 0 && i < 100 * TURNS); i++) {
        isa_event_listener listener;
        mine->count = mine->unwanted = 0;
        mine->is_over = false;
        mine->kinds = kinds[i % 2];
        must(isa_event_add_listener(mine->kinds, see, mine, &listener));
        // Most turns are as short as can be, as what they try is the beginning.
        for (int j = i % 100 == 0 ? 50 : 1; j > 0; j--) sched_yield();
        all += judge(mine, listener);
    }
    CHECK(all > 0);
    return NULL;
}

static void check_beside_threads(void)
{
    pthread_t loggers[LOGGERS], other;
    threads_stop = false;
    for (int i = 0; i < 2; i++) pthread_mutex_init(&seen[i].lock, NULL);
    for (int i = 0; i < LOGGERS; i++)
        CHECK(pthread_create(&loggers[i], NULL, log_often, NULL) == 0);
    CHECK(pthread_create(&other, NULL, come_and_go, &seen[1]) == 0);
    come_and_go(&seen[0]);
    CHECK(pthread_join(other, NULL) == 0);
    __atomic_store_n(&threads_stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < LOGGERS; i++) CHECK(pthread_join(loggers[i], NULL) == 0);
    for (int i = 0; i < 2; i++) pthread_mutex_destroy(&seen[i].lock);
    CHECK(isa_event_kinds_wanted() == 0);
}

// ---- registrations ------------------------------------------------------------------------------

static void ignore(const kvo_change *change, void *info)
{
    (void)change, (void)info;
}

static const kvo_function ignoring = {ignore, NULL, NULL};

// A registration of before the log has a number of its own too, and another in the next log.
static void check_numbers(void)
{
    isa_id person = make_person();
    kvo_token early, late;
    kvo_registration_info *infos;
    size_t count;
    must(kvo_observe(person, "age", 0, &ignoring, NULL, &early));
    must(kvo_copy_registrations(person, &infos, &count));
    CHECK(count == 1 && infos[0].number == 0);
    isa_free(infos);
    isa_event_listener listener = listen_to(USUAL);
    must(kvo_observe(person, "age", 0, &ignoring, NULL, &late));
    isa_test_set_age(person, 1);
    must(kvo_copy_registrations(person, &infos, &count));
    CHECK(count == 2 && infos[0].number != infos[1].number && infos[0].number != 0);
    CHECK(infos[1].number == find(ISA_EVENT_OBSERVER_ADDED, 0)->event.registration);
    CHECK(find(ISA_EVENT_NOTIFICATION, 0)->event.registration == infos[1].number);
    CHECK(find(ISA_EVENT_NOTIFICATION, 1)->event.registration == infos[0].number);
    CHECK(find(ISA_EVENT_NOTIFICATION, 0)->event.callback == (isa_imp)ignore);
    uint64_t former = infos[0].number;
    isa_free(infos);
    isa_event_remove_listener(listener);
    listener = listen_to(USUAL);
    isa_test_set_age(person, 2);
    CHECK(find(ISA_EVENT_NOTIFICATION, 1)->event.registration != former);
    isa_event_remove_listener(listener);
    kvo_token_release(early);
    kvo_token_release(late);
    isa_object_release(person);
}

static isa_class node_class;

// A forwarder says whom it serves; a refusal is told once, with its status, and nothing is removed.
static void check_forwarders(void)
{
    isa_id node = make_object(node_class), child = make_object(node_class);
    kvo_token token;
    set_child(node, child);
    isa_event_listener listener = listen_to(USUAL);
    kvo_place place = kvo_set_place((kvo_place){"Module/File.c", 42});
    must(kvo_observe(node, "child.count", 0, &ignoring, NULL, &token));
    kvo_set_place(place);
    const isa_event *own = &find(ISA_EVENT_OBSERVER_ADDED, 0)->event;
    const isa_event *forwarder = &find(ISA_EVENT_OBSERVER_ADDED, 1)->event;
    CHECK(own->line == 42 && strcmp(own->file, "Module/File.c") == 0 && own->serves == 0);
    CHECK(forwarder->flags & ISA_EVENT_FORWARDER && forwarder->serves == own->registration);
    CHECK(forwarder->object == child);
    kvo_token_release(token);
    CHECK(count_of(ISA_EVENT_OBSERVER_REMOVED) == 2);
    record_count = 0;
    CHECK(kvo_observe(node, "child.unknown.key", 0, &ignoring, NULL, &token) != ISA_OK);
    isa_status status = isa_last_error()->status;
    const isa_event *refused = &find(ISA_EVENT_OBSERVER_REFUSED, count_of(
                                     ISA_EVENT_OBSERVER_REFUSED) - 1)->event;
    CHECK(refused->status == status && refused->object == node && !(refused->flags & 256));
    for (int i = 0; i < record_count; i++)
        CHECK(records[i].event.kind != ISA_EVENT_OBSERVER_REMOVED ||
              records[i].event.registration != refused->registration);
    record_count = 0;
    CHECK(kvo_observe(node, "", 0, &ignoring, NULL, &token) != ISA_OK);
    CHECK(record_count == 1 && find(ISA_EVENT_OBSERVER_REFUSED, 0)->event.registration == 0);
    isa_event_remove_listener(listener);
    isa_object_release(child);
    isa_object_release(node);
}

// The initial notification comes after its registration, which that may end.
static void end_itself(const kvo_change *change, void *info)
{
    (void)change;
    kvo_token_invalidate(*(kvo_token *)info);
}

static void check_initial(void)
{
    isa_id person = make_person();
    kvo_token token;
    isa_event_listener listener = listen_to(USUAL);
    must(kvo_observe(person, "age", KVO_OPTION_INITIAL, &(kvo_function){end_itself, &token, NULL},
                     NULL, &token));
    static const isa_event_kind expected[] = {
        ISA_EVENT_OBSERVER_ADDED, ISA_EVENT_NOTIFICATION, ISA_EVENT_NOTIFICATION_ENDED,
        ISA_EVENT_OBSERVER_REMOVED};
    CHECK(record_count == 4);
    for (int i = 0; i < 4; i++)
        CHECK(records[i].event.kind == expected[i] &&
              records[i].event.registration == records[0].event.registration);
    isa_event_remove_listener(listener);
    kvo_token_release(token);
    isa_object_release(person);
}

// Shared observers come and go with each object that they are assigned to.
static void check_shared(void)
{
    isa_id person = make_person(), dying = make_person();
    kvo_shared_observers shared;
    must(kvo_shared_observers_make(person_class, &shared));
    must(kvo_shared_observers_add_function(shared, &ignoring, "age", KVO_OPTION_NEW, NULL));
    must(kvo_shared_observers_add_function(shared, &ignoring, "height", 0, NULL));
    isa_event_listener listener = listen_to(USUAL);
    must(kvo_set_shared_observers(person, shared));
    must(kvo_set_shared_observers(dying, shared));
    CHECK(count_of(ISA_EVENT_OBSERVER_ADDED) == 4);
    CHECK(find(ISA_EVENT_OBSERVER_ADDED, 0)->event.flags == (ISA_EVENT_SHARED | KVO_OPTION_NEW));
    isa_test_set_age(person, 3);
    CHECK(find(ISA_EVENT_NOTIFICATION, 0)->event.registration ==
          find(ISA_EVENT_OBSERVER_ADDED, 0)->event.registration);
    must(kvo_set_shared_observers(person, shared));
    CHECK(count_of(ISA_EVENT_OBSERVER_ADDED) == 4);
    must(kvo_set_shared_observers(person, NULL));
    CHECK(count_of(ISA_EVENT_OBSERVER_REMOVED) == 2);
    isa_object_release(dying);
    CHECK(count_of(ISA_EVENT_OBSERVER_REMOVED) == 4);
    CHECK(find(ISA_EVENT_OBSERVER_REMOVED, 3)->event.reason == ISA_REMOVED_OBJECT_DIED);
    isa_event_remove_listener(listener);
    kvo_shared_observers_release(shared);
    isa_object_release(person);
}

// ---- what a layer withholds ---------------------------------------------------------------------

static bool is_withholding;
static isa_event_kind becomes;
static kvo_logged kept;

static bool withholds(kvo_callback callback)
{
    (void)callback;
    return is_withholding;
}

static void hold_or_send(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    if (becomes == ISA_EVENT_HANDLER_SENT) kvo_logged_send(&kept);
    else if (becomes != 0) kvo_logged_withhold(becomes, &kept);
}

static void *run_kept(void *unused)
{
    (void)unused;
    kvo_logged_begin(&kept);
    isa_event_end_span(isa_event_begin_span("work", NULL, 0), "work");
    kvo_logged_end(&kept);
    return NULL;
}

// Makes a set whose notification becomes that, and runs what was kept on another thread.
static void withhold(isa_id person, isa_event_kind kind)
{
    pthread_t thread;
    becomes = kind;
    record_count = 0;
    isa_test_set_age(person, 5);
    CHECK(pthread_create(&thread, NULL, run_kept, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void check_withheld(void)
{
    isa_id person = make_person();
    kvo_token token;
    must(kvo_observe(person, "age", KVO_OPTION_NEW, &(kvo_function){hold_or_send, NULL, NULL},
                     NULL, &token));
    kvo_set_withholds(withholds);
    isa_event_listener listener = listen_to(USUAL | ISA_EVENT_KIND(ISA_EVENT_SPAN_BEGAN));
    is_withholding = true;
    withhold(person, ISA_EVENT_CHANGE_HELD);
    const isa_event *held = &find(ISA_EVENT_CHANGE_HELD, 0)->event;
    const isa_event *later = &find(ISA_EVENT_NOTIFICATION, 0)->event;
    CHECK(count_of(ISA_EVENT_NOTIFICATION) == 1 && later->cause == held->id);
    CHECK(later->thread != held->thread && later->registration == held->registration);
    CHECK(find(ISA_EVENT_CHANGE_HELD, 0)->value == 5);
    CHECK(find(ISA_EVENT_SPAN_BEGAN, 0)->event.cause == later->id);
    CHECK(find(ISA_EVENT_NOTIFICATION_ENDED, 0)->event.cause == later->id);
    withhold(person, ISA_EVENT_CHANGE_MUTED);
    CHECK(count_of(ISA_EVENT_CHANGE_MUTED) == 1);
    withhold(person, (isa_event_kind)0); // nothing was said
    CHECK(count_of(ISA_EVENT_NOTIFICATION) == 1 && count_of(ISA_EVENT_NOTIFICATION_ENDED) == 1);
    is_withholding = false;
    withhold(person, ISA_EVENT_HANDLER_SENT);
    const isa_event *sent = &find(ISA_EVENT_HANDLER_SENT, 0)->event;
    const isa_event *arrived = &find(ISA_EVENT_HANDLER_ARRIVED, 0)->event;
    CHECK(sent->cause == find(ISA_EVENT_NOTIFICATION, 0)->event.id);
    CHECK(arrived->cause == sent->id && arrived->thread != sent->thread);
    CHECK(find(ISA_EVENT_SPAN_BEGAN, 0)->event.cause == arrived->id);
    CHECK(find(ISA_EVENT_HANDLER_ENDED, 0)->event.cause == arrived->id);
    isa_event_remove_listener(listener);
    kvo_set_withholds(NULL);
    memset(&kept, 0, sizeof kept);
    kvo_token_release(token);
    isa_object_release(person);
}

// ---- texts and misuses --------------------------------------------------------------------------

static char text[8];
static size_t length;

static void copy_text(const isa_event *event, void *unused)
{
    (void)unused;
    if (event->kind == ISA_EVENT_NOTIFICATION)
        length = isa_event_copy_text(event, false, text, sizeof text);
}

static void check_texts(void)
{
    isa_id person = make_person(), name;
    kvo_token token;
    must(kvc_string_make("Ada Lovelace", &name));
    must(kvo_observe(person, "name", KVO_OPTION_NEW, &ignoring, NULL, &token));
    isa_event_listener listener;
    must(isa_event_add_listener(ISA_EVENT_KINDS_ALL, copy_text, NULL, &listener));
    isa_test_set_name(person, name);
    CHECK(length == strlen("Ada Lovelace") && strcmp(text, "Ada Lov") == 0);
    isa_test_set_name(person, NULL);
    CHECK(length == SIZE_MAX);
    isa_event_remove_listener(listener);
    kvo_token_release(token);
    isa_object_release(name);
    isa_object_release(person);
}

static void overlook(const isa_error *error, void *context)
{
    (void)error, (void)context;
}

static void check_misuse(void)
{
    isa_event_listener listener = listen_to(ISA_EVENT_KIND(ISA_EVENT_MISUSE));
    isa_set_misuse_handler(overlook, NULL);
    isa_report_misuse(KVC_ERR_TYPE, NULL, "a reason");
    isa_set_misuse_handler(NULL, NULL);
    CHECK(record_count == 1 && records[0].event.status == KVC_ERR_TYPE);
    isa_event_remove_listener(listener);
}

void check_events(void)
{
    must(isa_test_person_make("EventPerson", &person_class));
    must(isa_test_node_make("EventNode", &node_class));
    check_random();
    check_beginning();
    check_passing_over();
    check_beside_threads();
    check_numbers();
    check_forwarders();
    check_initial();
    check_shared();
    check_withheld();
    check_texts();
    check_misuse();
    must(isa_class_pair_dispose(node_class));
    must(isa_class_pair_dispose(person_class));
}
