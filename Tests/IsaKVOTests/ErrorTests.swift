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
}
