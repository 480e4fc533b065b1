import BenchModels
import IsaKVO
import Paired

/// Key paths that have to be evaluated: the properties that they read are found out, and followed.
let computedWorkloads: [Workload] = [
  Workload("computed-number", of: isakvo, goal: 100, make: numberWork),
  Workload("computed-text", of: isakvo, goal: 100, make: textWork),
  Workload("computed-through-optional", of: isakvo, goal: 100, make: optionalWork),
  Workload("computed-through-replaced-optional", of: isakvo, goal: 150, make: replacedWork),
  Workload("computed-of-changing-sources", of: isakvo, goal: 150, make: changingWork),
  Workload("add-remove-computed", of: isakvo, goal: 480) {
    ComingAndGoing(Person(), set: setFirst, expected: (old: 0, new: 2)) { person, heard in
      person.observe(Person.totalPath, options: .new) { _, change in
        heard.note(old: 0, new: change.newValue ?? 0)
      }
    }
  },
  Workload("add-remove-through-optional", of: isakvo, goal: 230) {
    ComingAndGoing(
      Holder(), set: { setLeaf(getInner($0)!, $1) }, expected: (old: 0, new: 2)
    ) { holder, heard in
      holder.observe(Holder.leafPath, options: .new) { _, change in
        heard.note(old: 0, new: (change.newValue ?? 0) ?? 0)
      }
    }
  },
  Workload("computed-over-1000", of: isakvo, goal: 3, beside: "evaluate-over-1000") {
    Elements()
  },
  Workload("evaluate-over-1000", of: isakvo, group: .ladder) { EvaluatedElements() },
  Workload("computed-in-transaction-of-1000", of: isakvo, group: .ladder) {
    TransactionOfElements()
  },
  Workload(
    "evaluations-in-transaction-of-1000", of: isakvo, goal: 1, unit: "evaluations"
  ) { TransactionOfElements() },
]

private func numberWork() -> any Work {
  Heeded(
    Person(), expected: { (old: 0, new: sum(below: $0 + 1)) },
    observe: { person, heard in
      person.observe(Person.totalPath, options: .new) { _, change in
        heard.note(old: 0, new: change.newValue ?? 0)
      }
    },
    body: { person, numbers in for number in numbers { setFirst(person, number) } })
}

/// The text has both numbers in it; its length is heard.
private func textWork() -> any Work {
  Heeded(
    Person(),
    expected: { count in (old: 0, new: (1...count).reduce(0) { $0 + "\($1) and 0".count }) },
    observe: { person, heard in
      person.observe(Person.labelPath, options: .new) { _, change in
        heard.note(old: 0, new: change.newValue?.utf8.count ?? 0)
      }
    },
    body: { person, numbers in for number in numbers { setFirst(person, number) } })
}

private func optionalWork() -> any Work {
  let holder = Holder()
  return Heeded(
    (holder, inner: getInner(holder)!), expected: { (old: 0, new: sum(below: $0 + 1)) },
    observe: { _, heard in
      holder.observe(Holder.leafPath, options: .new) { _, change in
        heard.note(old: 0, new: (change.newValue ?? 0) ?? 0)
      }
    },
    body: { objects, numbers in for number in numbers { setLeaf(objects.inner, number) } })
}

/// Two objects in turn, whose numbers are 0 and 1.
private func replacedWork() -> any Work {
  let holder = Holder()
  let (even, odd) = (getInner(holder)!, Inner())
  setLeaf(odd, 1)
  return Heeded(
    holder, expected: { (old: 0, new: ($0 + 1) / 2) },
    observe: { holder, heard in
      holder.observe(Holder.leafPath, options: .new) { _, change in
        heard.note(old: 0, new: (change.newValue ?? 0) ?? 0)
      }
    },
    body: { holder, numbers in
      for number in numbers { setInner(holder, number & 1 == 0 ? even : odd) }
    })
}

/// Each change has the property computed from the other one of two, which are 0 and 1.
private func changingWork() -> any Work {
  let person = Person()
  setFirst(person, 1)
  return Heeded(
    person, expected: { (old: 0, new: $0 / 2) },
    observe: { person, heard in
      person.observe(Person.chosenPath, options: .new) { _, change in
        heard.note(old: 0, new: change.newValue ?? 0)
      }
    },
    body: { person, numbers in for number in numbers { setAge(person, number) } })
}

/// How many elements there are.
private let elements = 1_000

/// One element is set at a time; the sum of all is heard.
private final class Elements: Work {
  private let shelf = Shelf(elements)
  private let heard = Heard()
  private let observation: KeyValueObservation
  private var next = 0

  init() {
    let heard = heard
    observation = shelf.observe(Shelf.sumPath, options: .new) { _, change in
      heard.note(old: 0, new: change.newValue ?? 0)
    }
  }

  func run(_ count: Int) {
    let item = getItem(shelf, elements / 2)
    for number in next..<next + count { setLeaf(item, number) }
    next += count
  }

  func check(_ count: Int) -> Bool {
    heard.has(count, old: 0, new: sum(below: count)) && observation.isValid
  }
}

/// The same sum, computed by who asks for it, while somebody observes it.
private final class EvaluatedElements: Work {
  private let shelf = Shelf(elements)
  private let observation: KeyValueObservation
  private var answers = 0
  private var done = 0

  init() {
    observation = shelf.observe(Shelf.sumPath) { _, _ in }
    setLeaf(getItem(shelf, elements / 2), 1)
  }

  func run(_ count: Int) {
    for _ in 0..<count { answers &+= getSum(shelf) }
    done += count
  }

  func check(_ count: Int) -> Bool { done == count && answers == count && observation.isValid }
}

/// Each element is set once in a transaction, at whose end the sum is evaluated and heard.
private final class TransactionOfElements: Work {
  private let shelf = Shelf(elements)
  private let items: [Inner]
  private let heard = Heard()
  private let observation: KeyValueObservation
  private let before: Int
  private var next = 1

  init() {
    let (heard, shelf) = (heard, shelf)
    items = (0..<elements).map { getItem(shelf, $0) }
    observation = shelf.observe(Shelf.sumPath, options: .new) { _, change in
      heard.note(old: 0, new: change.newValue ?? 0)
    }
    before = shelf.evaluations
  }

  func run(_ count: Int) {
    for number in next..<next + count {
      KVObject.transaction { for item in items { setLeaf(item, number) } }
    }
    next += count
  }

  func figure() -> Double {
    let before = shelf.evaluations
    run(1)
    return Double(shelf.evaluations - before)
  }

  func check(_ count: Int) -> Bool {
    heard.has(count, old: 0, new: elements * sum(below: count + 1))
      && shelf.evaluations - before == count && observation.isValid
  }
}
