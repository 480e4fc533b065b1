import BenchModels
import IsaKVO
import Paired

/// Properties that are read, set and observed by their names.
let namedWorkloads: [Workload] = [
  Workload("value-for-key", of: isakvo, goal: 45) {
    Loop(Person(), reset: { setAge($0, 3) }, check: { _, count, sum in sum == 3 * count }) {
      person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getAgeByKey(person) }
      return sum
    }
  },
  Workload("set-value-for-key", of: isakvo, goal: 65) {
    Loop(Person(), check: { person, count, _ in getAge(person) == count - 1 }) {
      person, numbers in
      for age in numbers { setAgeByKey(person, age) }
      return 0
    }
  },
  Workload("value-for-key-path", of: isakvo, goal: 100) {
    Loop(
      Outer(), reset: { setLeaf(getB(getA($0)), 3) },
      check: { _, count, sum in sum == 3 * count }
    ) { outer, numbers in
      var sum = 0
      for _ in numbers { sum &+= getLeafByKeyPath(outer) }
      return sum
    }
  },
  Workload("add-remove-by-name", of: isakvo, goal: 150) {
    ComingAndGoing(Person(), set: setAge, expected: (old: 0, new: 2)) { person, heard in
      observeByName(person, heard)
    }
  },
]

private func observeByName(_ person: Person, _ heard: Heard) -> KeyValueObservation {
  do {
    return try person.observe("age", as: Int.self, options: .new) { _, change in
      heard.note(old: 0, new: change.newValue ?? 0)
    }
  } catch {
    fatalError("\(error)")
  }
}

/// Modifications in place that go through a protocol, and so are not inlined.
let protocolWorkloads: [Workload] = [
  Workload("add-through-protocol", of: isakvo, goal: 60) { tally(Tally()) },
  Workload("add-through-protocol-plain", of: "plain", group: .plain) { tally(PlainTally()) },
  Workload("add-through-protocol-one-observer", of: isakvo, goal: 85) {
    Heeded(Tally(), expected: { (sum(below: $0), sum(below: $0 + 1)) }) { tally, heard in
      tally.observe(\.count, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    } body: { tally, numbers in
      for _ in numbers { add(1, to: tally) }
    }
  },
]

private func tally(_ counting: any Counting) -> any Work {
  Loop(counting, check: { counting, count, _ in counting.count == count }) { counting, numbers in
    for _ in numbers { add(1, to: counting) }
    return 0
  }
}
