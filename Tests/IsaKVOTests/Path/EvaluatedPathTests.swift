import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Part: KVObject {
  @Dynamic var price = 1
}

private final class Box: KVObject {
  @Dynamic var parts: [Part] = []
  @Dynamic var factor = 1
  @Dynamic var other = 1
  @Dynamic var takesOther = false
  @Dynamic var cache: Int?
  @Dynamic var part: Part?
  @Dynamic var isBare = false
  @LazyDynamic var first = Box.lender!.part!.price
  nonisolated(unsafe) static weak var lender: Box?
  var evaluations = 0

  init(_ count: Int = 0) { parts = (0..<count).map { _ in Part() } }

  var sum: Int {
    evaluations += 1
    return parts.reduce(0) { $0 + $1.price } * factor
  }

  var chosen: Int { takesOther ? other : factor }

  var cached: Int {
    if cache == nil { cache = factor }
    return cache!
  }

  var partPrice: Int { isBare ? factor : (part?.price ?? 0) + factor }

  var lent: Int { factor + first }

  var pricey: Bool { parts.contains { $0.price > 5 } }
}

/// Whose getters set what they read; whose property depends on what not each object has.
private final class Keeper: KVObject {
  @Dynamic var factor = 1
  @Dynamic var cache = 0
  @Dynamic var limit: Int?
  @Dynamic var shown = 1
  var isFresh = false
  var memo: Int?
  var looks = 0

  override class var keys: [KeyDeclaration] {
    [.key("shown", \Keeper.shown, affectedBy: [\Keeper.limited])]
  }

  var limited: Int {
    looks += 1
    return limit ?? 0
  }

  var total: Int { limit == nil ? 0 : shown }

  var kept: Int {
    if !isFresh {
      cache = factor * 2
      isFresh = true
    }
    return cache
  }

  var remembered: Int {
    if let memo { return memo }
    cache = factor * 2
    memo = cache
    return memo!
  }
}

private final class Counter: KVObject {
  @Dynamic var number = 1
  var evaluations = 0

  var next: Int {
    evaluations += 1
    return number + 1
  }
}

/// Which properties an evaluated key path reads is compared with what it read before.
@Suite(.serialized, .leavesNoObjects)
struct EvaluatedPathTests {
  /// Notes old → new and the cause of each change.
  private func note<Value>(
    _ keyPath: KeyPath<Box, Value>, _ box: Box, _ options: ObservationOptions = .new
  ) throws -> (notes: Recorder<String>, token: KeyValueObservation) {
    let notes = Recorder<String>()
    let token = box.observe(keyPath, options: options) { _, change in
      let old = change.oldValue.map { "\($0) → " } ?? ""
      let new = change.newValue.map { "\($0)" } ?? "none"
      notes.add("\(change.isPrior ? "prior " : "")\(old)\(new) by \(change.cause ?? "none")")
    }
    return (notes, token)
  }

  @Test(
    "a change has a computed property evaluated once, and twice where the old value is asked for")
  func once() throws {
    let box = Box(3)
    let (new, first) = try note(\.sum, box)
    box.evaluations = 0
    box.parts[1].price = 2
    #expect(new.all == ["4 by price"])
    #expect(box.evaluations == 1)
    first.invalidate()
    let (both, second) = try note(\.sum, box, [.old, .new])
    box.evaluations = 0
    box.parts[1].price = 3
    #expect(both.all == ["4 → 5 by price"])
    #expect(box.evaluations == 2)
    second.invalidate()
  }

  @Test("an observation that ends between a change's announcement and its end is let go of")
  func endedMeanwhile() {
    final class Witness {}
    let box = Box(3)
    weak var seen: Witness?
    do {
      let witness = Witness()
      seen = witness
      let token = box.observe(\.sum, options: .old) { _, _ in _ = witness }
      box.willChangeValue(for: \.parts)
      token.invalidate()
    }
    box.didChangeValue(for: \.parts)
    #expect(seen == nil)
  }

  @Test("observing a computed property evaluates it once, the first time of its class once more")
  func registering() throws {
    let counter = Counter()
    let tokens = (0..<2).map { _ in counter.observe(\.next) { _, _ in } }
    #expect(counter.evaluations == 3)
    tokens.forEach { $0.invalidate() }
  }

