import IsaKVO
import IsaKVOTestSupport
import Testing

/// Values without an encoding of C's, which closures are shown where they stand.
@Suite(.serialized, .leavesNoObjects)
struct ShownInPlaceTests {
  private struct Spot: Equatable {
    var name: String
    var x = 0.5
    var y = 1.5
  }

  private final class Guest: Sendable {
    let ended: Recorder<String>

    init(_ ended: Recorder<String>) { self.ended = ended }

    deinit { ended.add("ended") }
  }

  /// A structure whose bytes do not stand for it elsewhere.
  private struct Tie {
    weak var guest: Guest?
    var number = 0
  }

  private final class Ending: @unchecked Sendable {
    // Sendable because one thread at a time uses it.
    var run: (() -> Void)?

    deinit { run?() }
  }

  private struct Pair {
    var first = Ending()
    var second = Ending()
  }

  private final class Couple: KVObject {
    @Dynamic var pair = Pair()
    @Dynamic var number = 0
  }

  private final class Board: KVObject {
    @Dynamic var title = "a"
    @Dynamic var spot = Spot(name: "here")
    @Dynamic var score: Int?
    @Dynamic var guest: Guest?
    @Dynamic var anything: Any = 1
    @Dynamic var list = [1]
    @Dynamic var tie = Tie()
  }

