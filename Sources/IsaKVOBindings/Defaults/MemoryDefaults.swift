/// Settings that are kept in memory, for tests, and for programs that save them in their own way.
///
///     let store = MemoryDefaults(["name": "Ann"])
///     let defaults = DefaultsController(store, initialValues: ["size": 12])
///     try defaults.values.setValue(14, forKey: "size")
///     store.values    // ["name": "Ann", "size": 14]
///
/// It belongs to the thread, or the actor, to which the controllers belong that show its values.
public final class MemoryDefaults: DefaultsStore {
  /// The values by key.
  public private(set) var values: [String: Any]

  /// Tells the controllers that show the values.
  public let changes = DefaultsChanges()

  /// Makes a store of these values.
  public init(_ values: [String: Any] = [:]) { self.values = values }

  /// The value for a key; nil if there is none. Setting it is a change from outside to the controllers
  /// that show the value.
  public subscript(key: String) -> Any? {
    get { values[key] }
    set {
      let old = values[key]
      values[key] = newValue
      changes.tell(key, old: old)
    }
  }

  /// The value for a key; nil if there is none.
  public func defaultsValue(forKey key: String) -> Any? { values[key] }

  /// Keeps a value for a key, or forgets the former value. It takes any value.
  public func setDefaultsValue(_ value: Any?, forKey key: String) { self[key] = value }
}