  /// Registers of the objects' own properties what the first object's getter read.
  @Test(
    "a getter that reads other properties of one object than of the next is heard on each",
    arguments: [false, true])
  func readsByObject(isOtherFirst: Bool) throws {
    let boxes = [Box(), Box(), Box()], notes = boxes.map { _ in Recorder<String>() }
    boxes[0].takesOther = isOtherFirst
    boxes[1].takesOther = !isOtherFirst
    boxes[2].takesOther = isOtherFirst
    boxes.forEach { ($0.part, $0.isBare) = (Part(), $0.takesOther) }
    let tokens = zip(boxes, notes).flatMap { box, notes in
      [
        box.observe(\.chosen, options: .new) { notes.add("chosen \($1.newValue!)") },
        box.observe(\.partPrice, options: .new) { notes.add("price \($1.newValue!)") },
      ]
    }
    for box in boxes {
      (box.factor, box.other, box.part!.price) = (2, 3, 4)
      box.takesOther.toggle()
      box.isBare.toggle()
      (box.factor, box.other, box.part!.price) = (5, 6, 7)
    }
    let factorFirst = [
      "chosen 2", "price 3", "price 6", "chosen 3", "price 2", "price 5", "chosen 6",
    ]
    let otherFirst = [
      "price 2", "chosen 3", "chosen 2", "price 6", "chosen 5", "price 9", "price 12",
    ]
    for (box, notes) in zip(boxes, notes) {
      #expect(notes.all.sorted() == (box.takesOther ? factorFirst : otherFirst).sorted())
    }
    withExtendedLifetime(tokens) {}
  }

  @Test("a getter that sets what it reads is heard on each object of its class, and again")
  func setsWhatItReads() {
    for _ in 0..<3 {
      let keeper = Keeper(), notes = Recorder<Int>()
      let tokens = [
        keeper.observe(\.kept, options: .new) { notes.add($1.newValue!) },
        keeper.observe(\.remembered, options: .new) { notes.add(-$1.newValue!) },
      ]
      for factor in [5, 6] {
        notes.clear()
        (keeper.isFresh, keeper.memo) = (false, nil)
        keeper.factor = factor
        #expect(notes.all.contains(2 * factor) && notes.all.contains(-2 * factor))
      }
      #expect(tokens.count { $0.isValid } == 2)
    }
  }

  @Test("what a property depends on is not looked at on an object whose getter does not read it")
  func dependsOnWhatIsNotThere() {
    let keeper = Keeper(), other = Keeper(), notes = Recorder<Int>()
    keeper.limit = 2
    let tokens = [keeper, other].map {
      $0.observe(\.total, options: .new) { notes.add($1.newValue!) }
    }
    #expect(keeper.looks > 0 && other.looks == 0)
    (keeper.shown, other.shown) = (3, 4)
    other.limit = 1
    #expect(notes.all == [3, 4])
    withExtendedLifetime(tokens) {}
  }

