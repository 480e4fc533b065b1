public import IsaKVO

/// A key of a dictionary and its value, as an object that views are bound to.
///
/// Setting either changes the dictionary of the ``DictionaryController`` that shows the pair. The keys
/// for key-value coding are the names of the properties.
///
/// - Note: Source `NSDictionaryControllerKeyValuePair`, AppKit.
public final class DictionaryPair<Value>: KVObject {
  private(set) var name: String
  private(set) var content: Value?
  weak var owner: DictionaryController<Value>?

  /// Whether the pair is shown because ``DictionaryController/includedKeys`` have its key, whether or
  /// not the dictionary has it.
  public var isExplicitlyIncluded: Bool {
    reading("explicitlyIncluded") { owner?.includedKeys.contains(name) ?? false }
  }

  /// Makes a pair that belongs to no dictionary yet.
  public init(_ key: String, _ value: Value?) {
    name = key
    content = value
    super.init()
  }

  /// Declares the keys of the pair.
  public override class var keys: [KeyDeclaration] {
    [
      .announced("key", \DictionaryPair.key),
      .announced("value", \DictionaryPair.value),
      .announced(
        "explicitlyIncluded", \DictionaryPair.isExplicitlyIncluded,
        affectedBy: [\DictionaryPair.key]),
    ]
  }

  /// The key. Setting it moves the value to another key of the dictionary: to that one with a number,
  /// such as `name1`, if there is one already. An explicitly included key stays as it is.
  public var key: String {
    get { reading("key") { name } }
    set {
      if let owner { owner.rename(self, newValue) } else { take(key: newValue) {} }
    }
  }

  /// The value; nil for an explicitly included key that the dictionary has not. Setting nil takes the
  /// key out of the dictionary.
  public var value: Value? {
    get { reading("value") { content } }
    set { take(value: newValue) { owner?.write(newValue, for: name) } }
  }

  // MARK: By the controller

  /// Takes another key, and changes the dictionary meanwhile.
  func take(key: String, _ change: () -> Void) {
    announcing("key") {
      name = key
      change()
    }
  }

  /// Takes another value, and changes the dictionary meanwhile.
  func take(value: Value?, _ change: () -> Void) {
    announcing("value") {
      content = value
      change()
    }
  }
}
