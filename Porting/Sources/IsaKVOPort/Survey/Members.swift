import SwiftSyntax

/// Finds the members of the types, and why a class needs to be observable.
final class MemberVisitor: ScopedVisitor {
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    type?.inherited += node.inheritanceClause.names
    noteConformances(node.inheritanceClause.names)
    return result
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    noteConformances(node.inheritanceClause.names)
    return result
  }

  private func noteConformances(_ names: [String]) {
    if names.contains("NSKeyValueObservingCustomization") {
      need("it conforms to NSKeyValueObservingCustomization")
    }
  }

  private func need(_ reason: String) {
    if let type, type.need == nil { type.need = reason }
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let type, node.parent?.is(MemberBlockItemSyntax.self) ?? false else {
      return .visitChildren
    }
    for binding in node.bindings {
      guard let name = binding.name else { continue }
      add(node, binding, name, to: type)
    }
    return .visitChildren
  }

  private func add(
    _ node: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ name: String, to type: TypeModel
  ) {
    let property = PropertyModel(
      name: name, file: file, declaration: node, binding: binding, isInExtension: isInExtension,
      conditions: openConditions, isStatic: node.modifiers.has("static", "class"))
    type.properties.append(property)
    if property.isStatic {
      addMethod(
        node, name, isStatic: true, returns: binding.typeAnnotation?.type, body: binding.getter)
      if isKeyMethod(name) { need("it has \(name)") }
    } else if property.isKey(of: type) {
      need("it has the key “\(name)”")
    }
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard type != nil, node.parent?.is(MemberBlockItemSyntax.self) ?? false else {
      return .visitChildren
    }
    addMethod(
      node, node.name.name, fullName: node.fullName,
      isStatic: node.modifiers.has("static", "class"),
      returns: node.signature.returnClause?.type, body: node.body?.statements)
    if isKeyMethod(node.name.name) || observingMethods.contains(node.fullName) {
      need("it has \(node.fullName)")
    }
    return .visitChildren
  }

  private func addMethod(
    _ node: some DeclSyntaxProtocol, _ name: String, fullName: String? = nil, isStatic: Bool,
    returns: TypeSyntax?, body: CodeBlockItemListSyntax?
  ) {
    type?.methods.append(
      MethodModel(
        name: name, fullName: fullName ?? name, file: file, declaration: DeclSyntax(node),
        isStatic: isStatic, isInExtension: isInExtension, conditions: openConditions,
        returnType: returns, body: body))
  }

  private func isKeyMethod(_ name: String) -> Bool { KeyMethod(name) != nil }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let (base, name) = node.member else { return .visitChildren }
    let isOwn = base.map { ["self", "super"].contains($0.trimmedDescription) } ?? true
    if isOwn, codingCalls.contains(where: name.hasPrefix) { need("it calls \(name) of its own") }
    if isOwn, name.hasPrefix("willChange"), let key = node.announcedKey {
      type?.announcedKeys.insert(key)
    }
    if name.hasPrefix("observe(_:"),
      let keyPath = node.arguments.first?.expression.as(KeyPathExprSyntax.self)
    {
      if isOwn { need("it observes itself") }
      keyPath.names.forEach(survey.addNamedKeys)
    }
    if ["addObserver(_:forKeyPath:", "removeObserver(_:forKeyPath:"].contains(
      where: name.hasPrefix),
      node.arguments.first?.expression.trimmedDescription == "self"
    {
      need("it is an observer")
    }
    return .visitChildren
  }

  override func visit(_ node: StringSegmentSyntax) -> SyntaxVisitorContinueKind {
    survey.addNamedKeys(in: node.content.text)
    return .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    if node.macroName.text == "keyPath" {
      survey.addNamedKeys(in: node.arguments.trimmedDescription)
    }
    return .visitChildren
  }
}

extension PatternBindingSyntax {
  /// The statements of the getter.
  var getter: CodeBlockItemListSyntax? {
    switch accessorBlock?.accessors {
    case .getter(let statements): return statements
    case .accessors(let list):
      return list.first { $0.accessorSpecifier.text == "get" }?.body?.statements
    case nil: return nil
    }
  }
}

extension KeyPathExprSyntax {
  /// The names of the properties that the key path leads through.
  var names: [String] {
    components.compactMap {
      $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.name
    }
  }
}

/// Finds the keys that `willChangeValue` and its like name.
final class AnnouncedKeys: SyntaxVisitor {
  private var keys: Set<String> = []

  static func of(_ code: some SyntaxProtocol) -> Set<String> {
    let finder = AnnouncedKeys(viewMode: .sourceAccurate)
    finder.walk(code)
    return finder.keys
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let (_, name) = node.member else { return .visitChildren }
    if name.hasPrefix("willChange"), let key = node.announcedKey { keys.insert(key) }
    if name == "withChanges(of:)" || name == "withChanges(ofKeys:)" {
      for element in node.arguments.first?.expression.as(ArrayExprSyntax.self)?.elements ?? [] {
        let key =
          element.expression.literalString
          ?? element.expression.as(KeyPathExprSyntax.self)?.names.last
        if let key { keys.insert(key) }
      }
    }
    return .visitChildren
  }
}

