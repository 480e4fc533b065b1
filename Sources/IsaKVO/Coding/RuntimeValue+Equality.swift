extension RuntimeValue {
  /// The value in a box; any other value itself.
  public var unboxed: RuntimeValue {
    guard case .object(let object?) = content else { return self }
    return contents(of: object) ?? self
  }
}

extension RuntimeValue: Hashable {
  /// Whether type and value are the same. What is in a box is compared as if it were not, a
  /// collection by its elements, any other object by its identity.
  public static func == (first: RuntimeValue, second: RuntimeValue) -> Bool {
    if first.isIdentical(to: second) { return true }
    guard first.isObject || second.isObject else { return false }
    let first = first.unboxed
    let second = second.unboxed
    if case .object(let one?) = first.content, case .object(let other?) = second.content {
      return isBox(one) && isBox(other) && areEqual(one, other)
    }
    return first.isIdentical(to: second)
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    let value = unboxed
    if case .object(let object?) = value.content, isBox(object) {
      hasher.combine(boxHash(object))
    } else {
      hasher.combine(value.encoding)
      hasher.combine(value.content)
    }
  }

  private func isIdentical(to other: RuntimeValue) -> Bool {
    encoding == other.encoding && content == other.content
  }

  private var isObject: Bool { if case .object(_?) = content { true } else { false } }
}
