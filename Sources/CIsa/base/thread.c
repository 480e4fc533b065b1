// Thread records, and ranked locks.
//
// A thread gets a record at its first use of the core, and hands the record back at its end, for
// another thread. A lock is a word: taking a free lock is one instruction, and so is giving up a
// lock that nobody awaits. No user code runs under a lock, so it is free again soon: a thread that
// finds a lock held looks at it a few times more, and then sleeps.
//
// Owns:      every record, for the life of the process; a reserve of static ones serves when memory
//            is short. Records are not counted and tests cannot make them fail. The object locks,
//            and the only place where threads sleep.
// Locks:     `list_lock` guards `in_use`, the reserve, the numbers and names; the list is read
//            without it.
// Invariant: `threads_in_use` counts a thread before it has its record and until it has given it
//            back. Bit r of `held_ranks` is set while the thread holds a lock of rank r; it holds
//            at most one of each rank, because each lock taken outranks all that it holds. A thread
//            makes a lock AWAITED and goes to sleep under `sleeping`; another that gives such a
//            lock up takes `sleeping` before it wakes all, so it misses none.
#include "thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "reclaim.h"
#include "status.h"

enum { RESERVE = 64 };

struct isa__thread isa__no_thread = {.reader_epoch = UINT64_MAX};
_Thread_local struct isa__thread *isa__current = &isa__no_thread;
void (*isa__thread_prepare)(struct isa__thread *thread);
void (*isa__thread_let_go)(struct isa__thread *thread);

static ISA_LOCK_DEFINE(list_lock, ISA_LOCK_THREAD)
static struct isa__thread *first_record;
static isa__word64 threads_in_use;
static uint64_t last_number;
static uint16_t last_name = ISA_THREAD_FIRST_NAME - 1;
static struct isa__thread reserve[RESERVE];
static size_t reserve_used;
static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;

struct isa__thread *isa__thread_list(void)
{
    return __atomic_load_n(&first_record, __ATOMIC_ACQUIRE);
}

uint64_t isa__thread_count(void)
{
    return __atomic_load_n(&threads_in_use, __ATOMIC_SEQ_CST);
}

// ---- records ------------------------------------------------------------------------------------

// The record's part of the protocols of reclaim.h, as of a thread that is in no call.
static void clear_calls(struct isa__thread *thread)
{
    for (uint32_t i = 0; i <= ISA_HAZARD_SLOTS; i++)
        __atomic_store_n(&thread->hazards[i], NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->hazard_count, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->callout_count, 0, __ATOMIC_RELEASE);
    thread->reader_depth = 0;
    thread->open = NULL;
    thread->silences = NULL;
    thread->compared.count = thread->resent.count = 0;
    __atomic_store_n(&thread->reader_epoch, 0, __ATOMIC_RELEASE);
}

// Ends the calls that the thread was inside, and does the work that was put off until then.
static void leave_calls(struct isa__thread *thread)
{
    clear_calls(thread);
    thread->in_sink = false;
    thread->event_queue = NULL;
    thread->cause_count = 0;
    thread->logged = NULL;
    thread->place_file = NULL;
    thread->endless = 0;
    if (isa__thread_let_go != NULL) isa__thread_let_go(thread);
    isa__reader_attend(thread);
    isa__reclaim();
}

// Takes a thread's record back when the thread ends. Should the core be entered once more, by a
// destructor that runs later, the thread gets a record anew and this runs again.
static void thread_ended(void *record)
{
    struct isa__thread *thread = record;
    if (thread->reader_epoch != 0) {
        leave_calls(thread);
        isa__misuse(ISA_ERR_UNSUPPORTED, "NSInternalInconsistencyException",
                    "a thread ended inside a callback, as by pthread_exit or cancellation; the "
                    "changes that it was delivering count as over. A callback has to return.");
    }
    isa__current = &isa__no_thread;
    isa__lock(&list_lock);
    thread->in_use = false;
    isa__unlock(&list_lock);
    __atomic_fetch_sub(&threads_in_use, 1, __ATOMIC_SEQ_CST);
}

static void make_end_key(void)
{
    int error = pthread_key_create(&end_key, thread_ended);
    ISA_REQUIRE(error == 0, "isa__thread_enter: no thread-specific key: error %d", error);
}

static struct isa__thread *find_unused_locked(void)
{
    struct isa__thread *thread = first_record;
    while (thread != NULL && thread->in_use) thread = thread->next;
    return thread;
}

