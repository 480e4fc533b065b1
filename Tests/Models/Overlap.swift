import IsaKVO

/// Runs `body` while an access to a property is open, as a mutating function that calls back does.
@inline(never)
public func hold<Value>(_ value: inout Value, _ body: () -> Void) { body() }

/// A value of which one case or another is held.
public enum Choice: Sendable {
  /// A text.
  case text(String)
  /// Texts.
  case texts([String])
}

/// A value of several fields.
public struct Parts: Sendable {
  /// Texts.
  public var texts = ["a"]
  /// A number.
  public var number = 1

  /// The parts that there are at first.
  public init() {}
}

/// Has a property of each kind, and holds an access to one open.
///
/// Of another module than the tests, so that no compiler sees all accesses to a property and leaves
/// their checks out.
open class Overlap: KVObject {
  /// A number.
  @Dynamic public var scalar = 1
  /// A text.
  @Dynamic public var text = "a"
  /// A structure.
  @Dynamic public var parts = Parts()
  /// An optional.
  @Dynamic public var maybe: String? = "a"
  /// An array.
  @Dynamic public var list = [3, 1, 2]
  /// A set.
  @Dynamic public var set: Set<Int> = [1, 2]
  /// A dictionary.
  @Dynamic public var dictionary = ["a": 1]
  /// An object.
  @Dynamic public var object: Overlap?
  /// An enum.
  @Dynamic public var choice = Choice.text("a")
  /// A value that is computed late.
  @LazyDynamic public var late = ["a"]
  /// An object that is not kept.
  @WeakDynamic public var weak: Overlap?
  /// A property without a wrapper, whose key is declared.
  public var declared = ["a"]

  open override class var keys: [KeyDeclaration] { [.key("declared", \Overlap.declared)] }

  /// An object with all of them.
  public override init() {}

  /// Runs `body` while an access to the property of that key is open.
  public func hold(_ key: String, _ body: () -> Void) {
    switch key {
    case "scalar": IsaKVOTestModels.hold(&scalar, body)
    case "text": IsaKVOTestModels.hold(&text, body)
    case "parts": IsaKVOTestModels.hold(&parts, body)
    case "maybe": IsaKVOTestModels.hold(&maybe, body)
    case "list": IsaKVOTestModels.hold(&list, body)
    case "set": IsaKVOTestModels.hold(&set, body)
    case "dictionary": IsaKVOTestModels.hold(&dictionary, body)
    case "object": IsaKVOTestModels.hold(&object, body)
    case "choice": IsaKVOTestModels.hold(&choice, body)
    // These are read and then set; an access to the storage is open in the class's own code only.
    case "late": IsaKVOTestModels.hold(&_late, body)
    case "weak": IsaKVOTestModels.hold(&_weak, body)
    case "declared": IsaKVOTestModels.hold(&declared, body)
    default: fatalError("no property \(key)")
    }
  }
}

/// Inherits the properties, and has one of its own.
public final class SubOverlap: Overlap {
  /// Texts.
  @Dynamic public var own = ["a"]

  public override func hold(_ key: String, _ body: () -> Void) {
    if key == "own" { IsaKVOTestModels.hold(&own, body) } else { super.hold(key, body) }
  }
}

extension Slot {
  /// Runs `body` while an access to the content is open.
  public func hold(_ body: () -> Void) { IsaKVOTestModels.hold(&content, body) }
}
