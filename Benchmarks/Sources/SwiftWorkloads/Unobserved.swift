import BenchModels
import CPaired
import Paired

/// The same access to a wrapped property that nobody observes and to a plain one.
private func pair(
  _ name: String, goal: Double, goalIsCount: Bool = false, largestCount: Int? = nil,
  wrapped: @escaping @Sendable () -> any Work, plain: @escaping @Sendable () -> any Work
) -> [Workload] {
  [
    Workload(
      name, of: isakvo, goal: goal, against: "\(name)-plain", goalIsCount: goalIsCount,
      largestCount: largestCount, make: wrapped),
    Workload("\(name)-plain", of: "plain", group: .plain, largestCount: largestCount, make: plain),
  ]
}

private let things = [Thing(1), Thing(2)]

/// Rows of accesses to what nobody observes, each beside the same access to a plain property.
let unobservedWorkloads: [Workload] = scalars + strings + objects + generics + appends

private let scalars =
  pair(ROW_SET_UNOBSERVED, goal: 1.1) {
    Loop(Person(), check: { person, count, _ in getAge(person) == count - 1 }) { person, numbers in
      for number in numbers { setAge(person, number) }
      return 0
    }
  } plain: {
    Loop(PlainPerson(), check: { person, count, _ in getAge(person) == count - 1 }) {
      person, numbers in
      for number in numbers { setAge(person, number) }
      return 0
    }
  }
  + pair(ROW_GET_UNOBSERVED, goal: 1.1) {
    let person = Person()
    setAge(person, 3)
    return Loop(person, check: { _, count, sum in sum == 3 * count }) { person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getAge(person) }
      return sum
    }
  } plain: {
    let person = PlainPerson()
    setAge(person, 3)
    return Loop(person, check: { _, count, sum in sum == 3 * count }) { person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getAge(person) }
      return sum
    }
  }

private let strings =
  pair("set-unobserved-string", goal: 1.5) {
    Loop(Person(), check: { person, count, _ in getName(person) == names[(count - 1) & 1] }) {
      person, numbers in
      let (even, odd) = (names[0], names[1])
      for number in numbers { setName(person, number & 1 == 0 ? even : odd) }
      return 0
    }
  } plain: {
    Loop(PlainPerson(), check: { person, count, _ in getName(person) == names[(count - 1) & 1] }) {
      person, numbers in
      let (even, odd) = (names[0], names[1])
      for number in numbers { setName(person, number & 1 == 0 ? even : odd) }
      return 0
    }
  }
  + pair("get-unobserved-string", goal: 1.5) {
    let person = Person()
    setName(person, names[0])
    return Loop(person, check: { _, count, sum in sum == names[0].utf8.count * count }) {
      person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getName(person).utf8.count }
      return sum
    }
  } plain: {
    let person = PlainPerson()
    setName(person, names[0])
    return Loop(person, check: { _, count, sum in sum == names[0].utf8.count * count }) {
      person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getName(person).utf8.count }
      return sum
    }
  }

private let objects =
  pair("set-unobserved-object", goal: 1.5) {
    Loop(Person(), check: { person, count, _ in getFriend(person) === things[(count - 1) & 1] }) {
      person, numbers in
      let (even, odd) = (things[0], things[1])
      for number in numbers { setFriend(person, number & 1 == 0 ? even : odd) }
      return 0
    }
  } plain: {
    Loop(
      PlainPerson(), check: { person, count, _ in getFriend(person) === things[(count - 1) & 1] }
    ) { person, numbers in
      let (even, odd) = (things[0], things[1])
      for number in numbers { setFriend(person, number & 1 == 0 ? even : odd) }
      return 0
    }
  }
  + pair("get-unobserved-object", goal: 1.5) {
    let person = Person()
    setFriend(person, things[1])
    return Loop(person, check: { _, count, sum in sum == 2 * count }) { person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getFriend(person)?.number ?? 0 }
      return sum
    }
  } plain: {
    let person = PlainPerson()
    setFriend(person, things[1])
    return Loop(person, check: { _, count, sum in sum == 2 * count }) { person, numbers in
      var sum = 0
      for _ in numbers { sum &+= getFriend(person)?.number ?? 0 }
      return sum
    }
  }

private let generics =
  pair("set-unobserved-generic", goal: 106, goalIsCount: true) {
    Loop(Cell(0), check: { cell, count, _ in getValue(cell) == count - 1 }) { cell, numbers in
      for number in numbers { setValue(cell, number) }
      return 0
    }
  } plain: {
    Loop(PlainCell(0), check: { cell, count, _ in getValue(cell) == count - 1 }) { cell, numbers in
      for number in numbers { setValue(cell, number) }
      return 0
    }
  }
  + pair("get-unobserved-generic", goal: 106, goalIsCount: true) {
    Loop(Cell(3), check: { _, count, sum in sum == 3 * count }) { cell, numbers in
      var sum = 0
      for _ in numbers { sum &+= getValue(cell) }
      return sum
    }
  } plain: {
    Loop(PlainCell(3), check: { _, count, sum in sum == 3 * count }) { cell, numbers in
      var sum = 0
      for _ in numbers { sum &+= getValue(cell) }
      return sum
    }
  }

// The array is emptied before each run and keeps its room: after the first ones nothing is
// allocated, and what remains is the access.
private let appends = pair("append-unobserved", goal: 1.5, largestCount: 1 << 16) {
  Loop(
    Person(), reset: { emptyItems($0) },
    check: { person, count, _ in getItems(person).last == count - 1 }
  ) { person, numbers in
    for number in numbers { append(number, to: person) }
    return 0
  }
} plain: {
  Loop(
    PlainPerson(), reset: { emptyItems($0) },
    check: { person, count, _ in getItems(person).last == count - 1 }
  ) { person, numbers in
    for number in numbers { append(number, to: person) }
    return 0
  }
}
