// Callbacks left by longjmp while an outer change goes on, and again and again: nothing is kept for
// good, nothing that goes on is let go of, and what has been left is in nobody's way.
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "kvo_foreign.h"
#include "observer.h"
#include "person.h"
#include "to_many.h"

enum { TIMES = 600, LEVELS = 50, WRITTEN_OVER = 16384 };

static isa_class person_class;
static jmp_buf place;
static int misuses;

static void jump(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    longjmp(place, 1);
}

static kvo_token observe(isa_id object, const char *key, uint32_t options, kvo_callback callback,
                         void *info)
{
    kvo_token token;
    must(kvo_observe(object, key, options, &(kvo_function){callback, info, NULL}, NULL, &token));
    return token;
}

// Has `act` be left, further in than where the program goes on: that shows that it was.
static __attribute__((noinline)) void leave(void (*act)(isa_id), isa_id object)
{
    volatile char room[1024];
    room[0] = 0;
    if (setjmp(place) == 0) act(object);
    __asm__ volatile("" : : "r"(room) : "memory");
}

static void set(isa_id object)
{
    isa_test_set_age(object, 4);
}

static void set_by_hand(isa_id object)
{
    must(kvo_will_change(object, "age"));
    kvo_did_change(object, "age");
}

// Checks in a child of its own, as what is lost is counted.
static void check_in_child(void (*act)(void))
{
    int status = 1, before = failure_count();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        act();
        fflush(stdout);
        end_child(failure_count() > before);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

// ---- within an outer change ---------------------------------------------------------------------

static isa_id inner, third;
static void (*change_inner)(isa_id);

// Acts further in, where the stack has been written over since something was left.
static __attribute__((noinline)) void go_in(void (*act)(isa_id), isa_id object)
{
    volatile char junk[WRITTEN_OVER];
    memset((void *)junk, 0x41, sizeof junk);
    __asm__ volatile("" : : "r"(junk) : "memory");
    act(object);
    __asm__ volatile("" : : "r"(junk) : "memory");
}

static void set_both(isa_id object)
{
    set(object);
    isa_test_set_height(object, 5);
}

// Has inner changes be left, from there and from further in.
static void have_some_left(const kvo_change *change, void *info)
{
    (void)change, (void)info;
    CHECK(kvo_find_changing() == change->object);
    for (volatile int i = 0; i < TIMES; i++) {
        leave(change_inner, inner);
        if (i % 2 == 0) go_in(set_both, third);
        else set(third);
    }
    set(third);
    CHECK(kvo_find_changing() == change->object);
}

// The inner changes are left for the callback of an outer one, which goes on and tells the others.
static void check_within(void (*outer)(isa_id), void (*change)(isa_id))
{
    isa_test_tally last = {0}, beside = {0}, own = {0};
    isa_id object = make_object(person_class);
    inner = make_object(person_class);
    third = make_object(person_class);
    change_inner = change;
    misuses = 0;
    kvo_token tokens[] = {
        observe(object, "age", KVO_OPTION_OLD | KVO_OPTION_NEW, isa_test_tally_change, &last),
        observe(object, "age", 0, have_some_left, NULL),
        observe(inner, "age", KVO_OPTION_NEW, isa_test_tally_change, &own),
        observe(inner, "age", KVO_OPTION_OLD | KVO_OPTION_NEW, jump, NULL),
        observe(third, "age", KVO_OPTION_NEW, isa_test_tally_change, &beside),
    };
    for (int i = 1; i <= 3; i++) {
        outer(object);
        CHECK(last.changes == i);
        CHECK(beside.changes == (TIMES + 1) * i);
    }
    CHECK(own.changes == 0 && misuses > 0);
    CHECK(kvo_find_changing() == NULL);
    CHECK(is_reclaiming(person_class));
    kvo_token_release(tokens[3]);
    set(inner);
    CHECK(own.changes == 1);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (i != 3) kvo_token_release(tokens[i]);
    isa_object_release(third);
    isa_object_release(inner);
    isa_object_release(object);
    CHECK(is_reclaiming(person_class));
}

// ---- many within one another --------------------------------------------------------------------

static isa_id levels[LEVELS];
static int left_at, reached;

// Sets the next level's object; one of them leaves for another further out, which goes on.
static void go_deeper(const kvo_change *change, void *number)
{
    intptr_t level = (intptr_t)number;
    (void)change;
    reached = (int)level > reached ? (int)level : reached;
    if (level == LEVELS - 1) longjmp(place, 1);
    if (level != left_at || setjmp(place) == 0) set(levels[level + 1]);
    if (level == left_at) set(third);
}

// Some of them are so deep that the thread's record has no place for them.
static void check_levels(int at)
{
    isa_test_tally tally = {0};
    kvo_token tokens[LEVELS], beside;
    left_at = at;
    reached = 0;
    third = make_object(person_class);
    beside = observe(third, "age", 0, isa_test_tally_change, &tally);
    for (intptr_t i = 0; i < LEVELS; i++) {
        levels[i] = make_object(person_class);
        tokens[i] = observe(levels[i], "age", 0, go_deeper, (void *)i);
    }
    for (int i = 1; i <= 3; i++) {
        set(levels[0]);
        CHECK(tally.changes == i);
    }
    CHECK(reached == LEVELS - 1);
    for (int i = 0; i < LEVELS; i++) {
        kvo_token_release(tokens[i]);
        isa_object_release(levels[i]);
    }
    kvo_token_release(beside);
    isa_object_release(third);
    CHECK(is_reclaiming(person_class));
}

// ---- too deep -----------------------------------------------------------------------------------

static void ignore_misuse(const isa_error *error, void *info)
{
    (void)error, (void)info;
}

static void set_next(const kvo_change *change, void *number)
{
    intptr_t level = (intptr_t)number;
    (void)change;
    if (level + 1 < LEVELS) set(levels[level + 1]);
}

// The report of changes without end does not look at an object whose change was left.
static void check_report(void)
{
    uint32_t limit = kvo_get_depth_limit();
    isa_id object = make_object(person_class);
    kvo_token token = observe(object, "age", 0, jump, NULL), tokens[LEVELS];
    isa_set_misuse_handler(ignore_misuse, NULL);
    kvo_set_depth_limit(LEVELS / 2);
    for (intptr_t i = 0; i < LEVELS; i++) {
        levels[i] = make_object(person_class);
        tokens[i] = observe(levels[i], "age", 0, set_next, (void *)i);
    }
    leave(set, object);
    go_in((void (*)(isa_id))kvo_token_release, (isa_id)token);
    go_in(isa_object_release, object);
    go_in(set, levels[0]);
    CHECK(isa_last_error()->status == KVO_ERR_TOO_DEEP);
    set(levels[LEVELS - 1]); // from further out
    for (int i = 0; i < LEVELS; i++) {
        kvo_token_release(tokens[i]);
        isa_object_release(levels[i]);
    }
    kvo_set_depth_limit(limit);
    isa_set_misuse_handler(count_left, &misuses);
    CHECK(is_reclaiming(person_class));
}

// ---- comparing, and sending again ---------------------------------------------------------------

static bool leaves;

static bool leave_or_differ(isa_id self, isa_sel sel, isa_id other)
{
    (void)self, (void)sel, (void)other;
    if (leaves) longjmp(place, 1);
    return false;
}

static void leave_or_set(isa_id self, isa_sel sel, int64_t value)
{
    (void)self, (void)sel, (void)value;
    if (leaves) longjmp(place, 1);
}

static void compare(isa_id object)
{
    CHECK(!kvc_is_equal(object, third));
}

static void compare_others(isa_id object)
{
    CHECK(!kvc_is_equal(third, object));
}

static isa_imp kept_setter;

static void set_as_kept(isa_id object)
{
    ((void (*)(isa_id, isa_sel, int64_t))kept_setter)(object, isa_sel_register("setV:"), 1);
}

// Methods of the user's that leave a comparison, or a setter that was sent again.
static void check_others_left(void)
{
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "JumpingOther", &cls));
    must(isa_class_add_method(cls, isa_sel_register("isEqual:"), (isa_imp)leave_or_differ,
                              "B@:@"));
    must(isa_class_add_method(cls, isa_sel_register("setV:"), (isa_imp)leave_or_set, "v@:q"));
    must(isa_class_pair_register(cls));
    isa_id object = make_object(cls);
    third = make_object(cls);
    isa_test_tally tally = {0};
    kvo_token token = observe(object, "v", 0, isa_test_tally_change, &tally);
    kept_setter = isa_class_find_imp(isa_object_get_class(object), isa_sel_register("setV:"));
    kvo_token_release(token);
    void (*acts[])(isa_id) = {compare, set_as_kept};
    void (*others[])(isa_id) = {compare_others, set_as_kept};
    for (int i = 0; i < 2; i++) {
        leaves = true;
        for (volatile int j = 0; j < TIMES; j++) leave(acts[i], object);
        leaves = false;
        go_in(others[i], object);
        acts[i](object);
    }
    isa_object_release(third);
    isa_object_release(object);
    must(isa_class_pair_dispose(cls));
}

