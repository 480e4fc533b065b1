public import IsaKVO
internal import IsaKeyValue

/// A place that keeps a program's settings by key, such as Foundation's `UserDefaults`.
///
///     final class Settings: DefaultsStore {
///       private var values: [String: Any] = [:]
///       let changes = DefaultsChanges()
///
///       func defaultsValue(forKey key: String) -> Any? { values[key] }
///
///       func setDefaultsValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
///         let old = values[key]
///         values[key] = value
///         changes.tell(key, old: old)
///       }
///     }
///
/// A ``DefaultsController`` shows its values. Several may share one store.
public protocol DefaultsStore: AnyObject {
  /// Tells the controllers that show the store's values of each change, made by anybody.
  var changes: DefaultsChanges { get }

  /// The value that is kept for a key; nil if there is none.
  func defaultsValue(forKey key: String) -> Any?

  /// Keeps a value for a key, or forgets the former value if it is nil, and tells ``changes`` so
  /// before it returns.
  ///
  /// - Throws: The reason why the store cannot keep such a value; it then keeps the former value.
  func setDefaultsValue(_ value: Any?, forKey key: String) throws(KeyValueError)
}

/// The listeners of a ``DefaultsStore``, which makes one and keeps it.
public final class DefaultsChanges: Sendable {
  private let listeners = Locked<[Listener]>([])

  /// Makes one without listeners.
  public init() {}

  /// Tells that the value for a key has changed, from `old`, or from none if that is nil. It calls the
  /// program's code: no lock may be held.
  ///
  /// The thread must be that to which the controllers belong that show the value, unless they have a
  /// `delivery` to get there.
  public func tell(_ key: String, old: Any?) {
    for listener in listeners.withLock({ $0 }) {
      listener.controller?.storeDidChange(key, old: old)
    }
  }

  /// Adds a listener, for as long as it lives.
  func add(_ controller: DefaultsController) {
    // Without the lock: a controller that is looked at may be let go of meanwhile by all others.
    let gone = listeners.withLock { $0 }.filter { $0.controller == nil }
    let old = listeners.withLock { listeners in
      defer {
        listeners.removeAll { listener in gone.contains { $0 === listener } }
        listeners.append(Listener(controller))
      }
      return listeners
    }
    withExtendedLifetime(old) {}
  }

  /// Sendable because the controller is used by its own thread only.
  private final class Listener: @unchecked Sendable {
    private(set) weak var controller: DefaultsController?

    init(_ controller: DefaultsController) { self.controller = controller }
  }
}
