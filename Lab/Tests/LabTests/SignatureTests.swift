@preconcurrency import CFFI
import Testing

@testable import isalab

/// libffi's own description of a type, made from its encoding.
private final class FFIType {
  private(set) var pointer: UnsafeMutablePointer<ffi_type>
  private var members: [FFIType] = []
  private var elements: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>?

  init(_ layout: Layout) {
    switch layout {
    case .scalar(let letter): pointer = FFIType.scalar(letter)
    case .structure(_, let fields):
      pointer = .allocate(capacity: 1)
      members = fields.flatMap { FFIType.flattened($0.layout) }
      let list = UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>.allocate(
        capacity: members.count + 1)
      for (index, member) in members.enumerated() { list[index] = member.pointer }
      list[members.count] = nil
      elements = list
      let kind = UInt16(FFI_TYPE_STRUCT)
      pointer.initialize(to: ffi_type(size: 0, alignment: 0, type: kind, elements: list))
    case .array: preconditionFailure("an array is not passed by itself")
    }
  }

  deinit {
    guard let elements else { return }
    elements.deallocate()
    pointer.deallocate()
  }

  private static func flattened(_ layout: Layout) -> [FFIType] {
    guard case .array(let count, _, let element) = layout else { return [FFIType(layout)] }
    return (0..<count).flatMap { _ in flattened(element) }
  }

  private static func scalar(_ letter: Character) -> UnsafeMutablePointer<ffi_type> {
    switch letter {
    case "c": withUnsafeMutablePointer(to: &ffi_type_sint8) { $0 }
    case "C", "B": withUnsafeMutablePointer(to: &ffi_type_uint8) { $0 }
    case "s": withUnsafeMutablePointer(to: &ffi_type_sint16) { $0 }
    case "S": withUnsafeMutablePointer(to: &ffi_type_uint16) { $0 }
    case "i": withUnsafeMutablePointer(to: &ffi_type_sint32) { $0 }
    case "I": withUnsafeMutablePointer(to: &ffi_type_uint32) { $0 }
    case "q": withUnsafeMutablePointer(to: &ffi_type_sint64) { $0 }
    case "Q": withUnsafeMutablePointer(to: &ffi_type_uint64) { $0 }
    case "f": withUnsafeMutablePointer(to: &ffi_type_float) { $0 }
    case "d": withUnsafeMutablePointer(to: &ffi_type_double) { $0 }
    case "D": withUnsafeMutablePointer(to: &ffi_type_longdouble) { $0 }
    default: withUnsafeMutablePointer(to: &ffi_type_pointer) { $0 }
    }
  }
}

@Suite("The road of a signature", .serialized, .oneAtATime)
struct SignatureTests {
  static let types = [
    "c", "C", "B", "s", "S", "i", "I", "q", "Q", "f", "d", "D", "@", "#", ":", "*", "^v",
    "{P=dd}", "{P=ff}", "{P=fff}", "{P=ffff}", "{P=dq}", "{P=qd}", "{P=fi}", "{P=if}", "{P=ic}",
    "{P=qq}", "{P=qqc}", "{P=cccccccc}", "{P=ddd}", "{P=d}", "{P=f}", "{P=c}", "{P=D}", "{P=Dd}",
    "{R={P=dd}{S=dd}}", "{M=[16f]}", "{M=[3s]}", "{M=[2f]d}", "{M=[2{P=sc}]f}", "{P=csi}",
    "{P=fffd}", "{P=ffq}", "{P=@i}", "{P=ffffi}",
  ]

  private func road(_ types: String) throws -> SignatureRoad {
    try #require(SignatureRoad(types))
  }