// ---- by hand ------------------------------------------------------------------------------------

// A value whose end makes a change, as when one that was left lets go of it.
static void set_third(void *info)
{
    (void)info;
    set(third);
}

// The registrations that a change kept are let go of, and with them their functions.
static void check_by_hand(void)
{
    isa_test_tally tally = {0};
    kvo_token token, beside;
    isa_id object = make_object(person_class);
    third = make_object(person_class);
    beside = observe(third, "age", KVO_OPTION_NEW, isa_test_tally_change, &tally);
    must(kvo_observe(object, "age", KVO_OPTION_OLD | KVO_OPTION_PRIOR,
                     &(kvo_function){jump, NULL, set_third}, NULL, &token));
    for (volatile int i = 0; i < 5; i++) leave(set_by_hand, object);
    CHECK(kvo_token_invalidate_and_wait(token));
    kvo_token_release(token);
    set(third); // finds that the last was left
    CHECK(tally.changes == 2);
    kvo_token_release(beside);
    isa_object_release(third);
    isa_object_release(object);
    CHECK(is_reclaiming(person_class));
}

// ---- depth --------------------------------------------------------------------------------------

static void set_members(isa_id array)
{
    isa_id number;
    must(kvc_number_make_integer(7, &number)); // so small a number is shared
    must(kvc_set_value(array, "age", number));
    isa_object_release(number);
}

