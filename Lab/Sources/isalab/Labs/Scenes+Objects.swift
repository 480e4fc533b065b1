// The scenes of levels 1 and 2: `> ` is what is done, the lines below it what must come of it. IDs
// are those of docs/behaviour.md.

extension Scenes {
  static let one = #"""
    REG-01 a change is told once
    hint: the notifying class's setter calls the original, then tells
    > new i Item
    > observer P
    > add P i.name
    > set i.name "Hello"
      P hears i.name
    > get i.name
      "Hello"

    CHG-01 a number is set as well as an object
    hint: make the wrapper of the setter's own encoding, and call the original by isa_invoke
    > new i Item
    > observer P
    > add P i.count
    > set i.count 10
      P hears i.count
    > get i.count
      10

    CHG-03 an equal value is told too
    hint: do not compare the values
    > new i Item
    > observer P
    > set i.count 1
    > add P i.count
    > set i.count 1
      P hears i.count

    CHG-04 a setter that does nothing is told too
    hint: that the setter ran is the change, whatever it did
    > new s Silent
    > observer P
    > add P s.name
    > set s.name "x"
      P hears s.name
    > get s.name
      nil

    ISA-05 another key of the object stays silent
    hint: compare the key, also if its setter is wrapped
    > new i Item
    > observer P
    > add P i.name
    > set i.count 4
    > get i.count
      4

    ISA-06 another object of the class stays as it is
    hint: swap the isa of the one object; do not touch its class's own methods
    > new p Item
    > new q Item
    > observer P
    > add P p.name
    > isa q
      Item
    > setter q.name
      as it was
    > set q.name "quiet"
    > setter p.name
      replaced

    SWF-11 the object claims to be of its class
    hint: the notifying class overrides `class` and answers its superclass
    > new i Item
    > observer P
    > add P i.name
    > isa i
      a subclass of Item
    > class i
      Item

    REM-06 a removal of what was never added is refused
    hint: answer a status when nothing matches, and leave everything as it is
    > new i Item
    > observer P
    > remove P i.name
      refused
    > add P i.name
    > remove P i.count
      refused
    > set i.name "a"
      P hears i.name

    REM-15 the isa comes back
    hint: swap the isa to the original class when nobody observes the object any more
    > new i Item
    > observer P
    > add P i.name
    > remove P i.name
    > isa i
      Item
    > set i.name "quiet"

    ISA-03 the notifying class is made once
    hint: look for the class by its name before you make it
    > new i Item
    > observer P
    > add P i.name
    > keep-class i
    > remove P i.name
    > add P i.name
    > class-kept i
      the same class
    """#

  static let many = #"""
    REG-05 observers of different keys are told of theirs
    hint: keep a list of registrations with their keys
    > new i Item
    > observer P Q
    > add P i.name
    > add Q i.count
    > set i.name "Hello"
      P hears i.name
    > set i.count 1
      Q hears i.count

    REG-07 who was added last is told first
    hint: after the change, walk the registrations backwards
    > new i Item
    > observer P Q R S T
    > add P i.count
    > add Q i.count
    > add R i.count
    > add S i.count
    > add T i.count
    > set i.count 42
      T hears i.count
      S hears i.count
      R hears i.count
      Q hears i.count
      P hears i.count

    REG-10 added twice, told twice
    hint: do not look whether the same is there already
    > new i Item
    > observer P
    > add P i.name
    > add P i.name
    > set i.name "a"
      P hears i.name
      P hears i.name

    REM-02 added twice, removed twice
    hint: a removal ends one registration
    > new i Item
    > observer P
    > add P i.name
    > add P i.name
    > remove P i.name
    > set i.name "b"
      P hears i.name
    > remove P i.name
    > remove P i.name
      refused
    > isa i
      Item

    REM-05 one is removed, the other stays
    hint: the isa goes back with the last registration only
    > new i Item
    > observer P Q
    > add P i.name
    > add Q i.name
    > set i.name "a"
      Q hears i.name
      P hears i.name
    > remove Q i.name
    > set i.name "b"
      P hears i.name

    ISA-02 two objects share the notifying class
    hint: one class per class, not per object
    > new p Item
    > new q Item
    > observer P
    > add P p.name
    > keep-class p
    > add P q.name
    > class-kept q
      the same class

    ISA-05 each object's observers are its own
    hint: the list belongs to the object: associate it
    > new p Item
    > new q Item
    > observer P Q
    > add P p.name
    > add Q q.count
    > set p.count 1
    > set q.name "quiet"
    > set p.name "loud"
      P hears p.name
    > set q.count 2
      Q hears q.count

    ISA-09 a subclass has a notifying class of its own
    hint: the notifying class is a subclass of the object's own class
    > new a Item
    > new b SubItem
    > observer P
    > add P b.name
    > isa b
      a subclass of SubItem
    > class b
      SubItem
    > isa a
      Item
    > set b.name "x"
      P hears b.name

    REG-26 nobody is kept alive
    hint: hold the observer in an isa_weak, and the object not at all
    > new i Item
    > observer P
    > add P i.name
    > references i
      1
    > references P
      1
    > release P
      P dies

    LIF-04 a dead observer is skipped
    hint: isa_weak_copy answers NULL once it is gone
    > new i Item
    > observer P Q
    > add P i.count
    > add Q i.count
    > release P
      P dies
    > set i.count 1
      Q hears i.count
    > set i.count 2
      Q hears i.count
    """#
}
