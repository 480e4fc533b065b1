// Memory for the small models: a thread's plain stores may become visible in any order, and late.
//
// store       waits in its thread's buffer; the thread itself sees it at once
// release     waits until all its thread's stores before it are visible; then as `store`
// exchange    a compare-and-swap or another locked instruction: waits likewise, visible at once
// load        as acquire, and the loads behind it come after it
//
// A model defines WORDS and THREADS, says who runs by `running = n` before its threads begin, and
// each thread ends by `running--`.

typedef thread_buffer {
  bit waits[WORDS];
  byte value[WORDS]
}
thread_buffer buffers[THREADS];
byte memory[WORDS];
byte running;

inline store(whose, cell, it) {
  d_step { buffers[whose].waits[cell] = 1; buffers[whose].value[cell] = it }
}

inline drain(whose) {
  d_step {
    each = 0;
    do
    :: each < WORDS && buffers[whose].waits[each] ->
       memory[each] = buffers[whose].value[each]; buffers[whose].waits[each] = 0; each++
    :: each < WORDS && !buffers[whose].waits[each] -> each++
    :: else -> break
    od;
    each = 0
  }
}

// All that was stored before is visible first: it makes no difference whether the thread waits for
// that, or sees to it.
inline release(whose, cell, it) { atomic { drain(whose); store(whose, cell, it) } }

inline exchange(whose, cell, expected, it, swapped) {
  atomic {
    drain(whose);
    swapped = (memory[cell] == expected);
    if :: swapped -> memory[cell] = it :: else fi
  }
}

inline load(whose, cell, into) {
  d_step {
    if
    :: buffers[whose].waits[cell] -> into = buffers[whose].value[cell]
    :: else -> into = memory[cell]
    fi
  }
}

// Makes any store visible, at any time.
active proctype visibility() {
  byte who, what;
end:
  do
  :: atomic {
       select (who : 0 .. THREADS - 1);
       select (what : 0 .. WORDS - 1);
       if
       :: buffers[who].waits[what] ->
          memory[what] = buffers[who].value[what];
          buffers[who].waits[what] = 0
       :: else
       fi
     }
  od
}
