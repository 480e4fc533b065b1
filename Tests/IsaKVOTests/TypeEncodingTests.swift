import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct TypeEncodingTests {
  @Test(
    "each type is measured as C lays it out",
    arguments: [
      (.int8, 1, 1), (.int16, 2, 2), (.int32, 4, 4), (.int64, 8, 8), (.uint8, 1, 1),
      (.uint16, 2, 2), (.uint32, 4, 4), (.uint64, 8, 8), (.bool, 1, 1), (.float, 4, 4),
      (.double, 8, 8), (.object, 8, 8), (.classObject, 8, 8), (.selector, 8, 8), (.cString, 8, 8),
      (.pointer, 8, 8), ("{P=cd}", 16, 8), ("{O={P=cd}s}", 24, 8), ("{A=[3i]c}", 16, 4),
    ] as [(TypeEncoding, Int, Int)])
  func measures(encoding: TypeEncoding, size: Int, alignment: Int) throws {
    let layout = try encoding.measure()
    #expect(layout.size == size)
    #expect(layout.alignment == alignment)
  }

  @Test("structs, arrays and methods are put together from their types")
  func building() {
    #expect(TypeEncoding.structure("CGPoint", .double, .double) == "{CGPoint=dd}")
    #expect(TypeEncoding.array(of: .int32, count: 4) == "[4i]")
    #expect(TypeEncoding.method(returning: .void, taking: [.int64, .object]) == "v@:q@")
  }

  @Test("an encoding that cannot be parsed is refused with its text", arguments: ["", "{P=d", "%"])
  func refusesNonsense(text: String) {
    #expect {
      try TypeEncoding(text).measure()
    } throws: { error in
      guard case RuntimeError.badEncoding(let encoding, let reason) = error else { return false }
      return encoding.text == text && !reason.isEmpty
    }
  }

  @Test("a type whose size is not told cannot be measured")
  func refusesUnsized() {
    #expect(throws: RuntimeError.notPassable("{P}")) { try TypeEncoding("{P}").measure() }
  }

  @Test(
    "what libffi can pass is passable",
    arguments: ["q", "v", "@", "{P=dd}", "v@:q", "{P=dd}@:{P=dd}", "v24@0:8q16"])
  func passable(text: String) { #expect(TypeEncoding(text).isPassable) }

  @Test(
    "what libffi cannot pass is not",
    arguments: ["(U=id)", "b3", "{P}", "{S=b3b5}", "v@:(U=i)", "%"])
  func notPassable(text: String) { #expect(!TypeEncoding(text).isPassable) }

  @Test("a method encoding is split into its types, without frame offsets")
  func types() throws {
    #expect(try TypeEncoding("v24@0:8q16").types() == ["v", "@", ":", "q"])
    #expect(try TypeEncoding("{P=dd}@:@").types() == ["{P=dd}", "@", ":", "@"])
  }

  @Test("a struct tells the types of its members, other types have none")
  func memberTypes() {
    #expect(TypeEncoding("{R={P=dd}q}").memberTypes == ["{P=dd}", "q"])
    #expect(TypeEncoding("{R=\"x\"d\"y\"q}").memberTypes == ["d", "q"])
    #expect(TypeEncoding("[3s]").memberTypes == ["s", "s", "s"])
    #expect(TypeEncoding("q").memberTypes.isEmpty)
    #expect(TypeEncoding("{P}").memberTypes.isEmpty)
  }
}
