import IsaKVO
import IsaKVOTestSupport
import Testing

private struct Site: Equatable { var x = 1, y = 2, label = "here" }

private class Link: KVObject {
  @Dynamic var number = 1
  @Dynamic var ratio = 0.5
  @Dynamic var isOpen = false
  @Dynamic var name = "a"
  @Dynamic var title: String?
  @Dynamic var depth: Int?
  @Dynamic var twice: Int??
  @Dynamic var spot = Site()
  @Dynamic var numbers = [1, 2]
  @Dynamic var tags: Set = ["a"]
  @Dynamic var next: Link?
  @Dynamic var forced: Link!
  @Dynamic var `a.b` = 1
  let kept = Kept()
  var double: Int { number * 2 }
  var plain = 1

  /// Changes every property that is not an object.
  func change() {
    number += 1
    ratio += 1
    isOpen.toggle()
    name += "a name that is too long for its own words"
    title = title.map { $0 + "b" } ?? "title"
    depth = depth.map { $0 + 1 } ?? 1
    twice = twice == nil ? .some(nil) : .some(depth)
    spot.x += 1
    numbers.append(number)
    tags.insert(name)
    kept.number += 1
  }
}

private final class Kept: KVObject {
  @Dynamic var number = 1
}

/// A class of which nothing is observed before an object of it is nil on the way.
private final class Late: KVObject {
  @Dynamic var late: Late?
  @Dynamic var behind: Behind?
}

private final class Behind: KVObject {
  @Dynamic var number = 1
  @Dynamic var text = "text"
}

private final class Loud: KVObject {
  @Dynamic var volume: Volume?

  class Level: KVObject {
    @Dynamic var level = 1
    @Dynamic var extra = 10
  }
  final class Volume: Level {
    override var level: Int {
      get { super.level + extra }
      set { super.level = newValue - extra }
    }
  }
}

/// A key path, and how often a change of all is told of to its observers.
private struct Chain: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let keys: String?
  private let start: @Sendable (Link, ObservationOptions) -> Heard

  init<Value: Equatable & SendableMetatype>(
    _ words: String, _ keyPath: KeyPath<Link, Value> & Sendable, keys: String? = nil
  ) {
    (testDescription, self.keys) = (words, keys)
    start = { link, options in
      let heard = Heard()
      var latest = link[keyPath: keyPath]
      heard.isLatest = { $0[keyPath: keyPath] == latest }
      heard.token = link.observe(keyPath, options: options) { link, change in
        let now = link[keyPath: keyPath]
        heard.expect(change.keyPath.hasPrefix(keys ?? "\\"))
        if change.isPrior {
          heard.expect(change.oldValue == now && change.newValue == nil)
        } else {
          heard.expect(change.newValue == now && (change.isInitial || change.oldValue == latest))
          heard.count += 1
          latest = now
        }
      }
      return heard
    }
  }

  func observe(_ link: Link, _ options: ObservationOptions) -> Heard { start(link, options) }

  static let all = [
    Chain("a number", \.next?.number, keys: "next.number"),
    Chain("another number", \.next?.ratio, keys: "next.ratio"),
    Chain("a truth", \.next?.isOpen, keys: "next.isOpen"),
    Chain("a string", \.next?.name, keys: "next.name"),
    Chain("an optional string", \.next?.title, keys: "next.title"),
    Chain("an optional number", \.next?.depth, keys: "next.depth"),
    Chain("an optional of an optional", \.next?.twice, keys: "next.twice"),
    Chain("a structure", \.next?.spot, keys: "next.spot"),
    Chain("an array", \.next?.numbers, keys: "next.numbers"),
    Chain("a set", \.next?.tags, keys: "next.tags"),
    Chain("an object", \.next?.next, keys: "next.next"),
    Chain("an object that may be unwrapped", \.next?.forced, keys: "next.forced"),
    Chain("further on", \.next?.next?.number, keys: "next.next.number"),
    Chain("far on", \.next?.next?.next?.name, keys: "next.next.next.name"),
    Chain("a computed property", \.next?.double),
    Chain("a constant on the way", \.next?.kept.number),
    Chain("a member of a structure", \.next?.spot.x),
    Chain("the number of elements", \.next?.next?.numbers.count),
  ]
}

private final class Heard {
  var token: KeyValueObservation?
  var count = 0
  private(set) var isRight = true
  /// Whether the value is the one that was told last.
  var isLatest: (Link) -> Bool = { _ in true }

  func expect(_ condition: Bool) { isRight = isRight && condition }
}

/// Key paths through optionals, whose value is nil where one on the way is.
@Suite(.serialized, .leavesNoObjects)
struct OptionalChainTests {
  private static let options: [ObservationOptions] = [
    [.old, .new], [.old, .new, .prior], [.old, .new, .initial], [.old, .new, .initial, .prior],
  ]

  private func steps(_ link: Link) -> [() -> Void] {
    [
      { link.next = Link() }, { link.next?.change() }, { link.next?.next = Link() },
      { link.next?.next?.change() }, { link.next?.next?.next = Link() },
      { link.next?.next?.next?.change() }, { link.next?.next = nil }, { link.next?.next = Link() },
      { link.next?.forced = Link() }, { link.next?.change() }, { link.next = nil },
      { link.next = Link() }, { link.next?.change() }, { link.next = link.next },
    ]
  }

