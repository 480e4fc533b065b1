import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Everything: KVObject {
  @Dynamic var int = -1
  @Dynamic var int8: Int8 = 8
  @Dynamic var int64: Int64 = 64
  @Dynamic var uint: UInt = 1
  @Dynamic var uint16: UInt16 = 16
  @Dynamic var double = 1.5
  @Dynamic var float: Float = 0.5
  @Dynamic var bool = true
  @Dynamic var text = "é"
  @Dynamic var optional: Int?
  @Dynamic var present: String? = "here"
  @Dynamic var list = [1, 2]
  @Dynamic var any: Any = 3
  @Dynamic var other: Everything?
}

private final class TwoGetters: KVObject {
  @Dynamic var age = 1
  @Dynamic var getAge = 2
}

private class Base: KVObject {
  @Dynamic var age = 1
}

private final class Overriding: Base {
  override var age: Int {
    get { 7 }
    set {}
  }
}

@Suite(.serialized, .leavesNoObjects)
struct PlainValueTests {
  @Test(
    "a value by key is of the type that it has at the end of a key path, whatever the property's is",
    arguments: [
      "int", "int8", "int64", "uint", "uint16", "double", "float", "bool", "text", "optional",
      "present", "list", "any", "other",
    ])
  func types(key: String) throws {
    let object = Everything(), outer = Everything()
    outer.other = object
    let (plain, atEnd) = (
      try object.value(forKey: key), try outer.value(forKeyPath: "other.\(key)")
    )
    let types = (plain.map { type(of: $0) }, atEnd.map { type(of: $0) })
    #expect(types.0 == types.1)
    #expect("\(plain as Any)" == "\(atEnd as Any)")
  }

  @Test("a property that is named as another one's getter is read for it, as key-value coding says")
  func getterNames() throws {
    let object = TwoGetters()
    #expect(try object.value(forKey: "age") as? Int == 2)
    #expect(try object.value(forKeyPath: "age") as? Int == 2)
  }

  @Test("a getter of the class's own is read by key")
  func overridden() throws {
    #expect(try Overriding().value(forKey: "age") as? Int == 7)
  }

  @Test("a value that is set by key is there to be read by key, also while it is observed")
  func observed() throws {
    let object = Everything(), told = Recorder<Int>()
    let token = object.observe(\.int, options: .new) { told.add($1.newValue!) }
    try object.setValue(5, forKey: "int")
    #expect(try object.value(forKey: "int") as? Int == 5)
    #expect(told.all == [5])
    token.invalidate()
  }

  @Test("a key that is one for the reader and two for the compiler is told apart by its bytes")
  func bytes() {
    let object = Everything()
    #expect(throws: KeyValueError.self) { try object.value(forKey: "te\u{78}\u{301}t") }
    #expect(throws: KeyValueError.self) {
      try object.value(forKey: "a key of more than fifteen bytes")
    }
  }
}
