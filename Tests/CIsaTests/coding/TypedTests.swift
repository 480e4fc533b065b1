import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

/// The functions of kvc_typed.h; Tests/Consumer/c has its macros.
@Suite(.serialized, .balancedCounts)
struct TypedTests {
  @Test("an integer becomes one of another type exactly where that type has it")
  func integers() {
    for (from, values) in ranges {
      for (to, others) in ranges {
        for value in edges where values.contains(value) {
          var bits = UInt64(truncatingIfNeeded: value), converted = untouched
          let fits = isa__number_convert_exactly(letter(from), &bits, letter(to), &converted)
          #expect(fits == others.contains(value), "\(value), \(from) to \(to)")
          #expect(fits || converted == untouched)
        }
      }
    }
  }

  @Test("a floating number becomes an integer exactly if it is whole and within the range")
  func whole() {
    for (to, others) in ranges {
      for value in edges {
        var double = Double(value), converted = untouched
        let fits = isa__number_convert_exactly(letter("d"), &double, letter(to), &converted)
        #expect(fits == others.contains(Int128(double)), "\(double) to \(to)")
      }
      for value in [0.5, -0.5, .nan, .infinity, -.infinity] {
        var double = value, converted = untouched
        #expect(!isa__number_convert_exactly(letter("d"), &double, letter(to), &converted))
        #expect(converted == untouched)
      }
    }
  }

  @Test("a number becomes a floating one exactly, but that floating ones round among one another")
  func floating() {
    var float: Float = 7
    let into = { (value: Double) in
      withUnsafePointer(to: value) {
        isa__number_convert_exactly(letter("d"), $0, letter("f"), &float)
      }
    }
    #expect(into(0.1) && float == 0.1 && into(1e-300) && float == 0)
    #expect(into(.infinity) && float == .infinity && into(.nan) && float.isNaN && into(7))
    #expect(!into(1e300) && float == 7)
    for (value, fits) in [(1 << 53, true), (1 << 53 + 1, false), (-1 << 53 - 1, false)] {
      var integer = Int64(value), double = 7.0
      #expect(isa__number_convert_exactly(letter("q"), &integer, letter("d"), &double) == fits)
      #expect(double == (fits ? Double(value) : 7))
    }
  }

