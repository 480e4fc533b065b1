// A list of registrations grows and shrinks in place under a thread that tells them: see struct
// isa__key_run in Sources/CIsa/observing/registration_list.h, and registration_list.c. The run of
// one key has one place, and moves to a longer one where another registration comes.
//
// Checked: no place is read before it is written or beyond its run, and nothing that was freed; a
//          latecomer is not told of a change that began before it; the options are those of all
//          that are told, also of one that a reader in the former run finds after it was taken out.
// Mutants: SHOWN_FIRST, OPTIONS_LAST, SHRUNK_WHILE_READ, FREED_AT_ONCE, MOVED_FIRST, WHERE_FIRST.
// Mutants: ENDED_LAST.

#define WORDS 9
#define THREADS 3
#define USED 0
#define OPTIONS 1
#define WHERE 2
#define FIRST_RUN 3                // of one place; the word behind it is no place of it
#define LATER_RUN 5                // of two
#define ASKED 7                    // whether an option is counted for which EARLY alone asks
#define ENDED 8                    // EARLY
#define NULL 0
#define NOBODY 1
#define EARLY 2
#define LATE 3                     // asks for an option that EARLY does not ask for
#include "memory.pml"

bit lock;
bit is_gone;          // EARLY
bit reading;          // the reader
bit is_open;          // the reader is or has been inside: it takes the lock first
bit is_shrunk;        // the place of EARLY has been given back

inline acquire() { atomic { !lock -> lock = 1 } }
inline unlock(me) { atomic { drain(me); lock = 0 } }

proctype adder(byte me) {
  byte each, used, where, item;
  acquire();
  load(me, USED, used);
  load(me, WHERE, where);
  if
  :: used == 1 ->
#ifdef MOVED_FIRST
     release(me, WHERE, LATER_RUN);
#endif
     load(me, where, item);
     store(me, LATER_RUN, item);
     where = LATER_RUN;
     release(me, WHERE, LATER_RUN)
  :: else
  fi;
#ifndef OPTIONS_LAST
  release(me, OPTIONS, 1);
#endif
  store(me, where + used, LATE);
#ifdef SHOWN_FIRST
  store(me, USED, used + 1);
#else
  release(me, USED, used + 1);
#endif
#ifdef OPTIONS_LAST
  release(me, OPTIONS, 1);
#endif
  unlock(me);
  running--
}

proctype remover(byte me) {
  byte each, used, where;
  acquire();
  load(me, USED, used);
  load(me, WHERE, where);
#ifndef ENDED_LAST
  release(me, ENDED, 1);
#endif
  release(me, where, NOBODY);
  release(me, ASKED, 0);
#ifdef ENDED_LAST
  release(me, ENDED, 1);
#endif
#ifdef SHRUNK_WHILE_READ
  if :: used == 1 -> is_shrunk = 1; release(me, USED, 0) :: else fi;
#else
  if :: used == 1 && !is_open -> is_shrunk = 1; release(me, USED, 0) :: else fi;
#endif
  unlock(me);  // and the heavy barrier
#ifndef FREED_AT_ONCE
  !reading;
#endif
  is_gone = 1;
  running--
}

proctype teller(byte me) {
  byte each, used, options, asked, ended, place, where, item;
  bit began_early;
  reading = 1;
  acquire();
  is_open = 1;
  began_early = !is_shrunk;
  unlock(me);
#ifdef WHERE_FIRST
  load(me, WHERE, where);
#endif
  load(me, USED, used);
  began_early = began_early && used < 2;
#ifndef WHERE_FIRST
  load(me, WHERE, where);
#endif
  load(me, OPTIONS, options);
  load(me, ASKED, asked);
  do
  :: place < used ->
     load(me, where + place, item);
     assert(item != NULL);
     assert(item != EARLY || !is_gone);
     load(me, ENDED, ended);
     assert(item != EARLY || ended == 1 || asked == 1);
     assert(item != LATE || options == 1);
     assert(item != LATE || !began_early);
     place++
  :: else -> break
  od;
  reading = 0;
  running--
}

init {
  atomic {
    memory[USED] = 1;
    memory[WHERE] = FIRST_RUN;
    memory[FIRST_RUN] = EARLY;
    memory[ASKED] = 1;
    running = 3;
    run adder(0);
    run remover(1);
    run teller(2)
  };
  running == 0
}
