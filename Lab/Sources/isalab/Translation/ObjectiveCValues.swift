/// Objective-C's names for types.
enum ObjectiveCTypes {
  static let collections = [
    "array": "NSArray *", "ordered-set": "NSOrderedSet *", "set": "NSSet *",
    "dictionary": "NSDictionary *", "mutable-array": "NSMutableArray *",
    "mutable-ordered-set": "NSMutableOrderedSet *", "mutable-set": "NSMutableSet *",
    "mutable-dictionary": "NSMutableDictionary *",
  ]

  private static let scalars: [Character: String] = [
    "c": "signed char ", "s": "short ", "i": "int ", "l": "int ", "q": "NSInteger ",
    "C": "unsigned char ", "S": "unsigned short ", "I": "unsigned ", "L": "unsigned ",
    "Q": "NSUInteger ", "f": "float ", "d": "double ", "D": "long double ", "B": "BOOL ",
    "@": "id ", "#": "Class ", ":": "SEL ", "*": "char *", "^": "void *",
  ]

  /// With a blank or an asterisk at its end.
  static func name(of type: ValueType, _ scope: TranslationScope) -> String {
    if let collection = collections[type.name] { return collection }
    if type.name == "string" { return "NSString *" }
    if type.isObject, scope.symbols.classes[type.name] != nil {
      return ObjectiveCTranslator.name(type.name) + " *"
    }
    return name(of: type.encoding)
  }

  static func name(of encoding: String) -> String {
    if encoding.hasPrefix("{") { return String(encoding.dropFirst().prefix { $0 != "=" }) + " " }
    return encoding.first.flatMap { scalars[$0] } ?? "void *"
  }

  /// A definition of a struct, as a type of its own.
  static func structure(_ name: String, _ encoding: String, labels: [String: [String]]) -> String {
    let members = CTypes.members(of: encoding)
    let names = labels[name] ?? members.indices.map { "_\($0)" }
    let fields = zip(members, names).map { member, label in
      member.hasPrefix("[")
        ? "\(self.name(of: CTypes.element(of: member)))\(label)"
          + "[\(member.dropFirst().prefix { $0.isNumber })];"
        : "\(self.name(of: member))\(label);"
    }
    return "typedef struct \(name) { \(fields.joined(separator: " ")) } \(name);"
  }
}

/// Literals as Objective-C has them.
struct ObjectiveCValues {
  let scope: TranslationScope

  /// A value of a declared type.
  func value(_ literal: Literal, _ type: ValueType) -> String {
    if type.isObject { return object(literal, as: type.name) }
    if type.encoding.hasPrefix("{") {
      return
        "(\(ObjectiveCTypes.name(of: type.encoding).dropLast()))\(members(literal, type.encoding))"
    }
    return scalar(literal, type.encoding)
  }

  private func members(_ literal: Literal, _ encoding: String) -> String {
    switch (encoding.first, literal.kind) {
    case ("[", .array(let elements)):
      let element = CTypes.element(of: encoding)
      return "{" + elements.map { members($0, element) }.joined(separator: ", ") + "}"
    case ("{", .structure(let members)):
      let values = zip(members, CTypes.members(of: encoding)).map { self.members($0.value, $1) }
      return "{" + values.joined(separator: ", ") + "}"
    case ("@", _): return object(literal)
    default: return scalar(literal, encoding)
    }
  }

  private func scalar(_ literal: Literal, _ encoding: String) -> String {
    switch literal.kind {
    case .nothing: return encoding.hasPrefix("#") ? "Nil" : "NULL"
    case .bool(let flag): return flag ? "YES" : "NO"
    case .text(let text): return text.quoted
    case .name(let name):
      return encoding == "#"
        ? ObjectiveCTranslator.name(name) + ".class" : "@selector(\(name))"
    case .integer(let digits):
      if encoding == "^v" { return "(void *)\(digits)" }
      if encoding == "Q" { return digits + "u" }
      return Int64(digits) == .min ? "NSIntegerMin" : digits
    default: return "\(literal)"
    }
  }

  // MARK: Objects

  /// A literal for `setValue:forKey:`.
  func keyed(_ literal: Literal, _ type: ValueType?) -> String {
    guard let type, case .structure = literal.kind else {
      let isCollection = type.map { CollectionType.named[$0.name] != nil } ?? false
      return object(literal, as: isCollection ? type!.name : "object")
    }
    let name = ObjectiveCTypes.name(of: type.encoding).dropLast()
    return "[NSValue valueWithBytes:&\(value(literal, type)) objCType:@encode(\(name))]"
  }

  func object(_ literal: Literal, as type: String = "object") -> String {
    switch literal.kind {
    case .nothing: return "nil"
    case .null: return "NSNull.null"
    case .name(let name): return ObjectiveCTranslator.name(name)
    case .text(let text): return text.at
    case .bool(let flag): return flag ? "@YES" : "@NO"
    case .integer(let digits): return Int64(digits) == .min ? "@(NSIntegerMin)" : "@\(digits)"
    case .decimal(let digits): return "@\(digits)"
    case .structure: return "nil"
    case .array, .set, .dictionary: return collection(literal, CollectionType.named[type])
    }
  }

  private func collection(_ literal: Literal, _ type: CollectionType?) -> String {
    let isMutable = type?.isMutable ?? false
    let word = isMutable ? "Mutable" : ""
    switch literal.kind {
    case .array(let elements):
      let list = self.list(elements)
      if type?.kind == .orderedSet { return "[NS\(word)OrderedSet orderedSetWithArray:\(list)]" }
      return isMutable ? "[\(list) mutableCopy]" : list
    case .set(let members):
      if type?.kind == .dictionary { return isMutable ? "[@{} mutableCopy]" : "@{}" }
      return "[NS\(word)Set setWithArray:\(list(members))]"
    case .dictionary(let entries):
      let pairs = entries.map { "\($0.key.text.at): \(object($0.value))" }
      let dictionary = "@{\(pairs.joined(separator: ", "))}"
      return isMutable ? "[\(dictionary) mutableCopy]" : dictionary
    default: return "nil"
    }
  }

  private func list(_ elements: [Literal]) -> String {
    "@[\(elements.map { object($0) }.joined(separator: ", "))]"
  }
}
