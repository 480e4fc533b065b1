// Keys that no class of the scenario knows: the runtime takes them, and says nothing or says it late.
import IsaRuntime

/// A key that an object's class does not know, where the runtime does not mind: probably a slip.
struct UnknownKey: Hashable, Sendable {
  var file: String
  var location: SourceLocation
  var key: String
  var className: String
  /// The property of that class whose name is nearest.
  var nearest: String?

  /// One line that a terminal may be given, whatever the file and its name hold.
  func text(in language: Language) -> String {
    let hint = nearest.map { language.say("step.or-nearest", ["key": $0]) } ?? ""
    return "\(file):\(location.line):\(location.column): \(language.say("step.warning"))"
      .appending(language.say("step.unknown-key", ["class": className, "key": key]) + hint).shown
  }
}

extension Console {
  /// Says which keys of a scenario nobody knows.
  func warn(of program: Program, in language: Language) {
    for key in program.unknownKeys { err(key.text(in: language)) }
  }
}

extension Checker {
  /// The keys of a statement that nobody knows.
  ///
  /// - Parameter symbols: As they stand before it.
  func unknownKeys(in statement: Statement) -> [UnknownKey] {
    switch statement.kind {
    case .observe(let observe): unknownKeys(in: observe.target)
    case .removeObserver(let remove): unknownKeys(in: remove.target)
    case .keyedSet(let target, _): unknownKeys(in: target)
    case .query(let query): unknownKeys(in: query)
    case .bulkSet(let object, let values): unknownKeys(of: object, in: values)
    case .reaction(_, let inner), .standingReaction(_, let inner), .repetition(_, let inner),
      .onThread(let inner):
      unknownKeys(in: inner)
    case .expect(let expectation):
      if case .equal(let query, _, _) = expectation.kind { unknownKeys(in: query) } else { [] }
    default: []
    }
  }

  private func unknownKeys(in query: Query) -> [UnknownKey] {
    switch query {
    case .keyed(let target), .validation(let target, _): unknownKeys(in: target)
    case .bulk(let object, let keys):
      keys.compactMap { unknownKey($0, of: symbols.objects[object.text]?.className) }
    default: []
    }
  }

  private func unknownKeys(of object: Name, in values: Literal) -> [UnknownKey] {
    guard case .dictionary(let entries) = values.kind else { return [] }
    let className = symbols.objects[object.text]?.className
    return entries.compactMap { unknownKey($0.key, of: className) }
  }

  /// The first key of a path that the class which it is asked of does not know.
  private func unknownKeys(in target: PropertyReference) -> [UnknownKey] {
    guard !target.isQuoted, !swapped.contains(target.object.text),
      let className = symbols.objects[target.object.text]?.className
        ?? symbols.shared[target.object.text],
      case .missing(let index, let owner) = symbols.resolve(
        target.keys.map(\.text), of: className)
    else { return [] }
    return [unknownKey(target.keys[index], of: owner)].compactMap(\.self)
  }

  private func unknownKey(_ key: Name, of className: String?) -> UnknownKey? {
    guard let className, symbols.classes[className] != nil,
      !symbols.isCoded(key.text, in: className)
    else { return nil }
    let names = symbols.properties(of: className).map(\.name)
    return UnknownKey(
      file: file, location: key.location, key: key.text, className: className,
      nearest: key.text.nearest(among: names))
  }
}

extension Symbols {
  private static let methods = [
    "get<Key>", "<key>", "is<Key>", "_get<Key>", "_<key>", "set<Key>:", "_set<Key>:", "setIs<Key>:",
  ]
  private static let ivars = ["_<key>", "_is<Key>", "<key>", "is<Key>"]

  /// Whether key-value coding finds a method or an ivar for the key in the class.
  func isCoded(_ key: String, in className: String) -> Bool {
    func names(_ patterns: [String]) -> Set<String> {
      Set(
        patterns.map {
          $0.replacing("<key>", with: key).replacing("<Key>", with: key.capitalisedFirst)
        })
    }
    let declarations = properties(of: className).map(\.declaration)
    let known = declarations.filter { !$0.isIvar }.flatMap {
      [$0.getter] + [$0.setter].compactMap(\.self)
    }
    let isStored = declarations.contains { $0.ivarName.map(names(Symbols.ivars).contains) ?? false }
    return isStored || !names(Symbols.methods).isDisjoint(with: known) || isAnswered(key)
      || property(key, of: className) != nil
  }

  /// Whether every object answers to the key.
  private func isAnswered(_ key: String) -> Bool {
    guard let selector = RuntimeSelector.find(named: key) else { return false }
    return RuntimeClass.find(named: Symbols.rootClass)?.responds(to: selector) == true
  }
}
