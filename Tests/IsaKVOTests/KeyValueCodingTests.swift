import IsaKVO
import Testing

@Suite(.serialized, .leavesNothing)
struct KeyValueCodingTests {
  @Test("a value set by key is read by key, as a value and as a Swift type")
  func roundTrip() throws {
    try withPerson { person in
      try person.setValue(41, forKey: "age")
      #expect(try person.value(forKey: "age") == 41)
      #expect(try person.get("age", as: Int.self) == 41)
      try person.set("height", 1.75)
      let height: Double = try person.get("height")
      #expect(height == 1.75)
      try person.set("name", "Ann")
      #expect(try person.get("name", as: String?.self) == "Ann")
    }
  }

  @Test("a struct is set and read by key")
  func structs() throws {
    try withPerson { person in
      let corner = try RuntimeValue("{Point=dd}", members: [1, 2])
      try person.setValue(corner, forKey: "corner")
      #expect(try person.value(forKey: "corner") == corner)
      #expect(try person.get("corner") == corner)
    }
  }

  @Test("an object is set and read by key, and kept")
  func objects() throws {
    try withPerson { person in
      let friend = try person.isa.allocate()
      try person.set("friend", friend)
      #expect(try person.get("friend", as: RuntimeObject.self) == friend)
      #expect(try person.value(forKey: "friend").object == friend)
      #expect(friend.retainCount == 2)
      try person.setValue(nil, forKey: "friend")
      #expect(try person.get("friend", as: RuntimeObject?.self) == nil)
      #expect(friend.retainCount == 1)
    }
  }

  @Test("numbers are converted to the key's type")
  func converts() throws {
    try withPerson { person in
      try person.set("height", Int32(2))
      #expect(try person.get("height") == 2.0)
      try person.setValue(true, forKey: "age")
      #expect(try person.get("age") == 1)
    }
  }

  @Test("a key that nothing answers to throws, and so do nil and a type that does not fit")
  func errors() throws {
    try withPerson { person in
      let name = person.isa.name
      let undefined = CodingError.undefinedKey("wings", className: name)
      #expect(throws: undefined) { try person.value(forKey: "wings") }
      #expect(throws: undefined) { try person.setValue(2, forKey: "wings") }
      #expect(throws: undefined) { try person.get("wings") }
      #expect(throws: undefined) { try person.set("wings", 2) }
      #expect(throws: CodingError.nilValue("age", className: name)) {
        try person.setValue(nil, forKey: "age")
      }
      #expect {
        try person.set("age", "old")
      } throws: { error in
        guard case CodingError.incompatible("age", name, _) = error else { return false }
        return true
      }
      let age = try person.get("age", as: Int.self)
      #expect(age == 0)
    }
  }

  @Test("a value that is not of the type asked for throws")
  func wrongType() throws {
    try withPerson { person in
      try person.set("age", 300)
      let reason = "300, a “q”, is no Int8"
      let expected = CodingError.incompatible("age", className: person.isa.name, reason: reason)
      #expect(throws: expected) { try person.get("age", as: Int8.self) }
    }
  }

  @Test("a pointer is read in place, and refused by KVC's message")
  func pointers() throws {
    try withClass {
      try $0.property("spot", .pointer)
    } body: { made in
      let object = try made.allocate()
      try object.set("spot", .pointer(address: 64))
      #expect(try object.get("spot").address == 64)
      #expect(throws: CodingError.self) { try object.value(forKey: "spot") }
    }
  }

  @Test("an ivar without accessors is found, unless its class forbids")
  func ivars() throws {
    try withClass {
      try $0.ivar("_tag", .int32)
    } body: { made in
      let object = try made.allocate()
      try object.set("tag", 7)
      #expect(try object.get("tag", as: Int.self) == 7)
    }
    try withClass { builder in
      try builder.ivar("_tag", .int32)
        .classMethod("accessInstanceVariablesDirectly", "B@:") { _ in false }
    } body: { made in
      let object = try made.allocate()
      #expect(throws: CodingError.undefinedKey("tag", className: made.name)) {
        try object.set("tag", 7)
      }
      #expect(throws: ObservingError.notObservable(keyPath: "tag")) {
        _ = try object.observe("tag") { _ in }
      }
    }
  }

  @Test("an empty key is refused")
  func emptyKey() throws {
    try withPerson { person in
      #expect(throws: CodingError.self) { try person.value(forKey: "") }
      #expect(throws: CodingError.self) { try person.set("", 1) }
    }
  }

  @Test("a Swift struct can stand for a C struct")
  func convertibleStructs() throws {
    try withPerson { person in
      try person.set("corner", Point(x: 3, y: 4))
      #expect(try person.get("corner", as: Point.self) == Point(x: 3, y: 4))
    }
  }
}

private struct Point: RuntimeConvertible, Equatable {
  var x = 0.0
  var y = 0.0

  static let runtimeEncoding: TypeEncoding = "{Point=dd}"

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init?(runtimeValue: RuntimeValue) {
    guard let members = runtimeValue.members, members.count == 2, let x = members[0].double,
      let y = members[1].double
    else { return nil }
    self.init(x: x, y: y)
  }

  var runtimeValue: RuntimeValue {
    (try? RuntimeValue(Self.runtimeEncoding, members: [RuntimeValue(x), RuntimeValue(y)])) ?? .void
  }
}
