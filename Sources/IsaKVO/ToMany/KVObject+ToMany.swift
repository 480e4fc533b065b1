internal import IsaKeyValue

extension KeyValueObservable {
  /// The array of a property, whose changes tell observers which elements came and went.
  ///
  ///     team.mutableArrayValue(for: \.members).append(ann)
  ///
  /// - Parameters:
  ///   - keyPath: A wrapped or declared property of this object, or of an object that the key path
  ///     leads to at this moment. Any other is a misuse, and the array then no object's.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
  public func mutableArrayValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, [Element]>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> ArrayProxy<Element> {
    endingMisuse(ArrayProxy(), file, line) { () throws(KeyValueError) in
      let (object, key) = try codedEnd(of: keyPath)
      return ArrayProxy(try ToManyPlace(array: key, of: object))
    }
  }

  /// The set of a property, whose changes tell observers which elements came and went.
  ///
  ///     page.mutableSetValue(for: \.tags).insert("new")
  ///
  /// As ``mutableArrayValue(for:file:line:)``.
  ///
  /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
  public func mutableSetValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, Set<Element>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> SetProxy<Element> {
    endingMisuse(SetProxy(), file, line) { () throws(KeyValueError) in
      let (object, key) = try codedEnd(of: keyPath)
      return SetProxy(try ToManyPlace(set: key, of: object))
    }
  }
}