  @Test("a refused value is neither set nor told, and the error has key, class and number")
  func refused() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    #expect(set(person.id, "age", Int32(40), "i") == ISA_OK)
    #expect(set(person.id, "age", UInt64.max, "Q") == KVC_ERR_TYPE)
    #expect(
      lastReason()
        == "age: 18446744073709551615, a value of type \"Q\" does not fit type \"q\"")
    #expect(String(cString: isa_last_error().pointee.key) == "age")
    #expect(String(cString: isa_last_error().pointee.class_name) == "Person")
    #expect(person.age == 40 && observation.notes.lines.count == 1)
  }

  @Test("a place for a result is as it was where the value is none of its type")
  func untouchedPlace() throws {
    let person = try Person()
    person.age = -1
    var small: UInt8 = 7, object: isa_id? = person.id
    #expect(get(person.id, "age", "C", &small) == KVC_ERR_TYPE && small == 7)
    #expect(get(person.id, "name", "C", &small) == KVC_ERR_NIL_VALUE && small == 7)
    #expect(get(person.id, "nope", "@", &object) == KVC_ERR_UNDEFINED_KEY && object == person.id)
    #expect(get(person.id, "age", "S", &small) == ISA_ERR_BAD_ENCODING && small == 7)
    #expect(set(person.id, "age", small, "q") == ISA_ERR_BAD_ENCODING && person.age == -1)
    #expect(set(person.id, "age", small, "Cq") == ISA_ERR_BAD_ENCODING)
  }

  @Test("a class that overrides valueForKey: and setValue:forKey: is asked, with boxes")
  func overrides() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { call in
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = try? box(Int64(300), "q")
      call.answer(ISA_OK)
    }
    try addMethod(people.cls, "setValue:forKey:", "i@:@*") { call in
      notes.add(unboxed(call.argument(2, as: isa_id?.self), as: Int32.self).types)
      call.answer(ISA_OK)
    }
    #expect(set(person.id, "age", Int32(40), "i") == ISA_OK && notes.lines == ["i"])
    var small: UInt8 = 7, number: Int16 = 7
    #expect(get(person.id, "age", "C", &small) == KVC_ERR_TYPE && small == 7)
    #expect(get(person.id, "age", "s", &number) == ISA_OK && number == 300)
  }

  @Test("nil for a number sends setNilValueForKey:")
  func nilForNumber() throws {
    let people = try PersonClass(), person = try people.make(), notes = Notes()
    try addMethod(people.cls, "setNilValueForKey:", "i@:*") { call in
      notes.add(String(cString: call.argument(2, as: UnsafePointer<CChar>.self)))
      call.answer(ISA_OK)
    }
    #expect(set(person.id, "age", nil as isa_id?, "@") == ISA_OK && notes.lines == ["age"])
  }

  @Test("a class's guard is asked by key, not by selector")
  func guarded() throws {
    let people = try PersonClass()
    var cls: isa_class?
    try check(isa_class_pair_allocate(people.cls, "Guarded", &cls))
    try check(isa_class_set_guard(cls) { _, _ in KVO_ERR_WRONG_THREAD })
    try check(isa_class_pair_register(cls))
    defer { disposeOfClass(cls!) }
    let guarded = try Boxed { isa_object_allocate(cls, $0) }
    var age: Int64 = 7
    #expect(set(guarded.id, "age", age, "q") == KVO_ERR_WRONG_THREAD)
    #expect(get(guarded.id, "age", "q", &age) == KVO_ERR_WRONG_THREAD)
    #expect(isa_set_typed(guarded.id, selector("setAge:"), "q", &age, 8) == ISA_OK)
    #expect(isa_get_typed(guarded.id, selector("age"), "q", &age, 8) == ISA_OK && age == 7)
  }

  @Test("a message of an observed object tells, and an object got by it comes with a reference")
  func bySelector() throws {
    let people = try PersonClass(), person = try people.make(), name = try people.make()
    let observation = try Observation(person, "age", [.new])
    var age: Int32 = 40, got: isa_id? = name.id
    #expect(isa_set_typed(person.id, selector("setAge:"), "i", &age, 4) == ISA_OK)
    #expect(observation.notes.lines.count == 1 && person.age == 40)
    #expect(isa_set_typed(person.id, selector("setName:"), "@", &got, 8) == ISA_OK)
    got = nil
    #expect(isa_get_typed(person.id, selector("name"), "@", &got, 8) == ISA_OK)
    #expect(got == name.id && name.retainCount == 3)
    isa_object_release(got)
  }

  @Test("without memory a text is neither set nor copied")
  func withoutMemory() throws {
    let person = try Person(), nobody: isa_id? = nil
    let ann = "Ann".withCString { strdup($0) }
    defer { free(ann) }
    var copy: UnsafeMutablePointer<CChar>?
    // The key and the answers for it stay.
    try check(set(person.id, "name", ann, "*"))
    try check(get(person.id, "name", "*", &copy))
    isa_free(copy)
    try withEachAllocationFailing(undo: { try check(set(person.id, "name", nobody, "@")) }) {
      try check(set(person.id, "name", ann, "*"))
      try check(set(person.id, "name", nobody, "@"))
    }
    let name = try Boxed.string("Ann")
    try check(set(person.id, "name", name.id, "@"))
    try withEachAllocationFailing { try check(get(person.id, "name", "*", &copy)) }
    #expect(copy.map { String(cString: $0) } == "Ann")
    isa_free(copy)
  }

  private let untouched: UInt64 = 0x5555_5555_5555_5555

  /// The integers that each type has.
  private let ranges: [String: ClosedRange<Int128>] = [
    "B": 0...1, "c": -128...127, "s": -32768...32767, "i": -0x8000_0000...0x7fff_ffff,
    "l": -0x8000_0000...0x7fff_ffff, "q": Int128(Int64.min)...Int128(Int64.max), "C": 0...255,
    "S": 0...65535, "I": 0...0xffff_ffff, "L": 0...0xffff_ffff, "Q": 0...Int128(UInt64.max),
  ]

  /// Integers about the ends of all those types.
  private var edges: [Int128] {
    let ends = ranges.values.flatMap { [$0.lowerBound, $0.upperBound] }
    return Set(ends.flatMap { [$0 - 1, $0, $0 + 1] }).sorted()
  }

  private func letter(_ text: String) -> CChar { CChar(text.utf8.first!) }

  private func set<Value>(_ object: isa_id?, _ key: String, _ value: Value, _ types: String)
    -> isa_status
  {
    withUnsafePointer(to: value) {
      kvc_set_typed(object, key, types, $0, MemoryLayout<Value>.size)
    }
  }

  private func get<Value>(_ object: isa_id?, _ key: String, _ types: String, _ out: inout Value)
    -> isa_status
  {
    withUnsafeMutablePointer(to: &out) {
      kvc_get_typed(object, key, types, $0, MemoryLayout<Value>.size)
    }
  }
}
