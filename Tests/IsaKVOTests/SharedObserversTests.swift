import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct SharedObserversTests {
  @Test("closures and observer objects are registered once and told by many objects")
  func shared() throws {
    try withWatchedPerson { person, watcher, told in
      let other = try person.isa.original.allocate()
      let shared = try SharedObservers(for: person.isa.original)
      let ages = Recorder<Int?>()
      try shared.observe("age", as: Int.self, options: .new) { _, change in
        ages.add(change.newValue)
      }
      try shared.addObserver(watcher, forKey: "age", options: [.old, .new])
      for object in [person, other] { try object.setSharedObservers(shared) }
      try person.set("age", 1)
      try other.set("age", 2)
      #expect(ages.all == [1, 2])
      #expect(told.all.map(\.object) == [person, other])
      #expect(person.registrations.map(\.isShared) == [true, true])
      try person.setSharedObservers(nil)
      #expect(!person.isObserved && other.isObserved)
    }
  }

  @Test("what is taken out is not assigned later, and objects keep what they have")
  func removal() throws {
    try withWatchedPerson { person, watcher, told in
      let other = try person.isa.original.allocate()
      do {
        let shared = try SharedObservers(for: person.isa.original)
        try shared.addObserver(watcher, forKey: "age")
        try person.setSharedObservers(shared)
        try shared.removeObserver(watcher, forKey: "age")
        try other.setSharedObservers(shared)
        expectError(.notRegistered, key: "age") {
          try shared.removeObserver(watcher, forKey: "age")
        }
      }
      try person.set("age", 1)
      try other.set("age", 1)
      #expect(told.all.map(\.object) == [person])
    }
  }

  @Test("key paths, other options and objects of other classes are refused")
  func refuses() throws {
    try withPerson { person in
      let shared = try SharedObservers(for: person.isa)
      expectError(.notObservable, key: "friend.age") {
        try shared.observe("friend.age") { _ in }
      }
      expectError(.invalidOptions) {
        try shared.observe("age", options: .initial) { _ in }
      }
      try withClass { other in
        #expect(throws: KeyValueError.self) { try other.allocate().setSharedObservers(shared) }
      }
    }
  }
}
