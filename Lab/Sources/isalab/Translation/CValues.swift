/// Literals as C has them.
struct CValues {
  let scope: TranslationScope

  // MARK: Values of a type

  /// A value as a setter of that type takes it by `ISA_SET`.
  func value(_ literal: Literal, _ type: ValueType) -> String {
    if type.encoding.hasPrefix("{") {
      return "((\(CTypes.name(of: type)))\(members(literal, type.encoding)))"
    }
    if type.isObject {
      switch literal.kind {
      case .nothing: return "(isa_id)NULL"
      case .text(let text): return text.quoted
      default: return object(literal, as: type.name)
      }
    }
    return scalar(literal, type.encoding)
  }

  /// `{10, 20}`, or `{{10, 20}, {300, 200}}`.
  private func members(_ literal: Literal, _ encoding: String) -> String {
    if encoding.hasPrefix("["), case .array(let elements) = literal.kind {
      let element = CTypes.element(of: encoding)
      return "{" + elements.map { members($0, element) }.joined(separator: ", ") + "}"
    }
    guard encoding.hasPrefix("{"), case .structure(let members) = literal.kind else {
      return encoding.hasPrefix("@") ? object(literal, as: "object") : scalar(literal, encoding)
    }
    let values = zip(members, CTypes.members(of: encoding)).map { self.members($0.value, $1) }
    return "{" + values.joined(separator: ", ") + "}"
  }

  private func scalar(_ literal: Literal, _ encoding: String) -> String {
    switch literal.kind {
    case .nothing: return "(\(CTypes.name(of: encoding)))NULL"
    case .text(let text): return encoding == "*" ? "(char *)\(text.quoted)" : text.quoted
    case .bool(let flag): return flag ? "(bool)true" : "(bool)false"
    case .name(let name):
      return encoding == "#" ? CTranslator.name(name) : "isa_sel_register(\(name.quoted))"
    case .integer(let digits): return number(digits, encoding)
    case .decimal(let digits): return encoding == "D" ? digits + "L" : digits
    default: return "\(literal)"
    }
  }

  private func number(_ digits: String, _ encoding: String) -> String {
    switch encoding.first {
    case "^": return "(void *)\(digits)"
    case "Q": return digits + "ull"
    case "D": return digits.hasPrefix("0x") ? digits : digits + ".0L"
    case "q" where Int64(digits) == .min: return "INT64_MIN"
    default: return digits
    }
  }

  // MARK: Objects

  /// A literal as an object, for `setValue:forKey:`; a struct takes the property's type.
  func keyed(_ literal: Literal, _ type: ValueType?) -> String {
    if let type, case .structure = literal.kind {
      return "boxed(\(type.encoding.quoted), &\(value(literal, type)))"
    }
    let isCollection = type.map { CollectionType.named[$0.name] != nil } ?? false
    return object(literal, as: isCollection ? type!.name : "object")
  }

  /// A literal as an object.
  func object(_ literal: Literal, as type: String = "object") -> String {
    switch literal.kind {
    case .nothing: return "NULL"
    case .null: return "kvc_null()"
    case .name(let name): return CTranslator.name(name)
    case .text(let text): return "string(\(text.quoted))"
    case .bool(let flag): return "boolean(\(flag))"
    case .integer(let digits):
      return Int64(scenario: digits) == nil
        ? "boxed(\"Q\", &(uint64_t){\(digits)ull})" : "integer(\(number(digits, "q")))"
    case .decimal(let digits): return "real(\(digits))"
    case .structure: return "NULL"
    case .array, .set, .dictionary: return collection(literal, CollectionType.named[type])
    }
  }

  private func collection(_ literal: Literal, _ type: CollectionType?) -> String {
    let isMutable = type?.isMutable ?? false
    let prefix = isMutable ? "mutable_" : ""
    switch literal.kind {
    case .array(let elements):
      return made(
        prefix + (type?.kind == .orderedSet ? "ordered_set" : "array"), elements, isMutable)
    case .set(let members):
      return made(prefix + (type?.kind == .dictionary ? "dictionary" : "set"), members, isMutable)
    case .dictionary(let entries):
      let pairs = entries.map { "\($0.key.text.quoted), \(element($0.value, isMutable))" }
      return "\(prefix)dictionary(\((["\(entries.count)"] + pairs).joined(separator: ", ")))"
    default: return "NULL"
    }
  }

  private func made(_ function: String, _ elements: [Literal], _ isMutable: Bool) -> String {
    let objects = elements.map { element($0, isMutable) }
    return "\(function)(\((["\(elements.count)"] + objects).joined(separator: ", ")))"
  }

  /// A collection in one can change if that one can.
  private func element(_ literal: Literal, _ isMutable: Bool) -> String {
    switch literal.kind {
    case .array: object(literal, as: isMutable ? "mutable-array" : "array")
    case .set: object(literal, as: isMutable ? "mutable-set" : "set")
    case .dictionary: object(literal, as: isMutable ? "mutable-dictionary" : "dictionary")
    default: object(literal)
    }
  }
}
