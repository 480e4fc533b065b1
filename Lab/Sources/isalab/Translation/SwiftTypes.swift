/// Swift's names and types for what a scenario declares.
struct SwiftTypes {
  let scope: TranslationScope

  /// A name of the scenario as Swift may have it.
  static func name(_ text: String) -> String {
    let name = text.apart(from: taken.contains)
    return name == text ? memberName(text) : name
  }

  /// The same of a property or a struct's member, which hides nothing.
  static func memberName(_ text: String) -> String {
    keywords.contains(text) ? "`\(text)`" : text
  }

  /// A class's or struct's name.
  static func typeName(_ text: String) -> String { text.apart(from: takenTypes.contains) }

  private static let keywords: Set<String> = [
    "associatedtype", "as", "break", "case", "catch", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "operator", "precedencegroup", "private",
    "protocol", "public", "rethrows", "return", "static", "subscript", "switch", "throw", "throws",
    "try", "typealias", "var", "where", "while", "open",
  ]
  private static let taken: Set<String> = [
    "self", "super", "hears", "once", "always", "onThread", "show", "values", "value", "keep",
    "print", "type", "refused", "named", "same", "called", "check", "isRegistering", "isValid",
    "keepAlive", "runtimeClass", "shown",
  ]
  private static let takenTypes: Set<String> = [
    "Self", "Type", "Protocol", "Any", "AnyClass", "AnyHashable", "Array", "Bool", "Dictionary",
    "Double", "Float", "Int", "Int8", "Int16", "Int32", "KVObject", "NSKVObject", "Optional", "Set",
    "String", "UInt", "UInt8", "UInt16", "UInt32", "Selector", "Name", "IndexSet", "Dynamic",
    "KeyDeclaration", "KeyValueNull", "KeyValueObservation", "KeyValueProfile", "KeyValueSettings",
    "KeyValueSharedObservers", "LongDouble", "MutableArrayProxy", "MutableOrderedSetProxy",
    "MutableSetProxy", "NSNull", "ObservationContext", "RuntimeClass", "RuntimeObject",
    "RuntimeValue", "UnsafeMutableRawPointer", "UnsafeRawPointer", "Void", "WeakDynamic",
  ]

  private static let scalars: [Character: String] = [
    "c": "Int8", "s": "Int16", "i": "Int32", "l": "Int32", "q": "Int", "C": "UInt8", "S": "UInt16",
    "I": "UInt32", "L": "UInt32", "Q": "UInt", "f": "Float", "d": "Double", "D": "LongDouble",
    "B": "Bool", "#": "AnyClass?", ":": "Selector?", "*": "String?", "^": "UnsafeRawPointer?",
  ]

  /// The type of a property, and the value that it has at first; nil for nil.
  func type(of property: Symbols.Property) -> (name: String, initial: String?) {
    if let collection = CollectionType.named[property.type.name] {
      let name = SwiftTypes.name(of: collection)
      // An array whose elements are changed is never nil.
      return scope.isEdited(property) ? (name, "[]") : (name + "?", nil)
    }
    return type(property.type)
  }

  static func name(of collection: CollectionType) -> String {
    switch collection.kind {
    case .array, .orderedSet: "[Any]"
    case .set: "Set<AnyHashable>"
    case .dictionary: "[String: Any]"
    }
  }

  func type(_ type: ValueType) -> (name: String, initial: String?) {
    if type.isObject {
      if scope.symbols.classes[type.name] != nil {
        return (SwiftTypes.typeName(type.name) + "?", nil)
      }
      return (type.name == "string" ? "String?" : "Any?", nil)
    }
    return self.type(ofEncoding: type.encoding)
  }

  func type(ofEncoding encoding: String) -> (name: String, initial: String?) {
    switch encoding.first {
    case "{":
      let name = SwiftTypes.typeName(String(encoding.dropFirst().prefix { $0 != "=" }))
      return (name, name + "()")
    case "[":
      let element = type(ofEncoding: CTypes.element(of: encoding))
      let count = encoding.dropFirst().prefix { $0.isNumber }
      return ("[\(element.name)]", "Array(repeating: \(element.initial ?? "nil"), count: \(count))")
    case "@": return ("Any?", nil)
    case "B": return ("Bool", "false")
    default:
      let name = encoding.first.flatMap { SwiftTypes.scalars[$0] } ?? "Int"
      return (name, name.hasSuffix("?") ? nil : "0")
    }
  }

  /// The structs that only an encoding declares, inner ones first.
  func structures(in encoding: String) -> [String] {
    CTypes.structures(in: encoding, labels: scope.symbols.labels)
      .filter { scope.symbols.structures[$0.name] == nil }
      .map { structure($0.name, $0.encoding) }
  }

  func structure(_ name: String, _ encoding: String) -> String {
    let members = CTypes.members(of: encoding)
    let labels = scope.symbols.labels[name] ?? members.indices.map { "_\($0)" }
    let fields = zip(labels, members).map { label, member in
      let (type, initial) = type(ofEncoding: member)
      return "var \(SwiftTypes.memberName(label)): \(type)" + (initial.map { " = \($0)" } ?? "")
    }
    return "struct \(SwiftTypes.typeName(name)) { \(fields.joined(separator: "; ")) }"
  }

  // MARK: Properties

  /// The Swift property's name: that of an ivar without its underscore, where that is free. With
  /// it, it would be the storage of another property.
  func name(of property: Symbols.Property) -> String {
    let name = property.name
    guard property.declaration.isIvar, name.hasPrefix("_") else {
      return SwiftTypes.memberName(name)
    }
    let short = String(name.dropFirst())
    let others = scope.symbols.classes[property.owner]?.properties.map(\.name) ?? []
    return SwiftTypes.memberName(others.contains(short) ? "ivar" + name : short)
  }

  /// Whether setting the property by its setter tells its observers.
  func notifies(_ property: Symbols.Property) -> Bool {
    let declaration = property.declaration
    if declaration.isManual { return false }
    var found = ["set<Key>:", "_set<Key>:"].map(declaration.selector)
    if !isGNUstep(property.owner) { found.append(declaration.selector("setIs<Key>:")) }
    return declaration.setter.map(found.contains) ?? true
  }

  /// Whether a message to an accessor of elements tells: Foundation wants both ways to be there.
  func accessorsNotify(_ property: Symbols.Property) -> Bool {
    if isGNUstep(property.owner) { return true }
    for case .accessors(let names) in property.declaration.attributes where !names.isEmpty {
      let words = Set(names.map(\.text))
      let comes = words.intersection(["insert", "insert-many", "add", "union"])
      let goes = words.intersection(["remove", "remove-many", "remove-object", "minus"])
      return !comes.isEmpty && !goes.isEmpty
    }
    return true
  }

  private func isGNUstep(_ className: String) -> Bool {
    var name: String? = className
    while let current = name {
      if let profile = scope.profiles[current] { return profile == .gnustep }
      name = scope.symbols.classes[current]?.superclass
    }
    return false
  }

  /// The keys as a chain of properties, such as `home?.city`; nil if Swift does not know them all.
  func chain(_ reference: PropertyReference) -> String? {
    guard let properties = scope.properties(along: reference),
      properties.dropLast().allSatisfy({ scope.symbols.classes[$0.type.name] != nil }),
      scope.collectionType(of: reference.object) == nil
    else { return nil }
    return properties.map(name).joined(separator: "?.")
  }
}
