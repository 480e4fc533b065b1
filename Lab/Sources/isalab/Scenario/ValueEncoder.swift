import IsaRuntime

/// The source of objects for the names and texts in a literal.
protocol ObjectSource {
  func object(named name: String) -> RuntimeValue?
  func cls(named name: String) -> RuntimeValue?
  func object(ofText text: String) -> RuntimeValue
  /// A number, or truth value, as an object.
  func box(_ value: RuntimeValue) -> RuntimeValue
  func collection(of elements: [RuntimeValue], _ type: CollectionType) -> RuntimeValue
  func dictionary(_ entries: [(key: String, value: RuntimeValue)], isMutable: Bool) -> RuntimeValue
}

/// Makes the value of a type that a literal stands for, or says why the two do not fit.
struct ValueEncoder {
  var file: String
  var labels: [String: [String]]
  var objects: any ObjectSource

  /// - Throws: a diagnostic at the literal, or at the part of it that does not fit.
  func value(of literal: Literal, as type: ValueType) throws(Diagnostic) -> RuntimeValue {
    guard let layout = Layout(type.encoding, labels: labels) else {
      throw mismatch(literal, Text("meaning.needs-notation", ["type": type.name]))
    }
    if type.isObject { return try object(literal, as: type.name) }
    return try value(of: literal, layout, RuntimeTypeEncoding(type.encoding))
  }

  private func value(
    of literal: Literal, _ layout: Layout, _ encoding: RuntimeTypeEncoding
  ) throws(Diagnostic) -> RuntimeValue {
    switch layout {
    case .scalar(let letter):
      let value = try scalar(literal, letter)
      return try converted(literal) { () throws(KeyValueError) in try value.converted(to: encoding)
      }
    case .structure(_, let fields):
      let literals = try members(of: literal, fields)
      return try aggregate(literal, encoding, literals, fields.map(\.layout))
    case .array(let count, _, let element):
      guard case .array(let literals) = literal.kind, literals.count == count else {
        throw mismatch(literal, Text("meaning.count-of-values", ["count": count]))
      }
      return try aggregate(literal, encoding, literals, literals.map { _ in element })
    }
  }

  private func aggregate(
    _ literal: Literal, _ encoding: RuntimeTypeEncoding, _ literals: [Literal], _ layouts: [Layout]
  ) throws(Diagnostic) -> RuntimeValue {
    var members: [RuntimeValue] = []
    for ((literal, layout), type) in zip(zip(literals, layouts), encoding.memberTypes) {
      members.append(try value(of: literal, layout, type))
    }
    return try converted(literal) { () throws(KeyValueError) in
      try RuntimeValue(encoding, members: members)
    }
  }

  private func converted(
    _ literal: Literal, _ make: () throws(KeyValueError) -> RuntimeValue
  ) throws(Diagnostic) -> RuntimeValue {
    do throws(KeyValueError) { return try make() } catch {
      throw mismatch(literal, Text(same: error.reason))
    }
  }

  private func members(
    of literal: Literal, _ fields: [Layout.Field]
  ) throws(Diagnostic) -> [Literal] {
    let names = fields.compactMap(\.label)
    let shape =
      names.count == fields.count && !names.isEmpty ? ": " + names.joined(separator: ", ") : ""
    guard case .structure(let members) = literal.kind, members.count == fields.count else {
      throw mismatch(
        literal, Text("meaning.count-of-fields", ["count": fields.count, "shape": shape]))
    }
    for (member, field) in zip(members, fields) {
      guard let label = member.label, label.text != field.label else { continue }
      throw Diagnostic(
        file: file, location: label.location,
        problem: Text("meaning.not-field-name", ["name": label]),
        expected: field.label.map { Text(same: "'\($0):'") } ?? Text("meaning.value-without-name"))
    }
    return members.map(\.value)
  }

  private func scalar(_ literal: Literal, _ letter: Character) throws(Diagnostic) -> RuntimeValue {
    switch letter {
    case "c": return try integer(literal, Int8.self)
    case "s": return try integer(literal, Int16.self)
    case "i", "l": return try integer(literal, Int32.self)
    case "q": return try integer(literal, Int64.self)
    case "C": return try integer(literal, UInt8.self)
    case "S": return try integer(literal, UInt16.self)
    case "I", "L": return try integer(literal, UInt32.self)
    case "Q": return try integer(literal, UInt64.self)
    case "B": return RuntimeValue(try bool(literal))
    case "f": return RuntimeValue(Float(try real(literal, Float.self)))
    case "d", "D": return RuntimeValue(try real(literal, Double.self))
    case "@": return try object(literal, as: "object")
    default: return try reference(literal, letter)
    }
  }

  private func integer<Number: FixedWidthInteger & RuntimeConvertible>(
    _ literal: Literal, _ type: Number.Type
  ) throws(Diagnostic) -> RuntimeValue {
    guard case .integer(let digits) = literal.kind, let number = Number(scenario: digits) else {
      throw mismatch(
        literal,
        Text("meaning.whole-number", ["least": "\(Number.min)", "greatest": "\(Number.max)"]))
    }
    return RuntimeValue(number)
  }

  private func bool(_ literal: Literal) throws(Diagnostic) -> Bool {
    guard case .bool(let flag) = literal.kind else {
      throw mismatch(literal, Text("meaning.true-or-false"))
    }
    return flag
  }

