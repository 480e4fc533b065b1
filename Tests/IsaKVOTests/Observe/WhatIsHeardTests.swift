import IsaKVO
import IsaKVOTestSupport
import Observation
import Testing

private class Leaf: KVObject {
  @Dynamic var size = 1
}

/// Reads itself in its deinit.
private final class Farewell: Leaf {
  static let last = Recorder<Int>()
  deinit { Self.last.add(size) }
}

/// Both of its keys would be set by one message.
private final class Twin: KVObject {
  @Dynamic var size = 1
  @Dynamic var Size = 1
}

private enum Shared {
  nonisolated(unsafe) static let twin = Twin()
  nonisolated(unsafe) static var leaf: Leaf! = Leaf()
  nonisolated(unsafe) static var kept: [Leaf] = []
}

private final class Tree: KVObject {
  @Dynamic var height = 1
  @Dynamic var width = 1
  @Dynamic var leaf = Leaf()
  @Dynamic var leaves: [Leaf] = []
  @Dynamic var cache: Int?
  @Dynamic var reads = 0
  var note = 1
  var plainCache: Int?

  override class var keys: [KeyDeclaration] {
    [
      .key("area", \Tree.area, affectedBy: [\Tree.height, \Tree.width]),
      .key("note", \Tree.note, notifiesAutomatically: false),
    ]
  }

  var area: Int { height * width }
  var global: Int { Shared.leaf.size + height }
  var unheard: Int { unobserved { leaf.size } + height }

  var temporaries: Int {
    let first = Leaf()
    first.size = height
    return first.size + Leaf().size + width
  }

  var farewell: Int {
    _ = Farewell()
    return height
  }

  var growing: Int {
    Shared.kept.append(Leaf())
    return Shared.kept.last!.size + height
  }

  var filled: Int {
    if let cache { return cache }
    cache = leaf.size
    return leaf.size
  }

  var plainlyFilled: Int {
    if let plainCache { return plainCache }
    plainCache = leaf.size
    return leaf.size
  }

  var counted: Int {
    reads += 1
    return height
  }

  /// Reads an object of a class that cannot be registered, behind one that can.
  var failing: Int { height > 1 ? leaf.size + Shared.twin.size : height }

  var nestedTracking: Int {
    withObservationTracking {
      leaf.size
    } onChange: {
    }
  }

  var observing: Int {
    var sizes: [Int] = []
    observe(\.area, options: [.initial, .new]) { _, change in sizes.append(change.newValue!) }
      .invalidate()
    return leaf.size
  }

  var noteByName: Int { value(of: "note") + height }
  var areaByName: Int { value(of: "area") }
  var noteByHand: Int {
    access(\.note)
    return note
  }

  private func value(of key: String) -> Int { (try? value(forKey: key) as? Int) ?? 0 }
}

@Suite(.serialized, .leavesNoObjects)
struct WhatIsHeardTests {
  /// The values that an observer is told, which end in what the key path has then.
  private func told<Value: Equatable & Sendable>(
    _ keyPath: KeyPath<Tree, Value>, _ tree: Tree = Tree(), _ change: (Tree) -> Void
  ) -> [Value] {
    let notes = Recorder<Value>()
    let token = tree.observe(keyPath, options: .new) { _, change in notes.add(change.newValue!) }
    #expect(token.isValid)
    change(tree)
    token.invalidate()
    return notes.all
  }

  init() { Shared.leaf = Leaf() }

