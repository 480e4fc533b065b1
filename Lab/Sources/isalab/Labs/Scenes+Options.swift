// The scenes of levels 3 and 4.

extension Scenes {
  static let options = #"""
    REG-02 without options no value comes along
    hint: has_old and has_new only where they were asked for
    > new i Item
    > observer P
    > add P i.count
    > set i.count 5
      P hears i.count

    REG-01 the new value, and the context
    hint: hand on the context as it is
    > new i Item
    > observer P
    > add P i.name new context 7
    > set i.name "Hello"
      P hears i.name, new "Hello", context 7

    REG-04 old, then new
    hint: read the old value before the original setter runs
    > new i Item
    > observer P
    > set i.count 2
    > add P i.count new old
    > set i.count 3
      P hears i.count, old 2, new 3
    > set i.count 4
      P hears i.count, old 3, new 4

    CHG-06 nil is a value
    hint: has_old tells that there is one, even if it is nil
    > new i Item
    > observer P
    > add P i.name new old
    > set i.name "a"
      P hears i.name, old nil, new "a"
    > set i.name nil
      P hears i.name, old "a", new nil

    REG-11 one observer, two contexts
    hint: two registrations, told in reverse order
    > new i Item
    > observer P
    > add P i.name context 1
    > add P i.name context 2
    > set i.name "a"
      P hears i.name, context 2
      P hears i.name, context 1

    REG-13 initial, before the call returns
    hint: tell inside student_add
    > new i Item
    > observer P
    > set i.name "foo"
    > add P i.name initial
      P hears i.name
    > note and then the call returns
      and then the call returns

    REG-14 initial never has an old value
    hint: nothing has changed yet
    > new i Item
    > observer P
    > set i.flag true
    > add P i.flag new old initial
      P hears i.flag, new 1

    REG-16 initial has no prior
    hint: prior is for changes
    > new i Item
    > observer P
    > add P i.name initial prior
      P hears i.name

    REG-17 prior, then the change
    hint: tell once more, before the original setter runs
    > new i Item
    > observer P
    > add P i.name prior
    > set i.name "a"
      P hears i.name, prior
      P hears i.name

    CHG-09 what is read before the change is the value before
    hint: prior comes before the original setter
    > new i Item
    > observer P
    > set i.name "a"
    > add P i.name new old prior
    > always P: get i.name
    > set i.name "b"
      P hears i.name, prior, old "a"
      P does: get i.name
      "a"
      P hears i.name, old "a", new "b"
      P does: get i.name
      "b"

    REG-08 prior in the order of adding, the change in reverse
    hint: walk forwards before the change, backwards after it
    > new i Item
    > observer P Q R
    > add P i.count prior
    > add Q i.count prior
    > add R i.count prior
    > set i.count 1
      P hears i.count, prior
      Q hears i.count, prior
      R hears i.count, prior
      R hears i.count
      Q hears i.count
      P hears i.count

    REM-03 without a context, the latest goes
    hint: look for the match from the end
    > new i Item
    > observer P
    > add P i.name context 1
    > add P i.name context 2
    > remove P i.name
    > set i.name "a"
      P hears i.name, context 1
    > remove P i.name
    > isa i
      Item

    REM-08 a context is matched exactly, none included
    hint: NULL is a context like any other
    > new i Item
    > observer P
    > add P i.name context 5
    > remove P i.name context 0
      refused
    > remove P i.name context 5
    > set i.name "quiet"

    REM-09 four times added, four times removed
    hint: the fifth removal matches nothing
    > new i Item
    > observer P
    > add P i.count context 1
    > add P i.count context 1
    > add P i.count context 1
    > remove P i.count context 1
    > remove P i.count context 1
    > isa i
      a subclass of Item
    > remove P i.count context 1
    > isa i
      Item
    > remove P i.count context 1
      refused
    """#

  static let lifetimes = #"""
    LIF-01 an observed object may die
    hint: the list goes with the object: an associated object is released with it
    > new i Item
    > observer P
    > add P i.name
    > release i
      i dies
    > alive P
      yes

    LIF-01 a later object at the same address has no observers
    hint: what is kept by address must be forgotten when the object dies
    > new i Item
    > observer P
    > add P i.name
    > release i
      i dies
    > reuse j Item i
    > set j.name "quiet"
    > remove P j.name
      refused

    LIF-02 an object that observes itself removes itself when it dies
    hint: during its dealloc no weak reference answers: compare the address
    > new s Selfish
    > add s s.count
    > set s.count 1
      s hears s.count
    > release s
      s dies

    LIF-04 after a dead observer, the others are told as before
    hint: skip it, and go on
    > new i Item
    > observer P Q R
    > add P i.count
    > add Q i.count
    > add R i.count
    > release Q
      Q dies
    > set i.count 1
      R hears i.count
      P hears i.count
    > remove P i.count
    > remove R i.count

    REC-01 setting the key in a callback
    hint: keep what belongs to one change on the stack, not in a global
    > new i Item
    > observer P
    > add P i.count new
    > when P: set i.count 2 ; note P is done
    > set i.count 1
      P hears i.count, new 1
      P does: set i.count 2
      P hears i.count, new 2
      P does: note P is done
      P is done

    REC-02 who is told later sees the latest value
    hint: read the new value when you tell, not before the first is told
    > new i Item
    > observer S F
    > add S i.count new old
    > add F i.count new old
    > when F: set i.count 2
    > set i.count 1
      F hears i.count, old 0, new 1
      F does: set i.count 2
      F hears i.count, old 1, new 2
      S hears i.count, old 1, new 2
      S hears i.count, old 0, new 2

    REC-05 an observer that removes itself and dies
    hint: retain whom you will tell until the change is over
    > new i Item
    > observer P
    > add P i.count
    > when P: remove P i.count ; release P ; alive P
    > set i.count 42
      P hears i.count
      P does: remove P i.count
      P does: release P
      P does: alive P
      yes
      P dies
    > set i.count 43

    MAN-11 who is removed in a callback is not told any more
    hint: before each call, look whether the registration is still there
    > new i Item
    > observer P Q
    > add P i.count
    > add Q i.count
    > when Q: remove P i.count
    > set i.count 1
      Q hears i.count
      Q does: remove P i.count

    MAN-12 who is added in a callback hears the next change
    hint: collect whom to tell before the change begins
    > new i Item
    > observer P Q
    > add P i.count prior
    > when P: add Q i.count
    > set i.count 1
      P hears i.count, prior
      P does: add Q i.count
      P hears i.count
    > set i.count 2
      P hears i.count, prior
      Q hears i.count
      P hears i.count

    REC-08 adding for another key in a callback
    hint: the list may change while you tell: tell from a copy
    > new i Item
    > observer M N
    > add M i.count prior
    > when M: add N i.flag
    > set i.count 1
      M hears i.count, prior
      M does: add N i.flag
      M hears i.count
    > set i.flag true
      N hears i.flag

    LIF-11 an observer that owns what it observes
    hint: hold neither, or they hold each other
    > new i Item
    > new o Item
    > set o.child i
    > add o i.count
    > set i.count 1
      o hears i.count
    > release i
    > release o
      o dies
      i dies
    """#
}
