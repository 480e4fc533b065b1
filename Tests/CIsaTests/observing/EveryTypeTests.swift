import CIsa
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

/// How the value that a test sets is observed.
private enum Manner: CaseIterable, CustomTestStringConvertible {
  case one, several, group, nested, prior, path, dependent

  var testDescription: String { "\(self)" }
  var key: String { self == .path ? "name.key" : self == .dependent ? "derived" : "key" }
  var options: ObservingOptions { self == .prior ? [.old, .new, .prior] : [.old, .new] }

  var isPath: Bool { self == .path || self == .dependent }

  /// How many observers there are.
  var count: Int {
    switch self {
    case .several: 3
    case .group: 40
    default: 1
    }
  }
}

/// An object with a typed value, and one that leads to it, observed in one manner.
private final class Observed: @unchecked Sendable {
  private let type: TestType, manner: Manner, values: Values
  private let object: Instance, root: Person
  private var observations: [Observation] = []
  private let lock = NSLock()
  /// The numbers of the values that observers were told, the old one and the new one.
  private var told: [[Int]] = []
  private var isInside = false

  init(_ type: TestType, _ manner: Manner, _ pair: ClassPair, _ people: PersonClass) throws {
    (self.type, self.manner) = (type, manner)
    values = Values(type)
    object = try Instance(of: pair.cls, keeping: pair)
    root = try people.make()
    type.set(object, values[1])
    if manner == .path { root.set(name: object.id) }
    for _ in 0..<manner.count {
      let notes = Notes { [unowned self] in note($0) }
      let observed = manner == .path ? root.id : object.id
      observations.append(try Observation(observed, manner.key, manner.options, notes: notes))
    }
  }

  private func number(_ value: kvc_value) -> Int {
    (1...2).first { values.isValue(value, $0) } ?? 0
  }

  private func note(_ change: kvo_change) {
    lock.withLock { told.append([number(change.old_value), number(change.new_value)]) }
    if manner == .nested, !isInside {
      isInside = true
      type.set(object, values[1])
      isInside = false
    }
  }

  /// Sets the second value and the first again, and compares what was told and what is there.
  func turn() {
    told = []
    type.set(object, values[2])
    let stored = UnsafeMutableRawPointer(object.id) + MemoryLayout<isa_header>.size
    #expect(type.c.equal(stored, values[manner == .nested ? 1 : 2].address))
    type.set(object, values[1])
    #expect(type.c.equal(stored, values[1].address))
    #expect(told == expected, "\(told)")
  }

  private var expected: [[Int]] {
    switch manner {
    case .nested: [[1, 2], [2, 1], [1, 1], [1, 1]]
    case .prior: [[1, 0], [1, 2], [2, 0], [2, 1]]
    default:
      Array(repeating: [1, 2], count: manner.count) + Array(repeating: [2, 1], count: manner.count)
    }
  }

  /// Ends every observation, after which nobody is told.
  func end() {
    for observation in observations { observation.invalidate() }
    told = []
    type.set(object, values[2])
    #expect(told == [])
  }
}

@Suite(.serialized, .balancedCounts)
struct EveryTypeTests {
  @Test(
    "a value of every type is told, whoever observes it and how, beside another thread too",
    arguments: TestType.all.filter(\.isScalar), [1, 2])
  func everyType(type: TestType, threadCount: Int) throws {
    let people = try PersonClass()
    for manner in Manner.allCases where type.isBoxed || !manner.isPath {
      let pair = try makeClass(type)
      let own = try Observed(type, manner, pair, people)
      let other = try Observed(type, manner, pair, people)
      if threadCount == 1 {
        own.turn()
        other.turn()
      } else {
        whileThreads(1, repeat: { other.turn() }) { for _ in 0..<50 { own.turn() } }
      }
      own.end()
      other.end()
    }
  }

  /// A class whose key `derived` is what `key` is.
  private func makeClass(_ type: TestType) throws -> ClassPair {
    let pair = try type.makeClass()
    try check(isa_class_add_method(pair.cls, selector("derived"), type.c.get, type.getterTypes))
    try declare(pair.cls, "derived", affectedBy: "key")
    return pair
  }
}
