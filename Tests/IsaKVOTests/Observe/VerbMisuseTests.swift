import IsaKVO
import IsaKVOTestSupport
import IsaKVOWrappers
import IsaRuntime
import Testing

private final class Guest: Human {
  var bare: [Int] = []
  var bareSet: Set<Int> = []
}

private final class Hearer: Sendable {
  func hear(_ human: Guest, _ change: ValueChange<Int>) { Issue.record("told") }
}

private actor Room {}

/// A call, by its name, with a key path that nobody can observe; what it returns is told to be ended.
private typealias Verb = (
  name: String, line: UInt, call: @Sendable (Guest) -> KeyValueObservation?
)

private func verb(
  _ name: String, line: UInt = #line, _ call: @escaping @Sendable (Guest) -> KeyValueObservation?
) -> Verb { (name, line + 1, call) }

private func told(_ human: Guest) { Issue.record("told") }

private let verbs: [Verb] = [
  verb("observe") {
    $0.observe(\.unwrapped, options: .initial) { human, _ in told(human) }
  },
  verb("suppressing") {
    $0.observe(\.unwrapped, options: .initial, suppressing: ==) { human, _ in told(human) }
  },
  verb("bits that are no option") {
    $0.observe(\.age, options: ObservationOptions(rawValue: 1 << 30)) { human, _ in told(human) }
  },
  verb("bits that are no option, of a computed property") {
    $0.observe(\.full, options: ObservationOptions(rawValue: 1 << 30)) { human, _ in told(human) }
  },
  verb("observeOnce") {
    $0.observeOnce(\.unwrapped, options: .initial) { human, _ in told(human) }
  },
  verb("anyOf") {
    $0.observe(anyOf: [\.age, \.unwrapped], initial: true) { human, _ in told(human) }
  },
  verb("several") {
    $0.observe(\.age, \.unwrapped) { human, _, _ in told(human) }
  },
  verb("a queue") {
    $0.observe(\.unwrapped, delivery: .enqueue { $0() }) { _ in Issue.record("told") }
  },
  verb("an actor") {
    $0.observe(\.unwrapped, delivery: .on(Room())) { _, _ in Issue.record("told") }
  },
  verb("the main actor") {
    $0.observe(\.unwrapped, delivery: .mainActor) { _ in Issue.record("told") }
  },
  verb("the main actor, with the object") {
    $0.observe(\.unwrapped, delivery: .mainActor) { human, _ in told(human) }
  },
  verb("target and action") {
    $0.observe(\.unwrapped, target: Hearer(), action: Hearer.hear)
  },
  verb("changes") {
    _ = $0.changes(of: \.unwrapped)
    return nil
  },
  verb("values") {
    _ = $0.values(of: \.unwrapped)
    return nil
  },
  verb("an array") {
    $0.mutableArrayValue(for: \.bare).append(1)
    return nil
  },
  verb("a set") {
    $0.mutableSetValue(for: \.bareSet).insert(1)
    return nil
  },
  verb("a change") {
    $0.withChange(of: \.unwrapped) {}
    return nil
  },
  verb("a change of elements") {
    $0.withChange(of: \.bare, .insertion, at: [0]) {}
    return nil
  },
  verb("a change of a set") {
    $0.withChange(of: \.bareSet, .union, by: [1]) {}
    return nil
  },
  verb("an announcement") {
    $0.willChangeValue(for: \.unwrapped)
    return nil
  },
  verb("an end") {
    $0.didChangeValue(for: \.unwrapped)
    return nil
  },
  verb("an announcement of elements") {
    $0.willChange(.insertion, valuesAt: [0], for: \.bare)
    return nil
  },
  verb("an end of elements") {
    $0.didChange(.insertion, valuesAt: [0], for: \.bare)
    return nil
  },
  verb("an announcement of a set") {
    $0.willChangeValue(for: \.bareSet, withSetMutation: .union, using: [1])
    return nil
  },
  verb("an end of a set") {
    $0.didChangeValue(for: \.bareSet, withSetMutation: .union, using: [1])
    return nil
  },
  verb("a closure kept by the object") {
    $0.observeProperty(\.unwrapped) { human, _, _ in told(human) }
    return nil
  },
  verb("a closure kept for an owner") {
    $0.observeProperty(\.unwrapped, owner: Hearer()) { _, human, _, _ in told(human) }
    return nil
  },
  verb("a controller") {
    controller.observe($0, \.unwrapped) { _, human, _ in told(human) }
    return nil
  },
  verb("a controller's action") {
    controller.observe($0, \.unwrapped, action: Hearer.hear)
    return nil
  },
  verb("a controller, of several") {
    controller.observe($0, anyOf: [\.unwrapped]) { _, human, _ in told(human) }
    return nil
  },
]

private let hearer = Hearer()
private let controller = ObservationController(observer: hearer)

@Suite("Typed verbs that are misused", .serialized, .leavesNoObjects)
struct VerbMisuseTests {
  @Test(
    "report tells where the call is, and nothing is observed", arguments: verbs.indices)
  func report(_ index: Int) {
    let human = Guest(), verb = verbs[index]
    var token: KeyValueObservation?
    let misuses = reports { token = verb.call(human) }
    #expect(misuses.count == 1, "\(verb.name)")
    let place = ", at IsaKVOTests/VerbMisuseTests.swift:\(verb.line)"
    #expect(misuses.first?.reason.hasSuffix(place) == true, "\(verb.name): \(misuses)")
    #expect(token?.isValid != true)
    human.unwrapped = 2
    human.age = 2
    token?.invalidate()
    token?.invalidateAndWait()
  }

  @Test("strict stops where the call is", arguments: verbs.indices)
  func strict(_ index: Int) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index] in
      KeyValueSettings.misusePolicy = .strict
      _ = verbs[index].call(Guest())
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(", at IsaKVOTests/VerbMisuseTests.swift:\(verbs[index].line)"), "\(text)")
  }

  @Test("a property that a controller observes with other options is a misuse")
  func twice() {
    let human = Guest()
    #expect(controller.observe(human, \.age) { _, _, _ in })
    expectMisuse {
      #expect(!controller.observe(human, \.age, options: .new) { _, _, _ in })
    }
    controller.unobserveAll()
  }

  @Test("an accessor's code under a selector of none is a misuse, and leaves the property alone")
  func exchangedAccessors() throws {
    final class Ghost: KVObject {
      @Dynamic var name = "n"
    }
    let ghost = Ghost(), object = try RuntimeObject(ghost), cls = object.isa
    try cls.addMethod("setAlias:", "v@:@") { _ in }
    try cls.addMethod("alias", "@@:") { _ in "a" }
    try cls.exchangeMethods("setName:", "setAlias:")
    try cls.exchangeMethods("name", "alias")
    let told = try reports {
      try object.send("setAlias:", "m")
      #expect(try object.send("alias").isNil && ghost.name == "n")
    }
    #expect(told.map(\.code) == [.unrecognizedSelector, .unrecognizedSelector])
    #expect(told.first?.reason.contains("Ghost setAlias:]: the code of a setter") == true)
    try cls.exchangeMethods("setName:", "setAlias:")
    try cls.exchangeMethods("name", "alias")
    #expect(try reports { try object.send("setName:", "m") }.isEmpty && ghost.name == "m")
  }
}
