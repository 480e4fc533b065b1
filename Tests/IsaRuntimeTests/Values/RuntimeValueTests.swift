import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct RuntimeValueTests {
  @Test(
    "a value is shown as people write it",
    arguments: [
      (40, "40"), (-1, "-1"), (1.5, "1.5"), (true, "true"), ("Ann", "\"Ann\""), (nil, "nil"),
      (.void, "void"), (.pointer(address: 255), "0xff"), (.pointer(address: 0), "nil"),
      (RuntimeValue(UInt8.max), "255"), (RuntimeValue("age" as RuntimeSelector), "age"),
    ] as [(RuntimeValue, String)])
  func description(value: RuntimeValue, text: String) { #expect(value.description == text) }

  @Test("a struct is shown by its members")
  func structDescription() throws {
    let value = try RuntimeValue(
      "{R={P=dd}q}",
      members: [
        RuntimeValue("{P=dd}", members: [1, 2.5]), 7,
      ])
    #expect(value.description == "{{1.0, 2.5}, 7}")
    #expect(value.members?.last?.int == 7)
  }

  @Test("every Swift number survives the way through a value")
  func roundTrips() {
    #expect(Int8(runtimeValue: Int8.min.runtimeValue) == .min)
    #expect(Int16(runtimeValue: Int16.max.runtimeValue) == .max)
    #expect(Int32(runtimeValue: Int32.min.runtimeValue) == .min)
    #expect(Int64(runtimeValue: Int64.min.runtimeValue) == .min)
    #expect(UInt64(runtimeValue: UInt64.max.runtimeValue) == .max)
    #expect(UInt(runtimeValue: UInt.max.runtimeValue) == .max)
    #expect(Float(runtimeValue: Float(0.1).runtimeValue) == 0.1)
    #expect(Double(runtimeValue: 0.1.runtimeValue) == 0.1)
    #expect(Bool(runtimeValue: true.runtimeValue) == true)
    #expect(String(runtimeValue: "Ann".runtimeValue) == "Ann")
    #expect(String?(runtimeValue: nil) == .some(nil))
  }

  @Test("a number that does not fit, or is none, is not converted")
  func doesNotFit() {
    #expect(Int8(runtimeValue: 128) == nil)
    #expect(UInt(runtimeValue: -1) == nil)
    #expect(Int(runtimeValue: 1.5) == nil)
    #expect(Int(runtimeValue: "1") == nil)
    #expect(Bool(runtimeValue: 2) == nil)
    #expect(RuntimeValue(1.5).int == nil)
    #expect(RuntimeValue("x").double == nil)
  }

  @Test(
    "converting keeps the value",
    arguments: [
      (40, .int8, "40"), (40, .double, "40.0"), (-128, .int8, "-128"), (255, .uint8, "255"),
      (1, .bool, "true"), (true, .int32, "1"), (2.0, .uint16, "2"), (nil, .classObject, "nil"),
      (nil, .cString, "nil"), (nil, .selector, "nil"), (3, .longDouble, "3.0"),
    ] as [(RuntimeValue, RuntimeTypeEncoding, String)])
  func converts(value: RuntimeValue, target: RuntimeTypeEncoding, text: String) throws {
    let converted = try value.converted(to: target)
    #expect(converted.encoding == target)
    #expect(converted.description == text)
  }

  @Test(
    "converting refuses to change the value",
    arguments: [
      (128, .int8), (-129, .int8), (-1, .uint64), (256, .uint8), (2, .bool), (1.5, .int64),
      ("x", .int64), (nil, .int64), (.void, .object), (.void, .int64), (40, "{P=dd}"), (40, .void),
    ] as [(RuntimeValue, RuntimeTypeEncoding)])
  func refusesToConvert(value: RuntimeValue, target: RuntimeTypeEncoding) {
    expectError(.incompatible) {
      try value.converted(to: target)
    }
  }

  @Test("numbers are equal by what they amount to, other values when type and content are")
  func equality() throws {
    #expect(RuntimeValue(40) == 40)
    #expect(RuntimeValue(Int32(40)) == 40 && RuntimeValue(Int32(40)) != 41)
    #expect(RuntimeValue(40.0) == 40 && RuntimeValue(0.5) == RuntimeValue(Float(0.5)))
    #expect(Set([RuntimeValue(Int8(1)), 1, RuntimeValue(UInt64(1)), 1.0]).count == 1)
    #expect(try RuntimeValue(Int32(3)).converted(to: .object) == 3)
    #expect(RuntimeValue.array([RuntimeValue(Int32(3))]).elements?.contains(3) == true)
    #expect(RuntimeValue(1) != "1" && RuntimeValue(0) != nil)
    #expect(
      try RuntimeValue("{P=dd}", members: [1, 2]) == RuntimeValue("{P=dd}", members: [1, 2]))
    #expect(RuntimeValue.nilObject == nil)
  }

  @Test("an object made at run time says itself what it is equal to, and is let go of at once")
  func objects() throws {
    let answers = Recorder<RuntimeWeakReference>()
    try withClass("Equal") { builder in
      try builder.method("isEqual:", "B@:@") { _ in true }.method("hash", "Q@:") { _ in 7 }
        .method("description", "@@:") { _ in
          let text = try? RuntimeValue("described").converted(to: .object)
          if let object = text?.object, let weak = try? RuntimeWeakReference(to: object) {
            answers.add(weak)
          }
          return text ?? nil
        }
    } body: { made in
      let one = RuntimeValue(try made.allocate()), other = RuntimeValue(try made.allocate())
      #expect(one == other && one.hashValue == other.hashValue && one != nil)
      #expect(RuntimeValue.array([one]).description == "(described)")
      #expect(answers.count == 1 && answers.all.allSatisfy { $0.object == nil })
    }
  }

  @Test("bytes are laid out as C lays the type out, and read back")
  func bytes() throws {
    let value = try RuntimeValue(
      "{P=cs[2i]}", members: [1, 2, RuntimeValue("[2i]", members: [3, 4])])
    #expect(value.bytes == [1, 0, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0])
    #expect(try RuntimeValue("{P=cs[2i]}", bytes: value.bytes) == value)
    #expect(try RuntimeValue(.int16, bytes: [0xFF, 0xFF]) == RuntimeValue(Int16(-1)))
  }

  @Test("a union is kept as bytes")
  func unions() throws {
    let value = try RuntimeValue("(U=sc)", bytes: [1, 2])
    #expect(value.bytes == [1, 2])
    #expect(value.members == nil)
  }

  @Test("bytes of another number, or for a type of references, are refused")
  func refusesBytes() {
    expectError(.invalidArgument, reason: "“q” has 8 bytes, not 1") {
      try RuntimeValue(.int64, bytes: [1])
    }
    for encoding: RuntimeTypeEncoding in ["@", "#", ":", "*", "{P=@}", "(U=@q)"] {
      #expect(throws: KeyValueError.self) {
        try RuntimeValue(encoding, bytes: [0, 0, 0, 0, 0, 0, 0, 0])
      }
    }
  }

  @Test("members of another number, or of a type without, are refused")
  func refusesMembers() {
    expectError(.invalidArgument, reason: "“{P=dd}” has 2 members, not 1") {
      try RuntimeValue("{P=dd}", members: [1])
    }
    #expect(throws: KeyValueError.self) { try RuntimeValue(.int64, members: []) }
  }

  @Test("a number, or one that a text begins with, is read as another type as a key would set it")
  func numbers() throws {
    #expect(try RuntimeValue(2.75).number(as: .int32) == 2)
    #expect(try RuntimeValue("12 km").number(as: .double) == 12.0)
    #expect(try RuntimeValue(true).number(as: .longDouble).double == 1)
    #expect(try RuntimeValue(RuntimeValue(7).boxed()).number(as: .uint8).encoding == .uint8)
    for value in [RuntimeValue.nilObject, .array([1]), RuntimeValue(RuntimeClass.root)] {
      expectError(.incompatible) { try value.number(as: .int64) }
    }
    expectError(.incompatible) { try RuntimeValue(1).number(as: .object) }
  }

  @Test(
    "quadruple precision keeps what a double has",
    arguments: [0, -0.0, 1, -1.5, 1e-300, 1e300, .infinity, .pi, .greatestFiniteMagnitude])
  func quadruples(_ number: Double) {
    #expect(Quadruple(number).double.bitPattern == number.bitPattern)
    #expect(MemoryLayout<Quadruple>.size == 16)
  }

  @Test("a value keeps the objects in it alive")
  func keepsObjects() throws {
    try withPerson { person in
      let count = person.retainCount
      let value = try RuntimeValue("{P=@q}", members: [RuntimeValue(person), 1])
      let weak = try RuntimeWeakReference(to: person)
      #expect(weak.object != nil)
      #expect(value.members?.first?.object == person)
      #expect(person.retainCount == count)
    }
  }

  @Test("a class counts as an object and back")
  func classes() throws {
    let value = RuntimeValue(RuntimeClass.root)
    #expect(value.object?.asClass == .root)
    let object = try value.converted(to: .object)
    #expect(try object.converted(to: .classObject).runtimeClass == .root)
  }
}
