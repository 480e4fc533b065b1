import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct SetProxyTests {
  /// The notifications while `change` changes tags that are `["a", "b"]`.
  private func told(
    _ change: (SetProxy<String>) throws -> Void
  ) throws -> (lines: [String], tags: Set<String>) {
    let human = Human(), lines = Recorder<String>()
    human.tags = ["a", "b"]
    let token = human.observe(\.tags, options: [.old, .new]) { _, change in
      #expect(change.indexes == nil)
      let old = words(change.oldValue?.sorted()), new = words(change.newValue?.sorted())
      lines.add("\(change.kind): \(old) → \(new)")
    }
    try change(human.mutableSetValue(for: \.tags))
    token.invalidate()
    return (lines.all, human.tags)
  }

  @Test("each change tells what came and what went")
  func changes() throws {
    #expect(
      try told { $0.insert("c") }
        == (["insertion: absent → [\"c\"]"], ["a", "b", "c"]))
    #expect(
      try told { $0.remove("a") } == (["removal: [\"a\"] → absent"], ["b"]))
    #expect(
      try told { $0.formUnion(["b", "c", "d"]) }
        == (["insertion: absent → [\"c\", \"d\"]"], ["a", "b", "c", "d"]))
    #expect(
      try told { $0.subtract(["b", "x"]) } == (["removal: [\"b\"] → absent"], ["a"]))
    #expect(
      try told { $0.formIntersection(["b", "x"]) } == (["removal: [\"a\"] → absent"], ["b"]))
    #expect(
      try told { $0.setElements(["b", "c"]) }
        == (["replacement: [\"a\"] → [\"c\"]"], ["b", "c"]))
    #expect(
      try told { $0.removeAll() } == (["removal: [\"a\", \"b\"] → absent"], []))
  }

  @Test("what changes nothing is told with no elements, typed, by name and as a bracket alike")
  func nothing() throws {
    let none = [
      "insertion: absent → []", "removal: [] → absent", "insertion: absent → []",
      "removal: [] → absent", "removal: [] → absent", "replacement: [] → []",
    ]
    let typed = try told {
      $0.insert("a")
      $0.remove("x")
      $0.formUnion(["a"])
      $0.subtract([])
      $0.formIntersection(["a", "b", "c"])
      $0.setElements(["b", "a"])
    }
    #expect(typed == (none, ["a", "b"]))
    let human = Human(), kinds = Recorder<ChangeKind>()
    human.tags = ["a"]
    let token = human.observe(\.tags) { kinds.add($1.kind) }
    let tags = try human.mutableSetValue(forKey: "tags")
    try tags.insert("a")
    try tags.remove("x")
    try tags.formUnion(["a"])
    human.withChange(of: \.tags, .union, by: ["a"]) {}
    #expect(kinds.all == [.insertion, .removal, .insertion, .insertion])
    token.invalidate()
  }

  @Test("elements that a prior observer puts in are taken out by the change that it was told of")
  func priorObserverChanges() throws {
    let human = Human()
    let token = human.observe(\.tags, options: .prior) { human, change in
      if change.isPrior, human.tags.isEmpty { human.tags = ["a", "b"] }
    }
    human.mutableSetValue(for: \.tags).remove("b")
    #expect(human.tags == ["a"])
    token.invalidate()
  }

  @Test("it is read like a set")
  func reading() throws {
    let human = Human(), tags = human.mutableSetValue(for: \.tags)
    #expect(tags.isEmpty)
    #expect(tags.insert("a").inserted && !tags.insert("a").inserted)
    #expect(tags.remove("a") == "a" && tags.remove("a") == nil)
    tags.formUnion(["a", "b"])
    #expect(tags.count == 2 && tags.contains("a") && tags.sorted() == ["a", "b"])
    #expect(tags.elements == human.tags && "\(tags)" == "\(human.tags)")
    tags.removeAll()
    #expect(human.tags.isEmpty)
  }

  @Test("elements of other types come and go likewise")
  func elements() throws {
    struct Point: Hashable { var x = 0 }
    final class Box: KVObject {
      @Dynamic var points: Set<Point> = []
      @Dynamic var numbers: Set<Int8> = [1]
    }
    let box = Box()
    var seen: [Set<Point>?] = [], numbers: [Set<Int8>?] = []
    let tokens = [
      box.observe(\.points, options: [.old, .new]) { seen += [$1.oldValue, $1.newValue] },
      box.observe(\.numbers, options: [.old, .new]) { numbers += [$1.oldValue, $1.newValue] },
    ]
    box.mutableSetValue(for: \.points).insert(Point(x: 1))
    box.mutableSetValue(for: \.numbers).setElements([1, 2])
    #expect(seen == [nil, [Point(x: 1)]] && numbers == [[], [2]])
    tokens.forEach { $0.invalidate() }
  }

  @Test("an unobserved set is changed where it is, without copies")
  func inPlace() throws {
    final class Token: Hashable {
      let number: Int
      init(_ number: Int) { self.number = number }
      static func == (first: Token, second: Token) -> Bool { first.number == second.number }
      func hash(into hasher: inout Hasher) {
        Token.hashes += 1
        hasher.combine(number)
      }
      nonisolated(unsafe) static var hashes = 0
    }
    final class Box: KVObject {
      @Dynamic var tokens: Set<Token> = []
    }
    let box = Box(), tokens = box.mutableSetValue(for: \.tokens)
    box.tokens.reserveCapacity(100)
    Token.hashes = 0
    for i in 0..<50 { tokens.insert(Token(i)) }
    #expect(Token.hashes == 50 && box.tokens.count == 50)
  }
}
