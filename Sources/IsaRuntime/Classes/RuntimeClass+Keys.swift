internal import CIsa

extension RuntimeClass {
  /// The library whose behaviour instances have where Foundation and GNUstep differ; inherited.
  public var profile: KeyValueProfile { KeyValueProfile(isa_class_get_profile(cls))! }

  /// The key paths that the class declares to affect `key`, by its class methods or by
  /// ``setKeys(_:triggering:)``.
  ///
  /// - Throws: `KeyValueError` if a class method answers what is no set of strings;
  ///   `KeyValueError.Code.tooDeep` if one asks for what it is asked for.
  /// - Note: Source `keyPathsForValuesAffectingValueForKey:`, NSKeyValueObserving.h.
  public func keyPathsAffecting(_ key: String) throws(KeyValueError) -> Set<String> {
    try keyPaths(key) { kvo_class_copy_affecting(cls, key, $0) }
  }

  /// All that affects `key` through one another: what the class declares, what it declares to
  /// affect those, and so on; without `key` itself.
  ///
  /// - Throws: Also `KeyValueError.Code.selfDependent`.
  public func dependencyClosure(of key: String) throws(KeyValueError) -> Set<String> {
    try keyPaths(key) { kvo_class_copy_all_affecting(cls, key, $0) }
  }

  /// Declares that `keys` affect `dependentKey`, instead of what was declared so before. A class
  /// method that declares what affects the key is asked instead; keys with a dot are left out.
  ///
  /// - Throws: `KeyValueError` when memory is short.
  /// - Note: Source `setKeys:triggerChangeNotificationsForDependentKey:`, NSKeyValueObserving.h.
  public func setKeys(_ keys: [String], triggering dependentKey: String) throws(KeyValueError) {
    let array = RuntimeValue.array(keys.map { RuntimeValue($0) })
    let outcome = answered(dependentKey) { kvo_class_set_keys(cls, array.object?.id, dependentKey) }
    try KeyValueError.check(outcome, key: dependentKey, className: name)
  }

  private func keyPaths(
    _ key: String, _ copy: CopyObject
  ) throws(KeyValueError) -> Set<String> {
    Set(try takeValue(key, className: name, copy).elements?.compactMap(\.string) ?? [])
  }
}
