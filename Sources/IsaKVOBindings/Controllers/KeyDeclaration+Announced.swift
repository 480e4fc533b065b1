internal import IsaKVO

extension KeyDeclaration {
  /// Declares a key whose changes the object announces by itself.
  static func announced<Root: KVObject, Value>(
    _ name: String, _ keyPath: @MainActor @autoclosure () -> KeyPath<Root, Value>,
    affectedBy: @MainActor @autoclosure () -> [PartialKeyPath<Root>] = []
  ) -> KeyDeclaration {
    .key(name, keyPath(), affectedBy: affectedBy(), notifiesAutomatically: false)
  }
}
