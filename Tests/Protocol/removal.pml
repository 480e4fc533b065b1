// Removal beside other threads: one observed object, whose setters read its registrations without a
// lock while threads add and remove, and the memory that is freed meanwhile.
//
// Shape:     each thread sets, adds and removes as often as its configuration says, in any order.
//            A registration is a bit; the object's word is the set of those that are linked. One
//            more bit stands for the list's block, which an adder replaces.
// Ordering:  stores go through a buffer per thread, first in, first out, as x86 has them. A locked
//            instruction and a fence wait until their thread's buffer is empty; membarrier waits
//            for each thread's in turn. One step of a thread has at most one access to memory that
//            others write meanwhile; putting a store into the buffer is none.
// Checked:   no callback starts after its removal has returned; nobody reads what was freed;
//            nothing is freed twice; nobody waits for a callback (it would be an invalid end
//            state); in the end all that was unlinked has been freed.
// Argument:  docs/decisions/0023-removal-is-modelled-first.md.
// Mutants:   each -DMUTANT_… takes one step of the argument away; scripts/test-protocol.sh has
//            the list, and the configurations.
//
// A callback starts where the check that allows it ends, as in base/reclaim.h.

// ---- the configuration --------------------------------------------------------------------------

#ifndef THREADS
#define THREADS 2        // up to 3
#endif
#ifndef START
#define START OPEN       // the object's state at first
#endif
#ifndef LINKED
#define LINKED 2         // registrations that stand at first
#endif
#ifndef SETS             // how often each thread sets, removes, adds
#define SETS {1, 0, 0}
#endif
#ifndef REMOVALS
#define REMOVALS {0, 1, 0}
#endif
#ifndef ADDS
#define ADDS {0, 0, 0}
#endif
#ifndef ADDED
#define ADDED 0          // of all threads together
#endif
#ifndef SWITCHES
#define SWITCHES 0       // how often, all in all, readers do what the first three of these allow
#endif
// CAN_FILL       a reader has no room to note that it counts, or finds that reads are many: from
//                PENDING or COUNTED to OPEN
// CAN_OPEN       the latter, from COUNTED alone
// CAN_OWN        and that all of them are its own: from COUNTED to OWNED
// NESTS          a callback may set and remove, of what its thread still has to do
// WAITS          a callback may wait until the removals that are under way have returned
// AGAIN          thread 0 removes the first registration, whoever else has or does
// BATCHES        what cannot be freed at once is retired as in base/reclaim.c; else it just stays
// FENCES         there is no membarrier, and readers pay for fences
// COLLIDES       readers and removers of another object use the same counters
// QUIETS         a removal from another object finds that no earlier reader is left, or that one is

// ---- memory -------------------------------------------------------------------------------------

// The state of an object. OWNED has the number of the owner added, PENDING an epoch: no reader that
// has not counted itself has a later one.
#define NEW 0
#define OPEN 1
#define COUNTED 2
#define OWNED 4
#define PENDING 8
#define IS_OWNED(state) ((state) >= OWNED && (state) < PENDING)
#define IS_PENDING(state) ((state) >= PENDING)
#define COUNTS(state) ((state) == COUNTED || IS_PENDING(state))

// Places that stores reach through a buffer.
#define LOCK 0           // the object's
#define STATE 1
#define WORD 2
#define ENDED 3          // the bits of the registrations that have ended
#define PHASE 4          // the counter that newcomers take
#define RECLAIM_LOCK 5
#define READER 6         // plus a thread's number: 0, or the epoch at entry
#define CHECK (READER + THREADS)  // plus that: 0, or what is being checked
#define ATTEND (CHECK + THREADS) // plus that: whether it has to look for batches on leaving
#define PLACES (ATTEND + THREADS)
#define ADDITION PLACES  // plus a counter's number, in a buffer only

#define BIT(r) (1 << (r))
#define LIST_BLOCK 128     // the bit of the list's block
#define REGISTRATIONS (LINKED + ADDED)

#ifndef BUFFER
#define BUFFER 4         // the stores of a critical section
#endif

typedef Buffer {
    byte used;
    byte place[BUFFER];
    byte value[BUFFER];
}

byte memory[PLACES];
Buffer buffer[THREADS];
byte count[2];           // readers that have counted themselves; by locked instructions only
byte epoch = 1;          // by locked instructions only
byte quiet;              // the last epoch that is seen to have no readers left; likewise
byte waited;             // registrations whose removal has waited; by locked instructions only

