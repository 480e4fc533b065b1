import SwiftSyntax

/// The declarations of a class's `keys`, from the properties and from the methods that name a key.
struct KeyDeclarations {
  /// One declaration.
  struct Entry {
    let name: String
    /// The property, which may have another name.
    let property: String
    let keyPath: String
    var paths: String?
    var isManual: String?
    var comments: [String] = []

    var arguments: [String] {
      var arguments = ["\"\(name)\"", keyPath]
      if let paths { arguments.append("paths: \(paths)") }
      if let isManual { arguments.append("notifiesAutomatically: \(isManual)") }
      return arguments
    }

    var text: String { arguments.joined(separator: ", ") }
  }

  private(set) var entries: [Entry] = []
  /// The methods that an entry stands for, and that go.
  private(set) var replaced: [MethodModel] = []
  /// The methods that an entry calls, and that stay.
  private(set) var kept: [MethodModel] = []
  /// The methods whose key is unknown, or that no declaration can stand for.
  private(set) var leftover: [(MethodModel, why: String)] = []
  /// The properties that need an entry that cannot be written.
  private(set) var conditional: [PropertyModel] = []
  /// The properties whose entries a class that has its keys already lacks.
  private(set) var missing: Set<String> = []
  /// The properties whose setter announces the change by itself.
  private(set) var announced: Set<String> = []
  /// The properties with observers whose storage gets another name, which stands here.
  private(set) var moved: [String: String] = [:]

  /// The properties of which a method or the rule for all keys says that they do not notify.
  private var unannounced: Set<String> = []

  private let survey: Survey
  private let type: TypeModel

  init(_ survey: Survey, _ type: TypeModel) {
    self.survey = survey
    self.type = type
    guard type.verdict.isObservable, let declaration = type.declaration else { return }
    let methods = readMethods()
    for property in type.properties { add(property, methods[property.name] ?? []) }
    let own = Set(type.properties.map(\.name))
    for (key, found) in methods.sorted(by: { $0.key < $1.key }) where !own.contains(key) {
      entries += entry(key, key, found).map { [$0] } ?? []
    }
    removeKnown(declaration)
  }

  /// Removes the entries of keys that the class declares by itself.
  private mutating func removeKnown(_ declaration: ClassDeclSyntax) {
    let members = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    let own = members.first { $0.bindings.first?.name == "moreKeys" }
    let known = [own, declaration.declaredKeys].compactMap { $0?.trimmedDescription }.joined()
    entries.removeAll { known.contains("\"\($0.name)\"") }
    let isByMacro = declaration.attributes.has("DeclaresKeys")
    if isByMacro { entries.removeAll { $0.paths == nil && $0.isManual == nil } }
    if isByMacro || declaration.declaredKeys != nil { missing = Set(entries.map(\.property)) }
  }

  // MARK: Methods that name a key

  /// A method with the key that its name says.
  private typealias Found = (method: MethodModel, kind: KeyMethod.Kind)

  private mutating func readMethods() -> [String: [Found]] {
    var found: [String: [Found]] = [:]
    for method in type.methods where method.isStatic {
      guard let named = KeyMethod(method.name) else { continue }
      if let why = obstacle(to: method) {
        leftover.append((method, why))
      } else if let key = named.keys.first(where: { type.property($0) != nil }) {
        found[key, default: []].append((method, named.kind))
      } else {
        leftover.append((method, "no property “\(named.keys[0])” of \(type.name) is known"))
      }
    }
    return found
  }

  private func obstacle(to method: MethodModel) -> String? {
    if method.conditions > type.conditions { return "it stands under a condition" }
    if let type = method.returnType?.trimmedDescription,
      !["Set<String>", "Bool"].contains(type)
    {
      return "it answers \(type)"
    }
    if method.declaration.modifierNames.contains("override") { return "it overrides another" }
    return nil
  }

  // MARK: Properties

