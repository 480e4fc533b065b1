// The syntax tree of a scenario: what its text says, before anything is looked up.

/// A name together with the place where it stands.
struct Name: Hashable, Sendable, CustomStringConvertible {
  var text: String
  var location: SourceLocation
  /// Whether it stood in quotes: then it may be no word, and the runtime alone judges it.
  var isQuoted = false

  var description: String { text }
}

/// `p.age` or `p.address.city`: an object, and the keys that lead on from it.
struct PropertyReference: Hashable, Sendable, CustomStringConvertible {
  var object: Name
  /// Empty only where a statement names a collection that is an object itself.
  var keys: [Name]

  /// A path in quotes goes to the runtime as it is, one key in `keys`.
  var isQuoted: Bool { keys.first?.isQuoted == true }
  var path: String { keys.map(\.text).joined(separator: ".") }
  /// The whole path, where its first key stands.
  var key: Name { Name(text: path, location: keys.first?.location ?? object.location) }
  var description: String {
    if keys.isEmpty { return object.text }
    return isQuoted ? "\(object).\"\(path.escaped)\"" : "\(object).\(path)"
  }
}

/// A value as written.
struct Literal: Hashable, Sendable, CustomStringConvertible {
  indirect enum Kind: Hashable, Sendable {
    case integer(String)
    case decimal(String)
    case text(String)
    case bool(Bool)
    case nothing
    /// The literal for nothing in a collection.
    case null
    /// An object, a class or a selector: which one, only the type it is used for tells.
    case name(String)
    case structure([Member])
    case array([Literal])
    case set([Literal])
    case dictionary([Entry])
  }

  struct Entry: Hashable, Sendable {
    var key: Name
    var value: Literal
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
    case .null: "null"
    case .name(let name): name
    case .structure(let members):
      "("
        + members.map { ($0.label.map { "\($0): " } ?? "") + $0.value.description }
        .joined(separator: ", ") + ")"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .set(let members): "{" + members.map(\.description).joined(separator: ", ") + "}"
    case .dictionary(let entries): dictionaryNotation(entries.map { ($0.key.text, "\($0.value)") })
    }
  }
}

/// `{name: "Ada", "two words": 2}`; without an entry `{:}`, because `{}` is a set.
func dictionaryNotation(_ entries: [(key: String, value: String)]) -> String {
  if entries.isEmpty { return "{:}" }
  let parts = entries.map { entry in
    let isWord = entry.key.first?.isLetter == true && entry.key.allSatisfy { $0.isWordPart }
    return (isWord ? entry.key : "\"\(entry.key.escaped)\"") + ": " + entry.value
  }
  return "{" + parts.joined(separator: ", ") + "}"
}

extension String {
  /// With a large first letter, as the names of accessors have a key.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// Itself, or with a `_` behind it if it is taken. What is taken but for the `_` behind it gets one
  /// more: no two names become one.
  func apart(from isTaken: (String) -> Bool) -> String {
    var name = self
    while !isTaken(name) {
      guard name.last == "_" else { return self }
      name.removeLast()
    }
    return self + "_"
  }
}
