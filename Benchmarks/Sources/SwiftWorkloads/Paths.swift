import BenchModels
import CPaired
import IsaKVO
import Paired

/// Key paths, a computed property, elements, and observers that come and go.
let structureWorkloads: [Workload] = [
  Workload(ROW_PATH_LEAF, of: isakvo, goal: 18, make: leafWork),
  Workload(ROW_PATH_INTERMEDIATE, of: isakvo, goal: 100, make: intermediateWork),
  Workload(ROW_DEPENDENT, of: isakvo, goal: 100, make: dependentWork),
  Workload(ROW_ORDERED_INSERT, of: isakvo, goal: 45, largestCount: 1 << 16) { Insertions() },
  Workload(ROW_ADD_REMOVE, of: isakvo, goal: 80) {
    ComingAndGoing(Person(), set: setAge, expected: (old: 1, new: 2)) { person, heard in
      person.observe(Person.agePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    }
  },
]

private func leafWork() -> any Work {
  let outer = Outer()
  return Heeded(
    (outer, inner: getB(getA(outer))),
    observe: { _, heard in
      outer.observe(Outer.leafPath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    },
    body: { objects, numbers in for number in numbers { setLeaf(objects.inner, number) } })
}

/// Two objects in turn, whose c is 0 and 1.
private func intermediateWork() -> any Work {
  let outer = Outer()
  let inners = [getB(getA(outer)), Inner()]
  setLeaf(inners[1], 1)
  return Heeded(
    (outer, middle: getA(outer)), expected: { (old: $0 / 2, new: ($0 + 1) / 2) },
    observe: { _, heard in
      outer.observe(Outer.leafPath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    },
    body: { objects, numbers in
      let (even, odd) = (inners[0], inners[1])
      for number in numbers { replace(objects.middle, number & 1 == 0 ? even : odd) }
    })
}

/// The observer of a property that is computed from two others counts only.
private func dependentWork() -> any Work {
  Heeded(
    Person(), expected: { _ in (old: 0, new: 0) },
    observe: { person, heard in person.observe(Person.totalPath) { _, _ in heard.note() } },
    body: { person, numbers in for number in numbers { setFirst(person, number) } })
}

/// Appends to an array through its proxy, which tells what came.
private final class Insertions: Work {
  private let person = Person()
  private let heard = Heard()
  private let observation: KeyValueObservation
  private var next = 0

  init() {
    let heard = heard
    observation = person.observe(Person.itemsPath, options: .new) { _, change in
      if change.kind == .insertion { heard.note(new: change.newValue?.first ?? 0) }
    }
  }

  func prepare(_ count: Int) { emptyItems(person) }

  func run(_ count: Int) {
    let items = person.mutableArrayValue(for: Person.itemsPath)
    for number in next..<next + count { items.insert(number, at: items.count) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    heard.has(count, old: sum(below: count - 1), new: sum(below: count))
      && getItems(person).last == count - 1
      && observation.isValid
  }
}

/// A closure begins to observe and ends; every one hears one change in between at the end.
final class ComingAndGoing<Object>: Work {
  private let object: Object
  private let set: (Object, Int) -> Void
  private let expected: (old: Int, new: Int)
  private let observe: (Object, Heard) -> KeyValueObservation
  private let heard = Heard()
  private var done = 0

  init(
    _ object: Object, set: @escaping (Object, Int) -> Void, expected: (old: Int, new: Int),
    observe: @escaping (Object, Heard) -> KeyValueObservation
  ) {
    self.object = object
    self.set = set
    self.expected = expected
    self.observe = observe
  }

  func run(_ count: Int) {
    for _ in 0..<count { observe(object, heard).invalidate() }
    done += count
  }

  /// Those that have gone hear nothing, one that is there does.
  func check(_ count: Int) -> Bool {
    set(object, 1)
    guard done == count, heard.count == 0 else { return false }
    let observation = observe(object, heard)
    set(object, 2)
    observation.invalidate()
    set(object, 3)
    return heard.has(1, old: expected.old, new: expected.new)
  }
}
