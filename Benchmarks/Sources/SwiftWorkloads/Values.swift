import BenchModels
import CPaired
import IsaKVO
import Paired

/// An object, a string, a struct and an optional instead of a number.
let valueWorkloads: [Workload] = [
  Workload(ROW_SET_OBJECT_ONE_OBSERVER, of: isakvo, goal: 22, make: objectWork),
  Workload("add-one-observer", of: isakvo, group: .ladder, make: additionWork),
  Workload("set-string-one-observer", of: isakvo, goal: 20, make: stringWork),
  Workload("set-struct-one-observer", of: isakvo, goal: 15, make: structWork),
  Workload("set-optional-one-observer", of: isakvo, goal: 15, make: optionalWork),
]

/// `+=`, which changes the value where it is.
private func additionWork() -> any Work {
  Heeded(
    Person(),
    observe: { person, heard in
      person.observe(Person.agePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
      }
    },
    body: { person, numbers in for _ in numbers { addAge(person, 1) } })
}

/// Two things in turn; the values told are their numbers, 0 and 1.
private func objectWork() -> any Work {
  let things = [Thing(0), Thing(1)]
  let person = Person()
  setFriend(person, things[0])
  return Heeded(
    person, expected: { (old: $0 / 2, new: ($0 + 1) / 2) },
    observe: { person, heard in
      person.observe(Person.friendPath, options: [.old, .new]) { _, change in
        heard.note(old: number(change.oldValue), new: number(change.newValue))
      }
    },
    body: { person, numbers in
      let (even, odd) = (things[0], things[1])
      for number in numbers { setFriend(person, number & 1 == 0 ? even : odd) }
    })
}

private func number(_ thing: Thing??) -> Int {
  guard case .some(.some(let thing)) = thing else { return 0 }
  return thing.number
}

/// Two strings in turn; the values told are their lengths.
func stringWork() -> any Work {
  let person = Person()
  setName(person, names[0])
  return Heeded(
    person, expected: lengths(of:),
    observe: { person, heard in
      person.observe(Person.namePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue?.utf8.count ?? 0, new: change.newValue?.utf8.count ?? 0)
      }
    },
    body: { person, numbers in
      let (even, odd) = (names[0], names[1])
      for number in numbers { setName(person, number & 1 == 0 ? even : odd) }
    })
}

private func structWork() -> any Work {
  Heeded(
    Person(),
    observe: { person, heard in
      person.observe(Person.placePath, options: [.old, .new]) { _, change in
        heard.note(old: change.oldValue?.x ?? 0, new: change.newValue?.y ?? 0)
      }
    },
    body: { person, numbers in
      for number in numbers { setPlace(person, Place(x: number, y: number)) }
    })
}

private func optionalWork() -> any Work {
  Heeded(
    Person(),
    observe: { person, heard in
      person.observe(Person.scorePath, options: [.old, .new]) { _, change in
        heard.note(old: (change.oldValue ?? nil) ?? 0, new: (change.newValue ?? nil) ?? 0)
      }
    },
    body: { person, numbers in for number in numbers { setScore(person, number) } })
}