  private mutating func add(_ property: PropertyModel, _ methods: [Found]) {
    guard !property.isStatic, !property.declaration.attributes.has("NSManaged") else { return }
    let isKey = property.isKey(of: type) || property.setsKeyAbove(of: type)
    let isNamed = property.isExposed(by: type) && survey.namedKeys.contains(property.name)
    guard isKey || isNamed || !methods.isEmpty else { return }
    let isSilent = methods.contains {
      $0.kind == .automatic && ($0.method.body?.trimmedDescription ?? "").contains("false")
    }
    if isSilent || isNamedByRule(property.name) { unannounced.insert(property.name) }
    let isMoved = isKey && isToMove(property, methods)
    let isWrapped =
      property.binding.isStored && !property.isLet && !property.isOverride && !isMoved
      && !isPlain(property)
    let isRenamed = property.objectiveCName.map { $0 != property.name } ?? false
    let isDeclared = !isWrapped || property.binding.hasObservers || !methods.isEmpty
    guard property.conditions <= type.conditions else {
      if isDeclared || isRenamed { conditional.append(property) }
      leftover += methods.map { ($0.method, "its property stands under a condition") }
      return
    }
    if isMoved { moved[property.name] = storedName(property.name) }
    if announces(property, methods, isKey: isKey) { announced.insert(property.name) }
    if isDeclared { entries += entry(property.name, property.name, methods).map { [$0] } ?? [] }
    let others = (isRenamed ? [property.objectiveCName] : []) + [property.binding.getterName]
    for case let other? in others where other != property.name {
      entries.append(
        Entry(
          name: other, property: property.name, keyPath: keyPath(property.name),
          paths: "[\"\(property.name)\"]",
          isManual: "false"))
    }
  }

  // MARK: Who announces

  /// Whether a property that is set past Apple's runtime, or that it does not announce, is announced by
  /// the class itself, if by anybody.
  func isPlain(_ property: PropertyModel) -> Bool {
    !property.isDynamic && type.announces(property.name)
      || property.binding.hasObservers && !property.isOverride
        && unannounced.contains(property.name)
  }

  /// Whether a property's storage gets another name, beside a setter that announces: it has observers,
  /// which run before it is announced.
  private func isToMove(_ property: PropertyModel, _ methods: [Found]) -> Bool {
    property.binding.hasObservers && !property.isOverride && !isPlain(property)
      && !announcesItself(property, methods)
  }

  private func announcesItself(_ property: PropertyModel, _ methods: [Found]) -> Bool {
    unannounced.contains(property.name) || property.binding.announces
  }

  /// A name that nothing in the class's family has, a local of its code included.
  private func storedName(_ name: String) -> String {
    let rest = name.prefix(1).uppercased() + name.dropFirst()
    let taken = (type.lineage.last ?? type).family.reduce(into: Set<String>()) {
      $0.formUnion($1.words)
    }
    return ["stored", "ownStored", "ownedAndStored"].map { $0 + rest }.first { !taken.contains($0) }
      ?? "reallyStored" + rest
  }

  /// Whether the setter of a computed property, or of an override with observers, is to announce:
  /// Apple's runtime wraps it, unless the class says that it announces by itself.
  private func announces(_ property: PropertyModel, _ methods: [Found], isKey: Bool) -> Bool {
    if moved[property.name] != nil { return true }
    guard isKey, !isPlain(property), !announcesItself(property, methods) else { return false }
    if property.isOverride { return type.above(property.name)?.isWrapped ?? false }
    return property.binding.setter?.body != nil
  }

  /// The class's rules for all keys.
  var rules: [MethodModel] {
    type.lineage.flatMap(\.methods).filter {
      $0.fullName == "automaticallyNotifiesObservers(forKey:)"
    }
  }

  /// Whether the class answers for that key in its rule for all of them.
  func isNamedByRule(_ name: String) -> Bool {
    rules.contains { rule in
      rule.declaration.tokens(viewMode: .sourceAccurate).contains { token in
        if case .stringSegment(name) = token.tokenKind { return true }
        // Of a key path, as in #keyPath(Person.name).
        return token.text == name && token.nextToken(viewMode: .sourceAccurate)?.text == ")"
          && rule.declaration.trimmedDescription.contains("#keyPath(")
      }
    }
  }

