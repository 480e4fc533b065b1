import IsaKVO
import IsaKVOTestSupport
import IsaKVOWrappers
import IsaRuntime
import Testing

/// An object whose changes others follow.
private final class Knob: KVObject, @unchecked Sendable {
  @Dynamic var value = 0
  @Dynamic var other = 0
  @Dynamic var list: [Int] = []
  @Dynamic var next: Knob?
  var double: Int { value * 2 }
  var far: Int { next?.value ?? -1 }
}

private final class Watcher: KVObject {
  let notes = Recorder<String>()
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { notes.add("\(change?[.newKey] ?? "none")") }
}

/// Changes that handlers make at the end of a transaction, while others still wait.
@Suite(.serialized, .leavesNoObjects)
struct TransactionOrderTests {
  private let first = Knob(), cell = Knob()
  private let notes = Recorder<String>()

  /// Sets `cell.value` to 1 in a transaction at whose end a handler, told before all others, runs
  /// `meddle`.
  private func meddling(_ body: () -> Void = {}, _ meddle: @escaping (Knob) -> Void) {
    let token = first.observe(\.value) { [cell] _, _ in meddle(cell) }
    KVObject.transaction {
      first.value = 1
      cell.value = 1
      body()
    }
    token.invalidate()
  }

  private func note<Value>(_ change: ValueChange<Value>) {
    notes.add("\(change.oldValue!) → \(change.newValue!)")
  }