// Guarded by the lock of reclamation.
byte collecting, waiting, waiting_epoch;

// ---- what the properties are about; the protocol does not read it -------------------------------

byte begun;              // removals that have begun
byte returned;           // and those that have returned
byte unlinked;           // blocks that the word has led to and does not lead to any more
byte freed;
byte kept;               // without BATCHES: could not be freed at once

byte added = BIT(LINKED) - 1; // registrations that there are tokens of
byte next_added = LINKED;
byte switches = SWITCHES;
byte finished;
#ifdef AGAIN
bool was_removed_again;
#endif

// ---- stores, loads and barriers -----------------------------------------------------------------

// Takes the oldest store out of a buffer, any time.
proctype memory_system()
{
    byte t, i;
end:
    do
    :: atomic {
        if
        :: buffer[0].used > 0 -> t = 0
        :: buffer[1].used > 0 -> t = 1
#if THREADS > 2
        :: buffer[2].used > 0 -> t = 2
#endif
        fi;
        d_step {
            if
            :: buffer[t].place[0] < PLACES -> memory[buffer[t].place[0]] = buffer[t].value[0]
            :: else -> count[buffer[t].place[0] - ADDITION]++
            fi;
            buffer[t].used--;
            i = 0;
            do
            :: i < BUFFER - 1 ->
                buffer[t].place[i] = buffer[t].place[i + 1];
                buffer[t].value[i] = buffer[t].value[i + 1];
                i++
            :: else -> break
            od;
            buffer[t].place[BUFFER - 1] = 0;
            buffer[t].value[BUFFER - 1] = 0;
            i = 0;
            t = 0
        }
    }
    od
}

// Waits for room.
inline store(at, what)
{
    d_step {
        buffer[me].used < BUFFER ->
        buffer[me].place[buffer[me].used] = at;
        buffer[me].value[buffer[me].used] = what;
        buffer[me].used++
    }
}

// A thread sees its own stores before others do.
inline load(into, at)
{
    d_step {
        into = memory[at];
        i = 0;
        do
        :: i < buffer[me].used ->
            if
            :: buffer[me].place[i] == at -> into = buffer[me].value[i]
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
    }
}

// A fence, and how a locked instruction begins.
#define IS_DRAINED(t) (buffer[t].used == 0)

// The rest of the same step may load only what the lock guards.
#define CAN_ACQUIRE(lock) (IS_DRAINED(me) && memory[lock] == 0)
#define ACQUIRE(lock) memory[lock] = 1

// No locked instruction.
inline release(lock) { store(lock, 0) }

// Every thread executes a fence, each at a moment of its own; this one has.
inline membarrier()
{
#if !defined FENCES && !defined MUTANT_NO_BARRIER
    do
    :: atomic { t < THREADS && IS_DRAINED(t) -> t++ }
    :: atomic { t == THREADS -> t = 0; break }
    od
#else
    skip
#endif
}

// The condition of a reader's next load after its store. The compiler keeps their order.
#if defined FENCES && !defined MUTANT_NO_BARRIER
#define LIGHT_BARRIER IS_DRAINED(me)
#else
#define LIGHT_BARRIER true
#endif

// ---- reading ------------------------------------------------------------------------------------

#define NOWHERE 2
#define OWN(counter) (counted_in == (counter) -> 1 : 0)
#define IS_ANOTHERS(state) (IS_OWNED(state) && (state) != OWNED + me)

// A reader looks at what `word` leads to.
#define READS(word) assert(((word) & freed) == 0)

// Makes the state `to` if `condition`, which is about `s`, the state under the lock.
inline set_state(condition, to)
{
    atomic {
        CAN_ACQUIRE(LOCK) -> ACQUIRE(LOCK);
        load(s, STATE);
        if
        :: condition -> store(STATE, to)
        :: else
        fi;
        release(LOCK)
    }
}

inline count_in()
{
    load(phase, PHASE);
#ifdef MUTANT_ADD_IS_NO_FENCE
    atomic { store(ADDITION + phase, 1); counted_in = phase; phase = 0 }
#else
    atomic { IS_DRAINED(me) -> count[phase]++; counted_in = phase; phase = 0 }
#endif
}

