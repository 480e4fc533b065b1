// GNUstep's rows: key-value observing of its Foundation, one method for all an observer is told.
//
// Objects are sent their setters as a program sends them. An observer asks for old and new and
// reads both out of the change's dictionary.
#import "person.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOTH = NSKeyValueObservingOptionNew | NSKeyValueObservingOptionOld, MOST_CLASSES = 32 };

// ---- the stage ----------------------------------------------------------------------------------

struct spec {
    NSString *path;
    NSUInteger options;
    Told told;
    size_t observers;
    bool has_sum; // the key `sum` depends on others
};

struct stage {
    Person *person;
    Person *values[2];
    NSMutableArray *listeners;
    const struct spec *spec;
    Person *fresh[MOST_CLASSES];
    uint64_t set;
};

static Listener *listenerOf(struct stage *stage)
{
    return [stage->listeners objectAtIndex:0];
}

static bool has_heard_all(struct stage *stage, uint64_t count)
{
    for (Listener *listener in stage->listeners)
        if (!has_heard(&listener->heard, count)) return false;
    return true;
}

static void observe(struct stage *stage, Person *person)
{
    for (Listener *listener in stage->listeners)
        [person addObserver:listener
                 forKeyPath:stage->spec->path
                    options:stage->spec->options
                    context:NULL];
}

static void endObserving(struct stage *stage, Person *person)
{
    for (Listener *listener in stage->listeners)
        [person removeObserver:listener forKeyPath:stage->spec->path];
}

// The person's next is a middle before a leaf whose age is 2; another's leaf has 1.
static void makePath(struct stage *stage)
{
    for (int i = 0; i < 2; i++) {
        Person *leaf = [Person new];
        [leaf setAge:i + 1];
        stage->values[i] = [Person new];
        [stage->values[i] setAge:i + 1];
        [stage->values[i] setNext:leaf];
        [leaf release];
    }
    [stage->person setNext:stage->values[1]];
}

static paired_outcome set_up_unobserved(const paired_workload *self, void **context)
{
    struct stage *stage = calloc(1, sizeof *stage);
    *context = stage;
    if (stage == NULL) return PAIRED_FAILED;
    stage->spec = self->data;
    stage->person = stage->spec->has_sum ? [SummedPerson new] : [Person new];
    stage->listeners = [NSMutableArray new];
    makePath(stage);
    for (size_t i = 0; i < stage->spec->observers; i++) {
        Listener *listener = [Listener new];
        listener->told = stage->spec->told;
        [stage->listeners addObject:listener];
        [listener release];
    }
    return PAIRED_READY;
}

static paired_outcome set_up(const paired_workload *self, void **context)
{
    paired_outcome outcome = set_up_unobserved(self, context);
    struct stage *stage = *context;
    if (outcome == PAIRED_READY) observe(stage, stage->person);
    return outcome;
}

static void tear_down_unobserved(void *context)
{
    struct stage *stage = context;
    for (int i = 0; i < 2; i++) [stage->values[i] release];
    [stage->person release];
    [stage->listeners release];
    free(stage);
}

static void tear_down(void *context)
{
    struct stage *stage = context;
    endObserving(stage, stage->person);
    tear_down_unobserved(context);
}

// ---- set ----------------------------------------------------------------------------------------

// The objects that a message leaves to be released later go with each batch, as in an event loop.
enum { BATCH = 64 };

#define IN_BATCHES(first, end, statement) \
    for (uint64_t i = first; i < (end);) { \
        NSAutoreleasePool *pool = [NSAutoreleasePool new]; \
        uint64_t stop = (end) - i < BATCH ? (end) : i + BATCH; \
        for (; i < stop; i++) statement; \
        [pool release]; \
    }

static void set_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    IN_BATCHES(first, end, [stage->person setAge:(int64_t)i])
    stage->set = end;
}

