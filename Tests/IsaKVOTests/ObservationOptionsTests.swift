import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct ObservationOptionsTests {
  @Test("options are shown by name")
  func description() {
    let all: ObservationOptions = [.new, .old, .initial, .prior, .retainObserver]
    #expect(all.description == "[old, new, initial, prior, retainObserver]")
    #expect(ObservationOptions().description == "[]")
  }

  @Test("contexts are different from each other and from none")
  func contexts() {
    #expect(ObservationContext() != ObservationContext())
    #expect(ObservationContext() != .none)
    #expect(ObservationContext(address: 8) == ObservationContext(address: 8))
  }
}
