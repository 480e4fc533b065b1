/// A statement in a language.
struct Translation: Hashable, Sendable {
  /// The types and functions that stand outside of the program's course.
  var declarations: [String] = []
  /// The statement itself.
  var lines: [String] = []
  /// The part of the statement that the language cannot say, or how else it says it.
  var note: Text?

  /// As it stands in a listing: the note is a comment beside the only line, or behind all.
  func shown(in language: Language) -> [String] {
    var shown = declarations + lines
    guard let note = note?[language] else { return shown }
    let isShort = shown.count == 1 && shown[0].columns + note.columns < 90
    if isShort { shown[0] += "  // " + note } else { shown.append("// " + note) }
    return shown
  }

  /// One line.
  static func line(_ line: String, note: Text? = nil) -> Translation {
    Translation(lines: [line], note: note)
  }

  /// A statement that the language cannot say.
  static func none(_ note: Text) -> Translation { Translation(note: note) }
}

/// Where a statement stands.
struct TranslationPlace: Hashable, Sendable {
  /// The step that it makes.
  var step: Int
  /// Whether the scenario expects the statement to fail.
  var isRefused: Bool
}

/// Puts a program's statements into a language: one method for each that the scenario language has.
protocol Translator {
  var scope: TranslationScope { get }

  func structure(_ declaration: StructDeclaration) -> Translation
  func classPair(_ declaration: ClassDeclaration) -> Translation
  func object(_ name: Name, of cls: Name) -> Translation
  func collection(_ name: Name, _ type: Name?, _ literal: Literal) -> Translation
  func set(_ target: PropertyReference, _ value: Literal, _ place: TranslationPlace) -> Translation
  func poke(_ target: PropertyReference, _ value: Literal, _ place: TranslationPlace) -> Translation
  func keyedSet(_ target: PropertyReference, _ value: Literal, _ place: TranslationPlace)
    -> Translation
  func bulkSet(_ name: Name, _ values: Literal, _ place: TranslationPlace) -> Translation
  func observe(_ statement: ObserveStatement, _ place: TranslationPlace) -> Translation
  func removeToken(_ name: Name) -> Translation
  func remove(_ statement: RemoveStatement, _ place: TranslationPlace) -> Translation
  func release(_ name: Name) -> Translation
  func announce(_ target: PropertyReference, isWill: Bool, _ place: TranslationPlace) -> Translation
  func edit(_ edit: Edit, _ place: TranslationPlace) -> Translation
  func announce(_ edit: Edit, isWill: Bool, _ place: TranslationPlace) -> Translation
  func reaction(
    of observer: Name, isStanding: Bool, _ inner: Translation, _ place: TranslationPlace
  )
    -> Translation
  func repetition(_ count: Int, _ inner: Translation) -> Translation
  func onThread(_ inner: Translation, _ place: TranslationPlace) -> Translation
  func shared(_ name: Name, for cls: Name) -> Translation
  func share(_ name: Name?, with object: Name) -> Translation
  func swapIsa(_ name: Name, to cls: Name, _ place: TranslationPlace) -> Translation
  func wrap(_ wrapping: Wrapping) -> Translation
  func swizzle(_ swizzling: Swizzling, _ place: TranslationPlace) -> Translation
  func bind(_ target: PropertyReference, to source: PropertyReference, isTwoWay: Bool)
    -> Translation
  func unbind(_ target: PropertyReference) -> Translation
  func query(_ query: Query, _ place: TranslationPlace) -> Translation
}

extension Translator {
  /// The translation of each statement, in order.
  func translations() -> [Translation] {
    scope.program.scenario.statements.enumerated().map { index, statement in
      let place = TranslationPlace(step: index + 1, isRefused: scope.isRefused(index))
      return translation(of: statement.kind, place)
    }
  }

