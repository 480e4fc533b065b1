import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct EncodingTests {
  private struct Measure: Equatable {
    var size = 0, align = 0
    var rest = ""
  }

  /// The answer of isa_encoding_measure, or its failure.
  private func measure(_ types: String) -> Result<Measure, Failure> {
    var measure = Measure()
    var end: UnsafePointer<CChar>?
    return types.withCString { text in
      let status = isa_encoding_measure(text, &measure.size, &measure.align, &end)
      guard status == ISA_OK else { return .failure(Failure(status: status)) }
      measure.rest = String(cString: end!)
      return .success(measure)
    }
  }

  private struct Failure: Error, Equatable {
    let status: isa_status
  }

  @Test("every scalar is one of the types that tests go through")
  func everyScalarIsTested() {
    let tested = Set(TestType.all.map { $0.encoding.prefix(1) })
    #expect(Scalars.all.allSatisfy { tested.contains($0[...]) })
  }

  @Test("each type is measured as the compiler lays it out", arguments: TestType.all)
  func measuresAsCompiler(type: TestType) throws {
    let measured = try measure(type.encoding).get()
    #expect(measured == Measure(size: type.c.size, align: type.c.align))
  }

  /// Encodings with their size and alignment in bytes, and what comes behind the first type.
  private static let understood: [(String, Int, Int, String)] = [
    ("q", 8, 8, ""), ("l", 4, 4, ""), ("L", 4, 4, ""), ("B", 1, 1, ""), ("v", 0, 1, ""),
    ("D", MemoryLayout<CLongDouble>.size, MemoryLayout<CLongDouble>.alignment, ""),
    ("t", 16, 16, ""), ("T", 16, 16, ""), ("jf", 8, 4, ""), ("jd", 16, 8, ""),
    ("q16", 8, 8, ""), ("v24@0:8q16", 0, 1, "@0:8q16"), ("q-8@", 8, 8, "@"), ("c+12i", 1, 1, "i"),
    ("i+-4q", 4, 4, "q"), ("rnNoORVAq", 8, 8, ""), ("@?", 8, 8, ""), ("@?q", 8, 8, "q"),
    ("@?<v@?q>q", 8, 8, "q"), ("@?<@\"NSString\"16@?0q8>i", 8, 8, "i"),
    ("@\"NSString\"q", 8, 8, "q"), ("@\"<NSCopying>\"", 8, 8, ""), ("^v", 8, 8, ""),
    ("^^{__CFString}", 8, 8, ""), ("^?", 8, 8, ""), ("^b3", 8, 8, ""), ("^[4q]", 8, 8, ""),
    ("^(u=iq)", 8, 8, ""), ("[12^f]", 96, 8, ""), ("[0q]", 0, 8, ""), ("[3[2s]]c", 12, 2, "c"),
    ("(u=iq)", 8, 8, ""), ("(?=c[9s])", 18, 2, ""), ("(u=)", 0, 1, ""), ("{E=}", 0, 1, ""),
    ("{S=c{E=}q}", 16, 8, ""), ("{?=cqc}", 24, 8, ""), ("{?=c[0q]}", 8, 8, ""),
    ("{=q}", 8, 8, ""),
    ("{CGRect=\"origin\"{CGPoint=\"x\"d\"y\"d}\"size\"{CGSize=dd}}", 32, 8, ""),
    ("{S=\"a\"@\"b\"q}", 16, 8, ""), ("{S=\"a\"@\"A\"\"b\"q}", 16, 8, ""),
    ("{S=\"a\"@\"A\"}", 8, 8, ""), ("{S=\"a\"[2@\"A\"]\"b\"@?\"c\"i}", 32, 8, ""),
    ("{S=\"a\"{T=@\"A\"}\"b\"@}", 16, 8, ""), ("{S=\"\"q}", 8, 8, ""),
    ("{std::vector<int, a<b[3]> (*)()>=^i^i^i}", 24, 8, ""), ("{S=^{S}^{S}}", 16, 8, ""),
  ]

  @Test("letters, qualifiers, names and offsets are understood", arguments: understood)
  func understands(types: String, size: Int, align: Int, rest: String) throws {
    let measured = try measure(types).get()
    #expect(measured == Measure(size: size, align: align, rest: rest))
  }

  /// Encodings with the column of the mistake.
  private static let malformed: [(String, Int)] = [
    ("", 1), ("z", 1), (" q", 1), ("\u{1}", 1), ("é", 1), ("r", 2), ("rnN", 4), ("^", 2),
    ("^^", 3), ("^z", 2), ("{", 2), ("{a", 3), ("{a=", 4), ("{a=q", 5), ("{a=q)", 5),
    ("{a=v}", 4), ("{a={b=z}}", 7), ("{a=\"x\"}", 7), ("{a=\"x", 4), ("{a=q\"x\"}", 8), ("(", 2),
    ("(a", 3), ("(a=q", 5), ("(a=q}", 5), ("[", 2), ("[]", 2), ("[3", 3), ("[3]", 3), ("[q]", 2),
    ("[3q", 4), ("[3qq]", 4), ("[3v]", 3), ("[-3q]", 2), ("[99999999999999999999q]", 21),
    ("[18446744073709551616q]", 21), ("[18446744073709551615q]", 23),
    ("[9223372036854775807q]", 22), ("[4294967296[4294967296c]]", 25),
    ("{S=[9223372036854775807c]q}", 27), ("{S=[9223372036854775807c]c}", 27),
    ("@\"A", 2), ("@?<", 4), ("@?<>", 4), ("@?<v", 5), ("@?<v@?", 7), ("j", 2), ("ji", 2),
    ("jq", 2), ("b", 2), ("bq", 2), ("b99999999999999999999", 21), ("}", 1), ("]", 1), ("16", 1),
  ]

  @Test("a malformed encoding is refused with its column", arguments: malformed)
  func refuses(types: String, column: Int) {
    #expect(measure(types) == .failure(Failure(status: ISA_ERR_BAD_ENCODING)))
    #expect(lastReason().contains("column \(column):"), "\(lastReason())")
  }

  @Test(
    "a type whose size is not told is understood but not measured",
    arguments: [
      "b3", "{S=b3b5}", "{S=qb1}", "[2{S=b3}]", "{Opaque}", "{S=q{Opaque}}", "(u=q{Opaque})", "?",
      "[3?]", "(Opaque)",
    ])
  func unmeasured(types: String) {
    #expect(measure(types) == .failure(Failure(status: ISA_ERR_NOT_PASSABLE)))
  }

  @Test("no encoding at all is refused")
  func noText() {
    #expect(isa_encoding_measure(nil, nil, nil, nil) == ISA_ERR_BAD_ENCODING)
    var count = 0
    #expect(isa_encoding_argument_count(nil, &count) == ISA_ERR_BAD_ENCODING)
  }

  @Test("a failure writes nothing")
  func writesNothing() {
    var size = 77, align = 78
    var end: UnsafePointer<CChar>?
    #expect(isa_encoding_measure("{S=q", &size, &align, &end) == ISA_ERR_BAD_ENCODING)
    #expect(size == 77 && align == 78 && end == nil)
  }

  @Test("nesting is bounded at 64 levels, length is not")
  func bounds() throws {
    let deepest = String(repeating: "^", count: 63) + "q"
    #expect(try measure(deepest).get().size == 8)
    #expect(measure("^" + deepest) == .failure(Failure(status: ISA_ERR_BAD_ENCODING)))
    #expect(lastReason().contains("64"))
    let brackets = String(repeating: "{=", count: 100_000)
    #expect(measure(brackets) == .failure(Failure(status: ISA_ERR_BAD_ENCODING)))
    let long = "{S=" + String(repeating: "cq", count: 100_000) + "}"
    #expect(try measure(long).get().size == 1_600_000)
  }

  @Test("a reason stays one line, whatever the encoding holds")
  func printableReason() {
    let types = "{a=q\n\t\u{7f}é" + String(repeating: "x", count: 5000)
    #expect(measure(types) == .failure(Failure(status: ISA_ERR_BAD_ENCODING)))
    #expect(lastReason().utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    #expect(lastReason().contains("column 5:"))
  }

  @Test("the types of a method encoding are copied by index, without offsets")
  func copiesTypes() throws {
    let types = "Vv48@0:8r^{S=q}16@\"NSString\"24[3q]32q+40"
    let expected = ["Vv", "@", ":", "r^{S=q}", "@\"NSString\"", "[3q]", "q"]
    var count = 0
    #expect(isa_encoding_argument_count(types, &count) == ISA_OK)
    #expect(count == expected.count - 1)
    for (index, text) in expected.enumerated() {
      var copy: UnsafeMutablePointer<CChar>?
      #expect(isa_encoding_copy_type(types, index, &copy) == ISA_OK)
      #expect(String(cString: copy!) == text)
      isa_free(copy)
    }
    var copy: UnsafeMutablePointer<CChar>?
    #expect(isa_encoding_copy_type(types, expected.count, &copy) == ISA_ERR_NOT_FOUND)
    #expect(copy == nil)
    try withEachAllocationFailing {
      var copy: UnsafeMutablePointer<CChar>?
      try check(isa_encoding_copy_type(types, 3, &copy))
      isa_free(copy)
    }
  }

  @Test(
    "a method encoding needs result, receiver, selector and arguments",
    arguments: ["", "v", "v@", "vq:", "v@q", "@", "v@:v", "v@:z", "v@:q}", "v@:16q]"])
  func refusesMethods(types: String) {
    var count = 77
    #expect(isa_encoding_argument_count(types, &count) == ISA_ERR_BAD_ENCODING)
    #expect(count == 77)
  }

  @Test(
    "classes as receivers, void results and blocks are fine",
    arguments: ["v#:", "@?@:@?", "v16@0:8"])
  func acceptsMethods(types: String) {
    var count = 0
    #expect(isa_encoding_argument_count(types, &count) == ISA_OK)
  }

  @Test("random texts are measured or refused, and never crash")
  func randomTexts() {
    var random = SplitMix(state: 0x15A)
    let alphabet = Array("cislqCISLQfdDBv*@#:?^^[]{}(){}==b\"j0123456789tT<>rnVAx,+-\u{1}é".utf8)
    var measured = 0
    for _ in 0..<100_000 {
      let length = Int(random.next() % 40)
      let bytes = (0..<length).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      measured += measuresConsistently(bytes) ? 1 : 0
    }
    #expect(measured > 1000)
  }

  @Test("texts cut short and texts with one byte changed never crash")
  func damagedTexts() {
    var random = SplitMix(state: 0x2B)
    for type in TestType.all {
      let whole = Array(type.mixTypes.utf8)
      for length in 0..<whole.count { _ = measuresConsistently(Array(whole[..<length])) }
      for index in whole.indices {
        var changed = whole
        changed[index] = UInt8(truncatingIfNeeded: random.next() | 1)
        _ = measuresConsistently(changed)
        _ = isa_call_check(String(decoding: changed, as: UTF8.self))
      }
    }
  }

  /// Whether the text is one that can be measured; if so, the end lies within the text.
  private func measuresConsistently(_ bytes: [UInt8]) -> Bool {
    let text = bytes.filter { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    return text.withUnsafeBufferPointer { text in
      var size = 0, align = 0
      var end: UnsafePointer<CChar>?
      guard isa_encoding_measure(text.baseAddress, &size, &align, &end) == ISA_OK else {
        return false
      }
      let length = end! - text.baseAddress!
      #expect(length > 0 && length < text.count)
      #expect(align > 0 && size % align == 0)
      return true
    }
  }
}
