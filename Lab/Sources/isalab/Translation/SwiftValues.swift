/// Literals as Swift has them.
struct SwiftValues {
  let scope: TranslationScope
  let null: String

  /// A value of a declared type.
  func value(_ literal: Literal, _ type: ValueType) -> String {
    if type.isObject { return typed(literal, type) }
    return value(literal, encoding: type.encoding)
  }

  private func value(_ literal: Literal, encoding: String) -> String {
    switch (encoding.first, literal.kind) {
    case ("{", .structure(let members)): return structure(members, encoding)
    case ("[", .array(let elements)):
      let element = CTypes.element(of: encoding)
      return "[" + elements.map { value($0, encoding: element) }.joined(separator: ", ") + "]"
    case ("@", _): return object(literal)
    case (":", .name(let name)): return "Selector(\(name.quoted))"
    case ("#", .name(let name)): return SwiftTypes.typeName(name) + ".self"
    case ("^", .integer(let digits)): return "UnsafeRawPointer(bitPattern: \(digits))"
    default: return plain(literal)
    }
  }

  private func structure(_ members: [Literal.Member], _ encoding: String) -> String {
    let name = String(encoding.dropFirst().prefix { $0 != "=" })
    let types = CTypes.members(of: encoding)
    let labels = scope.symbols.labels[name] ?? types.indices.map { "_\($0)" }
    let fields = zip(labels, zip(members, types)).map { label, part in
      "\(label): \(value(part.0.value, encoding: part.1))"
    }
    return "\(SwiftTypes.typeName(name))(\(fields.joined(separator: ", ")))"
  }

  private func typed(_ literal: Literal, _ type: ValueType) -> String {
    if case .name(let name) = literal.kind, scope.symbols.classes[type.name] != nil {
      return SwiftTypes.name(name)
    }
    return object(literal)
  }

  /// A value of no particular type.
  func object(_ literal: Literal) -> String {
    switch literal.kind {
    case .name(let name):
      // An optional would be an optional in a value of any type.
      return SwiftTypes.name(name) + (scope.released.contains(name) ? "!" : "")
    case .array(let elements), .set(let elements):
      return "[" + elements.map(object).joined(separator: ", ") + "]"
    case .dictionary(let entries):
      let pairs = entries.map { "\($0.key.text.quoted): \(object($0.value))" }
      return pairs.isEmpty ? "[:]" : "[" + pairs.joined(separator: ", ") + "]"
    default: return plain(literal)
    }
  }

  private func plain(_ literal: Literal) -> String {
    switch literal.kind {
    case .null: null
    case .text(let text): text.quoted
    default: "\(literal)"
    }
  }

  /// A collection with a name of its own, as an object of the runtime's.
  func runtimeValue(_ literal: Literal, isMutable: Bool, kind: CollectionType.Kind? = nil) -> String
  {
    let tail = isMutable ? ", isMutable: true" : ""
    func list(_ elements: [Literal]) -> String {
      "[" + elements.map { runtimeValue($0, isMutable: isMutable) }.joined(separator: ", ") + "]"
    }
    switch literal.kind {
    case .array(let elements):
      return ".\(kind == .orderedSet ? "orderedSet" : "array")(\(list(elements))\(tail))"
    case .set(let elements):
      return kind == .dictionary && elements.isEmpty
        ? ".dictionary([:]\(tail))" : ".set(\(list(elements))\(tail))"
    case .dictionary(let entries):
      let pairs = entries.map {
        "\($0.key.text.quoted): \(runtimeValue($0.value, isMutable: isMutable))"
      }
      return ".dictionary([\(pairs.isEmpty ? ":" : pairs.joined(separator: ", "))]\(tail))"
    case .null: return ".null"
    case .name(let name):
      return scope.collectionType(of: Name(text: name, location: literal.location)) == nil
        ? "RuntimeValue(try RuntimeObject(\(SwiftTypes.name(name))))"
        : "RuntimeValue(\(SwiftTypes.name(name)))"
    default: return plain(literal)
    }
  }
}
