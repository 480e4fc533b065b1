internal import CIsa
public import IsaKeyValue

// Values where they stand: past getters and setters, past what a class made at run time answers, and
// told to nobody.

extension KeyValueObservable {
  /// The value of a wrapped property as it stands in the object: no getter is asked, and nothing
  /// that the class would do to find the value is done.
  ///
  ///     let cached = order.primitiveValue(for: \.total)
  ///
  /// - Parameters:
  ///   - keyPath: A wrapped property of this object. Any other stops the process.
  ///   - file: The call's file, for the report.
  ///   - line: The call's line.
  /// - Note: Source `primitiveValueForKey:`, NSManagedObject.h.
  public func primitiveValue<Value>(
    for keyPath: KeyPath<Self, Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    do throws(KeyValueError) {
      let (object, field): (KVObject, TypedField<Value>) = try storedEnd(of: keyPath)
      return field.value(of: object)
    } catch {
      preconditionFailure(error.description, file: file, line: line)
    }
  }

  /// Sets a wrapped property where it stands, and tells nobody: for a value that is no news, such as a
  /// fetched one.
  ///
  ///     order.setPrimitiveValue(lines, for: \.lines)
  ///
  /// Neither `didSet` nor a setter of the class runs. Observations of key paths that lead on from the
  /// property, and of computed properties that read it, follow the new value from then on: they tell of
  /// changes behind it.
  ///
  /// - Parameters:
  ///   - value: The property's new value.
  ///   - keyPath: A wrapped property of this object, or of an object that the key path leads to at
  ///     this moment. Any other is a misuse, and nothing is set.
  ///   - following: False leaves observations with what the property had before, until they hear of a
  ///     change or ``KVObject/followPrimitiveValues(forKeys:)`` is called: for a value that is let go of
  ///     and will be fetched again. To follow a value is to read it.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source `setPrimitiveValue:forKey:`, NSManagedObject.h.
  public func setPrimitiveValue<Value>(
    _ value: Value, for keyPath: ReferenceWritableKeyPath<Self, Value>, following: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    endingMisuse((), file, line) { () throws(KeyValueError) in
      let (object, field): (KVObject, TypedField<Value>) = try storedEnd(of: keyPath)
      field.setValue(value, of: object)
      if following { object.follow(field) }
    }
  }

  private func storedEnd<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) -> (KVObject, TypedField<Value>) {
    let (object, key) = try codedEnd(of: keyPath)
    let field = try object.storedField(key)
    guard let typed = field as? TypedField<Value> else { throw object.hasNoStorage(key) }
    return (object, typed)
  }
}

extension KVObject {
  /// The value of a wrapped property as it stands in the object, of the type that it was declared with;
  /// nil for nil.
  ///
  /// As `primitiveValue(for:)`, for a key.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key that is no wrapped property's.
  /// - Note: Source `primitiveValueForKey:`, NSManagedObject.h.
  public final func primitiveValue(forKey key: String) throws(KeyValueError) -> Any? {
    try storedField(key).storedValue(of: self)
  }

  /// Sets a wrapped property where it stands, and tells nobody.
  ///
  /// As `setPrimitiveValue(_:for:)`, for a key.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key that is no wrapped property's;
  ///   `KeyValueError.Code.incompatible` for a value of another type; `KeyValueError.Code.nilValue` for
  ///   nil, if the property is not optional. The value is then as it was.
  /// - Note: Source `setPrimitiveValue:forKey:`, NSManagedObject.h.
  public final func setPrimitiveValue(
    _ value: Any?, forKey key: String, following: Bool = true
  ) throws(KeyValueError) {
    try setPrimitiveValues([key: value], following: following)
  }

  /// Sets many wrapped properties where they stand, and tells nobody. What follows them does so once
  /// all are set.
  ///
  ///     try person.setPrimitiveValues(["name": row["name"], "age": row["age"]])
  ///
  /// - Parameters:
  ///   - values: A value for each key; nil for nil.
  ///   - following: As of `setPrimitiveValue(_:for:)`.
  /// - Throws: As ``setPrimitiveValue(_:forKey:following:)``; no value is set then.
  public final func setPrimitiveValues(
    _ values: [String: Any?], following: Bool = true
  ) throws(KeyValueError) {
    var fields: [(field: Field, value: Any?)] = []
    fields.reserveCapacity(values.count)
    for (key, value) in values {
      let field = try storedField(key)
      guard field.takes(value) else {
        throw value == nil
          ? noNil(key)
          : KeyValueError(expected: field.typeName, not: value, key: key, className: className)
      }
      fields.append((field, value))
    }
    for (field, value) in fields { field.setStored(value, of: self) }
    if following { for (field, _) in fields { follow(field) } }
  }

  /// Has observations of key paths that lead on from wrapped properties, and of computed properties that
  /// read them, follow the values that stand there now: after values were set without being followed.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key that is no wrapped property's.
  public final func followPrimitiveValues(forKeys keys: some Sequence<String>) throws(KeyValueError)
  {
    for key in keys { follow(try storedField(key)) }
  }

  fileprivate final func follow(_ field: Field) {
    guard isWatched, let id = adoptedID else { return }
    withAnswers { kvo_follow_value(id, field.keyText.address, SourceRegistration.notify) }
  }

  fileprivate final func storedField(_ key: String) throws(KeyValueError) -> Field {
    let field = ClassRegistration.of(try codedID(key)).fieldsByKey[key]
    guard let field, field.offset > 0 else { throw hasNoStorage(key) }
    return field
  }

  fileprivate final func hasNoStorage(_ key: String) -> KeyValueError {
    KeyValueError(
      .undefinedKey, key: key, className: className,
      reason: "“\(key)” of \(className) has no storage of its own",
      cure: "wrap it with @Dynamic")
  }
}
