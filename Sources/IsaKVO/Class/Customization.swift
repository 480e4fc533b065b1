// The declarations of classes about their keys, by typed key paths.
//
// Owns:  a word that says whether any class declares something.
// Locks: none; the word is read and written by atomic calls.
internal import IsaKeyValue

/// The declarations of a class about its keys, by typed key paths.
///
/// It is asked once for each key path, when a key path that leads to a key is first observed, or an
/// answer names the key: by the property's key path of the class that declares it, and by the
/// observed key path where that is of a subclass. The answers about one key count together. A key
/// that is observed only by name is not asked for. Declare such a key in ``KVObject/keys``.
///
/// - Note: Source `NSKeyValueObservingCustomization`, Foundation.
public protocol KeyValueCustomization {
  /// The key paths whose changes change the value of `key`.
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>

  /// Whether setting `key` notifies by itself.
  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
}

/// The classes that declare something.
enum Customization {
  @exclusivity(unchecked) nonisolated(unsafe) private static var word: UInt64 = 0

  /// Whether one has been registered.
  static var isUsed: Bool {
    get { loadWord(&word) != 0 }
    set { storeWord(&word, newValue ? 1 : 0) }
  }
}

extension KVObject {
  /// Asks, once for each class and key path, what a class says of the properties that a key path
  /// leads through, and of the properties that it names in its answers.
  ///
  /// - Parameter reads: The properties that were read when the key path was followed.
  final func askCustomization(for keyPath: AnyKeyPath, _ reads: [FindingProbe.Read]) {
    guard Customization.isUsed else { return }
    for read in reads {
      guard let keyPath = read.keyPath else { continue }
      read.object.askCustomization(of: read.field.key, keyPath)
    }
    if reads.count == 1, let read = reads.first, let own = read.keyPath, isSamePath(own, keyPath) {
      askCustomization(of: read.field.key, keyPath)
    }
  }

  /// The same of a key path that is made of keys, and has been observed before: other objects may
  /// stand on it now. It is followed only where a class has something to be asked of, and no nil is
  /// in the way, at which following may stop the process.
  final func askCustomization(for keyPath: AnyKeyPath, of keys: String) {
    guard Customization.isUsed, hasUnasked(keyPath, keys) else { return }
    askCustomization(for: keyPath, FindingProbe.follow(keyPath, from: self))
  }

  /// The same of one property.
  final func askCustomization(of key: String, _ keyPath: @autoclosure () -> AnyKeyPath) {
    guard Customization.isUsed, let registration, let type = registration.customization else {
      return
    }
    let keyPath = keyPath()
    guard registration.isNew(key, by: keyPath) else { return }
    let affecting = type.keyPathsAffectingValue(for: keyPath)
    let isAutomatic = type.automaticallyNotifiesObservers(for: keyPath)
    let paths = registration.affectingPaths(affecting, on: self)
    registration.note(key, paths, isAutomatic: isAutomatic)
    for path in affecting {
      let (key, reads) = follow(path, registration)
      if let key { askCustomization(of: key, path) } else { askCustomization(for: path, reads) }
    }
  }

  /// The key that is known of a key path, or what is read by following it.
  private func follow(
    _ keyPath: AnyKeyPath, _ registration: ClassRegistration
  ) -> (key: String?, reads: [FindingProbe.Read]) {
    if let key = registration.knownKey(keyPath) { return (key, []) }
    return (nil, FindingProbe.follow(keyPath, from: self))
  }

  /// Whether a key path leads to a key that a class has not been asked of, and to no nil that it may
  /// unwrap by force.
  private func hasUnasked(_ keyPath: AnyKeyPath, _ keys: String) -> Bool {
    var isUnasked = false
    var value: Any? = self
    for key in keys.split(separator: ".").map(String.init) {
      guard let object = value as? KVObject, let registration = object.registration else {
        return false
      }
      isUnasked = isUnasked || registration.isUnasked(key)
      value = try? object.rootValue(key)
    }
    return isUnasked && (value != nil || type(of: keyPath).valueType is any AnyOptional.Type)
  }
}

extension ClassRegistration {
  /// Whether the class has something to say of keys, and has not been asked of this one.
  fileprivate func isUnasked(_ key: String) -> Bool {
    customization != nil && isNew(key)
  }
}
