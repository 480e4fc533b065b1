// The declarations of classes about their keys, by typed key paths.
//
// Owns:  a word that says whether any class declares something.
// Locks: none; the word is read and written by atomic calls.
internal import IsaRuntime

/// The declarations of a class about its keys, by typed key paths.
///
/// It is asked once for each key, when a key path that leads there is first observed, or names it in
/// an answer; a key that is observed only by name is not asked for. Declare such a key in
/// ``KVObject/keys``.
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
  static var isUsed: Bool { loadWord(&word) != 0 }

  /// Notes a class that is being registered.
  static func note(_ type: KVObject.Type) {
    if type is any KeyValueCustomization.Type { storeWord(&word, 1) }
  }
}

extension KVObject {
  /// Asks, once for each class and key, what a class says of the properties that a key path leads
  /// through, and of those that it names in its answers.
  final func askCustomization(for keyPath: AnyKeyPath) {
    guard Customization.isUsed, let registration else { return }
    if let key = registration.knownKey(keyPath) { return ask(key, keyPath, registration) }
    let reads = KeyPathProbe.follow(keyPath, from: self)
    if reads.count == 1, let read = reads.first, read.object === self {
      return ask(read.field.key, keyPath, registration)
    }
    for read in reads {
      guard let registration = read.object.registration else { continue }
      read.object.ask(read.field.key, read.keyPath, registration)
    }
  }

  private func ask(_ key: String, _ keyPath: AnyKeyPath, _ registration: ClassRegistration) {
    guard registration.isNew(key),
      let type = registration.type as? any KeyValueCustomization.Type
    else { return }
    let affecting = type.keyPathsAffectingValue(for: keyPath)
    let isAutomatic = type.automaticallyNotifiesObservers(for: keyPath)
    let paths = affecting.flatMap { path -> [String] in
      if let key = registration.knownKey(path) { return [key] }
      return KeyPathProbe.follow(path, from: self).paths(from: self)
    }
    registration.note(key, affectedBy: Set(paths).subtracting([key]), isAutomatic: isAutomatic)
    for path in affecting { askCustomization(for: path) }
  }
}
