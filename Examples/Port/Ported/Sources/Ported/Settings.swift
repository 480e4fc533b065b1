import Foundation
import IsaKVO
import IsaKVOFoundation

/// The choices of a user. Each is a key; a file of settings has the same names.
final class Settings: KVObject {
  @Dynamic var author = "nobody"
  @Dynamic var fontSize = 12.0
  @Dynamic var isDark = false

  /// The settings that a file named and this version has not.
  private(set) var unknown: [String] = []

  override class var keys: [KeyDeclaration] {
    [.key("darkMode", \Settings.isDark, paths: ["isDark"], notifiesAutomatically: false)]
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    unknown.append(key)
  }

  /// A size of nothing is the usual one.
  override func setNilValueForKey(_ key: String) {
    if key == "fontSize" {
      fontSize = 12
    } else {
      super.setNilValueForKey(key)
    }
  }
}
