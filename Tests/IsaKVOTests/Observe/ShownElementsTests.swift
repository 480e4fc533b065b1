import IsaKVO
import IsaKVOTestSupport
import Testing

/// Elements that come and go, which closures are shown where they stand: each is heard as it is
/// where another observer, who asks to be told beforehand, has them announced.
@Suite(.serialized, .leavesNoObjects)
struct ShownElementsTests {
  private final class Board: KVObject {
    @Dynamic var list = [1, 2, 3]
    @Dynamic var title = ""
    @Dynamic var texts = ["a", "a text of more than fifteen bytes"]
    @Dynamic var maybe: [Int?] = [1, nil]
    @Dynamic var spots = [Spot()]
    @Dynamic var people: [Human] = []
    @Dynamic var rows = [[1]]
    @Dynamic var things: [Any] = [1, "b"]
    var total: Int { list.reduce(0, +) }
  }

  private final class Watcher: KVObject {
    let heard = Recorder<String>()
    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      let indexes = change?[.indexesKey] as? [Int] ?? []
      heard.add("\(keyPath ?? "") \(indexes) \(change?[.newKey] ?? "absent")")
    }
  }

  /// One who is told beforehand, which changes nothing but the way that a change takes.
  private func announcing(_ board: Board, if isAnnounced: Bool) throws -> KeyValueObservation? {
    isAnnounced ? board.observe(\.list, options: .prior) { _, _ in } : nil
  }

  /// The notifications that each of `observers` hears while `change` changes a collection.
  private func heard<Element>(
    _ keyPath: ReferenceWritableKeyPath<Board, [Element]>, observers: Int, isAnnounced: Bool,
    _ change: (ArrayProxy<Element>) throws -> Void
  ) throws -> [String] {
    let board = Board(), lines = Recorder<String>()
    var tokens = (0..<observers).map { _ in
      board.observe(keyPath, options: [.old, .new]) { lines.add(words($1)) }
    }
    if isAnnounced { tokens.append(board.observe(keyPath, options: .prior) { _, _ in }) }
    try change(board.mutableArrayValue(for: keyPath))
    withExtendedLifetime(tokens) {}
    return stride(from: 0, to: lines.count, by: observers).map { at in
      let same = Set(lines.all[at..<at + observers])
      #expect(same.count == 1)
      return same.first ?? ""
    }
  }

  @Test("every kind of change, at a range and at single places", arguments: [1, 3], [false, true])
  func kinds(observers: Int, isAnnounced: Bool) throws {
    let lines = try heard(\.list, observers: observers, isAnnounced: isAnnounced) { list in
      list.append(4)
      list.insert(contentsOf: [8, 9], at: 0)
      list[2] = 7
      list.remove(at: 1)
      list.swapAt(0, 2)
      list.removeAll { $0 % 2 == 0 }
      list.removeAll()
    }
    #expect(
      lines == [
        "insertion [3]: absent → [4]", "insertion [0, 1]: absent → [8, 9]",
        "replacement [2]: [1] → [7]", "removal [1]: [9] → absent",
        "replacement [0, 2]: [8, 2] → [2, 8]", "removal [0, 2, 4]: [2, 8, 4] → absent",
        "removal [0, 1]: [7, 3] → absent",
      ])
  }

  @Test("elements of every kind", arguments: [1, 3], [false, true])
  func elements(observers: Int, isAnnounced: Bool) throws {
    func replaced<Element>(
      _ keyPath: ReferenceWritableKeyPath<Board, [Element]>, by element: Element
    ) throws -> [String] {
      try heard(keyPath, observers: observers, isAnnounced: isAnnounced) { $0[0] = element }
    }
    #expect(try replaced(\.texts, by: "b") == ["replacement [0]: [\"a\"] → [\"b\"]"])
    #expect(try replaced(\.maybe, by: nil) == ["replacement [0]: [Optional(1)] → [nil]"])
    #expect(
      try replaced(\.spots, by: Spot(x: 3))
        == ["replacement [0]: \([Spot()]) → \([Spot(x: 3)])"])
    #expect(try replaced(\.rows, by: []) == ["replacement [0]: [[1]] → [[]]"])
    #expect(try replaced(\.things, by: 2.5) == ["replacement [0]: [1] → [2.5]"])
  }

  @Test("objects come and go as themselves, and end after all have been told")
  func objects() throws {
    let board = Board(), told = Recorder<String>()
    let token = board.observe(\.people, options: [.old, .new]) { _, change in
      told.add("\(change.oldValue?.map(\.name) ?? []) \(change.newValue?.map(\.name) ?? [])")
    }
    let people = board.mutableArrayValue(for: \.people)
    weak var human: Human?
    do {
      let ann = Human()
      human = ann
      people.append(ann)
    }
    #expect(human != nil)
    people.removeAll()
    #expect(human == nil && told.all == ["[] [\"Ann\"]", "[\"Ann\"] []"])
    token.invalidate()
  }

  @Test("old and new are shown only to whoever asked for them", arguments: [false, true])
  func options(isAnnounced: Bool) throws {
    let board = Board(), lines = Recorder<String>()
    let choices: [ObservationOptions] = [[], .old, .new, [.old, .new]]
    let tokens = choices.map { options in
      board.observe(\.list, options: options) { lines.add(words($1)) }
    }
    let other = try announcing(board, if: isAnnounced)
    board.mutableArrayValue(for: \.list)[1] = 9
    let values = ["[2] → [9]", "absent → [9]", "[2] → absent", "absent → absent"]
    #expect(lines.all == values.map { "replacement [1]: \($0)" })
    withExtendedLifetime((tokens, other)) {}
  }

  @Test(
    "an observer that changes the array: others are shown what is there", arguments: [false, true])
  func nested(isAnnounced: Bool) throws {
    let board = Board(), lines = Recorder<String>()
    let list = board.mutableArrayValue(for: \.list)
    let first = board.observe(\.list, options: [.old, .new]) { lines.add("1 " + words($1)) }
    let other = try announcing(board, if: isAnnounced)
    let second = board.observe(\.list, options: [.old, .new]) { board, change in
      lines.add("2 " + words(change))
      if board.list.count == 4 { list.insert(8, at: 0) }
      if change.kind == .replacement, board.title.isEmpty { board.title = "set" }
    }
    list.insert(9, at: 0)
    list[1] = 7
    #expect(board.list == [8, 7, 1, 2, 3])
    #expect(
      lines.all == [
        "2 insertion [0]: absent → [9]", "2 insertion [0]: absent → [8]",
        "1 insertion [0]: absent → [8]", "1 insertion [0]: absent → [8]",
        "2 replacement [1]: [9] → [7]", "1 replacement [1]: [9] → [7]",
      ])
    withExtendedLifetime((first, second, other)) {}
  }

  @Test("an observer that adds others or ends them meanwhile", arguments: [false, true])
  func comingAndGoing(isAnnounced: Bool) throws {
    let board = Board(), lines = Recorder<String>(), tokens = Recorder<KeyValueObservation>()
    let list = board.mutableArrayValue(for: \.list)
    tokens.add(board.observe(\.list, options: .new) { lines.add("1 " + words($1)) })
    let other = try announcing(board, if: isAnnounced)
    let second = board.observe(\.list, options: [.old, .new]) { board, change in
      lines.add("2 " + words(change))
      tokens.all[0].invalidate()
      let third = board.observe(\.list, options: .new) { lines.add("3 " + words($1)) }
      if tokens.count == 1 { tokens.add(third) }
    }
    list.append(4)
    list.append(5)
    #expect(
      lines.all == [
        "2 insertion [3]: absent → [4]", "3 insertion [4]: absent → [5]",
        "2 insertion [4]: absent → [5]",
      ])
    tokens.clear()
    withExtendedLifetime((second, other)) {}
  }

  @Test("observers of other kinds are told the same beside it", arguments: [false, true])
  func mixed(isAnnounced: Bool) throws {
    let board = Board(), lines = Recorder<String>(), watcher = Watcher()
    let typed = board.observe(\.list, options: [.old, .new]) { lines.add(words($1)) }
    let wide = try board.observe("list", as: [Double].self, options: .new) { lines.add(words($1)) }
    let any = try board.observe("list", as: Any.self, options: .old) { _, change in
      lines.add("\(type(of: change.oldValue ?? "absent")) " + words(change))
    }
    let other = try announcing(board, if: isAnnounced)
    let list = board.mutableArrayValue(for: \.list)
    list[2] = 4
    list.append(5)
    #expect(
      lines.all == [
        "Array<Any> replacement [2]: [3] → absent", "replacement [2]: absent → [4.0]",
        "replacement [2]: [3] → [4]", "String insertion [3]: absent → absent",
        "insertion [3]: absent → [5.0]", "insertion [3]: absent → [5]",
      ])
    lines.clear()
    try board.safeObservers.addObserver(watcher, forKeyPath: "list", options: .new)
    list.append(6)
    #expect(watcher.heard.all == ["list [4] [6]"] && lines.count == 3)
    withExtendedLifetime((typed, wide, any, other)) {}
  }

  @Test("one who looks at it by another type hears what is there after a change meanwhile")
  func mixedAndNested() throws {
    let board = Board(), lines = Recorder<String>()
    let wide = try board.observe("list", as: [Double].self, options: [.old, .new]) {
      lines.add(words($1))
    }
    let typed = board.observe(\.list, options: [.old, .new]) { board, change in
      lines.add(words(change))
      if board.title.isEmpty { board.title = "set" }
    }
    board.mutableArrayValue(for: \.list)[0] = 7
    #expect(lines.all == ["replacement [0]: [1] → [7]", "replacement [0]: [1.0] → [7.0]"])
    withExtendedLifetime((wide, typed)) {}
  }

  @Test("what depends on the array is told as well, and the array where another key is observed")
  func others() throws {
    let board = Board(), lines = Recorder<String>()
    let title = board.observe(\.title) { _, _ in lines.add("title") }
    let list = board.mutableArrayValue(for: \.list)
    list.append(4)
    let total = board.observe(\.total, options: [.old, .new]) { lines.add(words($1)) }
    let token = board.observe(\.list, options: .new) { lines.add(words($1)) }
    list.append(5)
    #expect(Set(lines.all) == ["setting: 10 → 15", "insertion [4]: absent → [5]"])
    total.invalidate()
    list.removeFirst()
    #expect(lines.last == "removal [0]: absent → absent" && board.list == [2, 3, 4, 5])
    withExtendedLifetime((title, token)) {}
  }

  @Test("a transaction and a muted observation hold for elements", arguments: [false, true])
  func scopes(isAnnounced: Bool) throws {
    let board = Board(), lines = Recorder<String>()
    let list = board.mutableArrayValue(for: \.list)
    let token = board.observe(\.list, options: [.old, .new]) { lines.add(words($1)) }
    let other = try announcing(board, if: isAnnounced)
    KVObject.transaction {
      list.append(4)
      #expect(lines.count == 0)
    }
    token.muting { list.append(5) }
    #expect(lines.all == ["insertion [3]: absent → [4]"] && board.list == [1, 2, 3, 4, 5])
    withExtendedLifetime(other) {}
  }

  @Test("a change is kept whole, and ends its registration from inside")
  func kept() throws {
    let board = Board(), changes = Recorder<ValueChange<[Int]>>()
    let token = board.observe(\.list, options: [.old, .new]) { _, change in
      changes.add(change)
      if change.kind == .removal { change.stopObserving() }
    }
    let list = board.mutableArrayValue(for: \.list)
    list.removeSubrange(1...)
    list.append(4)
    #expect(changes.count == 1 && !token.isValid)
    let change = try #require(changes.last)
    #expect(change.indexes == [1, 2] && change.oldValue == [2, 3] && change.newValue == nil)
    #expect(change.keyPath == "list" && change.cause == "list" && change.kind == .removal)
    #expect(!change.isPrior && !change.isInitial)
  }

  @Test("a handler that sets another property leaves the elements where the next one is shown them")
  func otherProperty() throws {
    let board = Board(), lines = Recorder<String>()
    let list = board.mutableArrayValue(for: \.list), text = board.mutableArrayValue(for: \.texts)
    let tokens = [
      board.observe(\.list, options: .new) { lines.add(words($1)) },
      board.observe(\.list, options: [.old, .new]) { board, change in
        board.title = change.kind == .removal ? "less" : "more"
      },
      board.observe(\.texts, options: .new) { lines.add(words($1)) },
      board.observe(\.texts, options: [.old, .new]) { board, _ in
        board.mutableArrayValue(for: \.list)[0] += 1
      },
    ]
    list.append(4)
    text.append("b")
    // What is shown where it stands takes no object of the core's.
    let isRefused = try failingAllocations(after: 0) {
      list.append(5)
      list.remove(at: 1)
      text.remove(at: 0)
    }
    #expect(!isRefused)
    #expect(
      lines.all == [
        "insertion [3]: absent → [4]", "replacement [0]: absent → [2]",
        "insertion [2]: absent → [\"b\"]", "insertion [4]: absent → [5]",
        "removal [1]: absent → absent", "replacement [0]: absent → [3]",
        "removal [0]: absent → absent",
      ])
    withExtendedLifetime(tokens) {}
  }
}