  @Test("what a handler sets at a transaction's end is told as the last value")
  func settings() throws {
    let tokens = [
      cell.observe(\.value, options: [.old, .new]) { note($1) },
      cell.observe(\.double, options: [.old, .new]) { note($1) },
      try cell.observe("value", as: Int.self, options: [.old, .new]) { note($1) },
    ]
    meddling { $0.value = 2 }
    #expect(notes.all.sorted() == ["0 → 2", "0 → 2", "0 → 4"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("elements that a handler changes at a transaction's end are told behind those that wait")
  func elements() {
    var copy: [Int] = []
    let token = cell.observe(\.list, options: .new) { _, change in
      let new = change.newValue ?? []
      switch change.kind {
      case .setting: copy = new
      case .insertion: for (place, one) in zip(change.indexes!, new) { copy.insert(one, at: place) }
      case .removal: for place in change.indexes!.reversed() { copy.remove(at: place) }
      case .replacement: for (place, one) in zip(change.indexes!, new) { copy[place] = one }
      }
      notes.add("\(change.kind) \(copy)")
    }
    meddling {
      cell.list = [1, 2]
      cell.mutableArrayValue(for: \.list).append(3)
    } _: {
      $0.mutableArrayValue(for: \.list).removeSubrange(0..<3)
    }
    #expect(copy == [])
    #expect(notes.all == ["setting [1, 2]", "insertion [1, 2, 3]", "removal []"])
    token.invalidate()
  }

  @Test("a handler's own changes come behind those of the same observation that still wait")
  func own() {
    let token = cell.observe(\.list) { cell, change in
      notes.add("\(change.kind) \(change.indexes ?? [])")
      if change.indexes == [0], change.kind == .insertion {
        cell.mutableArrayValue(for: \.list).remove(at: 2)
      }
    }
    KVObject.transaction {
      let list = cell.mutableArrayValue(for: \.list)
      list.append(1)
      list.append(2)
      list.append(3)
    }
    #expect(notes.all == ["insertion [0]", "insertion [1]", "insertion [2]", "removal [2]"])
    token.invalidate()
  }

  @Test("a transaction within a handler at a transaction's end tells behind what waits, too")
  func nested() {
    let token = cell.observe(\.value, options: [.old, .new]) { note($1) }
    let other = cell.observe(\.other, options: [.old, .new]) { note($1) }
    meddling { cell in
      KVObject.transaction {
        cell.value = 2
        cell.other = 7
        cell.value = 3
      }
      #expect(notes.all == ["0 → 7"])
    }
    #expect(notes.all == ["0 → 7", "0 → 3"])
    [token, other].forEach { $0.invalidate() }
  }

  @Test("an observation for which nothing waits is told at once of what a handler changes")
  func atOnce() {
    let token = cell.observe(\.other, options: .new) { notes.add("\($1.newValue!)") }
    meddling { cell in
      cell.other = 5
      #expect(notes.all == ["5"])
    }
    #expect(notes.all == ["5"])
    token.invalidate()
  }

  @Test("a key path that a handler leads elsewhere is told once, with the value there")
  func paths() {
    let old = Knob(), new = Knob()
    (old.value, new.value, cell.next) = (1, 10, old)
    let tokens = [
      cell.observe(\.next?.value, options: [.old, .new]) { notes.add("path \($1.newValue!!)") },
      cell.observe(\.far, options: [.old, .new]) {
        notes.add("far \($1.oldValue!) \($1.newValue!)")
      },
    ]
    meddling {
      old.value = 2
    } _: { cell in
      cell.next = new
      new.value = 11
    }
    #expect(Set(notes.all) == ["path 11", "far 1 11"] && notes.count == 2)
    old.value = 3
    new.value = 12
    #expect(Set(notes.all.suffix(2)) == ["path 12", "far 11 12"] && notes.count == 4)
    tokens.forEach { $0.invalidate() }
  }

  @Test("several key paths are told which one changed in the order in which they did")
  func anyOf() {
    let each = cell.observe(anyOf: [\.value, \.other, \.double]) { _, keyPath in
      notes.add(keyPath == \Knob.other ? "other" : keyPath == \Knob.value ? "value" : "double")
    }
    meddling { $0.other = 2 }
    #expect(Set(notes.all.prefix(2)) == ["value", "double"] && notes.all.last == "other")
    #expect(notes.count == 3)
    each.invalidate()
    notes.clear()
    let both = cell.observe(\.value, \.other) { notes.add("\($1) \($2)") }
    meddling { $0.other = 3 }
    #expect(notes.all == ["1 3"])
    both.invalidate()
  }

  @Test("before a change is told once, and what was muted is left out of what waits")
  func priorAndMuted() {
    let token = cell.observe(\.value, options: [.prior, .old, .new]) { _, change in
      notes.add("\(change.isPrior ? "prior" : "\(change.newValue!)")")
    }
    meddling { cell in
      cell.value = 2
      cell.muting { cell.value = 3 }
    }
    #expect(notes.all == ["prior", "2"])
    token.invalidate()
  }

  @Test("what a handler ends is not told of what waits")
  func ended() {
    let token = cell.observe(\.value) { _, _ in notes.add("told") }
    meddling { cell in
      cell.value = 2
      token.invalidate()
    }
    #expect(notes.count == 0)
  }

  @Test("observer objects are told at once, of each change, in order")
  func observerObjects() throws {
    let watcher = Watcher()
    try cell.safeObservers.addObserver(watcher, forKeyPath: "value", options: .new)
    meddling { $0.value = 2 }
    #expect(watcher.notes.all == ["1", "2"])
  }

  @Test("sequences and what is delivered on the main actor end with the last value")
  @MainActor func sequences() async {
    let cell = cell, first = first
    var values = cell.values(of: \.value, bufferingPolicy: .unbounded).makeAsyncIterator()
    var changes = cell.changes(of: \.value).makeAsyncIterator()
    var shown: [Int] = []
    let token = cell.observe(\.value, options: .new, delivery: .mainActor) { _, change in
      shown.append(change.newValue!)
    }
    let meddler = first.observe(\.value) { _, _ in cell.value = 2 }
    KVObject.transaction {
      first.value = 1
      cell.value = 1
    }
    #expect(await values.next() == 0)
    #expect(await values.next() == 2)
    #expect(await changes.next()?.newValue == 2)
    #expect(shown == [2])
    [token, meddler].forEach { $0.invalidate() }
  }

  @Test("closures of runtime objects are told in order, too")
  func runtimeObjects() throws {
    try withPerson { person in
      let token = try person.observe("age", options: [.old, .new]) { notes.add("\($0)") }
      let meddler = first.observe(\.value) { _, _ in try? person.set("age", 2) }
      try KVObject.transaction {
        first.value = 1
        try person.set("age", 1)
      }
      #expect(notes.all == ["age: 0 → 2"])
      [token, meddler].forEach { $0.invalidate() }
    }
  }

  @Test("what a transaction holds until its end goes with it, also what handlers have added")
  func lifetime() {
    weak var gone: Knob?
    do {
      let cell = Knob()
      gone = cell
      let token = cell.observe(\.value) { _, _ in }
      let meddler = first.observe(\.value) { _, _ in cell.value = 2 }
      KVObject.transaction {
        first.value = 1
        cell.value = 1
      }
      [token, meddler].forEach { $0.invalidate() }
    }
    #expect(gone == nil)
  }
}
