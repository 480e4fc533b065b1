import IsaKVO
import IsaKVOTestSupport
import Testing

// Not `hash`, `description` and `debugDescription`: these are properties of every object, as they are
// of NSObject, which a stored property cannot override.
private final class Unlucky: KVObject {
  @Dynamic var `class` = 1
  @Dynamic var dealloc = "none"
  @Dynamic var _isKVOA = true
  @Dynamic var superclass = "super"
  @Dynamic var retainCount = 3
}

private final class Twins: KVObject {
  @Dynamic var name = ""
  @Dynamic var Name = ""
}

private class Elder: KVObject {
  @Dynamic var age = 1
}

private final class Younger: Elder {
  @Dynamic var Age = 2
}

private class Hiding: KVObject {
  @Dynamic private var number = 1
  @Dynamic private var text = "base"
  @Dynamic private var list = [1]
  var all: String { "\(number) \(text) \(list)" }
  override class var keys: [KeyDeclaration] {
    [.key("all", \Hiding.all, affectedBy: [\Hiding.number, \.text])]
  }
  func set(_ number: Int) { (self.number, text, list) = (number, "\(number)", [number]) }
  func observe(_ tell: @escaping (Int) -> Void) throws -> KeyValueObservation {
    observe(\.number, options: .new) { _, change in tell(change.newValue!) }
  }
}

private class Hidden: Hiding {
  @Dynamic var number = 2
  @Dynamic var text = "sub"
  @Dynamic var list = [2]
}

private final class HiddenAgain: Hidden {
  @Dynamic private var other = 0
}

@Suite(.serialized, .leavesNoObjects)
struct PropertyNamesTests {
  @Test("a key is the class's own property, and a superclass's private one of its name is another")
  func hidden() throws {
    for object in [Hidden(), HiddenAgain()] {
      let told = Recorder<String>()
      let tokens = [
        try object.observe("number", as: Int.self, options: [.old, .new]) { _, change in
          told.add("number \(change.oldValue!) → \(change.newValue!)")
        },
        try object.observe("list", as: [Int].self, options: .new) { _, change in
          told.add("list \(change.newValue!)")
        },
        try object.observe { told.add("private \($0)") },
        try object.observe("all", as: String.self, options: .new) { _, change in
          told.add("all \(change.newValue!)")
        },
      ]
      #expect(try object.value(forKey: "number") as? Int == 2)
      #expect(try object.value(forKey: "text") as? String == "sub")
      try object.setValue(3, forKey: "number")
      try object.setValue("three", forKey: "text")
      try object.mutableArrayValue(forKey: "list").append(3)
      #expect(object.number == 3 && object.text == "three" && object.list == [2, 3])
      #expect(object.all == "1 base [1]")
      object.set(7)
      #expect(object.all == "7 7 [7]" && object.number == 3 && object.list == [2, 3])
      #expect(
        told.all == [
          "number 2 → 3", "list [3]", "all 7 base [1]", "private 7", "all 7 7 [1]",
        ])
      tokens.forEach { $0.invalidate() }
    }
    let object = Hiding()
    try object.setValue(5, forKey: "number")
    #expect(object.all == "5 base [1]")
  }

  @Test(
    "a property with the name of one of the runtime's own messages is observed and read by name")
  func rootMessages() throws {
    let object = Unlucky()
    let notes = Recorder<String>()
    let tokens = [
      object.observe(\.class, options: [.old, .new]) { _, change in
        notes.add("\(change.oldValue!) → \(change.newValue!)")
      },
      object.observe(\.dealloc, options: [.old, .new]) { _, change in
        notes.add("\(change.oldValue!) → \(change.newValue!)")
      },
      object.observe(\._isKVOA, options: [.old, .new]) { _, change in
        notes.add("\(change.oldValue!) → \(change.newValue!)")
      },
    ]
    object.class = 2
    object.dealloc = "some"
    object._isKVOA = false
    #expect(notes.all == ["1 → 2", "none → some", "true → false"])
    #expect(try object.value(forKey: "class") as? Int == 2)
    #expect(try object.value(forKey: "dealloc") as? String == "some")
    #expect(try object.value(forKey: "superclass") as? String == "super")
    #expect(try object.value(forKey: "retainCount") as? Int == 3)
    tokens.forEach { $0.invalidate() }
  }

  @Test("two properties that one message would set are refused by their names")
  func twins() throws {
    for object in [Twins(), Younger()] {
      let error = #expect(throws: KeyValueError.self) { try object.value(forKey: "name") }
      #expect(error?.reason.contains("would both be set by") == true)
    }
    let elder = Elder()
    #expect(try elder.value(forKey: "age") as? Int == 1)
  }

  @Test("a misuse tells by itself which property has no wrapper")
  func description() {
    let reason = expectMisuse { _ = Human().observe(\.unwrapped) { _, _ in } }
    #expect(reason.hasSuffix("Human.unwrapped has no wrapper"))
  }
}
