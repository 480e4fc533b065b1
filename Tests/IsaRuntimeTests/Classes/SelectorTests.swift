import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct SelectorTests {
  @Test("selectors of equal names are equal")
  func interned() {
    #expect(RuntimeSelector("setAge:") == "setAge:")
    #expect(RuntimeSelector("setAge:") != "setAge")
    #expect(Set<RuntimeSelector>(["a", "a", "b"]).count == 2)
  }

  @Test("a selector announces as many arguments as its name has colons")
  func argumentCount() {
    #expect(RuntimeSelector("age").argumentCount == 0)
    #expect(RuntimeSelector("setAge:").argumentCount == 1)
    #expect(RuntimeSelector("move:by::").argumentCount == 3)
  }

  @Test("a selector is shown by its name")
  func description() {
    #expect(RuntimeSelector("setAge:").name == "setAge:")
    #expect("\(RuntimeSelector("setAge:"))" == "setAge:")
  }

  @Test("an empty name stops the process")
  func empty() async {
    await #expect(processExitsWith: .failure) { _ = RuntimeSelector("") }
  }
}
