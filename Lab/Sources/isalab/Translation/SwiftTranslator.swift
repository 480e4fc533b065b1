/// Puts a program into Swift with this library, under its own names or Apple's.
///
/// `hears`, `once` and the like stand in the program's frame, `Telling.swift`.
struct SwiftTranslator: Translator {
  enum Names: Hashable, Sendable { case own, apple }

  let scope: TranslationScope
  let names: Names

  var types: SwiftTypes { SwiftTypes(scope: scope) }
  var values: SwiftValues {
    SwiftValues(scope: scope, null: isApple ? "NSNull()" : "KeyValueNull()")
  }
  var isApple: Bool { names == .apple }
  /// Under Apple's names a call that fails is a misuse, and does not throw.
  var attempt: String { isApple ? "" : "try " }

  func name(_ name: Name) -> String { SwiftTypes.name(name.text) }

  /// Whether it is a collection that has a name of its own: an object of the runtime's.
  func isRuntimeObject(_ name: Name) -> Bool { scope.collectionType(of: name) != nil }

  /// The object that all but the last key lead to, and a dot; nil if Swift does not know the way.
  func parent(_ reference: PropertyReference) -> String? {
    guard reference.keys.count > 1 else { return name(reference.object) + "." }
    return types.chain(reference.parent).map { "\(name(reference.object)).\($0)?." }
  }

  /// The property at the end of the keys, if Swift knows all of them.
  func property(_ reference: PropertyReference) -> String? {
    types.chain(reference) == nil ? nil : scope.property(reference).map(types.name)
  }

  // MARK: Objects

  func object(_ name: Name, of cls: Name) -> Translation {
    let type = SwiftTypes.typeName(cls.text)
    return scope.released.contains(name.text)
      ? .line("var \(self.name(name)): \(type)! = \(type)()")
      : .line("let \(self.name(name)) = \(type)()")
  }

  func collection(_ name: Name, _ type: Name?, _ literal: Literal) -> Translation {
    guard let kind = scope.collectionType(of: name) else { return Translation() }
    let value = values.runtimeValue(literal, isMutable: kind.isMutable, kind: kind.kind)
    let word = scope.released.contains(name.text) ? "var" : "let"
    let suffix = word == "var" ? ": RuntimeObject!" : ""
    return .line(
      "\(word) \(self.name(name))\(suffix) = RuntimeValue\(value).object!",
      note: Text("note.runtime-collection"))
  }

  func release(_ name: Name) -> Translation { .line("\(self.name(name)) = nil") }

  func swapIsa(_ name: Name, to cls: Name, _ place: TranslationPlace) -> Translation {
    .none(Text("note.no-isa-swap"))
  }

  func wrap(_ wrapping: Wrapping) -> Translation {
    let policy = wrapping == .apple ? "asApple" : wrapping.rawValue
    return .line("KeyValueSettings.wrapping = .\(policy)")
  }

  // MARK: Values

  func set(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    guard let parent = parent(target), let key = property(target) else {
      return keyedSet(target, value, place)
    }
    if scope.isSwizzled(target) { return message(target, value) }
    return .line("\(parent)\(key) = \(values.value(value, scope.type(target)))")
  }

  func poke(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    guard let parent = parent(target), let key = property(target) else {
      return .none(Text("note.no-storage"))
    }
    let value = values.value(value, scope.type(target))
    return .line("\(parent)setPrimitiveValue(\(value), for: \\.\(key))")
  }

  func keyedSet(
    _ target: PropertyReference, _ value: Literal, _ place: TranslationPlace
  ) -> Translation {
    let isKey = target.keys.count == 1 && !target.isQuoted
    let label = isKey ? "forKey" : "forKeyPath"
    let isSwizzled = scope.isSwizzled(target)
    let isRuntime = isRuntimeObject(target.object) || isSwizzled
    let object = isSwizzled ? "RuntimeObject(\(name(target.object)))" : name(target.object)
    let given =
      if isRuntime { values.runtimeValue(value, isMutable: false) } else { keyed(value, target) }
    let attempt = isRuntime ? "try " : self.attempt
    let isCut = given != "\(value)" && scope.type(target).isNumber && value.isText
    return .line(
      "\(attempt)\(object).setValue(\(given), \(label): \(target.path.quoted))",
      note: isCut ? Text("note.whole-number") : nil)
  }

