import Foundation

/// The choices of a user. Each is a key; a file of settings has the same names.
final class Settings: NSObject {
  @objc dynamic var author = "nobody"
  @objc dynamic var fontSize = 12.0
  @objc(darkMode) dynamic var isDark = false

  /// The settings that a file named and this version has not.
  private(set) var unknown: [String] = []

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    unknown.append(key)
  }

  /// A size of nothing is the usual one.
  override func setNilValueForKey(_ key: String) {
    if key == #keyPath(fontSize) {
      fontSize = 12
    } else {
      super.setNilValueForKey(key)
    }
  }
}
