// Statements as written.

/// `observe p.age by watcher options(old, new) context 1 as t`.
struct ObserveStatement: Hashable, Sendable {
  enum Option: String, CaseIterable, Hashable, Sendable {
    case old, new, initial, prior, retain
  }

  var target: PropertyReference
  /// The observing object; nil for an observer that is a function.
  var observer: Name?
  /// The elements of an array that are observed instead of the array itself.
  var indexes: IndexList?
  var options: Set<Option>
  var context: UInt
  /// The name under which a function's registration can be removed and asked about.
  var token: Name?
}

/// `remove watcher from p.age context 1`.
struct RemoveStatement: Hashable, Sendable {
  var observer: Name
  var target: PropertyReference
  var indexes: IndexList?
  var context: UInt?
}

/// `at 0` or `at (0, 2)`.
struct IndexList: Hashable, Sendable, CustomStringConvertible {
  var indexes: [UInt]
  /// Whether they stand in brackets: then the forms of messages for many objects serve.
  var isList: Bool
  var location: SourceLocation

  var description: String {
    isList ? "(" + indexes.map(String.init).joined(separator: ", ") + ")" : "\(indexes[0])"
  }
}

/// `insert x into p.items at 0`: a change of a collection by its elements.
struct Edit: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case insert, remove, replace
    case add
    case removeObject = "remove object"
    case union, minus, intersect, fill

    /// Whether it says where.
    var hasIndexes: Bool { self == .insert || self == .remove || self == .replace }
  }
  /// The means that carry it out.
  enum Way: String, CaseIterable, Hashable, Sendable {
    case proxy, accessor, ivar
  }

  var kind: Kind
  var target: PropertyReference
  /// Of an insertion, removal or replacement.
  var indexes: IndexList?
  /// The objects that come, go or stay; nil for a removal at indexes, and where a change is only
  /// announced.
  var objects: Literal?
  var way = Way.proxy
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
  /// `valueForKeyPath:`, the value as an object.
  case keyed(PropertyReference)
  /// `dictionaryWithValuesForKeys:`
  case bulk(Name, keys: [Name])
  /// `validateValue:forKeyPath:error:`
  case validation(PropertyReference, Literal)
  /// Whom a change of the key would tell.
  case affected(PropertyReference)
  /// The key paths that are declared to affect the key.
  case affecting(PropertyReference)
  /// Those, and what affects them, to the end.
  case closure(PropertyReference)
  /// The changes that were announced and not ended.
  case pending(Name)
}

/// One notification, described as far as the scenario cares.
struct NotificationPattern: Hashable, Sendable {
  enum Position: Hashable, Sendable {
    case first
    case last
    case number(Int)
  }
  enum Phase: String, CaseIterable, Hashable, Sendable, Codable {
    case initial, prior, change
  }
  /// The expectation of `old` or `new`: a value, or that there is none.
  enum Value: Hashable, Sendable {
    case absent
    case value(Literal)
  }
  enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case setting, insertion, removal, replacement
  }
  enum Indexes: Hashable, Sendable {
    case absent
    case at(IndexList)
  }

  var position: Position
  var phase: Phase?
  var kind: Kind?
  var indexes: Indexes?
  /// The object that the registration was made on.
  var object: Name?
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
  indirect enum Kind: Hashable, Sendable {
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
    case edit(Edit)
    case willEdit(Edit)
    case didEdit(Edit)
    /// `setValue:forKeyPath:`
    case keyedSet(PropertyReference, Literal)
    /// `setValuesForKeysWithDictionary:`
    case bulkSet(Name, Literal)
    /// A collection with a name.
    case collection(Name, type: Name?, Literal)
    /// A statement that is done the next time that the observer is told, inside its callback.
    case reaction(observer: Name, Statement)
    /// A statement that is done each time that the observer is told.
    case standingReaction(observer: Name, Statement)
    case repetition(count: Int, Statement)
    case onThread(Statement)
    /// A collection of shared observers.
    case shared(Name, for: Name)
    case share(Name?, with: Name)
    case swapIsa(Name, to: Name)
    case wrap(Wrapping)
    /// A binding of one direction, of two if `isTwoWay`.
    case bind(PropertyReference, to: PropertyReference, isTwoWay: Bool)
    case unbind(PropertyReference)
    /// A setter of a class whose code is exchanged for one that tells and calls it.
    case swizzle(PropertyReference, as: Name)
    /// An object whose values are those of a row, found when it is asked for one of them.
    case fault(Name, Literal)
    case query(Query)
    case expect(Expectation)
  }

  var kind: Kind
  var location: SourceLocation
  /// The statement as written, on one line, without its comment; of a struct or class the beginning.
  var text: String
  /// The statement as written: a struct or class with its members.
  var lines: [String]

  /// All of it on one line.
  var whole: String {
    lines.reduce(into: "") { whole, line in
      let line = line.drop { $0 == " " }
      let isFirst = whole.isEmpty || whole.hasSuffix("{") || whole.hasSuffix(",")
      whole += (whole.isEmpty ? "" : isFirst || line.hasPrefix("}") ? " " : ", ") + line
    }
  }
}

struct Scenario: Hashable, Sendable {
  var file: String
  /// The lines as written.
  var source: [String]
  var statements: [Statement]
}
