// Listeners to the event log come and go while a thread reports events, one of which causes the next:
// see Sources/CIsa/base/event.c, whose steps are named here. Each step stands for itself: all of them
// acquire and release, and ids are taken by one word that every step reads and writes at once.
//
// Checked: a listener is named no cause that it has not got, and gets no event of a kind that it does
//          not want, also where another listener comes to the place of one that has gone; and what
//          a listener gets, from when it has its number on, has its cause.
// Mutants: NUMBER_FIRST, LOOKED_ONCE, NUMBERED_AT_ONCE, NO_WAIT, FORGOTTEN_EARLY.

#define LISTENERS 3   // one after the other, in one place; the second wants the second kind only
#define EVENTS 3
#define NEVER 100     // later than all ids
#define PARENT_KIND 1

byte last_id;
byte function;        // the listener's number in the place, 0: none
byte kinds;           // 1: the first kind, 2: the second, 3: both
byte number = NEVER;
bool is_numbered;     // the listener that is there has got its number
byte inside;          // whose function the reporter is inside
bool got[24];         // of the listener that is there: the events that it got

#define wanted_by(listener) (listener == 2 -> 2 : 3)

byte adding, seen_kinds, caller, known, id, parent, kind, i, at;

// Reports an event of `kind` that `parent` causes, 0: nothing.
inline report() {
  atomic { last_id++; id = last_id }                     // E1
  seen_kinds = kinds;                                    // E2
  if
  :: seen_kinds & kind ->
     atomic { caller = function; inside = caller }       // E3: the callout's own model is callouts.pml
     if
     :: caller != 0 ->
#ifndef LOOKED_ONCE
        seen_kinds = kinds;
#endif
        if
        :: seen_kinds & kind ->
           atomic {
             known = number;
             assert(!is_numbered || known != NEVER)
           }
           atomic {
             assert(wanted_by(caller) & kind);
             if
             :: parent > known && (PARENT_KIND & wanted_by(caller)) -> assert(got[parent])
             :: else
             fi;
             got[id] = true
           }
        :: else
        fi
     :: else
     fi;
     inside = 0
  :: else
  fi
}

active proctype reporter() {
  do
  :: i < EVENTS ->
     i++;
     parent = 0;
     kind = PARENT_KIND;
     report();
     parent = id;
     kind = 2;
     report()
  :: else -> break
  od
}

active proctype replacer() {
  byte mine;
  do
  :: adding < LISTENERS ->
     adding++;
     function = adding;                                  // A1
#ifdef NUMBER_FIRST
     atomic { last_id++; mine = last_id }
     kinds = wanted_by(adding);
#else
     kinds = wanted_by(adding);                          // A2
#ifdef NUMBERED_AT_ONCE
     mine = 0;
#else
     atomic { last_id++; mine = last_id }                // A3
#endif
#endif
     atomic { number = mine; is_numbered = true }        // A4
     kinds = 0;
#ifdef FORGOTTEN_EARLY
     number = NEVER;
#endif
     function = 0;
#ifndef NO_WAIT
     inside != adding;
#endif
     atomic { number = NEVER; is_numbered = false }
     atomic { for (at : 0 .. 23) { got[at] = false } }
  :: else -> break
  od
}
