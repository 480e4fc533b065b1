/// The meanings of the names of a scenario.
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

  /// The property at the end of a path of keys, as far as the declarations tell.
  enum Resolution: Hashable, Sendable {
    case property(Property)
    /// It leads through what only the runtime knows, such as a dictionary.
    case unknown
    /// A class that is declared has no such property.
    case missing(index: Int, className: String)
  }

  struct Object: Hashable, Sendable {
    var className: String
    /// The line in which the scenario gave the object up.
    var releasedIn: Int?
  }

  static let rootClass = "IsaObject"
  /// The class of observers that `observer NAME` makes.
  static let observerClass = "Observer"
  /// The class of dictionaries that can change, which may be observed like any object.
  static let dictionaryClass = "Dictionary"
  static let notifyingPrefix = "NSKVONotifying_"

  var structures: [String: Structure] = [:]
  var classes: [String: Class] = [
    observerClass: Class(properties: []), SwiftView.name: SwiftView.symbol,
  ]
  var objects: [String: Object] = [:]
  /// The properties that the functions named by `as` observe.
  var tokens: [String: PropertyReference] = [:]
  /// The classes for which shared observers are.
  var shared: [String: String] = [:]

  /// The names of methods that were exchanged for setters, and tell.
  var swizzled: Set<String> = []

  /// The name of the class that an object of a class has while its values have to be found.
  static func faultName(of className: String) -> String { className + "_Fault" }

  /// The name of the class that a notifying class is for; any other class's own.
  static func originalName(of className: String) -> String {
    className.hasPrefix(notifyingPrefix)
      ? String(className.dropFirst(notifyingPrefix.count)) : className
  }

  /// Whether a class is there without a declaration.
  static func isBuiltIn(_ className: String) -> Bool {
    className == observerClass || className == SwiftView.name
  }

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

  /// Follows keys from an instance of a class.
  func resolve(_ keys: [String], of className: String) -> Resolution {
    var className = className
    for (index, key) in keys.enumerated() {
      if classes[className] == nil || key.hasPrefix("@") || key.contains(".") { return .unknown }
      guard let property = property(key, of: className) ?? ivar(for: key, of: className) else {
        return .missing(index: index, className: className)
      }
      if index == keys.count - 1 { return .property(property) }
      className = property.type.name
    }
    return .unknown
  }

  /// The bare ivar in which key-value coding finds a key that is no property.
  private func ivar(for key: String, of className: String) -> Property? {
    let names = ["_<key>", "_is<Key>", "is<Key>"].map {
      $0.replacing("<key>", with: key).replacing("<Key>", with: key.capitalisedFirst)
    }
    return names.lazy.compactMap { self.property($0, of: className) }
      .first { $0.declaration.isIvar }
  }

  /// The property at the end of a key path; nil if only the runtime knows.
  func property(atPath path: String, of className: String) -> Property? {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard case .property(let property) = resolve(keys, of: className) else { return nil }
    return property
  }

  func type(named name: String) -> ValueType? {
    if CollectionType.named[name] != nil { return ValueType(name: name, encoding: "@") }
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
  /// In the order of the text.
  var unknownKeys: [UnknownKey] = []
}
