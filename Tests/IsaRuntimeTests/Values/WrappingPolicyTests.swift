import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct WrappingPolicyTests {
  @Test("the policy is what it was set to", arguments: WrappingPolicy.allCases)
  func sets(policy: WrappingPolicy) {
    KeyValueSettings.wrapping = policy
    defer { KeyValueSettings.wrapping = .automatic }
    #expect(KeyValueSettings.wrapping == policy)
  }

  @Test("as Apple does, a long double's setter is left alone, which is told as a misuse")
  func asApple() throws {
    let misuses = Recorder<Misuse>()
    KeyValueSettings.wrapping = .asApple
    KeyValueSettings.misuseHandler = { misuses.add($0) }
    defer {
      KeyValueSettings.wrapping = .automatic
      KeyValueSettings.misuseHandler = nil
    }
    try withClass {
      try $0.property("x", .longDouble)
    } body: { made in
      let object = try made.allocate()
      let told = Recorder<Void>()
      let token = try object.observe("x") { _ in told.add(()) }
      try object.send("setX:", 1.5)
      #expect(told.count == 0)
      #expect(object.isa.wrappedSetters.isEmpty)
      #expect(misuses.last?.reason.contains("setX:") == true)
      token.invalidate()
    }
  }
}
