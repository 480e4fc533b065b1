// Callbacks that are left by an exception: whoever set the property catches it, the misuse handler
// hears of it, and what comes afterwards is told to everybody. Prints what is not as it should be,
// and how many checks there were.
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <isa.h>

static int checks;
static int misuses;
static isa_sel set_age_sel;

static void check(bool holds, int line)
{
    checks++;
    if (!holds) std::printf("line %d: does not hold\n", line);
}

#define CHECK(condition) check((condition), __LINE__)

static void must(isa_status status)
{
    if (status == ISA_OK) return;
    std::fprintf(stderr, "thrown: %s\n", isa_last_error()->reason);
    std::exit(1);
}

static void note_misuse(const isa_error *, void *) { misuses++; }

static void count(const kvo_change *, void *told) { ++*static_cast<int *>(told); }

static void count_release(void *told) { *static_cast<int *>(told) = -1; }

static void refuse(const kvo_change *, void *) { throw 7; }

// Throws on the way in, where the values are the ones before.
static void refuse_prior(const kvo_change *change, void *)
{
    if (change->is_prior) throw 7;
}

static void observe_value(isa_id, isa_sel, const char *, isa_id, const kvo_change *, void *)
{
    throw 7;
}

static void set_age(isa_id person, int64_t age)
{
    ISA_SEND(void (*)(isa_id, isa_sel, int64_t), person, set_age_sel, age);
}

static void change_by_hand(isa_id person, int64_t)
{
    must(kvo_will_change(person, "age"));
    kvo_did_change(person, "age");
}

// Further in than where the program goes on: that shows that a change was left.
__attribute__((noinline)) static bool throws(isa_id person,
                                             void (*change)(isa_id, int64_t) = set_age)
{
    volatile char room[4096];
    for (volatile char &place : room) place = 0x41;
    try {
        change(person, 4);
    } catch (int thrown) {
        return thrown == 7;
    }
    return false;
}

static isa_class make_class(const char *name)
{
    isa_class cls;
    isa_property_info info = {};
    info.name = "age";
    info.types = "q";
    must(isa_class_pair_allocate(isa_root_class(), name, &cls));
    must(isa_class_synthesize(cls, &info));
    must(isa_class_add_method(cls, isa_sel_register("observeValueForKeyPath:ofObject:change:"
                                                    "context:"),
                              reinterpret_cast<isa_imp>(observe_value), "v@:*@^v^v"));
    must(isa_class_pair_register(cls));
    return cls;
}

static isa_id make_object(isa_class cls)
{
    isa_id object;
    must(isa_object_allocate(cls, &object));
    return object;
}

static struct {
    isa_id person;
    kvo_token stays, goes;
    int told, told_by_thrower, before;
} trial;

// Each of five changes is thrown out of by an observer; another one stays.
static void throw_often(isa_class cls, void (*thrower)(const kvo_change *, void *),
                        kvo_options options, void (*change)(isa_id, int64_t))
{
    const kvo_function counter = {count, &trial.told, count_release};
    const kvo_function refusing = {thrower, &trial.told_by_thrower, count_release};
    trial.told = trial.told_by_thrower = misuses = 0;
    trial.person = make_object(cls);
    must(kvo_observe(trial.person, "age", KVO_OPTION_NEW, &counter, nullptr, &trial.stays));
    must(kvo_observe(trial.person, "age", options, &refusing, nullptr, &trial.goes));
    for (int i = 0; i < 5; i++) CHECK(throws(trial.person, change));
    trial.before = trial.told;
    CHECK(kvo_token_invalidate_and_wait(trial.goes));
    kvo_token_release(trial.goes);
}

// After the property has been set once more.
static void end_trial()
{
    CHECK(misuses > 0);
    CHECK(trial.told_by_thrower == -1);
    set_age(trial.person, 6);
    CHECK(trial.told == trial.before + 2);
    CHECK(kvo_token_invalidate_and_wait(trial.stays));
    kvo_token_release(trial.stays);
    CHECK(trial.told == -1);
    isa_object_release(trial.person);
}