  @Test("old and new are the key path's values, nil on the way too", arguments: Chain.all, options)
  private func values(_ chain: Chain, _ options: ObservationOptions) {
    let link = Link(), heard = chain.observe(link, options)
    for (number, step) in steps(link).enumerated() {
      step()
      #expect(heard.isRight && heard.isLatest(link), "step \(number)")
    }
    #expect(heard.count > 0)
    heard.token?.invalidate()
    heard.count = 0
    link.next?.change()
    #expect(heard.count == 0)
  }

  @Test("a transaction tells the values before and after all, once", arguments: Chain.all)
  private func transaction(_ chain: Chain) {
    let link = Link(), heard = chain.observe(link, [.old, .new])
    link.next = Link()
    for last in 1...steps(link).count {
      heard.count = 0
      KVObject.transaction { steps(link)[..<last].forEach { $0() } }
      #expect(heard.isRight && heard.isLatest(link) && heard.count <= 1, "\(last) steps")
    }
    heard.token?.invalidate()
  }

  @Test("a change without values, of one property, is told once")
  func withoutValues() {
    let link = Link()
    var told: [String] = []
    let token = link.observe(\.next?.number) { _, change in
      told.append("\(change.cause ?? "") \(change.oldValue == nil && change.newValue == nil)")
    }
    link.next = Link()
    link.next?.number = 2
    link.next?.name = "b"
    link.next = nil
    #expect(told == ["next true", "number true", "next true"])
    token.invalidate()
  }

  @Test("a chain is one whatever is nil when it is first observed")
  func late() {
    let late = Late()
    var numbers: [Int??] = [], texts: [String??] = [], keys: Set<String> = []
    let tokens = [
      late.observe(\.late?.behind?.number, options: [.initial, .new]) {
        numbers.append($1.newValue)
        keys.insert($1.keyPath)
      },
      late.observe(\.behind?.text, options: .new) {
        texts.append($1.newValue)
        keys.insert($1.keyPath)
      },
    ]
    late.late = Late()
    late.late?.behind = Behind()
    late.late?.behind?.number = 2
    late.behind = Behind()
    late.behind = nil
    #expect(numbers == [.some(nil), .some(nil), 1, 2] && texts == ["text", .some(nil)])
    #expect(keys.contains("behind.text"))
    tokens.forEach { $0.invalidate() }
  }

  @Test("elements that come and go are told with optionals of themselves")
  func elements() {
    let link = Link()
    link.next = Link()
    var told: [String] = []
    let token = link.observe(\.next?.numbers, options: [.old, .new]) { _, change in
      let values = [change.oldValue, change.newValue].map { $0.map { "\($0 ?? [])" } ?? "none" }
      told.append("\(change.kind) \(change.indexes ?? []) \(values.joined(separator: " "))")
    }
    for _ in 1...2 {
      link.next?.mutableArrayValue(for: \.numbers).append(3)
      link.next?.mutableArrayValue(for: \.numbers).remove(at: 0)
    }
    #expect(
      told == [
        "insertion [2] none [3]", "removal [0] [1] none", "insertion [2] none [3]",
        "removal [0] [2] none",
      ])
    token.invalidate()
  }

  @Test("force and question marks may stand in one key path")
  func mixed() {
    let link = Link()
    var told: [Int??] = []
    let tokens = [
      link.observe(\.next?.forced.number, options: .new) { told.append($1.newValue) },
      link.observe(\.forced.next?.number, options: .new) { told.append($1.newValue) },
    ]
    link.next = Link()
    link.next?.forced = Link()
    link.next?.forced.number = 2
    link.forced = Link()
    link.forced.next = Link()
    #expect(told.contains(1) && told.contains(2) && told.last == 1)
    tokens.forEach { $0.invalidate() }
  }

  @Test("a getter that is overridden on the way is told of by what it reads")
  func overridden() {
    let loud = Loud()
    var told: [Int??] = []
    let token = loud.observe(\.volume?.level, options: .new) { told.append($1.newValue) }
    loud.volume = Loud.Volume()
    loud.volume?.level = 12
    #expect(told.first == 11 && told.last == 12)
    token.invalidate()
  }

  @Test("a chain to a property that is not wrapped, or whose name has a dot, is refused")
  func refused() {
    let link = Link()
    link.next = Link()
    expectMisuse { _ = link.observe(\.next?.plain) { _, _ in } }
    expectMisuse { _ = link.observe(\.next?.`a.b`) { _, _ in } }
  }

  @Test("sequences, equal values and several key paths hear a chain as one property")
  func forms() async {
    let link = Link()
    let names = link.values(of: \.next?.name, bufferingPolicy: .unbounded)
    var distinct: [String?] = [], both: [String] = []
    let tokens = [
      link.observe(\.next?.name, options: .new, suppressing: ==) { distinct.append($1.newValue!) },
      link.observe(\.next?.name, \.number) { both.append("\($1 ?? "none") \($2)") },
    ]
    link.next = Link()
    link.next = Link()
    link.next?.name = "b"
    link.next = nil
    var all: [String?] = []
    for await name in names {
      all.append(name)
      if all.count == 5 { break }
    }
    #expect(all == [nil, "a", "a", "b", nil])
    #expect(distinct == ["a", "b", nil])
    #expect(both == ["a 1", "a 1", "b 1", "none 1"])
    tokens.forEach { $0.invalidate() }
  }
}
