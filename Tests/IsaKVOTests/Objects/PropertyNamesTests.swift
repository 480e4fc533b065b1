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

@Suite(.serialized, .leavesNoObjects)
struct PropertyNamesTests {
  @Test(
    "a property with the name of one of the runtime's own messages is observed and read by name")
  func rootMessages() throws {
    let object = Unlucky()
    let notes = Recorder<String>()
    let tokens = [
      try object.observe(\.class, options: [.old, .new]) { _, change in
        notes.add("\(change.oldValue!) → \(change.newValue!)")
      },
      try object.observe(\.dealloc, options: [.old, .new]) { _, change in
        notes.add("\(change.oldValue!) → \(change.newValue!)")
      },
      try object.observe(\._isKVOA, options: [.old, .new]) { _, change in
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

  @Test("an error that nobody catches tells by itself which property has no wrapper")
  func description() throws {
    let error = #expect(throws: KeyValueError.self) {
      try Human().observe(\.unwrapped) { _, _ in }
    }
    #expect("\(try #require(error))".hasSuffix("Human.unwrapped has no wrapper"))
  }
}