  @Test(
    "a stored property that another affects by declaration is told with that, once if both are read"
  )
  func affected() {
    final class Node: KVObject {
      @Dynamic var next: Node?
      @Dynamic var x = 1
      @Dynamic var y = 2
      var itself: Node { self }
      var both: Int { 10 * x + y }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        super.keyPathsForValuesAffectingValue(forKey: key).union(key == "x" ? ["y"] : [])
      }
    }
    let node = Node()
    node.next = Node()
    let xs = Recorder<Int?>()
    let both = Recorder<Int>()
    let first = node.observe(\.itself.next?.x, options: .new) { xs.add($1.newValue!) }
    let second = node.next!.observe(\.both, options: .new) { both.add($1.newValue!) }
    node.next!.y = 3
    node.next!.x = 4
    #expect(xs.all == [1, 4])
    #expect(both.all == [13, 43])
    first.invalidate()
    second.invalidate()
  }

  @Test("what is read unobserved is not heard, and what is read beside it is")
  func unobservedReads() {
    #expect(
      told(\.unheard) {
        $0.leaf.size = 4
        $0.height = 2
      } == [6])
    let fired = Recorder<Int>()
    let tree = Tree()
    withObservationTracking {
      _ = unobserved { tree.height }
    } onChange: {
      fired.add(1)
    }
    tree.height = 2
    #expect(fired.all.isEmpty)
  }

  @Test("temporaries that a getter makes and reads are not observed, two at one address neither")
  func temporaries() {
    #expect(told(\.temporaries) { $0.height = 2 } == [4])
    #expect(
      told(\.temporaries) { tree in for width in 2...9 { tree.width = width } }.last == 11)
  }

  @Test("an object may read itself in its deinit while a key path is evaluated")
  func farewell() {
    let before = Farewell.last.all.count
    #expect(told(\.farewell) { $0.height = 3 } == [3])
    #expect(Farewell.last.all.count > before)
  }

  @Test("a getter that makes an object anew each time, which stays, is put up with")
  func growing() {
    #expect(told(\.growing) { $0.height = 3 } == [4])
    Shared.kept = []
  }

  @Test("a getter that fills its own property is told once of it")
  func filled() {
    #expect(told(\.filled) { $0.cache = nil } == [1])
    #expect(
      told(\.filled) {
        $0.leaf.size = 3
        $0.cache = nil
      }.last == 3)
  }

  @Test("a getter that keeps its value in a plain property is observed by what it has read first")
  func plainlyFilled() {
    let tree = Tree()
    let notes = told(\.plainlyFilled, tree) {
      $0.plainCache = nil
      $0.leaf.size = 5
    }
    #expect(notes == [5])
  }

  @Test("a getter that counts its calls has it evaluated a few times, and is told of other changes")
  func counted() {
    let tree = Tree()
    #expect(told(\.counted, tree) { $0.height = 4 } == [4])
    #expect(tree.reads < 12)
  }

  @Test("what a tracking in a getter reads is told once, and that a getter observes, too")
  func nested() {
    #expect(told(\.nestedTracking) { $0.leaf.size = 2 } == [2])
    let tree = Tree()
    #expect(told(\.observing, tree) { $0.leaf.size = 5 } == [5])
    #expect(told(\.observing, tree) { $0.height = 2 } == [])
  }

  @Test("a key read by name is told once, whether it is declared, computed or announced by hand")
  func byName() {
    #expect(told(\.areaByName) { $0.height = 2 } == [2])
    let tree = Tree()
    #expect(
      told(\.noteByName, tree) { tree in tree.withChange(of: \.note) { tree.note = 6 } } == [7])
    #expect(
      told(\.noteByHand, tree) { tree in tree.withChange(of: \.note) { tree.note = 8 } } == [8])
  }

  @Test("a change inside a transaction is told at its end, and a muted one not at all")
  func scopes() {
    defer { Shared.leaf = nil }
    #expect(
      told(\.global) { tree in
        KVObject.transaction {
          Shared.leaf.size = 2
          Shared.leaf.size = 3
          tree.height = 2
        }
      } == [5])
    let tree = Tree()
    #expect(told(\.area, tree) { tree in tree.muting { tree.height = 9 } } == [])
  }

  /// Computes from one of two properties, and may wait before or after it has read that.
  private final class Chooser: KVObject, @unchecked Sendable {
    @Dynamic var isSecond = false
    @Dynamic var first = 1
    @Dynamic var second = 2
    nonisolated(unsafe) var before: (() -> Void)?
    nonisolated(unsafe) var after: (() -> Void)?

    var chosen: Int {
      let isSecond = isSecond
      before.take()?()
      let value = isSecond ? second : first
      after.take()?()
      return value
    }
  }

  @Test("an evaluation in which another thread has other properties read is made again")
  func overtaken() {
    let chooser = Chooser(), told = Recorder<Int>()
    let token = chooser.observe(\.chosen, options: .new) { told.add($1.newValue!) }
    chooser.before = { onThread { chooser.isSecond = true } }
    chooser.first = 10
    #expect(told.all == [2, 2])
    chooser.second = 3
    chooser.first = 11
    #expect(told.all == [2, 2, 3])
    token.invalidate()
  }

  @Test(
    "a property that another thread changes while it begins to be read again is heard after that")
  func dropped() {
    let chooser = Chooser(), told = Recorder<Int>()
    let token = chooser.observe(\.chosen, options: .new) { told.add($1.newValue!) }
    chooser.isSecond = true
    chooser.after = { onThread { chooser.first = 7 } }
    chooser.isSecond = false
    #expect(told.all.last == 7)
    chooser.first = 8
    #expect(told.all.last == 8)
    token.invalidate()
  }

  /// Counts how often it is computed, which somebody else hears of.
  private final class Counted: KVObject {
    @Dynamic var a = 1
    @Dynamic var b = 2
    @Dynamic var log = 0
    @Dynamic var name = "own"
    @Dynamic var child: Counted?

    var sum: Int {
      defer { log += 1 }
      return a + b
    }
    var title: String { "title" }
    var both: String { "\(name), \((try? value(forKey: "title")) ?? "")" }

    override class var keys: [KeyDeclaration] {
      [.key("title", \Counted.title, paths: ["child.name"])]
    }
  }

  @Test("an observer that changes a source while that is read has it read anew, and no further")
  func changedByObserver() {
    let counted = Counted(), told = Recorder<Int>()
    let token = counted.observe(\.sum, options: .new) { told.add($1.newValue!) }
    let other = counted.observe(\.log) { counted, _ in if counted.b < 3 { counted.b += 1 } }
    counted.a = 5
    #expect(told.all == [8])
    token.invalidate()
    other.invalidate()
  }

  @Test("a change of another object's key is told, whatever key of its own the path reads")
  func sameName() {
    let counted = Counted(), told = Recorder<String>()
    counted.child = Counted()
    let token = counted.observe(\.both, options: .new) { told.add($1.newValue!) }
    counted.child!.name = "changed"
    #expect(told.count == 1)
    counted.name = "mine"
    #expect(told.count == 2)
    token.invalidate()
  }

  @Test("a source that is silenced by its observation info is registered with anew")
  func silenced() {
    defer { Shared.leaf = nil }
    let tree = Tree()
    let notes = Recorder<Int>()
    let token = tree.observe(\.global, options: .new) { _, change in notes.add(change.newValue!) }
    Shared.leaf.size = 1
    Shared.leaf.observationInfo = nil
    tree.height = 2
    Shared.leaf.size = 8
    #expect(notes.all.last == 10)
    token.invalidate()
  }

  @Test("an object that cannot be observed is a misuse, and what was read with it is left alone")
  func failing() {
    let tree = Tree()
    let first = tree.observe(\.filled) { _, _ in }
    first.invalidate()
    #expect(tree.leaf.observationInfo == nil)
    let token = tree.observe(\.failing) { _, _ in Issue.record("told") }
    let reports = reports { tree.height = 2 }
    #expect(reports.count == 1 && reports.first?.reason.contains("Twin") == true)
    token.invalidate()
    #expect(tree.leaf.observationInfo == nil && tree.observationInfo == nil)
  }

  @Test("the objects that are read are watched as long as the observation, and not after it")
  func ending() {
    let tree = Tree()
    let leaf = tree.leaf
    var token: KeyValueObservation? = tree.observe(\.filled) { _, _ in }
    #expect(leaf.observationInfo != nil)
    token?.invalidate()
    token = nil
    #expect(leaf.observationInfo == nil)
  }
}