// The thread itself becomes the owner, if nobody else is inside.
inline become_owner()
{
    atomic {
        CAN_ACQUIRE(LOCK) -> ACQUIRE(LOCK);
        load(s, STATE);
        if
        :: s == COUNTED -> store(STATE, OWNED + me)
        :: else
        fi
    };
#ifndef MUTANT_OWNED_UNSEEN
    if
    :: s == COUNTED ->
        atomic { IS_DRAINED(me) -> x = count[0] != OWN(0) };
        x = x || count[1] != OWN(1);
        if
        :: x -> store(STATE, OPEN); x = 0
        :: else
        fi
    :: else
    fi;
#endif
    release(LOCK)
}

// Goes on reading where the state was as this reader believed; else looks at it once more.
inline look_again(condition)
{
    if
    :: condition -> break
    :: else -> load(s, STATE)
    fi
}

#define IS_QUIET(state, seen) (IS_PENDING(state) && (state) - PENDING <= (seen))

// With the lock held, from `s`, the state: has readers count themselves from here on. They all have
// if the state was COUNTED, or is so now.
inline pend()
{
    if
    :: s == COUNTED
    :: IS_QUIET(s, quiet) -> s = COUNTED; store(STATE, s)
    :: IS_PENDING(s) && !IS_QUIET(s, quiet)
    :: !COUNTS(s) ->
        store(STATE, PENDING);
        // The change of the epoch, by nothing, is a locked instruction.
#ifndef MUTANT_PENDING_UNFENCED
        IS_DRAINED(me);
#endif
        s = PENDING + epoch;
        store(STATE, s)
    fi
}

// From `s`, the state as it was read, until the thread may load the word.
inline join()
{
    do
    :: s == OPEN || s == OWNED + me -> break
#ifdef MUTANT_NEW_IS_NOT_JOINED
    :: s == NEW -> break
#endif
#ifdef MUTANT_OWNED_IS_NOT_JOINED
    :: IS_ANOTHERS(s) -> break
#endif
    :: s == NEW || IS_ANOTHERS(s) ->
        set_state(s == NEW || IS_ANOTHERS(s), OPEN);
        look_again(s == NEW || IS_ANOTHERS(s))
    :: COUNTS(s) && counted_in != NOWHERE -> break
    :: COUNTS(s) && counted_in == NOWHERE ->
        count_in();
#ifdef MUTANT_NO_SECOND_LOOK
        break
#else
        load(s, STATE)
#endif
#ifdef CAN_FILL
    :: atomic { COUNTS(s) && counted_in == NOWHERE && switches > 0 -> switches-- };
        set_state(COUNTS(s), OPEN);
        look_again(COUNTS(s))
#endif
#ifdef CAN_OPEN
    :: atomic { s == COUNTED && switches > 0 -> switches-- };
        set_state(s == COUNTED, OPEN);
        look_again(s == COUNTED)
#endif
#ifdef CAN_OWN
    :: atomic { s == COUNTED && switches > 0 -> switches-- };
        become_owner();
        look_again(s == COUNTED)
#endif
    od;
    s = 0
}

// ---- freeing ------------------------------------------------------------------------------------

inline free(what)
{
    d_step {
        assert((freed & (what)) == 0);
        freed = freed | (what)
    }
}

#define COVERS(t) (memory[READER + t] != 0 && memory[READER + t] <= waiting_epoch)

// Whether a reader has `waiting_epoch` or an earlier one: into `x`.
inline look_for_cover(tells)
{
    do
    :: atomic { t < THREADS && !COVERS(t) -> t++ }
    :: atomic { t < THREADS && COVERS(t) -> x = 1 };
        atomic { memory[ATTEND + t] = memory[ATTEND + t] || tells; t++ }
    :: atomic { t == THREADS -> t = 0; break }
    od
}

// ---- a thread -----------------------------------------------------------------------------------

#ifdef MUTANT_QUIET_BUT_ITSELF
#define CAN_QUIETEN (closed > 0 && !is_covered)
#else
#define CAN_QUIETEN (closed > 0 && !is_covered && reader_epoch == 0)
#endif
#define CAN_REMOVE (removals[me] > 0 && (added & ~begun) != 0)

// The first registration that nobody removes yet is this thread's to remove.
inline choose_removal()
{
    d_step {
        removals[me]--;
        i = 0;
        do
        :: !(added & ~begun & BIT(i)) -> i++
        :: else -> break
        od;
        block = BIT(i);
        i = 0;
        begun = begun | block;
        is_removal = true
    }
}

