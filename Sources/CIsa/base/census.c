// The readers' census: counts, for records that several threads change, which threads are inside,
// so that a remover knows without a barrier when nobody else is. The protocol and its argument are
// in reclaim.h.
//
// Owns:      the counters, for the life of the process, which records share by hash: a collision
//            only looks as if somebody were inside; and the last epoch that is quiet.
// Locks:     isa__lock_for(the record) for each change of its state.
// Invariant: a counter is the number of entries in all threads' `entered` that lead to it.
#include "reclaim.h"

enum {
    LINES_LOG2 = 8,
    LINES = 1 << LINES_LOG2,
    PAUSES = 100, // between looks at a count
    LEAST_BUDGET = 32,
    LARGEST_BUDGET = 2048,
    READ_TIME = 15, // that a reader pays for counting itself, in ns
};

// All fields are read and written by atomic builtins. The fields below `phase` are hints.
struct line {
    _Alignas(64) uint32_t counts[2]; // readers inside
    uint32_t phase;    // the counter that newcomers take
    uint32_t reads;    // since the last removal
    uint32_t streak;   // reads of one thread since another has read or removed
    uint16_t reader;   // that thread
};

static struct line lines[LINES];
static isa__word64 quiet_epoch; // the latest that is known to be quiet; atomic builtins

