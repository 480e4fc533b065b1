// An object's reference count moves from its record word to a side record, while threads retain
// it: see isa__side_get in Sources/CIsa/object/side.c, and refcount.c.
//
// Each of two threads retains once, so that two makers of a side record meet both.
// Checked: no reference is lost or made, one side record stands, and every thread finds the same.
// Mutants: COUNT_COPIED_ONCE, MOVED_BY_A_STORE, COUNTED_BY_A_STORE, COUNT_COPIED_PLAINLY.

#define WORDS 3
#define THREADS 4
#define RECORD 0  // a count, or SIDE and a side record's number
#define SIDE 16
#define COUNT(side) (side - SIDE + 1)  // where the side record has its count
#include "memory.pml"

byte made;   // side records that stand
byte first;  // the one that a maker found

proctype counter(byte me) {
  byte each, word, cell, seen;
  bit done;
  do
  :: !done ->
     load(me, RECORD, word);
     if
     :: word >= SIDE -> cell = COUNT(word); load(me, cell, seen)
     :: else -> cell = RECORD; seen = word
     fi;
     assert(seen > 0);
#ifdef COUNTED_BY_A_STORE
     store(me, cell, seen + 1);
     done = 1
#else
     exchange(me, cell, seen, seen + 1, done)
#endif
  :: else -> break
  od;
  running--
}

proctype maker(byte me; byte side) {
  byte each, old, cell = COUNT(side);
  bit done;
  load(me, RECORD, old);
#ifdef COUNT_COPIED_ONCE
  store(me, cell, old);
#endif
  do
  :: old >= SIDE -> break  // another's stands: this one is freed
  :: else ->
#ifndef COUNT_COPIED_ONCE
     store(me, cell, old);
#endif
#if defined(MOVED_BY_A_STORE)
     release(me, RECORD, side);
     done = 1;
#elif defined(COUNT_COPIED_PLAINLY)
     atomic {
       done = (memory[RECORD] == old);
       if :: done -> memory[RECORD] = side :: else fi
     };
#else
     exchange(me, RECORD, old, side, done);
#endif
     if
     :: done -> made++; old = side; break
     :: else -> load(me, RECORD, old)
     fi
  od;
  load(me, RECORD, old);
  atomic {
    assert(first == 0 || first == old);
    first = old
  };
  running--
}

init {
  byte each;
  atomic {
    memory[RECORD] = 1;
    running = 4;
    run counter(0);
    run counter(1);
    run maker(2, SIDE);
    run maker(3, SIDE + 1)
  };
  running == 0;
  atomic { drain(0); drain(1); drain(2); drain(3) };
  assert(made == 1);
  assert(memory[RECORD] >= SIDE);
  each = COUNT(memory[RECORD]);
  assert(memory[each] == 3)
}
