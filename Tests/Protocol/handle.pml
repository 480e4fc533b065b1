// A registration is published while another thread sets: see put_in and add in
// Sources/CIsa/observing/registry.c, and add in kvo.c.
//
// Checked: each callback finds the handle in the caller's variable, so that it can end its own
//          registration; nobody touches the registration once its last reference went.
// Mutants: HANDLE_WRITTEN_LAST, PUBLISHED_PLAINLY, NOT_HELD.

#define WORDS 2
#define THREADS 3
#define HANDLE 0  // the caller's variable
#define WORD 1    // the object's word that leads to its registrations
#include "memory.pml"

byte references = 2;  // the list's and the handle's; atomic
bit ended;
bit reading[THREADS];

inline drop() {
  atomic { assert(references > 0); references-- }
}

// A callback that ends its registration, and releases its handle.
inline end_by_handle(me) {
  load(me, HANDLE, handle);
  assert(handle == 1);
  atomic {
    if
    :: !ended -> ended = 1; mine = 1
    :: else -> mine = 0
    fi
  };
  if
  :: mine ->
     exchange(me, WORD, 1, 0, done);
     drop();  // the handle's
     // The list's, once no other thread is inside.
     reading[me] = 0;
     !reading[3 - me];
     drop()
  :: else
  fi
}

proctype setter(byte me) {
  byte each, word, handle;
  bit mine, done;
  reading[me] = 1;
  load(me, WORD, word);
  if
  :: word == 1 && !ended -> end_by_handle(me)
  :: else
  fi;
  reading[me] = 0;
  running--
}

proctype adder(byte me) {
  byte each;
#ifndef NOT_HELD
  references++;
#endif
#ifndef HANDLE_WRITTEN_LAST
  store(me, HANDLE, 1);
#endif
#ifdef PUBLISHED_PLAINLY
  store(me, WORD, 1);
#else
  release(me, WORD, 1);
#endif
#ifdef HANDLE_WRITTEN_LAST
  store(me, HANDLE, 1);
#endif
  assert(references > 0);  // it looks whether the registration stands
#ifndef NOT_HELD
  drop();
#endif
  running--
}

init {
  atomic { running = 3; run adder(0); run setter(1); run setter(2) };
  running == 0;
  assert(references == (ended -> 0 : 2))
}
