import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct MisuseTests {
  @Test("a misuse without a caller reaches the handler")
  func reaches() throws {
    let told = Recorder<Misuse>()
    KeyValueSettings.misuseHandler = { told.add($0) }
    defer { KeyValueSettings.misuseHandler = nil }
    try withClass {
      try $0.property("x", .object, ownership: .copy)
    } body: { made in
      let object = try made.allocate()
      try object.send("setX:", RuntimeValue(made.allocate()))
      #expect(told.count == 1)
      #expect(told.last?.reason.contains("copy") == true)
      #expect(told.last?.code == .unrecognizedSelector)
      #expect(try object.send("x").isNil)
    }
  }

  @Test("a handler that is replaced is let go")
  func letsGo() {
    final class Token: Sendable {}
    weak var held: Token?
    do {
      let token = Token()
      held = token
      KeyValueSettings.misuseHandler = { _ in withExtendedLifetime(token) {} }
    }
    #expect(held != nil)
    KeyValueSettings.misuseHandler = nil
    #expect(held == nil)
  }
}