  /// The number that a literal is, if it lies in the range of `Number`.
  private func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ literal: Literal, _ type: Number.Type
  ) throws(Diagnostic) -> Double {
    switch literal.kind {
    case .integer(let digits), .decimal(let digits):
      guard let number = Double(digits) else { break }
      if Number(number).isFinite { return number }
      let most = Number.greatestFiniteMagnitude
      throw mismatch(literal, Text("meaning.number-range", ["most": "\(most)"]))
    default: break
    }
    throw mismatch(literal, Text("meaning.a-number"))
  }

  private func reference(
    _ literal: Literal, _ letter: Character
  ) throws(Diagnostic) -> RuntimeValue {
    if literal.kind == .nothing { return .nilObject }
    switch (letter, literal.kind) {
    case ("*", .text(let text)): return RuntimeValue(text)
    case ("#", .name(let name)):
      if let cls = objects.cls(named: name) { return cls }
    case (":", .name(let name)): return RuntimeValue(RuntimeSelector(name))
    case ("^", .integer(let digits)):
      if let address = UInt(scenario: digits) { return .pointer(address: address) }
    default: break
    }
    throw mismatch(literal, notation(ofReference: letter))
  }

  private func notation(ofReference letter: Character) -> Text {
    switch letter {
    case "*": Text("meaning.text-or-nil")
    case "#": Text("meaning.class-or-nil")
    case ":": Text("meaning.selector-or-nil")
    default: Text("meaning.address-or-nil")
    }
  }

  // MARK: Objects

  /// An object of the type that is called `type`.
  private func object(_ literal: Literal, as type: String) throws(Diagnostic) -> RuntimeValue {
    if let collection = CollectionType.named[type] {
      return try self.collection(literal, collection)
    }
    switch literal.kind {
    case .nothing: return .nilObject
    case .text(let text): return objects.object(ofText: text)
    case .name where type == "string":
      throw mismatch(literal, Text("meaning.text-for-string"))
    case .name(let name):
      if let object = objects.object(named: name) { return object }
    default:
      if type == "object" || type.hasPrefix("@"), let box = try boxed(literal) { return box }
    }
    let names = Text("meaning.object-text-nil")
    throw mismatch(
      literal,
      type == "object" || type.hasPrefix("@")
        ? Text("meaning.number-collection", ["names": names]) : names)
  }

  private func collection(
    _ literal: Literal, _ type: CollectionType
  ) throws(Diagnostic) -> RuntimeValue {
    switch (literal.kind, type.kind) {
    case (.nothing, _): return .nilObject
    case (.name(let name), _):
      if let object = objects.object(named: name) { return object }
    case (.array(let elements), .array), (.array(let elements), .orderedSet),
      (.set(let elements), .set):
      return try collection(elements, type)
    case (.dictionary(let entries), .dictionary):
      return try dictionary(entries, isMutable: type.isMutable)
    case (.set(let elements), .dictionary) where elements.isEmpty:
      return objects.dictionary([], isMutable: type.isMutable)
    default: break
    }
    throw mismatch(literal, type.notation)
  }

  private func collection(
    _ elements: [Literal], _ type: CollectionType
  ) throws(Diagnostic) -> RuntimeValue {
    var values: [RuntimeValue] = []
    for element in elements { values.append(try self.element(element, type.isMutable)) }
    return objects.collection(of: values, type)
  }

  private func dictionary(
    _ entries: [Literal.Entry], isMutable: Bool
  ) throws(Diagnostic) -> RuntimeValue {
    var pairs: [(key: String, value: RuntimeValue)] = []
    for entry in entries { pairs.append((entry.key.text, try element(entry.value, isMutable))) }
    return objects.dictionary(pairs, isMutable: isMutable)
  }

  /// A collection in one can change if that one can.
  private func element(_ literal: Literal, _ isMutable: Bool) throws(Diagnostic) -> RuntimeValue {
    switch literal.kind {
    case .nothing: throw mismatch(literal, Text("meaning.null-in-collection"))
    case .array(let elements):
      return try collection(elements, CollectionType(kind: .array, isMutable: isMutable))
    case .set(let elements):
      return try collection(elements, CollectionType(kind: .set, isMutable: isMutable))
    case .dictionary(let entries): return try dictionary(entries, isMutable: isMutable)
    default: return try object(literal, as: "object")
    }
  }

  /// A number, truth value or collection as an object; nil for what has no type of its own.
  private func boxed(_ literal: Literal) throws(Diagnostic) -> RuntimeValue? {
    switch literal.kind {
    case .null: return .null
    case .bool(let flag): return objects.box(RuntimeValue(flag))
    case .integer(let digits):
      if let number = Int64(scenario: digits) { return objects.box(RuntimeValue(number)) }
      return objects.box(try integer(literal, UInt64.self))
    case .decimal: return objects.box(RuntimeValue(try real(literal, Double.self)))
    case .array, .set, .dictionary: return try element(literal, false)
    default: return nil
    }
  }

  private func mismatch(_ literal: Literal, _ expected: Text) -> Diagnostic {
    Diagnostic(
      file: file, location: literal.location,
      problem: Text("meaning.value-misfit", ["value": literal]),
      expected: expected)
  }
}
