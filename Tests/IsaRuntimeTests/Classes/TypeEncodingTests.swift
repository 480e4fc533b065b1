import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
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
    ] as [(RuntimeTypeEncoding, Int, Int)])
  func measures(encoding: RuntimeTypeEncoding, size: Int, alignment: Int) throws {
    let layout = try encoding.measure()
    #expect(layout.size == size)
    #expect(layout.alignment == alignment)
  }

  @Test("structs, arrays and methods are put together from their types")
  func building() {
    #expect(RuntimeTypeEncoding.structure("CGPoint", .double, .double) == "{CGPoint=dd}")
    #expect(RuntimeTypeEncoding.array(of: .int32, count: 4) == "[4i]")
    #expect(RuntimeTypeEncoding.method(returning: .void, taking: [.int64, .object]) == "v@:q@")
  }

  @Test("an encoding that cannot be parsed is refused with its text", arguments: ["", "{P=d", "%"])
  func refusesNonsense(text: String) {
    let error = expectError(.badEncoding, key: text) { try RuntimeTypeEncoding(text).measure() }
    #expect(error?.reason.isEmpty == false)
  }

  @Test("a type whose size is not told cannot be measured")
  func refusesUnsized() {
    expectError(.notPassable, key: "{P}") { try RuntimeTypeEncoding("{P}").measure() }
  }

  @Test(
    "what libffi can pass is passable",
    arguments: ["q", "v", "@", "{P=dd}", "v@:q", "{P=dd}@:{P=dd}", "v24@0:8q16"])
  func passable(text: String) { #expect(RuntimeTypeEncoding(text).isPassable) }

  @Test(
    "what libffi cannot pass is not",
    arguments: ["(U=id)", "b3", "{P}", "{S=b3b5}", "v@:(U=i)", "%"])
  func notPassable(text: String) { #expect(!RuntimeTypeEncoding(text).isPassable) }

  @Test("a method encoding is split into its types, without frame offsets")
  func types() throws {
    #expect(try RuntimeTypeEncoding("v24@0:8q16").types() == ["v", "@", ":", "q"])
    #expect(try RuntimeTypeEncoding("{P=dd}@:@").types() == ["{P=dd}", "@", ":", "@"])
  }

  @Test("a struct tells the types of its members, other types have none")
  func memberTypes() {
    #expect(RuntimeTypeEncoding("{R={P=dd}q}").memberTypes == ["{P=dd}", "q"])
    #expect(RuntimeTypeEncoding("{R=\"x\"d\"y\"q}").memberTypes == ["d", "q"])
    #expect(RuntimeTypeEncoding("[3s]").memberTypes == ["s", "s", "s"])
    #expect(RuntimeTypeEncoding("q").memberTypes.isEmpty)
    #expect(RuntimeTypeEncoding("{P}").memberTypes.isEmpty)
  }
}