byte sets[3] = SETS;
byte removals[3] = REMOVALS;
byte adds[3] = ADDS;

proctype thread(byte me)
{
    byte i, t, s, x, phase; // for a moment
    byte reader_epoch;      // as in memory
    byte counted_in = NOWHERE;
    byte word, r;           // of the outermost set, and the registration that is told
    byte block;             // what is being removed, or replaced
    byte own;               // to be freed when the section ends
    byte closed;            // the epoch that it has closed after PENDING was set
    bool is_removal, has_ended, is_alone, is_covered, in_callback, has_flipped;

next:
    atomic {
        if
        :: sets[me] > 0 -> sets[me]--; goto set
        :: CAN_REMOVE -> choose_removal(); goto remove
        :: removals[me] > 0 && (added & ~begun) == 0 && adds[me] == 0 -> removals[me] = 0; goto next
        :: adds[me] > 0 -> adds[me]--; goto add
        :: sets[me] == 0 && removals[me] == 0 && adds[me] == 0 -> goto finish
        fi
    };

set:
#ifdef MUTANT_WORD_BEFORE_STATE
    load(word, WORD);
#endif
#ifdef MUTANT_STATE_BEFORE_ENTRY
    load(s, STATE);
#endif
    atomic { reader_epoch = epoch; store(READER + me, reader_epoch) };
    LIGHT_BARRIER;
#ifndef MUTANT_STATE_BEFORE_ENTRY
    load(s, STATE);
#endif
    join();
#ifndef MUTANT_WORD_BEFORE_STATE
    load(word, WORD);
#endif
tell:
    atomic {
        READS(word);
        do
        :: r < REGISTRATIONS && !(word & BIT(r)) -> r++
        :: else -> break
        od;
        if
        :: r < REGISTRATIONS -> store(CHECK + me, 1 + r)
        :: else -> r = 0; word = 0; goto leave
        fi
    };
    atomic {
        LIGHT_BARRIER;
        READS(word);
        load(x, ENDED);
        x = x & BIT(r)
    };
    atomic {
        store(CHECK + me, 0);
        if
        :: x -> x = 0; r++; goto tell
        :: else -> assert(!(returned & BIT(r)))
        fi
    };
callback:
    if
#ifdef NESTS
    :: atomic { sets[me] > 0 -> sets[me]-- };
        if
        :: load(s, STATE); join()
        :: true // it is inside already
        fi;
        atomic { load(x, WORD); READS(x); x = 0; goto callback }
    :: atomic { CAN_REMOVE -> choose_removal(); in_callback = true; goto remove }
#endif
#ifdef WAITS
    :: atomic { (begun & ~returned) != 0 -> x = begun & ~returned };
        atomic { (returned & x) == x -> x = 0 }
#endif
    :: true
    fi;
    atomic { r++; goto tell };

leave:
    atomic { store(READER + me, 0); reader_epoch = 0 };
    if
    :: counted_in != NOWHERE ->
        atomic { IS_DRAINED(me) -> count[counted_in]--; counted_in = NOWHERE }
    :: else
    fi;
    free(own);
    own = 0;
#ifdef BATCHES
    LIGHT_BARRIER;
    load(x, ATTEND + me);
    if
    :: x -> x = 0; goto reclaim
    :: else
    fi;
#endif
    goto next;

remove:
#ifdef MUTANT_ENDED_IS_STORED
    load(x, ENDED);
    atomic { store(ENDED, x | block); has_ended = (x & block) != 0; x = 0 };
#else
    atomic {
        IS_DRAINED(me) -> has_ended = (memory[ENDED] & block) != 0;
        memory[ENDED] = memory[ENDED] | block
    };
#endif
    if
#ifdef MUTANT_ENDED_RETURNS_AT_ONCE
    :: has_ended -> goto have_waited
#endif
    :: atomic { has_ended && (waited & block) != 0 -> goto have_waited }
    :: atomic { has_ended && (waited & block) == 0 -> goto look_at_readers }
    :: else
    fi;
#ifdef MUTANT_WAITED_BEFORE_WAITING
    atomic { IS_DRAINED(me) -> waited = waited | block };
#endif
    atomic {
        CAN_ACQUIRE(LOCK) -> ACQUIRE(LOCK);
        load(x, WORD);
        store(WORD, x & ~block);
        unlinked = unlinked | block;
        load(s, STATE);
        x = 0
    };
    if
    :: atomic { s == OWNED + me -> release(LOCK); is_alone = true; goto have_waited }
#ifdef MUTANT_OPEN_IS_OWNED
    :: atomic { s == OPEN -> release(LOCK); is_alone = true; goto have_waited }
#endif
    :: else
    fi;
    pend();
    atomic {
        release(LOCK);
        if
        :: s == COUNTED -> goto look_at_counts
        :: else
        fi
    };
    atomic { IS_DRAINED(me) -> closed = epoch; epoch++ };
#ifdef MUTANT_EPOCH_NOT_CLOSED
    closed = epoch;
#endif

look_at_readers:
    membarrier();
    is_alone = true;
    do
    :: atomic { t < THREADS && t == me -> t++ }
    :: t < THREADS && t != me ->
#ifndef MUTANT_NO_WAIT_FOR_CHECKS
        atomic {
            x = memory[CHECK + t];
            if
            :: x != 0 -> memory[CHECK + t] != x
            :: else
            fi
        };
#endif
        atomic {
            if
            :: memory[READER + t] != 0 ->
                is_alone = false;
                is_covered = is_covered || memory[READER + t] <= closed
            :: else
            fi;
            x = 0;
            t++
        }
    :: atomic { t == THREADS -> t = 0; break }
    od;
#ifdef MUTANT_READERS_UNSEEN
    is_covered = false;
#endif
    if
    :: CAN_QUIETEN -> atomic { IS_DRAINED(me) -> quiet = (quiet > closed -> quiet : closed) }
    :: else
    fi;
#ifndef MUTANT_OWN_SECTION_IGNORED
    is_covered = is_covered || (reader_epoch != 0 && counted_in == NOWHERE);
#endif
    if
    :: closed > 0 && !is_covered ->
#ifdef MUTANT_ANY_PENDING
        set_state(IS_PENDING(s), COUNTED)
#else
        set_state(IS_QUIET(s, closed), COUNTED)
#endif
    :: else
    fi;
    goto have_waited;

look_at_counts:
#ifndef MUTANT_COUNTED_WITHOUT_FENCE
    IS_DRAINED(me);
#endif
#ifdef MUTANT_COUNTED_NEVER_WAITS
    is_alone = true;
#else
#ifdef MUTANT_ONE_COUNTER
    load(phase, PHASE);
    atomic { store(PHASE, 1 - phase); x = 2 - phase; phase = 0; has_flipped = true };
#endif
    do
    :: atomic { !(x & 1) && count[0] == OWN(0) -> x = x | 1 }
    :: atomic { !(x & 2) && count[1] == OWN(1) -> x = x | 2 }
    :: x != 3 && !has_flipped ->
        load(phase, PHASE);
        atomic { store(PHASE, 1 - phase); phase = 0; has_flipped = true }
    :: atomic { x == 3 -> is_alone = true; break }
#ifndef MUTANT_WAITS_FOR_CALLS
    :: x != 3 -> break
#endif
    od;
    atomic { x = 0; has_flipped = false };
#endif
    if
    :: !is_alone && is_removal -> IS_DRAINED(me); goto look_at_readers
    :: else
    fi;

have_waited:
    atomic {
        closed = 0;
        s = 0;
        is_covered = false;
        if
        :: is_removal -> returned = returned | block
        :: else
        fi;
        if
        :: is_removal && !has_ended && (!is_alone || reader_epoch != 0) ->
            IS_DRAINED(me); waited = waited | block
        :: else
        fi;
        if
        :: has_ended || block == 0
        :: !has_ended && block != 0 && is_alone ->
            if
#ifndef MUTANT_OWN_SECTION_FREES
            :: reader_epoch != 0 -> own = own | block
#endif
            :: else -> free(block)
            fi
        :: !has_ended && block != 0 && !is_alone ->
#ifdef BATCHES
            goto retire
#else
            kept = kept | block
#endif
        fi
    };
go_on:
    atomic {
        block = 0;
        is_removal = false;
        has_ended = false;
        is_alone = false;
        if
        :: in_callback -> in_callback = false; goto callback
        :: else -> goto next
        fi
    };

add:
    atomic {
        CAN_ACQUIRE(LOCK) -> ACQUIRE(LOCK);
        load(s, STATE);
        if
        :: s == NEW -> s = OWNED + me; store(STATE, s)
        :: else
        fi;
        load(x, WORD);
        block = x & LIST_BLOCK;
        unlinked = unlinked | block;
        x = (x & ~LIST_BLOCK) | BIT(next_added);
        store(WORD, x);
        x = 0;
        added = added | BIT(next_added);
        next_added++
    };
    if
    :: s == OPEN || COUNTS(s) -> pend()
    :: else
    fi;
    atomic {
        release(LOCK);
        if
        :: s == OWNED + me -> is_alone = true; goto have_waited
        :: s == COUNTED -> goto look_at_counts
        :: else -> goto have_waited
        fi
    };

#ifdef BATCHES
retire:
    atomic {
        CAN_ACQUIRE(RECLAIM_LOCK) -> ACQUIRE(RECLAIM_LOCK);
        collecting = collecting | block;
        release(RECLAIM_LOCK);
        if
        :: reader_epoch != 0 -> store(ATTEND + me, 1); goto go_on
        :: else
        fi
    };
reclaim:
    store(ATTEND + me, 0);
    do
    :: atomic {
            CAN_ACQUIRE(RECLAIM_LOCK) -> ACQUIRE(RECLAIM_LOCK);
            if
            :: waiting == 0 && collecting != 0 ->
                waiting = collecting;
                collecting = 0;
                waiting_epoch = epoch;
                epoch++
            :: else
            fi;
            if
            :: waiting == 0 -> release(RECLAIM_LOCK); break
            :: else
            fi
        };
        membarrier();
#ifdef MUTANT_NOBODY_IS_TOLD
        look_for_cover(false);
#else
        look_for_cover(true);
#endif
        if
        :: x -> x = 0; membarrier(); look_for_cover(false)
        :: else
        fi;
        if
        :: x -> x = 0; release(RECLAIM_LOCK); break
        :: else
        fi;
        atomic {
            free(waiting);
            waiting = 0;
            waiting_epoch = 0;
            release(RECLAIM_LOCK)
        }
    od;
    goto go_on;
#endif

finish:
#ifdef AGAIN
    atomic {
        if
        :: me == 0 && !was_removed_again ->
            was_removed_again = true;
            is_removal = true;
            block = BIT(0);
            begun = begun | block;
            goto remove
        :: else
        fi
    };
#endif
    finished++
}

