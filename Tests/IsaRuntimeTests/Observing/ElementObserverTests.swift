import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ElementObserverTests {
  @Test("an observer is registered on elements of an array, and removed")
  func elements() throws {
    try withWatchedPerson { person, watcher, told in
      let other = try person.isa.original.allocate()
      let both = RuntimeValue.array([RuntimeValue(person), RuntimeValue(other)])
      let array = try #require(both.object)
      let context = ObservationContext()
      try array.addObserver(
        watcher, toObjectsAt: [0, 1], forKeyPath: "age", options: .new, context: context)
      try other.set("age", 3)
      #expect(told.all.map(\.object) == [other] && told.last?.context == context)
      try array.removeObserver(watcher, fromObjectsAt: [1], forKeyPath: "age", context: context)
      #expect(!other.isObserved && person.isObserved)
      try array.removeObserver(watcher, fromObjectsAt: [0], forKeyPath: "age")
      #expect(!person.isObserved)
    }
  }

  @Test("an index beyond the end is refused, and nothing is registered")
  func refuses() throws {
    try withWatchedPerson { person, watcher, _ in
      let array = try #require(RuntimeValue.array([RuntimeValue(person)]).object)
      let error = #expect(throws: KeyValueError.self) {
        try array.addObserver(watcher, toObjectsAt: [0, 1], forKeyPath: "age")
      }
      #expect(error?.exceptionName == "NSRangeException")
      #expect(!person.isObserved)
      #expect(throws: KeyValueError.self) {
        try person.addObserver(watcher, toObjectsAt: [0], forKeyPath: "age")
      }
      #expect(throws: KeyValueError.self) {
        try array.removeObserver(watcher, fromObjectsAt: [0], forKeyPath: "age")
      }
    }
  }
}
