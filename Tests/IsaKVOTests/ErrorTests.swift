import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNothing)
struct ErrorTests {
  @Test("every error says in one line what went wrong")
  func descriptions() {
    let runtime: [RuntimeError] = [
      .outOfMemory, .invalidArgument(reason: "r"), .exists("n"), .notFound("n"),
      .inUse(className: "C"), .registered(className: "C"), .notRegistered(className: "C"),
      .badEncoding("%", reason: "r"), .notPassable("(U=i)"), .layout(from: "A", to: "B"),
      .unrecognizedSelector("fly", className: "C"), .noTrampoline, .unsupported(reason: "r"),
      .deallocating(className: "C"), .argumentCount("f:", expected: 1, given: 0),
      .incompatible(1, with: .object), .eventLogInUse,
    ]
    let coding: [CodingError] = [
      .undefinedKey("k", className: "C"), .nilValue("k", className: "C"),
      .incompatible("k", className: "C", reason: "r"), .outOfRange("k", className: "C"),
      .overflow("k", className: "C"), .unrecognizedSelector("k", className: "C", reason: "r"),
      .invalid("k", className: "C", error: "e"), .runtime(.outOfMemory),
    ]
    let observing: [ObservingError] = [
      .notObservable(keyPath: "k"), .notRegistered(keyPath: "k"), .invalidOptions([]),
      .nameTaken(reason: "r"), .unhandled(keyPath: "k"), .wrongThread(key: "k"),
      .notWrapped(keyPath: "k"), .inconsistent(keyPath: "k"), .selfDependent(key: "k"),
      .tooDeep(keyPath: "k"), .coding(coding[0]), .runtime(runtime[0]),
    ]
    let texts =
      runtime.map(\.description) + coding.map(\.description) + observing.map(\.description)
    for text in texts { #expect(!text.isEmpty && !text.contains("\n")) }
  }

  @Test("an unrecognised selector is told by object and message")
  func unrecognized() {
    let error = RuntimeError.unrecognizedSelector("fly", className: "Person")
    #expect("\(error)" == "Person does not respond to fly")
  }

  @Test("every error names an exception and a reason, its own where the runtime gave none")
  func exceptions() {
    #expect(RuntimeError.outOfMemory.exceptionName == "NSMallocException")
    #expect(RuntimeError.notFound("n").exceptionName == "NSInvalidArgumentException")
    #expect(RuntimeError.notFound("n").reason == "there is no n")
    #expect(CodingError.undefinedKey("k", className: "C").exceptionName == "NSUnknownKeyException")
    #expect(CodingError.outOfRange("k", className: "C").exceptionName == "NSRangeException")
    #expect(CodingError.runtime(.outOfMemory).exceptionName == "NSMallocException")
    #expect(ObservingError.notRegistered(keyPath: "k").exceptionName == "NSRangeException")
    let inner = ObservingError.coding(.nilValue("k", className: "C"))
    #expect(inner.exceptionName == "NSInvalidArgumentException")
    #expect(inner.reason == "C cannot set nil for “k”")
  }

  @Test("details carry what the runtime noted, and do not count in comparing")
  func details() throws {
    let details = ErrorDetails(exceptionName: "E", reason: "r")
    let error = CodingError.undefinedKey("k", className: "C", details: details)
    #expect(error == .undefinedKey("k", className: "C"))
    #expect(error.exceptionName == "E" && error.reason == "r")
    try withPerson { person in
      let error = #expect(throws: CodingError.self) { try person.setValue(nil, forKey: "age") }
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      #expect(error?.reason.contains("setNilValueForKey") == true)
    }
  }
}
