import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ChangeTests {
  @Test("a change made by hand has what it was given, and ends nothing")
  func byHand() throws {
    try withPerson { person in
      let change = RuntimeChange(
        keyPath: "age", object: person, isPrior: true, oldValue: 1, newValue: nil)
      #expect(change.description == "age: 1 (prior)")
      #expect(change.kind == .setting)
      #expect(change.context == .none)
      change.stopObserving()
    }
  }

  @Test("a typed change made by hand has what it was given, and ends nothing")
  func typedByHand() {
    let change = ValueChange(isInitial: true, newValue: 4)
    #expect(change.newValue == 4)
    #expect(change.oldValue == nil)
    #expect(change.isInitial)
    change.stopObserving()
  }
}
