import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ObserverObjectTests {
  @Test("an observer object is told by message, with its context")
  func tellsObserver() throws {
    try withWatchedPerson { person, watcher, told in
      let context = ObservationContext()
      try person.addObserver(
        watcher, forKeyPath: "age", options: [.old, .new], context: context)
      try person.set("age", 40)
      let change = try #require(told.last)
      #expect(change.description == "age: 0 → 40")
      #expect(change.object == person)
      #expect(change.context == context)
      try person.removeObserver(watcher, forKeyPath: "age", context: context)
      try person.set("age", 41)
      #expect(told.count == 1)
    }
  }

  @Test("removing what is not registered throws and changes nothing")
  func removesTooOften() throws {
    try withWatchedPerson { person, watcher, told in
      expectError(.notRegistered, key: "age") {
        try person.removeObserver(watcher, forKeyPath: "age")
      }
      try person.addObserver(watcher, forKeyPath: "age", context: ObservationContext())
      expectError(.notRegistered, key: "age") {
        try person.removeObserver(watcher, forKeyPath: "age", context: ObservationContext())
      }
      #expect(person.registrations.count == 1)
      try person.removeObserver(watcher, forKeyPath: "age")
      expectError(.notRegistered, key: "age") {
        try person.removeObserver(watcher, forKeyPath: "age")
      }
    }
  }

  @Test("contexts tell the registrations of one observer apart")
  func contexts() throws {
    try withWatchedPerson { person, watcher, told in
      let contexts = [ObservationContext(), .none, ObservationContext()]
      for context in contexts {
        try person.addObserver(watcher, forKeyPath: "age", context: context)
      }
      #expect(person.registrations.map(\.context) == contexts)
      try person.removeObserver(watcher, forKeyPath: "age", context: contexts[0])
      try person.set("age", 1)
      #expect(Set(told.all.map(\.context)) == Set(contexts[1...]))
      try person.removeObserver(watcher, forKeyPath: "age", context: .none)
      try person.removeObserver(watcher, forKeyPath: "age", context: contexts[2])
      #expect(!person.isObserved)
    }
  }

  @Test("an unknown key is accepted, and may be announced by hand")
  func unknownKey() throws {
    try withWatchedPerson { person, watcher, told in
      try person.addObserver(watcher, forKeyPath: "wings")
      try person.willChangeValue(forKey: "wings")
      try person.didChangeValue(forKey: "wings")
      #expect(told.count == 1)
      try person.removeObserver(watcher, forKeyPath: "wings")
      #expect(throws: KeyValueError.self) {
        try person.addObserver(watcher, forKeyPath: "wings", options: [.new, .initial])
      }
      #expect(!person.isObserved)
    }
  }

  @Test("an observer that dies is told no more")
  func observerDies() throws {
    let told = Recorder<Void>()
    try withClass {
      try $0.observer { _, _ in told.add(()) }
    } body: { watchers in
      try withPerson { person in
        do {
          let watcher = try watchers.allocate()
          try person.addObserver(watcher, forKeyPath: "age")
          try person.set("age", 1)
        }
        try person.set("age", 2)
        #expect(told.count == 1)
      }
    }
  }

  @Test("an observer that is retained lives as long as its registration")
  func retainsObserver() throws {
    try withWatchedPerson { person, watcher, told in
      try person.addObserver(watcher, forKeyPath: "age", options: .retainObserver)
      #expect(watcher.retainCount == 2)
      try person.removeObserver(watcher, forKeyPath: "age")
      #expect(watcher.retainCount == 1)
    }
  }

  @Test("an observer ends its registration from inside")
  func endsItself() throws {
    let told = Recorder<Void>()
    let describe: (RuntimeClassBuilder) throws -> Void = { builder in
      try builder.observer { _, change in
        told.add(())
        change.stopObserving()
        change.stopObserving()
      }
    }
    try withClass("Watcher", describe) { watchers in
      try withPerson { person in
        let watcher = try watchers.allocate()
        try person.addObserver(watcher, forKeyPath: "age")
        try person.set("age", 1)
        try person.set("age", 2)
        #expect(told.count == 1)
        #expect(!person.isObserved)
      }
    }
  }

  @Test("registrations tell key path, options, context and observer")
  func registrations() throws {
    try withWatchedPerson { person, watcher, _ in
      let context = ObservationContext(address: 0x40)
      try person.addObserver(watcher, forKeyPath: "age", options: [.old], context: context)
      let token = try person.observe("height", options: .new) { _ in }
      let all = person.registrations
      #expect(all.map(\.keyPath) == ["age", "height"])
      #expect(all.map(\.options) == [.old, .new])
      #expect(all.map(\.isFunction) == [false, true])
      #expect(all.first?.context == context)
      #expect(all.first?.observer == watcher.address)
      token.invalidate()
      try person.removeObserver(watcher, forKeyPath: "age")
    }
  }
}
