public import IsaKeyValue

extension KeyValueObservable {
  // Without the label the compiler would take a misspelt key path for a text, and say so.

  /// Observes a key path by name, with values of any type.
  ///
  ///     let token = try selection.observe(keyPath: "name", options: .new) { selection, change in
  ///       show(change.newValue ?? nil)
  ///     }
  ///
  /// A value is what `value(forKeyPath:)` answers: nil for nil. A value that the change does not tell,
  /// as the old value without `ObservationOptions.old`, is nil as well.
  ///
  /// - Throws: As ``observe(_:as:options:changeHandler:file:line:)``, but of a type that does not fit.
  public func observe(
    keyPath: String, options: ObservationOptions = [],
    changeHandler: @escaping (Self, ValueChange<Any?>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> KeyValueObservation {
    try observe(
      keyPath, as: Any?.self, options: options, changeHandler: changeHandler, file: file, line: line
    )
  }
}
