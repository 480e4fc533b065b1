// The scenes of levels 7 and 8.

extension Scenes {
  static let collections = #"""
    TOM-06 the accessors for elements are told with the index
    hint: wrap insertObject:in<Key>AtIndex: and removeObjectFrom<Key>AtIndex: as you wrap setters
    > new s Shelf
    > new x Item
    > new y Item
    > observer P
    > add P s.items new old
    > insert s x 0
      P hears s.items, insertion at 0, new x
    > insert s y 1
      P hears s.items, insertion at 1, new y
    > take s 0
      P hears s.items, removal at 0, old x

    CHG-10 the whole collection is set
    hint: set<Key>: is a setting, whatever its type
    > new s Shelf
    > new x Item
    > new y Item
    > observer P
    > set s.items [x,y]
    > add P s.items new old
    > set s.items [y]
      P hears s.items, old [x, y], new [y]

    TOM-03 initial has the whole collection
    hint: nothing was inserted
    > new s Shelf
    > new x Item
    > observer P
    > set s.items [x]
    > add P s.items new initial
      P hears s.items, new [x]

    TOM-10 a replacement has both
    hint: the old element before, the new one after
    > new s Shelf
    > new x Item
    > new y Item
    > observer P
    > set s.items [x]
    > add P s.items new old prior
    > replace s 0 y
      P hears s.items, replacement at 0, prior, old x
      P hears s.items, replacement at 0, old x, new y

    TOM-09 a removal with prior has the old element twice
    hint: keep it: after the change it is gone
    > new s Shelf
    > new x Item
    > new y Item
    > observer P
    > set s.items [x,y]
    > add P s.items new old prior
    > take s 1
      P hears s.items, removal at 1, prior, old y
      P hears s.items, removal at 1, old y

    MAN-05 a collection that is changed in place tells nobody
    hint: nothing to do: only what goes through the accessors is seen
    > new s Shelf
    > new x Item
    > observer P
    > add P s.items
    > append s x

    MAN-21 announced by hand
    hint: student_will_change keeps what student_did_change needs
    > new s Shelf
    > new x Item
    > observer P
    > add P s.items new old
    > will s.items insertion 0
    > append s x
    > did s.items insertion 0
      P hears s.items, insertion at 0, new x

    MAN-06 an end without a beginning
    hint: nothing was announced, so nothing is told
    > new s Shelf
    > observer P
    > add P s.count new old
    > did s.count

    MAN-20 pairs within one another
    hint: an end belongs to the latest beginning of its key
    > new s Shelf
    > observer P
    > add P s.count
    > will s.count
    > will s.count
    > did s.count
      P hears s.count
    > did s.count
      P hears s.count

    PATH-26 at the end of a path the kind stays
    hint: the registered path's last key is told as it is
    > new t Shelf
    > new c Shelf
    > new x Item
    > observer P
    > set t.child c
    > add P t.child.items new old
    > insert c x 0
      P hears t.child.items, insertion at 0, new x

    DEP-01 what depends on a collection is told of a setting
    hint: only the collection's own observers hear of elements
    > new s Shelf
    > new x Item
    > observer P
    > depends Shelf.name items
    > add P s.name new old
    > insert s x 0
      P hears s.name, old nil, new nil
    """#

  static let threads = #"""
    THR-01 told on the thread of the change
    hint: call the observer where the setter runs
    > new i Item
    > observer P
    > add P i.count
    > thread set i.count 1
      P hears i.count, on another thread
    > set i.count 2
      P hears i.count

    THR-06 no lock is held while an observer runs
    hint: copy under the lock, unlock, then tell
    > new i Item
    > new j Item
    > observer P Q
    > add P i.count
    > when P: thread add Q j.count
    > set i.count 1
      P hears i.count
      P does: thread add Q j.count
    > set j.count 1
      Q hears j.count

    THR-04 removed on another thread while others are told
    hint: look, under the lock, whether it is still there, before each call
    > new i Item
    > observer P Q
    > add P i.count
    > add Q i.count
    > when Q: thread remove P i.count
    > set i.count 1
      Q hears i.count
      Q does: thread remove P i.count

    LIF-08 removed on two threads at once
    hint: finding and removing is one step under the lock
    > new i Item
    > observer P
    > add P i.count
    > race 1: remove P i.count | remove P i.count
      refused
    > isa i
      Item
    > set i.count 1

    THR-03 two objects whose observers set each other
    hint: two locks taken in two orders never end; hold none while you tell
    > new a Item
    > new b Item
    > observer P Q
    > add P a.count
    > add Q b.count
    > always P: set b.flag true
    > always Q: set a.flag true
    > race 2000: set a.count 1 | set b.count 1
    > heard
      heard 4000

    THR-04 observers come and go while another thread sets
    hint: the list is read while it changes: copy it under the lock
    > new i Item
    > observer P
    > add P i.name
    > race 3000: visit i.count | visit i.count | visit i.count | set i.count 1
    > remove P i.name
    > isa i
      Item

    THR-04 every change is told once
    hint: what belongs to one change belongs to one thread
    > new i Item
    > observer P
    > add P i.count
    > race 2000: set i.count 1 | set i.count 2 | set i.count 3
    > heard
      heard 6000
    """#
}
