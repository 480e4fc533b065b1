public import IsaKVO

/// The values of a ``DefaultsController`` by their keys: it has any key.
///
///     try defaults.values.value(forKey: "size", as: Int.self)
///     try field.bind(.value, to: defaults, withKeyPath: "values.name")
///
/// Each key is told when its value changes, by the controller or elsewhere. A key that contains a
/// dot is no key path: it can be read and set, and not observed; to bind to it is an error.
///
/// - Note: Source `NSUserDefaultsController.values`, AppKit.
public final class DefaultsValues: KVObject {
  private weak var controller: DefaultsController?

  init(of controller: DefaultsController) {
    self.controller = controller
    super.init()
  }

  /// The value that is set and not saved, else the stored one, else the initial one; nil if there is
  /// none, or the controller is gone.
  public override func value(forUndefinedKey key: String) -> Any? { controller?.shown(key) }

  /// Sets a value, or removes it if nil: in the store at once if the controller applies immediately,
  /// else when it saves. Once the controller is gone, the value is swallowed.
  ///
  /// - Throws: The store's reason for not keeping the value. The value is then as it was.
  public override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    try controller?.set(plain(value), key)
  }
}

extension KVObject {
  /// Throws if a key path leads on from a setting that has no value: the name of a setting may have
  /// dots, and then no key path leads to it.
  final func checkSettings(on keyPath: String) throws(KeyValueError) {
    var keys = keyPath.split(separator: ".").map(String.init), object: KVObject? = self
    while let owner = object, keys.count > 1 {
      let value = try? owner.value(forKey: keys[0])
      if value == nil, owner is DefaultsValues, !keys[1].hasPrefix("@") { throw dotted(keys) }
      object = value as? KVObject
      keys.removeFirst()
    }
  }
}

private func dotted(_ keys: [String]) -> KeyValueError {
  let name = keys.joined(separator: "."), plain = keys.joined(separator: "_")
  return KeyValueError(
    .notBindable, key: name,
    reason: "the setting “\(name)” cannot be bound: dots part keys, and “\(keys[0])” is nil",
    cure: "name the setting without dots, as “\(plain)”, or give “\(keys[0])”, if it is a "
      + "dictionary, an initial value")
}
