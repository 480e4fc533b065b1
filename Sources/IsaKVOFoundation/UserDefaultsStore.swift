public import Foundation
public import IsaKVO
public import IsaKVOBindings
internal import IsaKeyValue

/// Settings that Foundation's `UserDefaults` keep.
///
///     let defaults = DefaultsController(UserDefaultsStore(), initialValues: ["size": 12])
///
/// A change that other code makes is told once `UserDefaults.didChangeNotification` is posted, or
/// ``noteChanges()`` is called. Foundation posts it by itself on Apple systems only; elsewhere this
/// class does so for the values that are set through it.
///
/// Several threads may use it, if the controllers that show its values are used by one of them, and the
/// store is told by `delivery` how to get there.
public final class UserDefaultsStore: DefaultsStore, @unchecked Sendable {
  // Sendable because nothing changes but what is under the lock, and `UserDefaults` are thread-safe.

  /// Tells the controllers that show the values.
  public let changes = DefaultsChanges()

  /// The defaults that keep the values.
  public let userDefaults: UserDefaults

  /// The values that have been told.
  private let known: Locked<[String: Any]>
  private let token: TokenHolder

  /// Makes a store of defaults.
  ///
  /// - Parameters:
  ///   - userDefaults: The defaults that keep the values.
  ///   - delivery: The place to which the controllers belong that show the values. If nil, changes of
  ///     other code are told on the thread that posts the notification; this must be that of the
  ///     controllers then.
  public init(
    _ userDefaults: UserDefaults = .standard, delivery: KeyValueDelivery<KeyValueQueue>? = nil
  ) {
    self.userDefaults = userDefaults
    known = Locked(userDefaults.values)
    token = TokenHolder()
    token.observe { [weak self] in
      guard let delivery else { return self?.noteChanges() ?? () }
      delivery.enqueue { [weak self] in self?.noteChanges() }
    }
  }

  /// The value for a key, in any of the domains that are searched; nil if there is none. Arrays are
  /// `[Any]`, dictionaries `[String: Any]`.
  public func defaultsValue(forKey key: String) -> Any? {
    propertyList(userDefaults.object(forKey: key))
  }

  /// Keeps a value, or removes the former value if it is nil.
  ///
  /// - Throws: `KeyValueError.Code.incompatible` for a value that is not part of a property list.
  public func setDefaultsValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    if let value {
      guard PropertyListSerialization.propertyList(value, isValidFor: .binary) else {
        throw KeyValueError(
          .incompatible, key: key, className: "\(type(of: userDefaults))",
          reason: "user defaults do not keep a \(type(of: value)), which was set for “\(key)”",
          cure: "keep numbers, texts, dates and data, and arrays and dictionaries of them")
      }
      userDefaults.set(value, forKey: key)
    } else {
      userDefaults.removeObject(forKey: key)
    }
    note([key: defaultsValue(forKey: key)])
    #if !canImport(ObjectiveC)
      NotificationCenter.default.post(
        name: UserDefaults.didChangeNotification, object: userDefaults)
    #endif
  }

  /// Tells of the values that other code has changed since this, or any change, was told last.
  public func noteChanges() {
    var values: [String: Any?] = known.withLock { $0.mapValues { _ in nil } }
    for (key, value) in userDefaults.values { values[key] = value }
    note(values)
  }

  /// Notes the present values for keys, and tells the new ones.
  private func note(_ values: [String: Any?]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let old = known.withLock { known in
        defer { known[key] = value }
        return known[key]
      }
      if !areEqual(old, value) { changes.tell(key, old: old) }
    }
  }
}

/// Hears of changed defaults, as long as it lives.
private final class TokenHolder {
  private var token: (any NSObjectProtocol)?

  func observe(_ handler: @escaping @Sendable () -> Void) {
    // Each `UserDefaults` of one suite is an object of its own.
    token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: nil, queue: nil
    ) { _ in handler() }
  }

  deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension UserDefaults {
  /// The values for all keys, in any of the domains that are searched.
  fileprivate var values: [String: Any] {
    dictionaryRepresentation().compactMapValues(propertyList)
  }
}

/// A value without the optionals in which Foundation has the elements of collections.
private func propertyList(_ value: Any?) -> Any? {
  switch plain(value) {
  case let array as [Any?]: array.compactMap(propertyList)
  case let values as [String: Any?]: values.compactMapValues(propertyList)
  case let value: value
  }
}

extension DefaultsController {
  /// The controller of the standard defaults, which the main actor's code shares.
  ///
  /// - Note: Source `sharedUserDefaultsController`, NSUserDefaultsController.
  @MainActor
  public static let shared = DefaultsController(
    UserDefaultsStore(delivery: .enqueue { work in Task { @MainActor in work() } }))
}
