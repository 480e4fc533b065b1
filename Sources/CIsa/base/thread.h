// Threads: locks with a rank, and one record per thread.
#ifndef ISA_BASE_THREAD_H
#define ISA_BASE_THREAD_H

#include "alloc.h"
#include "isa_types.h"
#include "status.h"
#include "system.h"

enum isa__lock_rank {
    ISA_LOCK_OBSERVING = 1, // making notifying classes, wrapping setters
    ISA_LOCK_CODING = 2,    // keeping facts
    ISA_LOCK_MODEL = 3,     // classes, methods, class table
    ISA_LOCK_CALL = 4,      // call interfaces, trampoline pool
    ISA_LOCK_OBJECT = 5,    // one object's registrations, associations (see isa__lock_for)
    ISA_LOCK_SELECTOR = 6,
    ISA_LOCK_RECLAIM = 7,
    ISA_LOCK_THREAD = 8,
    ISA_LOCK_TRACE = 9,
};

enum isa__lock_state {
    ISA_LOCK_FREE,
    ISA_LOCK_HELD,
    ISA_LOCK_AWAITED, // held, and a thread may be asleep until it is free
};

// A thread may take a lock only of a higher rank than those it holds; debug builds assert it.
struct isa__lock {
    uint32_t state; // enum isa__lock_state; atomic builtins
    enum isa__lock_rank rank;
};

#define ISA_LOCK_INIT(rank) {ISA_LOCK_FREE, (rank)}

// Defines a lock that stands by itself, and makes it known to fork: see base/fork.c.
#define ISA_LOCK_DEFINE(name, rank) \
    struct isa__lock name = ISA_LOCK_INIT(rank); \
    static __attribute__((constructor)) void make_##name##_known(void) \
    { \
        isa__lock_make_known(&name); \
    }

void isa__lock_make_known(struct isa__lock *lock);

void isa__lock(struct isa__lock *lock);
void isa__unlock(struct isa__lock *lock);

// The lock that guards the object record at `address`: one of a fixed set, all of rank
// ISA_LOCK_OBJECT, so a thread may hold one only.
struct isa__lock *isa__lock_for(const void *address);

// Takes that lock.
struct isa__lock *isa__lock_object(const void *address);

// Takes every lock, of a thread that has none; gives them up; in a child, where no thread awaits
// one, makes them anew.
void isa__locks_take(void);
void isa__locks_give(void);
void isa__locks_reset(void);

// ---- threads ------------------------------------------------------------------------------------

// One record per thread: the core's data for a thread, reached with one thread-local load.
//
// Lives:     records are never freed, only used again by later threads, so a pointer to one is good
//            for ever; a thread's record goes back when the thread ends.
// Invariant: `isa__thread_list` reaches every record ever made.

struct isa__link;
struct isa__key;
struct isa__registration;
struct isa__recorder;
struct isa__retired;
struct kvo_frame;
struct kvo_logged;

// A record that the thread has counted itself for, and by which counter: see base/reclaim.h.
struct isa__entered {
    const uint16_t *state;
    uint32_t *count;
};

// The threads that reclaim.h can name, and what the others are called: no state of an object.
enum { ISA_THREAD_FIRST_NAME = 4, ISA_THREAD_LAST_NAME = 32000, ISA_THREAD_NO_NAME = 3 };

enum {
    ISA_HAZARD_SLOTS = 64,
    ISA_CALLOUT_SLOTS = 16,
    ISA_ENTERED = 8,
    ISA_CAUSES = 64,
};

enum { ISA_FIRST_FRAME_SIZE = 512, ISA_SPARE_CHANGE_SIZE = 768 };

// A change, while it is announced or delivered.
struct isa__open {
    struct isa__open *outer; // the change in whose course it began
    isa_id object;
    const struct isa__key *key;
    uint64_t number; // one for will and did, another for every other; 0: not given yet, of an
                     // outermost change
    struct isa__registration *const *coming; // those to whom it has yet to be announced
    uint32_t coming_count;
    bool dirty; // the value may have changed again since it was read
    bool is_stored; // the value stands in memory of its own: only sets of its key change it
};

