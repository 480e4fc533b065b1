import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

// The names here are written in one scalar and in two: to Swift they are two names, to `String` equal.

private final class Composed: KVObject {
  @Dynamic var café = 1
}

private final class Decomposed: KVObject {
  @Dynamic var café = 1
}

private final class Both: KVObject {
  @Dynamic var café = 1
  @Dynamic var café = 2
}

private let composed = "caf\u{e9}", decomposed = "cafe\u{301}"

@Suite(.serialized, .leavesNoObjects)
struct KeyBytesTests {
  @Test("a property is told whose name another class has in other scalars, typed and by name")
  func twoClasses() throws {
    let one = Composed(), other = Decomposed(), told = Recorder<String>()
    let tokens = [
      one.observe(\.café, options: .new) { told.add("one \($1.newValue!)") },
      try one.observe(composed, as: Int.self, options: .new) { told.add("one \($1.newValue!)") },
      other.observe(\.café, options: .new) { told.add("other \($1.newValue!)") },
      try other.observe(decomposed, as: Int.self, options: .new) {
        told.add("other \($1.newValue!)")
      },
    ]
    one.café = 2
    other.café = 3
    #expect(told.all == ["one 2", "one 2", "other 3", "other 3"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("two properties of a class whose names differ in scalars alone are two keys")
  func oneClass() throws {
    let both = Both(), told = Recorder<String>()
    let tokens = [
      both.observe(\.café, options: .new) { told.add("composed \($1.newValue!)") },
      try both.observe(decomposed, as: Int.self, options: .new) {
        told.add("decomposed \($1.newValue!)")
      },
    ]
    try both.setValue(5, forKey: decomposed)
    try both.setValue(6, forKey: composed)
    #expect(both.café == 6 && both.café == 5)
    #expect(try both.value(forKey: composed) as? Int == 6)
    #expect(try both.value(forKey: decomposed) as? Int == 5)
    #expect(told.all == ["decomposed 5", "composed 6"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("a key that is equal to a property's name, but of other bytes, is unknown to every call")
  func otherBytes() {
    let object = Composed()
    func code(_ body: () throws -> Void) -> KeyValueError.Code? {
      do { try body() } catch { return (error as? KeyValueError)?.code }
      return nil
    }
    #expect(code { _ = try object.value(forKey: decomposed) } == .undefinedKey)
    #expect(code { try object.setValue(2, forKey: decomposed) } == .undefinedKey)
    #expect(code { _ = try object.observe(decomposed, as: Int.self) { _, _ in } } == .notObservable)
    #expect(object.café == 1)
  }

  @Test("a C string keeps its bytes, also where an equal one of other bytes was set before")
  func values() throws {
    let cls = try RuntimeClassBuilder("Menu").property("dish", .cString).register()
    let menu = try cls.allocate()
    for text in [composed, decomposed, composed] {
      try menu.send("setDish:", RuntimeValue(text))
      let dish = try #require(try menu.send("dish").string)
      #expect(Array(dish.utf8) == Array(text.utf8))
    }
  }
}
