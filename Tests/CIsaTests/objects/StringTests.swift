import CIsa
import CIsa.Testing
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct StringTests {
  @Test(
    "a string keeps its text, and its length counts UTF-16 units",
    arguments: ["", "Anna", "ä€", "😀 x", "a\0b"])
  func text(text: String) throws {
    let box = try make(Array(text.utf8))
    #expect(kvc_string_size(box.id) == text.utf8.count)
    #expect(kvc_string_length(box.id) == text.utf16.count)
    let bytes = UnsafeBufferPointer(start: kvc_string_text(box.id), count: text.utf8.count + 1)
    #expect(bytes.map(UInt8.init(bitPattern:)) == Array(text.utf8) + [0])
    #expect(try value(box.id, "length", "Q", as: UInt64.self) == UInt64(text.utf16.count))
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xC3, 0x41], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0x41, 0xFF],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) throws {
    #expect(throws: StatusError.self) { try make(bytes) }
    #expect(isa_last_error().pointee.status == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("no text makes no string, and other objects have none")
  func none() throws {
    var id: isa_id?
    #expect(kvc_string_make(nil, &id) == ISA_ERR_INVALID_ARGUMENT)
    #expect(id == nil && kvc_string_text(nil) == nil && kvc_string_text(kvc_null()) == nil)
    #expect(kvc_string_size(kvc_null()) == 0 && kvc_string_length(nil) == 0)
  }

  @Test("strings of the same text are equal and hash alike; a copy is the string itself")
  func equality() throws {
    let first = try Boxed.string("Anna"), second = try Boxed.string("Anna")
    #expect(isEqual(first, second) && kvc_hash(first.id) == kvc_hash(second.id))
    #expect(!isEqual(first, try Boxed.string("anna")))
    #expect(!isEqual(first, try Boxed.string("Ann")))
    let copy = Boxed(adopting: try send(first.id, "copy", as: isa_id?.self))
    #expect(copy.id == first.id)
  }

  @Test("strings are ordered by UTF-16 code unit")
  func ordering() throws {
    let texts = ["", "A", "AA", "B", "a", "ä", "€", "\u{10000}", "😀", "\u{E000}", "\u{FFFD}"]
    #expect(texts == texts.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) })
    let boxes = Held(try texts.map { try Boxed.string($0) })
    for (i, first) in boxes.enumerated() {
      for (j, second) in boxes.enumerated() {
        var order: Int64 = 0
        try check(kvc_compare(first.id, second.id, &order))
        #expect(order == (i < j ? -1 : i > j ? 1 : 0), "\(texts[i]), \(texts[j])")
      }
    }
    var order: Int64 = 0
    #expect(kvc_compare(boxes[0].id, kvc_null(), &order) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_compare(boxes[0].id, nil, &order) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test(
    "a string reads as the number that it begins with",
    arguments: [
      ("32", 32, 32.0), ("  -7.5kg", -7, -7.5), ("+4", 4, 4), ("apples", 0, 0), ("", 0, 0),
      ("1e3", 1, 1000), ("1e", 1, 1), (".5.5", 0, 0.5), ("-", 0, 0), ("0x10", 0, 0),
      ("inf", 0, 0), ("nan", 0, 0), ("0.1", 0, 0.1), ("1e999999999999", 1, .infinity),
      ("4294967296", Int32.max, 4_294_967_296), ("-4294967296", Int32.min, -4_294_967_296),
      ("000000000000000000000000000000000000000000000000000000000000000000000000000001", 1, 1),
      ("0.3000000000000000000000000000000000000000000000000000000000000000000000000001", 0, 0.3),
    ])
  func numbers(text: String, integer: Int32, double: Double) throws {
    let box = try Boxed.string(text)
    #expect(try send(box.id, "intValue", as: Int32.self) == integer)
    #expect(try send(box.id, "doubleValue", as: Double.self) == double)
  }

  @Test("a string beyond an integer's range reads as the end of the range")
  func integerEnds() throws {
    let high = try Boxed.string("99999999999999999999999"),
      low = try Boxed.string("-99999999999999999")
    #expect(try send(high.id, "longLongValue", as: Int64.self) == .max)
    #expect(try send(high.id, "unsignedLongLongValue", as: UInt64.self) == .max)
    #expect(try send(high.id, "charValue", as: Int8.self) == .max)
    #expect(try send(low.id, "charValue", as: Int8.self) == .min)
    #expect(try send(low.id, "unsignedIntValue", as: UInt32.self) == 0)
    let least = try Boxed.string("-9223372036854775808")
    #expect(try send(least.id, "integerValue", as: Int64.self) == .min)
  }

  @Test(
    "a string is true if it begins with Y, T or a digit that is not 0",
    arguments: ["yes": true, "True": true, " -0012": true, "NO": false, "000": false, "": false])
  func truth(text: String, expected: Bool) throws {
    let box = try Boxed.string(text)
    #expect(try send(box.id, "boolValue", as: Bool.self) == expected)
  }

  @Test("setting a numeric property to a string converts it")
  func conversion() throws {
    let pair = try ClassPair("Measures", isRegistered: false)
    for (name, types) in [("i", "i"), ("f", "f"), ("d", "d"), ("q", "q"), ("flag", "B")] {
      try check(isa_class_add_ivar(pair.cls, name, types, ISA_OWNERSHIP_NONE))
    }
    try pair.register()
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    for (key, text) in [("i", "32"), ("f", "256"), ("d", "256.5"), ("q", "32"), ("flag", "YES")] {
      let box = try Boxed.string(text)
      try check(kvc_set_value(object.id, key, box.id))
    }
    #expect(try value(object.id, "i", "i", as: Int32.self) == 32)
    #expect(try value(object.id, "f", "f", as: Float.self) == 256)
    #expect(try value(object.id, "d", "d", as: Double.self) == 256.5)
    #expect(try value(object.id, "q", "q", as: Int64.self) == 32)
    #expect(try value(object.id, "flag", "B", as: Bool.self) == true)
  }

  @Test("a string stays an object for an object, and is no struct")
  func objectsAndStructs() throws {
    let pair = try ClassPair("Holder", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "name", "@", ISA_OWNERSHIP_RETAIN))
    try check(isa_class_add_ivar(pair.cls, "point", "{P=dd}", ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    let text = try Boxed.string("32")
    try check(kvc_set_value(object.id, "name", text.id))
    #expect(try value(object.id, "name", "@", as: isa_id.self) == text.id)
    #expect(kvc_set_value(object.id, "point", text.id) == KVC_ERR_TYPE)
  }

  @Test("without memory no string is made")
  func allocationFailure() throws {
    let calls = try withEachAllocationFailing { _ = try Boxed.string("Anna") }
    #expect(calls == 2)
  }

  @discardableResult
  private func make(_ bytes: [UInt8]) throws -> Boxed {
    let characters = bytes.map(CChar.init(bitPattern:))
    return try Boxed { kvc_string_make_bytes(characters, characters.count, $0) }
  }
}