static struct isa__thread *make_record_locked(void)
{
    struct isa__thread *thread = aligned_alloc(_Alignof(struct isa__thread), sizeof *thread);
    if (thread == NULL) {
        ISA_REQUIRE(reserve_used < RESERVE, "isa__thread_enter: no memory for a thread's record");
        thread = &reserve[reserve_used++];
    }
    memset(thread, 0, sizeof *thread);
    bool has_name = last_name < ISA_THREAD_LAST_NAME;
    thread->own_state = has_name ? ++last_name : ISA_THREAD_NO_NAME;
    thread->next = first_record;
    __atomic_store_n(&first_record, thread, __ATOMIC_RELEASE);
    return thread;
}

// Forgets what the record's former thread left in it. Its counts stay: blocks outlive their thread.
static void clear_record(struct isa__thread *thread)
{
    // The thread is in no reader section: thread_ended sees to it.
    thread->coding = thread->proxies = thread->registering = thread->ending = 0;
    thread->compared.count = thread->resent.count = 0;
    thread->endless = 0;
    thread->cause_count = 0;
    thread->logged = NULL;
    thread->place_file = NULL;
    thread->fail_after = -1;
    thread->has_failed = false;
    thread->in_sink = false;
    thread->event_queue = NULL;
    thread->own_stack = (struct isa__stack){0, 0};
    thread->last.error = (isa_error){.exception = "", .reason = "", .class_name = "", .key = ""};
}

void isa__threads_forget(void)
{
    for (struct isa__thread *t = first_record; t != NULL; t = t->next) {
        if (t == isa__current) continue;
        clear_calls(t);
        t->on_leave = 0;
        t->entered_count = 0;
        t->in_use = false;
    }
    __atomic_store_n(&threads_in_use, isa__thread_is_known(), __ATOMIC_SEQ_CST);
}

struct isa__thread *isa__thread_enter(void)
{
    pthread_once(&end_key_once, make_end_key);
    __atomic_fetch_add(&threads_in_use, 1, __ATOMIC_SEQ_CST);
    // A thread that does not see the count yet is seen by every load behind this: see reclaim.h.
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    isa__lock(&list_lock);
    struct isa__thread *thread = find_unused_locked();
    if (thread == NULL) thread = make_record_locked();
    clear_record(thread);
    if (isa__thread_prepare != NULL) isa__thread_prepare(thread);
    thread->number = ++last_number;
    thread->in_use = true;
    isa__unlock(&list_lock);
    isa__current = thread;
    // Without memory for this the record is never handed back: a loss, but nothing wrong.
    (void)pthread_setspecific(end_key, thread);
    return thread;
}

// ---- room ---------------------------------------------------------------------------------------

