internal import CIsa

extension RuntimeClass {
  /// Whose behaviour instances have where Foundation and GNUstep differ; inherited.
  public var profile: Profile { Profile(isa_class_get_profile(cls)) }

  /// The key paths that the class declares to affect `key`, by its class methods or by
  /// ``setKeys(_:triggering:)``.
  ///
  /// - Throws: ``ObservingError/runtime(_:)`` if a class method answers what is no set of strings;
  ///   ``ObservingError/tooDeep(keyPath:details:)`` if one asks for what it is asked for.
  /// - Note: Source `keyPathsForValuesAffectingValueForKey:`, NSKeyValueObserving.h.
  public func keyPathsAffecting(_ key: String) throws(ObservingError) -> Set<String> {
    try keyPaths(key) { kvo_class_copy_affecting(cls, key, $0) }
  }

  /// All that affects `key` through one another: what the class declares, what it declares to
  /// affect those, and so on; without `key` itself.
  ///
  /// - Throws: Also ``ObservingError/selfDependent(key:details:)``.
  public func dependencyClosure(of key: String) throws(ObservingError) -> Set<String> {
    try keyPaths(key) { kvo_class_copy_closure(cls, key, $0) }
  }

  /// Declares that `keys` affect `dependentKey`, instead of what was declared so before. A class
  /// method that declares what affects the key is asked instead; keys with a dot are left out.
  ///
  /// - Throws: ``ObservingError/runtime(_:)`` when memory is short.
  /// - Note: Source `setKeys:triggerChangeNotificationsForDependentKey:`, NSKeyValueObserving.h.
  public func setKeys(_ keys: [String], triggering dependentKey: String) throws(ObservingError) {
    let array = RuntimeValue.array(keys.map { RuntimeValue($0) })
    let outcome = answered { kvo_class_set_keys(cls, array.object?.id, dependentKey) }
    try ObservingError.check(outcome, keyPath: dependentKey, name)
  }

  private func keyPaths(
    _ key: String, _ copy: CopyObject
  ) throws(ObservingError) -> Set<String> {
    let (outcome, value) = takeValue(copy)
    try ObservingError.check(outcome, keyPath: key, name)
    return Set(value.elements?.compactMap(\.string) ?? [])
  }
}
