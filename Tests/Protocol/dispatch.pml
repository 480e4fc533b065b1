// A dispatch table grows, and gets a page of its own, under a thread that sends messages: see
// Sources/CIsa/model/dispatch.c, and isa_lookup in isa_object.h.
//
// Checked: a selector that was answered at first is answered always; one that was added is found by
//          a thread that knows that it was; nothing is read that was freed.
// Mutants: ARRAY_SHOWN_FIRST, PAGE_SHOWN_FIRST, GROWN_WITHOUT_LOCK, OUTGROWN_IS_FREED.

#define WORDS 8
#define THREADS 4
#define PAGES 0          // the array that the class shows: 0 or 1
#define ENTRY(array) (1 + (array))  // its entry for the page: EMPTY, SHARED or OWN
#define SLOT(page, selector) (3 + 2 * ((page) - SHARED) + (selector))
#define ADDED 7          // the adder tells others that it is done
#define EMPTY 0
#define SHARED 1
#define OWN 2
#include "memory.pml"

bit lock;
bit is_gone;  // the array that was outgrown

inline acquire() { atomic { !lock -> lock = 1 } }
inline unlock(me) { atomic { drain(me); lock = 0 } }

// Makes an array of twice as many entries.
proctype grower(byte me) {
  byte each, page;
#ifndef GROWN_WITHOUT_LOCK
  acquire();
#endif
  load(me, ENTRY(0), page);
  store(me, ENTRY(1), page);
#ifdef ARRAY_SHOWN_FIRST
  store(me, PAGES, 1);
#else
  release(me, PAGES, 1);
#endif
#ifdef OUTGROWN_IS_FREED
  atomic { drain(me); is_gone = 1 };
#endif
#ifndef GROWN_WITHOUT_LOCK
  unlock(me);
#else
  drain(me);
#endif
  running--
}

// Copies the shared page for the class, and puts the method's code into it.
proctype adder(byte me) {
  byte each, array, imp;
  acquire();
  load(me, PAGES, array);
  load(me, SLOT(SHARED, 0), imp);
  store(me, SLOT(OWN, 0), imp);
#ifdef PAGE_SHOWN_FIRST
  store(me, ENTRY(array), OWN);
#else
  release(me, ENTRY(array), OWN);
#endif
  release(me, SLOT(OWN, 1), 1);
  unlock(me);
  release(me, ADDED, 1);
  running--
}

proctype sender(byte me; byte selector) {
  byte each, knows, array, page, imp;
  load(me, ADDED, knows);
  load(me, PAGES, array);
  assert(array != 0 || !is_gone);
  load(me, ENTRY(array), page);
  if
  :: page != EMPTY -> load(me, SLOT(page, selector), imp)
  :: else
  fi;
  assert(selector == 1 || imp == 1);
  assert(!knows || imp == 1);
  running--
}

init {
  atomic {
    memory[ENTRY(0)] = SHARED;
    memory[SLOT(SHARED, 0)] = 1;
    running = 4;
    run grower(0);
    run adder(1);
    run sender(2, 0);
    run sender(3, 1)
  };
  running == 0
}