// Left more often than such calls may be within one another. The gathered members are lost.
static void check_nesting(void)
{
    isa_test_tally tally = {0};
    isa_id object = make_object(person_class), array, value;
    must(kvc_array_make(&object, 1, &array));
    kvo_token token = observe(object, "age", 0, jump, NULL);
    for (volatile int i = 0; i < TIMES; i++) leave(set_members, array);
    kvo_token_release(token);
    must(kvc_copy_value(array, "age", &value));
    isa_object_release(value);
    token = observe(object, "age", 0, isa_test_tally_change, &tally);
    set_members(array);
    CHECK(tally.changes == 1);
    kvo_token_release(token);
    isa_object_release(array);
    isa_object_release(object);
    CHECK(is_reclaiming(person_class));
}

// ---- proxies ------------------------------------------------------------------------------------

static isa_id proxy;
static isa_imp own_insert;
static bool has_to_leave;

// The accessor of the class, which another change of the object's may lead out of.
static void insert_and_set(isa_id self, isa_sel sel, isa_id item, uint64_t index)
{
    if (has_to_leave) set(inner);
    ((void (*)(isa_id, isa_sel, isa_id, uint64_t))own_insert)(self, sel, item, index);
}

static void insert(isa_id object)
{
    must(kvc_ordered_insert(proxy, object, 0));
}

static void remove_plainly(isa_id holder)
{
    isa_sel sel = isa_sel_register("removeObjectFromItemsAtIndex:");
    isa_imp remove = isa_class_find_imp(isa_object_get_class(holder), sel);
    ((void (*)(isa_id, isa_sel, uint64_t))remove)(holder, sel, 0);
}

// Has the proxy's changes be left: the key is silent no more, and its accessors announce.
static void have_inserts_left(const kvo_change *change, void *holder)
{
    isa_test_tally tally = {0};
    (void)change;
    has_to_leave = true;
    for (volatile int i = 0; i < TIMES; i++) leave(insert, inner);
    has_to_leave = false;
    kvo_token token = observe(holder, "items", 0, isa_test_tally_change, &tally);
    insert(inner);
    CHECK(tally.changes == 1);
    remove_plainly(holder);
    CHECK(tally.changes == 2);
    kvo_token_release(token);
}

