import IsaKVO
import IsaKVOTestModels
import IsaKVOTestSupport
import IsaRuntime
import Testing

private class Gauge: KVObject {
  @Dynamic var size = 1
  @Dynamic var source = Leaf()
  var twice: Int { 2 * size }
}

/// Overrides a wrapped property without its storage.
private final class Elsewhere: Gauge {
  override var size: Int {
    get { source.size }
    set { source.size = newValue }
  }
}

/// Stores what it overrides where nobody is told of it.
private final class PlainBehind: Gauge {
  private var stored = 1
  override var size: Int {
    get { stored }
    set { stored = newValue }
  }
}

private final class Owner: KVObject {
  @Dynamic var gauge: Gauge
  init(_ gauge: Gauge) { self.gauge = gauge }
}

/// Ways of observing the property.
private enum Way: CaseIterable {
  case typed, superclass, named, path, namedPath, several, distinct, shared, object

  func observe(_ gauge: Elsewhere, _ owner: Owner, _ told: Recorder<Int>) throws -> Any {
    switch self {
    case .typed: gauge.observe(\.size, options: .new) { told.add($1.newValue!) }
    case .superclass: (gauge as Gauge).observe(\.size, options: .new) { told.add($1.newValue!) }
    case .named: try gauge.observe("size", as: Int.self, options: .new) { told.add($1.newValue!) }
    case .path: owner.observe(\.gauge.size, options: .new) { told.add($1.newValue!) }
    case .namedPath:
      try owner.observe("gauge.size", as: Int.self, options: .new) { told.add($1.newValue!) }
    case .several: gauge.observe(anyOf: [\.size]) { gauge, _ in told.add(gauge.size) }
    case .distinct:
      gauge.observe(\.size, options: .new, suppressing: ==) { told.add($1.newValue!) }
    case .shared: shared(gauge, told)
    case .object: try Observer(gauge, told)
    }
  }

  private func shared(_ gauge: Elsewhere, _ told: Recorder<Int>) -> Any {
    let shared = KeyValueSharedObservers<Elsewhere>()
    shared.observe(\.size, options: .new) { told.add($1.newValue!) }
    gauge.setSharedObservers(shared)
    return shared
  }
}

private final class Observer: KVObject {
  private let told: Recorder<Int>
  private let gauge: Elsewhere

  init(_ gauge: Elsewhere, _ told: Recorder<Int>) throws {
    (self.gauge, self.told) = (gauge, told)
    super.init()
    try gauge.addObserver(self, forKeyPath: "size", options: .new)
  }

  deinit { try? gauge.removeObserver(self, forKeyPath: "size") }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    told.add(change?[.newKey] as? Int ?? -1)
  }
}

@Suite(.serialized, .leavesNoObjects)
struct OverriddenStorageTests {
  @Test(
    "a property that is overridden without super is told once, whatever changes it",
    arguments: Way.allCases)
  private func elsewhere(way: Way) throws {
    let gauge = Elsewhere(), owner = Owner(gauge), told = Recorder<Int>()
    let token = try way.observe(gauge, owner, told)
    gauge.size = 2
    #expect(told.all == [2])
    try gauge.setValue(3, forKey: "size")
    #expect(told.all == [2, 3])
    gauge.source.size = 4
    #expect(told.all == [2, 3, 4])
    let other = Leaf()
    gauge.source = other
    other.size = 5
    #expect(told.all == [2, 3, 4, 1, 5])
    withExtendedLifetime(token) {}
  }

  @Test("a computed property that reads an overridden one is told once")
  func computed() throws {
    let gauge = Elsewhere(), told = Recorder<Int>()
    let token = gauge.observe(\.twice, options: [.old, .new]) {
      told.add($1.oldValue!)
      told.add($1.newValue!)
    }
    gauge.size = 2
    gauge.source.size = 4
    #expect(told.all == [2, 4, 4, 8])
    token.invalidate()
  }

  @Test("a property that is overridden with plain storage is told when it is set by name")
  func plain() throws {
    let gauge = PlainBehind(), told = Recorder<Int>()
    let tokens = [
      gauge.observe(\.size, options: .new) { told.add($1.newValue!) },
      try gauge.observe("size", as: Int.self, options: .new) { told.add($1.newValue!) },
    ]
    try gauge.setValue(3, forKey: "size")
    #expect(told.all == [3, 3])
    tokens.forEach { $0.invalidate() }
  }
}

// MARK: - Declarations

/// Says by typed key paths what a property depends on. A class for each tag, since a class is asked
/// once.
private class Described<Tag>: KVObject, KeyValueCustomization {
  @Dynamic var name = "a"
  @Dynamic var title = "t"

  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    key == \Described.title ? [\Described.name] : []
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
}

private final class DescribedSub<Tag>: Described<Tag> {}

private class Declared: KVObject {
  @Dynamic var first = 1
  @Dynamic var second = 1
  var sum: Int { first }
  override class var keys: [KeyDeclaration] {
    [.key("sum", \Declared.sum, affectedBy: [\Declared.first])]
  }
}

private final class DeclaredSub: Declared {
  override var sum: Int { second }
}

extension OverriddenStorageTests {
  /// The observers, of both types, that are told of a change of the name.
  private static func told<Tag>(_ tag: Tag.Type, superclassFirst: Bool) -> [String] {
    let object = DescribedSub<Tag>(), told = Recorder<String>()
    var observe = [
      { object.observe(\.title) { _, _ in told.add("class") } },
      { (object as Described<Tag>).observe(\.title) { _, _ in told.add("superclass") } },
    ]
    if superclassFirst { observe.reverse() }
    let tokens = observe.map { $0() }
    object.name = "b"
    tokens.forEach { $0.invalidate() }
    return told.all.sorted()
  }

  @Test("what a class says by typed key paths counts, whichever type it is observed as first")
  func described() async {
    // In a process of its own: where a class says something, more is evaluated.
    await #expect(processExitsWith: .success) {
      #expect(
        OverriddenStorageTests.told(Int.self, superclassFirst: false) == ["class", "superclass"])
      #expect(
        OverriddenStorageTests.told(String.self, superclassFirst: true) == ["class", "superclass"])
    }
  }

  @Test("a declared computed property that is overridden follows the override, whatever its type")
  func declared() {
    let object = DeclaredSub(), told = Recorder<String>()
    let tokens = [
      object.observe(\.sum, options: .new) { told.add("class \($1.newValue!)") },
      (object as Declared).observe(\.sum, options: .new) { told.add("superclass \($1.newValue!)") },
    ]
    object.second = 2
    #expect(told.all.sorted() == ["class 2", "superclass 2"])
    tokens.forEach { $0.invalidate() }
  }
}