  private func keyed(_ value: Literal, _ target: PropertyReference) -> String {
    if case .structure = value.kind { return values.value(value, scope.type(target)) }
    if case .text(let text) = value.kind, scope.type(target).isNumber {
      return SwiftTranslator.number(in: text).quoted
    }
    if case .set(let members) = value.kind {
      return "Set<AnyHashable>(\(members.isEmpty ? "" : values.object(value)))"
    }
    return values.object(value)
  }

  /// The number that a text begins with: Swift takes a text that is one as a whole.
  private static func number(in text: String) -> String {
    let number = text.prefix { $0.isNumber || "+-.".contains($0) }
    return number.isEmpty ? "0" : String(number)
  }

  func bulkSet(_ name: Name, _ values: Literal, _ place: TranslationPlace) -> Translation {
    guard case .dictionary(let entries) = values.kind,
      entries.map(\.key.text) != entries.map(\.key.text).sorted()
    else {
      return .line("\(attempt)\(self.name(name)).setValuesForKeys(\(self.values.object(values)))")
    }
    let pairs = entries.map { entry in
      let value = entry.value.kind == .null ? "nil" : self.values.object(entry.value)
      return "\(entry.key.text.quoted): \(value)"
    }
    return Translation(
      lines: [
        "for (key, value) in [\(pairs.joined(separator: ", "))] as KeyValuePairs<String, Any?> {",
        "  \(attempt)\(self.name(name)).setValue(value, forKey: key)", "}",
      ], note: Text("note.no-order"))
  }

  func announce(
    _ target: PropertyReference, isWill: Bool, _ place: TranslationPlace
  ) -> Translation {
    let verb = isWill ? "willChangeValue" : "didChangeValue"
    guard let parent = parent(target), let key = property(target) else {
      return .line("\(name(target.object)).\(verb)(forKey: \(target.path.quoted))")
    }
    return .line("\(parent)\(verb)(for: \\.\(key))")
  }

  // MARK: Other statements inside

  func reaction(
    of observer: Name, isStanding: Bool, _ inner: Translation, _ place: TranslationPlace
  ) -> Translation {
    block("\(isStanding ? "always" : "once")(\(observer.text.quoted))", inner)
  }

  func repetition(_ count: Int, _ inner: Translation) -> Translation {
    count < 1 ? .none(Text("note.not-once")) : block("for _ in 1...\(count)", inner)
  }

  func onThread(_ inner: Translation, _ place: TranslationPlace) -> Translation {
    block("try onThread", inner)
  }

  private func block(_ head: String, _ inner: Translation) -> Translation {
    var made = inner
    if inner.lines.count == 1, head.count + inner.lines[0].count < 90 {
      made.lines = ["\(head) { \(inner.lines[0]) }"]
    } else {
      made.lines = ["\(head) {"] + inner.lines.map { "  " + $0 } + ["}"]
    }
    return made
  }

  // MARK: Bindings

  func bind(
    _ target: PropertyReference, to source: PropertyReference, isTwoWay: Bool
  ) -> Translation {
    let (object, key) = (name(target.object), target.path)
    let other = "\(name(source.object)), \\.\(source.path)"
    return isTwoWay
      ? .line("try \(object).bind(\\.\(key), to: \(other))")
      : .line("try \(object).follow(\\.\(key), of: \(other))")
  }

  func unbind(_ target: PropertyReference) -> Translation {
    .line("\(name(target.object)).unbind(\\.\(target.path))")
  }
}

extension Literal {
  fileprivate var isText: Bool { if case .text = kind { true } else { false } }
}