  @Test("has the sizes and alignments that libffi computes", arguments: types)
  func sizes(encoding: String) throws {
    let type = try #require(PassedType(encoding))
    let ffi = FFIType(try #require(Layout(encoding)))
    var cif = ffi_cif()
    #expect(ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 0, ffi.pointer, nil) == FFI_OK)
    #expect(type.size == ffi.pointer.pointee.size)
    #expect(type.alignment == Int(ffi.pointer.pointee.alignment))
    #expect(type.isComposite == (ffi.pointer.pointee.type == FFI_TYPE_STRUCT))
  }

  #if arch(x86_64) && os(Linux)
    /// The notes of libffi's x86-64 back end about a result: its internal numbers, by their names.
    private static let results: [UInt32: [String]] = [
      1: ["INTEGER"], 2: ["INTEGER"], 3: ["INTEGER"], 4: ["INTEGER"], 5: ["INTEGER"],
      6: ["INTEGER"], 7: ["INTEGER"], 8: ["SSE"], 9: ["SSE"], 10: ["X87"], 11: ["X87"],
      12: ["SSE", "INTEGER"], 13: ["INTEGER", "SSE"], 14: ["SSE", "SSE"],
      15: ["INTEGER", "INTEGER"],
    ]

    @Test("goes by the classes that libffi finds for a result", arguments: types)
    func classes(encoding: String) throws {
      let ffi = FFIType(try #require(Layout(encoding)))
      var cif = ffi_cif()
      #expect(ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 0, ffi.pointer, nil) == FFI_OK)
      let classes = try road(encoding + "@:").values[0].x86.classes
      let isInMemory = cif.flags & (1 << 10) != 0
      #expect((classes == ["MEMORY"]) == isInMemory)
      // A struct of one long double comes back in st0, which libffi's back end does not know.
      guard !isInMemory, encoding != "{P=D}" else { return }
      let expected = try #require(SignatureTests.results[cif.flags & 0xFF])
      // A struct of one eight is noted by its first register only where both agree.
      #expect(classes == Array(expected.prefix(classes.count)), "\(cif.flags)")
      #expect(classes.count == max(1, (PassedType(encoding)!.size + 7) / 8) || classes == ["X87"])
    }

    @Test("needs the stack where libffi does")
    func stack() throws {
      for count in 0...12 {
        for encoding in ["q", "d", "{P=dd}", "{P=qd}", "{P=qq}", "{P=ddd}"] {
          let ffi = FFIType(try #require(Layout(encoding)))
          let list = Array(repeating: encoding, count: count).joined()
          var types: [UnsafeMutablePointer<ffi_type>?] = Array(repeating: ffi.pointer, count: count)
          withUnsafeMutablePointer(to: &ffi_type_pointer) { pointer in
            types = [pointer, pointer] + types
          }
          var cif = ffi_cif()
          let status = types.withUnsafeMutableBufferPointer { list in
            withUnsafeMutablePointer(to: &ffi_type_void) {
              ffi_prep_cif(&cif, FFI_DEFAULT_ABI, UInt32(list.count), $0, list.baseAddress)
            }
          }
          #expect(status == FFI_OK)
          let places = try road("v@:" + list).values.flatMap(\.x86.places).map(\.english)
          let isOnStack = places.contains { $0.hasPrefix("stack") }
          #expect(isOnStack == (cif.bytes > 0), "\(count) × \(encoding)")
        }
      }
    }
  #endif

  @Test("names libffi's types, arrays in structs as their members")
  func names() throws {
    #expect(
      PassedType("{R={P=dd}{S=ff}}")?.ffiType
        == "struct {struct {double, double}, struct {float, float}}")
    #expect(PassedType("{M=[16f]}")?.ffiType == "struct {16 × float}")
    #expect(PassedType("[4i]")?.ffiType == "pointer")
    #expect(PassedType("r*")?.ffiType == "pointer")
    #expect(PassedType("(U=iq)") == nil)
    #expect(SignatureRoad("v@:(U=iq)") == nil)
    #expect(SignatureRoad("v") == nil)
    #expect(try road("Vv24@0:8i16").values.map(\.type.encoding) == ["Vv", "@", ":", "i"])
  }

  @Test("a result in memory moves the receiver one register on")
  func memoryResult() throws {
    let values = try road("{R=dddd}@:q").values
    #expect(values[0].x86.places.map(\.english) == ["address in rdi, then rax"])
    #expect(values[0].arm.classes == ["HFA"])
    #expect(values.dropFirst().flatMap(\.x86.places).map(\.english) == ["rsi", "rdx", "rcx"])
    let large = try road("{R=qqq}@:").values
    #expect(large[0].arm.places.map(\.english) == ["address in x8"])
    #expect(large.dropFirst().flatMap(\.arm.places).map(\.english) == ["x0", "x1"])
  }

  @Test(
    "passes structs on arm64 as its standard says",
    arguments: [
      ("{P=ff}", ["HFA"], ["s0", "s1"]), ("{R={P=dd}{S=dd}}", ["HFA"], ["d0", "d1", "d2", "d3"]),
      ("{P=dq}", ["INTEGER"], ["x2", "x3"]), ("{P=c}", ["INTEGER"], ["x2"]),
      ("{M=[5f]}", ["MEMORY"], ["address in x2"]), ("f", ["FLOAT"], ["s0"]),
      ("{P=fd}", ["INTEGER"], ["x2", "x3"]), ("{P=qqq}", ["MEMORY"], ["address in x2"]),
      ("D", ["FLOAT"], ["q0"]), ("[3d]", ["INTEGER"], ["x2"]),
    ])
  func arm(encoding: String, classes: [String], places: [String]) throws {
    let passage = try road("v@:" + encoding).values[3].arm
    #expect(passage.classes == classes)
    #expect(passage.places.map(\.english) == places)
  }

  @Test("once a struct does not fit in what is left of arm64's registers, none is used again")
  func armStack() throws {
    let values = try road("v@:{P=dd}{R=dddd}{R=dddd}d{P=qq}{P=qq}{P=qq}{P=qq}q").values
    #expect(values[5].arm.places.map(\.english) == ["stack+0"])
    #expect(values[6].arm.places.map(\.english) == ["stack+32"])
    #expect(values[10].arm.places.map(\.english) == ["stack+40"])
    #expect(values[11].arm.places.map(\.english) == ["stack+56"])
  }
}
