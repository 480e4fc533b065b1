import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Handlers that take away again the elements that another handler is told of next.
@Suite(.serialized, .leavesNoObjects)
struct TakingAwayTests {
  /// The notifications of a first observer while `change` changes a list that is `[1, 2, 3]` and a
  /// second one, told before it, empties the list.
  private func told(
    secondAsksFor options: ObservationOptions = [.old, .new], prior: Bool = false,
    _ change: (Human) throws -> Void
  ) throws -> (lines: [String], list: [Int]) {
    let human = Human(), lines = Recorder<String>()
    human.list = [1, 2, 3]
    let early: ObservationOptions = prior ? [.old, .new, .prior] : [.old, .new]
    let first = human.observe(\.list, options: early) { _, change in
      if change.kind != .setting, !change.isPrior { lines.add(words(change)) }
    }
    let second = human.observe(\.list, options: options) { human, change in
      if change.kind != .setting, !human.list.isEmpty { human.list = [] }
    }
    try change(human)
    first.invalidate()
    second.invalidate()
    return (lines.all, human.list)
  }

  private static let inserted = (lines: ["insertion [3]: absent → [4]"], list: [Int]())
  private static let replaced = (lines: ["replacement [0]: [1] → [5]"], list: [Int]())

  @Test("who is told of elements that a handler has taken away is shown those that came")
  func typed() throws {
    for options: ObservationOptions in [[.old, .new], .new, .old, []] {
      for prior in [false, true] {
        let append = try told(secondAsksFor: options, prior: prior) {
          $0.mutableArrayValue(for: \.list).append(4)
        }
        #expect(append == Self.inserted)
        let replace = try told(secondAsksFor: options, prior: prior) {
          $0.mutableArrayValue(for: \.list)[0] = 5
        }
        #expect(replace == Self.replaced)
      }
    }
  }

  @Test("a change by name succeeds likewise")
  func named() throws {
    #expect(
      try told { try $0.mutableArrayValue(forKey: "list").append(4) } == Self.inserted)
    #expect(
      try told { try $0.mutableArrayValue(forKey: "list").replace(at: 0, with: 5) }
        == Self.replaced)
    let manual = try told {
      $0.withChange(of: \.list, .replacement, at: [0]) {}
    }
    #expect(manual == (["replacement [0]: [1] → [1]"], []))
  }

  @Test("an observer by name is shown those that came")
  func observedByName() throws {
    let human = Human(), lines = Recorder<String>()
    human.list = [1]
    let first = try human.observe("list", as: [Int].self, options: [.old, .new]) { _, change in
      if change.kind != .setting { lines.add(words(change)) }
    }
    let second = human.observe(\.list, options: []) { human, change in
      if change.kind != .setting { human.list = [] }
    }
    human.mutableArrayValue(for: \.list).append(2)
    #expect(lines.all == ["insertion [1]: absent → [2]"] && human.list.isEmpty)
    first.invalidate()
    second.invalidate()
  }

  @Test("elements that are still there are shown as they are by then")
  func others() throws {
    let human = Human(), lines = Recorder<String>()
    human.list = [1]
    let first = human.observe(\.list, options: .new) { _, change in
      if change.kind != .setting { lines.add(words(change)) }
    }
    let second = human.observe(\.list, options: .new) { human, change in
      if change.kind != .setting { human.list = [7, 8, 9] }
    }
    human.mutableArrayValue(for: \.list).append(2)
    #expect(lines.all == ["insertion [1]: absent → [8]"])
    first.invalidate()
    second.invalidate()
  }

  @Test("the second change of a replaced range makes do with what a handler has left")
  func range() throws {
    let grown = try told {
      $0.mutableArrayValue(for: \.list).replaceSubrange(0..<1, with: [7, 8])
    }
    #expect(
      grown == (["replacement [0]: [1] → [7]", "insertion [0]: absent → [8]"], []))
    let shrunk = try told {
      $0.mutableArrayValue(for: \.list).replaceSubrange(0..<3, with: [7])
    }
    #expect(shrunk == (["replacement [0]: [1] → [7]"], []))
  }

  @Test("a wrong announcement is still an error")
  func wrong() throws {
    let human = Human()
    let token = human.observe(\.list, options: .new) { _, _ in }
    human.willChange(.insertion, valuesAt: [3], forKey: "list")
    #expect(throws: KeyValueError.self) {
      try RuntimeObject(human).didChange(.insertion, valuesAt: [3], forKey: "list")
    }
    token.invalidate()
  }

  @Test("an index below zero is refused as it was given")
  func negative() throws {
    let human = Human()
    let error = #expect(throws: KeyValueError.self) {
      try human.mutableArrayValue(forKey: "list").insert(1, at: -1)
    }
    #expect(error?.code == .outOfRange)
    #expect(error?.reason == "insertion in Human.list: no index -1")
    let many = #expect(throws: KeyValueError.self) {
      try human.mutableArrayValue(forKey: "list").insert(contentsOf: [1], at: [-1])
    }
    #expect(many?.code == .outOfRange)
    #expect(many?.reason.hasPrefix("index -1 is no index") == true)
  }
}
