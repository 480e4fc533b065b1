import IsaKVOBindings
import Testing

@Suite struct MarkerTests {
  @Test("BND-41: markers are told apart by the case")
  func byCase() {
    #expect(Set(BindingMarker.allCases).count == 3)
    #expect(BindingMarker.noSelection != .notApplicable)
  }
}
