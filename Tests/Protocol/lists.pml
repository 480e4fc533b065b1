// A list of registrations grows and shrinks in place under a thread that tells them: see struct
// isa__list in Sources/CIsa/observing/registration.h, and roster.c.
//
// Checked: no place is read before it is written, and nothing that was freed; a latecomer is not
//          told of a change that began before it; the options are those of all that are told.
// Mutants: SHOWN_FIRST, OPTIONS_LAST, PLACE_USED_AGAIN, FREED_AT_ONCE.

#define WORDS 5
#define THREADS 3
#define USED 0
#define OPTIONS 1
#define ITEM(place) (2 + (place))  // NULL, NOBODY, or a registration
#define NULL 0
#define NOBODY 1
#define EARLY 2
#define LATE 3                     // asks for an option that EARLY does not ask for
#include "memory.pml"

bit lock;
bit is_gone;         // EARLY
bit marked;           // the reader

inline acquire() { atomic { !lock -> lock = 1 } }
inline unlock(me) { atomic { drain(me); lock = 0 } }

proctype adder(byte me) {
  byte each, used, first;
  acquire();
  load(me, USED, used);
#ifdef PLACE_USED_AGAIN
  load(me, ITEM(0), first);
  if :: first == NOBODY -> used = 0 :: else fi;
#endif
#ifndef OPTIONS_LAST
  release(me, OPTIONS, 1);
#endif
  store(me, ITEM(used), LATE);
  if
  :: used > 0 ->
#ifdef SHOWN_FIRST
     store(me, USED, used + 1)
#else
     release(me, USED, used + 1)
#endif
  :: else
  fi;
#ifdef OPTIONS_LAST
  release(me, OPTIONS, 1);
#endif
  unlock(me);
  running--
}

proctype remover(byte me) {
  byte each;
  acquire();
  release(me, ITEM(0), NOBODY);
  unlock(me);  // and the heavy barrier
#ifndef FREED_AT_ONCE
  !marked;
#endif
  is_gone = 1;
  running--
}

proctype teller(byte me) {
  byte each, used, options, place, item;
  bit began_early;
  marked = 1;
  load(me, USED, used);
  began_early = used < 2;
  load(me, OPTIONS, options);
  do
  :: place < used ->
     load(me, ITEM(place), item);
     assert(item != NULL);
     assert(item != EARLY || !is_gone);
     assert(item != LATE || options == 1);
     assert(item != LATE || !began_early);
     place++
  :: else -> break
  od;
  marked = 0;
  running--
}

init {
  atomic {
    memory[USED] = 1;
    memory[ITEM(0)] = EARLY;
    running = 3;
    run adder(0);
    run remover(1);
    run teller(2)
  };
  running == 0
}
