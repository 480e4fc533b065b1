public import IsaKVO

/// The values of a ``DefaultsController`` by their keys: it has any key.
///
///     try defaults.values.value(forKey: "size", as: Int.self)
///     try field.bind(.value, to: defaults, withKeyPath: "values.name")
///
/// Each key is told when its value changes, by the controller or outside of it. A key that contains a
/// dot is no key path: it can be read and set, and not observed.
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
