import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct SelectorTests {
  @Test("selectors of equal names are equal")
  func interned() {
    #expect(Selector("setAge:") == "setAge:")
    #expect(Selector("setAge:") != "setAge")
    #expect(Set<Selector>(["a", "a", "b"]).count == 2)
  }

  @Test("a selector announces as many arguments as its name has colons")
  func argumentCount() {
    #expect(Selector("age").argumentCount == 0)
    #expect(Selector("setAge:").argumentCount == 1)
    #expect(Selector("move:by::").argumentCount == 3)
  }

  @Test("a selector is shown by its name")
  func description() {
    #expect(Selector("setAge:").name == "setAge:")
    #expect("\(Selector("setAge:"))" == "setAge:")
  }

  @Test("an empty name stops the process")
  func empty() async {
    await #expect(processExitsWith: .failure) { _ = Selector("") }
  }
}
