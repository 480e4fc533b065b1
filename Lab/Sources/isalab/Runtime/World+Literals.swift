import IsaRuntime

// The values of literals. The objects among them are kept until the statement is done.

extension World: ObjectSource {
  func object(named name: String) -> RuntimeValue? { objects[name].map { RuntimeValue($0) } }

  func cls(named name: String) -> RuntimeValue? {
    RuntimeClass.find(named: name).map { RuntimeValue($0) }
  }

  func object(ofText text: String) -> RuntimeValue { kept(RuntimeValue(text)) }

  func box(_ value: RuntimeValue) -> RuntimeValue { kept(value) }

  func collection(of elements: [RuntimeValue], _ type: CollectionType) -> RuntimeValue {
    releaseLater(type.collection(of: elements))
  }

  func dictionary(
    _ entries: [(key: String, value: RuntimeValue)], isMutable: Bool
  ) -> RuntimeValue {
    guard isMutable else {
      return releaseLater(
        .dictionary(entries: entries.map { (RuntimeValue($0.key), $0.value) }))
    }
    // A class of the scenario's own: its notifying class goes with it.
    guard let made = try? existingClass(Symbols.dictionaryClass).allocate() else {
      return .nilObject
    }
    for (key, value) in entries { try? made.setValue(value, forKey: key) }
    return releaseLater(RuntimeValue(made))
  }

  /// The value as an object.
  private func kept(_ value: RuntimeValue) -> RuntimeValue {
    releaseLater(RuntimeValue(try? value.boxed()))
  }

  /// The literal as an object.
  func value(of literal: Literal, as typeName: String = "object") throws(KeyValueError)
    -> RuntimeValue
  {
    try value(of: literal, as: ValueType(name: typeName, encoding: "@"))
  }

  func value(of literal: Literal, as type: ValueType) throws(KeyValueError) -> RuntimeValue {
    let encoder = ValueEncoder(file: "", labels: symbols.labels, objects: self)
    do throws(Diagnostic) {
      return try encoder.value(of: literal, as: type)
    } catch {
      throw KeyValueError(error)
    }
  }
}

extension CollectionType {
  func collection(of elements: [RuntimeValue]) -> RuntimeValue {
    switch kind {
    case .array: .array(elements, isMutable: isMutable)
    case .orderedSet: .orderedSet(elements, isMutable: isMutable)
    case .set: .set(elements, isMutable: isMutable)
    case .dictionary: .dictionary([:], isMutable: isMutable)
    }
  }
}

extension CollectionType.Kind {
  /// The kind of a collection; nil for any other object.
  init?(_ object: RuntimeObject) {
    switch object.boxKind {
    case .array: self = .array
    case .orderedSet: self = .orderedSet
    case .set: self = .set
    case .dictionary: self = .dictionary
    default: return nil
    }
  }

  var boxKind: RuntimeBoxKind {
    switch self {
    case .array: .array
    case .orderedSet: .orderedSet
    case .set: .set
    case .dictionary: .dictionary
    }
  }
}
