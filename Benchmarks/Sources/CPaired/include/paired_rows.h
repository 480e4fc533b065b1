// The rows of the table of goals: one name for the same work, whoever does it; the goals are those
// of this project's own core in C, in a program (engine_surroundings). Ratios to a plain indirect
// call unless the row says otherwise.
#ifndef PAIRED_ROWS_H
#define PAIRED_ROWS_H

// Nobody observes the object; judged by instructions, against the plain partner.
#define ROW_SET_UNOBSERVED "set-unobserved"
#define GOAL_SET_UNOBSERVED 1.2
#define ROW_GET_UNOBSERVED "get-unobserved"

// Another key of the object is observed.
#define ROW_SET_OTHER_KEY "set-other-key-observed"
#define GOAL_SET_OTHER_KEY 3.0

// Observers are told old and new, and sum up the new values.
#define ROW_SET_ONE_OBSERVER "set-one-observer"
#define GOAL_SET_ONE_OBSERVER 5.5
// The observer was added by another thread.
#define ROW_SET_BY_ANOTHER_THREAD "set-by-another-thread"
#define GOAL_SET_BY_ANOTHER_THREAD 8.0
#define ROW_SET_ONE_OBSERVER_CLOSURE "set-one-observer-libffi"
#define GOAL_SET_ONE_OBSERVER_CLOSURE 24.0
#define ROW_SET_TEN_OBSERVERS "set-ten-observers"
#define GOAL_SET_TEN_OBSERVERS 24.0
#define ROW_SET_HUNDRED_OBSERVERS "set-hundred-observers"
#define GOAL_SET_HUNDRED_OBSERVERS 200.0

// The same while a trace is recorded, beside itself without one.
#define ROW_SET_TRACED "set-traced"

// Each set is of another of 100 000 observed objects, in an order that is no order in memory: the
// next one is known beforehand, or is read from the one just set. Ratios to a bare program that
// does the same.
#define ROW_SET_RANDOM_INDEPENDENT "set-random-independent"
#define ROW_SET_RANDOM_DEPENDENT "set-random-dependent"
#define GOAL_SET_RANDOM 1.5

// The value is a reference-counted object that the property keeps alive.
#define ROW_SET_OBJECT_ONE_OBSERVER "set-object-one-observer"
#define GOAL_SET_OBJECT_ONE_OBSERVER 18.0

// One observer comes and goes; the pair of calls is one operation. It is the object's first, or its
// second; one of a path of two keys; one of an object that another thread sets every 50 µs.
#define ROW_ADD_REMOVE "add-remove-observer"
#define GOAL_ADD_REMOVE 35.0
#define ROW_ADD_REMOVE_SECOND "add-remove-second-observer"
#define GOAL_ADD_REMOVE_SECOND 90.0
#define ROW_ADD_REMOVE_PATH "add-remove-path"
#define GOAL_ADD_REMOVE_PATH 200.0
#define ROW_ADD_REMOVE_SHARED "add-remove-shared-object"
#define GOAL_ADD_REMOVE_SHARED 100.0

// The path a.b.c: c of the last object is set; b of the middle one is replaced.
#define ROW_PATH_LEAF "path-set-leaf"
#define GOAL_PATH_LEAF 11.0
#define ROW_PATH_INTERMEDIATE "path-replace-intermediate"
#define GOAL_PATH_INTERMEDIATE 40.0

// A key that two others affect; the observer only counts.
#define ROW_DEPENDENT "set-source-of-dependent"
#define GOAL_DEPENDENT 15.0

#define ROW_ORDERED_INSERT "ordered-insert"
#define GOAL_ORDERED_INSERT 20.0

// The value is stored between the two announcements; one observer.
#define ROW_WILL_DID "will-did-one-observer"
#define GOAL_WILL_DID 20.0

// Each write is to another of 2 000 (class, key) pairs, of an object that nobody observes.
#define ROW_WRITE_BY_KEY "write-by-key-of-many"
#define GOAL_WRITE_BY_KEY 12.0

// The class pair is made; the class itself is there.
#define ROW_FIRST_OBSERVATION "first-observation-of-class"
#define GOAL_FIRST_OBSERVATION 800.0

// A property is kept in step with one of another object: with one way, the model's age is set and
// the view's read; with two ways also the other way round. Beside a set that one observer hears.
// A binding that is made and ended; its bytes, beyond those of the two objects.
#define ROW_BIND_ONE_WAY "bind-one-way"
#define ROW_BIND_ONE_WAY_IN_CALLS "bind-one-way-in-calls"
#define ROW_BIND_TWO_WAYS "bind-two-ways"
#define ROW_BIND_TWO_WAYS_BACK "bind-two-ways-back"
#define ROW_BIND_UNBIND "bind-and-unbind"
#define ROW_BYTES_PER_BINDING "bytes-per-binding"

// The time of single sets while another thread registers and removes, of plain sets while another
// thread sets plainly, and of reading the clock around nothing; nanoseconds, at percentiles.
#define ROW_LATENCY_SET "latency-set"
#define ROW_LATENCY_PLAIN "latency-plain-set"
#define ROW_LATENCY_CLOCK "latency-clock"

// Not times: bytes; the share of a share-nothing control that two threads reach; heap blocks.
#define ROW_BYTES_PER_OBJECT "bytes-per-observed-object"
#define GOAL_BYTES_PER_OBJECT 96.0
#define ROW_THREADS_OWN_OBJECTS "two-threads-own-objects"
#define GOAL_THREADS_OWN_OBJECTS 0.95
#define ROW_ALLOCATIONS_PER_SET "allocations-per-set"

#endif
