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

/// Ways of observing the property, beside those that each kind of override is tried with.
private enum Way: CaseIterable {
  case superclass, several, distinct

  func observe(_ gauge: Elsewhere, _ told: Recorder<Int>) -> KeyValueObservation {
    switch self {
    case .superclass: (gauge as Gauge).observe(\.size, options: .new) { told.add($1.newValue!) }
    case .several: gauge.observe(anyOf: [\.size]) { gauge, _ in told.add(gauge.size) }
    case .distinct:
      gauge.observe(\.size, options: .new, suppressing: ==) { told.add($1.newValue!) }
    }
  }
}

@Suite(.serialized, .leavesNoObjects)
struct OverriddenStorageTests {
  @Test(
    "a property that is overridden without super is told once, whatever changes it",
    arguments: Way.allCases)
  private func elsewhere(way: Way) throws {
    let gauge = Elsewhere(), told = Recorder<Int>()
    let token = way.observe(gauge, told)
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
