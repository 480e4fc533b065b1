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

  private nonisolated(unsafe) static var mine = 0, other = 0

  @Test("a context made from a pointer is equal to that of the same pointer, and to no other's")
  func pointers() throws {
    #expect(ObservationContext(&Self.mine) == ObservationContext(&Self.mine))
    #expect(ObservationContext(&Self.mine) != ObservationContext(&Self.other))
    #expect(ObservationContext(nil) == .none)
  }
}