// The reference to the observer that the call held is given back.
static void check_observer(isa_class cls, isa_class observers)
{
    isa_id person = make_object(cls), observer = make_object(observers);
    misuses = 0;
    must(kvo_add_observer(person, observer, "age", KVO_OPTION_NEW, nullptr));
    CHECK(throws(person));
    CHECK(throws(person));
    must(kvo_remove_observer(person, observer, "age"));
    CHECK(misuses > 0);
    CHECK(!throws(person));
    CHECK(isa_object_retain_count(observer) == 1);
    isa_object_release(observer);
    isa_object_release(person);
}

// Inner changes throw, which the callback of an outer one catches, and returns. In between it makes
// another change from further in.
static void catch_inner(const kvo_change *, void *inner)
{
    for (int i = 0; i < 3; i++) {
        try {
            set_age(static_cast<isa_id>(inner), i);
        } catch (int) {
        }
        CHECK(throws(static_cast<isa_id>(inner), i % 2 == 0 ? set_age : change_by_hand));
    }
}

static void check_nested(isa_class cls)
{
    isa_id outer = make_object(cls), inner = make_object(cls);
    int told = 0;
    kvo_token throwing, catching, counting;
    const kvo_function refusing = {refuse, nullptr, nullptr};
    const kvo_function holding = {catch_inner, inner, nullptr};
    const kvo_function counter = {count, &told, nullptr};
    must(kvo_observe(inner, "age", 0, &refusing, nullptr, &throwing));
    must(kvo_observe(outer, "age", 0, &counter, nullptr, &counting));
    must(kvo_observe(outer, "age", 0, &holding, nullptr, &catching));
    for (int i = 0; i < 3; i++) set_age(outer, i);
    CHECK(told == 3);
    kvo_token_release(throwing);
    kvo_token_release(catching);
    CHECK(kvo_token_invalidate_and_wait(counting));
    kvo_token_release(counting);
    isa_object_release(inner);
    isa_object_release(outer);
}

static void throw_misuse(const isa_error *error, void *) { throw error->status; }

// Errors as exceptions: what is removed afterwards is freed.
static void check_handler(isa_class cls)
{
    int told = 0;
    kvo_token token;
    const kvo_function counter = {count, &told, count_release};
    isa_set_misuse_handler(throw_misuse, nullptr);
    for (int i = 0; i < 100; i++) {
        bool caught = false;
        try {
            isa_report_misuse(ISA_ERR_IN_USE, "InUse", "in use");
        } catch (isa_status status) {
            caught = status == ISA_ERR_IN_USE || status == ISA_ERR_UNSUPPORTED;
        }
        CHECK(caught);
    }
    isa_set_misuse_handler(note_misuse, nullptr);
    isa_id person = make_object(cls);
    must(kvo_observe(person, "age", 0, &counter, nullptr, &token));
    set_age(person, 1);
    CHECK(told == 1);
    CHECK(kvo_token_invalidate_and_wait(token));
    kvo_token_release(token);
    CHECK(told == -1);
    isa_object_release(person);
}

int main()
{
    set_age_sel = isa_sel_register("setAge:");
    isa_class cls = make_class("Thrown"), observers = make_class("Observers");
    isa_set_misuse_handler(note_misuse, nullptr);
    const struct {
        void (*thrower)(const kvo_change *, void *);
        kvo_options options;
    } trials[] = {
        {refuse, KVO_OPTION_NEW | KVO_OPTION_OLD},
        {refuse_prior, KVO_OPTION_PRIOR},
    };
    const kvo_wrapping wrappings[] = {KVO_WRAP_AUTOMATIC, KVO_WRAP_LIBFFI};
    for (kvo_wrapping wrapping : wrappings) {
        kvo_set_wrapping(wrapping);
        for (const auto &each : trials) {
            for (auto change : {set_age, change_by_hand}) {
                throw_often(cls, each.thrower, each.options, change);
                set_age(trial.person, 5);
                end_trial();
            }
        }
        check_observer(cls, observers);
        check_nested(cls);
    }
    check_handler(cls);
    isa_set_misuse_handler(nullptr, nullptr);
    CHECK(isa_class_pair_dispose(cls) == ISA_OK);
    std::printf("%d checks\n", checks);
}
