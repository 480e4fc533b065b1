import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct NumberTests {
  static let letters = Scalars.integers + Scalars.floats

  @Test("every number is boxed as an IsaNumber of its type", arguments: letters)
  func boxing(letter: String) throws {
    let box = try number(1, letter)
    #expect(box.kind == KVC_KIND_NUMBER && box.className == "IsaNumber")
    #expect(unboxed(box.id, as: UInt8.self).types == letter)
    #expect(box.description == "1")
    #expect(isa_object_is_kind_of(box.id, kvc_class_of_kind(KVC_KIND_VALUE, false)))
  }

  @Test("numbers of one value are equal and hash alike, whatever their types", arguments: letters)
  func equality(letter: String) throws {
    for other in Self.letters {
      let one = try number(1, letter), same = try number(1, other), zero = try number(0, other)
      #expect(isEqual(one, same), "\(other)")
      #expect(kvc_hash(one.id) == kvc_hash(same.id), "\(other)")
      #expect(!isEqual(one, zero), "\(other)")
    }
  }

  @Test("integers that a double cannot tell apart are told apart")
  func largeIntegers() throws {
    let large = try Boxed.number(Int.max), double = try Boxed.number(0x1p63)
    let unsigned = Boxed(adopting: try box(UInt64(1) << 63, "Q"))
    #expect(!isEqual(large, double))
    #expect(isEqual(unsigned, double))
    #expect(kvc_hash(unsigned.id) == kvc_hash(double.id))
    #expect(try order(large, unsigned) == -1)
    #expect(try order(try .number(-1), unsigned) == -1)
    #expect(try order(try .number(Int.min), try .number(-0x1p63)) == 0)
    #expect(unsigned.description == "9223372036854775808")
  }

  @Test("a number is equal to nothing but numbers")
  func others() throws {
    let one = try Boxed.number(1), text = try Boxed.string("1")
    #expect(!isEqual(one, text) && !isEqual(text, one))
    #expect(!kvc_is_equal(one.id, nil) && !kvc_is_equal(nil, one.id))
  }

  @Test("numbers are ordered by value; what is no number comes before zero and is equal to itself")
  func ordering() throws {
    let ascending = [-Double.infinity, -1e30, -2.5, -1, .nan, 0, 0.5, 1, 1e30, .infinity]
    let boxes = try ascending.map { try Boxed.number($0) }
    for (i, first) in boxes.enumerated() {
      for (j, second) in boxes.enumerated() {
        #expect(try order(first, second) == (i < j ? -1 : i > j ? 1 : 0), "\(first), \(second)")
      }
    }
    #expect(try order(try .number(2), try .number(2.5)) == -1)
    #expect(try order(try .number(-2), try .number(-2.5)) == 1)
    #expect(try order(try .number(-3), try .number(-2.5)) == -1)
    #expect(try order(try .number(7), try .number(.infinity)) == -1)
    #expect(try order(try .number(7), try .number(.nan)) == 1)
  }

  @Test("a number is compared with a number only")
  func compareOthers() throws {
    let one = try Boxed.number(1)
    var order: Int64 = 7
    #expect(kvc_compare(one.id, kvc_null(), &order) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_compare(one.id, nil, &order) == ISA_ERR_INVALID_ARGUMENT)
    #expect(order == 7)
  }

  @Test("a floating number is written with as many digits as lead back to it")
  func descriptions() throws {
    for (value, text) in [
      (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (3, "3"), (-2.5, "-2.5"), (1e300, "1e+300"),
      (.nan, "nan"), (-.infinity, "-inf"),
    ] {
      #expect(try Boxed.number(value).description == text)
    }
    #expect(Boxed(adopting: try box(Float(0.1), "f")).description == "0.1")
    #expect(Boxed(adopting: try box(true, "B")).description == "1")
  }

  @Test("a number answers the messages that read it, and so do keys")
  func readings() throws {
    let box = try Boxed.number(-2.75)
    #expect(try send(box.id, "intValue", as: Int32.self) == -2)
    #expect(try send(box.id, "longLongValue", as: Int64.self) == -2)
    #expect(try send(box.id, "unsignedCharValue", as: UInt8.self) == 0)
    #expect(try send(box.id, "boolValue", as: Bool.self))
    #expect(try send(box.id, "floatValue", as: Float.self) == -2.75)
    #expect(try value(box.id, "doubleValue", "d", as: Double.self) == -2.75)
  }

  @Test("reading asks for a number and for a number's type")
  func refusedReadings() throws {
    var value: Int64 = 5
    let one = try Boxed.number(1)
    #expect(kvc_number_read(one.id, character("@"), &value) == KVC_ERR_TYPE)
    #expect(kvc_number_read(kvc_null(), character("q"), &value) == KVC_ERR_TYPE)
    #expect(kvc_number_read(nil, character("q"), &value) == KVC_ERR_TYPE)
    #expect(value == 5)
  }

  @Test("an instance that was allocated and not made is zero")
  func empty() throws {
    let empty = try Boxed { isa_object_allocate(kvc_class_of_kind(KVC_KIND_NUMBER, false), $0) }
    #expect(isEqual(empty, try Boxed.number(0)))
    #expect(empty.description == "0")
  }

  @Test("without memory no number is made or described")
  func allocationFailure() throws {
    let calls = try withEachAllocationFailing { _ = try Boxed.number(1) }
    #expect(calls == 1)
    let box = try Boxed.number(1)
    try withEachAllocationFailing { _ = try Boxed { kvc_copy_description(box.id, $0) } }
  }

  private func number(_ value: Int, _ letter: String) throws -> Boxed {
    var bytes: (UInt64, UInt64) = (0, 0), integer = Int64(value)
    _ = isa__number_convert(character("q"), &integer, character(letter), &bytes)
    return Boxed(adopting: try box(bytes, letter))
  }

  private func order(_ first: Boxed, _ second: Boxed) throws -> Int64 {
    var order: Int64 = 0
    try check(kvc_compare(first.id, second.id, &order))
    return order
  }

  private func character(_ letter: String) -> CChar { CChar(letter.utf8.first!) }
}