static void set_leaves(void *context, uint64_t count)
{
    struct stage *stage = context;
    Person *leaf = [stage->values[1] next];
    uint64_t first = stage->set, end = first + count;
    IN_BATCHES(first, end, [leaf setAge:(int64_t)i])
    stage->set = end;
}

static void set_objects(void *context, uint64_t count)
{
    struct stage *stage = context;
    uint64_t first = stage->set, end = first + count;
    IN_BATCHES(first, end, [stage->person setNext:stage->values[i % 2]])
    stage->set = end;
}

static void set_sources(void *context, uint64_t count)
{
    struct stage *stage = context;
    IN_BATCHES(0, count, {
        [stage->person setAge:(int64_t)i];
        [stage->person setWeight:(int64_t)i];
    })
}

static bool check_ages(void *context, uint64_t count)
{
    struct stage *stage = context;
    bool is_set = count == 0 || [stage->person age] == (int64_t)count - 1;
    return is_set && has_heard_all(stage, count);
}

// The leaf's age was 2 before the first set.
static bool check_leaves(void *context, uint64_t count)
{
    Listener *listener = listenerOf(context);
    uint64_t olds = count > 0 ? paired_sum(count - 1) + 2 : 0;
    return listener->heard.count == count &&
           listener->heard.sum == paired_sum(count) + 2 * olds;
}

// The value set first stands in the place of the second one.
static bool check_objects(void *context, uint64_t count)
{
    Listener *listener = listenerOf(context);
    uint64_t olds = count > 0 ? 2 + alternating_sum(count - 1) : 0;
    return listener->heard.count == count &&
           listener->heard.sum == alternating_sum(count) + 2 * olds;
}

static bool check_sources(void *context, uint64_t count)
{
    return listenerOf(context)->heard.count == 2 * count;
}

static bool check_other_key(void *context, uint64_t count)
{
    struct stage *stage = context;
    return listenerOf(stage)->heard.count == 0 && [stage->person age] == (int64_t)count - 1;
}

// ---- add and remove, first observation ----------------------------------------------------------

static void add_and_remove(void *context, uint64_t count)
{
    struct stage *stage = context;
    IN_BATCHES(0, count, {
        observe(stage, stage->person);
        endObserving(stage, stage->person);
    })
}

static bool check_add_remove(void *context, uint64_t count)
{
    struct stage *stage = context;
    (void)count;
    [stage->person setAge:7];
    return listenerOf(stage)->heard.count == 0;
}

// Empty subclasses of Person; like the classes that observing makes of them, they stay.
static void make_classes(void *context, uint64_t count)
{
    static unsigned made;
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "Person%u", made++);
        Class cls = objc_allocateClassPair([Person class], name, 0);
        objc_registerClassPair(cls);
        stage->fresh[i] = [cls new];
    }
}

static void observe_classes(void *context, uint64_t count)
{
    struct stage *stage = context;
    IN_BATCHES(0, count, observe(stage, stage->fresh[i]))
}

static void end_classes(void *context, uint64_t count)
{
    struct stage *stage = context;
    for (uint64_t i = 0; i < count; i++) {
        [stage->fresh[i] setAge:7];
        endObserving(stage, stage->fresh[i]);
        [stage->fresh[i] release];
    }
}

static bool check_classes(void *context, uint64_t count)
{
    Listener *listener = listenerOf(context);
    return listener->heard.count == count && listener->heard.sum == 7 * count;
}

// ---- an ordered collection ----------------------------------------------------------------------

static void insert(void *context, uint64_t count)
{
    struct stage *stage = context;
    NSMutableArray *proxy = [stage->person mutableArrayValueForKey:@"items"];
    IN_BATCHES(0, count, [proxy insertObject:stage->values[0] atIndex:i])
}

static void remove_inserted(void *context, uint64_t count)
{
    struct stage *stage = context;
    stage->set += paired_sum(count);
    [[stage->person store] removeAllObjects];
}

static bool check_inserted(void *context, uint64_t count)
{
    struct stage *stage = context;
    Listener *listener = listenerOf(stage);
    return listener->heard.count == count && listener->heard.sum == stage->set;
}