// The proxy's key is observed, or another one.
static void check_proxies(const char *key, uint32_t options)
{
    isa_class cls;
    isa_id array;
    isa_sel sel = isa_sel_register("insertObject:inItemsAtIndex:");
    must(isa_test_to_many_make("JumpingHolder", person_class,
                               ISA_TEST_READ_ARRAY | ISA_TEST_ONE_BY_ONE, &cls));
    own_insert = isa_class_find_imp(cls, sel);
    must(isa_class_replace_method(cls, sel, (isa_imp)insert_and_set, "v@:@Q", NULL));
    must(kvc_mutable_array_make(NULL, 0, &array));
    isa_id holder = make_object(cls);
    isa_test_to_many_set_backing(holder, array);
    must(kvc_proxy_make_array(holder, "items", &proxy));
    inner = make_object(person_class);
    third = make_object(person_class);
    isa_test_tally tally = {0};
    kvo_token tokens[] = {
        observe(inner, "age", 0, jump, NULL),
        observe(holder, key, options, isa_test_tally_change, &tally),
        observe(third, "age", 0, have_inserts_left, holder),
    };
    have_inserts_left(NULL, holder);
    set(third);
    CHECK(tally.changes == (strcmp(key, "items") == 0 ? 4 : 0));
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) kvo_token_release(tokens[i]);
    isa_object_release(proxy);
    isa_object_release(third);
    isa_object_release(inner);
    isa_object_release(holder);
    isa_object_release(array);
    CHECK(is_reclaiming(person_class));
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
}

// ---- handlers -----------------------------------------------------------------------------------

static int handled;

static void jump_out_of_handler(const isa_error *error, void *info)
{
    (void)error, (void)info;
    handled++;
    longjmp(place, 1);
}

static void misuse(isa_id object)
{
    (void)object;
    isa_report_misuse(KVC_ERR_RANGE, "NSRangeException", "out of it");
}

static void *take_handler_away(void *info)
{
    isa_set_misuse_handler(count_left, &misuses);
    return info;
}

static void jump_out_once(const isa_error *error, void *info)
{
    (void)error;
    if (info == NULL || *(bool *)info) return;
    *(bool *)info = true;
    longjmp(place, 1);
}

static void leave_deep_handler(const kvo_change *change, void *number)
{
    if ((intptr_t)number + 1 < LEVELS) set_next(change, number);
    else leave(misuse, NULL);
}

// A handler that leaves so deep in changes that the thread's record has no place for it.
static void check_deep_handler(void)
{
    pthread_t thread;
    kvo_token tokens[LEVELS];
    static bool has_left;
    has_left = false;
    isa_set_misuse_handler(jump_out_once, &has_left);
    for (intptr_t i = 0; i < LEVELS; i++) {
        levels[i] = make_object(person_class);
        tokens[i] = observe(levels[i], "age", 0, leave_deep_handler, (void *)i);
    }
    set(levels[0]);
    CHECK(pthread_create(&thread, NULL, take_handler_away, NULL) == 0);
    pthread_join(thread, NULL);
    for (int i = 0; i < LEVELS; i++) {
        kvo_token_release(tokens[i]);
        isa_object_release(levels[i]);
    }
    CHECK(is_reclaiming(person_class));
}

// A handler that leaves: what is removed is freed, and another thread can replace it.
static void check_handler(void)
{
    pthread_t thread;
    isa_test_tally tally = {0};
    isa_id object = make_object(person_class);
    kvo_token token = observe(object, "age", 0, isa_test_tally_change, &tally);
    isa_set_misuse_handler(jump_out_of_handler, NULL);
    handled = 0;
    for (volatile int i = 0; i < TIMES; i++) leave(misuse, NULL);
    leave(set, object); // the handler is told of what was left, and leaves
    CHECK(handled == TIMES + 1 && tally.changes == 0);
    leave(set, object);
    CHECK(handled == TIMES + 2 && tally.changes == 0);
    isa_set_misuse_handler(count_left, &misuses);
    kvo_token_release(token);
    isa_object_release(object);
    CHECK(is_reclaiming(person_class));
    CHECK(pthread_create(&thread, NULL, take_handler_away, NULL) == 0);
    pthread_join(thread, NULL);
}

void check_jumps(void)
{
    void (*changes[])(isa_id) = {set, set_by_hand};
    must(isa_test_person_make("Jumper", &person_class));
    isa_set_misuse_handler(count_left, &misuses);
    for (int i = 0; i < 4; i++) check_within(changes[i / 2], changes[i % 2]);
    check_levels(5);
    check_levels(LEVELS - 5);
    check_by_hand();
    check_in_child(check_nesting);
    check_proxies("items", 0);
    check_proxies("items", KVO_OPTION_NEW);
    check_proxies("age", 0);
    check_report();
    check_others_left();
    check_handler();
    check_deep_handler();
    isa_set_misuse_handler(NULL, NULL);
    CHECK(isa_class_pair_dispose(person_class) == ISA_OK);
}