  @Test("elements that come, go, change their order and come again are heard, and no others")
  func elements() throws {
    let box = Box(3)
    let (notes, token) = try note(\.sum, box)
    let gone = box.parts.remove(at: 0)
    gone.price = 7
    let come = Part()
    box.parts.insert(come, at: 0)
    come.price = 2
    box.parts.reverse()
    come.price = 3
    box.parts.append(gone)
    gone.price = 8
    box.parts = []
    come.price = 4
    #expect(
      notes.all == [
        "2 by parts", "3 by parts", "4 by price", "4 by parts", "5 by price", "12 by parts",
        "13 by price", "0 by parts",
      ])
    #expect(!(try RuntimeObject(come).isObserved))
    token.invalidate()
  }

  @Test("elements behind the one that decides are not heard until they are read")
  func someElements() throws {
    let box = Box(3), parts = box.parts
    let (notes, token) = try note(\.pricey, box)
    parts[0].price = 6
    parts[2].price = 7
    parts[0].price = 1
    parts[2].price = 1
    #expect(notes.all == ["true by price", "true by price", "false by price"])
    token.invalidate()
  }

  @Test("sources that are read by turns are heard when they are, and not in between")
  func turns() throws {
    let box = Box()
    let (notes, token) = try note(\.chosen, box)
    for round in 1...3 {
      box.takesOther = true
      box.factor = 10 * round
      box.other = round
      box.takesOther = false
      box.other = 5
      box.factor = 10 * round + 1
    }
    #expect(
      notes.all == [
        "1 by takesOther", "1 by other", "10 by takesOther", "11 by factor",
        "5 by takesOther", "2 by other", "20 by takesOther", "21 by factor",
        "5 by takesOther", "3 by other", "30 by takesOther", "31 by factor",
      ])
    token.invalidate()
    #expect(!(try RuntimeObject(box).isObserved))
  }

  @Test("an object that is held in either case is heard when it is read of again")
  func heldInTurns() throws {
    let box = Box(), part = Part()
    box.part = part
    let (notes, token) = try note(\.partPrice, box)
    for isBare in [true, false, true, false] { box.isBare = isBare }
    part.price = 2
    box.isBare = true
    part.price = 3
    box.isBare = false
    part.price = 4
    #expect(
      notes.all == [
        "1 by isBare", "2 by isBare", "1 by isBare", "2 by isBare", "3 by price", "1 by isBare",
        "4 by isBare", "5 by price",
      ])
    token.invalidate()
    #expect(!(try RuntimeObject(part).isObserved))
  }

  @Test("a lazy property is heard whose first value is computed from what is observed as well")
  func nestedReads() throws {
    let box = Box()
    box.part = Part()
    Box.lender = box
    let (notes, token) = try note(\.lent, box)
    box.first = 5
    box.factor = 2
    #expect(notes.all == ["6 by first", "7 by factor"])
    token.invalidate()
    #expect(!(try RuntimeObject(box).isObserved))
  }

  @Test("what a getter sets itself while it is observed for the first time is not told")
  func caching() throws {
    let box = Box()
    let (notes, token) = try note(\.cached, box)
    #expect(notes.all.isEmpty)
    box.cache = 4
    #expect(notes.all == ["4 by cache"])
    token.invalidate()
  }

  @Test("a registration that somebody else ends is made again when the property is read next")
  func endedElsewhere() throws {
    let box = Box(2), parts = box.parts
    let (notes, token) = try note(\.sum, box)
    parts[0].observationInfo = nil
    parts[0].price = 2
    parts[1].price = 3
    parts[0].price = 4
    #expect(notes.all == ["5 by price", "7 by price"])
    token.invalidate()
  }

  @Test("changes of one key of two objects that overlap have the old values of their own")
  func overlapping() throws {
    let box = Box(2), parts = box.parts
    let (notes, token) = try note(\.sum, box, [.old, .new])
    parts[0].willChangeValue(forKey: "price")
    parts[0].price = 2
    parts[1].willChangeValue(forKey: "price")
    parts[0].didChangeValue(forKey: "price")
    parts[1].price = 3
    parts[1].didChangeValue(forKey: "price")
    #expect(
      notes.all == [
        "2 → 3 by price", "2 → 3 by price", "3 → 5 by price", "3 → 5 by price",
      ])
    token.invalidate()
  }

  // MARK: Transactions

  @Test("a transaction evaluates once, however much changes in it, and twice for the old value")
  func transaction() throws {
    let box = Box(100)
    let (new, first) = try note(\.sum, box)
    let (both, second) = try note(\.sum, box, [.old, .new, .prior])
    box.evaluations = 0
    KVObject.transaction {
      for part in box.parts { part.price = 2 }
      #expect(box.evaluations == 1)
      box.factor = 2
    }
    #expect(box.evaluations == 3)
    #expect(new.all == ["400 by none"])
    #expect(both.all == ["prior 100 → none by price", "100 → 400 by none"])
    box.parts[0].price = 3
    #expect(new.all.last == "402 by price")
    first.invalidate()
    second.invalidate()
  }

  @Test(
    "what a path leads to at the end of a transaction is heard by its handlers' changes already")
  func followedAtTheEnd() throws {
    let box = Box()
    let (notes, token) = try note(\.part?.price, box)
    let handler = box.observe(\.factor) { box, _ in box.part?.price = 9 }
    KVObject.transaction {
      box.factor = 2
      box.part = Part()
    }
    #expect(notes.all == ["Optional(9) by none"])
    token.invalidate()
    handler.invalidate()
  }

  @Test("what is muted in a transaction is not told at its end, and followed")
  func mutedInTransaction() throws {
    let box = Box()
    let (notes, token) = try note(\.part?.price, box)
    let part = Part()
    KVObject.transaction { token.muting { box.part = part } }
    #expect(notes.all.isEmpty)
    part.price = 2
    #expect(notes.all == ["Optional(2) by price"])
    token.invalidate()
  }
}
