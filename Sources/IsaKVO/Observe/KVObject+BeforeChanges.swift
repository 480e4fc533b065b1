package import IsaKeyValue

extension KVObject {
  /// Registers code that is told before each change of a wrapped property, and of a declared key that
  /// no other affects: a key that others affect changes with these.
  package final func registerBeforeChanges(
    _ notify: @escaping () -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    _ = try observedID()
    let fields = registration?.fieldsByKey.values.filter { field in
      field.offset > 0
        || type(of: self).keyPathsForValuesAffectingValue(forKey: field.key).isEmpty
    }
    return try RegistrationGroup.make { group throws(KeyValueError) in
      for field in fields ?? [] {
        let sink = Sink(
          { (_: KVObject, change: ValueChange<Any?>) in if change.isPrior { notify() } },
          isPart: false)
        group.add(try register(field.key, .prior, sink))
      }
    }
  }
}