static struct line *line_of(const uint16_t *state)
{
    uint64_t mixed = ((uint64_t)(uintptr_t)state >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return &lines[mixed >> (64 - LINES_LOG2)];
}

static bool is_pending(uint16_t state)
{
    return (state & ISA_CENSUS_PENDING) != 0;
}

static bool is_counting(uint16_t state)
{
    return state == ISA_CENSUS_COUNTED || is_pending(state);
}

// ---- hints --------------------------------------------------------------------------------------

// How many reads may count themselves for one barrier saved.
static uint32_t budget(void)
{
    uint32_t reads = isa__barrier_time() / READ_TIME;
    if (reads < LEAST_BUDGET) return LEAST_BUDGET;
    return reads > LARGEST_BUDGET ? LARGEST_BUDGET : reads;
}

static uint32_t hint(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void set_hint(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

// Whether it is this thread that has read last.
static bool is_streak(const struct isa__thread *thread, const struct line *line)
{
    return __atomic_load_n(&line->reader, __ATOMIC_RELAXED) == thread->own_state;
}

static void note_read(const struct isa__thread *thread, struct line *line)
{
    set_hint(&line->reads, hint(&line->reads) + 1);
    set_hint(&line->streak, is_streak(thread, line) ? hint(&line->streak) + 1 : 1);
    __atomic_store_n(&line->reader, thread->own_state, __ATOMIC_RELAXED);
}

static void note_removal(const struct isa__thread *thread, struct line *line)
{
    set_hint(&line->reads, 0);
    if (!is_streak(thread, line)) set_hint(&line->streak, 0);
}

// ---- counting -----------------------------------------------------------------------------------

static bool has_counted(const struct isa__thread *thread, const uint16_t *state)
{
    for (uint32_t i = 0; i < thread->entered_count; i++)
        if (thread->entered[i].state == state) return true;
    return false;
}

static void count_in(struct isa__thread *thread, const uint16_t *state, struct line *line)
{
    uint32_t *count = &line->counts[__atomic_load_n(&line->phase, __ATOMIC_RELAXED)];
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
    isa__fence_after_add();
    thread->entered[thread->entered_count++] = (struct isa__entered){state, count};
    thread->parts_on_leave = 1;
}

void isa__census_leave(struct isa__thread *thread)
{
    uint32_t count = thread->entered_count;
    thread->entered_count = 0;
    thread->parts_on_leave = 0;
    for (uint32_t i = 0; i < count; i++)
        __atomic_fetch_sub(thread->entered[i].count, 1, __ATOMIC_RELEASE);
    isa__free_kept(thread);
}

void isa__census_recount(void)
{
    for (size_t i = 0; i < LINES; i++) lines[i].counts[0] = lines[i].counts[1] = 0;
    if (!isa__thread_is_known()) return;
    for (uint32_t i = 0; i < isa__current->entered_count; i++) ++*isa__current->entered[i].count;
}

// Whether a counter has nobody but this thread.
static bool is_own_count(const struct isa__thread *thread, const uint32_t *count)
{
    uint32_t inside = __atomic_load_n(count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < thread->entered_count; i++)
        inside -= thread->entered[i].count == count;
    return inside == 0;
}

// Whether each counter has been seen with nobody but this thread, since now. Gives up in the end.
static bool are_counts_own(const struct isa__thread *thread, struct line *line)
{
    bool first = false, second = false;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (unsigned turn = 0; turn < PAUSES; turn++) {
        first = first || is_own_count(thread, &line->counts[0]);
        second = second || is_own_count(thread, &line->counts[1]);
        if (first && second) return true;
        if (turn == 0) __atomic_store_n(&line->phase, !first, __ATOMIC_RELAXED);
        isa__pause_shortly();
    }
    return false;
}

// ---- changing the state -------------------------------------------------------------------------

// Makes the record OPEN if `is_so` of its state.
static void open_if(bool (*is_so)(uint16_t state, uint16_t own), uint16_t *state, uint16_t own,
                    const void *record)
{
    struct isa__lock *lock = isa__lock_object(record);
    if (is_so(*state, own)) __atomic_store_n(state, ISA_CENSUS_OPEN, __ATOMIC_RELEASE);
    isa__unlock(lock);
}

static bool is_closed(uint16_t state, uint16_t own)
{
    return state == ISA_CENSUS_NEW ||
           (!is_counting(state) && state != ISA_CENSUS_OPEN && state != own);
}

static bool is_to_count(uint16_t state, uint16_t own)
{
    (void)own;
    return is_counting(state);
}

// Makes the thread the owner, or the record OPEN if somebody else is inside.
static void become_owner(const struct isa__thread *thread, uint16_t *state, const void *record,
                         struct line *line)
{
    struct isa__lock *lock = isa__lock_object(record);
    if (*state == ISA_CENSUS_COUNTED) {
        __atomic_store_n(state, thread->own_state, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (!is_own_count(thread, &line->counts[0]) || !is_own_count(thread, &line->counts[1]))
            __atomic_store_n(state, ISA_CENSUS_OPEN, __ATOMIC_RELEASE);
    }
    isa__unlock(lock);
}

// Counts the thread in, or changes the state where reads are so many that this is worth a barrier
// to come.
static void join_counted(struct isa__thread *thread, uint16_t *state, const void *record,
                         uint16_t seen)
{
    struct line *line = line_of(state);
    uint32_t most = budget();
    note_read(thread, line);
    if (hint(&line->reads) <= most && hint(&line->streak) <= most) {
        count_in(thread, state, line);
        return;
    }
    bool owns = seen == ISA_CENSUS_COUNTED && hint(&line->streak) > most &&
                thread->own_state != ISA_THREAD_NO_NAME;
    set_hint(&line->reads, 0);
    set_hint(&line->streak, 0);
    if (owns) become_owner(thread, state, record, line);
    else open_if(is_to_count, state, thread->own_state, record);
}

void isa__census_join(struct isa__thread *thread, uint16_t *state, const void *record)
{
    for (;;) {
        uint16_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
        if (seen == ISA_CENSUS_OPEN || seen == thread->own_state) return;
        if (!is_counting(seen)) open_if(is_closed, state, thread->own_state, record);
        else if (has_counted(thread, state)) return;
        else if (thread->entered_count == ISA_ENTERED)
            open_if(is_to_count, state, thread->own_state, record);
        else join_counted(thread, state, record, seen);
    }
}

// ---- adding and removing ------------------------------------------------------------------------

// PENDING has its epoch's last 15 bits. They tell how far that lies behind another one as long as
// neither is half their range behind the present epoch; else it seems to lie far behind.
enum { FAR_BEHIND = ISA_CENSUS_PENDING / 2 };

static bool is_far_behind(uint16_t state, uint64_t epoch)
{
    return (epoch - state) % ISA_CENSUS_PENDING >= FAR_BEHIND;
}

// Makes a pending record COUNTED if its epoch is known to be `quiet` or earlier.
static void settle_locked(uint16_t *state, uint64_t quiet)
{
    uint64_t now = __atomic_load_n(&isa__epoch, __ATOMIC_RELAXED);
    if (!is_pending(*state) || is_far_behind(*state, quiet) || now - quiet >= FAR_BEHIND) return;
    __atomic_store_n(state, ISA_CENSUS_COUNTED, __ATOMIC_RELEASE);
}

static void settle(uint16_t *state, uint64_t quiet, const void *record)
{
    struct isa__lock *lock = isa__lock_object(record);
    settle_locked(state, quiet);
    isa__unlock(lock);
}

void isa__census_pend_locked(uint16_t *state)
{
    if (is_pending(*state)) {
        settle_locked(state, __atomic_load_n(&quiet_epoch, __ATOMIC_ACQUIRE));
        if (!is_pending(*state)) return;
        if (!is_far_behind(*state, __atomic_load_n(&isa__epoch, __ATOMIC_RELAXED))) return;
    }
    __atomic_store_n(state, ISA_CENSUS_PENDING, __ATOMIC_RELEASE);
    // A change of the epoch, though by nothing: who closes it afterwards, and whoever reads a later
    // one, sees PENDING.
    uint64_t epoch = __atomic_fetch_add(&isa__epoch, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(state, ISA_CENSUS_PENDING | (uint16_t)(epoch % ISA_CENSUS_PENDING),
                     __ATOMIC_RELEASE);
}

static void note_quiet(uint64_t epoch)
{
    uint64_t known = __atomic_load_n(&quiet_epoch, __ATOMIC_RELAXED);
    while (known < epoch && !__atomic_compare_exchange_n(&quiet_epoch, &known, epoch, true,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
}

bool isa__census_look(const struct isa__thread *thread, const uint16_t *state, uint16_t found)
{
    return found == ISA_CENSUS_COUNTED && are_counts_own(thread, line_of(state));
}

bool isa__census_await_others(struct isa__thread *thread, uint16_t *state, const void *record,
                              uint16_t found)
{
    note_removal(thread, line_of(state));
    if (found == ISA_CENSUS_COUNTED)
        return isa__census_look(thread, state, found) ||
               isa__wait_for_checks(0) == ISA_READERS_NONE;
    uint64_t epoch = isa__epoch_close();
    enum isa__readers readers = isa__wait_for_checks(epoch);
    if (readers == ISA_READERS_EARLIER) return false;
    bool is_inside = thread->reader_epoch != 0;
    if (!is_inside) note_quiet(epoch);
    if (!is_inside || has_counted(thread, state)) settle(state, epoch, record);
    return readers == ISA_READERS_NONE;
}
