// A trip of some stops, in C11 or later and in C++17: the program of docs/c-guide.md.
#include <stdio.h>
#include <stdlib.h>

struct place { double north, east; };
#define ISA_OWN_TYPES(X) X(struct place, "{place=dd}")
#include <isa.h>

// Ends the program with the reason: for what fails by a mistake or for want of memory.
static void must(isa_status status)
{
    if (status == ISA_OK) return;
    fprintf(stderr, "guide: %s\n", isa_last_error()->reason);
    exit(1);
}

static void add_property(isa_class cls, const char *name, const char *types)
{
    isa_property_info info = {name, types, NULL, NULL, NULL, ISA_OWNERSHIP_NONE, false};
    if (types[0] == '@') info.ownership = ISA_OWNERSHIP_RETAIN; // an owned object
    must(isa_class_synthesize(cls, &info));
}

static void add_method(isa_class cls, const char *selector, isa_imp imp, const char *types)
{
    must(isa_class_add_method(cls, isa_sel_register(selector), imp, types));
}

static double stop_cost(isa_id self, isa_sel sel)
{
    unsigned nights;
    double price;
    must(KVC_GET(self, "nights", &nights));
    must(KVC_GET(self, "price", &price));
    return (void)sel, nights * price;
}

static isa_status stop_cost_affected(isa_id cls, isa_sel sel, isa_id *out)
{
    isa_id paths[2];
    must(kvc_string_make("nights", &paths[0]));
    must(kvc_string_make("price", &paths[1]));
    isa_status status = kvc_set_make(paths, 2, out); // the caller releases it
    for (int i = 0; i < 2; i++) isa_object_release(paths[i]);
    return (void)cls, (void)sel, status;
}

// Refuses a stop without a night, and cuts one of too many down to 30.
static bool stop_validate_nights(isa_id self, isa_sel sel, isa_id *value, isa_id *error)
{
    int64_t nights = 0;
    (void)self, (void)sel;
    bool is_valid = kvc_number_read(*value, 'q', &nights) == ISA_OK && nights > 0;
    if (!is_valid && error != NULL) must(kvc_string_make("one night at least", error));
    if (nights > 30) must(kvc_number_make_integer(30, value));
    return is_valid;
}

static isa_class make_stop_class(void)
{
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Stop", &cls));
    add_property(cls, "name", ISA_TYPE(isa_id));
    add_property(cls, "place", ISA_TYPE(struct place));
    add_property(cls, "nights", ISA_TYPE(uint16_t));
    add_property(cls, "price", ISA_TYPE(double));
    add_method(cls, "cost", (isa_imp)stop_cost, "d@:");
    add_method(isa_class_metaclass(cls), "keyPathsForValuesAffectingCost",
               (isa_imp)stop_cost_affected, "i@:^@");
    add_method(cls, "validateNights:error:", (isa_imp)stop_validate_nights, "B@:^@^@");
    must(isa_class_pair_register(cls));
    return cls;
}

static isa_class make_trip_class(void)
{
    isa_class cls;
    must(isa_class_pair_allocate(isa_root_class(), "Trip", &cls));
    add_property(cls, "stops", ISA_TYPE(isa_id));
    must(isa_class_pair_register(cls));
    return cls;
}

static isa_id make_stop(isa_class cls, const char *name, int nights, struct place place)
{
    isa_id stop; // the caller releases it
    must(isa_object_allocate(cls, &stop));
    must(KVC_SET(stop, "name", name));     // becomes a string, which the stop owns
    must(KVC_SET(stop, "nights", nights)); // an int, which must be one of uint16_t
    must(KVC_SET(stop, "place", place));
    return stop;
}

static void tell_cost(const kvo_change *change, void *info)
{
    const double *before = (const double *)change->old_value.address;
    const double *after = (const double *)change->new_value.address;
    printf("%s: %s is %g, was %g\n", (const char *)info, change->key_path, *after, *before);
}

static void tell_stops(const kvo_change *change, void *info)
{
    kvc_index_walk walk = {0, 0};
    const char *verb = change->kind == KVO_CHANGE_INSERTION ? "came" : "went";
    for (size_t i; kvc_index_set_next(change->indexes, &walk, &i);)
        printf("%s: a stop %s at %zu\n", (const char *)info, verb, i);
}

static kvo_token observe(isa_id object, const char *key_path, kvo_callback callback, char *info)
{
    kvo_token token;
    kvo_function function = {callback, info, NULL};
    must(kvo_observe(object, key_path, KVO_OPTION_OLD | KVO_OPTION_NEW, &function, NULL, &token));
    return token;
}

static void change_cost(isa_id stop)
{
    char watcher[] = "watcher";
    kvo_token token = observe(stop, "cost", tell_cost, watcher);
    must(KVC_SET(stop, "price", 90));
    must(ISA_SET(stop, isa_sel_register("setNights:"), 3));
    kvo_token_release(token); // ends the registration, and frees its handle
    must(KVC_SET(stop, "price", 80)); // nobody is told
}

static void change_stops(isa_id trip, isa_id rome, isa_id oslo)
{
    char watcher[] = "watcher";
    isa_id stops;
    must(kvc_array_make(&rome, 1, &stops));
    must(KVC_SET(trip, "stops", stops));
    isa_object_release(stops); // the trip owns it, and it the stop
    kvo_token token = observe(trip, "stops", tell_stops, watcher);
    must(kvc_proxy_make_array(trip, "stops", &stops)); // a live view of the key
    must(kvc_ordered_insert(stops, oslo, 0));
    must(kvc_ordered_remove(stops, 1));
    isa_object_release(stops);
    kvo_token_release(token);
}

// Sets the nights if the stop would take them, perhaps others than those wished for.
static void wish(isa_id stop, int64_t nights)
{
    isa_id wished, value, error = NULL;
    bool is_valid;
    must(kvc_number_make_integer(nights, &wished));
    value = wished;
    must(kvc_validate_value(stop, "nights", &value, &error, &is_valid));
    if (is_valid) must(KVC_SET(stop, "nights", value));
    else printf("%d nights: %s\n", (int)nights, kvc_string_text(error));
    isa_object_release(error);
    if (value != wished) isa_object_release(value); // another one comes with a reference
    isa_object_release(wished);
}

static void show(isa_status status)
{
    printf("%s: %s\n", isa_last_error()->key, isa_status_text(status));
}

int main(void)
{
    isa_class stop_class = make_stop_class(), trip_class = make_trip_class();
    struct place at_rome = {41.9, 12.5}, at_oslo = {59.9, 10.8}, found;
    isa_id rome = make_stop(stop_class, "Rome", 2, at_rome);
    isa_id oslo = make_stop(stop_class, "Oslo", 1, at_oslo), trip;
    must(isa_object_allocate(trip_class, &trip));
    change_cost(rome);
    change_stops(trip, rome, oslo);
    must(KVC_GET(rome, "place", &found));
    printf("Rome is %g° north\n", found.north);
    wish(rome, 0);
    wish(rome, 99);
    int nights;
    must(KVC_GET(rome, "nights", &nights));
    printf("Rome has %d nights\n", nights);
    show(KVC_SET(rome, "nights", -1));      // no uint16_t
    show(KVC_SET(rome, "nights", "three")); // no number
    show(KVC_SET(rome, "night", 1));        // no key
    isa_object_release(trip);
    isa_object_release(rome);
    isa_object_release(oslo);
    must(isa_class_pair_dispose(trip_class));
    must(isa_class_pair_dispose(stop_class));
    return 0;
}