bool isa__stack_has_room(struct isa__thread *thread)
{
    enum { MOST_KEPT = 128 * 1024 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (thread->own_stack.high == 0) thread->own_stack = isa__system_stack(here);
    if (!isa__stack_has(thread->own_stack, here)) return true;
    size_t quarter = (thread->own_stack.high - thread->own_stack.low) / 4;
    return here - thread->own_stack.low >= (quarter < MOST_KEPT ? quarter : MOST_KEPT);
}

// ---- pairs --------------------------------------------------------------------------------------

bool isa__pairs_have(const struct isa__pairs *pairs, const void *first, const void *second)
{
    for (uint32_t i = 0; i < pairs->count && i < ISA_PAIRS; i++)
        if (pairs->pairs[i].first == first && pairs->pairs[i].second == second) return true;
    return false;
}

uint32_t isa__pairs_begin(struct isa__pairs *pairs, const void *first, const void *second)
{
    uint32_t count = pairs->count++;
    if (count < ISA_PAIRS) pairs->pairs[count] = (struct isa__pair){first, second};
    return count;
}

// ---- locks --------------------------------------------------------------------------------------

enum { OBJECT_LOCKS_LOG2 = 6, OBJECT_LOCKS = 1 << OBJECT_LOCKS_LOG2 };

// Two objects' locks never share a cache line.
struct padded_lock {
    _Alignas(64) struct isa__lock lock;
};

#define ONE_LOCK {ISA_LOCK_INIT(ISA_LOCK_OBJECT)}
#define FOUR_LOCKS ONE_LOCK, ONE_LOCK, ONE_LOCK, ONE_LOCK
#define SIXTEEN_LOCKS FOUR_LOCKS, FOUR_LOCKS, FOUR_LOCKS, FOUR_LOCKS
static struct padded_lock object_locks[OBJECT_LOCKS] = {SIXTEEN_LOCKS, SIXTEEN_LOCKS,
                                                        SIXTEEN_LOCKS, SIXTEEN_LOCKS};

#ifndef NDEBUG
static _Thread_local uint32_t held_ranks;
#endif

static pthread_mutex_t sleeping = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;

// Whether the lock was free, and now is the caller's.
static bool lock_take(struct isa__lock *lock)
{
    uint32_t seen = ISA_LOCK_FREE;
    return __atomic_compare_exchange_n(&lock->state, &seen, ISA_LOCK_HELD, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

ISA_RARE void await_and_take(struct isa__lock *lock)
{
    enum { LOOKS = 100 };
    for (int i = 0; i < LOOKS; i++) {
        if (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) == ISA_LOCK_FREE && lock_take(lock))
            return;
        isa__pause_shortly();
    }
    pthread_mutex_lock(&sleeping);
    while (__atomic_exchange_n(&lock->state, ISA_LOCK_AWAITED, __ATOMIC_ACQUIRE) != ISA_LOCK_FREE)
        pthread_cond_wait(&freed, &sleeping);
    pthread_mutex_unlock(&sleeping);
}

ISA_RARE void wake_all(void)
{
    pthread_mutex_lock(&sleeping);
    pthread_cond_broadcast(&freed);
    pthread_mutex_unlock(&sleeping);
}

void isa__lock(struct isa__lock *lock)
{
    ISA_ASSERT(held_ranks >> lock->rank == 0);
#ifndef NDEBUG
    held_ranks |= 1u << lock->rank;
#endif
    if (ISA_UNLIKELY(!lock_take(lock))) await_and_take(lock);
}

void isa__unlock(struct isa__lock *lock)
{
    ISA_ASSERT((held_ranks >> lock->rank & 1) != 0);
#ifndef NDEBUG
    held_ranks &= ~(1u << lock->rank);
#endif
    uint32_t before = __atomic_exchange_n(&lock->state, ISA_LOCK_FREE, __ATOMIC_RELEASE);
    if (ISA_UNLIKELY(before == ISA_LOCK_AWAITED)) wake_all();
}

// ---- locks and fork -----------------------------------------------------------------------------

enum { MOST_KNOWN = 32 };

static struct isa__lock *known[MOST_KNOWN]; // in the order of ranks; written before main
static size_t known_count;

void isa__lock_make_known(struct isa__lock *lock)
{
    ISA_ASSERT(known_count < MOST_KNOWN);
    size_t at = known_count++;
    for (; at > 0 && known[at - 1]->rank > lock->rank; at--) known[at] = known[at - 1];
    known[at] = lock;
}

// Calls `act` on every lock whose rank is from `first` to `last`, lowest first.
static void each_lock(enum isa__lock_rank first, enum isa__lock_rank last,
                      void (*act)(struct isa__lock *lock))
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i]->rank >= first && known[i]->rank <= last) act(known[i]);
}

static void each_object_lock(void (*act)(struct isa__lock *lock))
{
    for (size_t i = 0; i < OBJECT_LOCKS; i++) act(&object_locks[i].lock);
}

// Two threads may hold all locks of one rank only one after the other: both take them in one order.
static void take_one(struct isa__lock *lock)
{
    if (!lock_take(lock)) await_and_take(lock);
}

static void make_free(struct isa__lock *lock)
{
    __atomic_store_n(&lock->state, ISA_LOCK_FREE, __ATOMIC_RELEASE);
}

static void free_all(void)
{
    each_lock(ISA_LOCK_OBSERVING, ISA_LOCK_TRACE, make_free);
    each_object_lock(make_free);
}

void isa__locks_take(void)
{
    ISA_ASSERT(held_ranks == 0);
    each_lock(ISA_LOCK_OBSERVING, ISA_LOCK_OBJECT, take_one);
    each_object_lock(take_one);
    each_lock(ISA_LOCK_SELECTOR, ISA_LOCK_TRACE, take_one);
    pthread_mutex_lock(&sleeping);
}

// Wakes all, as each of the locks may be awaited.
void isa__locks_give(void)
{
    free_all();
    pthread_cond_broadcast(&freed);
    pthread_mutex_unlock(&sleeping);
}

void isa__locks_reset(void)
{
    free_all();
    pthread_cond_init(&freed, NULL);
    pthread_mutex_init(&sleeping, NULL);
}

// ---- the object locks ---------------------------------------------------------------------------

struct isa__lock *isa__lock_for(const void *address)
{
    // Objects are aligned to 16 bytes; the multiplication spreads what is left over the top bits.
    uint64_t mixed = ((uint64_t)(uintptr_t)address >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return &object_locks[mixed >> (64 - OBJECT_LOCKS_LOG2)].lock;
}

struct isa__lock *isa__lock_object(const void *address)
{
    struct isa__lock *lock = isa__lock_for(address);
    isa__lock(lock);
    return lock;
}