// A to-many key that a proxy changes: see observing/deliver.h.
struct isa__silence {
    struct isa__silence *outer;
    isa_id object;
    const struct isa__key *key;
    uint32_t depth; // how many calls the thread was inside
};

// Pairs of things that calls of a kind are about, so that a call that comes back to the same pair
// is noticed. Pairs beyond the room are only counted: calls that come back again and again come to
// a pair that is there.
enum { ISA_PAIRS = 64 };

struct isa__pairs {
    uint32_t count;
    struct isa__pair {
        const void *first, *second;
    } pairs[ISA_PAIRS];
};

struct isa__thread {
    // The reader section of reclaim.h; other threads read the epoch, only this one writes it.
    _Alignas(64) isa__word64 reader_epoch; // 0: in no section, else the epoch at entry
    uint32_t reader_depth;            // sections within the first
    uint32_t hazard_count;            // hazard slots in use, or more if they did not fit
    // The calls of this thread, outermost first, and one entry for deeper calls: see reclaim.h.
    const void *hazards[ISA_HAZARD_SLOTS + 1];
    // The work to do when the section ends, read as one word.
    union {
        struct {
            uint8_t attend_on_leave; // batches, or an end of notifying; set by any thread
            uint8_t parts_on_leave;  // `entered` or `kept` has something; this thread's
        };
        uint16_t on_leave;
    };
    uint16_t own_state; // of an object that this thread owns, see reclaim.h: never changes
    uint32_t callout_count; // entries of `callouts` in use, or more if they did not fit
    const void *callouts[ISA_CALLOUT_SLOTS]; // that this thread is inside, outermost first
    uint32_t entered_count;
    struct isa__entered entered[ISA_ENTERED]; // in this section
    struct isa__retired *kept;        // things to free when the section ends
    struct isa__open *open;           // the changes that it is inside, innermost first
    struct isa__silence *silences;    // likewise
    uint32_t fork_guards;             // one inside the other, see fork.c; only this thread writes
    uint32_t coding;                  // key paths and collections within one another
    uint32_t proxies;                 // to-many proxies that it is inside
    uint32_t registering;             // registrations in progress, one inside the other
    uint32_t ending;                  // ends of forwarders, one inside the other
    struct isa__link *to_end;         // those whose end was too deep within others
    uint64_t changes;                 // numbers that this thread has given to its changes
    uint64_t endless;                 // the last of them before one was too deep; 0: none was
    const void *endless_in;           // the outermost hazard then
    uint32_t cause_count;             // entries of `causes` in use, or more if they did not fit
    uint64_t causes[ISA_CAUSES];      // the events in whose course this thread is, outermost first
    struct kvo_logged *logged;        // the innermost notification that it sends and logs
    const char *place_file;           // where the program registers, if that is known; else NULL
    uint32_t place_line;
    uint64_t number;                  // 1, 2, 3, …
    int64_t fail_after;               // failure countdown, -1: off
    bool has_failed;
    bool in_use;                      // guarded by the list's lock
    isa__count64 counts[ISA_KIND_COUNT]; // blocks or things by kind; only this thread writes
    isa__count64 blocks;
    isa__count64 bytes;
    struct isa__event_queue *event_queue; // NULL: events are reported at once
    struct isa__recorder *recorder;   // trace/: goes on to the record's next thread
    uint64_t recorder_trace;          // the trace that it belongs to
    bool in_sink;                     // inside a listener, where nothing is reported
    struct isa__stack own_stack;      // that the system gave the thread; unknown until it is needed
    _Alignas(16) char first_frame[ISA_FIRST_FRAME_SIZE]; // observing/: of its outermost set
    _Alignas(16) char spare_change[ISA_SPARE_CHANGE_SIZE]; // observing/: see observing/change.c
    uint32_t spare_change_used;       // set by this thread, cleared by any; atomic builtins
    struct isa__pairs compared; // what it compares or describes
    struct isa__pairs resent;   // messages that it sends again, see observing/notifying_class.h
    struct isa__kept_error last; // the last error; only texts that are no constants stand in it
    struct isa__thread *next;         // in isa__thread_list; never changes
};

