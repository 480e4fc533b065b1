import SwiftSyntax

/// Gives classes their new base, and reports those that cannot have it.
final class ClassRule: RuleVisitor {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    if survey.hasObservables, ["Dynamic", "LazyDynamic", "WeakDynamic"].contains(node.name.name) {
      editor.todo(
        node.name, .dynamicProperty, "a class \(node.name.name)",
        "KVObject has a wrapper of that name, which is meant in its subclasses", "another name")
    }
    guard let type, type.declaration?.id == node.id else { return result }
    switch type.verdict {
    case .ported(let name):
      if type.base == nil { replaceBase(node, name) }
      if type.isFirstOfMainActor { declareMainActor(type, node) }
    case .blocked(let what, let why, let write):
      if type.base == nil { editor.todo(node.name, .baseClass, what, why, write) }
    case .already, .untouched: break
    }
    if type.verdict.isObservable { reportConformances(type, node) }
    if type.isPortedToMainActor { isolateConformances(node.inheritanceClause) }
    return result
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    if type?.isPortedToMainActor ?? false { isolateConformances(node.inheritanceClause) }
    return result
  }

  private func replaceBase(_ node: ClassDeclSyntax, _ name: String) {
    guard let base = node.inheritanceClause?.inheritedTypes.first?.type,
      base.trimmedDescription != name
    else { return }
    editor.replace(base, by: name, .baseClass)
  }

  /// Says in the first line of a class of the main actor that it belongs to it: without, Swift 6 does
  /// not take its initializer, and values by name are not checked.
  private func declareMainActor(_ type: TypeModel, _ node: ClassDeclSyntax) {
    guard let base = node.inheritanceClause?.inheritedTypes.first?.type,
      !type.inherited.contains("MainActorObject")
    else { return }
    editor.insert(", MainActorObject", at: base.bytes.upperBound, .mainActor)
  }

  /// What code without an actor calls is not the main actor's own.
  private func isolateConformances(_ clause: InheritanceClauseSyntax?) {
    for inherited in clause?.inheritedTypes ?? [] {
      let name = inherited.type.trimmedDescription
      guard ["Codable", "Encodable", "Decodable"].contains(name) else { continue }
      editor.insert("@MainActor ", at: inherited.start, .mainActor)
      editor.note(
        inherited, .mainActor, "\(name) of a class of the main actor",
        "such a conformance needs Swift 6.2", "")
    }
  }

  private func reportConformances(_ type: TypeModel, _ node: ClassDeclSyntax) {
    if let macro = node.attributes.attribute("Observable"),
      type.properties.contains(where: { $0.isKey(of: type) && $0.binding.isStored })
    {
      editor.todo(
        macro, .dynamicProperty, "@Observable on \(type.name)",
        "the macro rewrites properties that have wrappers, which Observation tracks anyway",
        "@ObservationIgnored before each wrapper, or the class without the macro")
    }
    let conformances = survey.conformances(of: type)
    if !conformances.isDisjoint(with: ["Codable", "Encodable", "Decodable"]) {
      for property in type.properties where property.file == file {
        let attributes = property.declaration.attributes
        let isWrapped = attributes.has("LazyDynamic") || attributes.has("WeakDynamic")
        let isToBe = property.declaration.modifiers.has("lazy", "weak") && property.isKey(of: type)
        guard isWrapped || isToBe else { continue }
        editor.todo(
          property.declaration, .codable, "\(property.name) of \(type.name), which is Codable",
          "properties with @LazyDynamic and @WeakDynamic are not Codable",
          "leave it out of CodingKeys, or write init(from:) and encode(to:)")
      }
    }
    if type.inherited.contains("NSCoding") || type.inherited.contains("NSSecureCoding") {
      editor.todo(
        node.name, .archiving, "\(type.name) conforms to NSCoding",
        "archives on Linux take NSObjects alone", "make it Codable: wrapped properties are")
    }
    if type.verdict == .already, node.attributes.has("MainActor"),
      !type.lineage.contains(where: { $0.inherited.contains("MainActorObject") })
    {
      editor.note(
        node.name, .mainActor, "\(type.name) belongs to the main actor",
        "values by name are checked for it if it says so in its first line",
        "class \(type.simpleName): KVObject, MainActorObject")
    }
  }
}

extension TypeModel {
  private var isOfMainActor: Bool { declaration?.attributes.has("MainActor") ?? false }

  /// Whether the class belongs to the main actor and none above it does.
  fileprivate var isFirstOfMainActor: Bool {
    isOfMainActor && !lineage.dropFirst().contains(where: \.isOfMainActor)
  }

  /// Whether the class is ported now and belongs to the main actor.
  fileprivate var isPortedToMainActor: Bool {
    guard case .ported = verdict else { return false }
    return lineage.contains(where: \.isOfMainActor)
  }
}
