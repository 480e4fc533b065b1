import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
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
      expectError(.undefinedKey, key: "wings", className: name) {
        try person.value(forKey: "wings")
      }
      expectError(.undefinedKey, key: "wings", className: name) {
        try person.setValue(2, forKey: "wings")
      }
      expectError(.undefinedKey, key: "wings", className: name) { try person.get("wings") }
      expectError(.undefinedKey, key: "wings", className: name) { try person.set("wings", 2) }
      expectError(.nilValue, key: "age", className: name) {
        try person.setValue(nil, forKey: "age")
      }
      expectError(.incompatible, key: "age", className: name) { try person.set("age", "old") }
      let age = try person.get("age", as: Int.self)
      #expect(age == 0)
    }
  }

  @Test("a value that is not of the type asked for throws")
  func wrongType() throws {
    try withPerson { person in
      try person.set("age", 300)
      let reason = "300, a “q”, is no Int8"
      let className = person.isa.name
      expectError(.incompatible, key: "age", className: className, reason: reason) {
        try person.get("age", as: Int8.self)
      }
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
      #expect(throws: KeyValueError.self) { try object.value(forKey: "spot") }
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
      expectError(.undefinedKey, key: "tag", className: made.name) {
        try object.set("tag", 7)
      }
      expectError(.notObservable, key: "tag") {
        _ = try object.observe("tag") { _ in }
      }
    }
  }

  @Test("a class answers undefined keys by closures, and refuses those that they leave")
  func undefinedKeys() throws {
    let taken = Recorder<String>()
    try withClass {
      try $0.undefinedKeys { _, key in
        switch key {
        case "size": 3
        case "nothing": .nilObject
        case "spot": .pointer(address: 16)
        default: nil
        }
      } set: { _, value, key in
        if key == "size" { taken.add("\(key) \(value)") }
        return key == "size"
      }
    } body: { made in
      let bag = try made.allocate()
      #expect(try bag.value(forKey: "size") == 3)
      #expect(try bag.get("size", as: Int.self) == 3)
      #expect(try bag.value(forKey: "nothing").isNil)
      try bag.setValue(4, forKey: "size")
      try bag.set("size", 5)
      #expect(taken.all == ["size 4", "size 5"])
      expectError(.undefinedKey, key: "wings", className: made.name) {
        try bag.value(forKey: "wings")
      }
      expectError(.undefinedKey, key: "wings", className: made.name) {
        try bag.setValue(1, forKey: "wings")
      }
      #expect(try bag.value(forKey: "spot").address == 16)
    }
  }

  @Test("an object that a closure answers a key with is the reader's")
  func undefinedObject() throws {
    try withPerson { friend in
      try withClass {
        try $0.undefinedKeys { bag, key in key == "self" ? RuntimeValue(bag) : nil }
      } body: { made in
        let bag = try made.allocate()
        #expect(try bag.value(forKey: "self").object == bag)
        #expect(bag.retainCount == 1)
        #expect(throws: KeyValueError.self) { try bag.set("self", friend) }
      }
      #expect(friend.retainCount == 1)
    }
  }

  @Test("a class left with a key asks its superclass's closures")
  func undefinedKeyChain() throws {
    try withClass {
      try $0.undefinedKeys { _, key in key == "base" ? 1 : nil }
    } body: { base in
      try withClass(superclass: base) {
        try $0.undefinedKeys { _, key in key == "derived" ? 2 : nil }
      } body: { derived in
        let object = try derived.allocate()
        #expect(try object.get("base") == RuntimeValue(1))
        #expect(try object.get("derived") == RuntimeValue(2))
        expectError(.undefinedKey, key: "other", className: derived.name) {
          try object.get("other")
        }
      }
    }
  }

  @Test("a class reads and sets any key in its own way")
  func ownKeys() throws {
    try withClass {
      try $0.property("age", .int64).keys { object, key in
        key == "age" ? (try? object.send("age").int).map { RuntimeValue($0 * 2) } : nil
      } set: { _, _, key in
        key == "ignored"
      }
    } body: { made in
      let object = try made.allocate()
      try object.set("age", 20)
      #expect(try object.get("age") == RuntimeValue(40))
      #expect(try object.send("age").int == 20)
      try object.setValue(7, forKey: "ignored")
      expectError(.undefinedKey, key: "ignored", className: made.name) {
        try object.get("ignored")
      }
    }
  }

  @Test("a class takes nil for a number in its own way")
  func nilHook() throws {
    let told = Recorder<String>()
    try withClass { builder in
      try builder.property("age", .int64)
        .method("setNilValueForKey:", "i@:*") { call -> RuntimeValue in
          told.add("nil \(call.arguments[0])")
          return RuntimeValue(Int32(0))
        }
    } body: { made in
      let object = try made.allocate()
      try object.setValue(nil, forKey: "age")
      #expect(told.all == ["nil \"age\""])
    }
  }

  @Test("an empty key is refused")
  func emptyKey() throws {
    try withPerson { person in
      #expect(throws: KeyValueError.self) { try person.value(forKey: "") }
      #expect(throws: KeyValueError.self) { try person.set("", 1) }
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

  static let runtimeEncoding: RuntimeTypeEncoding = "{Point=dd}"

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