// Never NULL: a thread without a record has isa__no_thread, which is as if in a reader section, so
// that code which has to be outside of any need not ask for the record.
extern ISA_HIDDEN __attribute__((tls_model("initial-exec"))) _Thread_local
    struct isa__thread *isa__current;
extern ISA_HIDDEN struct isa__thread isa__no_thread;

static inline bool isa__thread_is_known(void)
{
    return isa__current != &isa__no_thread;
}

// Rank 6: makes a new record's first frame ready; lets go of what that of a thread holds which
// ended inside a callback. Filled at start.
extern void (*isa__thread_prepare)(struct isa__thread *thread);
extern void (*isa__thread_let_go)(struct isa__thread *thread);

// ---- nesting ------------------------------------------------------------------------------------

// Calls of a kind that may be within one another on any stack.
enum { ISA_NEST_FREELY = 8 };

// Whether the thread's stack has room for one more of such calls: a quarter of the stack, at most
// 128 KiB, is kept for what the innermost call does. Of a stack that the program made itself
// nothing is known, and it is taken for large enough.
bool isa__stack_has_room(struct isa__thread *thread);

// Whether one more call of a kind may begin, `depth` of which are within one another already.
static inline bool isa__may_nest(struct isa__thread *thread, uint32_t depth, uint32_t limit)
{
    return depth < limit && (depth < ISA_NEST_FREELY || isa__stack_has_room(thread));
}

// Enters one more call of a kind, unless `limit` of them are within one another or the stack has no
// room; `nesting` is the thread's. False: there is nothing to leave. `*depth` is for leaving it.
ISA_INLINE bool isa__nest_enter(struct isa__thread *thread, uint32_t *nesting, uint32_t limit,
                                uint32_t *depth)
{
    *depth = *nesting;
    if (ISA_UNLIKELY(!isa__may_nest(thread, *depth, limit))) return false;
    *nesting = *depth + 1;
    return true;
}

ISA_INLINE void isa__nest_leave(uint32_t *nesting, uint32_t depth)
{
    *nesting = depth;
}

// ---- pairs --------------------------------------------------------------------------------------

// Whether the thread is inside a call that is about the pair.
bool isa__pairs_have(const struct isa__pairs *pairs, const void *first, const void *second);

// Begins a call; it ends when the count, which is answered, is set again.
uint32_t isa__pairs_begin(struct isa__pairs *pairs, const void *first, const void *second);

// ---- records ------------------------------------------------------------------------------------

// Gives the calling thread a record. Never NULL: a reserve serves when memory is short.
struct isa__thread *isa__thread_enter(void);

// The calling thread's record.
static inline struct isa__thread *isa__thread_get(void)
{
    return __builtin_expect(isa__thread_is_known(), 1) ? isa__current : isa__thread_enter();
}

// The first of all records, in use or not; follow `next`. Acquire load.
struct isa__thread *isa__thread_list(void);

// How many threads have a record in use. Counted up, sequentially consistent, before a thread first
// uses its record, so that a thread that has used its record and reads 1 is alone.
uint64_t isa__thread_count(void);

// In a child: the other threads are not there, and their records may be used again.
void isa__threads_forget(void);

// What the thread that forks does before and after it; see fork.c.
void isa__fork_prepare(void);
void isa__fork_parent(void);

// Has fork leave children that can use the library. At start.
isa_status isa__fork_start(void);

#endif
