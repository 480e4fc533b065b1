import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ReclaimTests {
  @Test(
    "no reader uses a thing after its removal has returned, with and without the system's barrier",
    arguments: [false, true])
  func checks(fences: Bool) {
    let result = isa_test_litmus_checks(100_000, fences)
    #expect(result.violations == 0)
    #expect(result.reads > 0)
  }

  @Test(
    "no reader uses a thing that has been freed, and none is left behind", arguments: [false, true])
  func marks(fences: Bool) {
    let result = isa_test_litmus_marks(100_000, fences)
    #expect(result.violations == 0)
    #expect(result.freed == 100_000)
  }
}
