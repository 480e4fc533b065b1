import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct CollectionValueTests {
  @Test("a Swift collection set for an object's key is a collection object, and read as one")
  func roundTrip() throws {
    try withBag { bag in
      try bag.set("content", [1, 2, 3])
      #expect(try bag.get("content", as: [Int].self) == [1, 2, 3])
      #expect(try bag.value(forKey: "content").array == [1, 2, 3])
      #expect(try bag.value(forKey: "content").object?.boxKind == .array)
      try bag.set("content", ["a", "b"] as Set)
      #expect(try bag.get("content", as: Set<String>.self) == ["a", "b"])
      #expect(try bag.value(forKey: "content").set == ["a", "b"])
      try bag.set("content", ["one": 1.5])
      #expect(try bag.get("content", as: [String: Double].self) == ["one": 1.5])
      #expect(try bag.value(forKey: "content").dictionary == ["one": 1.5])
      try bag.set("content", nil as [Int]?)
      #expect(try bag.get("content", as: [Int]?.self) == nil)
    }
  }

  @Test("a Swift text set for an object's key is a string object")
  func texts() throws {
    try withBag { bag in
      try bag.set("content", "Ann")
      let value = try bag.value(forKey: "content")
      #expect(value == "Ann")
      #expect(value.string == "Ann")
      #expect(value.object?.boxKind == .string)
      #expect(value.description == "\"Ann\"")
      #expect(try bag.get("content", as: String.self) == "Ann")
      try bag.setValue("Bob", forKey: "content")
      #expect(try bag.get("content", as: String?.self) == "Bob")
      try bag.send("setContent:", "Eve")
      #expect(try bag.send("content").string == "Eve")
      try bag.set("content", "a\0b")
      #expect(try bag.get("content", as: String.self) == "a\0b")
    }
  }

  @Test("a number in an object's key is read as a number")
  func numbers() throws {
    try withBag { bag in
      try bag.set("content", 40)
      #expect(try bag.get("content", as: Int.self) == 40)
      #expect(try bag.get("content", as: Double.self) == 40)
      #expect(try bag.get("content") == 40)
      #expect(try bag.get("content").object?.boxKind == .number)
      #expect(try bag.get("content").unboxed.object == nil)
      try bag.send("setContent:", 41)
      #expect(try bag.send("content").int == 41)
    }
  }

  @Test("a typed observer of an object's key gets the Swift value")
  func observed() throws {
    try withBag { bag in
      let told = Recorder<[String]?>()
      let token = try bag.observe("content", as: [String].self, options: .new) { change in
        told.add(change.newValue)
      }
      try bag.set("content", ["a"])
      try bag.set("content", 1)
      #expect(told.all == [["a"], nil])
      token.invalidate()
    }
  }

  @Test("nil in a collection is the null object")
  func nulls() {
    let values = RuntimeValue.array([1, nil])
    #expect(values.array == [1, .null])
    #expect(values.array?.last?.isNull == true)
    #expect([String?](runtimeValue: .array(["a", nil])) == ["a", nil])
    #expect([String](runtimeValue: .array(["a", nil])) == nil)
  }

  @Test("each kind of collection is read as itself only")
  func kinds() {
    let samples: [(RuntimeValue, RuntimeBoxKind)] = [
      (.array([2, 1]), .array), (.orderedSet([2, 1, 2]), .orderedSet), (.set([1, 1]), .set),
      (.dictionary(["a": 1]), .dictionary),
    ]
    for (value, kind) in samples {
      #expect(value.object?.boxKind == kind)
      #expect(value.object?.isMutableCollection == false)
      #expect((value.array != nil) == (kind == .array))
      #expect((value.orderedSet != nil) == (kind == .orderedSet))
      #expect((value.set != nil) == (kind == .set))
      #expect((value.dictionary != nil) == (kind == .dictionary))
    }
    #expect(RuntimeValue.orderedSet([2, 1, 2]).elements == [2, 1])
    #expect(RuntimeValue.dictionary(entries: [(1, "one")]).dictionary == nil)
    #expect(RuntimeValue.dictionary(entries: [(1, "one")]).entries?.first?.value == "one")
    #expect(RuntimeValue.array([], isMutable: true).object?.isMutableCollection == true)
    #expect(RuntimeValue(1).elements == nil)
  }

  @Test("boxed values are equal, and hashed, by what is in the box")
  func equality() throws {
    let boxed = try RuntimeValue(40).converted(to: .object)
    #expect(boxed == 40 && boxed.hashValue == RuntimeValue(40).hashValue)
    #expect(boxed != 41)
    let text = try RuntimeValue("a").converted(to: .object)
    #expect(text == "a" && text.hashValue == RuntimeValue("a").hashValue)
    #expect(RuntimeValue.array([1, ["a": 2].runtimeValue]) == .array([1, ["a": 2].runtimeValue]))
    #expect(RuntimeValue.array([1]).hashValue == RuntimeValue.array([1]).hashValue)
    #expect(RuntimeValue.array([1]) != .orderedSet([1]))
    #expect(RuntimeValue.set([1, 2]) == .set([2, 1]))
    let corner = try RuntimeValue("{P=dd}", members: [1, 2])
    #expect(try corner.converted(to: .object) == corner)
    #expect(try corner.converted(to: .object).converted(to: "{P=dd}") == corner)
  }

  @Test("collections are shown by their elements")
  func description() {
    #expect(RuntimeValue.array([1, "two words"]).description == "(1, \"two words\")")
    #expect(RuntimeValue.null.description == "<null>")
  }
}

/// Runs `body` with an object that has one property of any object.
private func withBag(_ body: (RuntimeObject) throws -> Void) throws {
  try withClass("Bag", { try $0.property("content", .object) }) { try body($0.allocate()) }
}
