import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Keys with a zero in them, at which C takes a text to end: they are the keys of nothing.
@Suite(.serialized, .leavesNoObjects)
struct ZeroInKeyTests {
  private func expectUndefined(
    _ key: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: KeyValueError.self, sourceLocation: location) { try body() }
    #expect(error?.code == .undefinedKey, sourceLocation: location)
    #expect(error?.key == key, sourceLocation: location)
    #expect(error?.reason.contains("zero") == true, sourceLocation: location)
  }

  @Test("a key with a zero in it is neither read nor set")
  func coding() throws {
    let human = Human()
    expectUndefined("age\0x") { _ = try human.value(forKey: "age\0x") }
    expectUndefined("age\0x") { try human.setValue(9, forKey: "age\0x") }
    expectUndefined("age\0") { try human.setValue(nil, forKey: "age\0") }
    expectUndefined("home.city\0x") { _ = try human.value(forKeyPath: "home.city\0x") }
    expectUndefined("home\0.city") { try human.setValue("x", forKeyPath: "home\0.city") }
    expectUndefined("home.city\0") {
      var value: Any? = "x"
      try human.validateValue(&value, forKeyPath: "home.city\0")
    }
    expectUndefined("list\0") { _ = try human.mutableArrayValue(forKey: "list\0") }
    #expect(!human.responds(toKey: "age\0x") && human.responds(toKey: "age"))
    #expect(human.age == 1 && human.home.city == "Paris")
  }

  @Test("a key with a zero in it is not observed, nor announced")
  func observing() throws {
    let human = Human(), observer = Human()
    #expect(throws: KeyValueError.self) {
      try human.observe("age\0x", as: Int.self) { _, _ in }
    }
    expectUndefined("age\0x") { try human.addObserver(observer, forKeyPath: "age\0x") }
    let told = Recorder<Void>()
    let token = human.observe(\.age) { _, _ in told.add(()) }
    let misuses = Recorder<String>()
    KeyValueSettings.misuseHandler = { misuses.add($0.reason) }
    human.willChangeValue(forKey: "age\0x")
    human.didChangeValue(forKey: "age\0x")
    KeyValueSettings.misuseHandler = nil
    #expect(misuses.all.map { $0.contains("age\\0x") } == [true, true] && told.count == 0)
    token.invalidate()
  }

  @Test("classes made at run time refuse it likewise")
  func made() throws {
    let object = try RuntimeObject(Human())
    expectUndefined("age\0x") { _ = try object.value(forKey: "age\0x") }
    expectUndefined("age\0x") { _ = try object.get("age\0x") }
    expectUndefined("age\0x") { try object.set("age\0x", 2) }
    expectUndefined("name\0x") { try object.set("name\0x", "x") }
    expectUndefined("age\0x") { try object.setValue(2, forKey: "age\0x") }
    expectUndefined("age, age\0x") {
      _ = try object.dictionaryWithValues(forKeys: ["age", "age\0x"])
    }
    expectUndefined("age\0x") { try object.setValuesForKeys(["age\0x": 2]) }
    expectUndefined("age\0x") { try object.willChangeValue(forKey: "age\0x") }
    // As any key that is not known.
    let error = #expect(throws: KeyValueError.self) { try object.observe("age\0x") { _ in } }
    #expect(error?.code == .notObservable && error?.key == "age\0x")
    #expect(object.change("age\0x") { 3 } == 3)
  }

  @Test("a zero in a value is kept")
  func values() throws {
    let human = Human()
    try human.setValue("a\0b", forKey: "name")
    #expect(human.name == "a\0b")
    #expect(try human.value(forKey: "name", as: String.self) == "a\0b")
  }
}
