import Testing

@testable import isalab

@Suite("Values", .serialized, .oneAtATime)
struct ValueTests {
  private func answer(_ type: String, _ literal: String) throws -> String {
    let lines = """
      struct Point { x: double, y: double }
      struct Line { from: Point, to: Point }
      class Other {}
      class K { v: \(type) }
      let c = K()
      let d = K()
      c.v = \(literal)
      c.v
      """
    guard case .answer(.property(_, let value)) = try steps(lines).last?.facts.first else {
      return ""
    }
    return value.description
  }

  @Test(
    "a value comes back from the object as it was given",
    arguments: [
      ("bool", "true"), ("char", "-128"), ("uchar", "255"), ("short", "-32768"),
      ("ushort", "65535"),
      ("int", "-2147483648"), ("uint", "4294967295"), ("long", "-9223372036854775808"),
      ("ulong", "18446744073709551615"), ("int8", "127"), ("uint64", "0"), ("float", "0.1"),
      ("double", "1e-300"), ("long-double", "2.5"), ("string", "\"Grüße \\\"Ada\\\"\\n\""),
      ("string", "nil"), ("object", "d"), ("object", "c"), ("object", "\"text\""), ("Other", "nil"),
      ("class", "Other"), ("class", "nil"), ("selector", "setAge:"), ("cstring", "\"chars\""),
      ("cstring", "nil"), ("pointer", "0x10"), ("pointer", "nil"), ("^i", "nil"),
      ("{P=cid}", "(-1, 2, 0.5)"), ("{P=[3s]B}", "([1, 2, 3], true)"), ("{E=c}", "(7)"),
      ("Point", "(x: 1, y: -2.5)"), ("Line", "(from: (x: 0, y: 1), to: (x: 2, y: 3))"),
      ("{P=\"left\"i\"right\"i}", "(left: 1, right: 2)"),
    ])
  func roundTrip(_ type: String, _ literal: String) throws {
    #expect(try answer(type, literal) == literal)
  }

  @Test("whole numbers and 0x numbers are numbers of any kind")
  func integersAsReals() throws {
    #expect(try answer("double", "40") == "40")
    #expect(try answer("int", "0x28") == "40")
  }

  @Test("members stand where C puts them")
  func layout() throws {
    let layout = try #require(Layout("{S=c{T=sd}[2i]}"))
    guard case .structure(let size, let fields) = layout else {
      Issue.record("no struct")
      return
    }
    #expect(size == 32)
    #expect(fields.map(\.offset) == [0, 8, 24])
  }

  @Test(
    "types without a notation have no layout", arguments: ["(U=id)", "b3", "v", "?", "{Opaque}"])
  func noLayout(_ encoding: String) {
    #expect(Layout(encoding) == nil)
  }
}
