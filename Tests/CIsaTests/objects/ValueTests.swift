import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ValueTests {
  @Test("a box holds a copy of a value of any type that has a size", arguments: TestType.all)
  func boxing(type: TestType) throws {
    guard !["@", "#"].contains(type.encoding) else { return }
    let value = type.value(seed: 5)
    var boxed: isa_id?
    try type.encoding.withCString {
      try check(kvc_box(kvc_value(types: $0, address: value.address), &boxed))
    }
    defer { isa_object_release(boxed) }
    withUnsafePointer(to: boxed) { object in
      let unboxed = kvc_unbox(object)
      #expect(String(cString: unboxed.types) == type.encoding)
      #expect(unboxed.address != UnsafeRawPointer(value.address))
      #expect(type.c.equal(unboxed.address, value.address))
    }
  }

  @Test("an object is its own box, and nil is none")
  func objects() throws {
    let person = try Person()
    let boxed = try box(person.id, "@")
    #expect(boxed == person.id && person.retainCount == 2)
    isa_object_release(boxed)
    #expect(try box(isa_id?.none, "@") == nil)
    let (types, value) = unboxed(person.id, as: isa_id?.self)
    #expect(types == "@" && value == person.id)
    #expect(unboxed(nil, as: isa_id?.self).value == nil)
    let cls = try box(person.people.cls, "#")
    #expect(cls == isa_class_as_object(person.people.cls))
  }

  @Test("a copy of a box is the box, which never changes")
  func copy() throws {
    let boxed = try box(3.5, "d")
    let copy = try send(boxed, "copy", as: isa_id?.self)
    #expect(copy == boxed)
    isa_object_release(copy)
    isa_object_release(boxed)
  }

  @Test("what has no size, no encoding or no value is not boxed")
  func refused() {
    let byte = Cell(Int8(0))
    var boxed: isa_id?
    for types in ["", "Z", "{P", "v", "?", "{opaque}", "b3"] {
      let status = types.withCString {
        kvc_box(kvc_value(types: $0, address: byte.address), &boxed)
      }
      #expect(status == ISA_ERR_BAD_ENCODING, "\(types)")
    }
    #expect(
      kvc_box(kvc_value(types: nil, address: byte.address), &boxed) == ISA_ERR_INVALID_ARGUMENT)
    "q".withCString {
      #expect(kvc_box(kvc_value(types: $0, address: nil), &boxed) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(boxed == nil)
  }

  @Test("without memory nothing is boxed", arguments: ["q", "{P=[64q]}"])
  func allocationFailure(types: String) throws {
    let memory = Cell(size: 512)
    try withEachAllocationFailing {
      var boxed: isa_id?
      try types.withCString {
        try check(kvc_box(kvc_value(types: $0, address: memory.address), &boxed))
      }
      isa_object_release(boxed)
    }
  }

  // MARK: numbers

  static let numbers = Scalars.integers + Scalars.floats

  @Test("a number that fits is the same in every number's type", arguments: numbers, numbers)
  func conversions(from: String, to: String) {
    for number in [0, 1, 100] {
      let expected = to == "B" || from == "B" ? (number == 0 ? 0 : 1) : Double(number)
      #expect(convert(load(Double(number), from), from, to) == expected)
    }
    let signed = Scalars.signed + Scalars.floats
    if signed.contains(from) && signed.contains(to) {
      #expect(convert(load(-100, from), from, to) == -100)
    }
  }

  @Test(
    "a floating number is cut towards zero, and clamped to the integer's range",
    arguments: Scalars.floats)
  func clamping(from: String) {
    for (to, least, most) in [
      ("c", -128.0, 127.0), ("s", -32768, 32767), ("i", -2_147_483_648, 2_147_483_647),
      ("q", -0x1p63, 0x1p63), ("C", 0, 255), ("S", 0, 65535), ("I", 0, 4_294_967_295),
      ("Q", 0, 0x1p64),
    ] {
      for (number, expected) in [
        (2.9, 2.0), (1e30, most), (-1e30, least), (.infinity, most), (-.infinity, least), (.nan, 0),
      ] {
        #expect(convert(load(number, from), from, to) == expected, "\(number) to \(to)")
      }
      #expect(convert(load(-2.9, from), from, to) == max(least, -2), "-2.9 to \(to)")
    }
  }

  @Test("any number but zero is true")
  func truth() {
    for from in Scalars.floats {
      for (number, expected) in [(0.25, 1.0), (-3, 1), (256, 1), (.nan, 1), (0, 0)] {
        #expect(convert(load(number, from), from, "B") == expected, "\(number)")
      }
    }
    #expect(convert(load(256, "q"), "q", "B") == 1)
  }

  @Test("an integer of another width is cut as C cuts it")
  func narrowing() {
    #expect(convert(load(300, "q"), "q", "c") == 44)
    #expect(convert(load(-1, "q"), "q", "C") == 255)
    #expect(convert(load(-1, "c"), "c", "Q") == 0x1p64)
    #expect(convert(load(65537, "i"), "i", "S") == 1)
  }

  @Test("what is no number is not converted", arguments: ["@", "#", ":", "*", "^", "{", "v", "t"])
  func notNumbers(other: String) {
    #expect(convert(Cell(size: 16), "q", other) == nil)
    #expect(convert(Cell(size: 16), other, "q") == nil)
  }

  /// A cell that holds `number` as the type with that letter.
  private func load(_ number: Double, _ letter: String) -> Cell {
    let cell = Cell(size: 16)
    var number = number
    #expect(isa__number_convert(character("d"), &number, character(letter), cell.address))
    return cell
  }

  /// The converted number as a double; nil if it cannot be converted.
  private func convert(_ cell: Cell, _ from: String, _ to: String) -> Double? {
    let converted = Cell(size: 16)
    guard isa__number_convert(character(from), cell.address, character(to), converted.address)
    else { return nil }
    #expect(converted.isIntact)
    var number = 0.0
    _ = isa__number_convert(character(to), converted.address, character("d"), &number)
    return number
  }

  private func character(_ letter: String) -> CChar { CChar(letter.utf8.first!) }
}
