// Classes of the main actor, written as a Swift 6 program writes them.
import IsaKVO

final class Row: KVObject, MainActorObject {
  @Dynamic var title: String

  init(title: String) {
    self.title = title
    super.init()
  }
}

final class Store: KVObject, MainActorObject {
  @Dynamic var name = "shop"
  @Dynamic var count = 0
  @Dynamic var rows: [Row] = []
  @LazyDynamic var slogan = "open"
  @WeakDynamic var partner: Store?
  var sign: String { "\(name), \(count)" }
  var log: [String] = []

  override class var keys: [KeyDeclaration] {
    [.key("sign", \Store.sign, affectedBy: [\Store.name, \Store.count])]
  }

  init(count: Int = 1) {
    super.init()
    self.count = count
  }

  /// A task of another actor waits for the main one.
  func load() async { count += 1 }

  func loadElsewhere() async { await Task.detached { await self.load() }.value }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let new = change?[.newKey] as? Int
    MainActor.assumeIsolated { log.append("\(keyPath ?? "?") is \(new ?? 0)") }
  }
}

/// Made on the main actor only, although an `init()` that overrides belongs to no actor.
final class Counted: KVObject, MainActorObject {
  @Dynamic var count = 0

  override init() {
    super.init()
    MainActor.assumeIsolated { count = 2 }
  }
}

/// Without the word: the compiler lets no object of it leave the main actor.
@MainActor
class Plain: KVObject {
  @Dynamic var number = 0
}

/// A class that is of no actor, below which one becomes the main actor's.
class Base: KVObject {
  @Dynamic var stamp = 0
}

@MainActor
final class Derived: Base, Sendable {
  @Dynamic var number = 0
}

final class Marked<Value: Sendable>: Base, MainActorObject {
  @Dynamic var value: Value?
}

/// Of no actor, and fit for all threads by itself.
final class Chain: KVObject, @unchecked Sendable {
  @Dynamic var store: Store?
  @Dynamic var number = 0
}
