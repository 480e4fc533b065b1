import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct MarkerTests {
  @Test("BND-41: markers are told apart by the case")
  func byCase() {
    #expect(Set(BindingMarker.allCases).count == 3)
    #expect(BindingMarker.noSelection != .notApplicable)
  }
}
