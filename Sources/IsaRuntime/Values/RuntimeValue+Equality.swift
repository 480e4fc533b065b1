extension RuntimeValue {
  /// The value in a box; any other value itself.
  public var unboxed: RuntimeValue {
    guard case .object(let object?) = content else { return self }
    return contents(of: object) ?? self
  }

  /// The value as an object: a number, a struct or a text in a box, an object as itself.
  ///
  /// - Throws: `KeyValueError.Code.incompatible` for nil and for what no box can hold;
  ///   `KeyValueError.Code.outOfMemory`.
  public func boxed() throws(KeyValueError) -> RuntimeObject {
    if let object = try boxedObject() { return object }
    throw KeyValueError(.incompatible, reason: "\(self) of type \(encoding) cannot be boxed")
  }
}

extension RuntimeValue: Hashable {
  /// Whether the values are equal: numbers of any types by what they amount to, as in boxes;
  /// objects as they say themselves, collections by their elements; any other value if type and
  /// value are the same. A value in a box is compared as if it were not in one.
  public static func == (first: RuntimeValue, second: RuntimeValue) -> Bool {
    if first.isIdentical(to: second) { return true }
    guard let one = first.compared, let other = second.compared else {
      return first.unboxed.isIdentical(to: second.unboxed)
    }
    return areEqual(one, other)
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    if let compared { return hasher.combine(boxHash(compared)) }
    let value = unboxed
    hasher.combine(value.encoding)
    hasher.combine(value.content)
  }

  private func isIdentical(to other: RuntimeValue) -> Bool {
    encoding == other.encoding && content == other.content
  }

  /// The object that is asked in the value's place: itself, or a number's box.
  private var compared: RuntimeObject? {
    switch content {
    case .object(let object?):
      switch object.boxKind {
      case .string, .value: nil
      default: object
      }
    case .bool, .signed, .unsigned, .float, .double, .longDouble: (try? boxedObject()) ?? nil
    default: nil
    }
  }
}
