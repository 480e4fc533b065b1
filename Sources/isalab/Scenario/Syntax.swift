// The syntax tree of a scenario: what its text says, before anything is looked up.

/// A name together with the place where it stands.
struct Name: Hashable, Sendable, CustomStringConvertible {
  var text: String
  var location: SourceLocation

  var description: String { text }
}

/// `p.age`.
struct PropertyReference: Hashable, Sendable, CustomStringConvertible {
  var object: Name
  var key: Name

  var description: String { "\(object.text).\(key.text)" }
}

/// A value as written.
struct Literal: Hashable, Sendable, CustomStringConvertible {
  indirect enum Kind: Hashable, Sendable {
    case integer(String)
    case decimal(String)
    case text(String)
    case bool(Bool)
    case nothing
    /// An object, a class or a selector: which one, only the type it is used for tells.
    case name(String)
    case structure([Member])
    case array([Literal])
  }

  struct Member: Hashable, Sendable {
    var label: Name?
    var value: Literal
  }

  var kind: Kind
  var location: SourceLocation

  var description: String {
    switch kind {
    case .integer(let digits), .decimal(let digits): digits
    case .text(let text): "\"\(text.escaped)\""
    case .bool(let flag): flag ? "true" : "false"
    case .nothing: "nil"
    case .name(let name): name
    case .structure(let members):
      "("
        + members.map { ($0.label.map { "\($0): " } ?? "") + $0.value.description }
        .joined(separator: ", ") + ")"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    }
  }
}

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
  }

  var name: Name
  var type: Name
  var attributes: [Attribute]

  var isReadonly: Bool { attributes.contains(.readonly) }
  var isManual: Bool { attributes.contains(.manual) }
  var isWeak: Bool { attributes.contains(.weak) }

  /// The selector of its setter; nil for a read-only property.
  var setter: String? {
    guard !isReadonly else { return nil }
    var pattern = "set<Key>:"
    for case .setter(let selector) in attributes { pattern = selector }
    let capitalised = name.text.prefix(1).uppercased() + name.text.dropFirst()
    return pattern.split(separator: "<Key>", omittingEmptySubsequences: false)
      .joined(separator: capitalised)
  }
}

struct ClassDeclaration: Hashable, Sendable {
  var name: Name
  var superclass: Name?
  var properties: [PropertyDeclaration]
}

/// `observe p.age by watcher options(old, new) context 1 as t`.
struct ObserveStatement: Hashable, Sendable {
  enum Option: String, CaseIterable, Hashable, Sendable {
    case old, new, initial, prior, retain
  }

  var target: PropertyReference
  /// The observing object; nil for an observer that is a function.
  var observer: Name?
  var options: Set<Option>
  var context: UInt
  /// The name under which a function's registration can be removed and asked about.
  var token: Name?
}

/// `remove watcher from p.age context 1`.
struct RemoveStatement: Hashable, Sendable {
  var observer: Name
  var target: PropertyReference
  var context: UInt?
}

/// A question to the runtime, asked alone or in an `expect`.
enum Query: Hashable, Sendable {
  case property(PropertyReference)
  case isa(Name)
  case claimedClass(Name)
  case superclass(Name)
  case methods(Name)
  case implementation(Name, selector: Name)
  case retainCount(Name)
  case registrations(Name)
  case alive(Name)
}

/// One notification, described as far as the scenario cares.
struct NotificationPattern: Hashable, Sendable {
  enum Position: Hashable, Sendable {
    case first
    case last
    case number(Int)
  }
  enum Phase: String, CaseIterable, Hashable, Sendable {
    case initial, prior, change
  }
  /// What is expected of `old` or `new`: a value, or that there is none.
  enum Value: Hashable, Sendable {
    case absent
    case value(Literal)
  }

  var position: Position
  var phase: Phase?
  var key: Name?
  var old: Value?
  var new: Value?
  var context: UInt?
}

struct Expectation: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The line before failed with this exception.
    case error(Name)
    /// The line before told this many observers.
    case notifications(Int)
    case heard(observer: Name, count: Int)
    case notification(observer: Name, NotificationPattern)
    case equal(Query, Literal, negated: Bool)
    case method(Name, selector: Name, negated: Bool)
  }

  var kind: Kind
}

/// Which wrapper the engine gives to setters that it comes to wrap.
enum Wrapping: String, CaseIterable, Hashable, Sendable {
  case automatic, libffi, apple
}

struct Statement: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case structure(StructDeclaration)
    case classPair(ClassDeclaration)
    case object(Name, of: Name)
    case observer(Name)
    case set(PropertyReference, Literal)
    case poke(PropertyReference, Literal)
    case observe(ObserveStatement)
    case removeToken(Name)
    case removeObserver(RemoveStatement)
    case release(Name)
    case willChange(PropertyReference)
    case didChange(PropertyReference)
    case swapIsa(Name, to: Name)
    case wrap(Wrapping)
    case query(Query)
    case expect(Expectation)
  }

  var kind: Kind
  var location: SourceLocation
  /// The statement as written, on one line, without its comment.
  var text: String
}

struct Scenario: Hashable, Sendable {
  var file: String
  var statements: [Statement]
}