// ---- bytes --------------------------------------------------------------------------------------

static double bytes_per_object(void *context)
{
    struct stage *stage = context;
    Person **persons = calloc(FRESH_COUNT, sizeof *persons);
    if (persons == NULL) abort();
    for (size_t i = 0; i < FRESH_COUNT; i++) persons[i] = [Person new];
    double before = paired_allocated_bytes();
    IN_BATCHES(0, FRESH_COUNT, observe(stage, persons[i]))
    double after = paired_allocated_bytes();
    IN_BATCHES(0, FRESH_COUNT, {
        [persons[i] setAge:1];
        endObserving(stage, persons[i]);
        [persons[i] release];
    })
    free(persons);
    return (after - before) / FRESH_COUNT;
}

static bool check_bytes(void *context, uint64_t count)
{
    return listenerOf(context)->heard.count == count * FRESH_COUNT;
}

// ---- the rows -----------------------------------------------------------------------------------

#define PEER .subject = "gnustep", .language = "Objective-C"
#define STAGE .setup = set_up, .teardown = tear_down
#define UNOBSERVED_STAGE .setup = set_up_unobserved, .teardown = tear_down_unobserved
#define SPEC(...) .data = &(const struct spec){ __VA_ARGS__ }
#define SET(row, n) \
    { .name = row, PEER, STAGE, .run = set_ages, .check = check_ages, \
      SPEC(@"age", BOTH, TELL_AGES, n) }

int main(int argc, char **argv)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const paired_workload rows[] = {
        SET(ROW_SET_UNOBSERVED, 0),
        SET(ROW_SET_ONE_OBSERVER, 1),
        SET(ROW_SET_TEN_OBSERVERS, 10),
        SET(ROW_SET_HUNDRED_OBSERVERS, 100),
        { .name = ROW_SET_OTHER_KEY, PEER, STAGE, .run = set_ages, .check = check_other_key,
          SPEC(@"weight", BOTH, TELL_AGES, 1) },
        { .name = ROW_SET_OBJECT_ONE_OBSERVER, PEER, STAGE, .run = set_objects,
          .check = check_objects, SPEC(@"next", BOTH, TELL_PERSONS, 1) },
        { .name = ROW_ADD_REMOVE, PEER, UNOBSERVED_STAGE, .run = add_and_remove,
          .check = check_add_remove, SPEC(@"age", BOTH, TELL_AGES, 1) },
        { .name = ROW_PATH_LEAF, PEER, STAGE, .run = set_leaves, .check = check_leaves,
          SPEC(@"next.next.age", BOTH, TELL_AGES, 1) },
        { .name = ROW_PATH_INTERMEDIATE, PEER, STAGE, .run = set_objects,
          .check = check_objects, SPEC(@"next.next.age", BOTH, TELL_AGES, 1) },
        { .name = ROW_DEPENDENT, PEER, STAGE, .operations = 2, .run = set_sources,
          .check = check_sources, SPEC(@"sum", 0, TELL_COUNT, 1, true) },
        { .name = ROW_ORDERED_INSERT, PEER, STAGE, .largest_count = 20000, .run = insert,
          .finish = remove_inserted, .check = check_inserted, SPEC(@"items", 0, TELL_INDEXES, 1) },
        { .name = ROW_FIRST_OBSERVATION, PEER, UNOBSERVED_STAGE,
          .largest_count = MOST_CLASSES, .prepare = make_classes, .run = observe_classes,
          .finish = end_classes, .check = check_classes, SPEC(@"age", BOTH, TELL_AGES, 1) },
        { .name = ROW_BYTES_PER_OBJECT, PEER, UNOBSERVED_STAGE, .unit = "bytes",
          .most_samples = 3, .figure = bytes_per_object, .check = check_bytes,
          SPEC(@"age", 0, TELL_COUNT, 1) },
    };
    int code = paired_main(rows, sizeof rows / sizeof *rows, argc, argv);
    [pool release];
    return code;
}
