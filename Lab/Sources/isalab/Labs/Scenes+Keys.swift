// The scenes of levels 5 and 6.

extension Scenes {
  static let paths = #"""
    PATH-01 the last key changes
    hint: watch the key of the object that the path leads to, and tell with the object it began at
    > new t Item
    > new l Item
    > observer P
    > set t.child l
    > add P t.child.count
    > set l.count 5
      P hears t.child.count

    PATH-02 the value on the way comes
    hint: nil on the way is no obstacle; watch each key of the path
    > new t Item
    > new l Item
    > observer P
    > set l.count 5
    > add P t.child.count new old
    > set t.child l
      P hears t.child.count, old nil, new 5

    PATH-04 the value on the way is replaced
    hint: after each change of a key on the way, watch the new value and let go of the old
    > new t Item
    > new a Item
    > new b Item
    > observer P
    > set a.name "Hello"
    > set b.name "Hello"
    > set t.child a
    > add P t.child.name new old
    > set t.child b
      P hears t.child.name, old "Hello", new "Hello"
    > set a.name "Spurious?"
    > isa a
      Item
    > set b.name "Bye"
      P hears t.child.name, old "Hello", new "Bye"

    PATH-05 set and cleared
    hint: nil is told as nil
    > new t Item
    > new c Item
    > observer P
    > add P t.child.child
    > set t.child c
      P hears t.child.child
    > set t.child nil
      P hears t.child.child

    PATH-08 three keys
    hint: the same for each link; follow the rest of the path from the value
    > new t Item
    > new c Item
    > new d Item
    > observer P
    > set t.child c
    > set c.child d
    > add P t.child.child.child
    > set c.child nil
      P hears t.child.child.child
    > set d.child t
    > set t.child nil
      P hears t.child.child.child

    PATH-10 seven changes
    hint: nothing may be left on what was replaced
    > new t Item
    > new a Item
    > new b Item
    > new c Item
    > new d Item
    > observer P
    > add P t.child.child
    > set t.child a
      P hears t.child.child
    > set t.child nil
      P hears t.child.child
    > set t.child b
      P hears t.child.child
    > set t.child nil
      P hears t.child.child
    > set t.child c
      P hears t.child.child
    > set c.child d
      P hears t.child.child
    > set t.child nil
      P hears t.child.child
    > isa a
      Item
    > isa c
      Item

    PATH-11 initial at the end of a path
    hint: read by kvc_copy_value_for_path
    > new t Item
    > new c Item
    > observer P
    > set t.child c
    > add P t.child.name new initial
      P hears t.child.name, new nil
    > add P t.child.count new initial
      P hears t.child.count, new 0

    PATH-23 two objects share the value
    hint: each registration is told with its own object
    > new a Item
    > new b Item
    > new s Item
    > observer P
    > set a.child s
    > set b.child s
    > add P a.child.count
    > add P b.child.count
    > set s.count 1
      P hears b.child.count
      P hears a.child.count
    > remove P a.child.count
    > set s.count 2
      P hears b.child.count

    PATH-25 both objects get a notifying class, and both go back
    hint: a removal lets go of every link
    > new r Item
    > new l Item
    > observer P
    > set r.child l
    > add P r.child.count
    > isa r
      a subclass of Item
    > isa l
      a subclass of Item
    > remove P r.child.count
    > isa r
      Item
    > isa l
      Item

    LIF-01 the object where the path begins dies
    hint: what was watched on the others goes with it
    > new t Item
    > new c Item
    > observer P
    > set t.child c
    > add P t.child.count
    > release t
      t dies
    > isa c
      Item
    > set c.count 1
    """#

  static let dependents = #"""
    DEP-01 what is computed is told with what it is computed from
    hint: watch the keys that affect the key, and tell the key
    > new m Model
    > observer P
    > depends Model.derived name
    > add P m.derived new
    > set m.name "Hello"
      P hears m.derived, new "!!!Hello!!!"

    DEP-24 two sources
    hint: old is read before the source changes
    > new m Model
    > observer P
    > depends Model.total a b
    > add P m.total new old
    > set m.a 100
      P hears m.total, old 0, new 100
    > set m.b 30
      P hears m.total, old 100, new 130

    DEP-25 told although nothing changed
    hint: that a source was set is enough
    > new m Model
    > observer P
    > depends Model.total a b
    > set m.a 1
    > add P m.total new old
    > set m.a 1
      P hears m.total, old 1, new 1

    DEP-22 what affects is affected itself
    hint: follow the declarations through one another
    > new m Model
    > observer P
    > depends Model.derived name
    > depends Model.derivedLength derived
    > add P m.derivedLength new
    > set m.name "Hello"
      P hears m.derivedLength, new 11

    DEP-06 a cycle ends
    hint: remember which keys you have been to
    > new m Model
    > observer P
    > depends Model.a b
    > depends Model.b a
    > depends Model.total a c
    > add P m.total
    > set m.c 2
      P hears m.total

    DEP-07 a change that comes by several routes is told once
    hint: a registration watches a key once
    > new m Model
    > observer P
    > depends Model.a c
    > depends Model.b c
    > depends Model.total a b
    > add P m.total
    > set m.c 6
      P hears m.total

    DEP-13 a key with dependents keeps its own setter
    hint: the key itself is watched too
    > new m Model
    > observer P
    > depends Model.b a
    > add P m.b
    > set m.b 5
      P hears m.b
    > set m.a 5
      P hears m.b

    DEP-16 a second declaration replaces the first
    hint: one declaration per class and key
    > new m Model
    > observer P
    > depends Model.total a
    > depends Model.total b
    > add P m.total
    > set m.a 1
    > set m.b 1
      P hears m.total

    DEP-27 a subclass adds to what its superclass declares
    hint: walk up the superclasses
    > new m SubModel
    > observer P
    > depends Model.total a
    > depends SubModel.total c
    > add P m.total
    > set m.a 1
      P hears m.total
    > set m.c 1
      P hears m.total

    DEP-04 a source may be a key path
    hint: what affects is followed as a path is
    > new m Model
    > new c Model
    > observer P
    > depends Model.total a child.a
    > add P m.total
    > set m.child c
      P hears m.total
    > set c.a 1
      P hears m.total

    PATH-20 a path through a computed key
    hint: at each key of a path, what affects it counts as well
    > new t Model
    > new c Model
    > observer P
    > depends Model.derived name
    > set c.name "Hello"
    > add P t.child.derived new
    > set t.child c
      P hears t.child.derived, new "!!!Hello!!!"
    > set c.name "Bye"
      P hears t.child.derived, new "!!!Bye!!!"
    > remove P t.child.derived
    > set c.name "quiet"
    > isa c
      Model
    """#
}
