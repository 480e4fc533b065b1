// Structs and classes as written.

/// `x: double` in a struct.
struct FieldDeclaration: Hashable, Sendable {
  var name: Name
  var type: Name
}

struct StructDeclaration: Hashable, Sendable {
  var name: Name
  var fields: [FieldDeclaration]
}

/// `age: int readonly` in a class.
struct PropertyDeclaration: Hashable, Sendable {
  enum Attribute: Hashable, Sendable {
    case readonly
    case manual
    case weak
    /// The selector, in which `<Key>` stands for the key with a capital.
    case setter(String)
    /// Likewise.
    case getter(String)
    /// Methods that change the collection by its elements; without a list, all that its kind has.
    case accessors([Name])
    /// The key paths that `keyPathsForValuesAffecting<Key>` answers.
    case depends([Name])
    /// The keys declared by `setKeys:triggerChangeNotificationsForDependentKey:`.
    case triggered([Name])
    /// The values that `validate<Key>:error:` lets pass.
    case valid(from: Literal, to: Literal)
    /// An ivar of exactly this name, and no method.
    case ivar
  }

  var name: Name
  var type: Name
  /// How a property without storage gets its value.
  var expression: Expression?
  var attributes: [Attribute]

  var isComputed: Bool { expression != nil }
  var isIvar: Bool { attributes.contains(.ivar) }
  var isReadonly: Bool { attributes.contains(.readonly) || isComputed || isIvar }
  var isManual: Bool { attributes.contains(.manual) }
  var isWeak: Bool { attributes.contains(.weak) }

  /// The selector of its setter; nil for a read-only property.
  var setter: String? {
    guard !isReadonly else { return nil }
    var pattern = "set<Key>:"
    for case .setter(let selector) in attributes { pattern = selector }
    return selector(pattern)
  }

  /// The selector of its getter.
  var getter: String {
    for case .getter(let selector) in attributes { return self.selector(selector) }
    return name.text
  }

  /// The ivar that holds its value; nil for a computed property.
  var ivarName: String? {
    if isComputed { return nil }
    return isIvar ? name.text : "_" + name.text
  }

  /// A selector with the key, its first letter large, in the place of `<Key>`.
  func selector(_ pattern: String) -> String {
    pattern.split(separator: "<Key>", omittingEmptySubsequences: false)
      .joined(separator: name.text.capitalisedFirst)
  }
}

/// `join(first, " ", last)`: how a computed property gets its value.
struct Expression: Hashable, Sendable {
  enum Function: String, CaseIterable, Hashable, Sendable {
    case join, sum, product, count
  }
  enum Operand: Hashable, Sendable {
    /// The answer of `valueForKeyPath:` for the object itself.
    case path(Name)
    case literal(Literal)
  }

  /// Without one the value is that of the only operand.
  var function: Function?
  var operands: [Operand]
  var location: SourceLocation
}

struct ClassDeclaration: Hashable, Sendable {
  enum Profile: String, CaseIterable, Hashable, Sendable {
    case apple, gnustep
  }

  var name: Name
  var superclass: Name?
  var profile: Profile?
  /// Whether the class answers no to `accessInstanceVariablesDirectly`.
  var isPrivate = false
  var properties: [PropertyDeclaration]
}