#ifdef COLLIDES
proctype others()
{
    byte phase;
    phase = memory[PHASE];
    count[phase]++;
    memory[PHASE] = 1 - memory[PHASE];
    count[phase]--;
    memory[PHASE] = 1 - memory[PHASE];
    finished++
}
#endif

#ifdef QUIETS
// A thread without a section of its own, and its closing of an epoch, membarrier and look.
proctype quieter()
{
    byte t, closed;
    bool is_covered;
    do
    :: atomic { closed = epoch; epoch++ };
        do
        :: atomic { t < THREADS && IS_DRAINED(t) -> t++ }
        :: atomic { t == THREADS -> t = 0; break }
        od;
        do
        :: atomic {
                t < THREADS ->
                is_covered = is_covered || (memory[READER + t] != 0 && memory[READER + t] <= closed);
                t++
            }
        :: atomic { t == THREADS -> t = 0; break }
        od;
#ifdef MUTANT_QUIET_UNSEEN
        is_covered = false;
#endif
        atomic {
            if
            :: !is_covered && quiet < closed -> quiet = closed
            :: else
            fi;
            is_covered = false;
            closed = 0;
            break
        }
    od;
    finished++
}
#endif

#if defined COLLIDES || defined QUIETS
#define PROCESSES (THREADS + 1)
#else
#define PROCESSES THREADS
#endif

init
{
    byte t;
    atomic {
        memory[STATE] = START;
        memory[WORD] = BIT(LINKED) - 1;
#if ADDED > 0
        memory[WORD] = memory[WORD] | LIST_BLOCK;
#endif
        run memory_system();
        do
        :: t < THREADS -> run thread(t); t++
        :: else -> t = 0; break
        od;
#ifdef COLLIDES
        run others()
#endif
#ifdef QUIETS
        run quieter()
#endif
    };
    do
    :: t < THREADS -> finished == PROCESSES && IS_DRAINED(t); t++
    :: else -> break
    od;
    assert(count[0] == 0 && count[1] == 0 && memory[LOCK] == 0);
    assert((freed | kept) == unlinked)
}
