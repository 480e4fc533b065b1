/// What the names of a scenario stand for.
struct Symbols: Hashable, Sendable {
  struct Structure: Hashable, Sendable {
    var encoding: String
    var labels: [String]
  }

  struct Property: Hashable, Sendable {
    var declaration: PropertyDeclaration
    var type: ValueType
    /// The class that declares it.
    var owner: String

    var name: String { declaration.name.text }
  }

  struct Class: Hashable, Sendable {
    var superclass: String?
    var properties: [Property]
  }

  struct Object: Hashable, Sendable {
    var className: String
    /// The line in which the scenario gave the object up.
    var releasedIn: Int?
  }

  /// The class of observers that `observer NAME` makes.
  static let observerClass = "Observer"
  /// The class of text values.
  static let textClass = "Text"
  static let notifyingPrefix = "NSKVONotifying_"

  var structures: [String: Structure] = [:]
  var classes: [String: Class] = [observerClass: Class(properties: [])]
  var objects: [String: Object] = [:]
  /// What the functions named by `as` observe.
  var tokens: [String: PropertyReference] = [:]

  /// The field names of each struct.
  var labels: [String: [String]] { structures.mapValues(\.labels) }

  /// The property of that name in a class or its nearest superclass that has it.
  func property(_ key: String, of className: String) -> Property? {
    guard let cls = classes[className] else { return nil }
    if let property = cls.properties.first(where: { $0.name == key }) { return property }
    return cls.superclass.flatMap { property(key, of: $0) }
  }

  /// The properties of a class, inherited ones first.
  func properties(of className: String) -> [Property] {
    guard let cls = classes[className] else { return [] }
    return (cls.superclass.map { properties(of: $0) } ?? []) + cls.properties
  }

  func type(named name: String) -> ValueType? {
    if let encoding = ValueType.named[name] { return ValueType(name: name, encoding: encoding) }
    if let structure = structures[name] {
      return ValueType(name: name, encoding: structure.encoding)
    }
    if classes[name] != nil { return ValueType(name: name, encoding: "@") }
    return ValueType.isEncoding(name) ? ValueType(name: name, encoding: name) : nil
  }
}

/// A scenario whose names all stand for something and whose values fit their types.
struct Program: Hashable, Sendable {
  var scenario: Scenario
  var symbols: Symbols
}
