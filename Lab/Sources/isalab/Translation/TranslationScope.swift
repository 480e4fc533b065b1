/// The facts of a program that every language asks for: types of names, what becomes of them.
struct TranslationScope {
  let program: Program
  /// The names that functions have as observers where the scenario gives none, by the place of the
  /// statement that registers them.
  private(set) var observerNames: [SourceLocation: String] = [:]
  /// The objects that the scenario gives up.
  private(set) var released: Set<String> = []
  /// The names that get their value inside of another statement, or are used above that one.
  private(set) var early: Set<String> = []
  /// Properties of collections that are changed by elements, as `Playlist.songs`.
  private(set) var edited: Set<String> = []
  /// Properties whose ivars are reached from outside, likewise.
  private(set) var poked: Set<String> = []
  /// The setters whose code is exchanged, in order.
  private(set) var swizzles: [(step: Int, className: String, key: String)] = []
  /// The profiles of the classes that choose one.
  private(set) var profiles: [String: ClassDeclaration.Profile] = [:]

  var symbols: Symbols { program.symbols }
  private var statements: [Statement] { program.scenario.statements }

  init(_ program: Program) {
    self.program = program
    var count = 0
    for (index, statement) in program.scenario.statements.enumerated() {
      note(statement, index, 1, isInner: false, &count)
    }
    noteEarlyNames()
  }

  private mutating func note(
    _ statement: Statement, _ index: Int, _ times: Int, isInner: Bool, _ count: inout Int
  ) {
    switch statement.kind {
    case .observe(let observe):
      if let token = observe.token?.text, isInner || isRefused(index) { early.insert(token) }
      guard observe.token == nil else { break }
      observerNames[observe.target.object.location] = "observer#\(count + 1)"
      count += times
    case .classPair(let declaration): profiles[declaration.name.text] = declaration.profile
    case .release(let name): released.insert(name.text)
    case .swizzle(let target, as: _):
      guard !isRefused(index) else { break }
      swizzles.append((index + 1, target.object.text, target.path))
    case .edit(let edit), .willEdit(let edit), .didEdit(let edit):
      if let property = property(edit.target) {
        edited.insert(TranslationScope.id(property))
        if edit.way == .ivar { poked.insert(TranslationScope.id(property)) }
      }
    case .poke(let target, _):
      if let property = property(target) { poked.insert(TranslationScope.id(property)) }
    case .fault(let name, let values):
      guard case .dictionary(let entries) = values.kind else { break }
      for entry in entries {
        let property = property(PropertyReference(object: name, keys: [entry.key]))
        if let property { poked.insert(TranslationScope.id(property)) }
      }
    case .reaction(_, let inner), .standingReaction(_, let inner), .onThread(let inner):
      note(inner, index, times, isInner: true, &count)
    case .repetition(let number, let inner):
      note(inner, index, number, isInner: true, &count)
    default: break
    }
  }

  /// The tokens of reactions that stand above their registration.
  private mutating func noteEarlyNames() {
    var later = Set(symbols.tokens.keys)
    for statement in statements {
      if case .observe(let observe) = statement.kind, let token = observe.token?.text {
        later.remove(token)
      }
      if let inner = statement.kind.inner, case .removeToken(let name) = inner.kind,
        later.contains(name.text)
      {
        early.insert(name.text)
      }
    }
  }

  // MARK: Statements

  /// Whether one of the expectations right below asks for an error.
  func isRefused(_ index: Int) -> Bool {
    for statement in statements[(index + 1)...] {
      guard case .expect(let expectation) = statement.kind else { return false }
      if case .error = expectation.kind { return true }
    }
    return false
  }

  /// The name of the observer that a statement registers.
  func observerName(_ statement: ObserveStatement) -> String {
    statement.token?.text ?? observerNames[statement.target.object.location] ?? "observer"
  }

  // MARK: Names

  func isShared(_ name: Name) -> Bool { symbols.shared[name.text] != nil }

  /// The class of an object; nil for shared observers.
  func className(of name: Name) -> String? { symbols.objects[name.text]?.className }

  /// The kind of a collection that has a name of its own.
  func collectionType(of name: Name) -> CollectionType? {
    className(of: name).flatMap { CollectionType.named[$0] }
  }

  /// The property at the end of the keys, as far as the declarations tell.
  func property(_ reference: PropertyReference) -> Symbols.Property? {
    let name = symbols.objects[reference.object.text]?.className
    guard !reference.isQuoted, let className = name ?? symbols.shared[reference.object.text] else {
      return nil
    }
    return symbols.property(atPath: reference.path, of: className)
  }

  func type(_ reference: PropertyReference) -> ValueType {
    property(reference)?.type ?? ValueType(name: "object", encoding: "@")
  }

  /// The properties on the way, if the declarations tell them all.
  func properties(along reference: PropertyReference) -> [Symbols.Property]? {
    guard !reference.isQuoted, !reference.keys.isEmpty else { return nil }
    var properties: [Symbols.Property] = []
    for count in 1...reference.keys.count {
      var part = reference
      part.keys = Array(reference.keys.prefix(count))
      guard let property = property(part) else { return nil }
      properties.append(property)
    }
    return properties
  }

  /// The kind of collection that an edit changes; an array where only the run would tell.
  func collectionType(of edit: Edit) -> CollectionType {
    let other = CollectionType(kind: .array, isMutable: true)
    if edit.target.keys.isEmpty { return collectionType(of: edit.target.object) ?? other }
    return property(edit.target).flatMap { CollectionType.named[$0.type.name] } ?? other
  }

  func isEdited(_ property: Symbols.Property) -> Bool {
    edited.contains(TranslationScope.id(property))
  }

  func isPoked(_ property: Symbols.Property) -> Bool {
    poked.contains(TranslationScope.id(property))
  }

  private static func id(_ property: Symbols.Property) -> String {
    "\(property.owner).\(property.name)"
  }

  /// Whether anything uses the class that isalab has compiled in.
  var usesSwiftView: Bool {
    symbols.objects.values.contains { $0.className == SwiftView.name }
  }
}

extension Statement.Kind {
  /// The statement inside of this one.
  fileprivate var inner: Statement? {
    switch self {
    case .reaction(_, let inner), .standingReaction(_, let inner), .onThread(let inner),
      .repetition(_, let inner):
      inner
    default: nil
    }
  }
}

extension PropertyReference {
  /// The reference to all but the last key.
  var parent: PropertyReference { PropertyReference(object: object, keys: keys.dropLast()) }
}

extension String {
  /// As a literal of a language like C.
  var quoted: String { "\"\(escaped { String($0) })\"" }
}
