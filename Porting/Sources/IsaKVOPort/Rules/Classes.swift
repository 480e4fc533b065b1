import SwiftSyntax

/// Gives classes their new base, and reports those that cannot have it.
final class ClassRule: RuleVisitor {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    guard let type, type.declaration?.id == node.id else { return result }
    switch type.verdict {
    case .ported(let name): if type.base == nil { replaceBase(node, name) }
    case .blocked(let what, let why, let write):
      if type.base == nil { editor.todo(node.name, .baseClass, what, why, write) }
    case .already, .untouched: break
    }
    if type.verdict.isObservable { reportConformances(type, node) }
    return result
  }

  private func replaceBase(_ node: ClassDeclSyntax, _ name: String) {
    guard let base = node.inheritanceClause?.inheritedTypes.first?.type else { return }
    editor.replace(base, by: name, .baseClass)
  }

  private func reportConformances(_ type: TypeModel, _ node: ClassDeclSyntax) {
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
    if node.attributes.has("MainActor"), !type.inherited.contains("MainActorObject") {
      editor.note(
        node.name, .mainActor, "\(type.name) belongs to the main actor",
        "values by name are checked for it if it says so in its first line",
        "class \(type.simpleName): KVObject, MainActorObject")
    }
  }
}