  private mutating func entry(
    _ key: String, _ name: String, _ methods: [Found]
  ) -> Entry? {
    var entry = Entry(name: key, property: name, keyPath: keyPath(name))
    for (method, kind) in methods {
      let value = isCalled(method) ? nil : inlined(method, kind)
      if value == nil { kept.append(method) } else { replaced.append(method) }
      entry.comments += value == nil ? [] : method.declaration.commentLines
      let text = value ?? method.call
      switch kind {
      case .affecting: entry.paths = text
      case .automatic: entry.isManual = text == "true" ? nil : text
      }
    }
    return entry
  }

  /// Whether another method that answers key paths calls this one.
  private func isCalled(_ method: MethodModel) -> Bool {
    survey.allTypes.flatMap(\.methods).contains { other in
      guard other.isStatic, other.declaration.id != method.declaration.id,
        other.name.hasPrefix(KeyMethod.Kind.affecting.rawValue), let body = other.body
      else { return false }
      return body.trimmedDescription.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        .contains { $0 == method.name }
    }
  }

  private func keyPath(_ name: String) -> String {
    "\\\(type.simpleName).\(reservedWords.contains(name) ? "`\(name)`" : name)"
  }

  // MARK: Values of methods

  /// The value of a method that is one literal, as it stands in a declaration.
  private func inlined(_ method: MethodModel, _ kind: KeyMethod.Kind) -> String? {
    guard let body = method.body, body.count == 1, !method.declaration.hasCommentsInside,
      !method.declaration.trailingTrivia.hasComments, let value = body.first?.value
    else { return nil }
    return kind == .automatic ? value.booleanText : names(in: value, method)
  }

  private func names(in value: ExprSyntax, _ method: MethodModel) -> String? {
    var value = value
    if let call = value.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      ["Set", "Set<String>"].contains(call.calledExpression.trimmedDescription)
    {
      value = call.arguments.first!.expression
    }
    guard let array = value.as(ArrayExprSyntax.self) else { return nil }
    let names = array.elements.map { element in
      element.expression.literalString
        ?? element.expression.as(MacroExpansionExprSyntax.self).flatMap {
          KeyPathLiteral(survey, $0, scope: type.name, file: method.file)?.text
        }
    }
    guard !names.contains(nil) else { return nil }
    return "[" + names.map { "\"\($0!)\"" }.joined(separator: ", ") + "]"
  }
}

extension MethodModel {
  /// The expression that answers the method's value, in another class member of its class.
  var call: String { fullName.hasSuffix(")") ? "\(name)()" : name }
}

extension CodeBlockItemSyntax {
  fileprivate var value: ExprSyntax? {
    item.as(ExprSyntax.self) ?? item.as(ReturnStmtSyntax.self)?.expression
  }
}

extension ExprSyntax {
  fileprivate var booleanText: String? {
    self.as(BooleanLiteralExprSyntax.self)?.literal.text
  }
}

extension DeclSyntax {
  var modifierNames: [String] {
    (asProtocol((any WithModifiersSyntax).self))?.modifiers.map(\.name.text) ?? []
  }

  /// The lines of the comments directly above, without their signs.
  var commentLines: [String] {
    var lines: [String] = []
    for piece in leadingTrivia {
      switch piece {
      case .lineComment(let text), .docLineComment(let text):
        lines.append(String(text.drop { $0 == "/" }))
      case .newlines(let count) where count > 1: lines = []
      case .carriageReturnLineFeeds(let count) where count > 1: lines = []
      default: break
      }
    }
    return lines
  }
}

extension ClassDeclSyntax {
  /// The override of `keys`, if the class has one.
  var declaredKeys: VariableDeclSyntax? {
    memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }.first {
      $0.bindings.first?.name == "keys" && $0.modifiers.has("override")
    }
  }
}

/// Words that stand in backticks as the names of properties.
let reservedWords: Set<String> = [
  "Any", "as", "case", "class", "default", "do", "else", "enum", "extension", "false", "for",
  "func", "if", "import", "in", "init", "is", "let", "nil", "operator", "protocol", "return",
  "self", "static", "struct", "super", "switch", "throw", "true", "try", "typealias", "var",
  "where", "while",
]