  private func translation(
    of kind: Statement.Kind, _ place: TranslationPlace
  ) -> Translation {
    switch kind {
    case .structure(let declaration): structure(declaration)
    case .classPair(let declaration): classPair(declaration)
    case .object(let name, of: let cls): object(name, of: cls)
    case .observer(let name):
      object(name, of: Name(text: Symbols.observerClass, location: name.location))
    case .collection(let name, let type, let literal): collection(name, type, literal)
    case .query(let query): self.query(query, place)
    case .expect(let expectation): self.expectation(expectation, place)
    case .set, .poke, .keyedSet, .bulkSet, .edit, .willEdit, .didEdit, .willChange, .didChange:
      change(kind, place)
    case .reaction(let observer, let inner):
      reaction(of: observer, isStanding: false, translation(of: inner.kind, place), place)
    case .standingReaction(let observer, let inner):
      reaction(of: observer, isStanding: true, translation(of: inner.kind, place), place)
    case .repetition(let count, let inner):
      repetition(count, translation(of: inner.kind, place))
    case .onThread(let inner): onThread(translation(of: inner.kind, place), place)
    default: registration(kind, place)
    }
  }

  /// A statement about values.
  private func change(_ kind: Statement.Kind, _ place: TranslationPlace) -> Translation {
    switch kind {
    case .set(let target, let value): set(target, value, place)
    case .poke(let target, let value): poke(target, value, place)
    case .keyedSet(let target, let value): keyedSet(target, value, place)
    case .bulkSet(let name, let values): bulkSet(name, values, place)
    case .edit(let edit): self.edit(edit, place)
    case .willEdit(let edit): announce(edit, isWill: true, place)
    case .didEdit(let edit): announce(edit, isWill: false, place)
    case .willChange(let target): announce(target, isWill: true, place)
    case .didChange(let target): announce(target, isWill: false, place)
    default: Translation()
    }
  }

  /// A statement about observers, bindings and isas.
  private func registration(_ kind: Statement.Kind, _ place: TranslationPlace) -> Translation {
    switch kind {
    case .observe(let statement): observe(statement, place)
    case .removeToken(let name): removeToken(name)
    case .removeObserver(let statement): remove(statement, place)
    case .release(let name): release(name)
    case .shared(let name, for: let cls): shared(name, for: cls)
    case .share(let name, with: let object): share(name, with: object)
    case .swapIsa(let name, to: let cls): swapIsa(name, to: cls, place)
    case .wrap(let wrapping): wrap(wrapping)
    case .swizzle(let target, as: let name):
      scope.swizzling(of: target, as: name, place).map { swizzle($0, place) } ?? Translation()
    case .bind(let target, to: let source, let isTwoWay):
      bind(target, to: source, isTwoWay: isTwoWay)
    case .unbind(let target): unbind(target)
    case .fault(let name, let values): fault(name, values, place)
    default: Translation()
    }
  }

  /// The values, written where they stand: nobody is told, as of those that a fault finds.
  private func fault(_ name: Name, _ values: Literal, _ place: TranslationPlace) -> Translation {
    guard case .dictionary(let entries) = values.kind else { return Translation() }
    return entries.reduce(into: .none(Text("note.fault"))) { whole, entry in
      let target = PropertyReference(object: name, keys: [entry.key])
      let one = poke(target, entry.value, place)
      whole.declarations += one.declarations
      whole.lines += one.lines
    }
  }

  /// A question is asked in the language, its answer a comment; the rest isalab alone can check.
  private func expectation(
    _ expectation: Expectation, _ place: TranslationPlace
  ) -> Translation {
    let text = scope.program.scenario.statements[place.step - 1].text
    switch expectation.kind {
    case .equal(let query, let literal, let negated):
      var asked = self.query(query, place)
      let answer = negated ? Text("note.not", ["value": literal]) : Text(same: "\(literal)")
      asked.note = asked.note.map { Text("note.answer", ["answer": answer, "note": $0]) } ?? answer
      return asked
    default: return .none(Text("note.checked", ["text": text]))
    }
  }
}
