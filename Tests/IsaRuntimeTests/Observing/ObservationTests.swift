import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ObservationTests {
  @Test("the handler is told of old and new before the setter returns")
  func oldAndNew() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let token = try person.observe("age", options: [.old, .new]) { told.add("\($0)") }
      try person.send("setAge:", 40)
      #expect(told.all == ["age: 0 → 40"])
      try person.setValue(41, forKey: "age")
      #expect(told.last == "age: 40 → 41")
      token.invalidate()
    }
  }

  @Test("only what was asked for is told")
  func options() throws {
    try withPerson { person in
      let told = Recorder<Bool>()
      let note: @Sendable (RuntimeChange) -> Void = {
        told.add($0.oldValue != nil)
        told.add($0.newValue != nil)
      }
      for options in [[], .old, .new, [.old, .new]] as [ObservationOptions] {
        let token = try person.observe("age", options: options, handler: note)
        try person.set("age", 1)
        #expect(told.all == [options.contains(.old), options.contains(.new)])
        told.clear()
        token.invalidate()
      }
    }
  }

  @Test("initial tells the value while registering, prior tells before the change")
  func initialAndPrior() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let token = try person.observe("age", options: [.new, .old, .initial, .prior]) { change in
        told.add("\(change)")
      }
      #expect(told.all == ["age: → 0 (initial)"])
      try person.set("age", 5)
      #expect(told.all == ["age: → 0 (initial)", "age: 0 (prior)", "age: 0 → 5"])
      token.invalidate()
    }
  }

  @Test(
    "a setter of each type notifies, by thunk and by closure",
    arguments: [
      (.int8, -8), (.int16, -16), (.int32, -32), (.int64, -64), (.uint8, 8), (.uint16, 16),
      (.uint32, 32), (.uint64, 64), (.float, 0.5), (.double, 0.25), (.longDouble, 0.125),
      (.bool, true), (.cString, "text"), (.selector, RuntimeValue("age" as RuntimeSelector)),
      (.classObject, RuntimeValue(RuntimeClass.root)), (.pointer, .pointer(address: 16)),
    ] as [(RuntimeTypeEncoding, RuntimeValue)], [WrappingPolicy.automatic, .libffi])
  func everyType(_ sample: (RuntimeTypeEncoding, RuntimeValue), policy: WrappingPolicy) throws {
    KeyValueSettings.wrapping = policy
    defer { KeyValueSettings.wrapping = .automatic }
    try withClass {
      try $0.property("x", sample.0)
    } body: { made in
      let object = try made.allocate()
      let told = Recorder<RuntimeValue?>()
      let token = try object.observe("x", options: [.new]) { told.add($0.newValue) }
      try object.send("setX:", sample.1)
      #expect(try told.all == [sample.1.converted(to: sample.0)])
      #expect(policy != .libffi || object.isa.wrappedSetters.allSatisfy(\.isClosure))
      token.invalidate()
    }
  }

  @Test("a typed handler gets old and new as its type")
  func typed() throws {
    try withPerson { person in
      let told = Recorder<[Int?]>()
      let token = try person.observe("age", as: Int.self, options: [.old, .new]) { change in
        told.add([change.oldValue, change.newValue])
      }
      try person.set("age", 40)
      #expect(told.all == [[0, 40]])
      token.invalidate()
    }
  }

  @Test("a typed handler tells nil from absent")
  func typedOptional() throws {
    try withPerson { person in
      let told = Recorder<RuntimeObject??>()
      let token = try person.observe("friend", as: RuntimeObject?.self, options: .new) { change in
        told.add(change.newValue)
        told.add(change.oldValue)
      }
      try person.set("friend", person.isa.allocate())
      try person.setValue(nil, forKey: "friend")
      #expect(told.count == 4)
      #expect(told.all[0].flatMap { $0 } != nil)
      #expect(told.all[1] == nil)
      #expect(told.all[2] == .some(nil))
      told.clear()
      token.invalidate()
    }
  }

  @Test("a typed handler of another type gets no value")
  func typedMismatch() throws {
    try withPerson { person in
      let told = Recorder<Int8?>()
      let token = try person.observe("age", as: Int8.self, options: .new) { told.add($0.newValue) }
      try person.set("age", 100)
      try person.set("age", 1000)
      #expect(told.all == [100, nil])
      token.invalidate()
    }
  }

  @Test("a key that nothing answers to is refused, and nothing is registered")
  func unknownKey() throws {
    try withPerson { person in
      let original = person.isa
      expectError(.notObservable, key: "wings") {
        _ = try person.observe("wings") { _ in }
      }
      #expect(throws: KeyValueError.self) { _ = try person.observe("") { _ in } }
      #expect(person.isa == original)
      #expect(!person.isObserved)
    }
  }

  @Test("a class cannot be observed")
  func classes() throws {
    try withClass {
      try $0.classMethod("age", "q@:") { _ in 1 }
    } body: { made in
      expectError(.notObservable, key: "age") {
        _ = try made.object.observe("age") { _ in }
      }
    }
  }

  @Test("bits that are no option are refused, and the closure is let go")
  func invalidOptions() throws {
    final class Token: Sendable {}
    weak var held: Token?
    try withPerson { person in
      let options = ObservationOptions(rawValue: 1 << 9)
      do {
        let token = Token()
        held = token
        expectError(.invalidOptions) {
          _ = try person.observe("age", options: options) { _ in withExtendedLifetime(token) {} }
        }
      }
      #expect(held == nil)
      #expect(!person.isObserved)
    }
  }

  @Test("invalidating ends the observation, any number of times")
  func invalidates() throws {
    try withPerson { person in
      let original = person.isa
      let told = Recorder<RuntimeChange>()
      let token = try person.observe("age") { told.add($0) }
      #expect(token.isValid)
      #expect(person.isObserved)
      token.invalidate()
      token.invalidate()
      token.invalidateAndWait()
      #expect(!token.isValid)
      #expect(person.isa == original)
      try person.set("age", 1)
      #expect(told.count == 0)
    }
  }

  @Test("dropping the token ends the observation")
  func dropped() throws {
    try withPerson { person in
      let told = Recorder<Void>()
      do {
        let token = try person.observe("age") { _ in told.add(()) }
        try person.set("age", 1)
        withExtendedLifetime(token) {}
      }
      try person.set("age", 2)
      #expect(told.count == 1)
      #expect(!person.isObserved)
    }
  }

  @Test("an object takes its observations along, and the token stays usable")
  func objectDies() throws {
    try withClass("Person", describePerson) { made in
      var person: RuntimeObject? = try made.allocate()
      let token = try #require(person).observe("age") { _ in }
      person = nil
      #expect(!token.isValid)
      token.invalidate()
    }
  }

  @Test("invalidating lets the closure go, though the token stays")
  func releasesClosure() throws {
    final class Token: Sendable {}
    weak var held: Token?
    try withPerson { person in
      let observation: KeyValueObservation
      do {
        let token = Token()
        held = token
        observation = try person.observe("age") { _ in withExtendedLifetime(token) {} }
      }
      #expect(held != nil)
      observation.invalidate()
      #expect(held == nil)
      withExtendedLifetime(observation) {}
    }
  }

  @Test("the object's death lets the closure go")
  func deathReleasesClosure() throws {
    final class Token: Sendable {}
    weak var held: Token?
    try withClass("Person", describePerson) { made in
      let observation: KeyValueObservation
      do {
        let token = Token()
        held = token
        let person = try made.allocate()
        observation = try person.observe("age") { _ in withExtendedLifetime(token) {} }
      }
      #expect(held == nil)
      withExtendedLifetime(observation) {}
    }
  }

  @Test("a handler ends its own observation, also inside the initial notification")
  func endsItself() throws {
    try withPerson { person in
      let told = Recorder<Void>()
      let token = try person.observe("age", options: .initial) { change in
        told.add(())
        change.stopObserving()
      }
      try person.set("age", 1)
      #expect(told.count == 1)
      #expect(!token.isValid)
      let typed = try person.observe("age", as: Int.self, options: .new) { change in
        if change.newValue == 3 { change.stopObserving() }
        told.add(())
      }
      for age in 2...5 { try person.set("age", RuntimeValue(age)) }
      #expect(told.count == 3)
      #expect(!typed.isValid)
      #expect(!person.isObserved)
    }
  }

  @Test("a handler that sets the same key again is told again")
  func reentry() throws {
    try withPerson { person in
      let told = Recorder<Int?>()
      let token = try person.observe("age", as: Int.self, options: .new) { [weak person] change in
        told.add(change.newValue)
        if change.newValue == 1 { try? person?.set("age", 2) }
      }
      try person.set("age", 1)
      #expect(told.all == [1, 2])
      token.invalidate()
    }
  }

  @Test("observations are told in the order of registering backwards, each on its own")
  func several() throws {
    try withPerson { person in
      let told = Recorder<Int>()
      let tokens = try (0..<3).map { number in
        try person.observe("age") { _ in told.add(number) }
      }
      try person.set("age", 1)
      #expect(told.all == [2, 1, 0])
      tokens[1].invalidate()
      told.clear()
      try person.set("age", 2)
      #expect(told.all == [2, 0])
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test("a change that is kept stays valid")
  func keptChanges() throws {
    let kept = Recorder<RuntimeChange>()
    try withPerson { person in
      let token = try person.observe("name", options: [.old, .new]) { kept.add($0) }
      try person.set("name", "Ann")
      try person.set("name", "Bob")
      token.invalidate()
      #expect(kept.all.map { $0.newValue?.string } == ["Ann", "Bob"])
      #expect(kept.all.map { $0.oldValue?.string } == [nil, "Ann"])
      #expect(kept.all.map(\.object) == [person, person])
      #expect(kept.all.map(\.kind) == [.setting, .setting])
      kept.clear()
    }
  }

  @Test("two threads set, observe and stop observing one object at once")
  func twoThreads() throws {
    try withPerson { person in
      let told = Recorder<Int?>()
      let group = DispatchGroup()
      for _ in 0..<2 {
        DispatchQueue.global().async(group: group) {
          for round in 0..<200 {
            let token = try? person.observe("age", as: Int.self, options: [.old, .new]) { change in
              told.add(change.newValue)
            }
            try? person.set("age", RuntimeValue(round))
            token?.invalidate()
          }
        }
      }
      group.wait()
      #expect(told.count >= 400)
      #expect(!person.isObserved)
    }
  }

  @Test("once the waiting form has returned, the handler runs no more")
  func waits() throws {
    try withPerson { person in
      let running = Recorder<Bool>()
      let token = try person.observe("age") { _ in
        running.add(true)
        Thread.sleep(forTimeInterval: 0.05)
        running.add(false)
      }
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { try? person.set("age", 1) }
      while running.count == 0 { Thread.sleep(forTimeInterval: 0.001) }
      token.invalidateAndWait()
      #expect(running.last == false)
      group.wait()
    }
  }
}
