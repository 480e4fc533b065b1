internal import IsaRuntime

#if !canImport(ObjectiveC)
  internal import IsaKVO

  /// The declarations of a class about its keys, by typed key paths.
  ///
  /// It is asked once for each key, when a key path that leads there is first observed, or names it
  /// in an answer; a key that is observed only by name is not asked for. Declare such a key in
  /// `KVObject.keys`.
  public protocol NSKeyValueObservingCustomization {
    /// The key paths whose changes change the value of `key`.
    static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>

    /// Whether setting `key` notifies by itself.
    static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
  }

  extension KVObject {
    /// Asks the classes of the objects that a key path leads through.
    final func askCustomization(for keyPath: AnyKeyPath) {
      ask(keyPath) { object, key in
        guard let type = type(of: object) as? any NSKeyValueObservingCustomization.Type else {
          return nil
        }
        return (
          type.keyPathsAffectingValue(for: key), type.automaticallyNotifiesObservers(for: key)
        )
      }
    }
  }
#endif
