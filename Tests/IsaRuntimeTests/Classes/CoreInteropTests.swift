import CIsa
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// The ways in for programs part of which is C.
@Suite(.serialized, .leavesNothing)
struct CoreInteropTests {
  @Test("a change that a function in C was handed reads as any other")
  func changes() throws {
    try withPerson { person in
      let heard = Recorder<RuntimeChange>()
      var function = kvo_function()
      function.info = Unmanaged.passUnretained(heard).toOpaque()
      function.callback = { change, info in
        Unmanaged<Recorder<RuntimeChange>>.fromOpaque(info!).takeUnretainedValue()
          .add(RuntimeChange(unsafeAddress: UInt(bitPattern: change)))
      }
      var token: kvo_token?
      let options = UInt32(ObservationOptions([.old, .new]).rawValue)
      let id = isa_id(bitPattern: person.address)
      #expect(kvo_observe(id, "age", options, &function, nil, &token) == ISA_OK)
      try person.set("age", 41)
      kvo_token_release(token)
      let change = try #require(heard.last)
      #expect(heard.count == 1)
      #expect(change.object == person)
      #expect(change.keyPath == "age")
      #expect(change.oldValue == 0)
      #expect(change.newValue == 41)
      change.stopObserving()
    }
  }

  @Test("a failure of a call in C becomes an error with the core's notes")
  func failures() throws {
    try withPerson { person in
      let status = kvo_remove_observer(
        isa_id(bitPattern: person.address), isa_id(bitPattern: person.address), "age")
      let error = KeyValueError(cStatus: status.rawValue)
      #expect(error.code == .notRegistered)
      #expect(error.exceptionName == "NSRangeException")
      #expect(error.reason.hasPrefix("Cannot remove an observer"))
    }
  }
}
