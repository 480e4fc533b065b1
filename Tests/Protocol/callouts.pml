// A listener to the event log or a misuse handler is replaced, and taken away, while other threads
// call it: see the callouts of Sources/CIsa/base/reclaim.h, whose steps are named here.
//
// Checked: a caller calls a function with that function's context, and never one that is none;
//          once a replacement has returned, nobody is inside the former function.
// Mutants: CALLED_THOUGH_NONE, GENERATION_NEVER_ODD, LOOKED_ONCE, NO_BARRIER, NO_WAIT.

#define WORDS 4
#define THREADS 2
#define FUNCTION 0
#define CONTEXT 1
#define GENERATION 2
#define SLOT 3        // the caller's; callers have nothing to do with one another
#define REPLACEMENTS 3
#define CALLS 3
#include "memory.pml"

// The functions are numbers, as their contexts are; the second is none.
#define function_of(number) (number == 2 -> 0 : number)
#define place_of(generation) (generation / 2 + 1)

byte returned;  // so many replacements: functions up to this one have been replaced

inline barrier() { atomic { drain(0); drain(1) } }

proctype caller(byte me) {
  byte each, function, context, generation, again, calls;
  do
  :: calls < CALLS ->
     calls++;
     load(me, FUNCTION, function);
     if
     :: function != 0 ->
        load(me, GENERATION, generation);               // C1
        release(me, SLOT, place_of(generation));        // C2; C3 orders nothing by itself
        load(me, FUNCTION, function);                   // C4
        load(me, CONTEXT, context);
        load(me, GENERATION, again);                    // C5
#ifdef LOOKED_ONCE
        again = generation;
#endif
        if
#ifdef CALLED_THOUGH_NONE
        :: generation % 2 == 0 && again == generation ->
#else
        :: function != 0 && generation % 2 == 0 && again == generation ->
#endif
           assert(function != 0);
           assert(function == context);
           assert(function > returned)
        :: else
        fi;
        release(me, SLOT, 0)
     :: else
     fi
  :: else -> break
  od;
  running--
}

proctype replacer(byte me) {
  byte each, generation, number = 1;
  do
  :: number <= REPLACEMENTS ->
#ifndef GENERATION_NEVER_ODD
     release(me, GENERATION, generation + 1);           // S1
#endif
     release(me, FUNCTION, function_of(number + 1));    // S2
     release(me, CONTEXT, function_of(number + 1));
     release(me, GENERATION, generation + 2);           // S3
#ifndef NO_BARRIER
     barrier();                                         // S4
#endif
#ifndef NO_WAIT
     memory[SLOT] != place_of(generation);              // S5
#endif
     returned = number;
     generation = generation + 2;
     number++
  :: else -> break
  od;
  running--
}

init {
  memory[FUNCTION] = 1;
  memory[CONTEXT] = 1;
  atomic { running = 2; run replacer(0); run caller(1) };
  running == 0
}