  /// Sets `second` and `third`, and expects that `observers` hear old and new of both.
  private func expect<Value: Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Board, Value>, _ second: Value, _ third: Value,
    observers: Int
  ) throws {
    let board = Board(), first = board[keyPath: keyPath]
    let heard = Recorder<[Value?]>()
    let tokens = (0..<observers).map { _ in
      board.observe(keyPath, options: [.old, .new]) { heard.add([$1.oldValue, $1.newValue]) }
    }
    board[keyPath: keyPath] = second
    board[keyPath: keyPath] = third
    let changes = [[first, second], [second, third]]
    #expect(heard.all == changes.flatMap { Array(repeating: $0, count: observers) })
    #expect(board[keyPath: keyPath] == third)
    withExtendedLifetime(tokens) {}
  }

  @Test("values of all kinds are shown, to one and to several", arguments: [1, 3])
  func kinds(observers: Int) throws {
    try expect(\.title, "b", "a text of more than fifteen bytes", observers: observers)
    try expect(\.spot, Spot(name: "there"), Spot(name: "elsewhere", x: 7), observers: observers)
    try expect(\.score, 7, nil, observers: observers)
    try expect(\.list, [1, 2], [], observers: observers)
  }

  @Test(
    "the old value ends when the new one has been set as a whole",
    arguments: [true, false])
  func ends(isObserved: Bool) {
    let couple = Couple(), next = Pair(), last = Pair()
    let token =
      isObserved ? couple.observe(\.pair) { _, _ in } : couple.observe(\.number) { _, _ in }
    couple.pair.first.run = { [unowned couple] in
      #expect(couple.pair.first === next.first && couple.pair.second === next.second)
      couple.pair = last
    }
    couple.pair = next
    #expect(couple.pair.first === last.first && couple.pair.second === last.second)
    token.invalidate()
  }

  @Test("old and new are shown only to whoever asked for them")
  func options() throws {
    let board = Board(), heard = Recorder<[String?]>()
    let choices: [ObservationOptions] = [[], .old, .new, [.old, .new]]
    let tokens = choices.map { options in
      board.observe(\.title, options: options) { heard.add([$1.oldValue, $1.newValue]) }
    }
    board.title = "b"
    #expect(heard.all == [["a", "b"], [nil, "b"], ["a", nil], [nil, nil]])
    withExtendedLifetime(tokens) {}
  }

  @Test("an old value that nobody asked for ends before observers are told, else after")
  func lifetime() throws {
    for options in [ObservationOptions.new, [.old, .new]] {
      let board = Board(), notes = Recorder<String>()
      board.guest = Guest(notes)
      let token = board.observe(\.guest, options: options) { _, _ in notes.add("told") }
      board.guest = nil
      #expect(notes.all == (options == .new ? ["ended", "told"] : ["told", "ended"]))
      withExtendedLifetime(token) {}
    }
  }

  @Test("an observer that sets the value again: others are shown what is there")
  func nested() throws {
    let board = Board(), heard = Recorder<[String?]>()
    let first = board.observe(\.title, options: [.old, .new]) {
      heard.add(["first", $1.oldValue, $1.newValue])
    }
    let second = board.observe(\.title, options: [.old, .new]) { board, change in
      heard.add(["second", change.oldValue, change.newValue])
      if change.newValue == "b" { board.title = "c" }
    }
    board.title = "b"
    #expect(
      heard.all == [
        ["second", "a", "b"], ["second", "b", "c"], ["first", "b", "c"], ["first", "a", "c"],
      ])
    withExtendedLifetime((first, second)) {}
  }

  @Test("an observer that does not know the type is told beside those that do")
  func mixed() throws {
    let board = Board(), heard = Recorder<String>()
    let typed = board.observe(\.title, options: [.old, .new]) {
      heard.add("\($1.oldValue!) → \($1.newValue!)")
    }
    let named = try board.observe("title", as: Any.self, options: .new) {
      heard.add("\($1.newValue!)")
    }
    board.title = "b"
    named.invalidate()
    board.title = "c"
    #expect(heard.all == ["b", "a → b", "b → c"])
    withExtendedLifetime(typed) {}
  }

  @Test("a transaction and a muted observation hold for such values")
  func scopes() throws {
    let board = Board(), heard = Recorder<[String?]>()
    let token = board.observe(\.title, options: [.old, .new]) {
      heard.add([$1.oldValue, $1.newValue])
    }
    KVObject.transaction {
      board.title = "b"
      board.title = "c"
    }
    token.muting { board.title = "d" }
    #expect(heard.all == [["a", "c"]])
  }

  @Test("what is told from inside ends the observation")
  func ending() throws {
    let board = Board(), heard = Recorder<String>()
    let token = board.observe(\.title, options: .new) { _, change in
      heard.add("\(change.keyPath) \(change.cause ?? "") \(change.newValue ?? "")")
      change.stopObserving()
    }
    board.title = "b"
    board.title = "c"
    #expect(heard.all == ["title title b"])
    #expect(!token.isValid)
  }

  @Test("a change that is kept tells its key path and cause when the observation has ended")
  func kept() {
    let board = Board()
    var kept: [ValueChange<String>] = []
    let token = board.observe(\.title, options: .new) { kept.append($1) }
    for title in ["b", "c"] { board.title = title }
    token.invalidate()
    let scores = board.observe(\.score, options: .new) { _, _ in }
    let titles = board.observe(\.title, options: .new) { kept.append($1) }
    board.score = 1
    board.title = "d"
    #expect(kept.map(\.keyPath) == ["title", "title", "title"])
    #expect(kept.map(\.cause) == ["title", "title", "title"])
    kept[0].stopObserving()
    #expect(scores.isValid && titles.isValid)
  }

  @Test("what many observers on several threads are told first has their key path and cause")
  func firstChanges() {
    let wrong = Recorder<String>()
    onThreads(4) { _ in
      let boards = (0..<600).map { _ in Board() }
      let tokens = boards.map { board in
        [
          board.observe(\.title, options: .new) { _, change in
            if change.keyPath != "title" || change.cause != "title" { wrong.add("title") }
          },
          board.observe(\.score, options: .new) { _, change in
            if change.keyPath != "score" || change.cause != "score" { wrong.add("score") }
            if change.newValue == 2 { change.stopObserving() }
          },
        ]
      }
      for (board, tokens) in zip(boards, tokens) {
        board.title = "b"
        board.score = 1
        board.score = 2
        if tokens.map(\.isValid) != [true, false] { wrong.add("ended") }
      }
    }
    #expect(wrong.all == [])
  }

  @Test("a structure that holds a weak reference is set where it stands")
  func weakReference() {
    let board = Board(), ended = Recorder<String>(), heard = Recorder<[Int?]>()
    let token = board.observe(\.tie, options: [.old, .new]) {
      heard.add([$1.oldValue?.number, $1.newValue?.number])
    }
    do {
      let guest = Guest(ended)
      board.tie = Tie(guest: guest, number: 1)
      #expect(board.tie.guest === guest)
      board.tie = Tie(guest: guest, number: 2)
    }
    #expect(heard.all == [[0, 1], [1, 2]])
    #expect(ended.all == ["ended"] && board.tie.guest == nil)
    withExtendedLifetime(token) {}
  }

  @Test("values of a protocol's type keep their own")
  func existential() throws {
    let board = Board(), heard = Recorder<String>()
    let token = board.observe(\.anything, options: [.old, .new]) {
      heard.add("\(type(of: $1.oldValue!)) \(type(of: $1.newValue!))")
    }
    board.anything = Int8(3)
    board.anything = "text"
    #expect(heard.all == ["Int Int8", "Int8 String"])
    withExtendedLifetime(token) {}
  }
}
