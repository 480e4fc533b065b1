import IsaRuntime

/// The source of names for what a decoder finds.
protocol NameSource {
  func name(of object: RuntimeObject) -> String
  func name(of cls: RuntimeClass) -> String
  /// Puts a value inside of others into words, unless there are too many of them.
  func nested(_ body: () -> Value) -> Value
}

/// Shows the runtime's values as a scenario does.
struct ValueDecoder {
  var labels: [String: [String]]
  var names: any NameSource

  func value(_ value: RuntimeValue) -> Value { self.value(value, as: value.encoding.text) }

  /// - Parameter encoding: The type as it is declared, which may name structs that the value's own
  ///   encoding does not.
  func value(_ value: RuntimeValue, as encoding: String) -> Value {
    guard let layout = Layout(encoding, labels: labels) else { return .opaque(encoding) }
    return self.value(value, layout)
  }

  private func value(_ value: RuntimeValue, _ layout: Layout) -> Value {
    switch layout {
    case .scalar(let letter): scalar(value, letter)
    case .structure(_, let fields):
      .structure(
        zip(fields, value.members ?? []).map {
          Value.Member(label: $0.label, value: self.value($1, $0.layout))
        })
    case .array(_, _, let element): .array((value.members ?? []).map { self.value($0, element) })
    }
  }

  private func scalar(_ value: RuntimeValue, _ letter: Character) -> Value {
    switch letter {
    case "c", "s", "i", "l", "q": .integer(Int64(value.int ?? 0))
    case "C", "S", "I", "L", "Q": .unsigned(UInt64(value.uint ?? 0))
    case "B": .bool(value.bool ?? false)
    case "f", "d", "D": real(value.description)
    default: value.isNil ? .nothing : reference(value)
    }
  }

  /// Whole numbers are shown as one would write them: 40, not 40.0.
  private func real(_ digits: String) -> Value {
    .real(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }

  private func reference(_ value: RuntimeValue) -> Value {
    if let cls = value.runtimeClass { return .name(names.name(of: cls)) }
    if let object = value.object {
      return names.nested { contents(of: object) ?? .name(names.name(of: object)) }
    }
    if let selector = value.selector { return .name(selector.name) }
    return value.string.map { .text($0) } ?? .pointer(value.address ?? 0)
  }
}

// MARK: - Contents of objects

extension ValueDecoder {
  /// The contents of a text, number or collection; nil for any other object.
  func contents(of object: RuntimeObject) -> Value? {
    let value = RuntimeValue(object)
    switch object.boxKind {
    case .string: return .text(value.string ?? "")
    case .number, .value: return boxed(object)
    case .null: return .null
    case .array, .orderedSet: return .array(elements(of: value))
    case .set: return .set(elements(of: value).sorted(by: Value.isShownBefore))
    case .dictionary: return dictionary(value)
    case nil: return nil
    }
  }

  private func elements(of value: RuntimeValue) -> [Value] {
    (value.elements ?? []).map { element($0) }
  }

  /// An element, which the runtime takes out of its box.
  private func element(_ value: RuntimeValue) -> Value {
    value.object == nil ? names.nested { self.value(value) } : self.value(value)
  }

  private func boxed(_ object: RuntimeObject) -> Value {
    let value = RuntimeValue(object)
    // It has more digits than any other number that it could be read as.
    if let decimal = RuntimeClass.find(named: "IsaDecimalNumber"), object.isKind(of: decimal) {
      return .real(value.description)
    }
    return self.value(value.unboxed)
  }

  private func dictionary(_ value: RuntimeValue) -> Value {
    let entries = (value.entries ?? []).map {
      Value.Entry(key: element($0.key), value: element($0.value))
    }
    return .dictionary(entries.sorted { $0.key.description < $1.key.description })
  }
}
