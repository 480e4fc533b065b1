// An object's isa is swapped under a setter that runs: see put_in and take_out in
// Sources/CIsa/observing/registry.c, and isa__resend_begin in wrapper.c.
//
// Checked: each set runs the original once, whatever the isa has become; an announcement is ended;
//          an observer that stands before a set begins, and until it ends, is told of it.
// Mutants: WRAPPER_GIVES_UP, RESENT_WITHOUT_END, ISA_SWAPPED_LATE, ENDED_BY_THE_WORD.

#define WORDS 2
#define THREADS 3
#define ISA 0   // PLAIN or NOTIFYING
#define WORD 1  // 1: somebody observes
#define PLAIN 0
#define NOTIFYING 1
#include "memory.pml"

bit lock, stands;      // the observer stands: from where adding has returned
byte originals, told, announced, ended, removals;

inline acquire() { atomic { !lock -> lock = 1 } }
inline unlock(me) { atomic { drain(me); lock = 0 } }

proctype registrar(byte me) {
  byte each, round;
  do
  :: round < 3 ->
     acquire();
     release(me, WORD, 1);
#ifndef ISA_SWAPPED_LATE
     release(me, ISA, NOTIFYING);
#endif
     unlock(me);
     stands = 1;
#ifdef ISA_SWAPPED_LATE
     release(me, ISA, NOTIFYING);
     drain(me);
#endif
     atomic { stands = 0; removals++ };
     acquire();
     release(me, WORD, 0);
     release(me, ISA, PLAIN);
     unlock(me);
     round++
  :: else -> break
  od;
  running--
}

proctype setter(byte me) {
  byte each, isa, word, before, mine, resends;
  bit stood, opened;
  atomic { stood = stands; before = removals };
  load(me, ISA, isa);
again:
  if
  :: isa == PLAIN -> mine++; originals++
  :: else ->
     // The wrapper. Its record is found through the isa of this moment.
     load(me, ISA, isa);
     if
     :: isa == PLAIN ->
#ifdef WRAPPER_GIVES_UP
        skip
#else
        resends++;
        assert(resends < 3);  // the second time goes to the former original
        load(me, ISA, isa);
#ifndef RESENT_WITHOUT_END
        if :: resends == 2 -> isa = PLAIN :: else fi;
#endif
        goto again
#endif
     :: else ->
        load(me, WORD, word);
        opened = word;
        if :: opened -> announced++ :: else fi;
        mine++;
        originals++;
#ifdef ENDED_BY_THE_WORD
        load(me, WORD, word);
        opened = word;
#endif
        if :: opened -> ended++; told++ :: else fi
     fi
  fi;
  assert(mine == 1);
  atomic { assert(!(stood && stands && before == removals) || opened) };
  running--
}

init {
  atomic { running = 3; run registrar(0); run setter(1); run setter(2) };
  running == 0;
  assert(originals == 2);
  assert(announced == ended)
}
