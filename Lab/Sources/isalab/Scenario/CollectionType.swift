/// The kind of collection that a type is, such as `mutable-array`.
struct CollectionType: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case array
    case orderedSet = "ordered-set"
    case set, dictionary
  }

  var kind: Kind
  var isMutable: Bool

  var name: String { (isMutable ? "mutable-" : "") + kind.rawValue }
  var isOrdered: Bool { kind == .array || kind == .orderedSet }

  /// How a value of the type is written.
  var notation: Text {
    switch kind {
    case .array, .orderedSet: Text("meaning.array-value")
    case .set: Text("meaning.set-value")
    case .dictionary: Text("meaning.dictionary-value")
    }
  }

  /// All of them by name.
  static let named = Dictionary(
    uniqueKeysWithValues: Kind.allCases.flatMap { kind in
      [false, true].map { CollectionType(kind: kind, isMutable: $0) }
    }.map { ($0.name, $0) })
}

/// The methods that change a collection by its elements, as `accessors(…)` names them.
enum Accessor: String, CaseIterable, Hashable, Sendable {
  case insert, remove, replace
  case insertMany = "insert-many"
  case removeMany = "remove-many"
  case replaceMany = "replace-many"
  case add
  case removeObject = "remove-object"
  case union, minus, intersect

  var isOrdered: Bool {
    switch self {
    case .insert, .remove, .replace, .insertMany, .removeMany, .replaceMany: true
    default: false
    }
  }

  /// The selector, `<Key>` standing for the key with a capital.
  var pattern: String {
    switch self {
    case .insert: "insertObject:in<Key>AtIndex:"
    case .remove: "removeObjectFrom<Key>AtIndex:"
    case .replace: "replaceObjectIn<Key>AtIndex:withObject:"
    case .insertMany: "insert<Key>:atIndexes:"
    case .removeMany: "remove<Key>AtIndexes:"
    case .replaceMany: "replace<Key>AtIndexes:with<Key>:"
    case .add: "add<Key>Object:"
    case .removeObject: "remove<Key>Object:"
    case .union: "add<Key>:"
    case .minus: "remove<Key>:"
    case .intersect: "intersect<Key>:"
    }
  }
}