extension FunctionCallExprSyntax {
  /// The key that `willChangeValue` and its like name, if it stands there.
  fileprivate var announcedKey: String? {
    let argument = arguments.first { ["for", "forKey"].contains($0.label?.text) }?.expression
    if let keyPath = argument?.as(KeyPathExprSyntax.self) { return keyPath.names.last }
    if let literal = argument?.as(MacroExpansionExprSyntax.self),
      literal.macroName.text == "keyPath"
    {
      return literal.arguments.trimmedDescription.split(separator: ".").last.map(String.init)
    }
    return argument?.literalString
  }
}

extension PropertyModel {
  /// Whether key-value coding knows the property on Apple systems.
  func isKey(of type: TypeModel) -> Bool {
    let attributes = declaration.attributes
    if isStatic || attributes.has("nonobjc") { return false }
    if attributes.has("objc") || isWitness { return true }
    guard type.exposesMembers, !declaration.modifiers.has("private", "fileprivate") else {
      return false
    }
    if declaration.modifiers.has("dynamic") { return true }
    // Objective-C has no such types.
    if let type = self.type, type.is(FunctionTypeSyntax.self) || type.is(TupleTypeSyntax.self) {
      return false
    }
    return attributes.isEmpty && binding.isStored && !isLet
  }

  /// Whether the property overrides a key and does something where it is set.
  func setsKeyAbove(of type: TypeModel) -> Bool {
    guard isOverride, binding.hasObservers || binding.setter?.body != nil,
      let (above, isWrapped) = type.above(name)
    else { return false }
    return isWrapped || above.binding.announces
      || type.lineage.dropFirst().contains { other in
        other.properties.contains { $0.name == name && $0.isKey(of: other) }
      }
  }

  /// Whether Objective-C has the property, although no word of its own says so.
  func isExposed(by type: TypeModel) -> Bool {
    type.exposesMembers && !isStatic && !declaration.modifiers.has("private", "fileprivate")
      && !declaration.attributes.has("nonobjc")
  }
}

/// A class method that speaks of one key, by its name.
struct KeyMethod {
  enum Kind: String, CaseIterable {
    case affecting = "keyPathsForValuesAffecting"
    case automatic = "automaticallyNotifiesObserversOf"
  }

  let kind: Kind
  /// The names that the key may have: `URL` and `uRL` for `keyPathsForValuesAffectingURL`.
  let keys: [String]

  init?(_ name: String) {
    for kind in Kind.allCases where name.hasPrefix(kind.rawValue) {
      let rest = String(name.dropFirst(kind.rawValue.count))
      guard let first = rest.first, rest != "Value" else { return nil }
      self.kind = kind
      keys = [first.lowercased() + rest.dropFirst(), rest]
      return
    }
    return nil
  }
}

/// The instance members that every `KVObject` has, by their names without labels.
let objectMembers: Set<String> = [
  "addObserver", "debugDescription", "description", "dictionaryWithValues", "didChange",
  "didChangeValue", "hash", "hashValue", "isEqual", "isKind", "isMember", "isProxy",
  "mutableArrayValue",
  "mutableSetValue", "observationInfo", "observe", "observeValue", "removeObserver", "responds",
  "setNilValueForKey", "setValue", "setValuesForKeys", "validateValue", "value", "willChange",
  "willChangeValue",
]

/// Methods that only an observer, or a class coded by key, overrides.
let observingMethods: Set<String> = foundationOverrides.union([
  "observeValue(forKeyPath:of:change:context:)", "keyPathsForValuesAffectingValue(forKey:)",
  "automaticallyNotifiesObservers(forKey:)", "value(forUndefinedKey:)",
  "setValue(_:forUndefinedKey:)", "setNilValueForKey(_:)", "validateValue(_:forKey:)",
])

/// Methods that are overridden below `NSKVObject` alone.
let foundationOverrides: Set<String> = [
  "value(forKey:)", "value(forKeyPath:)", "setValue(_:forKey:)", "setValue(_:forKeyPath:)",
  "dictionaryWithValues(forKeys:)", "setValuesForKeys(_:)",
  "addObserver(_:forKeyPath:options:context:)", "removeObserver(_:forKeyPath:)",
  "removeObserver(_:forKeyPath:context:)", "mutableArrayValue(forKey:)",
  "mutableSetValue(forKey:)",
]

/// The beginnings of calls that ask a receiver for key-value coding or observing.
let codingCalls = [
  "value(forKey:", "value(forKeyPath:", "setValue(_:forKey:", "setValue(_:forKeyPath:",
  "setValuesForKeys(_:", "dictionaryWithValues(forKeys:", "mutableArrayValue(forKey",
  "mutableSetValue(forKey", "mutableOrderedSetValue(forKey", "willChangeValue(for",
  "didChangeValue(for", "willChange(_:valuesAt", "didChange(_:valuesAt",
  "addObserver(_:forKeyPath:", "removeObserver(_:forKeyPath:",
]
